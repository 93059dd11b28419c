/* A load cell with a tray on it, in virtual time: what lies there, what falls, what shakes. Grams, milliseconds. */
#ifndef TENSHU_CELL_H
#define TENSHU_CELL_H

#include <stdbool.h>
#include <stdint.h>

#define CELL_AHEAD 4096 /* ms for which blows and steps are known ahead: the bounces of a cube */
#define CELL_BEHIND 1024 /* ms that the filter of the HX711 may look back */
#define CELL_ACTIVE 64
#define CELL_RATE_HZ 1000

enum cell_kind {
    CELL_CUBE,   /* a: g, b: height in mm, c: share of speed left after a bounce */
    CELL_WEIGHT, /* a: g that the rest changes by, b: ms that it takes */
    CELL_HAND,   /* a: g, b: ms to lean on and off, c: ms that it stays, d: share of tremor */
    CELL_BUMP,   /* a: g, b: ms: half a sine */
    CELL_RING,   /* a: g, b: Hz, c: ms to fade to 1/e: a door, a bumped tower */
    CELL_SHAKE,  /* a: g, b: Hz, c: ms, 0 for ever */
    CELL_KINDS
};

struct cell_event {
    double at_ms;
    uint32_t kind;
    double a, b, c, d;
};

/* The two must stay plain numbers: tests set them through ctypes. */
struct cell_model {
    double counts_per_gram;
    double offset;          /* counts of the empty tray */
    double noise_10, noise_80; /* counts, one standard deviation */
    double drift_mg_per_min;
    double wander_mg, wander_s; /* temperature going up and down */
    double creep, creep_s;  /* share of the load that creeps in, and how fast */
    double oscillator;      /* 1.05: the chip's clock runs 5 % fast */
    double tray_hz, tray_damping;
};

struct cell {
    struct cell_model model;
    uint64_t random;
    int64_t now_ms;
    double rest;                     /* g lying still */
    double crept;
    double position, speed;          /* of the tray as a spring, in g */
    double blow[CELL_AHEAD];         /* g ms, at ms modulo CELL_AHEAD */
    double step[CELL_AHEAD];         /* g */
    double felt[CELL_BEHIND];        /* g, the last of them at now_ms */
    struct cell_event active[CELL_ACTIVE];
    int actives;
    struct cell_event *coming;       /* sorted by time */
    int comings, room;
};

void cell_begin(struct cell *cell, uint64_t seed);
void cell_end(struct cell *cell);
/* False: too far back, or out of memory. */
bool cell_schedule(struct cell *cell, const struct cell_event *event);
void cell_advance(struct cell *cell, int64_t to_ms);
/* The reading of a conversion that ends at `at_ms`, at the true rate of the chip. Clipped to 24 bits. */
int32_t cell_convert(struct cell *cell, double at_ms, double period_ms);
double cell_gauss(struct cell *cell);

#endif
