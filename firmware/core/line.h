/* A line from the board: `$SEQ,MS,KIND,field,...*CRC4` and CR LF. See PROTOCOL.md. */
#ifndef TENSHU_LINE_H
#define TENSHU_LINE_H

#include <stdint.h>

#include "words.h"

#define LINE_MAX_BYTES 80 /* without CR LF */
#define LINE_SEQUENCES 1000u

struct line {
    uint8_t length;
    char text[LINE_MAX_BYTES + 2];
};

void line_begin(struct line *line, uint16_t sequence, uint32_t ms, word kind);
void line_word(struct line *line, word text);
void line_u32(struct line *line, uint32_t number);
void line_i32(struct line *line, int32_t number);
void line_end(struct line *line);

#endif
