#include "cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY_MM_MS2 0.00980665
#define TAPS 4 /* periods of the chip that one reading is made of: a sinc filter of the fourth order */

static const struct cell_model usual = {
    /* 500 g at 0.5 mV/V: 50 and 90 nV of the data sheet are 25 and 45 counts, 21 mg at 80 a second. */
    .counts_per_gram = 2147, .offset = -51234, .noise_10 = 25, .noise_80 = 45, .wander_s = 600, .creep_s = 300,
    .oscillator = 1, .tray_hz = 60, .tray_damping = 0.08};

void cell_begin(struct cell *cell, uint64_t seed)
{
    memset(cell, 0, sizeof *cell);
    cell->model = usual;
    cell->random = seed * 0x9E3779B97F4A7C15ull + 0x1234567ull;
}

void cell_end(struct cell *cell)
{
    free(cell->coming);
    cell->coming = NULL;
}

static double uniform(struct cell *cell)
{
    cell->random ^= cell->random >> 12;
    cell->random ^= cell->random << 25;
    cell->random ^= cell->random >> 27;
    return ((double)((cell->random * 0x2545F4914F6CDD1Dull) >> 11) + 0.5) / 9007199254740992.0;
}

double cell_gauss(struct cell *cell)
{
    double length = sqrt(-2 * log(uniform(cell)));

    return length * cos(2 * M_PI * uniform(cell));
}

bool cell_schedule(struct cell *cell, const struct cell_event *event)
{
    int at;

    if (event->kind >= CELL_KINDS)
        return false;
    if (cell->comings == cell->room) {
        int room = cell->room ? cell->room * 2 : 64;
        struct cell_event *grown = realloc(cell->coming, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        cell->coming = grown;
        cell->room = room;
    }
    for (at = cell->comings; at > 0 && cell->coming[at - 1].at_ms < event->at_ms; at--)
        ;
    /* Latest first, so that the next one is taken from the end. */
    memmove(cell->coming + at + 1, cell->coming + at, (size_t)(cell->comings - at) * sizeof *event);
    cell->coming[at] = *event;
    cell->comings++;
    return true;
}

static void add(double *ring, int64_t now_ms, double after_ms, double value)
{
    int64_t after = (int64_t)lround(after_ms);

    if (after < 0)
        after = 0;
    if (after > CELL_AHEAD - 1)
        after = CELL_AHEAD - 1;
    ring[(now_ms + after) % CELL_AHEAD] += value;
}

/* Falls, bounces in the air where it weighs nothing, and comes to rest. Each landing turns its momentum round. */
static void start_cube(struct cell *cell, const struct cell_event *event)
{
    double speed = sqrt(2 * GRAVITY_MM_MS2 * event->b), after = 0;

    for (int bounce = 0; bounce < 12; bounce++) {
        double up = speed * event->c;
        double flight = 2 * up / GRAVITY_MM_MS2;

        add(cell->blow, cell->now_ms, after, event->a * (speed + up) / GRAVITY_MM_MS2);
        if (flight < 1 || after + flight > CELL_AHEAD - 2)
            break;
        after += flight;
        speed = up;
    }
    add(cell->step, cell->now_ms, after, event->a);
}

static void start(struct cell *cell, const struct cell_event *event)
{
    if (event->kind == CELL_CUBE)
        start_cube(cell, event);
    else if (cell->actives < CELL_ACTIVE)
        cell->active[cell->actives++] = *event;
}

static double ramp(double share)
{
    return share <= 0 ? 0 : share >= 1 ? 1 : (1 - cos(M_PI * share)) / 2;
}

static double hand(const struct cell_event *e, double age)
{
    double share = ramp(age / e->b) - ramp((age - e->b - e->c) / e->b);
    /* A muscle trembles at nine hertz or so, and sways. */
    double tremor = e->d * (0.7 * sin(0.0565 * age) + 0.5 * sin(0.0703 * age + 1) + 0.8 * sin(0.0051 * age));

    return e->a * share * (1 + tremor);
}

/* The force of an event at its age; `over` once it will never act again. A weight is then part of the rest. */
static double force(struct cell *cell, const struct cell_event *e, bool *over)
{
    double age = (double)cell->now_ms - e->at_ms;

    switch (e->kind) {
    case CELL_WEIGHT:
        *over = age >= e->b;
        if (*over)
            cell->rest += e->a;
        return *over ? 0 : e->a * ramp(age / e->b);
    case CELL_HAND:
        *over = age >= 2 * e->b + e->c;
        return hand(e, age);
    case CELL_BUMP:
        *over = age >= e->b;
        return *over ? 0 : e->a * sin(M_PI * age / e->b);
    case CELL_RING:
        *over = age > 12 * e->c;
        return e->a * exp(-age / e->c) * sin(2e-3 * M_PI * e->b * age);
    default:
        *over = e->c > 0 && age >= e->c;
        return *over ? 0 : e->a * sin(2e-3 * M_PI * e->b * age);
    }
}

static double forces(struct cell *cell)
{
    double sum = 0;

    for (int at = 0; at < cell->actives;) {
        bool over = false;

        sum += force(cell, &cell->active[at], &over);
        if (over)
            cell->active[at] = cell->active[--cell->actives];
        else
            at++;
    }
    return sum;
}

/* The tray on its bar is a weak spring: half-implicit steps, small enough for 60 Hz. */
static double swing(struct cell *cell, double pull, double blow)
{
    const int parts = 4;
    double dt = 0.001 / parts, w = 2 * M_PI * cell->model.tray_hz;

    for (int at = 0; at < parts; at++) {
        double push = pull + (at == 0 ? blow * parts : 0);

        cell->speed += dt * (w * w * (push - cell->position) - 2 * cell->model.tray_damping * w * cell->speed);
        cell->position += dt * cell->speed;
    }
    return cell->position;
}

static double slow_changes(struct cell *cell)
{
    const struct cell_model *m = &cell->model;
    double seconds = (double)cell->now_ms / 1000;

    cell->crept += (m->creep * cell->rest - cell->crept) / (m->creep_s * 1000);
    return cell->crept + m->drift_mg_per_min * seconds / 60000 + m->wander_mg / 1000 * sin(2 * M_PI * seconds / m->wander_s);
}

void cell_advance(struct cell *cell, int64_t to_ms)
{
    while (cell->now_ms < to_ms) {
        int64_t ring;
        double moving;

        cell->now_ms++;
        while (cell->comings && cell->coming[cell->comings - 1].at_ms <= (double)cell->now_ms)
            start(cell, &cell->coming[--cell->comings]);
        ring = cell->now_ms % CELL_AHEAD;
        moving = forces(cell);
        cell->rest += cell->step[ring];
        moving = swing(cell, cell->rest + moving, cell->blow[ring]);
        cell->felt[cell->now_ms % CELL_BEHIND] = moving + slow_changes(cell);
        cell->step[ring] = cell->blow[ring] = 0;
    }
}

/* Cubic B-spline: four running means over one period each, one after the other. */
static double weight_of(double periods_ago)
{
    double x = fabs(periods_ago - TAPS / 2.0);

    if (x >= 2)
        return 0;
    return x >= 1 ? (2 - x) * (2 - x) * (2 - x) / 6 : 2.0 / 3 - x * x + x * x * x / 2;
}

int32_t cell_convert(struct cell *cell, double at_ms, double period_ms)
{
    const struct cell_model *m = &cell->model;
    double sum = 0, weights = 0, counts;

    cell_advance(cell, (int64_t)floor(at_ms));
    for (int64_t ms = cell->now_ms; ms > 0 && at_ms - (double)ms < TAPS * period_ms; ms--) {
        double weight = weight_of((at_ms - (double)ms) / period_ms);

        sum += weight * cell->felt[ms % CELL_BEHIND];
        weights += weight;
    }
    counts = m->offset + (weights > 0 ? sum / weights * m->counts_per_gram : 0);
    counts += cell_gauss(cell) * (period_ms > 40 ? m->noise_10 : m->noise_80);
    return counts > 8388607 ? 8388607 : counts < -8388608 ? -8388608 : (int32_t)lround(counts);
}
