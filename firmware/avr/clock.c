#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

static volatile uint32_t ms;

/* Timer 0: 16 MHz / 64 / 250 is exactly 1 kHz. */
void clock_begin(void)
{
    TCCR0A = _BV(WGM01);
    OCR0A = F_CPU / 64 / 1000 - 1;
    TIMSK0 = _BV(OCIE0A);
    TCCR0B = _BV(CS01) | _BV(CS00);
}

ISR(TIMER0_COMPA_vect)
{
    ms++;
}

uint32_t clock_ms(void)
{
    uint32_t now;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = ms;
    }
    return now;
}
