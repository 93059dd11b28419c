/* Which readings of the HX711 can be trusted, and what is wrong with it. */
#ifndef TENSHU_HEALTH_H
#define TENSHU_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "words.h"

enum fault { FAULT_SILENT, FAULT_DESYNC, FAULT_SATURATED, FAULT_STUCK, FAULT_VIBRATION, FAULT_SETTINGS, FAULTS };

#define FAULT_BIT(fault) ((uint8_t)(1u << (fault)))
/* Faults that leave no usable readings. */
#define FAULTS_OF_READING                                                                                     \
    (FAULT_BIT(FAULT_SILENT) | FAULT_BIT(FAULT_DESYNC) | FAULT_BIT(FAULT_SATURATED) | FAULT_BIT(FAULT_STUCK))

struct health {
    uint8_t faults; /* one bit per fault */
    uint8_t skip;   /* readings still to be discarded */
    uint8_t out_of_step;
    uint8_t at_an_end;
    uint8_t same;
    int32_t last;
    int32_t in_step; /* the last reading that came with the clock in step */
    uint32_t last_ms;
    uint32_t asked_ms;
    uint16_t interval_q4; /* usual time between readings, in 1/16 ms */
};

word fault_name(uint8_t fault);

void health_begin(struct health *health, uint32_t now_ms);
/* True if the reading may be used. */
bool health_reading(struct health *health, int32_t raw, uint32_t now_ms);
/* DOUT did not go high after the last pulse. */
void health_desync(struct health *health, uint32_t now_ms);
/* True if the HX711 should be power-cycled. */
bool health_tick(struct health *health, uint32_t now_ms);
/* Whether readings arrive nearer to 10 than to 80 a second, whatever was requested. */
bool health_slow(const struct health *health);

#endif
