/* SPDX-License-Identifier: MIT
 * Tables of text with words, dates and missing values, in several ways to treat them. What was
 * read is finite, and is the same when the table is read once more by the schema that it gave,
 * as a model would read it.
 */
#include "data/dataset.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

enum { MOST = 1024 };

static void begin(void)
{
    fuzz_allow(16 << 20, 1); /* a word is a column: values are up to the square of the bytes */
    fuzz_seed_text(",day,city,x,ok\n0,1970-01-02,Rome,1.5,yes\n1,2001-12-05,Bern,,no\n");
    fuzz_seed_text("a;b;c\n1,5;u;NA\n-2,25;v;3\n");
    fuzz_seed_text("id\tname\tname\n1\tann\t?\n2\tbob\t-1e3\n");
    fuzz_seed_text("1,red,2024-01-31T12:30:15.5+02:00\n2,\"a \"\"b\"\", c\",1999-02-28\n");
    fuzz_seed_text(",0,1\n0,3,4\n1,,7\n");
}

static imsat_status open_by(imsat_data **out, const imsat_table_options *table,
                            const im_schema *given, imsat_error *err)
{
    const char *path = "x.csv";
    const imsat_status st = im_data_open(out, &path, 1, NULL, table, given, err);
    REQUIRE((st == IMSAT_OK) == (*out != NULL), "a handle after a failure, or none");
    return st;
}

static void check_values(const imsat_data *data)
{
    static float row[MOST * 2];
    imsat_error err;
    REQUIRE(data->rows > 0 && data->dim > 0 && data->dim <= MOST, "%zu rows of %zu values",
            data->rows, data->dim);
    for (size_t i = 0; i < data->rows; i++) {
        fuzz_succeeded(imsat_data_read(data, i, 1, row, &err), &err);
        for (size_t j = 0; j < data->dim; j++)
            REQUIRE(isfinite(row[j]), "row %zu, column %zu is %g", i, j, (double)row[j]);
    }
    for (size_t j = 0; j <= data->dim; j++)
        REQUIRE(j < data->dim || !imsat_data_column_name(data, j), "a name behind the last");
}

/* Read by its own schema it is the same. */
static void check_again(const imsat_data *data, const imsat_table_options *table)
{
    static float row[MOST], other[MOST];
    imsat_data *again = NULL;
    imsat_error err = {{0}};
    fuzz_succeeded(open_by(&again, table, &data->schema, &err), &err);
    REQUIRE(again->rows == data->rows && again->dim == data->dim,
            "%zu rows of %zu are %zu of %zu by their own schema", data->rows, data->dim,
            again->rows, again->dim);
    for (size_t i = 0; i < data->rows; i++) {
        fuzz_succeeded(imsat_data_read(data, i, 1, row, &err), &err);
        fuzz_succeeded(imsat_data_read(again, i, 1, other, &err), &err);
        REQUIRE(memcmp(row, other, data->dim * sizeof *row) == 0,
                "row %zu is another by its own schema", i);
    }
    imsat_data_free(again);
}

static bool try_way(const imsat_table_options *table)
{
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    const imsat_status st = open_by(&data, table, NULL, &err);
    if (st != IMSAT_OK) {
        fuzz_refused(st, &err, "x.csv");
        return false;
    }
    if (im_data_is_sparse(data)) { /* no table, and it may be wide */
        imsat_data_free(data);
        return false;
    }
    check_values(data);
    if (data->schema.count > 0)
        check_again(data, table);
    imsat_data_free(data);
    return true;
}

static bool run(const uint8_t *input, size_t size)
{
    static const imsat_table_options ways[] = {
        {sizeof *ways, NULL, NULL, IMSAT_MISSING_MEAN, IMSAT_CATEGORIES_ONE_HOT},
        {sizeof *ways, NULL, NULL, IMSAT_MISSING_MEDIAN, IMSAT_CATEGORIES_DROP},
        {sizeof *ways, NULL, NULL, IMSAT_MISSING_DROP, IMSAT_CATEGORIES_ONE_HOT},
        {sizeof *ways, NULL, NULL, IMSAT_MISSING_DROP, IMSAT_CATEGORIES_DROP},
    };
    bool accepted = false;
    fuzz_file_put("x.csv", input, size);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        accepted |= try_way(&ways[i]);
    return accepted;
}

const fuzz_target fuzz_this = {"tables", MOST, begin, run, NULL};
