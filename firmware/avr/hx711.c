#include "hx711.h"

#include <util/atomic.h>
#include <util/delay.h>

#include "pins.h"

#define DATA_BITS 24
#define OFF_US 100 /* more than the 60 us that the data sheet requires */

void hx711_begin(void)
{
    PORTD |= _BV(DOUT_BIT);
    DDRD |= _BV(SCK_BIT) | _BV(RATE_BIT);
    hx711_restart();
}

void hx711_rate(uint8_t rate)
{
    /* No interrupt touches this port, but whether such a read-modify-write is a single instruction is up to the
       compiler. */
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        if (rate == 80)
            PORTD |= _BV(RATE_BIT);
        else
            PORTD &= (uint8_t)~_BV(RATE_BIT);
    }
}

void hx711_restart(void)
{
    PORTD |= _BV(SCK_BIT);
    _delay_us(OFF_US);
    PORTD &= (uint8_t)~_BV(SCK_BIT);
}

bool hx711_ready(void)
{
    return !(PIND & _BV(DOUT_BIT));
}

/* SCK high for 60 us powers the HX711 down, even in mid-reading. So interrupts are off during each pulse, but no
   longer: a byte on the serial port waits 5 us at most, not 25 pulses. */
static uint8_t pulse(void)
{
    uint8_t bit;

    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        PORTD |= _BV(SCK_BIT);
        _delay_us(0.5);
        bit = PIND;
        PORTD &= (uint8_t)~_BV(SCK_BIT);
    }
    _delay_us(0.5);
    return (bit & _BV(DOUT_BIT)) != 0;
}

bool hx711_read(int32_t *raw)
{
    uint32_t bits = 0;

    for (uint8_t at = 0; at < DATA_BITS; at++)
        bits = bits << 1 | pulse();
    pulse(); /* the 25th selects channel A with gain 128 for the next reading */
    *raw = (int32_t)(bits << 8) >> 8;
    return !hx711_ready();
}
