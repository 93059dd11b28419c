#include "cell.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81
#define BOUNCE 0.3      /* speed after a bounce relative to before, wood on plastic */
#define STEP_S 0.001    /* the force is sampled every millisecond */
#define RING_S 0.6      /* ringing has died away by then */
#define RAW_MAX 8388607.0
#define SLAM_HZ 12.0
#define SLAM_S 0.25
#define HAND_EDGE_S 0.25
#define PI 3.14159265358979323846

void cell_begin(struct cell *cell, uint64_t seed)
{
    memset(cell, 0, sizeof *cell);
    cell->counts_per_g = 2147; /* 500 g, 0.5 mV/V, 4.3 V: the weakest signal sold under that name */
    cell->offset = -51234;
    cell->noise_10 = 25; /* 50 and 90 nV in the HX711's data sheet */
    cell->noise_80 = 45;
    cell->creep_s = 60;
    cell->wave_s = 600;
    cell->ring_hz = 60;
    cell->ring_damping = 0.08;
    cell->chance = seed * 2 + 1;
}

static uint64_t next(struct cell *cell)
{
    uint64_t z = cell->chance += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

double cell_uniform(struct cell *cell)
{
    return (double)(next(cell) >> 11) / 9007199254740992.0;
}

double cell_normal(struct cell *cell)
{
    double radius = sqrt(-2 * log(1 - cell_uniform(cell)));

    return radius * cos(2 * PI * cell_uniform(cell));
}

static struct event *add(struct cell *cell, enum event_kind kind, double at_s, double g)
{
    struct event *event = &cell->events[cell->count];

    if (cell->count == CELL_EVENTS)
        return 0;
    cell->count++;
    *event = (struct event){.kind = kind, .at_s = at_s, .g = g};
    return event;
}

bool cell_cube(struct cell *cell, double at_s, double g, double height_mm)
{
    struct event *event = add(cell, EVENT_CUBE, at_s, g);
    double speed = sqrt(2 * GRAVITY * height_mm / 1000), strikes_s = at_s;

    if (!event)
        return false;
    for (; event->blows < 6 && speed > 0.02; event->blows++) {
        event->blow_s[event->blows] = strikes_s;
        event->blow_gs[event->blows] = g * speed * (1 + BOUNCE) / GRAVITY;
        speed *= BOUNCE;
        strikes_s += 2 * speed / GRAVITY;
    }
    event->hz = strikes_s; /* when it comes to rest */
    event->stays_g = g;
    event->until_s = strikes_s + RING_S;
    return true;
}

bool cell_lay(struct cell *cell, double at_s, double g, double seconds)
{
    struct event *event = add(cell, EVENT_LAY, at_s, g);

    if (!event)
        return false;
    event->until_s = at_s + seconds;
    event->stays_g = g;
    return true;
}

bool cell_pass(struct cell *cell, enum event_kind kind, double at_s, double g, double seconds, double hz)
{
    struct event *event = add(cell, kind, at_s, g);

    if (!event)
        return false;
    event->until_s = at_s + (kind == EVENT_SLAM ? 8 * SLAM_S : kind == EVENT_BUMP ? seconds + RING_S : seconds);
    event->hz = kind == EVENT_BUMP ? seconds : hz;
    event->phase = 2 * PI * cell_uniform(cell);
    return true;
}

/* The tray's response to an impulse of one gram second, and to a step of one gram. */
static double after_blow(const struct cell *cell, double since_s)
{
    double w = 2 * PI * cell->ring_hz, z = cell->ring_damping, wd = w * sqrt(1 - z * z);

    return since_s < 0 || since_s > RING_S ? 0 : w / sqrt(1 - z * z) * exp(-z * w * since_s) * sin(wd * since_s);
}

static double after_step(const struct cell *cell, double since_s)
{
    double w = 2 * PI * cell->ring_hz, z = cell->ring_damping, wd = w * sqrt(1 - z * z);

    if (since_s < 0)
        return 0;
    return 1 - exp(-z * w * since_s) * (cos(wd * since_s) + z / sqrt(1 - z * z) * sin(wd * since_s));
}

static double smooth(double part)
{
    return part <= 0 ? 0 : part >= 1 ? 1 : part * part * (3 - 2 * part);
}

static double cube_force(const struct cell *cell, const struct event *event, double t)
{
    double force = event->g * after_step(cell, t - event->hz);

    for (int at = 0; at < event->blows; at++)
        force += event->blow_gs[at] * after_blow(cell, t - event->blow_s[at]);
    return force;
}

/* Pressed down and let go within a quarter of a second each; no hand is perfectly still. */
static double hand_force(const struct event *event, double t)
{
    double length = event->until_s - event->at_s, edge = fmin(HAND_EDGE_S, length / 2.5);
    double envelope = smooth((t - event->at_s) / edge) * smooth((event->until_s - t) / edge);
    double tremor = 0.06 * sin(2 * PI * 7.3 * t + event->phase) + 0.04 * sin(2 * PI * 11.1 * t);

    return event->g * envelope * (1 + tremor);
}

static double bump_force(const struct cell *cell, const struct event *event, double t)
{
    double since = t - event->at_s, half = event->hz;
    double push = since < half ? event->g * sin(PI * since / half) : 0;

    return push + 0.02 * event->g * half * after_blow(cell, since - half);
}

static double force_of(const struct cell *cell, const struct event *event, double t)
{
    if (t <= event->at_s)
        return 0;
    if (t >= event->until_s)
        return event->stays_g;
    switch (event->kind) {
    case EVENT_CUBE:
        return cube_force(cell, event, t);
    case EVENT_LAY:
        return event->g * smooth((t - event->at_s) / (event->until_s - event->at_s));
    case EVENT_HAND:
        return hand_force(event, t);
    case EVENT_BUMP:
        return bump_force(cell, event, t);
    case EVENT_SLAM:
        return event->g * exp(-(t - event->at_s) / SLAM_S) * sin(2 * PI * SLAM_HZ * (t - event->at_s));
    default:
        return event->g * sin(2 * PI * event->hz * (t - event->at_s) + event->phase);
    }
}

static void forget_the_past(struct cell *cell, double before_s)
{
    int kept = 0;

    for (int at = 0; at < cell->count; at++)
        if (cell->events[at].until_s < before_s)
            cell->load_g += cell->events[at].stays_g;
        else
            cell->events[kept++] = cell->events[at];
    cell->count = kept;
}

static bool anything(const struct cell *cell, double until_s)
{
    for (int at = 0; at < cell->count; at++)
        if (cell->events[at].at_s < until_s)
            return true;
    return false;
}

/* A cubic B-spline over four periods: the weights of four consecutive averages. */
static double spline(double x)
{
    double a = fabs(x - 2);

    return a >= 2 ? 0 : a >= 1 ? (2 - a) * (2 - a) * (2 - a) / 6 : (4 - 6 * a * a + 3 * a * a * a) / 6;
}

static double filtered(const struct cell *cell, double now_s, double period_s)
{
    double sum = 0, weights = 0;

    if (!anything(cell, now_s))
        return 0;
    for (double ago = STEP_S / 2; ago < 4 * period_s; ago += STEP_S) {
        double weight = spline(ago / period_s);
        weights += weight;
        for (int at = 0; at < cell->count; at++)
            sum += weight * force_of(cell, &cell->events[at], now_s - ago);
    }
    return sum / weights;
}

int32_t cell_convert(struct cell *cell, double now_s, double period_s)
{
    double passed = now_s - cell->last_s, force, counts;

    forget_the_past(cell, now_s - 4 * period_s);
    force = cell->load_g + filtered(cell, now_s, period_s);
    cell->last_s = now_s;
    cell->drifted_g += cell->drift_g_per_min / 60 * passed;
    cell->crept_g += (cell->creep * force - cell->crept_g) * fmin(1, passed / cell->creep_s);
    force += cell->crept_g + cell->drifted_g + cell->wave_g * sin(2 * PI * now_s / cell->wave_s);
    counts = cell->offset + cell->counts_per_g * force;
    counts += (period_s > 0.03 ? cell->noise_10 : cell->noise_80) * cell_normal(cell);
    if (cell->frozen)
        return 1234;
    return (int32_t)floor(fmax(-RAW_MAX - 1, fmin(RAW_MAX, counts + 0.5)));
}
