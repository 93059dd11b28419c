/* The board's program without its hardware: readings, bytes and time in, lines out. */
#ifndef TENSHU_BOARD_H
#define TENSHU_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "detector.h"
#include "health.h"
#include "order.h"
#include "settings.h"

enum cause { CAUSE_POWER, CAUSE_RESET, CAUSE_BROWNOUT, CAUSE_WATCHDOG, CAUSE_COMMAND, CAUSE_UNKNOWN, CAUSES };

/* The hardware, and the context passed back to its functions. */
struct port {
    void *context;
    uint8_t (*room)(void *context); /* free bytes in the queue */
    void (*send)(void *context, const char *bytes, uint8_t count);
    struct store store;
    void (*set_rate)(void *context, uint8_t rate);
    void (*restart_cell)(void *context);
    void (*reset)(void *context);
};

/* A command that takes longer than its line. */
struct task {
    bool active;
    struct order order;
    uint8_t left; /* readings still to be taken */
    uint8_t count;
    int32_t base, sum; /* sum of the differences from the first reading */
    int32_t quarter;   /* the same sum over the current quarter of the readings */
    int32_t low, high; /* extremes of the quarters' sums */
};

struct board {
    const struct port *port;
    struct settings settings;
    struct saving saving;
    enum source source;
    enum cause cause;
    struct health health;
    struct detector detector;
    struct order_reader reader;
    struct task task;
    uint32_t now_ms, beat_ms, shaken_ms, reset_ms;
    uint16_t sequence, lost, refused, readings;
    uint8_t faults_told;
    uint8_t refusals; /* NAKs since the last beat */
    uint8_t stream, stream_at;
    bool resetting;
};

void board_begin(struct board *board, const struct port *port, enum cause cause, uint32_t now_ms);
/* Call at least about once a millisecond; sets the time of all that follows. */
void board_tick(struct board *board, uint32_t now_ms);
void board_reading(struct board *board, int32_t raw);
void board_desync(struct board *board);
void board_byte(struct board *board, char byte);

#endif
