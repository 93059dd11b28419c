/* What survives a power cut: two copies, each with version, generation and checksum. A new one overwrites the older,
   so that a torn write costs the new values, never the old ones. */
#ifndef TENSHU_SETTINGS_H
#define TENSHU_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#define SETTINGS_BYTES 19
#define SETTINGS_SLOT 32 /* distance between the copies, in bytes */

struct settings {
    uint8_t rate;
    bool calibrated;
    int32_t scale; /* counts per kilogram, not 0 */
    int32_t tare;  /* counts */
    int32_t threshold_mg;
};

enum source { SOURCE_DEFAULTS, SOURCE_SAVED, SOURCE_PREVIOUS, SOURCE_BROKEN };

struct store {
    void *context;
    uint8_t (*read)(void *context, uint8_t at);
    bool (*write)(void *context, uint8_t at, uint8_t byte); /* false: still busy with the previous byte */
};

struct saving {
    bool active;
    uint8_t slot;       /* where the next copy goes */
    uint16_t generation; /* of the newest copy */
    uint8_t at;
    uint8_t bytes[SETTINGS_BYTES];
};

enum save_state { SAVE_GOING, SAVE_DONE, SAVE_FAILED };

/* SOURCE_BROKEN: there were copies, none intact; `settings` gets the defaults, as with SOURCE_DEFAULTS. */
enum source settings_load(struct settings *settings, struct saving *saving, const struct store *store);

void settings_save_begin(struct saving *saving, const struct settings *settings);
/* Writes at most one byte; call until the result is not SAVE_GOING. */
enum save_state settings_save_step(struct saving *saving, const struct store *store);

#endif
