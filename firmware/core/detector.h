/* Tells the step of a cube from noise, drift, hands and bumps. Integers only; docs/firmware.md explains the ideas.

   Levels are in counts of the HX711 times 8 (q3), so that means keep their fraction. */
#ifndef TENSHU_DETECTOR_H
#define TENSHU_DETECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "ring.h"

enum detector_state { DETECTOR_STARTING, DETECTOR_STILL, DETECTOR_MOVING };

/* What a sample has brought; several at once are possible. */
#define DETECTED_MOVE 1u
#define DETECTED_DROP 2u
#define DETECTED_SETTLED 4u

/* Lengths in samples. */
struct windows {
    uint8_t quick;   /* so many flat samples after a clear impact are the new level */
    uint8_t sure;    /* so many are one without an impact too */
    uint8_t settled; /* motion has ended */
    uint8_t before;  /* the level before a motion */
    uint8_t trigger; /* the newest samples that are compared with it */
    uint8_t start;   /* the first look at the noise */
    uint8_t quick_limit_q4, sure_limit_q4; /* how rough a flat window may be, times the idle roughness */
};

struct detector {
    /* Set by detector_tune. */
    int32_t cube;      /* counts of one cube */
    int32_t move_least; /* counts that are motion at the least */
    int32_t drop_least; /* counts that are a drop at the least */
    bool fixed;        /* a person chose the threshold */
    bool slow;         /* 10 samples a second */

    enum detector_state state;
    struct ring ring;
    struct windows windows;

    /* The idle noise, in counts squared times 16: within the quick and the sure window, and of the trigger. */
    uint32_t quick_noise_q4, sure_noise_q4, trigger_noise_q4;

    uint8_t calmer; /* samples in a row that were far quieter than the noise that was learned */

    /* The motion under way. */
    int32_t before_q3;
    int32_t candidate_q3; /* the level before, while `calm` is too short to take it anew */
    uint8_t calm;         /* samples since the last crossing */
    uint8_t recent;       /* samples for which the last crossing still counts */
    int8_t crossing;      /* sign of the last crossing, 0 without one */
    bool awaiting_onset;  /* after a drop, the next crossing begins a new one */
    uint32_t first_ms;    /* of the crossing */
    uint32_t began_ms;
    uint8_t age;          /* samples since the level before was fixed */
    int32_t jump;         /* largest change across two samples */
    int32_t bend, bend_now; /* largest second difference; the same, fading */
    uint8_t flat;         /* sure windows in a row */
    bool restless;        /* the motion does not end */
    bool dropped;         /* there was a drop in it */

    /* What was found. */
    uint32_t onset_ms;
    int32_t step_q3;
    int32_t level_q3;
    uint16_t level_noise_q3;
};

void detector_begin(struct detector *detector, bool slow);
/* `kilogram` is the scale in counts; `threshold_mg` 0 leaves it to the noise. */
void detector_tune(struct detector *detector, int32_t kilogram, int32_t threshold_mg);
uint8_t detector_sample(struct detector *detector, int32_t raw, uint32_t now_ms);

/* Mean of the newest `count` samples, at most as many as there are. */
int32_t detector_mean_q3(const struct detector *detector, uint8_t count);
/* Standard deviation of one sample, counts times 8. */
uint16_t detector_noise_q3(const struct detector *detector);
/* A motion that does not end, or so much shaking that a cube could hide in it. */
bool detector_shaken(const struct detector *detector);

#endif
