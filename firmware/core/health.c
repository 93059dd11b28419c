#include "health.h"

#include "ring.h"

#define RAW_MAX 8388607
#define RAW_MIN (-8388607 - 1)
#define SKIP_AFTER_START 5 /* the data sheet gives four conversions to settle, and the first may be partial */
#define SILENT_MS 1000
#define STUCK_READINGS 16 /* undisturbed, a cell with 45 counts of noise repeats a value once in a hundred readings */
#define LOST_CLOCK_BITS 12
#define LOST_CLOCK_FAR 1024 /* counts; readings of a tray at rest are nearer to each other */
#define OUT_OF_STEP_MAX 8
#define OUT_OF_STEP_FAULT 6
#define AT_AN_END_MAX 6
#define AT_AN_END_FAULT 3
#define SLOW_INTERVAL_MS 40

static const IN_FLASH char names[FAULTS][10] = {"silent", "desync", "saturated", "stuck", "vibration", "settings"};

word fault_name(uint8_t fault)
{
    return names[fault];
}

static void set(struct health *health, enum fault fault, bool on)
{
    if (on)
        health->faults |= FAULT_BIT(fault);
    else
        health->faults &= (uint8_t)~FAULT_BIT(fault);
}

void health_begin(struct health *health, uint32_t now_ms)
{
    health->faults &= (uint8_t)~FAULTS_OF_READING;
    health->skip = SKIP_AFTER_START;
    health->out_of_step = health->at_an_end = health->same = 0;
    health->last_ms = health->asked_ms = now_ms;
    health->interval_q4 = 0;
}

/* A pulse mistaken for power-down leaves the HX711 sending ones: 262143, 65535, 53247, -1. A genuine reading ends in
   this many ones once in four thousand, and can be spared; but that of a tray which rests just there does so once in
   a hundred, and is near the others. */
static bool lost_clock(const struct health *health, int32_t raw)
{
    const int32_t ones = (1L << LOST_CLOCK_BITS) - 1;

    return (raw & ones) == ones && magnitude(raw - health->in_step) > LOST_CLOCK_FAR;
}

static void step_lost(struct health *health)
{
    health->out_of_step = (uint8_t)(health->out_of_step + 2 > OUT_OF_STEP_MAX ? OUT_OF_STEP_MAX
                                                                              : health->out_of_step + 2);
    set(health, FAULT_DESYNC,
        (health->faults & FAULT_BIT(FAULT_DESYNC)) || health->out_of_step >= OUT_OF_STEP_FAULT);
}

static bool in_step(struct health *health, int32_t raw)
{
    if (lost_clock(health, raw)) {
        step_lost(health);
        return false;
    }
    health->in_step = raw;
    if (health->out_of_step && --health->out_of_step == 0)
        set(health, FAULT_DESYNC, false);
    return true;
}

static bool within_range(struct health *health, int32_t raw)
{
    bool at_an_end = raw >= RAW_MAX || raw <= RAW_MIN;

    if (at_an_end && health->at_an_end < AT_AN_END_MAX)
        health->at_an_end++;
    if (at_an_end && health->at_an_end >= AT_AN_END_FAULT)
        set(health, FAULT_SATURATED, true);
    if (!at_an_end && health->at_an_end && --health->at_an_end == 0)
        set(health, FAULT_SATURATED, false);
    return !at_an_end;
}

static bool flickers(struct health *health, int32_t raw)
{
    if (raw == health->last && health->same < STUCK_READINGS)
        health->same++;
    else if (raw != health->last)
        health->same = 0;
    health->last = raw;
    set(health, FAULT_STUCK, health->same >= STUCK_READINGS);
    return health->same < STUCK_READINGS;
}

/* A gap in the readings means that the HX711 restarted: its supply dipped, or a wire came off. */
static void watch_interval(struct health *health, uint32_t now_ms)
{
    uint32_t passed = now_ms - health->last_ms;
    uint16_t passed_q4 = passed > SILENT_MS ? SILENT_MS << 4 : (uint16_t)(passed << 4);

    health->last_ms = health->asked_ms = now_ms;
    if (health->interval_q4 == 0 || health->skip)
        health->interval_q4 = passed_q4;
    else if (passed_q4 > 3 * (uint32_t)health->interval_q4)
        health->skip = SKIP_AFTER_START;
    else
        health->interval_q4 = (uint16_t)(health->interval_q4 + ((int32_t)passed_q4 - health->interval_q4) / 8);
    if (health->faults & FAULT_BIT(FAULT_SILENT))
        health->skip = SKIP_AFTER_START;
    set(health, FAULT_SILENT, false);
}

bool health_reading(struct health *health, int32_t raw, uint32_t now_ms)
{
    watch_interval(health, now_ms);
    /* All three are called every time, since each keeps its own count. */
    bool good = flickers(health, raw);
    bool inside = within_range(health, raw);

    good = inside && in_step(health, raw) && good;
    if (health->skip) {
        health->skip--;
        return false;
    }
    return good && !(health->faults & FAULTS_OF_READING);
}

void health_desync(struct health *health, uint32_t now_ms)
{
    watch_interval(health, now_ms);
    step_lost(health);
}

bool health_tick(struct health *health, uint32_t now_ms)
{
    if (now_ms - health->last_ms > SILENT_MS)
        set(health, FAULT_SILENT, true);
    if (now_ms - health->asked_ms <= SILENT_MS)
        return false;
    health->asked_ms = now_ms;
    return true;
}

bool health_slow(const struct health *health)
{
    return health->interval_q4 > SLOW_INTERVAL_MS << 4;
}
