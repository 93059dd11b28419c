/* The board's program on a simulated ATmega328P with an HX711 and a load cell, in virtual time.
   The only file that knows libsimavr is chip.c; Python sees these functions through ctypes. */
#ifndef TENSHU_CHIP_H
#define TENSHU_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "cell.h"

struct chip;

enum chip_wiring {
    WIRING_GOOD,
    WIRING_NO_CHIP,   /* DOUT floats: the pull-up holds it high */
    WIRING_DOUT_LOW,  /* shorted to ground */
    WIRING_NO_CELL    /* the HX711 is there and its inputs are open: always the same reading */
};

enum chip_reset { RESET_BUTTON, RESET_POWER, RESET_BROWNOUT };

/* What was seen at the pins. */
struct chip_counts {
    uint64_t conversions, reads, overruns, collisions, power_downs, not_ready_reads, resets;
    double longest_sck_us, longest_deaf_us; /* SCK high; interrupts off */
    uint32_t stack_least;                   /* lowest stack pointer */
    uint32_t ubrr, double_speed;
};

struct chip *chip_new(const char *elf, uint64_t seed);
void chip_free(struct chip *chip);
/* Runs to that time since the start, in microseconds. False: the processor has crashed or stopped. */
bool chip_run(struct chip *chip, uint64_t until_us);
uint64_t chip_now_us(const struct chip *chip);

/* Bytes to the board; how many were taken. */
uint32_t chip_write(struct chip *chip, const uint8_t *bytes, uint32_t count);
/* Bytes of the board, and when each had left the wire, in microseconds; `times` may be NULL. */
uint32_t chip_read(struct chip *chip, uint8_t *bytes, uint64_t *times, uint32_t room);

bool chip_event(struct chip *chip, const struct cell_event *event);
struct cell_model *chip_model(struct chip *chip);
/* A trace: grams at a kilohertz from now on, added to all else. The memory stays the caller's until it has ended. */
void chip_trace(struct chip *chip, const float *grams, uint64_t count);
void chip_wire(struct chip *chip, enum chip_wiring wiring);
void chip_reset(struct chip *chip, enum chip_reset why);
/* The supply of the HX711 alone dips: it starts anew. */
void chip_dip(struct chip *chip);
void chip_eeprom(struct chip *chip, uint8_t *bytes, uint32_t count, bool write);
void chip_counts(const struct chip *chip, struct chip_counts *counts);

#endif
