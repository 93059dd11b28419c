/* The simulated board behind a pty, as if it were plugged in: `simboard ELF NAME [SPEED [BOOT_MS [EEPROM]]]`.

   NAME becomes a link to the pty, and stays the same when the cable is pulled and plugged in again. SPEED 1 is real
   time, 0 as fast as possible. BOOT_MS: opening the port resets the board, like an Uno's, and its bootloader is deaf
   for this long. Standard input takes a script line by line, and `pull`, `plug`; its end ends the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

#define SLICE_S 0.002
#define BEHIND_S 0.25 /* a larger lag, on a busy computer, is written off */
#define EEPROM_BYTES 1024

struct runner {
    struct chip *chip;
    const char *name;
    int master; /* -1: the cable is unplugged */
    bool open, alive;
    double speed, boot_s;
    double base_real_s, base_sim_s;
    double deaf_until_s; /* real time */
    char script[256];
    size_t typed;
    char out[1024];
    int out_from, out_to;
};

static double real_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void pace(struct runner *r)
{
    r->base_real_s = real_s();
    r->base_sim_s = chip_time(r->chip);
}

static void pull(struct runner *r)
{
    unlink(r->name);
    if (r->master >= 0)
        close(r->master);
    r->master = -1;
    r->open = false;
}

static bool plug(struct runner *r)
{
    int slave;
    char path[64];
    struct termios raw;

    if (r->master >= 0)
        return true;
    if (openpty(&r->master, &slave, path, 0, 0) != 0)
        return false;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    close(slave); /* so that the host's opening and closing can be seen */
    fcntl(r->master, F_SETFL, O_NONBLOCK);
    unlink(r->name);
    chip_reset(r->chip, CHIP_POWER);
    r->out_from = r->out_to = 0;
    pace(r);
    return symlink(path, r->name) == 0;
}

static void obey(struct runner *r, const char *line)
{
    if (strcmp(line, "pull") == 0)
        pull(r);
    else if (strcmp(line, "plug") == 0)
        plug(r);
    else if (*line && !chip_do(r->chip, line))
        fprintf(stderr, "not understood: %s\n", line);
}

static void read_script(struct runner *r)
{
    char byte;
    ssize_t got;

    while ((got = read(STDIN_FILENO, &byte, 1)) == 1) {
        if (byte != '\n') {
            if (r->typed < sizeof r->script - 1)
                r->script[r->typed++] = byte;
            continue;
        }
        r->script[r->typed] = 0;
        r->typed = 0;
        obey(r, r->script);
    }
    if (got == 0)
        r->alive = false;
}

static void watch_port(struct runner *r)
{
    struct pollfd port = {.fd = r->master, .events = POLLIN};
    bool open;

    poll(&port, 1, 0);
    open = !(port.revents & POLLHUP);
    if (open && !r->open && r->boot_s > 0) {
        chip_reset(r->chip, CHIP_BUTTON);
        r->deaf_until_s = real_s() + r->boot_s / (r->speed > 0 ? r->speed : 1);
        r->out_from = r->out_to = 0;
    }
    r->open = open;
}

static void listen(struct runner *r)
{
    char bytes[256];
    ssize_t got = read(r->master, bytes, sizeof bytes);

    if (got > 0 && real_s() >= r->deaf_until_s)
        chip_hear(r->chip, bytes, (int)got);
}

/* False while the host does not accept the output; an absent host never holds it up. */
static bool speak(struct runner *r)
{
    for (;;) {
        if (r->out_from == r->out_to) {
            r->out_from = 0;
            r->out_to = chip_bytes(r->chip, r->out, sizeof r->out);
        }
        if (r->out_from == r->out_to)
            return true;
        if (!r->open) {
            r->out_from = r->out_to;
            continue;
        }
        ssize_t put = write(r->master, r->out + r->out_from, (size_t)(r->out_to - r->out_from));
        if (put <= 0)
            return errno != EAGAIN;
        r->out_from += (int)put;
    }
}

static void wait_for_something(const struct runner *r, int ms)
{
    struct pollfd both[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = r->master, .events = POLLIN}};

    /* A port that nobody has open would keep waking us. */
    poll(both, r->open ? 2 : 1, ms);
}

static bool go_on(struct runner *r)
{
    double now = real_s(), due, lag;

    if (now < r->deaf_until_s) {
        wait_for_something(r, 5);
        pace(r);
        return true;
    }
    if (r->speed <= 0) {
        if (!r->open)
            wait_for_something(r, 1);
        return chip_run(r->chip, SLICE_S);
    }
    due = r->base_sim_s + (now - r->base_real_s) * r->speed;
    lag = due - chip_time(r->chip);
    if (lag > BEHIND_S * r->speed)
        pace(r);
    if (lag < SLICE_S) {
        wait_for_something(r, 1 + (int)(1000 * (SLICE_S - lag) / r->speed));
        return true;
    }
    return chip_run(r->chip, SLICE_S);
}

static void keep_eeprom(struct chip *chip, const char *path, bool load)
{
    uint8_t bytes[EEPROM_BYTES];
    FILE *file = fopen(path, load ? "rb" : "wb");

    if (!file)
        return;
    if (load && fread(bytes, 1, sizeof bytes, file) == sizeof bytes)
        chip_eeprom_set(chip, bytes, EEPROM_BYTES);
    if (!load) {
        chip_eeprom_get(chip, bytes, EEPROM_BYTES);
        fwrite(bytes, 1, sizeof bytes, file);
    }
    fclose(file);
}

static volatile sig_atomic_t told_to_end;

static void on_signal(int number)
{
    (void)number;
    told_to_end = 1;
}

int main(int count, char **words)
{
    struct runner r = {.master = -1, .alive = true, .speed = 1};
    const char *eeprom = count > 5 ? words[5] : 0;

    if (count < 3 || !(r.chip = chip_new(words[1], 1))) {
        fprintf(stderr, "simboard ELF NAME [SPEED [BOOT_MS [EEPROM]]]\n");
        return 2;
    }
    r.name = words[2];
    r.speed = count > 3 ? atof(words[3]) : 1;
    r.boot_s = count > 4 ? atof(words[4]) / 1000 : 0;
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    signal(SIGPIPE, SIG_IGN);
    fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
    if (eeprom)
        keep_eeprom(r.chip, eeprom, true);
    if (!plug(&r)) {
        fprintf(stderr, "no pty can be made at %s: %s\n", r.name, strerror(errno));
        return 1;
    }
    puts("ready");
    fflush(stdout);
    while (r.alive && !told_to_end) {
        read_script(&r);
        if (r.master >= 0) {
            watch_port(&r);
            listen(&r);
        }
        if (speak(&r) ? !go_on(&r) : (usleep(500), false)) {
            fprintf(stderr, "the program on the chip has crashed\n");
            break;
        }
    }
    if (eeprom)
        keep_eeprom(r.chip, eeprom, false);
    pull(&r);
    chip_free(r.chip);
    return 0;
}
