#include "check.h"
#include "tests.h"

const char *vectors_path;

#define ROW(name) {#name, name},
static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {TESTS(ROW)};

int main(int count, char **words)
{
    if (count != 3) {
        fprintf(stderr, "core-tests VECTORS TEST\n");
        return 2;
    }
    vectors_path = words[1];
    for (size_t at = 0; at < sizeof tests / sizeof *tests; at++)
        if (strcmp(tests[at].name, words[2]) == 0) {
            tests[at].run();
            return 0;
        }
    fprintf(stderr, "no test %s\n", words[2]);
    return 2;
}
