/* Both directions of the wire against firmware/protocol/vectors.txt, which the host's tests read as well. */
#include "check.h"
#include "tests.h"

#include "../../../firmware/core/crc.h"
#include "../../../firmware/core/line.h"
#include "../../../firmware/core/order.h"
#include "../../../firmware/core/ratio.h"
#include "../../../firmware/core/text.h"

#define COLUMNS 6

struct vector {
    char text[512];
    char *column[COLUMNS];
    size_t length; /* of the last column, which may hold any byte */
};

static size_t unescape(char *text)
{
    char *to = text, *from = text;

    while (*from)
        if (from[0] == '\\' && from[1] == 'x') {
            char digits[3] = {from[2], from[3], 0};
            *to++ = (char)strtol(digits, NULL, 16);
            from += 4;
        } else {
            *to++ = *from++;
        }
    return (size_t)(to - text);
}

static bool read_vector(FILE *file, struct vector *vector)
{
    while (fgets(vector->text, sizeof vector->text, file)) {
        vector->text[strcspn(vector->text, "\n")] = 0;
        if (vector->text[0] == 0 || vector->text[0] == '#')
            continue;
        char *rest = vector->text;
        for (int at = 0; at < COLUMNS; at++) {
            vector->column[at] = rest;
            rest = strchr(rest, '\t');
            CHECK((rest == NULL) == (at == COLUMNS - 1));
            if (rest)
                *rest++ = 0;
        }
        vector->length = unescape(vector->column[COLUMNS - 1]);
        return true;
    }
    return false;
}

static int each(const char *direction, const char *verdict, void (*check)(const struct vector *))
{
    FILE *file = fopen(vectors_path, "r");
    struct vector vector;
    int seen = 0;

    CHECK(file);
    while (read_vector(file, &vector))
        if (strcmp(vector.column[0], direction) == 0 && strcmp(vector.column[1], verdict) == 0) {
            check(&vector);
            seen++;
        }
    fclose(file);
    CHECK(seen > 3);
    return seen;
}

static void check_crc(const struct vector *vector)
{
    CHECK_EQUAL(crc16(vector->column[5], (uint8_t)vector->length), strtol(vector->column[2], NULL, 16));
}

void vectors_of_the_checksum(void)
{
    each("crc", "good", check_crc);
}

static void add_field(struct line *line, const char *field)
{
    char *end;
    long long number = strtoll(field, &end, 10);

    if (*end || !*field)
        line_word(line, field);
    else if (number < 0)
        line_i32(line, (int32_t)number);
    else
        line_u32(line, (uint32_t)number);
}

static void check_composed(const struct vector *vector)
{
    struct line line;
    char *field = strtok(vector->column[4], ",");

    line_begin(&line, (uint16_t)atoi(vector->column[2]), (uint32_t)strtoul(vector->column[3], NULL, 10), field);
    while ((field = strtok(NULL, ",")))
        add_field(&line, field);
    line_end(&line);
    CHECK_EQUAL(line.length, vector->length + 2);
    CHECK(memcmp(line.text, vector->column[5], vector->length) == 0);
    CHECK(memcmp(line.text + vector->length, "\r\n", 2) == 0);
}

void vectors_of_the_board(void)
{
    each("device", "good", check_composed);
}

static enum reason judged(const struct vector *vector, struct order *order)
{
    struct order_reader reader = {0};
    enum reason reason = REASON_NONE;

    for (size_t at = 0; at < vector->length; at++)
        CHECK(!order_byte(&reader, vector->column[5][at], order, &reason));
    CHECK(order_byte(&reader, '\n', order, &reason));
    CHECK(!order_byte(&reader, '\n', order, &reason)); /* an empty line is ignored */
    return reason;
}

static void arguments(const struct order *order, char *to)
{
    bool calibrates = order->command == COMMAND_CALIBRATE;
    bool numbered = calibrates || order->command == COMMAND_RATE || order->command == COMMAND_THRESHOLD ||
                    order->command == COMMAND_STREAM;

    sprintf(to, "%s%ld", calibrates ? order->cubes ? "cubes," : "mass," : "", (long)order->value);
    if (!numbered)
        strcpy(to, "-");
}

static void check_order(const struct vector *vector)
{
    struct order order;
    char said[40];

    CHECK_EQUAL(judged(vector, &order), REASON_NONE);
    CHECK_EQUAL(order.id, atoi(vector->column[2]));
    CHECK(strcmp(command_name(order.command), vector->column[3]) == 0);
    arguments(&order, said);
    CHECK(strcmp(said, vector->column[4]) == 0);
}

static void check_refused(const struct vector *vector)
{
    struct order order;
    enum reason reason = judged(vector, &order);

    if (strcmp(reason_name((uint8_t)reason), vector->column[2]) == 0)
        return;
    fprintf(stderr, "%s: %s, should be %s\n", vector->column[5], reason_name((uint8_t)reason), vector->column[2]);
    exit(1);
}

void vectors_to_the_board(void)
{
    each("host", "good", check_order);
    each("host", "bad", check_refused);
}

static enum reason hear(struct order_reader *reader, const char *line)
{
    struct order order;
    enum reason reason = REASON_NONE;

    while (*line)
        order_byte(reader, *line++, &order, &reason);
    CHECK(order_byte(reader, '\r', &order, &reason));
    return reason;
}

void a_piece_of_a_broken_order_is_no_typed_line(void)
{
    struct order_reader reader = {0};

    CHECK_EQUAL(hear(&reader, ">12"), REASON_FORM);
    CHECK_EQUAL(hear(&reader, "SAVE"), REASON_FORM);
    CHECK_EQUAL(hear(&reader, "SAVE"), REASON_NONE);
    CHECK_EQUAL(hear(&reader, "sav"), REASON_COMMAND);
    CHECK_EQUAL(hear(&reader, "save"), REASON_NONE);
}

void a_line_too_long_for_any_kind_stays_within_its_bounds(void)
{
    struct line line;

    line_begin(&line, 999, UINT32_MAX, "SETTLED");
    for (int at = 0; at < 20; at++)
        line_i32(&line, INT32_MIN);
    line_end(&line);
    CHECK_EQUAL(line.length, LINE_MAX_BYTES + 2);
}

void numbers_at_their_ends(void)
{
    char text[TEXT_NUMBER_MAX];
    int32_t number;

    CHECK_EQUAL(text_i32(text, INT32_MIN), 11);
    CHECK(memcmp(text, "-2147483648", 11) == 0);
    CHECK_EQUAL(text_u32(text, UINT32_MAX), 10);
    CHECK(memcmp(text, "4294967295", 10) == 0);
    CHECK(text_to_number("999999999", 9, &number) && number == 999999999);
    CHECK(!text_to_number("1000000000", 10, &number));
    CHECK(!text_to_number("", 0, &number));
}

void ratios_are_rounded_and_held(void)
{
    CHECK_EQUAL(ratio(7, 1, 2), 4);
    CHECK_EQUAL(ratio(-7, 1, 2), -4);
    CHECK_EQUAL(ratio(7, 1, -3), -2);
    CHECK_EQUAL(ratio(-8388608, 125000, 2147000), -488391);
    CHECK_EQUAL(ratio(INT32_MAX, INT32_MAX, 1), INT32_MAX);
    CHECK_EQUAL(ratio(INT32_MIN, INT32_MAX, 1), -INT32_MAX);
    CHECK_EQUAL(ratio(INT32_MIN, 1, INT32_MIN), 1);
}
