/* The two copies in a memory whose power fails after the nth write, for every n. */
#include "check.h"
#include "tests.h"

#include "../../../firmware/core/settings.h"

#define SIZE (2 * SETTINGS_SLOT)

struct memory {
    uint8_t bytes[SIZE];
    int writes_left; /* until the power fails; -1: never */
    uint8_t torn;    /* what the byte being written becomes */
    bool keeps;
};

static uint8_t read_byte(void *context, uint8_t at)
{
    CHECK(at < SIZE);
    return ((struct memory *)context)->bytes[at];
}

static bool write_byte(void *context, uint8_t at, uint8_t byte)
{
    struct memory *memory = context;

    CHECK(at < SIZE);
    if (memory->writes_left == 0) {
        memory->bytes[at] = memory->torn;
        memory->writes_left = -2;
    }
    if (memory->writes_left == -2)
        return false;
    if (memory->writes_left > 0)
        memory->writes_left--;
    if (memory->keeps)
        memory->bytes[at] = byte;
    return true;
}

static struct memory new_memory(void)
{
    struct memory memory = {.writes_left = -1, .keeps = true};

    memset(memory.bytes, 0xFF, SIZE);
    return memory;
}

static enum source load(struct memory *memory, struct settings *settings, struct saving *saving)
{
    return settings_load(settings, saving, &(struct store){memory, read_byte, write_byte});
}

static enum save_state save(struct memory *memory, struct saving *saving, int32_t scale)
{
    struct settings settings = {.rate = 10, .calibrated = true, .scale = scale, .tare = -7, .threshold_mg = 150};
    struct store store = {memory, read_byte, write_byte};
    enum save_state state = SAVE_GOING;

    settings_save_begin(saving, &settings);
    for (int step = 0; step < 100 && state == SAVE_GOING; step++)
        state = settings_save_step(saving, &store);
    return state;
}

void new_memory_gives_defaults(void)
{
    struct memory memory = new_memory();
    struct settings settings;
    struct saving saving;

    CHECK_EQUAL(load(&memory, &settings, &saving), SOURCE_DEFAULTS);
    CHECK(settings.rate == 80 && !settings.calibrated && settings.scale != 0);
}

void saved_settings_come_back(void)
{
    struct memory memory = new_memory();
    struct settings settings;
    struct saving saving;

    load(&memory, &settings, &saving);
    for (int32_t scale = 1; scale < 6; scale++) {
        CHECK_EQUAL(save(&memory, &saving, -scale), SAVE_DONE);
        struct saving fresh;
        CHECK_EQUAL(load(&memory, &settings, &fresh), SOURCE_SAVED);
        CHECK(settings.rate == 10 && settings.calibrated && settings.tare == -7 && settings.threshold_mg == 150);
        CHECK_EQUAL(settings.scale, -scale);
        CHECK_EQUAL(fresh.slot, saving.slot);
    }
}

void a_torn_write_falls_back_to_the_previous_copy(void)
{
    static const uint8_t torn[] = {0x00, 0x01, 0x5A, 0xFF};

    for (int saved = 1; saved < 4; saved++)
        for (int cut = 0; cut <= SETTINGS_BYTES; cut++)
            for (size_t value = 0; value < sizeof torn; value++) {
                struct memory memory = new_memory();
                struct settings settings;
                struct saving saving;
                enum source source;

                load(&memory, &settings, &saving);
                for (int32_t scale = 1; scale <= saved; scale++)
                    CHECK_EQUAL(save(&memory, &saving, scale), SAVE_DONE);
                memory.writes_left = cut;
                memory.torn = torn[value];
                CHECK_EQUAL(save(&memory, &saving, saved + 1), SAVE_GOING);
                memory.writes_left = -1;
                source = load(&memory, &settings, &saving);
                /* Only in the last place may the torn byte happen to be the intended one. */
                bool done = cut == SETTINGS_BYTES && torn[value] == 0x01;
                CHECK_EQUAL(settings.scale, done ? saved + 1 : saved);
                CHECK(source == SOURCE_PREVIOUS || source == SOURCE_SAVED);
                CHECK_EQUAL(save(&memory, &saving, 77), SAVE_DONE);
                CHECK_EQUAL(load(&memory, &settings, &saving), SOURCE_SAVED);
                CHECK_EQUAL(settings.scale, 77);
            }
}

void a_flipped_bit_is_no_copy(void)
{
    struct memory memory = new_memory();
    struct settings settings;
    struct saving saving;

    load(&memory, &settings, &saving);
    save(&memory, &saving, 5);
    for (int bit = 0; bit < 8 * SETTINGS_BYTES; bit++) {
        memory.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK_EQUAL(load(&memory, &settings, &saving), SOURCE_BROKEN);
        memory.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    CHECK_EQUAL(load(&memory, &settings, &saving), SOURCE_SAVED);
}

void generations_wrap(void)
{
    struct memory memory = new_memory();
    struct settings settings;
    struct saving saving;

    load(&memory, &settings, &saving);
    for (int32_t scale = 1; scale <= 66000; scale++)
        save(&memory, &saving, scale);
    CHECK_EQUAL(load(&memory, &settings, &saving), SOURCE_SAVED);
    CHECK_EQUAL(settings.scale, 66000);
}

void memory_that_does_not_keep_is_told(void)
{
    struct memory memory = new_memory();
    struct settings settings;
    struct saving saving;

    load(&memory, &settings, &saving);
    memory.keeps = false;
    CHECK_EQUAL(save(&memory, &saving, 1), SAVE_FAILED);
}
