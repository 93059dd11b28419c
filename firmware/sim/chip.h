/* The board's .elf on a simulated ATmega328P with an HX711 and a load cell, in virtual time. simavr stays within the
   C files; Python and the runner hold a pointer. */
#ifndef TENSHU_CHIP_H
#define TENSHU_CHIP_H

#include <stdbool.h>
#include <stdint.h>

struct chip;

enum chip_reset { CHIP_POWER = 1, CHIP_BUTTON = 2, CHIP_BROWNOUT = 4 }; /* the bits of MCUSR */

/* Counted since the last chip_forget. */
struct chip_figures {
    uint64_t conversions, reads, overruns, collisions, power_downs, wrong_gains, resets;
    double longest_sck_us;   /* time high */
    double longest_cli_us;   /* interrupts off, once the program runs */
    double longest_busy_us;  /* time without sleep */
    uint32_t lowest_stack;
    double busy;             /* share of the time */
};

struct chip *chip_new(const char *elf, uint64_t seed);
void chip_free(struct chip *chip);

/* False if the program has crashed. */
bool chip_run(struct chip *chip, double seconds);
double chip_time(const struct chip *chip);

/* One script line, `[+SECONDS] WORD NUMBERS...`; docs/firmware.md lists the words. False: not understood. */
bool chip_do(struct chip *chip, const char *line);
void chip_reset(struct chip *chip, int why);

/* Makes the program hang: only the watchdog can help. */
void chip_hang(struct chip *chip);

/* Sends bytes to the board, at its port's speed. */
void chip_hear(struct chip *chip, const char *bytes, int count);
/* A line it has sent, without its end, and when that was on the wire; -1 if none is complete. */
int chip_line(struct chip *chip, char *to, int room, double *at_s);
/* Everything it has sent. */
int chip_bytes(struct chip *chip, char *to, int room);

void chip_figures(struct chip *chip, struct chip_figures *figures);
void chip_forget(struct chip *chip);
int chip_register(const struct chip *chip, int address);
void chip_eeprom_get(struct chip *chip, uint8_t *bytes, int count);
void chip_eeprom_set(struct chip *chip, const uint8_t *bytes, int count);

#endif
