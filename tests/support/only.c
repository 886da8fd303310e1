/* SPDX-License-Identifier: MIT
 *
 * Run some of a program's tests: IMSAT_TESTS_ONLY="one,two" in the environment. Every test
 * program is linked with -Wl,--wrap=_cmocka_run_group_tests, so cmocka_run_group_tests()
 * comes by here. (cmocka's own filter takes one pattern, and a name that is misspelled leaves
 * nothing to run and nothing to fail.)
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TESTS = 64 };

int __real__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                                   size_t count, CMFixtureFunction setup,
                                   CMFixtureFunction teardown);
int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                                   size_t count, CMFixtureFunction setup,
                                   CMFixtureFunction teardown);

/* The test whose name is the first `length` characters of name; count if there is none. */
static size_t find(const struct CMUnitTest *tests, size_t count, const char *name,
                   size_t length)
{
    size_t i = 0;
    while (i < count &&
           (strncmp(tests[i].name, name, length) != 0 || tests[i].name[length] != '\0'))
        i++;
    return i;
}

/* The named tests; 0 if a name is unknown, or there are too many. */
static size_t choose(struct CMUnitTest *chosen, const struct CMUnitTest *tests, size_t count,
                     const char *names)
{
    size_t some = 0;
    for (;;) {
        const size_t length = strcspn(names, ","), at = find(tests, count, names, length);
        if (at == count || some == MOST_TESTS) {
            fprintf(stderr, "IMSAT_TESTS_ONLY: no test '%.*s'\n", (int)length, names);
            return 0;
        }
        chosen[some++] = tests[at];
        if (names[length] == '\0')
            return some;
        names += length + 1;
    }
}

int __wrap__cmocka_run_group_tests(const char *group, const struct CMUnitTest *tests,
                                   size_t count, CMFixtureFunction setup,
                                   CMFixtureFunction teardown)
{
    const char *names = getenv("IMSAT_TESTS_ONLY");
    struct CMUnitTest chosen[MOST_TESTS];
    if (!names)
        return __real__cmocka_run_group_tests(group, tests, count, setup, teardown);
    const size_t some = choose(chosen, tests, count, names);
    if (some == 0)
        return 2;
    return __real__cmocka_run_group_tests(group, chosen, some, setup, teardown);
}
