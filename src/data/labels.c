/* SPDX-License-Identifier: MIT
 *
 * Files that hold one vector: labels (int32), and numbers such as a prior or radii (double).
 */
#include "core/alloc.h"
#include "data/block_labels.h"
#include "data/csv_labels.h"

#include <math.h>

/* The labels of sparse rows and of the files of a folder or an archive, which are not read
 * into an array. */
static imsat_status add_beside(im_label_list *labels, im_reader_file *file, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t before = labels->count;
    const im_read_request request = {.path = path, .labels = labels, .wants_labels = true};
    im_block block = {0};
    IM_TRY(im_reader_take(&block, file, &request, err));
    if (labels->count == before)
        st = im_fail(err, IMSAT_EFORMAT, "%s: its rows have no labels", path);

cleanup:
    im_block_clear(&block);
    return st;
}

static imsat_status add_file(im_label_list *labels, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reader_file file = {0};
    im_block block = {0};
    const im_read_request request = {
        .path = path, .wants_labels = true, .suits = im_block_labels_suit};
    IM_TRY(im_reader_open(&file, path, err));
    if (file.reader->table) {
        const bool json = file.reader == &im_jsonl_reader;
        IM_TRY(im_csv_labels(labels, &file.bytes, json, path, err));
    } else if (file.reader == &im_svmlight_reader || file.reader == &im_pictures_reader) {
        IM_TRY(add_beside(labels, &file, path, err));
    } else {
        IM_TRY(im_reader_take(&block, &file, &request, err));
        IM_TRY(im_block_labels_add(labels, &block, path, err));
    }

cleanup:
    st = im_bytes_check(&block.bytes, im_bytes_check(&file.bytes, st, err), err);
    im_block_clear(&block);
    im_reader_close(&file);
    return st;
}

static imsat_status read_labels(int32_t **labels, size_t *n, char ***words,
                                const char *const *paths, size_t npaths, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_label_list list = {0};
    if (npaths == 0)
        return im_fail(err, IMSAT_EINVAL, "no file of labels is given");
    for (size_t i = 0; i < npaths; i++)
        IM_TRY(add_file(&list, paths[i], err));
    IM_TRY(im_label_list_number(labels, words, &list, paths[0], err));
    *n = list.count;

cleanup:
    im_label_list_clear(&list);
    return st;
}

imsat_status imsat_labels_read(int32_t **labels, size_t *n, const char *const *paths,
                               size_t npaths, imsat_error *err)
{
    IM_REQUIRE(labels);
    IM_REQUIRE(n);
    IM_REQUIRE_PATHS(paths, npaths);
    return read_labels(labels, n, NULL, paths, npaths, err);
}

imsat_status imsat_labels_read_words(int32_t **labels, size_t *n, char ***words,
                                     const char *const *paths, size_t npaths, imsat_error *err)
{
    IM_REQUIRE(labels);
    IM_REQUIRE(n);
    IM_REQUIRE(words);
    IM_REQUIRE_PATHS(paths, npaths);
    return read_labels(labels, n, words, paths, npaths, err);
}

/* All elements of a block with one row or one column. */
static imsat_status copy_vector(double *out, const im_block *block, const char *path,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t count = block->rows * block->dim;
    for (size_t i = 0; i < block->rows; i++)
        IM_TRY(im_block_read_wide(out + i * block->dim, block, i, 0, block->dim, err));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(out[i]))
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: value %zu (from 0) is %g; values must be finite", path, i,
                           out[i]);

cleanup:
    return st;
}

static imsat_status check_vector(const im_block *block, const im_read_request *request,
                                 imsat_error *err)
{
    if (block->rows != 1 && block->dim != 1)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: %zu rows of %zu values; a vector has one row or column",
                       request->path, block->rows, block->dim);
    if (block->kind == IM_BLOCK_CSR) /* a few bytes may be billions of zeros */
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: sparse rows; a vector has all of its values, zeros too",
                       request->path);
    return IMSAT_OK;
}

imsat_status imsat_vector_read(double **values, size_t *n, const char *path, imsat_error *err)
{
    IM_REQUIRE(values);
    IM_REQUIRE(n);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    double *vector = NULL;
    const im_read_request request = {.path = path, .doubles = true, .suits = check_vector};
    IM_TRY(im_reader_read(&block, &request, err));
    IM_TRY(check_vector(&block, &request, err)); /* a text has no header to tell it before */
    vector = im_alloc(block.rows * block.dim, sizeof *vector);
    if (!vector) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    IM_TRY(im_bytes_check(&block.bytes, copy_vector(vector, &block, path, err), err));
    *values = vector;
    *n = block.rows * block.dim;
    vector = NULL;

cleanup:
    im_free(vector);
    im_block_clear(&block);
    return st;
}

void imsat_free(void *memory)
{
    im_free(memory);
}
