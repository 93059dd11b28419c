/* The board: an ATmega328P at 16 MHz with an HX711. All the logic is in core/. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "../core/board.h"
#include "clock.h"
#include "eeprom.h"
#include "hx711.h"
#include "pins.h"
#include "start.h"
#include "uart.h"

static uint8_t room(void *context)
{
    (void)context;
    return uart_room();
}

static void send(void *context, const char *bytes, uint8_t count)
{
    (void)context;
    uart_send(bytes, count);
}

static uint8_t read_byte(void *context, uint8_t at)
{
    (void)context;
    return eeprom_read(at);
}

static bool write_byte(void *context, uint8_t at, uint8_t byte)
{
    (void)context;
    return eeprom_write(at, byte);
}

static void set_rate(void *context, uint8_t rate)
{
    (void)context;
    hx711_rate(rate);
}

static void restart_cell(void *context)
{
    (void)context;
    hx711_restart();
}

static void reset(void *context)
{
    (void)context;
    start_again();
}

static const struct port port = {.context = 0,
                                 .room = room,
                                 .send = send,
                                 .store = {.context = 0, .read = read_byte, .write = write_byte},
                                 .set_rate = set_rate,
                                 .restart_cell = restart_cell,
                                 .reset = reset};
static struct board board;

static void read_cell(void)
{
    int32_t raw;

    if (!hx711_ready())
        return;
    if (hx711_read(&raw))
        board_reading(&board, raw);
    else
        board_desync(&board);
}

static void show(void)
{
    if (board.detector.state == DETECTOR_MOVING || board.health.faults)
        PORTB |= _BV(LED_BIT);
    else
        PORTB &= (uint8_t)~_BV(LED_BIT);
}

int main(void)
{
    char byte;

    DDRB |= _BV(LED_BIT);
    wdt_enable(WDTO_500MS);
    hx711_begin();
    clock_begin();
    uart_begin();
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    board_begin(&board, &port, start_cause(), clock_ms());
    for (;;) {
        wdt_reset();
        board_tick(&board, clock_ms());
        read_cell();
        while (uart_take(&byte))
            board_byte(&board, byte);
        show();
        sleep_mode(); /* until the next interrupt, at the latest the clock's */
    }
}
