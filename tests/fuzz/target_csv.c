/* SPDX-License-Identifier: MIT
 * Tables of text as data, with and without a column of labels. Rows that were read are printed
 * and read again. */
#include "rows.h"

#include <stdio.h>
#include <string.h>

static void begin(void)
{
    fuzz_seed_text("1,2,3\n4,5.5,-6e2\n7,8,9\n");
    fuzz_seed_text("a,\"b \"\"c\"\"\",label\r\n0.1,2,3\r\n3,4e-3,-1\r\n");
    fuzz_seed_text("0.1,2,ox\r\n3,4e-3,\"a, b\"\r\n");
    fuzz_seed_text("# by hand\n1\t2\tx\n\n3\t4\ty\n");
    fuzz_seed_text("1.234567890123456789e+00 2\n3 -4\n");
    fuzz_seed_text("\xEF\xBB\xBFx;label\n1;7\n0.000001;07\n");
}

/* Nine digits are enough to read back the same float. */
static void check_printed(const fuzz_rows *r)
{
    static char text[16 * ROWS_MOST];
    static fuzz_rows again;
    size_t used = 0;
    for (size_t i = 0; i < r->rows * r->dim; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%.9g%c", (double)r->x[i],
                                 (i + 1) % r->dim ? ',' : '\n');
    fuzz_file_put("printed.csv", text, used);
    REQUIRE(rows_read(&again, "printed.csv", used, NULL), "what was printed is refused");
    REQUIRE(again.rows == r->rows && again.dim == r->dim &&
                memcmp(again.x, r->x, r->rows * r->dim * sizeof *r->x) == 0,
            "what is printed is not what is read");
}

static bool run(const uint8_t *input, size_t size)
{
    static const char *const columns[] = {NULL, "-1", "label"};
    static fuzz_rows r;
    bool accepted = false;
    fuzz_file_put("x.csv", input, size);
    for (size_t i = 0; i < 3; i++)
        if (rows_read(&r, "x.csv", size, columns[i])) {
            accepted = true;
            REQUIRE(r.has_labels == (columns[i] != NULL), "labels that were not asked for");
            if (r.rows * r.dim <= 64)
                check_printed(&r);
        }
    if (size && memchr(input, '\t', size)) {
        fuzz_file_put("x.tsv", input, size);
        accepted |= rows_read(&r, "x.tsv", size, NULL);
    }
    return accepted;
}

const fuzz_target fuzz_this = {"csv", ROWS_MOST / 2, begin, run, NULL};
