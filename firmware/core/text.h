/* Numbers as text and back, without printf. Decimal, shortest form: see PROTOCOL.md. */
#ifndef TENSHU_TEXT_H
#define TENSHU_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

#define TEXT_NUMBER_MAX 11 /* -2147483648 */

/* Writes the digits without a terminator and returns their number. */
uint8_t text_u32(char *to, uint32_t number);
uint8_t text_i32(char *to, int32_t number);

/* Reads exactly `count` characters as a number, 0 or more, of at most 9 digits; false for anything else. */
bool text_to_number(const char *from, uint8_t count, int32_t *number);

bool text_is(const char *from, uint8_t count, word expected);

#endif
