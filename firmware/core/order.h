/* What the board is told: bytes in, one command or the reason of a refusal out. See PROTOCOL.md. */
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
    uint16_t id; /* 0: typed by a person, or not to be trusted */
    uint8_t command;
    bool cubes;    /* CALIBRATE: value counts cubes, not milligrams */
    int32_t value; /* the number among the arguments, 0 without one */
};

struct order_reader {
    uint8_t length;
    bool too_long;
    bool unprintable;
    bool starts_framed; /* with the mark of an order */
    bool broken;        /* the line before was an order that was refused */
    char text[ORDER_MAX_BYTES];
};

word command_name(uint8_t command);
word reason_name(uint8_t reason);

/* Takes the next byte of the wire. True when it ends a line that is not empty: then `reason` says why it was
   refused, or REASON_NONE and `order` holds it. A refused order has only its id. */
bool order_byte(struct order_reader *reader, char byte, struct order *order, enum reason *reason);

#endif
