#ifndef TENSHU_CLOCK_H
#define TENSHU_CLOCK_H

#include <stdint.h>

void clock_begin(void);
uint32_t clock_ms(void);

#endif
