#include "detector.h"

#include "ratio.h"
#include "ring.h"
#include "words.h"

#define GAP 2           /* samples between trigger window and previous level: the HX711's filter smears this far */
#define SEEN_LATE 4     /* samples from first contact to the one that confirms a motion */
#define NOISE_LEAST_Q4 (100ul << 4) /* 10 counts: no real cell is quieter */
#define TRIGGER_SIGMA2 25 /* five standard deviations */
#define FIXED_SIGMA2 16
#define RESTLESS_MS 5000 /* of motion without a drop or an end */
#define RESTLESS_SLOW_MS 12000 /* at this rate a long throw hardly has a flat stretch */

/* Chosen by a sample's standard deviation: below a sixth of a cube, below a third, above; when slow, a tenth, a
   fifth. */
static const IN_FLASH struct windows fast_windows[3] = {
    {.quick = 4, .sure = 10, .settled = 24, .before = 8, .trigger = 1, .start = 32, .quick_limit_q4 = 80, .sure_limit_q4 = 36},
    {.quick = 10, .sure = 16, .settled = 32, .before = 16, .trigger = 2, .start = 32, .quick_limit_q4 = 36, .sure_limit_q4 = 32},
    {.quick = 20, .sure = 28, .settled = 48, .before = 24, .trigger = 4, .start = 32, .quick_limit_q4 = 30, .sure_limit_q4 = 28},
};
static const IN_FLASH struct windows slow_windows[3] = {
    {.quick = 4, .sure = 5, .settled = 8, .before = 6, .trigger = 1, .start = 24, .quick_limit_q4 = 48, .sure_limit_q4 = 45},
    {.quick = 7, .sure = 8, .settled = 12, .before = 10, .trigger = 2, .start = 24, .quick_limit_q4 = 40, .sure_limit_q4 = 38},
    {.quick = 11, .sure = 12, .settled = 16, .before = 16, .trigger = 4, .start = 24, .quick_limit_q4 = 35, .sure_limit_q4 = 34},
};

static uint32_t limit(uint32_t noise_q4, uint8_t factor_q4)
{
    return (noise_q4 >> 8) * factor_q4;
}

static int32_t deviation(const struct detector *d)
{
    return (int32_t)root(d->quick_noise_q4 >> 4);
}

void detector_begin(struct detector *d, bool slow)
{
    d->slow = slow;
    d->state = DETECTOR_STARTING;
    d->ring.filled = d->ring.newest = 0;
    d->windows = slow ? slow_windows[0] : fast_windows[0];
    d->restless = false;
    d->quick_noise_q4 = d->sure_noise_q4 = d->trigger_noise_q4 = NOISE_LEAST_Q4;
}

void detector_tune(struct detector *d, int32_t kilogram, int32_t threshold_mg)
{
    int32_t gram = magnitude(kilogram / 1000) + 1;

    d->cube = (gram * 9 >> 2) / 6 - (gram >> 6); /* 0.36: 9/24 less 1/64 */
    d->fixed = threshold_mg != 0;
    /* A drop is reported from nine sixteenths of a cube, a motion from a sixth if the noise permits. */
    d->move_least = d->cube / 6 + 1;
    d->drop_least = d->cube * 9 / 16 + 1;
    if (d->fixed)
        d->move_least = d->drop_least = ratio(gram, threshold_mg, 1000) + 1;
}

static void learn_one(uint32_t *noise_q4, uint32_t seen, uint32_t most, uint8_t shift)
{
    uint32_t seen_q4 = (seen > most ? most : seen) << 4;

    if (seen_q4 < *noise_q4)
        *noise_q4 -= (*noise_q4 - seen_q4) >> shift;
    else
        *noise_q4 += (seen_q4 - *noise_q4) >> shift;
    if (*noise_q4 < NOISE_LEAST_Q4)
        *noise_q4 = NOISE_LEAST_Q4;
}

static void choose_windows(struct detector *d)
{
    int32_t noise = deviation(d) * (d->slow ? 10 : 6);
    uint8_t which = noise < d->cube ? 0 : noise < 2 * d->cube ? 1 : 2;

    d->windows = d->slow ? slow_windows[which] : fast_windows[which];
}

/* The previous level, from undisturbed samples, so that a lone spike is not taken for it. */
static int32_t level_before_q3(const struct detector *d)
{
    const struct windows *w = &d->windows;

    if (d->calm < w->before + w->trigger + GAP)
        return d->candidate_q3;
    return ring_mean_q3(&d->ring, (uint8_t)(w->trigger + GAP - 1), w->before);
}

static int32_t trigger_q3(const struct detector *d)
{
    return ring_mean_q3(&d->ring, 0, d->windows.trigger) - level_before_q3(d);
}

/* Regain sensitivity soon after shaking ends; but a single quiet window may be chance. */
static void calm_down(struct detector *d, uint32_t sure)
{
    d->calmer = (uint8_t)(sure < d->sure_noise_q4 >> 6 ? d->calmer + 1 : 0);
    if (d->calmer < d->windows.settled)
        return;
    d->calmer = 0;
    d->quick_noise_q4 >>= 1;
    d->sure_noise_q4 >>= 1;
    d->trigger_noise_q4 >>= 1;
}

/* On a still tray learn slowly and within limits, on a restless one fast. An offset of three standard deviations may
   be a missed step, and must not make the next one harder to see. */
static void learn(struct detector *d, bool fast)
{
    const struct windows *w = &d->windows;
    const uint32_t any = RING_SQUARE_MOST;
    uint32_t sure = ring_roughness(&d->ring, w->sure), off2 = square(trigger_q3(d) / 8);
    uint8_t shift = fast ? 4 : off2 > (d->trigger_noise_q4 >> 4) * 9 ? 8 : 6;

    calm_down(d, sure);
    learn_one(&d->quick_noise_q4, ring_roughness(&d->ring, w->quick), fast ? any : limit(d->quick_noise_q4, 36), shift);
    learn_one(&d->sure_noise_q4, sure, fast ? any : limit(d->sure_noise_q4, 36), shift);
    if (d->trigger_noise_q4 / 8 > d->sure_noise_q4)
        d->trigger_noise_q4 -= d->trigger_noise_q4 >> 4;
    /* A single difference is often near zero, so it must not count as quiet by itself. */
    if (off2 < d->trigger_noise_q4 >> 7)
        off2 = d->trigger_noise_q4 >> 7;
    learn_one(&d->trigger_noise_q4, off2, fast ? any : limit(d->trigger_noise_q4, 96), shift);
    choose_windows(d);
}

/* -1, 0 or 1: whether, and in which direction, the newest samples are off the previous level. */
static int8_t crossing(const struct detector *d, int32_t off_q3)
{
    uint32_t sigma2 = d->fixed ? FIXED_SIGMA2 : TRIGGER_SIGMA2;
    int32_t off = magnitude(off_q3) / 8;

    if (off <= d->move_least || square(off) <= (d->trigger_noise_q4 >> 4) * sigma2)
        return 0;
    return off_q3 < 0 ? -1 : 1;
}

static void begin_step(struct detector *d, int32_t before_q3)
{
    d->before_q3 = before_q3;
    d->jump = d->bend = d->bend_now = 0;
    d->age = 0;
    d->flat = 0;
    d->awaiting_onset = true;
    d->crossing = 0;
}

static void watch_shape(struct detector *d, uint8_t ago)
{
    uint8_t n = d->windows.trigger;
    int32_t now = ring_mean_q3(&d->ring, ago, n) / 8, earlier = ring_mean_q3(&d->ring, (uint8_t)(ago + n + 1), n) / 8;
    int32_t bend = magnitude(ring_sample(&d->ring, ago) - 2 * ring_sample(&d->ring, (uint8_t)(ago + 1)) + ring_sample(&d->ring, (uint8_t)(ago + 2)));

    if (magnitude(now - earlier) > d->jump)
        d->jump = magnitude(now - earlier);
    if (bend > d->bend)
        d->bend = bend;
    d->bend_now -= d->bend_now / 16;
    if (bend > d->bend_now)
        d->bend_now = bend;
    if (d->age < 255)
        d->age++;
}

static void watch_onset(struct detector *d, uint32_t now_ms)
{
    int8_t crosses = crossing(d, ring_sample(&d->ring, 0) * 8 - d->before_q3);

    if (!d->awaiting_onset)
        return;
    if (crosses == 0)
        d->first_ms = now_ms;
    else if (d->crossing == 0)
        d->onset_ms = now_ms;
    else
        d->awaiting_onset = false;
    d->crossing = crosses;
}

static bool flat(const struct detector *d, uint8_t count, uint32_t noise_q4, uint8_t factor_q4)
{
    return d->age >= count && ring_roughness(&d->ring, count) <= limit(noise_q4, factor_q4);
}

/* Large enough for a drop, also compared with the noise of both levels. */
static bool large(const struct detector *d, int32_t step, uint8_t count)
{
    uint32_t noise = (d->quick_noise_q4 >> 4) / count * 2;

    return step >= d->drop_least && square(step) > 16 * noise;
}

/* A cube struck: the second difference of an impact is about as large as the step it leaves, or larger. */
static bool struck(const struct detector *d, int32_t step)
{
    return d->bend_now >= step - step / 8 && d->bend_now >= 15 * deviation(d);
}

/* Even a cube laid down softly arrives at once, while a hand comes slowly. Many cubes arrive in many impacts, which
   show little at ten samples a second. */
static bool sudden(const struct detector *d, int32_t step)
{
    if (d->jump >= step / 3 * 2 + 2 * deviation(d) / d->windows.trigger)
        return true;
    return d->bend >= step / (d->slow ? 64 : 12) && d->bend >= 15 * deviation(d);
}

static bool find_drop(struct detector *d, uint32_t now_ms)
{
    const struct windows *w = &d->windows;
    bool quick = flat(d, w->quick, d->quick_noise_q4, w->quick_limit_q4);
    bool sure = flat(d, w->sure, d->sure_noise_q4, w->sure_limit_q4);
    uint8_t count = sure ? w->sure : w->quick;
    int32_t level_q3, step;

    d->flat = (uint8_t)(sure ? d->flat + (d->flat < 255) : 0);
    if (!quick && !sure)
        return false;
    level_q3 = ring_mean_q3(&d->ring, 0, count);
    step = magnitude(level_q3 - d->before_q3) / 8;
    if (d->restless || !large(d, step, count) || !((quick && struck(d, step)) || (sure && sudden(d, step))))
        return false;
    /* A throw keeps going one way and may take its time; what goes back and forth is no throw. */
    if (!d->dropped || (d->step_q3 < 0) == (level_q3 < d->before_q3))
        d->began_ms = now_ms;
    d->step_q3 = level_q3 - d->before_q3;
    d->dropped = true;
    begin_step(d, level_q3);
    return true;
}

static bool settled(const struct detector *d)
{
    const struct windows *w = &d->windows;
    uint8_t more = (uint8_t)(w->settled - w->sure);
    int32_t change;

    if (d->flat <= more)
        return false;
    change = (ring_mean_q3(&d->ring, 0, w->sure) - ring_mean_q3(&d->ring, more, w->sure)) / 8;
    return square(change) <= (d->sure_noise_q4 >> 4) * 24 / w->sure;
}

static void be_still(struct detector *d, int32_t level_q3)
{
    d->state = DETECTOR_STILL;
    d->candidate_q3 = level_q3;
    d->calm = 0;
    d->recent = 0;
}

static uint8_t settle(struct detector *d)
{
    d->level_q3 = ring_mean_q3(&d->ring, 0, d->windows.settled);
    d->level_noise_q3 = (uint16_t)(2 * root(d->sure_noise_q4 / d->windows.settled));
    d->restless = false;
    be_still(d, d->level_q3);
    return DETECTED_SETTLED;
}

static uint8_t while_moving(struct detector *d, uint32_t now_ms)
{
    uint8_t found = 0;

    watch_shape(d, 0);
    watch_onset(d, now_ms);
    if (find_drop(d, now_ms))
        return DETECTED_DROP;
    if (settled(d))
        found = settle(d);
    else if (now_ms - d->began_ms > (d->slow ? RESTLESS_SLOW_MS : RESTLESS_MS))
        d->restless = true;
    if (d->restless)
        learn(d, true);
    return found;
}

static uint8_t while_still(struct detector *d, uint32_t now_ms)
{
    int32_t off_q3 = trigger_q3(d);

    if (crossing(d, off_q3) == 0) {
        d->calm = (uint8_t)(d->calm + (d->calm < 255));
        d->recent = (uint8_t)(d->recent - (d->recent > 0));
        learn(d, false);
        return 0;
    }
    if (d->recent == 0) {
        d->first_ms = now_ms;
        d->candidate_q3 = level_before_q3(d);
        d->calm = 0;
        d->recent = 2;
        /* One crossing may be chance; a second within two samples is not (ringing passes through zero), nor is a
           blow. */
        if (crossing(d, off_q3 / 3) == 0)
            return 0;
    }
    d->state = DETECTOR_MOVING;
    d->began_ms = now_ms;
    d->onset_ms = d->first_ms;
    begin_step(d, d->candidate_q3);
    d->awaiting_onset = d->dropped = false;
    /* The samples that revealed the motion are part of it. */
    for (uint8_t ago = SEEN_LATE; ago; ago--)
        watch_shape(d, (uint8_t)(ago - 1));
    d->age = 1;
    return DETECTED_MOVE;
}

/* Estimate the initial noise from differences of neighbouring samples, which a slow hand does not spoil. */
static void start(struct detector *d)
{
    uint32_t sum = 0;

    if (d->ring.filled < d->windows.start)
        return;
    for (uint8_t at = 1; at < d->windows.start; at++)
        sum += square(ring_sample(&d->ring, at) - ring_sample(&d->ring, (uint8_t)(at - 1))) / 2;
    d->quick_noise_q4 = sum / (uint8_t)(d->windows.start - 1) << 4;
    if (d->quick_noise_q4 < NOISE_LEAST_Q4)
        d->quick_noise_q4 = NOISE_LEAST_Q4;
    d->sure_noise_q4 = d->quick_noise_q4;
    d->trigger_noise_q4 = d->quick_noise_q4 + d->quick_noise_q4 / 4;
    choose_windows(d);
    be_still(d, ring_mean_q3(&d->ring, 0, d->windows.start));
}

uint8_t detector_sample(struct detector *d, int32_t raw, uint32_t now_ms)
{
    ring_add(&d->ring, raw);
    switch (d->state) {
    case DETECTOR_STARTING:
        start(d);
        return 0;
    case DETECTOR_STILL:
        return while_still(d, now_ms);
    default:
        return while_moving(d, now_ms);
    }
}

int32_t detector_mean_q3(const struct detector *d, uint8_t count)
{
    if (count > d->ring.filled)
        count = d->ring.filled;
    return count ? ring_mean_q3(&d->ring, 0, count) : 0;
}

uint16_t detector_noise_q3(const struct detector *d)
{
    return (uint16_t)(2 * root(d->sure_noise_q4));
}

/* How far the level wanders in the time of a drop, beyond what the noise of its means explains, squared. */
static uint32_t wander2(const struct detector *d)
{
    uint32_t noise = d->sure_noise_q4 >> 4, seen = d->trigger_noise_q4 >> 4;
    uint32_t explained = noise / d->windows.trigger + noise / d->windows.before;

    return seen > explained ? seen - explained : 0;
}

bool detector_shaken(const struct detector *d)
{
    int32_t bearable = d->slow ? d->cube / 8 : d->cube / 2;

    if (d->state != DETECTOR_STILL)
        return d->restless;
    return wander2(d) > square(d->cube / 6) || (d->sure_noise_q4 >> 4) > square(bearable);
}
