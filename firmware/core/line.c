#include "line.h"

#include "crc.h"
#include "text.h"

#define TAIL 5 /* star and four digits */

static const IN_FLASH char hexadecimal[] = "0123456789ABCDEF";

static void add_one(struct line *line, char byte)
{
    /* No line is this long; a bug in one must not write past the end. */
    if (line->length < LINE_MAX_BYTES - TAIL)
        line->text[line->length++] = byte;
}

static void add(struct line *line, const char *bytes, uint8_t count)
{
    while (count--)
        add_one(line, *bytes++);
}

void line_begin(struct line *line, uint16_t sequence, uint32_t ms, word kind)
{
    const char head[] = {'$', (char)('0' + sequence / 100 % 10), (char)('0' + sequence / 10 % 10),
                         (char)('0' + sequence % 10)};

    line->length = 0;
    add(line, head, sizeof head);
    line_u32(line, ms);
    line_word(line, kind);
}

void line_word(struct line *line, word text)
{
    add_one(line, ',');
    while (*text)
        add_one(line, *text++);
}

void line_u32(struct line *line, uint32_t number)
{
    char digits[TEXT_NUMBER_MAX];

    add_one(line, ',');
    add(line, digits, text_u32(digits, number));
}

void line_i32(struct line *line, int32_t number)
{
    char digits[TEXT_NUMBER_MAX];

    add_one(line, ',');
    add(line, digits, text_i32(digits, number));
}

void line_end(struct line *line)
{
    uint16_t crc = crc16(line->text + 1, (uint8_t)(line->length - 1));
    char *to = line->text + line->length;

    *to++ = '*';
    for (int8_t shift = 12; shift >= 0; shift = (int8_t)(shift - 4))
        *to++ = hexadecimal[((unsigned)crc >> shift) & 0xFu];
    *to++ = '\r';
    *to++ = '\n';
    line->length = (uint8_t)(to - line->text);
}
