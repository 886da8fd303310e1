/* SPDX-License-Identifier: MIT
 *
 * svmlight, as libsvm and scikit-learn read it: a line a row, its label (0 if there is none),
 * then column:value of what is not zero, columns counted from 1. Values have nine digits, so
 * that they read back to the same floats.
 */
#include "core/alloc.h"
#include "core/writer.h"
#include "data/dataset.h"

#include <stdio.h>

enum { ENTRY_ROOM = 64 };

/* A line; text has room for all of it. */
static size_t write_line(char *text, const float *row, size_t dim, int32_t label)
{
    size_t used = (size_t)snprintf(text, ENTRY_ROOM, "%ld", (long)label);
    for (size_t j = 0; j < dim; j++)
        if (row[j] != 0)
            used +=
                (size_t)snprintf(text + used, ENTRY_ROOM, " %zu:%.9g", j + 1, (double)row[j]);
    text[used++] = '\n';
    return used;
}

imsat_status imsat_svmlight_write(const char *path, const imsat_data *data, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(data);
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    float *row = im_alloc(data->dim, sizeof *row);
    char *text = im_alloc_unset(data->dim + 1, ENTRY_ROOM);
    if (!row || !text) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    IM_TRY(im_writer_open(&writer, path, err));
    for (size_t i = 0; i < data->rows; i++) {
        im_data_row(row, data, i);
        const size_t size =
            write_line(text, row, data->dim, data->labels ? data->labels[i] : 0);
        IM_TRY(im_writer_put(&writer, text, size, err));
    }
    IM_TRY(im_writer_commit(&writer, err));

cleanup:
    im_writer_clear(&writer);
    im_free(row);
    im_free(text);
    return st;
}
