/* Tells the step of a cube from noise, drift, hands and bumps. Integers only; docs/firmware.md explains the ideas.

   Levels are in HX711 counts times 8 (q3), so that means keep their fraction. */
#ifndef TENSHU_DETECTOR_H
#define TENSHU_DETECTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "ring.h"

enum detector_state { DETECTOR_STARTING, DETECTOR_STILL, DETECTOR_MOVING };

/* What a sample revealed; several flags may be set. */
#define DETECTED_MOVE 1u
#define DETECTED_DROP 2u
#define DETECTED_SETTLED 4u

/* Lengths in samples. */
struct windows {
    uint8_t quick;   /* flat samples that make a new level after a clear impact */
    uint8_t sure;    /* flat samples that make one without an impact */
    uint8_t settled; /* flat samples that end a motion */
    uint8_t before;  /* samples of the level before a motion */
    uint8_t trigger; /* newest samples, compared with that level */
    uint8_t start;   /* samples for the first noise estimate */
    uint8_t quick_limit_q4, sure_limit_q4; /* roughness limit of a flat window, relative to idle */
};

struct detector {
    /* Set by detector_tune. */
    int32_t cube;      /* one cube, in counts */
    int32_t move_least; /* smallest motion, in counts */
    int32_t drop_least; /* smallest drop, in counts */
    bool fixed;        /* whether a person chose the threshold */
    bool slow;         /* 10 samples a second */

    enum detector_state state;
    struct ring ring;
    struct windows windows;

    /* Idle noise, in counts squared times 16: within the quick and the sure window, and of the trigger. */
    uint32_t quick_noise_q4, sure_noise_q4, trigger_noise_q4;

    uint8_t calmer; /* consecutive samples far quieter than the learned noise */

    /* The current motion. */
    int32_t before_q3;
    int32_t candidate_q3; /* the previous level, while `calm` is too short to measure it again */
    uint8_t calm;         /* samples since the last crossing */
    uint8_t recent;       /* samples for which the last crossing still counts */
    int8_t crossing;      /* sign of the last crossing, 0 without one */
    bool awaiting_onset;  /* after a drop: the next crossing begins a new one */
    uint32_t first_ms;    /* time of the first crossing */
    uint32_t began_ms;
    uint8_t age;          /* samples since the previous level was fixed */
    int32_t jump;         /* largest change across two samples */
    int32_t bend, bend_now; /* largest second difference; the same, decaying */
    uint8_t flat;         /* consecutive flat sure windows */
    bool restless;        /* the motion does not end */
    bool dropped;         /* it included a drop */

    /* Results. */
    uint32_t onset_ms;
    int32_t step_q3;
    int32_t level_q3;
    uint16_t level_noise_q3;
};

void detector_begin(struct detector *detector, bool slow);
/* `kilogram` is the scale in counts; `threshold_mg` 0 derives the thresholds from cube and noise. */
void detector_tune(struct detector *detector, int32_t kilogram, int32_t threshold_mg);
uint8_t detector_sample(struct detector *detector, int32_t raw, uint32_t now_ms);

/* Mean of the newest `count` samples, or of as many as there are. */
int32_t detector_mean_q3(const struct detector *detector, uint8_t count);
/* Standard deviation of one sample, in counts times 8. */
uint16_t detector_noise_q3(const struct detector *detector);
/* A motion that does not end, or so much shaking that a cube could go unnoticed. */
bool detector_shaken(const struct detector *detector);

#endif
