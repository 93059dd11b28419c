#include "chip.h"

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cell.h"

#define HZ 16000000u
#define DOUT 4 /* as in avr/pins.h */
#define SCK 5
#define RATE 6
#define MCUSR 0x54
#define EECR 0x3F
#define EEAR 0x41
#define EEPE 0x02
#define STACK 0x5D
#define POWER_DOWN_CYCLES (60 * (HZ / 1000000))
#define COLLISION_CYCLES (200 * (HZ / 1000000)) /* a read that was broken off does no harm after that */
#define BYTE_CYCLES 1528 /* 11 bits: simavr counts a parity bit always */
#define HEARD 4096
#define DUE 256
#define EEPROM_BYTES 1024

enum hx_trouble { HX_WELL, HX_MISSING, HX_LOW };

struct hx711 {
    avr_irq_t *dout;
    bool sck, ready, down, fast, strapped;
    enum hx_trouble trouble;
    double clock; /* 1.1: its oscillator is 10 % fast */
    avr_cycle_count_t next, rose, gone_until;
    uint32_t word;
    int bits, gain_pulses;
    int32_t newest;
};

struct due {
    double at_s;
    char line[80];
};

struct chip {
    avr_t *avr;
    struct hx711 hx;
    struct cell cell;
    struct chip_figures figures;
    avr_cycle_count_t from, cli_since, busy_since, busy;
    bool started; /* interrupts have been on since the reset */
    bool full;    /* simavr's queue of received bytes */
    struct due due[DUE];
    int dues;
    char heard[HEARD];
    unsigned heard_head, heard_tail;
    struct said {
        char byte;
        avr_cycle_count_t at;
    } *said;
    size_t said_from, said_to, said_room;
};

/* ---- pins ---- */

/* simavr would pull the pin up at each write to the port, were it not told that something drives it. */
static void drive(struct chip *chip, bool level)
{
    avr_ioport_external_t external = {.name = 'D', .mask = 1 << DOUT, .value = (unsigned)level << DOUT};

    if (chip->hx.trouble == HX_MISSING)
        level = true; /* the pull-up */
    if (chip->hx.trouble == HX_LOW)
        level = false;
    external.value = (unsigned)level << DOUT;
    avr_ioctl(chip->avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &external);
    avr_raise_irq(chip->hx.dout, level);
}

/* ---- the HX711 ---- */

static avr_cycle_count_t period(const struct hx711 *hx)
{
    return (avr_cycle_count_t)(HZ / (hx->fast ? 80 : 10) / hx->clock);
}

static avr_cycle_count_t conversion(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;
    struct hx711 *hx = &chip->hx;
    double period_s = (double)period(hx) / HZ;

    (void)avr;
    chip->figures.conversions++;
    hx->newest = cell_convert(&chip->cell, (double)when / HZ, period_s);
    if (hx->gain_pulses != 25) {
        chip->figures.wrong_gains++;
        hx->newest /= hx->gain_pulses == 26 ? 4 : 2; /* channel B with 32, channel A with 64 */
    }
    if (hx->ready && hx->bits > 0 && when - hx->rose < COLLISION_CYCLES) {
        chip->figures.collisions++;
    } else {
        chip->figures.overruns += hx->ready;
        hx->word = (uint32_t)hx->newest & 0xFFFFFF;
        hx->bits = 0;
        hx->ready = true;
        drive(chip, false);
    }
    return hx->next = when + period(hx);
}

static void schedule(struct chip *chip, avr_cycle_count_t at)
{
    struct hx711 *hx = &chip->hx;

    avr_cycle_timer_cancel(chip->avr, conversion, chip);
    hx->next = at;
    if (at)
        avr_cycle_timer_register(chip->avr, at > chip->avr->cycle ? at - chip->avr->cycle : 1, conversion, chip);
}

/* Four conversions to settle: the first answer comes after them. */
static void hx_start(struct chip *chip)
{
    chip->hx.down = chip->hx.ready = false;
    chip->hx.bits = 0;
    chip->hx.gain_pulses = 25;
    drive(chip, true);
    schedule(chip, chip->avr->cycle + 4 * period(&chip->hx));
}

static void hx_stop(struct chip *chip)
{
    chip->hx.down = true;
    chip->hx.ready = false;
    schedule(chip, 0);
    drive(chip, true);
}

static void sck_rises(struct chip *chip)
{
    struct hx711 *hx = &chip->hx;

    hx->rose = chip->avr->cycle;
    if (hx->down)
        return;
    if (hx->ready && hx->bits == 0)
        chip->figures.reads++;
    hx->bits++;
    if (hx->bits <= 24) {
        drive(chip, hx->ready ? hx->word >> (24 - hx->bits) & 1 : true);
    } else {
        hx->ready = false;
        hx->gain_pulses = hx->bits;
        drive(chip, true);
    }
}

static void sck_falls(struct chip *chip)
{
    struct hx711 *hx = &chip->hx;
    avr_cycle_count_t high = chip->avr->cycle - hx->rose;
    double us = (double)high / (HZ / 1e6);

    if (high > POWER_DOWN_CYCLES) {
        chip->figures.power_downs++;
        hx_start(chip);
    } else if (us > chip->figures.longest_sck_us) {
        chip->figures.longest_sck_us = us;
    }
}

static void on_sck(avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;

    (void)irq;
    if ((value != 0) == chip->hx.sck || chip->avr->cycle < chip->hx.gone_until)
        return;
    chip->hx.sck = value != 0;
    if (value)
        sck_rises(chip);
    else
        sck_falls(chip);
}

static void on_rate(avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;

    (void)irq;
    if (chip->hx.strapped || chip->hx.fast == (value != 0))
        return;
    chip->hx.fast = value != 0;
    if (chip->hx.next)
        hx_start(chip);
}

/* ---- serial port ---- */

static avr_irq_t *uart(struct chip *chip, int which)
{
    return avr_io_getirq(chip->avr, AVR_IOCTL_UART_GETIRQ('0'), which);
}

static void on_said(avr_irq_t *irq, uint32_t value, void *param)
{
    struct chip *chip = param;

    (void)irq;
    if (chip->said_from == chip->said_to)
        chip->said_from = chip->said_to = 0;
    if (chip->said_to == chip->said_room) {
        chip->said_room = chip->said_room ? 2 * chip->said_room : 4096;
        chip->said = realloc(chip->said, chip->said_room * sizeof *chip->said);
    }
    chip->said[chip->said_to++] = (struct said){(char)value, chip->avr->cycle + 2 * BYTE_CYCLES};
}

static void on_full(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    ((struct chip *)param)->full = true;
}

static void on_room(avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq;
    (void)value;
    ((struct chip *)param)->full = false;
}

static avr_cycle_count_t feed(avr_t *avr, avr_cycle_count_t when, void *param)
{
    struct chip *chip = param;

    (void)avr;
    if (chip->heard_tail == chip->heard_head)
        return 0;
    if (!chip->full)
        avr_raise_irq(uart(chip, UART_IRQ_INPUT), (uint8_t)chip->heard[chip->heard_tail++ % HEARD]);
    return when + BYTE_CYCLES;
}

void chip_hear(struct chip *chip, const char *bytes, int count)
{
    bool idle = chip->heard_tail == chip->heard_head;

    for (; count > 0 && chip->heard_head - chip->heard_tail < HEARD; count--)
        chip->heard[chip->heard_head++ % HEARD] = *bytes++;
    if (idle && chip->heard_tail != chip->heard_head)
        avr_cycle_timer_register(chip->avr, BYTE_CYCLES, feed, chip);
}

int chip_bytes(struct chip *chip, char *to, int room)
{
    int count = 0;

    while (count < room && chip->said_from < chip->said_to)
        to[count++] = chip->said[chip->said_from++].byte;
    return count;
}

int chip_line(struct chip *chip, char *to, int room, double *at_s)
{
    size_t end = chip->said_from;
    int count = 0;

    while (end < chip->said_to && chip->said[end].byte != '\n')
        end++;
    if (end == chip->said_to)
        return -1;
    *at_s = (double)chip->said[end].at / HZ;
    for (; chip->said_from < end; chip->said_from++)
        if (count < room && chip->said[chip->said_from].byte != '\r')
            to[count++] = chip->said[chip->said_from].byte;
    chip->said_from = end + 1;
    return count;
}

/* ---- the chip ---- */

static void no_sleep(avr_t *avr, avr_cycle_count_t how_long)
{
    (void)avr;
    (void)how_long;
}

static void no_log(avr_t *avr, const int level, const char *format, va_list words)
{
    (void)avr;
    (void)level;
    (void)format;
    (void)words;
}

/* simavr forgets all timers and pins at a reset, that of the watchdog too: the world outside goes on. */
static void on_reset(avr_t *avr)
{
    struct chip *chip = avr->custom.data;
    struct hx711 *hx = &chip->hx;

    chip->figures.resets++;
    chip->started = chip->full = false;
    chip->cli_since = 0;
    hx->sck = false;
    if (hx->down && avr->cycle >= hx->gone_until)
        hx_start(chip);
    else
        schedule(chip, hx->next);
    if (chip->heard_tail != chip->heard_head)
        avr_cycle_timer_register(avr, BYTE_CYCLES, feed, chip);
    /* The pin is filtered: it has to change to be seen. */
    bool level = !hx->ready;
    drive(chip, !level);
    drive(chip, level);
}

void chip_reset(struct chip *chip, int why)
{
    if (why != CHIP_BUTTON) {
        /* A byte of the EEPROM that was being written becomes anything; RAM as well. */
        if (chip->avr->data[EECR] & EEPE) {
            uint8_t byte = (uint8_t)(256 * cell_uniform(&chip->cell));
            avr_eeprom_desc_t desc = {&byte, (uint16_t)(chip->avr->data[EEAR] | chip->avr->data[EEAR + 1] << 8), 1};
            avr_ioctl(chip->avr, AVR_IOCTL_EEPROM_SET, &desc);
        }
        for (int at = chip->avr->ioend + 1; at <= chip->avr->ramend; at++)
            chip->avr->data[at] = (uint8_t)(256 * cell_uniform(&chip->cell));
        chip->hx.down = true; /* it has lost its power too, and starts anew in on_reset */
    }
    avr_reset(chip->avr);
    chip->avr->data[MCUSR] = (uint8_t)why;
}

struct chip *chip_new(const char *elf, uint64_t seed)
{
    struct chip *chip = calloc(1, sizeof *chip);
    elf_firmware_t firmware = {0};
    uint32_t flags = 0;

    avr_global_logger_set(no_log);
    chip->avr = avr_make_mcu_by_name("atmega328p");
    if (!chip->avr || elf_read_firmware(elf, &firmware) != 0) {
        free(chip);
        return 0;
    }
    cell_begin(&chip->cell, seed);
    avr_init(chip->avr);
    avr_load_firmware(chip->avr, &firmware);
    chip->avr->frequency = HZ;
    chip->avr->sleep = no_sleep;
    chip->avr->custom.data = chip;
    chip->avr->reset = on_reset;
    chip->hx.clock = 1;
    chip->hx.dout = avr_io_getirq(chip->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), DOUT);
    avr_irq_register_notify(avr_io_getirq(chip->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), SCK), on_sck, chip);
    avr_irq_register_notify(avr_io_getirq(chip->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), RATE), on_rate, chip);
    avr_ioctl(chip->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(uart(chip, UART_IRQ_OUTPUT), on_said, chip);
    avr_irq_register_notify(uart(chip, UART_IRQ_OUT_XOFF), on_full, chip);
    avr_irq_register_notify(uart(chip, UART_IRQ_OUT_XON), on_room, chip);
    chip_reset(chip, CHIP_POWER);
    chip_forget(chip);
    return chip;
}

void chip_free(struct chip *chip)
{
    avr_terminate(chip->avr);
    free(chip->said);
    free(chip);
}

double chip_time(const struct chip *chip)
{
    return (double)chip->avr->cycle / HZ;
}

static void longest(double *so_far, avr_cycle_count_t cycles)
{
    double us = (double)cycles / (HZ / 1e6);

    if (us > *so_far)
        *so_far = us;
}

static void watch(struct chip *chip, avr_cycle_count_t before)
{
    avr_t *avr = chip->avr;
    uint32_t stack = avr->data[STACK] | (uint32_t)avr->data[STACK + 1] << 8;

    if (stack && stack < chip->figures.lowest_stack)
        chip->figures.lowest_stack = stack;
    if (avr->state == cpu_Sleeping) {
        longest(&chip->figures.longest_busy_us, before - chip->busy_since);
        chip->busy_since = avr->cycle;
    } else {
        chip->busy += avr->cycle - before;
    }
    if (avr->sreg[7]) {
        if (chip->cli_since && chip->started)
            longest(&chip->figures.longest_cli_us, avr->cycle - chip->cli_since);
        chip->started = true;
        chip->cli_since = 0;
    } else if (!chip->cli_since) {
        chip->cli_since = avr->cycle;
    }
}

static bool run_until(struct chip *chip, avr_cycle_count_t end)
{
    while (chip->avr->cycle < end) {
        avr_cycle_count_t before = chip->avr->cycle;
        if (avr_run(chip->avr) >= cpu_Done)
            return false;
        watch(chip, before);
        if (chip->hx.gone_until && chip->avr->cycle >= chip->hx.gone_until) {
            chip->hx.gone_until = 0;
            hx_start(chip);
        }
    }
    return true;
}

static bool obey(struct chip *chip, const char *line);

bool chip_run(struct chip *chip, double seconds)
{
    avr_cycle_count_t end = chip->avr->cycle + (avr_cycle_count_t)(seconds * HZ + 0.5);

    while (chip->dues && chip->due[0].at_s * HZ < (double)end) {
        struct due first = chip->due[0];
        memmove(chip->due, chip->due + 1, (size_t)--chip->dues * sizeof *chip->due);
        if (!run_until(chip, (avr_cycle_count_t)(first.at_s * HZ)))
            return false;
        obey(chip, first.line);
    }
    return run_until(chip, end);
}

/* ---- the script ---- */

static bool later(struct chip *chip, double at_s, const char *line)
{
    int at = chip->dues;

    if (chip->dues == DUE || strlen(line) >= sizeof chip->due->line)
        return false;
    for (; at && chip->due[at - 1].at_s > at_s; at--)
        chip->due[at] = chip->due[at - 1];
    chip->due[at].at_s = at_s;
    strcpy(chip->due[at].line, line);
    chip->dues++;
    return true;
}

static void dip(struct chip *chip, double ms)
{
    hx_stop(chip);
    chip->hx.gone_until = chip->avr->cycle + (avr_cycle_count_t)(ms * HZ / 1000);
}

static void trouble(struct chip *chip, enum hx_trouble which, bool on)
{
    bool was_missing = chip->hx.trouble == HX_MISSING;

    chip->hx.trouble = on ? which : HX_WELL;
    if (was_missing && !on)
        hx_start(chip); /* plugged in again: it has had no power */
    drive(chip, !chip->hx.ready);
}

static void strap(struct chip *chip, double rate)
{
    chip->hx.strapped = rate != 0;
    if (rate != 0)
        chip->hx.fast = rate > 40;
    hx_start(chip);
}

static bool set_cell(struct cell *cell, const char *word, double a, double b)
{
    if (strcmp(word, "gain") == 0)
        cell->counts_per_g = a;
    else if (strcmp(word, "offset") == 0)
        cell->offset = a;
    else if (strcmp(word, "noise") == 0)
        cell->noise_80 = a, cell->noise_10 = b > 0 ? b : a * 25 / 45;
    else if (strcmp(word, "drift") == 0)
        cell->drift_g_per_min = a;
    else if (strcmp(word, "wave") == 0)
        cell->wave_g = a, cell->wave_s = b > 0 ? b : 600;
    else if (strcmp(word, "creep") == 0)
        cell->creep = a, cell->creep_s = b > 0 ? b : 60;
    else if (strcmp(word, "ring") == 0)
        cell->ring_hz = a, cell->ring_damping = b;
    else if (strcmp(word, "frozen") == 0)
        cell->frozen = a != 0;
    else
        return false;
    return true;
}

static bool happen(struct cell *cell, const char *word, double now, double a, double b, double c)
{
    if (strcmp(word, "cube") == 0)
        return cell_cube(cell, now, a, b > 0 ? b : 50);
    if (strcmp(word, "lay") == 0)
        return cell_lay(cell, now, a, b);
    if (strcmp(word, "hand") == 0)
        return cell_pass(cell, EVENT_HAND, now, a, b, 0);
    if (strcmp(word, "bump") == 0)
        return cell_pass(cell, EVENT_BUMP, now, a, b, 0);
    if (strcmp(word, "slam") == 0)
        return cell_pass(cell, EVENT_SLAM, now, a, 0, 0);
    if (strcmp(word, "shake") == 0)
        return cell_pass(cell, EVENT_SHAKE, now, a, c, b);
    return false;
}

static bool obey_chip(struct chip *chip, const char *word, double a)
{
    if (strcmp(word, "missing") == 0)
        trouble(chip, HX_MISSING, a != 0);
    else if (strcmp(word, "low") == 0)
        trouble(chip, HX_LOW, a != 0);
    else if (strcmp(word, "dip") == 0)
        dip(chip, a);
    else if (strcmp(word, "strap") == 0)
        strap(chip, a);
    else if (strcmp(word, "clock") == 0)
        chip->hx.clock = a;
    else if (strcmp(word, "power") == 0)
        chip_reset(chip, CHIP_POWER);
    else if (strcmp(word, "button") == 0)
        chip_reset(chip, CHIP_BUTTON);
    else if (strcmp(word, "brownout") == 0)
        chip_reset(chip, CHIP_BROWNOUT);
    else
        return false;
    return true;
}

static bool obey(struct chip *chip, const char *line)
{
    char word[16];
    double a = 0, b = 0, c = 0;

    if (sscanf(line, " %15s %lf %lf %lf", word, &a, &b, &c) < 1)
        return false;
    return set_cell(&chip->cell, word, a, b) || happen(&chip->cell, word, chip_time(chip), a, b, c) ||
           obey_chip(chip, word, a);
}

bool chip_do(struct chip *chip, const char *line)
{
    double wait;
    int used;

    if (sscanf(line, " +%lf %n", &wait, &used) == 1)
        return later(chip, chip_time(chip) + wait, line + used);
    return obey(chip, line);
}

/* ---- looking in ---- */

/* As a program does that has lost its way: it runs in a circle, here on a jump to itself, with interrupts off. */
void chip_hang(struct chip *chip)
{
    chip->avr->sreg[7] = 0;
    chip->avr->flash[chip->avr->flashend - 1] = 0xFF; /* rjmp .-2 */
    chip->avr->flash[chip->avr->flashend] = 0xCF;
    chip->avr->codeend = chip->avr->flashend;
    chip->avr->pc = chip->avr->flashend - 1;
}

void chip_forget(struct chip *chip)
{
    chip->figures = (struct chip_figures){.lowest_stack = chip->avr->ramend};
    chip->from = chip->busy_since = chip->avr->cycle;
    chip->busy = 0;
}

void chip_figures(struct chip *chip, struct chip_figures *figures)
{
    avr_cycle_count_t passed = chip->avr->cycle - chip->from;

    *figures = chip->figures;
    figures->busy = passed ? (double)chip->busy / (double)passed : 0;
}

double chip_load(const struct chip *chip)
{
    double load = chip->cell.load_g;

    for (int at = 0; at < chip->cell.count; at++)
        if (chip->cell.events[at].until_s <= chip_time(chip))
            load += chip->cell.events[at].stays_g;
    return load;
}

int chip_register(const struct chip *chip, int address)
{
    return address >= 0 && address <= chip->avr->ramend ? chip->avr->data[address] : -1;
}

void chip_eeprom_get(struct chip *chip, uint8_t *bytes, int count)
{
    avr_eeprom_desc_t desc = {bytes, 0, (uint32_t)(count > EEPROM_BYTES ? EEPROM_BYTES : count)};

    avr_ioctl(chip->avr, AVR_IOCTL_EEPROM_GET, &desc);
}

void chip_eeprom_set(struct chip *chip, const uint8_t *bytes, int count)
{
    avr_eeprom_desc_t desc = {(uint8_t *)bytes, 0, (uint32_t)(count > EEPROM_BYTES ? EEPROM_BYTES : count)};

    avr_ioctl(chip->avr, AVR_IOCTL_EEPROM_SET, &desc);
}
