#include "crc.h"

/* Eight steps of the shift register at once; the same arithmetic as avr-libc's _crc_xmodem_update. */
uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)((uint16_t)(crc << 8) | (crc >> 8));
    crc ^= byte;
    crc ^= (uint16_t)((crc & 0xFFu) >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xFFu) << 5);
    return crc;
}

uint16_t crc16(const void *bytes, uint8_t count)
{
    const uint8_t *at = bytes;
    uint16_t crc = CRC16_START;

    while (count--)
        crc = crc16_add(crc, *at++);
    return crc;
}
