/* A load cell under a tray: what falls, presses and shakes, as the counts an HX711 makes of it. */
#ifndef TENSHU_CELL_H
#define TENSHU_CELL_H

#include <stdbool.h>
#include <stdint.h>

#define CELL_EVENTS 256

enum event_kind { EVENT_CUBE, EVENT_LAY, EVENT_HAND, EVENT_BUMP, EVENT_SLAM, EVENT_SHAKE };

/* Grams and seconds throughout. */
struct event {
    enum event_kind kind;
    double at_s, until_s; /* after that it is a constant load, or nothing */
    double g;
    double stays_g;
    double hz, phase;
    int blows;
    double blow_s[6], blow_gs[6]; /* when a falling cube strikes, and its impulse */
};

struct cell {
    /* The kind of cell, and what the table does to it. */
    double counts_per_g;
    double offset;           /* counts of the empty tray */
    double noise_10, noise_80; /* counts, one standard deviation of a reading, by rate */
    double drift_g_per_min;
    double wave_g, wave_s;   /* a room that warms up and cools down */
    double creep, creep_s;   /* share of the load that appears late, and its time constant */
    double ring_hz, ring_damping; /* of tray and cell */
    bool frozen;             /* the cell's wires are off */

    double load_g;           /* permanent load */
    double crept_g, drifted_g, last_s;
    struct event events[CELL_EVENTS];
    int count;
    uint64_t chance;
};

void cell_begin(struct cell *cell, uint64_t seed);
/* Uniform from 0 to 1. */
double cell_uniform(struct cell *cell);
double cell_normal(struct cell *cell);

/* False if too much happens at once. A cube falls from `height_mm` and bounces. */
bool cell_cube(struct cell *cell, double at_s, double g, double height_mm);
/* A load of `g` is laid down, or taken away if negative, within this many seconds. */
bool cell_lay(struct cell *cell, double at_s, double g, double seconds);
/* Something transient: a pressing hand, a knock, a door, a shaking table. */
bool cell_pass(struct cell *cell, enum event_kind kind, double at_s, double g, double seconds, double hz);

/* One conversion, ending at `now_s` and covering the last four periods, as by a fourth-order filter. */
int32_t cell_convert(struct cell *cell, double now_s, double period_s);

#endif
