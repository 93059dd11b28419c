/* The only place where 32 bits are not enough. */
#ifndef TENSHU_RATIO_H
#define TENSHU_RATIO_H

#include <stdint.h>

/* value * by / over, rounded and clamped to the range; `over` is not 0. */
int32_t ratio(int32_t value, int32_t by, int32_t over);

#endif
