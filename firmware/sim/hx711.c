/* The HX711, pin by pin. simavr 1.6 keeps neither timers nor external levels across a reset; see hx_after_reset. */
#include "inside.h"

#include <simavr/avr_ioport.h>

#define DOUT 4 /* as in avr/pins.h */
#define SCK 5
#define RATE 6
#define POWER_DOWN_CYCLES (60 * (HZ / 1000000))
#define COLLISION_CYCLES (200 * (HZ / 1000000)) /* after that, an interrupted read does no harm */

/* Unless told that something drives the pin, simavr would pull it up at each write to the port. */
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
        hx->newest /= hx->gain_pulses == 26 ? 4 : 2; /* channel B with gain 32, channel A with 64 */
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

/* It takes four conversions to settle: the first result comes after them. */
void hx_start(struct chip *chip)
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

static avr_irq_t *pin(struct chip *chip, int number)
{
    return avr_io_getirq(chip->avr, AVR_IOCTL_IOPORT_GETIRQ('D'), number);
}

void hx_connect(struct chip *chip)
{
    chip->hx.clock = 1;
    chip->hx.dout = pin(chip, DOUT);
    avr_irq_register_notify(pin(chip, SCK), on_sck, chip);
    avr_irq_register_notify(pin(chip, RATE), on_rate, chip);
}

void hx_after_reset(struct chip *chip)
{
    struct hx711 *hx = &chip->hx;
    bool level;

    hx->sck = false;
    if (hx->down && chip->avr->cycle >= hx->gone_until)
        hx_start(chip);
    else
        schedule(chip, hx->next);
    /* The pin only reports changes, so force one, even if nothing is wired to it. */
    level = chip->hx.trouble == HX_MISSING || !hx->ready;
    avr_raise_irq(hx->dout, !level);
    drive(chip, level);
}

void hx_dip(struct chip *chip, double ms)
{
    hx_stop(chip);
    chip->hx.gone_until = chip->avr->cycle + (avr_cycle_count_t)(ms * HZ / 1000);
}

void hx_suffer(struct chip *chip, enum hx_trouble which, bool on)
{
    bool was_missing = chip->hx.trouble == HX_MISSING;

    chip->hx.trouble = on ? which : HX_WELL;
    if (was_missing && !on)
        hx_start(chip); /* plugged in again: it has been without power */
    drive(chip, !chip->hx.ready);
}

void hx_strap(struct chip *chip, double rate)
{
    chip->hx.strapped = rate != 0;
    if (rate != 0)
        chip->hx.fast = rate > 40;
    hx_start(chip);
}
