#include "text.h"

uint8_t text_u32(char *to, uint32_t number)
{
    char reversed[TEXT_NUMBER_MAX];
    uint8_t count = 0, at = 0;

    do {
        reversed[count++] = (char)('0' + number % 10u);
        number /= 10u;
    } while (number);
    while (count)
        to[at++] = reversed[--count];
    return at;
}

uint8_t text_i32(char *to, int32_t number)
{
    if (number >= 0)
        return text_u32(to, (uint32_t)number);
    *to = '-';
    return (uint8_t)(1u + text_u32(to + 1, 0u - (uint32_t)number));
}

bool text_to_number(const char *from, uint8_t count, int32_t *number)
{
    int32_t value = 0;

    if (count == 0 || count > 9 || (from[0] == '0' && count > 1))
        return false;
    for (; count; count--, from++) {
        if (*from < '0' || *from > '9')
            return false;
        value = value * 10 + (*from - '0');
    }
    *number = value;
    return true;
}

bool text_is(const char *from, uint8_t count, word expected)
{
    for (; count; count--, from++, expected++)
        if (*expected == '\0' || *expected != *from)
            return false;
    return *expected == '\0';
}
