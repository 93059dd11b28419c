/* Wiring of the HX711 to an Arduino Uno or Nano. D0 and D1 are taken by the serial port. */
#ifndef TENSHU_PINS_H
#define TENSHU_PINS_H

#include <avr/io.h>

#define DOUT_BIT PD4 /* D4, with pull-up: an absent HX711 is never ready */
#define SCK_BIT PD5  /* D5 */
#define RATE_BIT PD6 /* D6: low 10, high 80 samples a second; only if the HX711's board brings RATE out */
#define LED_BIT PB5  /* D13: lit while something moves or is wrong */

#endif
