/* The board's whole program, with a queue, a memory and a clock controlled by the test. */
#include "check.h"
#include "tests.h"

#include "../../../firmware/core/board.h"

#define PERIOD_MS 12
#define LEVEL 5000

struct hardware {
    char said[1 << 16];
    size_t length;
    uint8_t room;
    uint8_t memory[2 * SETTINGS_SLOT];
    int restarts, resets;
    uint8_t rate;
    struct chance chance;
    uint32_t now_ms;
    int32_t level;
    bool silent;
};

static struct hardware hw;
static struct board board;

static uint8_t room(void *context)
{
    return ((struct hardware *)context)->room;
}

static void send_bytes(void *context, const char *bytes, uint8_t count)
{
    struct hardware *to = context;

    CHECK(to->length + count < sizeof to->said);
    memcpy(to->said + to->length, bytes, count);
    to->length += count;
    to->said[to->length] = 0;
}

static uint8_t read_byte(void *context, uint8_t at)
{
    return ((struct hardware *)context)->memory[at];
}

static bool write_byte(void *context, uint8_t at, uint8_t byte)
{
    ((struct hardware *)context)->memory[at] = byte;
    return true;
}

static void set_rate(void *context, uint8_t rate)
{
    ((struct hardware *)context)->rate = rate;
}

static void restart_cell(void *context)
{
    ((struct hardware *)context)->restarts++;
}

static void reset(void *context)
{
    ((struct hardware *)context)->resets++;
}

static const struct port port = {&hw, room, send_bytes, {&hw, read_byte, write_byte}, set_rate, restart_cell, reset};

static void forget(void)
{
    hw.length = 0;
    hw.said[0] = 0;
}

static void run(uint32_t ms)
{
    for (uint32_t at = 0; at < ms; at++) {
        board_tick(&board, ++hw.now_ms);
        if (hw.now_ms % PERIOD_MS == 0 && !hw.silent)
            board_reading(&board, hw.level + (int32_t)(45 * chance_normal(&hw.chance)));
    }
}

static void boot(uint32_t now_ms)
{
    hw.now_ms = now_ms;
    hw.room = 255;
    hw.level = LEVEL;
    hw.silent = false;
    board_begin(&board, &port, CAUSE_POWER, now_ms);
}

static void fresh(void)
{
    memset(&hw, 0, sizeof hw);
    memset(hw.memory, 0xFF, sizeof hw.memory);
    boot(0);
    run(3000);
}

static void type(const char *text)
{
    while (*text)
        board_byte(&board, *text++);
    board_byte(&board, '\r');
}

static bool said(const char *text)
{
    return strstr(hw.said, text) != NULL;
}

static int how_often(const char *text)
{
    int count = 0;

    for (const char *at = hw.said; (at = strstr(at, text)); at++)
        count++;
    return count;
}

void the_first_lines_after_a_reset(void)
{
    fresh();
    CHECK(strncmp(hw.said, "\r\n$000,0,HELLO,tenshu,1,", 24) == 0);
    CHECK(said("\r\n$001,0,SETTINGS,80,2147000,0,0,0,defaults*"));
    CHECK(said(",BEAT,"));
    CHECK(said(",still,"));
    CHECK_EQUAL(hw.rate, 80);
}

void tare_calibrate_and_weigh(void)
{
    fresh();
    type("tare");
    run(1500);
    CHECK(said(",ACK,0,TARE,"));
    CHECK(labs((long)board.settings.tare - LEVEL) < 30);
    hw.level += 30 * 1000;
    run(2000);
    type("calibrate cubes 30");
    run(1500);
    CHECK(said(",ACK,0,CALIBRATE,"));
    CHECK(labs((long)board.settings.scale - 2777778) < 3000);
    forget();
    run(1000);
    CHECK(said(",BEAT,107") || said(",BEAT,108"));
}

void a_load_too_light_to_calibrate_with(void)
{
    fresh();
    type("tare");
    run(1500);
    type("calibrate mass 5000");
    run(1500);
    CHECK(said(",NAK,0,light*"));
    CHECK(!board.settings.calibrated);
}

void a_second_command_is_told_to_wait(void)
{
    fresh();
    type("tare");
    type("stream 1");
    CHECK(said(",NAK,0,busy*"));
    run(1500);
    CHECK(said(",ACK,0,TARE,"));
}

void nothing_is_weighed_while_it_moves_or_without_readings(void)
{
    fresh();
    hw.level += 20000;
    run(40);
    type("tare");
    CHECK(said(",NAK,0,moving*"));
    run(3000);
    forget();
    type("tare");
    hw.silent = true;
    run(3000);
    CHECK(said(",FAULT,silent,1*"));
    CHECK(said(",NAK,0,fault*"));
    CHECK(hw.restarts >= 1);
    CHECK(said(",fault,"));
    forget();
    type("tare");
    CHECK(said(",NAK,0,fault*"));
    hw.silent = false;
    run(3000);
    CHECK(said(",FAULT,silent,0*"));
    CHECK(!said(",DROP,"));
}

void four_refusals_a_second(void)
{
    fresh();
    for (int at = 0; at < 100; at++)
        type("!");
    CHECK_EQUAL(how_often(",NAK,"), 4);
    run(1000);
    CHECK(said(",100*"));
    type("!");
    CHECK_EQUAL(how_often(",NAK,"), 5);
}

void lines_that_do_not_fit_are_counted_and_leave_a_hole(void)
{
    uint16_t before;

    fresh();
    before = board.sequence;
    hw.room = 10;
    type("hello");
    hw.room = 255;
    CHECK_EQUAL(board.lost, 3);
    CHECK_EQUAL(board.sequence, (before + 3) % 1000);
}

void the_trace_leaves_room_for_what_matters(void)
{
    fresh();
    type("stream 1");
    run(1000);
    CHECK(how_often(",SAMPLE,") > 75);
    hw.room = 130;
    forget();
    run(1000);
    CHECK_EQUAL(how_often(",SAMPLE,"), 0);
    CHECK_EQUAL(how_often(",BEAT,"), 1);
}

void settings_survive_a_restart_and_a_broken_memory_is_named(void)
{
    fresh();
    type("threshold 150");
    type("rate 10");
    type("save");
    run(200);
    CHECK(said(",ACK,0,SAVE,1*"));
    forget();
    boot(0);
    CHECK(said(",SETTINGS,10,2147000,0,150,0,saved*"));
    CHECK_EQUAL(hw.rate, 10);
    hw.memory[7] ^= 1;
    forget();
    boot(0);
    run(10);
    CHECK(said(",SETTINGS,80,2147000,0,0,0,defaults*"));
    CHECK(said(",FAULT,settings,1*"));
    type("save");
    run(200);
    CHECK(said(",FAULT,settings,0*"));
}

void reset_says_goodbye_first(void)
{
    fresh();
    type("reset");
    CHECK(said(",ACK,0,RESET,0*"));
    CHECK_EQUAL(hw.resets, 0);
    type("tare");
    CHECK(said(",NAK,0,busy*"));
    run(60);
    CHECK(hw.resets > 0);
}

void time_wraps_after_49_days(void)
{
    memset(&hw, 0, sizeof hw);
    memset(hw.memory, 0xFF, sizeof hw.memory);
    boot(UINT32_MAX - 5000);
    run(4900);
    forget();
    run(3000);
    CHECK_EQUAL(how_often(",BEAT,"), 3);
    CHECK(!said(",FAULT,"));
    CHECK(!said(",MOVE,"));
    hw.level += 773;
    run(1500);
    CHECK_EQUAL(how_often(",DROP,"), 1);
    CHECK_EQUAL(how_often(",SETTLED,"), 1);
}
