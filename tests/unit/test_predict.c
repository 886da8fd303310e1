/* SPDX-License-Identifier: MIT
 * Prediction in pieces: all rows, in order, the same as in one call; it can be stopped;
 * and its memory does not grow with the number of rows. tsan: test_pieces_make_the_whole. */
#define _DEFAULT_SOURCE
#include "core/alloc.h"
#include "core/rng.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "model/model.h"
#include "process.h"
#include "support.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rows enough for several pieces of two threads and a rest. */
enum { ROWS = 40003, DIM = 6, K = 3, THREADS = 2 };

static void make_model(imsat_model *model, size_t dim)
{
    imsat_error err;
    const size_t hidden[1] = {5};
    *model = (imsat_model){.pre = {.dim = dim, .scale = 1, .factor = 1}};
    assert_ok(im_net_new(&model->net, dim, hidden, 1, K, &err), &err);
    im_net_init(&model->net, 1, 1, 3);
}

static imsat_model model;
static imsat_data *data;
static float *x;

static int open_data(void **state)
{
    imsat_error err;
    folder_setup(state);
    make_model(&model, DIM);
    x = im_alloc((size_t)ROWS * DIM, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < ROWS; i++)
        im_rng_normals(x + i * DIM, DIM, (im_rng){5, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &err), &err);
    return 0;
}

static int close_data(void **state)
{
    im_pool_cache_clear(&model.pools);
    im_net_clear(&model.net);
    imsat_data_free(data);
    im_free(x);
    return folder_teardown(state);
}

/* What a stream delivered. */
typedef struct delivery {
    int32_t labels[ROWS];
    float proba[ROWS * K];
    size_t rows, pieces;
    size_t stop_at; /* stop in this piece; 0: never */
} delivery;

static int take(void *user, const imsat_piece *piece)
{
    delivery *d = user;
    const size_t first = piece->first, count = piece->count;
    assert_int_equal(first, d->rows);
    assert_true(count > 0 && count <= ROWS - first);
    assert_null(piece->codes);
    memcpy(d->labels + first, piece->labels, count * sizeof *d->labels);
    memcpy(d->proba + first * K, piece->proba, count * K * sizeof *d->proba);
    d->rows += count;
    return ++d->pieces == d->stop_at;
}

static void test_pieces_make_the_whole(void **state)
{
    (void)state;
    static delivery d;
    static int32_t labels[ROWS];
    static float proba[ROWS * K];
    imsat_error err;
    assert_ok(imsat_predict(&model, data, labels, proba, 1, &err), &err);
    d = (delivery){0};
    assert_ok(imsat_predict_stream(&model, data, take, &d, THREADS, &err), &err);
    assert_int_equal(d.rows, ROWS);
    assert_true(d.pieces > 2);
    assert_memory_equal(d.labels, labels, sizeof labels);
    assert_memory_equal(d.proba, proba, sizeof proba);
    size_t differing = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const float *p = proba + i * K;
        const int32_t best = p[1] > p[0] ? (p[2] > p[1] ? 2 : 1) : (p[2] > p[0] ? 2 : 0);
        assert_int_equal(labels[i], best);
        differing += labels[i] != labels[0];
    }
    assert_true(differing > 0);
}

static void test_stopping(void **state)
{
    (void)state;
    static delivery d;
    imsat_error err;
    d = (delivery){.stop_at = 2};
    assert_refused(imsat_predict_stream(&model, data, take, &d, THREADS, &err), &err,
                   IMSAT_ESTOPPED, "of 40003");
    assert_int_equal(d.pieces, 2);
    assert_true(d.rows < ROWS);
}

/* Rows that are finite and have no prediction, the first of them far into the data. */
static void test_overflowing_rows(void **state)
{
    (void)state;
    enum { FIRST = 30011, SECOND = 39000 };
    static delivery d;
    static int32_t labels[ROWS];
    static float proba[ROWS * K];
    imsat_error err;
    for (size_t j = 0; j < DIM; j++)
        x[FIRST * DIM + j] = x[SECOND * DIM + j] = 3e38F;
    for (int threads = 1; threads <= 3; threads++)
        assert_refused(imsat_predict(&model, data, labels, proba, threads, &err), &err,
                       IMSAT_EMISMATCH, "row 30011 (from 0) has no prediction");
    assert_non_null(strstr(err.message, "its largest value is 3e+38, in column 0"));
    d = (delivery){0};
    assert_refused(imsat_predict_stream(&model, data, take, &d, THREADS, &err), &err,
                   IMSAT_EMISMATCH, "row 30011");
    assert_true(d.rows > 0 && d.rows <= FIRST); /* no piece with such a row is handed over */
    for (size_t j = 0; j < DIM; j++)
        x[FIRST * DIM + j] = x[SECOND * DIM + j] = 1;
    assert_ok(imsat_predict(&model, data, labels, proba, 2, &err), &err);
}

/* A value that preprocessing takes out of range, though it and the network are ordinary. */
static void test_overflow_by_preprocessing(void **state)
{
    (void)state;
    imsat_error err;
    static int32_t labels[ROWS];
    const im_preprocess before = model.pre;
    x[7 * DIM + 4] = 1e20F;
    model.pre.scale = 1e30;
    assert_refused(
        imsat_predict(&model, data, labels, NULL, 2, &err), &err, IMSAT_EMISMATCH,
        "row 7, column 4 (both from 0) is 1e+20, and beyond the range of float when "
        "it is prepared");
    model.pre = before;
    x[7 * DIM + 4] = 1;
}

/* Finite weights of a hostile file, in each layer, of both kinds of model; and a product of
 * -inf or NaN, which the ReLU hides. */
static void test_hostile_weights(void **state)
{
    (void)state;
    static int32_t labels[ROWS];
    static uint8_t codes[ROWS];
    static float proba[ROWS * K];
    imsat_error err;
    for (int hash = 0; hash < 2; hash++)
        for (size_t layer = 0; layer < 2; layer++)
            for (int sign = -1; sign <= 1; sign++) {
                imsat_model hostile;
                make_model(&hostile, DIM);
                hostile.net.sigmoid = hash;
                const im_layer *l = &hostile.net.layer[layer];
                for (size_t i = 0; i < l->out * l->in; i++)
                    l->w[i] = (sign ? (float)sign : i % 2 ? 1.0F : -1.0F) * 3e38F;
                assert_refused(hash ? imsat_encode(&hostile, data, codes, proba, 2, &err)
                                    : imsat_predict(&hostile, data, labels, proba, 2, &err),
                               &err, IMSAT_EMISMATCH, "the model is damaged");
                im_pool_cache_clear(&hostile.pools);
                im_net_clear(&hostile.net);
            }
}

static imsat_status stream(void *context, imsat_error *err)
{
    (void)context;
    static delivery d;
    d = (delivery){0};
    im_pool_cache_clear(&model.pools); /* so that the pool is allocated as well */
    return imsat_predict_stream(&model, data, take, &d, THREADS, err);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(stream, NULL) >= 5);
}

/* ---- threads ------------------------------------------------------------------ */

static imsat_model *open_model(void)
{
    imsat_model *one = im_alloc(1, sizeof *one);
    assert_non_null(one);
    make_model(one, DIM);
    return one;
}

static void predict_rows(const imsat_model *with, size_t rows)
{
    static int32_t labels[ROWS], expected[ROWS];
    imsat_error err;
    imsat_data *some = NULL;
    assert_ok(imsat_data_view(&some, x, rows, DIM, DIM, &err), &err);
    assert_ok(imsat_predict(with, some, labels, NULL, 3, &err), &err);
    assert_ok(imsat_predict(with, some, expected, NULL, 1, &err), &err);
    assert_memory_equal(labels, expected, rows * sizeof *labels);
    imsat_data_free(some);
}

static void test_threads_stay_with_the_model(void **state)
{
    (void)state;
    const int before = process_threads();
    imsat_model *one = open_model();
    predict_rows(one, 1);
    predict_rows(one, 128);
    assert_threads(before); /* one block is one task */
    predict_rows(one, 129);
    assert_threads(before + 2);
    predict_rows(one, ROWS);
    assert_threads(before + 2);
    imsat_model_free(one);
    assert_threads(before);
}

static void test_a_child_predicts(void **state)
{
    (void)state;
    imsat_model *one = open_model();
    predict_rows(one, 1000);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        predict_rows(one, 1000);
        imsat_model_free(one);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    imsat_model_free(one);
}

/* ---- memory ------------------------------------------------------------------ */

enum { WIDE = 784, MEGABYTE = 1 << 20, FILE_SIZE = 300 * MEGABYTE, MOST_GROWTH = 64 };

/* A file of zeros that takes no room on disk; (rows,dim) float32. */
static void write_sparse(const char *path, size_t dim, bool fortran)
{
    char header[128];
    const size_t rows = FILE_SIZE / sizeof(float) / dim;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    const int length = snprintf(header + 10, sizeof header - 10,
                                "{'descr': '<f4', 'fortran_order': %s, 'shape': (%zu, %zu), }",
                                fortran ? "True" : "False", rows, dim);
    header[10 + length] = ' ';
    header[sizeof header - 1] = '\n';
    assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, (off_t)(sizeof header + rows * dim * sizeof(float))), 0);
}

static int count_rows(void *user, const imsat_piece *piece)
{
    *(size_t *)user += piece->count;
    return 0;
}

typedef struct growth {
    const char *path;
    const imsat_model *wide; /* or NULL */
} growth;

/* Open, read all and, with a model, predict; the exit code of a process of its own. */
static int grow(const void *context)
{
    const growth *g = context;
    imsat_error err;
    imsat_data *large = NULL;
    size_t rows = 0;
    const long before = process_peak();
    if (imsat_data_open(&large, &g->path, 1, NULL, &err) != IMSAT_OK)
        return 2;
    fingerprint_of(large);
    if (g->wide &&
        (imsat_predict_stream(g->wide, large, count_rows, &rows, THREADS, &err) != IMSAT_OK ||
         rows != imsat_data_rows(large)))
        return 3;
    imsat_data_free(large);
    return process_peak() - before < MOST_GROWTH ? 0 : 1;
}

static void test_memory_does_not_grow_with_the_file(void **state)
{
    (void)state;
    imsat_model wide;
    make_model(&wide, WIDE);
    write_sparse(in_folder("rows.npy"), WIDE, false);
    assert_int_equal(process_run(grow, &(growth){in_folder("rows.npy"), &wide}), 0);
    write_sparse(in_folder("columns.npy"), 16, true);
    assert_int_equal(process_run(grow, &(growth){in_folder("columns.npy"), NULL}), 0);
    im_pool_cache_clear(&wide.pools);
    im_net_clear(&wide.net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_make_the_whole),
        cmocka_unit_test(test_stopping),
        cmocka_unit_test(test_overflowing_rows),
        cmocka_unit_test(test_overflow_by_preprocessing),
        cmocka_unit_test(test_hostile_weights),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_threads_stay_with_the_model),
        cmocka_unit_test(test_a_child_predicts),
        cmocka_unit_test(test_memory_does_not_grow_with_the_file),
    };
    return cmocka_run_group_tests(tests, open_data, close_data);
}
