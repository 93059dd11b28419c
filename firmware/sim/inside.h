/* What the parts of the simulated board share, and nobody else uses. */
#ifndef TENSHU_INSIDE_H
#define TENSHU_INSIDE_H

#include <simavr/sim_avr.h>
#include <stddef.h>

#include "cell.h"
#include "chip.h"

#define HZ 16000000u
#define DUE 256
#define HEARD 4096

enum hx_trouble { HX_WELL, HX_MISSING, HX_LOW };

struct hx711 {
    avr_irq_t *dout;
    bool sck, ready, down, fast, strapped;
    enum hx_trouble trouble;
    double clock; /* 1.1: its oscillator is 10 % fast */
    avr_cycle_count_t next, rose, gone_until;
    uint32_t word;
    int bits, gain_pulses;
    int32_t newest;
};

struct due {
    double at_s;
    char line[80];
};

struct chip {
    avr_t *avr;
    struct hx711 hx;
    struct cell cell;
    struct chip_figures figures;
    avr_cycle_count_t from, cli_since, busy_since, busy;
    bool started; /* interrupts have been on since the reset */
    bool full;    /* whether simavr's receive queue is full */
    struct due due[DUE];
    int dues;
    char heard[HEARD];
    unsigned heard_head, heard_tail;
    struct said {
        char byte;
        avr_cycle_count_t at;
    } *said;
    size_t said_from, said_to, said_room;
};

/* hx711.c: the HX711's pins and its behaviour. */
void hx_connect(struct chip *chip);
void hx_start(struct chip *chip);
/* simavr has forgotten timers and pins: restore them. */
void hx_after_reset(struct chip *chip);
void hx_dip(struct chip *chip, double ms);
void hx_suffer(struct chip *chip, enum hx_trouble which, bool on);
void hx_strap(struct chip *chip, double rate);

/* script.c: runs one line that is due now. */
bool script_obey(struct chip *chip, const char *line);

#endif
