/* CRC-16/CCITT-FALSE: the checksum of the wire and of the saved settings. */
#ifndef TENSHU_CRC_H
#define TENSHU_CRC_H

#include <stdint.h>

#define CRC16_START 0xFFFFu

uint16_t crc16_add(uint16_t crc, uint8_t byte);
uint16_t crc16(const void *bytes, uint8_t count);

#endif
