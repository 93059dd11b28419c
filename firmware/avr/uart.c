#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#define OUT_SIZE 256u /* byte indices wrap by themselves */
#define IN_SIZE 64u

/* All volatile: a byte must be stored before the index announces it. */
static volatile char out[OUT_SIZE];
static volatile uint8_t out_head, out_tail;
static volatile char in[IN_SIZE];
static volatile uint8_t in_head, in_tail;

/* At double speed 115200 baud is 2.1 % off, as on every Arduino; at normal speed it would be 3.5 %, too much. */
void uart_begin(void)
{
    UBRR0 = (F_CPU / 4 / 115200 - 1) / 2;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

/* A byte that does not fit is lost; the checksum reveals it. */
ISR(USART_RX_vect)
{
    uint8_t next = (uint8_t)((in_head + 1) % IN_SIZE);
    char byte = (char)UDR0;

    if (next == in_tail)
        return;
    in[in_head] = byte;
    in_head = next;
}

ISR(USART_UDRE_vect)
{
    if (out_tail != out_head) {
        UDR0 = (uint8_t)out[out_tail];
        out_tail++;
    }
    if (out_tail == out_head)
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

uint8_t uart_room(void)
{
    return (uint8_t)(out_tail - out_head - 1);
}

void uart_send(const char *bytes, uint8_t count)
{
    while (count--) {
        out[out_head] = *bytes++;
        out_head++;
    }
    UCSR0B |= _BV(UDRIE0);
}

bool uart_take(char *byte)
{
    if (in_tail == in_head)
        return false;
    *byte = in[in_tail];
    in_tail = (uint8_t)((in_tail + 1) % IN_SIZE);
    return true;
}
