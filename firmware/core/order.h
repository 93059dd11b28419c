/* Commands for the board: bytes in, one command or the reason for refusing it out. See PROTOCOL.md. */
#ifndef TENSHU_ORDER_H
#define TENSHU_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

#define ORDER_MAX_BYTES 48 /* without the line end */
#define CUBE_MG 360

enum command {
    COMMAND_HELLO,
    COMMAND_TARE,
    COMMAND_CALIBRATE,
    COMMAND_RATE,
    COMMAND_THRESHOLD,
    COMMAND_STREAM,
    COMMAND_SAVE,
    COMMAND_RESET,
    COMMANDS
};

enum reason {
    REASON_NONE,
    REASON_LENGTH,
    REASON_CHARACTER,
    REASON_FORM,
    REASON_CHECKSUM,
    REASON_COMMAND,
    REASON_ARGUMENT,
    REASON_BUSY,
    REASON_MOVING,
    REASON_LIGHT,
    REASON_FAULT,
    REASON_STORAGE,
    REASONS
};

struct order {
    uint16_t id; /* 0: typed by a person, or not trustworthy */
    uint8_t command;
    bool cubes;    /* CALIBRATE: value counts cubes, not milligrams */
    int32_t value; /* the numeric argument, 0 if there is none */
};

struct order_reader {
    uint8_t length;
    bool too_long;
    bool unprintable;
    bool starts_framed; /* starts with the mark of a framed order */
    bool broken;        /* the previous line was a framed order, and refused */
    char text[ORDER_MAX_BYTES];
};

word command_name(uint8_t command);
word reason_name(uint8_t reason);

/* Takes the next byte from the wire. True if it ends a non-empty line: then `reason` says why that was refused, or is
   REASON_NONE and `order` holds the command. Of a refused order only the id is set. */
bool order_byte(struct order_reader *reader, char byte, struct order *order, enum reason *reason);

#endif
