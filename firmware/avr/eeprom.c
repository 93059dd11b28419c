#include "eeprom.h"

#include <avr/io.h>
#include <util/atomic.h>

#define FIRST 16 /* the very first cells are the ones that a brown-out spoils */

uint8_t eeprom_read(uint8_t at)
{
    while (EECR & _BV(EEPE))
        ; /* 3.4 ms at the most, by hardware */
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
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) /* four cycles between the two bits */
    {
        EECR = _BV(EEMPE);
        EECR |= _BV(EEPE);
    }
    return true;
}
