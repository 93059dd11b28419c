#include "settings.h"

#include <string.h>

#include "crc.h"

#define LAYOUT 1     /* change it with the layout, which invalidates older copies */
#define UNDER_WAY 0xFF /* stands in place of LAYOUT while a copy is being written */
#define BLANK 0xFF   /* what a new EEPROM holds */

static const struct settings defaults = {.rate = 80, .calibrated = false, .scale = 2147000, .tare = 0, .threshold_mg = 0};

static void put(uint8_t *to, uint32_t value, uint8_t count)
{
    for (; count; count--, value >>= 8)
        *to++ = (uint8_t)value;
}

static uint32_t get(const uint8_t *from, uint8_t count)
{
    uint32_t value = 0;

    while (count--)
        value = value << 8 | from[count];
    return value;
}

static void encode(uint8_t *bytes, const struct settings *settings, uint16_t generation)
{
    bytes[0] = LAYOUT;
    put(bytes + 1, generation, 2);
    bytes[3] = settings->rate;
    bytes[4] = settings->calibrated;
    put(bytes + 5, (uint32_t)settings->scale, 4);
    put(bytes + 9, (uint32_t)settings->tare, 4);
    put(bytes + 13, (uint32_t)settings->threshold_mg, 4);
    put(bytes + 17, crc16(bytes, 17), 2);
}

static bool decode(const uint8_t *bytes, struct settings *settings, uint16_t *generation)
{
    if (bytes[0] != LAYOUT || get(bytes + 17, 2) != crc16(bytes, 17))
        return false;
    *generation = (uint16_t)get(bytes + 1, 2);
    settings->rate = bytes[3];
    settings->calibrated = bytes[4] != 0;
    settings->scale = (int32_t)get(bytes + 5, 4);
    settings->tare = (int32_t)get(bytes + 9, 4);
    settings->threshold_mg = (int32_t)get(bytes + 13, 4);
    return settings->scale != 0 && (settings->rate == 10 || settings->rate == 80);
}

/* Reads a copy; returns whether the slot was ever written. */
static bool read_slot(uint8_t *bytes, const struct store *store, uint8_t slot)
{
    bool used = false;

    for (uint8_t at = 0; at < SETTINGS_BYTES; at++) {
        bytes[at] = store->read(store->context, (uint8_t)(slot * SETTINGS_SLOT + at));
        used |= bytes[at] != BLANK;
    }
    return used;
}

enum source settings_load(struct settings *settings, struct saving *saving, const struct store *store)
{
    uint8_t bytes[SETTINGS_BYTES];
    struct settings copy[2];
    uint16_t generation[2];
    bool used[2], whole[2];
    uint8_t best;

    for (uint8_t slot = 0; slot < 2; slot++) {
        used[slot] = read_slot(bytes, store, slot);
        whole[slot] = used[slot] && decode(bytes, &copy[slot], &generation[slot]);
    }
    *saving = (struct saving){0};
    *settings = defaults;
    if (!whole[0] && !whole[1])
        return used[0] || used[1] ? SOURCE_BROKEN : SOURCE_DEFAULTS;
    best = whole[1] && (!whole[0] || (int16_t)(generation[1] - generation[0]) > 0);
    *settings = copy[best];
    saving->slot = !best;
    saving->generation = generation[best];
    return used[!best] && !whole[!best] ? SOURCE_PREVIOUS : SOURCE_SAVED;
}

void settings_save_begin(struct saving *saving, const struct settings *settings)
{
    encode(saving->bytes, settings, (uint16_t)(saving->generation + 1));
    saving->active = true;
    saving->at = 0;
}

static enum save_state finish(struct saving *saving, const struct store *store)
{
    uint8_t back[SETTINGS_BYTES];

    saving->active = false;
    read_slot(back, store, saving->slot);
    if (memcmp(back, saving->bytes, SETTINGS_BYTES) != 0)
        return SAVE_FAILED;
    saving->slot = !saving->slot;
    saving->generation++;
    return SAVE_DONE;
}

/* The LAYOUT byte is invalidated first and set last, so that an unfinished write never looks complete. */
enum save_state settings_save_step(struct saving *saving, const struct store *store)
{
    uint8_t at = saving->at % SETTINGS_BYTES;
    uint8_t byte = saving->at == 0 ? UNDER_WAY : saving->bytes[at];

    if (saving->at > SETTINGS_BYTES)
        return finish(saving, store);
    if (store->write(store->context, (uint8_t)(saving->slot * SETTINGS_SLOT + at), byte))
        saving->at++;
    return SAVE_GOING;
}
