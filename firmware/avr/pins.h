/* Wiring of the HX711 to an Arduino Uno or Nano. Not D0 and D1, which are the serial port. */
#ifndef TENSHU_PINS_H
#define TENSHU_PINS_H

#include <avr/io.h>

#define DOUT_BIT PD4 /* D4, with pull-up: an HX711 that is not there is never ready */
#define SCK_BIT PD5  /* D5 */
#define RATE_BIT PD6 /* D6: low 10, high 80 samples a second; only where the board brings RATE out */
#define LED_BIT PB5  /* D13: lit while something moves or is wrong */

#endif
