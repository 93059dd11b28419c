#include "inside.h"

#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdlib.h>
#include <string.h>

#define MCUSR 0x54
#define EECR 0x3F
#define EEAR 0x41
#define EEPE 0x02
#define STACK 0x5D
#define BYTE_CYCLES 1528 /* 11 bits: simavr always counts a parity bit */
#define EEPROM_BYTES 1024

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

/* At a reset simavr forgets all timers and pins, the watchdog's included; the world outside goes on. */
static void on_reset(avr_t *avr)
{
    struct chip *chip = avr->custom.data;

    chip->figures.resets++;
    chip->started = chip->full = false;
    chip->cli_since = 0;
    if (chip->heard_tail != chip->heard_head)
        avr_cycle_timer_register(avr, BYTE_CYCLES, feed, chip);
    hx_after_reset(chip);
}

void chip_reset(struct chip *chip, int why)
{
    if (why != CHIP_BUTTON) {
        /* An EEPROM byte being written becomes random; so does RAM. */
        if (chip->avr->data[EECR] & EEPE) {
            uint8_t byte = (uint8_t)(256 * cell_uniform(&chip->cell));
            avr_eeprom_desc_t desc = {&byte, (uint16_t)(chip->avr->data[EEAR] | chip->avr->data[EEAR + 1] << 8), 1};
            avr_ioctl(chip->avr, AVR_IOCTL_EEPROM_SET, &desc);
        }
        for (int at = chip->avr->ioend + 1; at <= chip->avr->ramend; at++)
            chip->avr->data[at] = (uint8_t)(256 * cell_uniform(&chip->cell));
        chip->hx.down = true; /* it lost power too, and restarts in on_reset */
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
    hx_connect(chip);
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

bool chip_run(struct chip *chip, double seconds)
{
    avr_cycle_count_t end = chip->avr->cycle + (avr_cycle_count_t)(seconds * HZ + 0.5);

    while (chip->dues && chip->due[0].at_s * HZ < (double)end) {
        struct due first = chip->due[0];
        memmove(chip->due, chip->due + 1, (size_t)--chip->dues * sizeof *chip->due);
        if (!run_until(chip, (avr_cycle_count_t)(first.at_s * HZ)))
            return false;
        script_obey(chip, first.line);
    }
    return run_until(chip, end);
}

/* ---- looking in ---- */

/* Like a hung program: an endless loop, here a jump to itself, with interrupts off. */
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
