/* SPDX-License-Identifier: MIT
 * Files for the tests of readers; see data_files.h. */
#include "data_files.h"

#include "data/dataset.h"
#include "failing_alloc.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

const char *file_put(const char *name, const void *data, size_t size)
{
    const char *path = in_folder(name);
    write_file(path, data, size);
    return path;
}

const char *file_text(const char *name, const char *text)
{
    return file_put(name, text, strlen(text));
}

const char *file_gzip(const char *name, const void *data, size_t size)
{
    const char *path = in_folder(name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

/* Write one member of a gzip file `count` times. */
static void put_members(FILE *file, const void *data, size_t size, size_t count)
{
    const size_t room = compressBound((uLong)size) + 64;
    unsigned char *packed = test_malloc(room);
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)data,
                  .avail_in = (unsigned)size,
                  .next_out = packed,
                  .avail_out = (unsigned)room};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(fwrite(packed, 1, z.total_out, file), z.total_out);
    assert_int_equal(deflateEnd(&z), Z_OK);
    test_free(packed);
}

const char *file_bomb(const char *name, const void *head, size_t head_size, const void *block,
                      size_t block_size, size_t count)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    put_members(file, head, head_size, 1);
    put_members(file, block, block_size, count);
    assert_int_equal(fclose(file), 0);
    return path;
}

size_t npy_bytes(unsigned char *out, int major, const char *header, const void *data,
                 size_t size)
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

const char *file_npy(const char *name, const char *header, const void *data, size_t size)
{
    unsigned char bytes[1 << 13];
    assert_true(strlen(header) + size + 16 < sizeof bytes);
    return file_put(name, bytes, npy_bytes(bytes, 1, header, data, size));
}

imsat_data *open_with(const char *path, const char *label_column)
{
    const imsat_data_options options = {.label_column = label_column};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    assert_ok(imsat_data_open(&data, &path, 1, &options, &err), &err);
    return data;
}

void assert_message(const imsat_error *err, const char *path, const char *part)
{
    if (!strstr(err->message, path) || !strstr(err->message, part))
        fail_msg("'%s' does not say '%s' of %s", err->message, part, path);
}

void assert_unreadable_with(const char *path, const char *label_column, imsat_status status,
                            const char *part)
{
    const imsat_data_options options = {.label_column = label_column};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    assert_refused(imsat_data_open(&data, &path, 1, &options, &err), &err, status, part);
    assert_null(data);
    assert_message(&err, path, part);
    assert_int_equal(imsat_data_open(&data, &path, 1, &options, NULL), status);
}

void assert_unreadable(const char *path, const char *part)
{
    assert_unreadable_with(path, NULL, IMSAT_EFORMAT, part);
}

void assert_rows(const imsat_data *data, const float *expected, size_t rows, size_t dim)
{
    assert_int_equal(imsat_data_rows(data), rows);
    assert_int_equal(imsat_data_dim(data), dim);
    float *x = test_malloc(rows * dim * sizeof *x);
    assert_int_equal(imsat_data_read(data, 0, rows, x, NULL), IMSAT_OK);
    for (size_t i = 0; i < rows * dim; i++)
        if (!(x[i] >= expected[i] && x[i] <= expected[i])) /* NaN is neither */
            fail_msg("row %zu, column %zu: %.9g is not %.9g", i / dim, i % dim, (double)x[i],
                     (double)expected[i]);
    test_free(x);
}

static imsat_status open_once(void *context, imsat_error *err)
{
    const char *const *path = context;
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_open(&data, path, 1, NULL, err);
    assert_int_equal(data != NULL, st == IMSAT_OK);
    imsat_data_free(data);
    return st;
}

size_t fail_each_open(const char *path)
{
    return fail_each(open_once, &path);
}

uint64_t fingerprint_of(const imsat_data *data)
{
    uint64_t fingerprint = 0;
    assert_int_equal(im_data_fingerprint(&fingerprint, data, NULL, NULL), IMSAT_OK);
    return fingerprint;
}
