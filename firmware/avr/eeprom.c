#include "eeprom.h"

#include <avr/io.h>
#include <util/atomic.h>

#define FIRST 16 /* a brown-out corrupts the very first cells */

uint8_t eeprom_read(uint8_t at)
{
    while (EECR & _BV(EEPE))
        ; /* 3.4 ms at most, in hardware */
    EEAR = (uint16_t)(FIRST + at);
    EECR |= _BV(EERE);
    return EEDR;
}

bool eeprom_write(uint8_t at, uint8_t byte)
{
    if (EECR & _BV(EEPE))
        return false;
    if (eeprom_read(at) == byte)
        return true;
    EEAR = (uint16_t)(FIRST + at);
    EEDR = byte;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* the second bit must follow within four cycles */
    {
        EECR = _BV(EEMPE);
        EECR |= _BV(EEPE);
    }
    return true;
}
