/* SPDX-License-Identifier: MIT
 *
 * Arguments out of range for the public functions: counts of 0 or beyond memory, numbers that
 * are not finite, unknown enum values, names that are empty, files that are closed. Each is
 * refused with a message that tells what it was, and the outputs are as they were.
 * (NULL is tested in test_null_arguments.c, the ranges of options in test_options.c.)
 */
#include "imsat/search.h"
#include "support.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { ROWS = 12, DIM = 2, K = 2, BITS = 10, BYTES = 2 };

static float x[ROWS * DIM];
static int32_t labels[ROWS];
static uint8_t bytes[ROWS * BYTES];
static int64_t ids[ROWS];
static imsat_data *data;
static imsat_model *model;
static imsat_index *index_of_codes;
static const imsat_codes codes = {bytes, ROWS, BITS};

/* Where calls put their results. */
static struct {
    imsat_data *data;
    imsat_model *model;
    imsat_result *result;
    imsat_index *index;
    imsat_npy *npy;
    imsat_codes codes;
    imsat_hits hits;
    imsat_cluster_score clusters;
    imsat_hash_score score;
    int32_t *labels;
    int64_t *ids;
    double *values;
    size_t n;
    float floats[ROWS * DIM];
    int32_t numbers[ROWS];
    uint8_t query[ROWS];
    char text[64];
} out;

/* The call, which uses `err`, must be refused with this status and message. */
#define BAD(status, part, call)                                                               \
    do {                                                                                      \
        imsat_error the_error = {""}, *err = &the_error;                                      \
        memset(&out, 0, sizeof out);                                                          \
        assert_refused(call, err, status, part);                                              \
        assert_untouched(#call);                                                              \
        err = NULL;                                                                           \
        assert_int_equal(call, status);                                                       \
        assert_untouched(#call);                                                              \
    } while (0)

static void assert_untouched(const char *call)
{
    static const unsigned char nothing[sizeof out];
    if (memcmp(&out, nothing, sizeof out) != 0)
        fail_msg("%s has changed an output", call);
}

static void npy_files(void **state)
{
    (void)state;
    imsat_error why;
    const char *path = in_folder("a.npy");
    const size_t files = folder_count();
    for (int type = -1; type < 9; type += type < 0 ? 5 : 1)
        BAD(IMSAT_EINVAL, "is not a type of elements",
            imsat_npy_create(&out.npy, path, (imsat_npy_type)type, 3, 0, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_npy_create(&out.npy, path, IMSAT_NPY_INT64, SIZE_MAX / 2, 3, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_npy_create(&out.npy, path, IMSAT_NPY_INT64, 1, SIZE_MAX, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_npy_write_float(path, x, SIZE_MAX, 1, err));
    assert_int_equal(folder_count(), files);

    imsat_npy *file = NULL;
    assert_ok(imsat_npy_create(&file, path, IMSAT_NPY_INT32, ROWS, 0, &why), &why);
    BAD(IMSAT_EINVAL, "12 rows are missing", imsat_npy_commit(file, err));
    BAD(IMSAT_EINVAL, "1 rows more than were announced",
        imsat_npy_append(file, labels, ROWS + 1, err));
    BAD(IMSAT_EINVAL, "more than were announced",
        imsat_npy_append(file, labels, SIZE_MAX, err));
    assert_ok(imsat_npy_append(file, NULL, 0, &why), &why);
    assert_ok(imsat_npy_append(file, labels, ROWS, &why), &why);
    assert_ok(imsat_npy_commit(file, &why), &why);
    for (int again = 0; again < 2; again++) {
        BAD(IMSAT_EINVAL, "is committed", imsat_npy_commit(file, err));
        BAD(IMSAT_EINVAL, "is committed", imsat_npy_append(file, labels, 0, err));
    }
    imsat_npy_free(file);
    assert_int_equal(folder_count(), files + 1); /* and it is still there */
}

/* A piece that was not written whole: the file must not be finished without it. */
static void npy_files_that_cannot_be_written(void **state)
{
    (void)state;
    imsat_error why;
    imsat_npy *file = NULL;
    static const int32_t much[1 << 16];
    assert_ok(imsat_npy_create(&file, "/dev/full", IMSAT_NPY_INT32, ROWS + (1 << 16), 0, &why),
              &why);
    assert_refused(imsat_npy_append(file, much, 1 << 16, &why), &why, IMSAT_EIO, "/dev/full");
    BAD(IMSAT_EINVAL, "could not be written", imsat_npy_append(file, labels, ROWS, err));
    BAD(IMSAT_EINVAL, "could not be written", imsat_npy_commit(file, err));
    imsat_npy_free(file);
}

static void empty_names(void **state)
{
    (void)state;
    static const char *const empty[] = {"x", ""}, *const missing[] = {"x", NULL};
    BAD(IMSAT_EINVAL, "imsat_data_open(): paths[1] is empty, and must name a file",
        imsat_data_open(&out.data, empty, 2, NULL, err));
    BAD(IMSAT_EINVAL, "imsat_data_open(): paths[1] is NULL",
        imsat_data_open(&out.data, missing, 2, NULL, err));
    BAD(IMSAT_EINVAL, "no data file is given", imsat_data_open(&out.data, NULL, 0, NULL, err));
    BAD(IMSAT_EINVAL, "paths[1] is empty",
        imsat_labels_read(&out.labels, &out.n, empty, 2, err));
    BAD(IMSAT_EINVAL, "no file of labels",
        imsat_labels_read(&out.labels, &out.n, empty, 0, err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_vector_read(&out.values, &out.n, "", err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_npy_write_int32("", labels, ROWS, err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_npy_write_float("", x, ROWS, DIM, err));
    BAD(IMSAT_EINVAL, "path is empty",
        imsat_npy_create(&out.npy, "", IMSAT_NPY_INT32, 1, 0, err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_writable("", err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_model_save(model, "", err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_model_load(&out.model, "", err));
    BAD(IMSAT_EINVAL, "paths[1] is NULL", imsat_codes_read(&out.codes, missing, 2, NULL, err));
    BAD(IMSAT_EINVAL, "no file of codes", imsat_codes_read(&out.codes, NULL, 0, NULL, err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_ids_read(&out.ids, &out.n, "", err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_index_save(index_of_codes, "", err));
    BAD(IMSAT_EINVAL, "path is empty", imsat_index_open(&out.index, "", err));
    const imsat_export_options options = {0};
    BAD(IMSAT_EINVAL, "path is empty", imsat_codes_export("", &codes, &options, err));
    const imsat_hash_score score = {.recall = (double[2]){0}, .precision = (double[2]){0}};
    BAD(IMSAT_EINVAL, "path is empty", imsat_hash_curves_write("", &score, err));
    imsat_options o;
    imsat_options_init(&o, "linear-rim", IMSAT_PRESET_DEFAULT);
    o.k = K, o.checkpoint = "";
    BAD(IMSAT_EINVAL, "checkpoint is empty",
        imsat_cluster(&out.model, data, &o, &out.result, err));
}

static void views_and_rows(void **state)
{
    (void)state;
    const float bad[2] = {1, (float)NAN};
    BAD(IMSAT_EINVAL, "0 rows of 2", imsat_data_view(&out.data, x, 0, DIM, DIM, err));
    BAD(IMSAT_EINVAL, "12 rows of 0", imsat_data_view(&out.data, x, ROWS, 0, DIM, err));
    BAD(IMSAT_EINVAL, "stride 1 is less", imsat_data_view(&out.data, x, ROWS, DIM, 1, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_data_view(&out.data, x, 2, DIM, SIZE_MAX / 2, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_data_view(&out.data, x, SIZE_MAX, DIM, DIM, err));
    BAD(IMSAT_EFORMAT, "row 0, column 1", imsat_data_view(&out.data, bad, 1, 2, 2, err));
    BAD(IMSAT_EINVAL, "the data has 12", imsat_data_read(data, 11, 2, out.floats, err));
    BAD(IMSAT_EINVAL, "the data has 12", imsat_data_read(data, 1, SIZE_MAX, out.floats, err));
    BAD(IMSAT_EINVAL, "the data has 12", imsat_data_read(data, SIZE_MAX, 1, out.floats, err));
    assert_int_equal(imsat_data_read(data, ROWS, 0, NULL, NULL), IMSAT_OK);
    assert_null(imsat_data_describe(data, SIZE_MAX));
}

/* A change of good options, each of which imsat_cluster() refuses. */
#define BAD_OPTION(part, change)                                                              \
    do {                                                                                      \
        imsat_options o;                                                                      \
        imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);                            \
        o.k = K;                                                                              \
        change;                                                                               \
        BAD(IMSAT_EINVAL, part, imsat_cluster(&out.model, data, &o, &out.result, err));       \
        BAD(IMSAT_EINVAL, part, imsat_options_check(&o, data, err));                          \
    } while (0)

static void options(void **state)
{
    (void)state;
    const double nan_prior[K] = {0.5, (double)NAN}, sum[K] = {0.5, 0.6};
    static float bad_radius[ROWS] = {1, 2, (float)INFINITY};
    BAD_OPTION("k is 0", o.k = 0);
    BAD_OPTION("k is 1", o.k = 1);
    BAD_OPTION("only 12 rows", o.k = 1 << 20);
    BAD_OPTION("k is 18446744073709551615", o.k = SIZE_MAX);
    BAD_OPTION("no method \"k-means\"", o.method = "k-means");
    BAD_OPTION("no method \"\"", o.method = NULL);
    BAD_OPTION("task 0 or preset 3", o.preset = IMSAT_PRESETS);
    BAD_OPTION("preset -1", o.preset = (imsat_preset)-1);
    BAD_OPTION("radius_method 3", o.radius_method = IMSAT_RADIUS_METHODS);
    BAD_OPTION("scale is nan", o.scale = (double)NAN);
    BAD_OPTION("scale is inf", o.scale = (double)INFINITY);
    BAD_OPTION("lambda is nan", o.lambda = (double)NAN);
    BAD_OPTION("step_size is 0", o.step_size = 0);
    BAD_OPTION("9 hidden layers", o.hidden_count = IMSAT_MAX_HIDDEN + 1);
    BAD_OPTION("hidden layer 1 has 0 units", (o.hidden_count = 1, o.hidden[0] = 0));
    BAD_OPTION("runs is 0", o.runs = 0);
    BAD_OPTION("runs is 1", o.runs = SIZE_MAX);
    BAD_OPTION("threads is 257", o.threads = 257);
    BAD_OPTION("prior of cluster 1 is nan", o.prior = nan_prior);
    BAD_OPTION("sums to 1.1", o.prior = sum);
    BAD_OPTION("radius of row 2 is inf", o.radius = bad_radius);
    BAD_OPTION("resume needs", o.resume = 1);
    BAD_OPTION("options.size is 0", o.size = 0);
    BAD_OPTION("options.size is 18446744073709551615", o.size = SIZE_MAX);
    imsat_options o;
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);
    o.k = K;
    BAD(IMSAT_EINVAL, "another task", imsat_hash(&out.model, data, &o, &out.result, err));
    o.task = (imsat_task)9;
    BAD(IMSAT_EINVAL, "another task", imsat_cluster(&out.model, data, &o, &out.result, err));
    BAD(IMSAT_EINVAL, "task 9", imsat_options_check(&o, data, err));
}

/* A struct of a size that there is not stays as it is. */
static void sizes_of_options(void **state)
{
    (void)state;
    imsat_options o, before;
    memset(&o, 0x5a, sizeof o);
    before = o;
    static const size_t sizes[] = {0, 1, 8, sizeof(imsat_options) / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        imsat_options_init_sized(&o, sizes[i], IMSAT_TASK_HASH, "imsat-vat",
                                 IMSAT_PRESET_PAPER);
        assert_memory_equal(&o, &before, sizeof o);
    }
}

static void options_as_text(void **state)
{
    (void)state;
    imsat_options o;
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);
    o.k = 12345;
    BAD(IMSAT_EINVAL, "its text takes 6 bytes, and room is 5",
        imsat_options_get(&o, "k", out.text, 5, err));
    BAD(IMSAT_EINVAL, "and room is 0", imsat_options_get(&o, "lambda", out.text, 0, err));
    BAD(IMSAT_EINVAL, "no such option", imsat_options_get(&o, "", out.text, 64, err));
    BAD(IMSAT_EINVAL, "no such option", imsat_options_set(&o, "", "1", err));
    BAD(IMSAT_EINVAL, "k : not a whole number", imsat_options_set(&o, "k", "", err));
    BAD(IMSAT_EINVAL, "k 99999999999999999999: too large",
        imsat_options_set(&o, "k", "99999999999999999999", err));
    assert_int_equal(imsat_options_get(&o, "k", out.text, 6, NULL), IMSAT_OK);
    assert_string_equal(out.text, "12345");
}

static void prediction(void **state)
{
    (void)state;
    for (int threads = -1; threads < 400; threads += 258)
        BAD(IMSAT_EINVAL, "threads is",
            imsat_predict(model, data, out.numbers, out.floats, threads, err));
    BAD(IMSAT_EINVAL, "threads is -2147483648",
        imsat_predict(model, data, out.numbers, NULL, INT32_MIN, err));
    BAD(IMSAT_EMISMATCH, "makes no codes", imsat_encode(model, data, out.query, NULL, 1, err));
}

static void codes_and_ids(void **state)
{
    (void)state;
    static const char *const path[] = {"x"};
    static const imsat_codes none = {bytes, ROWS, 0}, wide = {bytes, 1, IMSAT_MAX_BITS + 1};
    static const imsat_codes away = {NULL, 3, BITS}, absurd = {bytes, SIZE_MAX, 8};
    static const imsat_codes absurd_too = {bytes, SIZE_MAX / 2, BITS};
    static uint8_t behind[BYTES] = {0, 1};
    static const imsat_codes padded = {behind, 1, BITS}, other = {bytes, ROWS, 16};
    const imsat_codes_options many = {.bits = IMSAT_MAX_BITS + 1}, order = {.order = 2};
    int64_t twice[ROWS], missing[ROWS];
    memcpy(twice, ids, sizeof ids), memcpy(missing, ids, sizeof ids);
    twice[7] = twice[2], missing[5] = IMSAT_NO_ID;
    BAD(IMSAT_EINVAL, "1025 bits", imsat_codes_read(&out.codes, path, 1, &many, err));
    BAD(IMSAT_EINVAL, "2 is not a bit order",
        imsat_codes_read(&out.codes, path, 1, &order, err));
    BAD(IMSAT_EINVAL, "have 0 bits", imsat_index_new(&out.index, &none, NULL, err));
    BAD(IMSAT_EINVAL, "have 1025 bits", imsat_index_new(&out.index, &wide, NULL, err));
    BAD(IMSAT_EINVAL, "3 rows, but bytes is NULL",
        imsat_index_new(&out.index, &away, NULL, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_index_new(&out.index, &absurd, NULL, err));
    BAD(IMSAT_EINVAL, "more than memory holds",
        imsat_index_append(&out.index, index_of_codes, &absurd_too, NULL, err));
    BAD(IMSAT_EINVAL, "behind the last", imsat_index_new(&out.index, &padded, NULL, err));
    BAD(IMSAT_EINVAL, "the id 2 is given twice",
        imsat_index_new(&out.index, &codes, twice, err));
    BAD(IMSAT_EINVAL, "the id of row 5 is -1",
        imsat_index_new(&out.index, &codes, missing, err));
    BAD(IMSAT_EINVAL, "is -1, which marks what a search did not find",
        imsat_index_append(&out.index, index_of_codes, &codes, missing, err));
    BAD(IMSAT_EINVAL, "the id 0, given for row 0, is in the index already",
        imsat_index_append(&out.index, index_of_codes, &codes, ids, err));
    BAD(IMSAT_EMISMATCH, "the id -1 is not in the index",
        imsat_index_delete(&out.index, index_of_codes, missing + 5, 1, err));
    BAD(IMSAT_EMISMATCH, "16 bits cannot be added",
        imsat_index_append(&out.index, index_of_codes, &other, NULL, err));
}

/* Negative ids are ids; those that follow by themselves stop before -1. */
static void negative_ids(void **state)
{
    (void)state;
    imsat_error why;
    imsat_index *old = NULL, *more = NULL;
    imsat_hits hits;
    imsat_search_options all;
    int64_t negative[ROWS];
    const imsat_codes one = {bytes, 1, BITS}, two = {bytes, 2, BITS};
    for (size_t i = 0; i < ROWS; i++)
        negative[i] = -3 - (int64_t)i;
    assert_ok(imsat_index_new(&old, &codes, negative, &why), &why);
    BAD(IMSAT_EINVAL, "is -1, which marks what a search did not find",
        imsat_index_append(&out.index, old, &two, NULL, err));
    assert_ok(imsat_index_append(&more, old, &one, NULL, &why), &why);
    imsat_search_options_init(&all);
    all.count = 0;
    assert_ok(imsat_search(&hits, more, &one, &all, &why), &why);
    assert_int_equal(hits.start[1], ROWS + 1);
    for (size_t i = 0; i <= ROWS; i++)
        assert_true(hits.ids[i] <= -2 && hits.ids[i] >= -2 - ROWS);
    imsat_hits_clear(&hits);
    imsat_index_free(old);
    imsat_index_free(more);
}

static void searches(void **state)
{
    (void)state;
    static const imsat_codes away = {NULL, 3, BITS}, other = {bytes, ROWS, 16};
    static const struct {
        const char *part;
        imsat_search_options options;
    } cases[] = {
        {"method 3 is unknown", {.count = 1, .method = IMSAT_SEARCH_METHODS}},
        {"method -1 is unknown", {.count = 1, .method = (imsat_search_method)-1}},
        {"threads is -1", {.count = 1, .threads = -1}},
        {"threads is 257", {.count = 1, .threads = 257}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        BAD(IMSAT_EINVAL, cases[i].part,
            imsat_search(&out.hits, index_of_codes, &codes, &cases[i].options, err));
    imsat_search_options options;
    imsat_search_options_init(&options);
    BAD(IMSAT_EINVAL, "bytes is NULL",
        imsat_search(&out.hits, index_of_codes, &away, &options, err));
    BAD(IMSAT_EMISMATCH, "the queries have 16 bits",
        imsat_search(&out.hits, index_of_codes, &other, &options, err));
    imsat_error why;
    options.count = SIZE_MAX; /* more than there are */
    assert_ok(imsat_search(&out.hits, index_of_codes, &codes, &options, &why), &why);
    assert_int_equal(out.hits.start[ROWS], ROWS * ROWS);
    imsat_hits_clear(&out.hits);
}

static void exports(void **state)
{
    (void)state;
    const char *path = in_folder("export");
    const size_t files = folder_count();
    int64_t twice[ROWS], missing[ROWS];
    memcpy(twice, ids, sizeof ids), memcpy(missing, ids, sizeof ids);
    twice[7] = twice[2], missing[5] = IMSAT_NO_ID;
    static const imsat_codes away = {NULL, 3, BITS}, none = {bytes, ROWS, 0};
    const struct {
        const char *part;
        const imsat_codes *codes;
        imsat_export_options options;
    } cases[] = {
        {"3 or 0 is not", &codes, {.format = IMSAT_EXPORT_FORMATS}},
        {"-1 or 0 is not", &codes, {.format = (imsat_export_format)-1}},
        {"0 or 2 is not", &codes, {.order = IMSAT_BIT_ORDERS}},
        {"cannot be the name of a table", &codes, {.table = ""}},
        {"cannot be the name of a table", &codes, {.table = "a; b"}},
        {"holds the id 2 twice", &codes, {.ids = twice}},
        {"holds the id -1", &codes, {.ids = missing}},
        {"bytes is NULL", &away, {0}},
        {"have 0 bits", &none, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        BAD(IMSAT_EINVAL, cases[i].part,
            imsat_codes_export(path, cases[i].codes, &cases[i].options, err));
    assert_int_equal(folder_count(), files);
}

static void scores(void **state)
{
    (void)state;
    static const imsat_codes away = {NULL, 3, BITS}, empty = {bytes, 0, BITS};
    static const struct {
        const char *part;
        imsat_evaluate_hash_options options;
    } cases[] = {
        {"N = 0", {.at = 0}},
        {"no rule 4 for ties", {.at = 1, .ties = IMSAT_TIES}},
        {"no rule -1 for ties", {.at = 1, .ties = (imsat_ties)-1}},
        {"threads is -5", {.at = 1, .threads = -5}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        BAD(IMSAT_EINVAL, cases[i].part,
            imsat_evaluate_hash(&out.score, &codes, labels, &codes, labels, &cases[i].options,
                                err));
        BAD(IMSAT_EINVAL, cases[i].part,
            imsat_evaluate_hash_split(&out.score, &codes, labels, 1, 1, &cases[i].options,
                                      err));
    }
    BAD(IMSAT_EINVAL, "no codes in the gallery",
        imsat_evaluate_hash(&out.score, &empty, labels, &codes, labels, NULL, err));
    BAD(IMSAT_EINVAL, "bytes is NULL",
        imsat_evaluate_hash(&out.score, &codes, labels, &away, labels, NULL, err));
    BAD(IMSAT_EINVAL, "bytes is NULL",
        imsat_evaluate_hash_split(&out.score, &away, labels, 1, 1, NULL, err));
    BAD(IMSAT_EINVAL, "0 queries", imsat_hash_split(out.query, labels, ROWS, 0, 1, err));
    BAD(IMSAT_EINVAL, "cannot be drawn",
        imsat_hash_split(out.query, labels, ROWS, SIZE_MAX, 1, err));
    BAD(IMSAT_EINVAL, "no rows", imsat_hash_split(out.query, labels, 0, 1, 1, err));
    BAD(IMSAT_EINVAL, "no labels",
        imsat_evaluate_clusters(&out.clusters, labels, labels, 0, err));
    const char *path = in_folder("curves");
    double curve[2] = {0};
    imsat_hash_score score = {.recall = curve, .precision = curve, .bits = SIZE_MAX};
    BAD(IMSAT_EINVAL, "bits", imsat_hash_curves_write(path, &score, err));
    score.bits = 1, score.precision = NULL;
    BAD(IMSAT_EINVAL, "score->precision is NULL", imsat_hash_curves_write(path, &score, err));
}

static void names(void **state)
{
    (void)state;
    for (int i = -1; i < 100; i += 100) {
        assert_null(imsat_task_name((imsat_task)i));
        assert_null(imsat_preset_name((imsat_preset)i));
        assert_null(imsat_preset_summary((imsat_preset)i));
        assert_null(imsat_radius_method_name((imsat_radius_method)i));
        assert_null(imsat_covariance_name((imsat_covariance)i));
        assert_null(imsat_warps_name((imsat_warps)i));
        assert_null(imsat_element_name((imsat_element)i));
        assert_null(imsat_term_name((imsat_term)i));
        assert_null(imsat_term_formula((imsat_term)i));
        assert_null(imsat_section_title((imsat_section)i, IMSAT_TASK_CLUSTER));
        assert_null(imsat_search_method_name((imsat_search_method)i));
        assert_null(imsat_export_format_name((imsat_export_format)i));
        assert_null(imsat_ties_name((imsat_ties)i));
        assert_non_null(imsat_status_name((imsat_status)i));
        assert_null(imsat_method_name((size_t)i));
        assert_null(imsat_option_at((size_t)i));
        assert_false(imsat_method_serves("imsat-vat", (imsat_task)i));
        assert_false(imsat_method_has_term("imsat-vat", IMSAT_TASK_HASH, (imsat_term)i));
        assert_false(imsat_option_used(imsat_option_at(0), "imsat-vat", (imsat_task)i));
    }
    const char *name = "n", *value = "v";
    assert_int_equal(imsat_model_metadata(model, SIZE_MAX, &name, &value), IMSAT_EINVAL);
    assert_string_equal(name, "n");
    assert_int_equal(imsat_code_bytes(SIZE_MAX), SIZE_MAX / 8 + 1);
}

static int make_inputs(void **state)
{
    imsat_error why;
    imsat_options o;
    folder_setup(state);
    for (size_t i = 0; i < ROWS; i++) {
        x[i * DIM] = (float)(i * i % 7), x[i * DIM + 1] = (float)(i % 5);
        labels[i] = (int32_t)(i % K);
        bytes[i * BYTES] = (uint8_t)(37 * i), bytes[i * BYTES + 1] = (uint8_t)(i << 6);
        ids[i] = (int64_t)i;
    }
    assert_ok(imsat_data_view(&data, x, ROWS, DIM, DIM, &why), &why);
    imsat_options_init(&o, "linear-rim", IMSAT_PRESET_DEFAULT);
    o.k = K, o.epochs = 1;
    assert_ok(imsat_cluster(&model, data, &o, NULL, &why), &why);
    assert_ok(imsat_index_new(&index_of_codes, &codes, NULL, &why), &why);
    return 0;
}

static int free_inputs(void **state)
{
    imsat_index_free(index_of_codes);
    imsat_model_free(model);
    imsat_data_free(data);
    return folder_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_files),       cmocka_unit_test(npy_files_that_cannot_be_written),
        cmocka_unit_test(empty_names),     cmocka_unit_test(views_and_rows),
        cmocka_unit_test(options),         cmocka_unit_test(sizes_of_options),
        cmocka_unit_test(options_as_text), cmocka_unit_test(prediction),
        cmocka_unit_test(codes_and_ids),   cmocka_unit_test(negative_ids),
        cmocka_unit_test(searches),        cmocka_unit_test(exports),
        cmocka_unit_test(scores),          cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, make_inputs, free_inputs);
}
