#include "board.h"

#include <stdlib.h>
#include <string.h>

#include "ratio.h"
#include "say.h"
#include "version.h"

#define BEAT_MS 1000
#define REFUSALS_A_BEAT 4
#define SHAKEN_HOLD_MS 3000 /* keeps a borderline fault from flickering */
#define LAST_WORDS_MS 30   /* for the ACK of RESET to be sent */
#define WEIGHING_FAST 64
#define WEIGHING_SLOW 12
#define LIGHT_SIGMA 12 /* a load must move the reading by this many standard deviations of one sample */
#define LIGHT_LEAST 100 /* and by this many counts */
#define MG_A_KILOGRAM 1000000l

static void tune(struct board *board)
{
    detector_tune(&board->detector, board->settings.scale, board->settings.threshold_mg);
}

static void start_cell(struct board *board)
{
    board->port->set_rate(board->port->context, board->settings.rate);
    health_begin(&board->health, board->now_ms);
    detector_begin(&board->detector, board->settings.rate == 10);
    tune(board);
}

void board_begin(struct board *board, const struct port *port, enum cause cause, uint32_t now_ms)
{
    memset(board, 0, sizeof *board);
    board->port = port;
    board->cause = cause;
    board->now_ms = board->beat_ms = board->shaken_ms = now_ms;
    board->source = settings_load(&board->settings, &board->saving, &port->store);
    start_cell(board);
    say_hello(board);
    say_settings(board);
    if (board->source == SOURCE_BROKEN)
        board->health.faults |= FAULT_BIT(FAULT_SETTINGS);
}

/* ---- commands ---- */

static void refuse(struct board *board, uint16_t id, enum reason reason)
{
    if (board->refused < UINT16_MAX)
        board->refused++;
    if (board->refusals >= REFUSALS_A_BEAT)
        return;
    board->refusals++;
    say_nak(board, id, reason);
}

static void end_task(struct board *board, enum reason reason, int32_t value)
{
    board->task.active = false;
    if (reason == REASON_NONE)
        say_ack(board, &board->task.order, value);
    else
        refuse(board, board->task.order.id, reason);
}

/* Why weighing is impossible now; REASON_NONE if it is possible. */
static enum reason unfit(const struct board *board)
{
    if (board->health.faults & FAULTS_OF_READING)
        return REASON_FAULT;
    return board->detector.state == DETECTOR_STILL ? REASON_NONE : REASON_MOVING;
}

static void tare(struct board *board, int32_t level)
{
    board->settings.tare = level;
    end_task(board, REASON_NONE, level);
}

static void calibrate(struct board *board, int32_t level)
{
    const struct order *order = &board->task.order;
    int32_t moved = level - board->settings.tare; /* 25 bits at most */
    int32_t scale = ratio(moved, MG_A_KILOGRAM, order->cubes ? order->value * CUBE_MG : order->value);
    int32_t least = detector_noise_q3(&board->detector) / 8 * LIGHT_SIGMA;

    if (least < LIGHT_LEAST)
        least = LIGHT_LEAST;
    if (labs(moved) < least || labs(scale) == INT32_MAX || scale / 1000 == 0) {
        end_task(board, REASON_LIGHT, 0);
        return;
    }
    board->settings.scale = scale;
    board->settings.calibrated = true;
    tune(board);
    end_task(board, REASON_NONE, board->settings.scale);
}

/* The detector adapts to persistent motion, so a swing must be caught here. True if the tray swings by more than half
   a cube, or by a whole cube while uncalibrated. */
static bool swings(struct board *board, int32_t off)
{
    struct task *task = &board->task;
    uint8_t count = health_slow(&board->health) ? WEIGHING_SLOW / 4 : WEIGHING_FAST / 4;

    task->quarter += off;
    if (task->count % count)
        return false;
    if (task->count == count || task->quarter < task->low)
        task->low = task->quarter;
    if (task->count == count || task->quarter > task->high)
        task->high = task->quarter;
    task->quarter = 0;
    return task->high - task->low > (board->detector.cube >> board->settings.calibrated) * count;
}

static void weigh(struct board *board, int32_t raw)
{
    struct task *task = &board->task;
    enum reason reason = unfit(board);
    int32_t level;

    if (!task->active || task->order.command == COMMAND_SAVE)
        return;
    if (task->count++ == 0)
        task->base = raw;
    if (reason == REASON_NONE && swings(board, raw - task->base))
        reason = REASON_MOVING;
    if (reason != REASON_NONE) {
        end_task(board, reason, 0);
        return;
    }
    task->sum += raw - task->base;
    if (--task->left)
        return;
    level = task->base + task->sum / task->count;
    if (task->order.command == COMMAND_TARE)
        tare(board, level);
    else
        calibrate(board, level);
}

static void begin_weighing(struct board *board, const struct order *order)
{
    enum reason reason = unfit(board);

    if (reason != REASON_NONE) {
        refuse(board, order->id, reason);
        return;
    }
    board->task = (struct task){.active = true, .order = *order};
    board->task.left = health_slow(&board->health) ? WEIGHING_SLOW : WEIGHING_FAST;
}

static void begin_saving(struct board *board, const struct order *order)
{
    board->task = (struct task){.active = true, .order = *order};
    settings_save_begin(&board->saving, &board->settings);
}

static void change_rate(struct board *board, const struct order *order)
{
    if (board->settings.rate != order->value) {
        board->settings.rate = (uint8_t)order->value;
        start_cell(board);
    }
    say_ack(board, order, order->value);
}

static void begin_reset(struct board *board, const struct order *order)
{
    say_ack(board, order, 0);
    board->resetting = true;
    board->reset_ms = board->now_ms;
}

static void greet(struct board *board, const struct order *order)
{
    say_hello(board);
    say_settings(board);
    say_ack(board, order, PROTOCOL_VERSION);
    board->faults_told = 0; /* the host may not have heard of faults reported earlier */
}

static void carry_out(struct board *board, const struct order *order)
{
    switch (order->command) {
    case COMMAND_HELLO:
        greet(board, order);
        return;
    case COMMAND_TARE:
    case COMMAND_CALIBRATE:
        begin_weighing(board, order);
        return;
    case COMMAND_RATE:
        change_rate(board, order);
        return;
    case COMMAND_THRESHOLD:
        board->settings.threshold_mg = order->value;
        tune(board);
        break;
    case COMMAND_STREAM:
        board->stream = (uint8_t)order->value;
        board->stream_at = 0;
        break;
    case COMMAND_SAVE:
        begin_saving(board, order);
        return;
    default:
        begin_reset(board, order);
        return;
    }
    say_ack(board, order, order->value);
}

void board_byte(struct board *board, char byte)
{
    struct order order;
    enum reason reason = REASON_NONE;

    if (!order_byte(&board->reader, byte, &order, &reason))
        return;
    if (reason == REASON_NONE && (board->task.active || board->resetting))
        reason = REASON_BUSY;
    if (reason == REASON_NONE)
        carry_out(board, &order);
    else
        refuse(board, order.id, reason);
}

static void save(struct board *board)
{
    enum save_state state;

    if (!board->saving.active)
        return;
    state = settings_save_step(&board->saving, &board->port->store);
    if (state == SAVE_GOING)
        return;
    if (state == SAVE_DONE) {
        board->source = SOURCE_SAVED;
        board->health.faults &= (uint8_t)~FAULT_BIT(FAULT_SETTINGS);
    }
    end_task(board, state == SAVE_DONE ? REASON_NONE : REASON_STORAGE, board->saving.generation);
}

/* ---- readings ---- */

static void watch_shaking(struct board *board)
{
    if (detector_shaken(&board->detector)) {
        board->shaken_ms = board->now_ms;
        board->health.faults |= FAULT_BIT(FAULT_VIBRATION);
    } else if (board->now_ms - board->shaken_ms > SHAKEN_HOLD_MS) {
        board->health.faults &= (uint8_t)~FAULT_BIT(FAULT_VIBRATION);
    }
}

static void detect(struct board *board, int32_t raw)
{
    uint8_t found;

    if (health_slow(&board->health) != board->detector.slow)
        detector_begin(&board->detector, !board->detector.slow);
    found = detector_sample(&board->detector, raw, board->now_ms);
    if (found & DETECTED_MOVE)
        say_move(board);
    if (found & DETECTED_DROP)
        say_drop(board);
    if (found & DETECTED_SETTLED)
        say_settled(board);
    watch_shaking(board);
}

static void stream(struct board *board, int32_t raw)
{
    if (board->stream == 0 || ++board->stream_at < board->stream)
        return;
    board->stream_at = 0;
    say_sample(board, raw);
}

void board_reading(struct board *board, int32_t raw)
{
    if (board->readings < UINT16_MAX)
        board->readings++;
    if (health_reading(&board->health, raw, board->now_ms)) {
        detect(board, raw);
        weigh(board, raw);
    }
    stream(board, raw);
}

void board_desync(struct board *board)
{
    health_desync(&board->health, board->now_ms);
}

/* ---- time ---- */

static void tell_faults(struct board *board)
{
    uint8_t changed = board->faults_told ^ board->health.faults;

    for (uint8_t fault = 0; changed && fault < FAULTS; fault++)
        if (changed & FAULT_BIT(fault))
            say_fault(board, (enum fault)fault, board->health.faults & FAULT_BIT(fault));
    /* After a fault the earlier level means nothing any more. */
    if (changed & board->health.faults & FAULTS_OF_READING) {
        detector_begin(&board->detector, board->detector.slow);
        if (board->task.active && board->task.order.command != COMMAND_SAVE)
            end_task(board, REASON_FAULT, 0);
    }
    board->faults_told = board->health.faults;
}

static void beat(struct board *board)
{
    if (board->now_ms - board->beat_ms < BEAT_MS)
        return;
    board->beat_ms += BEAT_MS;
    say_beat(board);
    board->readings = 0;
    board->refusals = 0;
}

void board_tick(struct board *board, uint32_t now_ms)
{
    board->now_ms = now_ms;
    if (health_tick(&board->health, now_ms))
        board->port->restart_cell(board->port->context);
    tell_faults(board);
    save(board);
    beat(board);
    if (board->resetting && now_ms - board->reset_ms > LAST_WORDS_MS)
        board->port->reset(board->port->context);
}
