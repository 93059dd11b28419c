#include "start.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#define ON_COMMAND 0x5AA5u

static uint8_t flags __attribute__((section(".noinit")));
static uint8_t from_bootloader __attribute__((section(".noinit")));
static uint16_t wish __attribute__((section(".noinit")));

void keep_r2(void) __attribute__((naked, used, section(".init0")));
void disarm(void) __attribute__((naked, used, section(".init3")));

/* Optiboot clears MCUSR and passes its old value in r2. */
void keep_r2(void)
{
    __asm__ volatile("sts %0, r2" : : "i"(&from_bootloader));
}

/* After a watchdog reset the watchdog keeps running with its shortest time-out; stop it before anything else. */
void disarm(void)
{
    flags = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

enum cause start_cause(void)
{
    uint8_t why = flags ? flags : from_bootloader;
    bool wished = wish == ON_COMMAND;

    wish = 0;
    if (why & _BV(PORF))
        return CAUSE_POWER;
    if (why & _BV(BORF))
        return CAUSE_BROWNOUT;
    if (why & _BV(WDRF))
        return wished ? CAUSE_COMMAND : CAUSE_WATCHDOG;
    return why & _BV(EXTRF) ? CAUSE_RESET : CAUSE_UNKNOWN;
}

void start_again(void)
{
    wish = ON_COMMAND;
    cli();
    wdt_enable(WDTO_15MS);
    for (;;)
        ;
}
