"""The board's own program on a simulated ATmega328P, with a modelled HX711 and load cell."""
