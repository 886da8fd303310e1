/* SPDX-License-Identifier: MIT
 *
 * For the tests of readers: files made byte by byte in a temporary directory, and what a
 * refusal must look like. Include it once, after _GNU_SOURCE.
 */
#ifndef DATA_FILES_H
#define DATA_FILES_H

#include "imsat/imsat.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

static char directory[64];

static inline int files_setup(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/imsat-test-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static inline int files_teardown(void **state)
{
    (void)state;
    char path[512];
    DIR *dir = opendir(directory);
    for (struct dirent *entry; dir && (entry = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (dir)
        closedir(dir);
    return rmdir(directory);
}

/* A path in the directory; the last 16 stay valid. */
static inline const char *file_path(const char *name)
{
    static char paths[16][256];
    static int next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline const char *file_put(const char *name, const void *data, size_t size)
{
    const char *path = file_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static inline const char *file_text(const char *name, const char *text)
{
    return file_put(name, text, strlen(text));
}

static inline const char *file_gzip(const char *name, const void *data, size_t size)
{
    const char *path = file_path(name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

/* Bytes of an npy file of version `major`.0 around a header text; returns their number. */
static inline size_t npy_bytes(unsigned char *out, int major, const char *header,
                               const void *data, size_t size)
{
    const size_t length = strlen(header), width = major == 1 ? 2 : 4;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (unsigned char)major;
    out[7] = 0;
    for (size_t i = 0; i < width; i++)
        out[8 + i] = (unsigned char)(length >> (8 * i));
    memcpy(out + 8 + width, header, length);
    memcpy(out + 8 + width + length, data, size);
    return 8 + width + length + size;
}

static inline const char *file_npy(const char *name, const char *header, const void *data,
                                   size_t size)
{
    unsigned char bytes[1 << 14];
    assert_true(size < sizeof bytes - 512);
    return file_put(name, bytes, npy_bytes(bytes, 1, header, data, size));
}

/* Opens one file; the test fails with its message if that fails. */
static inline imsat_data *open_with(const char *path, const char *label_column)
{
    const imsat_data_options options = {.label_column = label_column};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    if (imsat_data_open(&data, &path, 1, &options, &err) != IMSAT_OK)
        fail_msg("%s", err.message);
    return data;
}

static inline void assert_message(const imsat_error *err, const char *path, const char *part)
{
    if (!strstr(err->message, path) || !strstr(err->message, part))
        fail_msg("'%s' does not say '%s' of %s", err->message, part, path);
}

/* The file must be refused: this status, a message that names it and holds `part`. */
static inline void assert_refused_with(const char *path, const char *label_column,
                                       imsat_status status, const char *part)
{
    const imsat_data_options options = {.label_column = label_column};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, &err), status);
    assert_null(data);
    assert_message(&err, path, part);
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, NULL), status);
}

static inline void assert_refused(const char *path, const char *part)
{
    assert_refused_with(path, NULL, IMSAT_EFORMAT, part);
}

/* The rows of data must be these values. */
static inline void assert_rows(const imsat_data *data, const float *expected, size_t rows,
                               size_t dim)
{
    assert_int_equal(imsat_data_rows(data), rows);
    assert_int_equal(imsat_data_dim(data), dim);
    float *x = test_malloc(rows * dim * sizeof *x);
    assert_int_equal(imsat_data_read(data, 0, rows, x, NULL), IMSAT_OK);
    for (size_t i = 0; i < rows * dim; i++)
        if (x[i] < expected[i] || x[i] > expected[i])
            fail_msg("row %zu, column %zu: %.9g is not %.9g", i / dim, i % dim, (double)x[i],
                     (double)expected[i]);
    test_free(x);
}

#endif
