/* A minimal test framework that names what failed. One program runs one test by name: see main.c. */
#ifndef TENSHU_CHECK_H
#define TENSHU_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                      \
    do {                                                                                                      \
        if (!(condition)) {                                                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                   \
            exit(1);                                                                                          \
        }                                                                                                     \
    } while (0)

#define CHECK_EQUAL(is, should)                                                                               \
    do {                                                                                                      \
        long long is_ = (long long)(is), should_ = (long long)(should);                                                            \
        if (is_ != should_) {                                                                                 \
            fprintf(stderr, "%s:%d: %s is %lld, should be %lld\n", __FILE__, __LINE__, #is, is_, should_);     \
            exit(1);                                                                                          \
        }                                                                                                     \
    } while (0)

/* Roughly normally distributed, and the same on every machine. */
struct chance {
    uint64_t state;
};

static inline uint32_t chance_u32(struct chance *chance)
{
    chance->state += 0x9E3779B97F4A7C15u;
    uint64_t z = chance->state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

static inline double chance_normal(struct chance *chance)
{
    double sum = -6;

    for (int at = 0; at < 12; at++)
        sum += chance_u32(chance) / 4294967296.0;
    return sum;
}

#endif
