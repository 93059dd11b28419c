#include "say.h"

#include "line.h"
#include "ratio.h"
#include "version.h"

#define KEPT_FREE 120 /* queue space that the trace leaves for the lines that matter */
#define BEAT_READINGS 8
#define FAULT_STATE 3

enum kind { HELLO, SETTINGS, BEAT, MOVE, DROP, SETTLED, SAMPLE, ACK, NAK, FAULT, KINDS };

static const IN_FLASH char kinds[KINDS][9] = {"HELLO", "SETTINGS", "BEAT", "MOVE", "DROP", "SETTLED", "SAMPLE", "ACK", "NAK", "FAULT"};
static const IN_FLASH char board_word[] = "tenshu";
static const IN_FLASH char version_word[] = FIRMWARE_VERSION;
static const IN_FLASH char cause_names[CAUSES][9] = {"power", "reset", "brownout", "watchdog", "command", "unknown"};
static const IN_FLASH char source_names[][9] = {"defaults", "saved", "previous", "defaults"};
static const IN_FLASH char state_names[][9] = {"starting", "still", "moving", "fault"};

static void begin(const struct board *board, struct line *line, enum kind kind)
{
    line_begin(line, board->sequence, board->now_ms, kinds[kind]);
}

/* A line goes out whole or not at all; either way it uses up its number, so that the host sees the gap. */
static void finish(struct board *board, struct line *line, uint8_t kept_free)
{
    const struct port *port = board->port;

    line_end(line);
    board->sequence = (uint16_t)((board->sequence + 1u) % LINE_SEQUENCES);
    if (port->room(port->context) >= line->length + kept_free)
        port->send(port->context, line->text, line->length);
    else if (board->lost < UINT16_MAX)
        board->lost++;
}

/* Converts counts times 8 to milligrams. */
static int32_t milligrams(const struct board *board, int32_t counts_q3)
{
    return ratio(counts_q3, 125000, board->settings.scale);
}

static int32_t mass(const struct board *board, int32_t level_q3)
{
    return milligrams(board, level_q3 - board->settings.tare * 8);
}

static uint32_t noise(const struct board *board, uint16_t counts_q3)
{
    int32_t value = milligrams(board, counts_q3);

    return (uint32_t)(value < 0 ? -value : value);
}

void say_hello(struct board *board)
{
    struct line line;

    /* A reset may have cut a line short: its rest must not spoil this one. */
    if (board->sequence == 0 && board->port->room(board->port->context) > 2)
        board->port->send(board->port->context, "\r\n", 2);
    begin(board, &line, HELLO);
    line_word(&line, board_word);
    line_u32(&line, PROTOCOL_VERSION);
    line_word(&line, version_word);
    line_word(&line, cause_names[board->cause]);
    finish(board, &line, 0);
}

void say_settings(struct board *board)
{
    struct line line;

    begin(board, &line, SETTINGS);
    line_u32(&line, board->settings.rate);
    line_i32(&line, board->settings.scale);
    line_i32(&line, board->settings.tare);
    line_i32(&line, board->settings.threshold_mg);
    line_u32(&line, board->settings.calibrated);
    line_word(&line, source_names[board->source]);
    finish(board, &line, 0);
}

void say_beat(struct board *board)
{
    struct line line;
    const struct detector *detector = &board->detector;
    bool reads = !(board->health.faults & FAULTS_OF_READING);

    begin(board, &line, BEAT);
    line_i32(&line, detector->ring.filled ? mass(board, detector_mean_q3(detector, BEAT_READINGS)) : 0);
    line_u32(&line, noise(board, detector_noise_q3(detector)));
    line_word(&line, state_names[reads ? detector->state : FAULT_STATE]);
    line_u32(&line, board->readings);
    line_u32(&line, board->lost);
    line_u32(&line, board->refused);
    finish(board, &line, 0);
}

void say_move(struct board *board)
{
    struct line line;

    begin(board, &line, MOVE);
    line_u32(&line, board->detector.onset_ms);
    finish(board, &line, 0);
}

void say_drop(struct board *board)
{
    struct line line;

    begin(board, &line, DROP);
    line_u32(&line, board->detector.onset_ms);
    line_i32(&line, milligrams(board, board->detector.step_q3));
    finish(board, &line, 0);
}

void say_settled(struct board *board)
{
    struct line line;

    begin(board, &line, SETTLED);
    line_i32(&line, mass(board, board->detector.level_q3));
    line_u32(&line, noise(board, board->detector.level_noise_q3));
    finish(board, &line, 0);
}

void say_sample(struct board *board, int32_t raw)
{
    struct line line;

    begin(board, &line, SAMPLE);
    line_i32(&line, raw);
    line_i32(&line, mass(board, raw * 8));
    finish(board, &line, KEPT_FREE);
}

void say_ack(struct board *board, const struct order *order, int32_t value)
{
    struct line line;

    begin(board, &line, ACK);
    line_u32(&line, order->id);
    line_word(&line, command_name(order->command));
    line_i32(&line, value);
    finish(board, &line, 0);
}

void say_nak(struct board *board, uint16_t id, enum reason reason)
{
    struct line line;

    begin(board, &line, NAK);
    line_u32(&line, id);
    line_word(&line, reason_name(reason));
    finish(board, &line, 0);
}

void say_fault(struct board *board, enum fault fault, bool on)
{
    struct line line;

    begin(board, &line, FAULT);
    line_word(&line, fault_name(fault));
    line_u32(&line, on);
    finish(board, &line, 0);
}
