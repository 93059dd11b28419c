#include "check.h"
#include "tests.h"

#include "../../../firmware/core/health.h"

#define PERIOD_MS 12

static uint32_t now_ms;

static struct health running(void)
{
    struct health health = {0};

    now_ms = 1000;
    health_begin(&health, now_ms);
    for (int32_t at = 0; at < 20; at++) {
        now_ms += PERIOD_MS;
        health_reading(&health, 1000 + 2 * (at % 3), now_ms);
    }
    CHECK_EQUAL(health.faults, 0);
    return health;
}

static bool next(struct health *health, int32_t raw)
{
    now_ms += PERIOD_MS;
    return health_reading(health, raw, now_ms);
}

void first_readings_are_thrown_away(void)
{
    struct health health = {0};
    int used = 0;

    health_begin(&health, 0);
    for (int32_t at = 0; at < 10; at++)
        used += health_reading(&health, 100 + at, (uint32_t)(at + 1) * PERIOD_MS);
    CHECK_EQUAL(used, 5);
}

void readings_at_the_end_of_the_range_are_a_fault_and_end(void)
{
    static const int32_t ends[] = {8388607, -8388608};

    for (size_t which = 0; which < 2; which++) {
        struct health health = running();
        for (int at = 0; at < 40; at++)
            CHECK(!next(&health, ends[which]));
        CHECK(health.faults & FAULT_BIT(FAULT_SATURATED));
        for (int32_t at = 0; at < 30; at++)
            next(&health, 1000 + at);
        CHECK_EQUAL(health.faults, 0);
        CHECK(next(&health, 1002));
    }
}

void the_same_reading_over_and_over_is_a_fault(void)
{
    struct health health = running();

    for (int at = 0; at < 20; at++)
        next(&health, 4321);
    CHECK_EQUAL(health.faults, FAULT_BIT(FAULT_STUCK));
    CHECK(next(&health, 4322));
    CHECK_EQUAL(health.faults, 0);
}

void a_lost_clock_is_a_fault_and_one_is_none(void)
{
    struct health health = running();

    CHECK(!next(&health, 65535));
    CHECK(next(&health, 1001));
    CHECK_EQUAL(health.faults, 0);
    for (int at = 0; at < 4; at++)
        health_desync(&health, now_ms += PERIOD_MS);
    CHECK_EQUAL(health.faults, FAULT_BIT(FAULT_DESYNC));
    for (int32_t at = 0; at < 30; at++)
        next(&health, 1000 + at);
    CHECK_EQUAL(health.faults, 0);
}

void a_tray_that_rests_where_readings_end_in_ones_has_no_fault(void)
{
    struct health health = running();

    for (int32_t at = 0; at < 300; at++) /* a third of them is 25 * 4096 - 1 */
        CHECK(next(&health, 25 * 4096 - 2 + at % 3));
    CHECK_EQUAL(health.faults, 0);
    for (int at = 0; at < 10; at++)
        next(&health, at % 2 ? 65535 : 262143);
    CHECK_EQUAL(health.faults, FAULT_BIT(FAULT_DESYNC));
}

void silence_is_a_fault_and_asks_for_a_restart(void)
{
    struct health health = running();
    int restarts = 0;

    for (int at = 0; at < 3500; at++)
        restarts += health_tick(&health, now_ms++);
    CHECK_EQUAL(health.faults, FAULT_BIT(FAULT_SILENT));
    CHECK_EQUAL(restarts, 3);
    CHECK(!next(&health, 1000));
    CHECK_EQUAL(health.faults, 0);
}

void a_hole_in_the_readings_skips_the_next(void)
{
    struct health health = running();

    now_ms += 100;
    for (int32_t at = 0; at < 5; at++)
        CHECK(!next(&health, 1000 + at));
    CHECK(next(&health, 1001));
}
