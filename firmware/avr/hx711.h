#ifndef TENSHU_HX711_H
#define TENSHU_HX711_H

#include <stdbool.h>
#include <stdint.h>

void hx711_begin(void);
void hx711_rate(uint8_t rate);
/* Powers it down and up: channel A, gain 128. Takes 100 microseconds. */
void hx711_restart(void);
bool hx711_ready(void);
/* False if the chip did not take all pulses: DOUT must be high after the last one. */
bool hx711_read(int32_t *raw);

#endif
