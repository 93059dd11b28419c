/* The detector on synthetic readings. Real performance is measured on the machine code: firmware/proof. */
#include "check.h"
#include "tests.h"

#include "../../../firmware/core/detector.h"

#define SCALE 2147000
#define CUBE 773 /* counts of 0.36 g */
#define PERIOD_MS 12

struct scene {
    struct detector detector;
    struct chance chance;
    double level, noise;
    uint32_t now_ms;
    int moves, drops, settles;
    double dropped; /* counts */
};

static struct scene scene(double noise)
{
    struct scene scene = {.chance = {7}, .level = -51234, .noise = noise};

    detector_begin(&scene.detector, false);
    detector_tune(&scene.detector, SCALE, 0);
    return scene;
}

static void sample(struct scene *scene, double off)
{
    double raw = scene->level + off + scene->noise * chance_normal(&scene->chance);
    uint8_t found = detector_sample(&scene->detector, (int32_t)raw, scene->now_ms += PERIOD_MS);

    scene->moves += (found & DETECTED_MOVE) != 0;
    scene->settles += (found & DETECTED_SETTLED) != 0;
    if (found & DETECTED_DROP) {
        scene->drops++;
        scene->dropped += scene->detector.step_q3 / 8.0;
    }
}

static void rest(struct scene *scene, int samples)
{
    while (samples--)
        sample(scene, 0);
}

/* As the HX711 shows it: an impact smeared over three readings, then the step. */
static void cube(struct scene *scene, double cubes)
{
    sample(scene, CUBE * 2 * cubes);
    sample(scene, CUBE * 7 * cubes);
    sample(scene, CUBE * 3 * cubes);
    scene->level += CUBE * cubes;
}

void a_cube_is_a_drop_with_its_mass(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    for (int count = 1; count <= 50; count++) {
        cube(&s, 1);
        rest(&s, 100);
        CHECK_EQUAL(s.drops, count);
        CHECK_EQUAL(s.settles, count);
    }
    CHECK(s.dropped > 49.5 * CUBE && s.dropped < 50.5 * CUBE);
}

void a_cube_taken_out_is_a_negative_drop(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    s.level -= CUBE;
    rest(&s, 100);
    CHECK_EQUAL(s.drops, 1);
    CHECK(s.dropped < -0.8 * CUBE);
}

void noise_and_drift_are_no_motion(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    for (int at = 0; at < 80 * 600; at++) {
        s.level += CUBE / 80.0 / 60; /* a cube per minute */
        sample(&s, 0);
    }
    CHECK_EQUAL(s.drops, 0);
    CHECK(s.moves <= 1);
}

void a_blow_is_motion_without_a_drop(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    for (int at = 0; at < 30; at++) {
        sample(&s, 20 * CUBE);
        sample(&s, -12 * CUBE);
        sample(&s, 3 * CUBE);
        rest(&s, 100);
    }
    CHECK_EQUAL(s.drops, 0);
    CHECK_EQUAL(s.moves, 30);
    CHECK_EQUAL(s.settles, 30);
}

void a_lone_spike_is_no_drop(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    for (int at = 0; at < 30; at++) {
        sample(&s, 40 * CUBE);
        rest(&s, 100);
    }
    CHECK_EQUAL(s.drops, 0);
    CHECK_EQUAL(s.moves, s.settles);
}

void the_threshold_follows_the_noise(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    s.noise = 180; /* four times the data sheet */
    rest(&s, 4000);
    s.moves = s.drops = 0;
    rest(&s, 8000);
    CHECK_EQUAL(s.drops, 0);
    CHECK(s.moves <= 2);
    for (int count = 0; count < 20; count++) {
        cube(&s, 1);
        rest(&s, 150);
    }
    CHECK(s.drops >= 18);
}

void a_threshold_of_a_person_is_kept(void)
{
    struct scene s = scene(45);

    detector_tune(&s.detector, SCALE, 2000);
    rest(&s, 200);
    cube(&s, 1);
    rest(&s, 100);
    CHECK_EQUAL(s.drops, 0);
    cube(&s, 10);
    rest(&s, 100);
    CHECK_EQUAL(s.drops, 1);
}

void motion_that_does_not_end_is_told(void)
{
    struct scene s = scene(45);

    rest(&s, 200);
    for (int at = 0; at < 800; at++)
        sample(&s, at % 40 < 20 ? 4 * CUBE : -4 * CUBE);
    CHECK(detector_shaken(&s.detector));
    rest(&s, 800);
    CHECK(!detector_shaken(&s.detector));
    CHECK_EQUAL(s.detector.state, DETECTOR_STILL);
}

void any_readings_at_all_are_survived(void)
{
    struct detector detector;
    struct chance chance = {3};

    for (int run = 0; run < 200; run++) {
        detector_begin(&detector, run % 2);
        detector_tune(&detector, (int32_t)(chance_u32(&chance) | 1), run % 3 ? 0 : 100000);
        for (uint32_t at = 0; at < 2000; at++) {
            uint32_t of = chance_u32(&chance);
            int32_t raw = of % 3 == 0 ? 8388607 : of % 3 == 1 ? -8388608 : (int32_t)(of >> 8) - 8388608;
            detector_sample(&detector, raw, at * PERIOD_MS);
            detector_noise_q3(&detector);
            detector_mean_q3(&detector, 8);
        }
    }
}
