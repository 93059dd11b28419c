/* The newest readings and their averages. q3: counts times 8, so that a mean keeps its fraction. */
#ifndef TENSHU_RING_H
#define TENSHU_RING_H

#include <stdint.h>

#define RING_SAMPLES 64
#define RING_CLIP 8000 /* larger deviations all count the same: keeps 28 squares within 32 bits */
#define RING_SQUARE_MOST ((uint32_t)RING_CLIP * RING_CLIP)

struct ring {
    int32_t at[RING_SAMPLES];
    uint8_t newest, filled;
};

void ring_add(struct ring *ring, int32_t raw);
/* `ago` 0 is the newest. */
int32_t ring_sample(const struct ring *ring, uint8_t ago);
int32_t ring_mean_q3(const struct ring *ring, uint8_t ago, uint8_t count);
/* Sum of squares around the mean of the newest `count` (at most 28), per degree of freedom. */
uint32_t ring_roughness(const struct ring *ring, uint8_t count);

int32_t magnitude(int32_t value);
uint32_t square(int32_t value);
uint32_t root(uint32_t of);

#endif
