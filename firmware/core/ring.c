#include "ring.h"

int32_t magnitude(int32_t value)
{
    return value < 0 ? -value : value;
}

uint32_t square(int32_t value)
{
    value = magnitude(value);
    return value > RING_CLIP ? RING_SQUARE_MOST : (uint32_t)(value * value);
}

uint32_t root(uint32_t of)
{
    uint32_t result = 0;

    for (uint32_t bit = 1ul << 30; bit; bit >>= 2) {
        if (of >= result + bit) {
            of -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return result;
}

void ring_add(struct ring *ring, int32_t raw)
{
    ring->newest = (uint8_t)(ring->newest + 1) % RING_SAMPLES;
    ring->at[ring->newest] = raw;
    if (ring->filled < RING_SAMPLES)
        ring->filled++;
}

int32_t ring_sample(const struct ring *ring, uint8_t ago)
{
    return ring->at[(uint8_t)(ring->newest - ago) % RING_SAMPLES];
}

int32_t ring_mean_q3(const struct ring *ring, uint8_t ago, uint8_t count)
{
    int32_t base = ring_sample(ring, ago), sum = 0;

    for (uint8_t at = 1; at < count; at++)
        sum += ring_sample(ring, (uint8_t)(ago + at)) - base;
    return (base + sum / count) * 8 + sum % count * 8 / count;
}

uint32_t ring_roughness(const struct ring *ring, uint8_t count)
{
    int32_t middle = ring_mean_q3(ring, 0, count) / 8;
    uint32_t sum = 0;

    for (uint8_t at = 0; at < count; at++)
        sum += square(ring_sample(ring, at) - middle);
    return sum / (uint8_t)(count - 1);
}
