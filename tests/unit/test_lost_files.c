/* SPDX-License-Identifier: MIT
 *
 * Files of data, models and indexes that become shorter while a call reads them
 * (support/losing.h); test_lost_rows.c has the calls that read rows for long. */
#define _GNU_SOURCE
#include "data_files.h"
#include "imsat/features.h"
#include "imsat/search.h"
#include "losing.h"
#include "model/model.h"
#include "zips.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 3001, DIM = 6, WIDTH = 8 /* bytes of a code */, THREADS = 3 };
enum { PICTURES = 11, PICTURE = 1 + 3 * 32 * 32 };

/* ---- files -------------------------------------------------------------------------- */

static float x[ROWS * DIM];
static int32_t labels[ROWS];
static int64_t ids[ROWS];
static double weights[ROWS];
static imsat_codes codes, queries;
static uint8_t code_bytes[ROWS * WIDTH];

static void put_array(const char *name, const char *descr, size_t cols, const void *data,
                      size_t size)
{
    static unsigned char bytes[LOSING_ROOM];
    char header[128];
    snprintf(header, sizeof header,
             cols ? "{'descr': '%s', 'fortran_order': False, 'shape': (%d, %zu), }"
                  : "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }",
             descr, ROWS, cols);
    write_file(in_folder(name), bytes, npy_bytes(bytes, 1, header, data, size));
}

static void put_texts(void)
{
    FILE *table = fopen(in_folder("table.csv"), "w"),
         *list = fopen(in_folder("labels.csv"), "w");
    FILE *numbers = fopen(in_folder("ids.txt"), "w"),
         *words = fopen(in_folder("words.txt"), "w");
    assert_true(table && list && numbers && words);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < DIM; j++)
            fprintf(table, "%.4f%c", (double)x[i * DIM + j], j + 1 < DIM ? ',' : '\n');
        fprintf(list, "class %d\n", labels[i]);
        fprintf(numbers, "%lld\n", (long long)ids[i]);
        fprintf(words, "word%zu other%zu\n", i * i % 101, i % 7);
    }
    fclose(table);
    fclose(list);
    fclose(numbers);
    fclose(words);
}

/* An array of an archive. */
static void add_array(zip_maker *zip, const char *name, const char *descr, const char *shape,
                      const void *data, size_t size)
{
    static unsigned char bytes[ZIP_ROOM];
    char header[128];
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n",
             descr, shape);
    zip_add(zip, name, bytes, npy_bytes(bytes, 1, header, data, size), false);
}

/* Rows, and labels behind them; and a sparse matrix, whose values come last. */
static void put_archives(void)
{
    static zip_maker both, sparse;
    static int32_t starts[ROWS + 1], columns[ROWS];
    const int64_t shape[] = {ROWS, DIM};
    char rows[16], matrix[32], ends[16];
    snprintf(rows, sizeof rows, "(%d,)", ROWS);
    snprintf(ends, sizeof ends, "(%d,)", ROWS + 1);
    snprintf(matrix, sizeof matrix, "(%d, %d)", ROWS, DIM);
    add_array(&both, "x.npy", "<f4", matrix, x, sizeof x);
    add_array(&both, "y.npy", "<i4", rows, labels, sizeof labels);
    zip_end(&both, false);
    write_file(in_folder("both.npz"), both.bytes, both.size);
    for (int32_t i = 0; i < ROWS; i++) { /* a value in every row */
        starts[i + 1] = i + 1;
        columns[i] = i % DIM;
    }
    add_array(&sparse, "format.npy", "|S3", "()", "csr", 3);
    add_array(&sparse, "shape.npy", "<i8", "(2,)", shape, sizeof shape);
    add_array(&sparse, "indptr.npy", "<i4", ends, starts, sizeof starts);
    add_array(&sparse, "indices.npy", "<i4", rows, columns, sizeof columns);
    add_array(&sparse, "data.npy", "<f4", rows, x + DIM, ROWS * sizeof *x);
    zip_end(&sparse, false);
    write_file(in_folder("sparse.npz"), sparse.bytes, sparse.size);
}

/* Rows with their dimension before each; and a batch of CIFAR-10. */
static void put_vectors(void)
{
    static unsigned char bytes[LOSING_ROOM];
    const uint32_t dim = DIM;
    unsigned char *at = bytes;
    for (size_t i = 0; i < ROWS; i++) {
        memcpy(at, &dim, sizeof dim);
        memcpy(at + sizeof dim, x + i * DIM, DIM * sizeof *x);
        at += sizeof dim + DIM * sizeof *x;
    }
    write_file(in_folder("rows.fvecs"), bytes, (size_t)(at - bytes));
    for (size_t i = 0; i < PICTURES * PICTURE; i++)
        bytes[i] = (unsigned char)(1 + i * i % 251);
    write_file(in_folder("data_batch_1.bin"), bytes, PICTURES * PICTURE);
}

static void put_model(void)
{
    imsat_error err;
    imsat_options opt;
    imsat_data *data = NULL;
    imsat_model *model = NULL;
    imsat_options_init(&opt, "deep-rim", IMSAT_PRESET_DEFAULT);
    opt.k = 3;
    opt.epochs = 1;
    opt.hidden_count = 2;
    opt.hidden[0] = 150;
    opt.hidden[1] = 70;
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &err), &err);
    assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void put_index(void)
{
    imsat_error err;
    imsat_index *index = NULL;
    codes = (imsat_codes){code_bytes, ROWS, 8 * WIDTH};
    queries = (imsat_codes){code_bytes, 40, 8 * WIDTH};
    assert_ok(imsat_index_new(&index, &codes, ids, &err), &err);
    assert_ok(imsat_index_save(index, in_folder("index"), &err), &err);
    imsat_index_free(index);
}

static int make_files(void **state)
{
    folder_setup(state);
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t j = 0; j < DIM; j++)
            x[i * DIM + j] = (float)(i * (j + 7) % 1009) / 16;
        labels[i] = (int32_t)(i * i % 17);
        ids[i] = (int64_t)(3 * i + 1);
        weights[i] = 1 / (double)(i + 1);
        for (size_t j = 0; j < WIDTH; j++)
            code_bytes[i * WIDTH + j] = (uint8_t)(i * (j + 3) * 37 % 251 >> (i % 5));
    }
    put_array("rows.npy", "<f4", DIM, x, sizeof x);
    put_array("labels.npy", "<i4", 0, labels, sizeof labels);
    put_array("ids.npy", "<i8", 0, ids, sizeof ids);
    put_array("weights.npy", "<f8", 0, weights, sizeof weights);
    put_array("codes.npy", "|u1", WIDTH, code_bytes, sizeof code_bytes);
    put_texts();
    put_archives();
    put_vectors();
    put_model();
    put_index();
    return 0;
}

/* ---- the calls ------------------------------------------------------------------------ */

static imsat_index *idx;

static void drop_index(void)
{
    imsat_index_free(idx);
    idx = NULL;
}

static imsat_status open_rows(const char *name, imsat_error *err)
{
    static float all[PICTURES * PICTURE + ROWS * DIM];
    const char *path = in_folder(name);
    imsat_data *opened = NULL;
    imsat_status st = imsat_data_open(&opened, &path, 1, NULL, err);
    losing_end();
    const size_t rows = imsat_data_rows(opened), dim = imsat_data_dim(opened);
    if (st == IMSAT_OK)
        st = imsat_data_read(opened, 0, rows, all, err);
    if (st == IMSAT_OK) {
        losing_give(all, rows * dim * sizeof *all);
        if (imsat_data_labels(opened))
            losing_give(imsat_data_labels(opened), rows * sizeof(int32_t));
    }
    imsat_data_free(opened);
    return st;
}

static imsat_status open_npy(imsat_error *err)
{
    return open_rows("rows.npy", err);
}

static imsat_status open_csv(imsat_error *err)
{
    return open_rows("table.csv", err);
}

static imsat_status open_npz(imsat_error *err)
{
    return open_rows("both.npz", err);
}

static imsat_status open_texts(imsat_error *err)
{
    enum { LINES = 20 };
    static float some[LINES * 108];
    const char *path = in_folder("words.txt");
    imsat_data *opened = NULL;
    imsat_status st = imsat_texts_open(&opened, &path, 1, NULL, err);
    losing_end();
    const size_t rows = imsat_data_rows(opened), dim = imsat_data_dim(opened);
    if (dim > 108)
        abort();
    if (st == IMSAT_OK)
        st = imsat_data_read(opened, 0, rows < LINES ? rows : LINES, some, err);
    if (st == IMSAT_OK) {
        losing_give(&rows, sizeof rows);
        losing_give(some, (rows < LINES ? rows : LINES) * dim * sizeof *some);
    }
    imsat_data_free(opened);
    return st;
}

static imsat_status open_sparse(imsat_error *err)
{
    return open_rows("sparse.npz", err);
}

static imsat_status open_fvecs(imsat_error *err)
{
    return open_rows("rows.fvecs", err);
}

static imsat_status open_cifar(imsat_error *err)
{
    return open_rows("data_batch_1.bin", err);
}

static imsat_status read_labels(const char *name, imsat_error *err)
{
    const char *path = in_folder(name);
    int32_t *read = NULL;
    size_t n = 0;
    const imsat_status st = imsat_labels_read(&read, &n, &path, 1, err);
    if (st == IMSAT_OK)
        losing_give(read, n * sizeof *read);
    imsat_free(read);
    return st;
}

static imsat_status labels_npy(imsat_error *err)
{
    return read_labels("labels.npy", err);
}

static imsat_status labels_csv(imsat_error *err)
{
    return read_labels("labels.csv", err);
}

static imsat_status read_ids(const char *name, imsat_error *err)
{
    int64_t *read = NULL;
    size_t n = 0;
    const imsat_status st = imsat_ids_read(&read, &n, in_folder(name), err);
    if (st == IMSAT_OK)
        losing_give(read, n * sizeof *read);
    imsat_free(read);
    return st;
}

static imsat_status ids_npy(imsat_error *err)
{
    return read_ids("ids.npy", err);
}

static imsat_status ids_txt(imsat_error *err)
{
    return read_ids("ids.txt", err);
}

static imsat_status read_vector(imsat_error *err)
{
    double *read = NULL;
    size_t n = 0;
    const imsat_status st = imsat_vector_read(&read, &n, in_folder("weights.npy"), err);
    if (st == IMSAT_OK)
        losing_give(read, n * sizeof *read);
    imsat_free(read);
    return st;
}

static imsat_status read_codes(imsat_error *err)
{
    const char *path = in_folder("codes.npy");
    imsat_codes read = {0};
    const imsat_status st = imsat_codes_read(&read, &path, 1, NULL, err);
    if (st == IMSAT_OK)
        losing_give(read.bytes, read.rows * WIDTH);
    imsat_codes_clear(&read);
    return st;
}

static imsat_status load_model(imsat_error *err)
{
    imsat_model *loaded = NULL;
    const imsat_status st = imsat_model_load(&loaded, in_folder("model"), err);
    if (st == IMSAT_OK) {
        losing_give(loaded->net.params, loaded->net.nparams * sizeof *loaded->net.params);
        losing_give(loaded->net.running, loaded->net.nrunning * sizeof *loaded->net.running);
    }
    imsat_model_free(loaded);
    return st;
}

static imsat_status search_in(const imsat_index *in, imsat_search_method method,
                              imsat_error *err)
{
    imsat_hits hits = {0};
    imsat_search_options opt;
    imsat_search_options_init(&opt);
    opt.method = method;
    opt.threads = THREADS;
    const imsat_status st = imsat_search(&hits, in, &queries, &opt, err);
    if (st == IMSAT_OK) {
        losing_give(hits.ids, hits.start[hits.queries] * sizeof *hits.ids);
        losing_give(hits.distance, hits.start[hits.queries] * sizeof *hits.distance);
    }
    imsat_hits_clear(&hits);
    return st;
}

static imsat_status open_index(imsat_error *err)
{
    imsat_index *opened = NULL;
    const imsat_status st = imsat_index_open(&opened, in_folder("index"), err);
    if (st != IMSAT_OK)
        return st;
    const size_t rows = imsat_index_rows(opened);
    losing_give(&rows, sizeof rows);
    imsat_index_free(opened);
    return st;
}

static void have_index(void)
{
    if (imsat_index_open(&idx, in_folder("index"), NULL) != IMSAT_OK)
        abort();
}

static imsat_status scan(imsat_error *err)
{
    return search_in(idx, IMSAT_SEARCH_SCAN, err);
}

static imsat_status hash(imsat_error *err)
{
    return search_in(idx, IMSAT_SEARCH_MIH, err);
}

/* A changed index is all in memory: it is searched when the file is there or not. */
static imsat_status give_changed(imsat_index *changed, imsat_status st, imsat_error *err)
{
    losing_end();
    if (st == IMSAT_OK)
        st = search_in(changed, IMSAT_SEARCH_AUTO, err);
    imsat_index_free(changed);
    return st;
}

static imsat_status append_codes(imsat_error *err)
{
    imsat_index *changed = NULL;
    const imsat_status st = imsat_index_append(&changed, idx, &queries, NULL, err);
    return give_changed(changed, st, err);
}

static imsat_status delete_codes(imsat_error *err)
{
    const int64_t gone[] = {ids[0], ids[77], ids[ROWS - 1]};
    imsat_index *changed = NULL;
    const imsat_status st = imsat_index_delete(&changed, idx, gone, 3, err);
    return give_changed(changed, st, err);
}

static imsat_status save_index(imsat_error *err)
{
    static unsigned char bytes[LOSING_ROOM];
    const size_t before = folder_count();
    const imsat_status st = imsat_index_save(idx, in_folder("saved"), err);
    if (folder_count() != before + (st == IMSAT_OK))
        abort(); /* something stays behind */
    if (st == IMSAT_OK)
        losing_give(bytes, read_file(in_folder("saved"), bytes, LOSING_ROOM));
    unlink(in_folder("saved"));
    return st;
}

/* ---- a file that is changed in place --------------------------------------------------- */

static void have_file(void)
{
    imsat_index *made = NULL;
    if (imsat_index_new(&made, &codes, ids, NULL) != IMSAT_OK ||
        imsat_index_save(made, in_folder("changed"), NULL) != IMSAT_OK)
        abort();
    imsat_index_free(made);
}

static void drop_file(void)
{
    unlink(in_folder("changed"));
}

/* Ids that are not behind the others, so that those in the file are compared with them. */
static imsat_status add_between(int64_t middle, imsat_error *err)
{
    const int64_t between[] = {3, middle, 9};
    const imsat_codes more = {code_bytes, 3, 8 * WIDTH};
    const imsat_index_change change = {.codes = &more, .ids = between};
    const imsat_status st = imsat_index_update(NULL, in_folder("changed"), &change, err);
    losing_end();
    return st;
}

/* An id that is there already is not found among zeros, and yet must not be taken. */
static imsat_status append_what_is_there(imsat_error *err)
{
    const imsat_status st = add_between(ids[77], err);
    if (st == IMSAT_OK)
        abort();
    return st == IMSAT_EINVAL ? IMSAT_OK : st;
}

static imsat_status append_to_file(imsat_error *err)
{
    imsat_index *changed = NULL;
    imsat_status st = add_between(6, err);
    if (st == IMSAT_OK)
        st = imsat_index_open(&changed, in_folder("changed"), err);
    return give_changed(changed, st, err);
}

static void nothing_wrong_gets_out(void **state)
{
    (void)state;
    static const losing_call calls[] = {
        {"open npy", NULL, open_npy, NULL, "rows.npy", true},
        {"open csv", NULL, open_csv, NULL, "table.csv", false},
        {"open npz", NULL, open_npz, NULL, "both.npz", true},
        {"open sparse", NULL, open_sparse, NULL, "sparse.npz", true},
        {"open fvecs", NULL, open_fvecs, NULL, "rows.fvecs", true},
        {"open cifar", NULL, open_cifar, NULL, "data_batch_1.bin", true},
        {"open texts", NULL, open_texts, NULL, "words.txt", false},
        {"labels npy", NULL, labels_npy, NULL, "labels.npy", true},
        {"labels csv", NULL, labels_csv, NULL, "labels.csv", false},
        {"ids npy", NULL, ids_npy, NULL, "ids.npy", true},
        {"ids txt", NULL, ids_txt, NULL, "ids.txt", false},
        {"vector", NULL, read_vector, NULL, "weights.npy", true},
        {"codes", NULL, read_codes, NULL, "codes.npy", true},
        {"load model", NULL, load_model, NULL, "model", true},
        {"open index", NULL, open_index, NULL, "index", true},
        {"scan", have_index, scan, drop_index, "index", true},
        {"hash", have_index, hash, drop_index, "index", true},
        {"append", have_index, append_codes, drop_index, "index", true},
        {"delete", have_index, delete_codes, drop_index, "index", true},
        {"save", have_index, save_index, drop_index, "index", true},
        {"append to the file", have_file, append_to_file, drop_file, "changed", true},
        {"append twice", have_file, append_what_is_there, drop_file, "changed", true},
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        losing_try(&calls[i]);
}

/* An append that was cut short is behind the index, and the next writer cuts it off: whoever
 * searches meanwhile has lost nothing. */
static void what_is_behind_an_index_may_go(void **state)
{
    (void)state;
    static unsigned char bytes[LOSING_ROOM];
    imsat_error err;
    const char *path = in_folder("changed");
    have_file();
    const size_t size = read_file(path, bytes, LOSING_ROOM);
    const imsat_index_change change = {.codes = &queries};
    assert_ok(imsat_index_update(NULL, path, &change, &err), &err);
    const size_t larger = read_file(path, bytes, LOSING_ROOM);
    assert_int_equal(truncate(path, (off_t)larger - 8), 0); /* without its last checksum */
    assert_ok(imsat_index_open(&idx, path, &err), &err);
    assert_int_equal(imsat_index_rows(idx), ROWS);
    assert_int_equal(truncate(path, (off_t)size), 0);
    assert_ok(scan(&err), &err);
    assert_ok(hash(&err), &err);
    drop_index();
    drop_file();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wrong_gets_out),
        cmocka_unit_test(what_is_behind_an_index_may_go),
    };
    return cmocka_run_group_tests_name("lost files", tests, make_files, folder_teardown);
}
