/* Everything the board says goes out through here: one function for each kind in PROTOCOL.md. */
#ifndef TENSHU_SAY_H
#define TENSHU_SAY_H

#include "board.h"

void say_hello(struct board *board);
void say_settings(struct board *board);
void say_beat(struct board *board);
void say_move(struct board *board);
void say_drop(struct board *board);
void say_settled(struct board *board);
void say_sample(struct board *board, int32_t raw);
void say_ack(struct board *board, const struct order *order, int32_t value);
void say_nak(struct board *board, uint16_t id, enum reason reason);
void say_fault(struct board *board, enum fault fault, bool on);

#endif
