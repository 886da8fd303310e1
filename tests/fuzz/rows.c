/* SPDX-License-Identifier: MIT
 * See rows.h. */
#include "rows.h"

#include "data/dataset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void check_shape(const imsat_data *data, size_t size)
{
    const imsat_image image = imsat_data_image(data);
    const size_t rows = imsat_data_rows(data), dim = imsat_data_dim(data);
    REQUIRE(rows > 0 && dim > 0 && rows <= size && dim <= size && rows * dim <= size,
            "%zu rows of %zu values from %zu bytes", rows, dim, size);
    REQUIRE(!image.height || image.height * image.width * image.channels == dim,
            "images of %zu x %zu x %zu in rows of %zu", image.height, image.width,
            image.channels, dim);
    REQUIRE(imsat_data_describe(data, 0) && !imsat_data_describe(data, 1),
            "one file, and not one description");
}

/* All rows, each by itself: the same as in one call. */
static void check_values(fuzz_rows *out, const imsat_data *data, imsat_error *err)
{
    static float row[ROWS_MOST];
    out->rows = imsat_data_rows(data);
    out->dim = imsat_data_dim(data);
    fuzz_succeeded(imsat_data_read(data, 0, out->rows, out->x, err), err);
    for (size_t i = 0; i < out->rows; i++) {
        fuzz_succeeded(imsat_data_read(data, i, 1, row, err), err);
        REQUIRE(memcmp(row, out->x + i * out->dim, out->dim * sizeof *row) == 0,
                "row %zu differs", i);
    }
    for (size_t i = 0; i < out->rows * out->dim; i++)
        REQUIRE(isfinite(out->x[i]), "value %zu is %g", i, (double)out->x[i]);
    REQUIRE(imsat_data_read(data, 1, out->rows, row, err) == IMSAT_EINVAL,
            "a row behind the last is read");
}

/* Write the values and read them back. */
static void check_written(const fuzz_rows *r, imsat_error *err)
{
    static float again[ROWS_MOST];
    const char *path = "again.npy";
    imsat_data *data = NULL;
    fuzz_succeeded(imsat_npy_write_float(path, r->x, r->rows, r->dim, err), err);
    fuzz_succeeded(imsat_data_open(&data, &path, 1, NULL, err), err);
    REQUIRE(imsat_data_rows(data) == r->rows && imsat_data_dim(data) == r->dim,
            "%zu rows of %zu come back as %zu of %zu", r->rows, r->dim, imsat_data_rows(data),
            imsat_data_dim(data));
    fuzz_succeeded(imsat_data_read(data, 0, r->rows, again, err), err);
    REQUIRE(memcmp(again, r->x, r->rows * r->dim * sizeof *again) == 0,
            "what is written is not what is read");
    imsat_data_free(data);
}

bool rows_read(fuzz_rows *out, const char *path, size_t size, const char *label_column)
{
    const imsat_data_options options = {.label_column = label_column};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_open(&data, &path, 1, &options, &err);
    if (st != IMSAT_OK) {
        REQUIRE(!data, "a handle after a failure");
        char file[64];
        snprintf(file, sizeof file, "%.*s", (int)strcspn(path, ":"), path);
        fuzz_refused(st, &err, file);
        return false;
    }
    if (im_data_is_sparse(data)) { /* which have targets of their own, and may be wide */
        imsat_data_free(data);
        return false;
    }
    check_shape(data, size);
    check_values(out, data, &err);
    out->has_labels = imsat_data_labels(data) != NULL;
    REQUIRE(out->has_labels || !label_column, "no labels, which were asked for");
    if (out->has_labels)
        memcpy(out->labels, imsat_data_labels(data), out->rows * sizeof *out->labels);
    imsat_data_free(data);
    check_written(out, &err);
    return true;
}

void rows_seed_npy(int major, const char *header, size_t size)
{
    const size_t length = strlen(header), prefix = major == 1 ? 10 : 12;
    uint8_t bytes[ROWS_MOST] = {0x93,           'N', 'U', 'M', 'P', 'Y', (uint8_t)major, 0,
                                (uint8_t)length};
    REQUIRE(length < 256 && prefix + length + size <= sizeof bytes, "a seed is too large");
    memcpy(bytes + prefix, header, length);
    for (size_t i = 0; i < size; i++)
        bytes[prefix + length + i] = (uint8_t)(0x38 + (i * 5 + i / 2 + i / 16) % 8);
    fuzz_seed(bytes, prefix + length + size);
}
