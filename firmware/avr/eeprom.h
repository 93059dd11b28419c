#ifndef TENSHU_EEPROM_H
#define TENSHU_EEPROM_H

#include <stdbool.h>
#include <stdint.h>

uint8_t eeprom_read(uint8_t at);
/* Starts writing a byte; false while the previous write is unfinished (3.4 ms). */
bool eeprom_write(uint8_t at, uint8_t byte);

#endif
