/* The serial port, 115200 baud, with a queue each way that interrupts fill and drain. */
#ifndef TENSHU_UART_H
#define TENSHU_UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_begin(void);
uint8_t uart_room(void);
/* The caller must have checked that there is room. */
void uart_send(const char *bytes, uint8_t count);
bool uart_take(char *byte);

#endif
