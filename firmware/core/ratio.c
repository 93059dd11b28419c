#include "ratio.h"

#include <stdbool.h>

static uint32_t magnitude(int32_t value)
{
    return value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
}

int32_t ratio(int32_t value, int32_t by, int32_t over)
{
    bool negative = ((value < 0) ^ (by < 0) ^ (over < 0)) != 0;
    uint32_t divisor = magnitude(over);
    uint64_t result = ((uint64_t)magnitude(value) * magnitude(by) + divisor / 2) / divisor;
    int32_t held = result > INT32_MAX ? INT32_MAX : (int32_t)result;

    return negative ? -held : held;
}
