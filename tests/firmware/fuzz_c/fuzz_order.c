/* Mutated orders for the board's parser: `fuzz-order LINES SEED VECTORS` and `fuzz-order bursts VECTORS [ORDERS]`.

   A burst of up to 16 bits, up to three flipped bits, and two swapped bytes must never be believed: the checksum
   promises that. Of other damage that keeps the form, one in 65,536 passes by chance; it is counted. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../firmware/core/order.h"

#define ORDERS 64
#define LONGEST 160

struct text {
    int length;
    unsigned char bytes[LONGEST];
};

static struct text orders[ORDERS];
static int order_count;
static uint64_t state;

static struct {
    unsigned long long lines, refused, same, other, promised_other;
} tally;

static uint32_t chance(uint32_t below)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(((z ^ z >> 31) >> 32) * below >> 32);
}

static void read_orders(const char *path)
{
    char row[512];
    FILE *file = fopen(path, "r");

    if (!file)
        exit(2);
    while (fgets(row, sizeof row, file) && order_count < ORDERS) {
        char *line = strrchr(row, '\t');
        row[strcspn(row, "\n")] = 0;
        if (strncmp(row, "host\tgood\t", 10) != 0 || !line || line[1] != '>')
            continue;
        orders[order_count].length = (int)strlen(line + 1);
        memcpy(orders[order_count++].bytes, line + 1, strlen(line + 1));
    }
    fclose(file);
    if (order_count < 10)
        exit(2);
}

/* ---- damage; true if it must be detected ---- */

static void flip(struct text *text, int bit)
{
    text->bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
}

static bool flip_burst(struct text *text)
{
    int width = 1 + (int)chance(16), start = (int)chance((uint32_t)(8 * text->length - width + 1));
    uint32_t pattern = chance(UINT32_MAX) | 1u | 1u << (width - 1);

    for (int bit = 0; bit < width; bit++)
        if (pattern >> bit & 1)
            flip(text, start + bit);
    return true;
}

static bool flip_some(struct text *text)
{
    int last = -1;

    for (uint32_t left = 1 + chance(3); left; left--) {
        int bit = (int)chance((uint32_t)(8 * text->length));
        if (bit != last) /* flipping it back would be no damage */
            flip(text, bit);
        last = bit;
    }
    return true;
}

static bool cut(struct text *text)
{
    int start = (int)chance((uint32_t)text->length), count = 1 + (int)chance((uint32_t)(text->length - start));

    memmove(text->bytes + start, text->bytes + start + count, (size_t)(text->length - start - count));
    text->length -= count;
    return false;
}

static bool insert(struct text *text)
{
    static const char marks[] = "$>*,-\r\n0123456789ABCDEF";
    int at = (int)chance((uint32_t)text->length + 1), count = 1 + (int)chance(4);

    memmove(text->bytes + at + count, text->bytes + at, (size_t)(text->length - at));
    for (int one = 0; one < count; one++)
        text->bytes[at + one] = (unsigned char)marks[chance(sizeof marks - 1)];
    text->length += count;
    return false;
}

static bool swap(struct text *text)
{
    int at = (int)chance((uint32_t)text->length - 1);
    unsigned char first = text->bytes[at];

    text->bytes[at] = text->bytes[at + 1];
    text->bytes[at + 1] = first;
    return true;
}

static bool splice(struct text *text)
{
    const struct text *other = &orders[chance((uint32_t)order_count)];
    int keep = (int)chance((uint32_t)text->length), from = (int)chance((uint32_t)other->length);

    memcpy(text->bytes + keep, other->bytes + from, (size_t)(other->length - from));
    text->length = keep + other->length - from;
    return false;
}

static bool noise(struct text *text)
{
    text->length = (int)chance(100);
    for (int at = 0; at < text->length; at++)
        text->bytes[at] = (unsigned char)chance(256);
    return false;
}

static bool (*const damages[])(struct text *) = {flip_burst, flip_burst, flip_some, cut, insert, swap, splice, noise};

/* ---- judging ---- */

static bool known(const struct order *order)
{
    for (int at = 0; at < order_count; at++) {
        struct order_reader reader = {0};
        struct order sent;
        enum reason reason = REASON_NONE;
        for (int byte = 0; byte < orders[at].length; byte++)
            order_byte(&reader, (char)orders[at].bytes[byte], &sent, &reason);
        order_byte(&reader, '\n', &sent, &reason);
        if (sent.id == order->id && sent.command == order->command && sent.value == order->value &&
            sent.cubes == order->cubes)
            return true;
    }
    return false;
}

static void believed(const struct order *order, const struct text *text, bool promised)
{
    if (known(order)) {
        tally.same++;
        return;
    }
    tally.other++;
    tally.promised_other += promised;
    if (tally.other > 20 && !promised)
        return;
    printf("believed%s: id %u command %u value %ld from ", promised ? " AGAINST THE PROMISE" : "", order->id,
           order->command, (long)order->value);
    for (int at = 0; at < text->length; at++)
        printf(text->bytes[at] < 32 || text->bytes[at] > 126 ? "\\x%02X" : "%c", text->bytes[at]);
    putchar('\n');
}

static void hear(const struct text *text, bool promised)
{
    static struct order_reader reader;
    struct order order;
    enum reason reason = REASON_NONE;

    for (int at = 0; at <= text->length; at++)
        if (order_byte(&reader, at < text->length ? (char)text->bytes[at] : '\n', &order, &reason)) {
            if (reason == REASON_NONE)
                believed(&order, text, promised);
            else
                tally.refused++;
        }
}

static void fuzz(long long lines)
{
    for (; tally.lines < (unsigned long long)lines; tally.lines++) {
        struct text text = orders[chance((uint32_t)order_count)];
        bool promised = damages[chance(sizeof damages / sizeof *damages)](&text);
        hear(&text, promised);
    }
}

/* Every possible burst. */
static void bursts(int upto)
{
    for (int which = 0; which < upto && which < order_count; which++)
        for (int start = 0; start < 8 * orders[which].length; start++)
            for (uint32_t pattern = 1; pattern < 1u << 16; pattern += 2) {
                struct text text = orders[which];
                if (pattern >> (8 * text.length - start > 16 ? 16 : 8 * text.length - start))
                    break;
                for (int bit = 0; pattern >> bit; bit++)
                    if (pattern >> bit & 1)
                        flip(&text, start + bit);
                hear(&text, true);
                tally.lines++;
            }
}

int main(int count, char **words)
{
    bool every = count > 2 && strcmp(words[1], "bursts") == 0;

    if (count < 3 || (!every && count < 4))
        return 2;
    read_orders(every ? words[2] : words[3]);
    if (every) {
        bursts(count > 3 ? atoi(words[3]) : ORDERS);
        tally.promised_other += tally.same; /* a damaged order that is understood as sent is believed as well */
    } else {
        state = strtoull(words[2], 0, 10);
        fuzz(atoll(words[1]));
    }
    printf("%llu damaged orders: %llu refusals, %llu understood as sent, %llu believed otherwise, %llu against the promise\n",
           tally.lines, tally.refused, tally.same, tally.other, tally.promised_other);
    return tally.promised_other != 0;
}
