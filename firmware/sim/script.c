/* The words of a script; docs/firmware.md lists them. */
#include "inside.h"

#include <stdio.h>
#include <string.h>

static bool later(struct chip *chip, double at_s, const char *line)
{
    int at = chip->dues;

    if (chip->dues == DUE || strlen(line) >= sizeof chip->due->line)
        return false;
    for (; at && chip->due[at - 1].at_s > at_s; at--)
        chip->due[at] = chip->due[at - 1];
    chip->due[at].at_s = at_s;
    strcpy(chip->due[at].line, line);
    chip->dues++;
    return true;
}

static bool set_cell(struct cell *cell, const char *word, double a, double b)
{
    if (strcmp(word, "gain") == 0)
        cell->counts_per_g = a;
    else if (strcmp(word, "offset") == 0)
        cell->offset = a;
    else if (strcmp(word, "noise") == 0)
        cell->noise_80 = a, cell->noise_10 = b > 0 ? b : a * 25 / 45;
    else if (strcmp(word, "drift") == 0)
        cell->drift_g_per_min = a;
    else if (strcmp(word, "wave") == 0)
        cell->wave_g = a, cell->wave_s = b > 0 ? b : 600;
    else if (strcmp(word, "creep") == 0)
        cell->creep = a, cell->creep_s = b > 0 ? b : 60;
    else if (strcmp(word, "ring") == 0)
        cell->ring_hz = a, cell->ring_damping = b;
    else if (strcmp(word, "frozen") == 0)
        cell->frozen = a != 0;
    else
        return false;
    return true;
}

static bool happen(struct cell *cell, const char *word, double now, double a, double b, double c)
{
    if (strcmp(word, "cube") == 0)
        return cell_cube(cell, now, a, b > 0 ? b : 50);
    if (strcmp(word, "lay") == 0)
        return cell_lay(cell, now, a, b);
    if (strcmp(word, "hand") == 0)
        return cell_pass(cell, EVENT_HAND, now, a, b, 0);
    if (strcmp(word, "bump") == 0)
        return cell_pass(cell, EVENT_BUMP, now, a, b, 0);
    if (strcmp(word, "slam") == 0)
        return cell_pass(cell, EVENT_SLAM, now, a, 0, 0);
    if (strcmp(word, "shake") == 0)
        return cell_pass(cell, EVENT_SHAKE, now, a, c, b);
    return false;
}

static bool obey_chip(struct chip *chip, const char *word, double a)
{
    if (strcmp(word, "missing") == 0)
        hx_suffer(chip, HX_MISSING, a != 0);
    else if (strcmp(word, "low") == 0)
        hx_suffer(chip, HX_LOW, a != 0);
    else if (strcmp(word, "dip") == 0)
        hx_dip(chip, a);
    else if (strcmp(word, "strap") == 0)
        hx_strap(chip, a);
    else if (strcmp(word, "clock") == 0)
        chip->hx.clock = a;
    else if (strcmp(word, "power") == 0)
        chip_reset(chip, CHIP_POWER);
    else if (strcmp(word, "button") == 0)
        chip_reset(chip, CHIP_BUTTON);
    else if (strcmp(word, "brownout") == 0)
        chip_reset(chip, CHIP_BROWNOUT);
    else
        return false;
    return true;
}

bool script_obey(struct chip *chip, const char *line)
{
    char word[16];
    double a = 0, b = 0, c = 0;

    if (sscanf(line, " %15s %lf %lf %lf", word, &a, &b, &c) < 1)
        return false;
    return set_cell(&chip->cell, word, a, b) || happen(&chip->cell, word, chip_time(chip), a, b, c) ||
           obey_chip(chip, word, a);
}

bool chip_do(struct chip *chip, const char *line)
{
    double wait;
    int used;

    if (sscanf(line, " +%lf %n", &wait, &used) == 1)
        return later(chip, chip_time(chip) + wait, line + used);
    return script_obey(chip, line);
}
