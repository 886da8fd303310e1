/* SPDX-License-Identifier: MIT
 * The transpose, for whole blocks and rests, with room between the rows that stays untouched.
 */
#include "core/transpose.h"

#include "support.h"

enum { MOST = 37, LDF = MOST + 4, LDT = MOST + 3 };

static void check(size_t rows, size_t cols)
{
    static im_real from[MOST * LDF], to[MOST * LDT];
    for (size_t i = 0; i < MOST * LDF; i++)
        from[i] = (im_real)i;
    for (size_t i = 0; i < MOST * LDT; i++)
        to[i] = -1;
    im_transpose(to, LDT, from, LDF, rows, cols);
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j < LDT; j++) {
            const im_real expected = i < cols && j < rows ? from[j * LDF + i] : (im_real)-1;
            if (to[i * LDT + j] != expected)
                fail_msg("%zu x %zu: element (%zu, %zu) is %g, not %g", rows, cols, i, j,
                         (double)to[i * LDT + j], (double)expected);
        }
}

static void elements_change_places(void **state)
{
    (void)state;
    const size_t sizes[] = {0, 1, 2, 7, 8, 9, 16, 31, 32, MOST};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            check(sizes[i], sizes[j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elements_change_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
