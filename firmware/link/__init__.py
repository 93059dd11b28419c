"""The host's end of the wire: typed events from a drop sensor, real or simulated."""
