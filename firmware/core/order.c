#include "order.h"

#include "crc.h"
#include "text.h"

#define WORDS_MAX 4 /* one more than any command has, to detect surplus arguments */

static const IN_FLASH char command_names[COMMANDS][10] = {"HELLO",     "TARE",   "CALIBRATE", "RATE",
                                                          "THRESHOLD", "STREAM", "SAVE",      "RESET"};
static const IN_FLASH char reason_names[REASONS][10] = {"",         "length",  "character", "form",
                                                        "checksum", "command", "argument",  "busy",
                                                        "moving",   "light",   "fault",     "storage"};
static const IN_FLASH char mass_word[] = "mass";
static const IN_FLASH char cubes_word[] = "cubes";

struct words {
    uint8_t count;
    uint8_t length[WORDS_MAX];
    const char *at[WORDS_MAX];
};

word command_name(uint8_t command)
{
    return command_names[command];
}

word reason_name(uint8_t reason)
{
    return reason_names[reason];
}

static void split(struct words *words, const char *text, uint8_t length, char separator)
{
    words->count = 1;
    words->length[0] = 0;
    words->at[0] = text;
    for (; length; length--, text++) {
        if (*text != separator) {
            words->length[words->count - 1]++;
        } else if (words->count < WORDS_MAX) {
            words->at[words->count] = text + 1;
            words->length[words->count++] = 0;
        } else {
            return;
        }
    }
}

static enum reason number_argument(const struct words *words, uint8_t which, int32_t low, int32_t high,
                                   struct order *order)
{
    if (words->count != which + 1 || !text_to_number(words->at[which], words->length[which], &order->value) ||
        order->value < low || order->value > high)
        return REASON_ARGUMENT;
    return REASON_NONE;
}

static enum reason calibrate_arguments(const struct words *words, struct order *order)
{
    if (words->count != 3)
        return REASON_ARGUMENT;
    if (text_is(words->at[1], words->length[1], mass_word))
        return number_argument(words, 2, 1000, 5000000, order);
    order->cubes = true;
    if (text_is(words->at[1], words->length[1], cubes_word))
        return number_argument(words, 2, 1, 999, order);
    return REASON_ARGUMENT;
}

static enum reason rate_argument(const struct words *words, struct order *order)
{
    enum reason reason = number_argument(words, 1, 10, 80, order);

    return reason == REASON_NONE && order->value != 10 && order->value != 80 ? REASON_ARGUMENT : reason;
}

static enum reason understand(const struct words *words, struct order *order)
{
    for (order->command = 0; !text_is(words->at[0], words->length[0], command_names[order->command]);)
        if (++order->command == COMMANDS)
            return REASON_COMMAND;
    switch (order->command) {
    case COMMAND_CALIBRATE:
        return calibrate_arguments(words, order);
    case COMMAND_RATE:
        return rate_argument(words, order);
    case COMMAND_THRESHOLD:
        return number_argument(words, 1, 0, 100000, order);
    case COMMAND_STREAM:
        return number_argument(words, 1, 0, 80, order);
    default:
        return words->count == 1 ? REASON_NONE : REASON_ARGUMENT;
    }
}

static int8_t digit(char character)
{
    if (character >= '0' && character <= '9')
        return (int8_t)(character - '0');
    if (character >= 'A' && character <= 'F')
        return (int8_t)(character - 'A' + 10);
    return -1;
}

static enum reason check_sum(const char *text, uint8_t length)
{
    uint16_t told = 0;

    for (uint8_t at = (uint8_t)(length - 4); at < length; at++) {
        int8_t value = digit(text[at]);
        if (value < 0)
            return REASON_FORM;
        told = (uint16_t)(told << 4 | (uint16_t)value);
    }
    return told == crc16(text + 1, (uint8_t)(length - 6)) ? REASON_NONE : REASON_CHECKSUM;
}

static enum reason framed(const char *text, uint8_t length, struct order *order)
{
    struct words words;
    int32_t id;
    enum reason reason;

    if (length < 6 || text[length - 5] != '*')
        return REASON_FORM;
    for (uint8_t at = 1; at < length - 5; at++)
        if (text[at] == '$' || text[at] == '>' || text[at] == '*')
            return REASON_FORM;
    reason = check_sum(text, length);
    if (reason != REASON_NONE)
        return reason;
    split(&words, text + 1, (uint8_t)(length - 6), ',');
    if (!text_to_number(words.at[0], words.length[0], &id) || id < 1 || id > 999)
        return REASON_FORM;
    order->id = (uint16_t)id;
    if (words.count < 2)
        return REASON_COMMAND;
    /* The command and its arguments, again with room for one too many. */
    split(&words, words.at[1], (uint8_t)(text + length - 5 - words.at[1]), ',');
    return understand(&words, order);
}

/* Upper case for the command, lower case for the rest, single spaces between. False: an illegal character. */
static bool tidy(char *text, uint8_t *length)
{
    uint8_t to = 0;
    bool first = true;

    for (uint8_t at = 0; at < *length; at++) {
        char c = text[at];
        bool small = c >= 'a' && c <= 'z', capital = c >= 'A' && c <= 'Z';

        if (!small && !capital && !(c >= '0' && c <= '9') && c != ' ' && c != '-')
            return false;
        if (c == ' ' && (to == 0 || text[to - 1] == ' '))
            continue;
        first = first && c != ' ';
        if (first && small)
            c = (char)(c - 'a' + 'A');
        if (!first && capital)
            c = (char)(c - 'A' + 'a');
        text[to++] = c;
    }
    if (to && text[to - 1] == ' ')
        to--;
    *length = to;
    return true;
}

static enum reason judge(struct order_reader *reader, struct order *order)
{
    struct words words;
    bool broken = reader->broken;

    reader->broken = false;
    if (reader->too_long)
        return REASON_LENGTH;
    if (reader->unprintable)
        return REASON_CHARACTER;
    if (reader->text[0] == '>')
        return framed(reader->text, reader->length, order);
    /* A typed line has no checksum. What follows a broken order may be its rest, after a byte corrupted to a line
       end. */
    if (broken || !tidy(reader->text, &reader->length))
        return REASON_FORM;
    split(&words, reader->text, reader->length, ' ');
    return understand(&words, order);
}

static bool only_spaces(const struct order_reader *reader)
{
    for (uint8_t at = 0; at < reader->length; at++)
        if (reader->text[at] != ' ')
            return false;
    return !reader->too_long && !reader->unprintable;
}

bool order_byte(struct order_reader *reader, char byte, struct order *order, enum reason *reason)
{
    bool ended = byte == '\n' || byte == '\r';

    if (!ended) {
        if (reader->length == 0)
            reader->starts_framed = byte == '>';
        reader->unprintable |= byte < 0x20 || byte > 0x7E;
        reader->too_long |= reader->length == ORDER_MAX_BYTES;
        if (!reader->too_long)
            reader->text[reader->length++] = byte;
        return false;
    }
    ended = !only_spaces(reader);
    if (ended) {
        *order = (struct order){0};
        *reason = judge(reader, order);
        reader->broken = *reason != REASON_NONE && reader->starts_framed;
    }
    reader->length = 0;
    reader->starts_framed = false;
    reader->too_long = reader->unprintable = false;
    return ended;
}
