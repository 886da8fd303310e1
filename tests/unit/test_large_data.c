/* SPDX-License-Identifier: MIT
 * Data larger than a limit on memory: training, k-means, the radius and prediction hold no
 * more than the limit, and have the bits that they have without one. What cannot be done so is
 * refused, with a limit under which it is done. */
#define _GNU_SOURCE
#include "core/limit.h"
#include "data_files.h"
#include "imsat/process.h"
#include "process.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

/* 76 MB in the file; the first FEW of them, 14 MB, are still more than the limit leaves for
 * pages. FEWEST are not: where a network is too large they do. A sanitizer has two
 * thirds of all of them, and of what the limit leaves for the library. */
enum { THIRDS = SANITIZED ? 2 : 3 };
enum { ROWS = 700 * THIRDS, FEW = 400 * THIRDS / 3, FEWEST = 50, DIM = 9000, K = 3 };
enum { LIMIT_MIB = 84, BASE_MIB = 34, THREADS = 2 };
static const size_t LIMIT = (size_t)LIMIT_MIB << 20;

static char path[300], few_path[300], fewest_path[300], answer_path[300];

/* Of one work on the data. */
typedef struct answer {
    float radius[ROWS];
    int32_t labels[2][ROWS]; /* of the run, and predicted from its model */
    imsat_error err;         /* of a refusal, or "" */
} answer;

/* Rows around K centers. */
static void write_rows(const char *to, size_t rows)
{
    static float row[DIM];
    char header[128];
    FILE *file = fopen(to, "wb");
    assert_non_null(file);
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\1\0\x76\0", 10);
    const int length =
        snprintf(header + 10, sizeof header - 10,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, %d), }", rows, DIM);
    header[10 + length] = ' ';
    header[sizeof header - 1] = '\n';
    assert_int_equal(fwrite(header, 1, sizeof header, file), sizeof header);
    uint32_t noise = 1;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < DIM; j++) {
            noise = noise * 1664525 + 1013904223;
            row[j] = (float)(noise >> 8) * 0x1p-24f + (j % K == i % K ? 1 : 0);
        }
        assert_int_equal(fwrite(row, sizeof row, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

/* ---- the work ------------------------------------------------------------------ */

static imsat_options options_of(const char *method)
{
    imsat_options o;
    imsat_options_init(&o, method, IMSAT_PRESET_DEFAULT);
    o.k = K;
    o.threads = THREADS;
    if (strcmp(method, "kmeans") == 0) {
        o.restarts = 1;
        o.iterations = 5;
    } else {
        o.epochs = 1;
        o.batch = 50;
        o.hidden_count = 1;
        o.hidden[0] = 20;
    }
    return o;
}

static imsat_status learn(answer *out, const char *method, const imsat_data *data,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_options o = options_of(method);
    if (strcmp(method, "kmeans") != 0) {
        st = imsat_neighbor_radius(out->radius, NULL, data, &o, err);
        o.radius = out->radius;
    }
    if (st == IMSAT_OK)
        st = imsat_cluster(&model, data, &o, &result, err);
    if (st == IMSAT_OK) {
        memcpy(out->labels[0], result->labels, result->rows * sizeof *result->labels);
        st = imsat_predict(model, data, out->labels[1], NULL, THREADS, err);
    }
    imsat_result_free(result);
    imsat_model_free(model);
    return st;
}

/* k-means of all rows, or all else of the first. */
static void work(answer *out, const char *method)
{
    const char *file = strcmp(method, "kmeans") == 0 ? path : few_path;
    imsat_data *data = NULL;
    memset(out, 0, sizeof *out);
    imsat_status st = imsat_data_open(&data, &file, 1, NULL, &out->err);
    if (st == IMSAT_OK)
        st = learn(out, method, data, &out->err);
    imsat_data_free(data);
    if (st == IMSAT_OK)
        memset(&out->err, 0, sizeof out->err);
}

/* Set the limit; with a sanitizer, one that leaves what is said above. */
static bool set_limit(void)
{
    imsat_error err;
    if (!SANITIZED)
        return imsat_set_max_memory(LIMIT, &err) == IMSAT_OK;
    im_limit_set(LIMIT, LIMIT - ((size_t)(LIMIT_MIB - BASE_MIB) << 20) / 3 * THIRDS);
    return true;
}

/* ---- within the limit -------------------------------------------------------------- */

/* In a process of its own: the answer goes to a file, and the peak is the exit code. */
static int work_within(const void *method)
{
    static answer found;
    if (!set_limit())
        return 255;
    work(&found, method);
    write_file(answer_path, &found, sizeof found);
    return process_peak() > 250 ? 250 : (int)process_peak();
}

static void assert_same_within_the_limit(const char *method)
{
    static answer within, without;
    const int peak = process_run(work_within, method);
    assert_int_equal(read_file(answer_path, &within, sizeof within), sizeof within);
    assert_string_equal(within.err.message, "");
    assert_in_range(peak, 1, SANITIZED ? 250 : LIMIT_MIB);
    work(&without, method);
    assert_string_equal(without.err.message, "");
    assert_memory_equal(&within, &without, sizeof within);
    assert_memory_equal(within.labels[0], within.labels[1], sizeof within.labels[0]);
    assert_true(within.labels[0][0] != within.labels[0][1] ||
                within.labels[0][1] != within.labels[0][2]);
}

static void training_has_the_same_bits(void **state)
{
    (void)state;
    assert_same_within_the_limit("imsat-vat");
}

static void kmeans_stays_within_it(void **state)
{
    (void)state;
    assert_same_within_the_limit("kmeans");
    assert_true(process_peak() > LIMIT_MIB); /* without it */
}

/* ---- what is refused ----------------------------------------------------------------- */

/* The limit that a refusal names, in place of the one that is set. False: it names none. */
static bool raise_limit(const imsat_error *err)
{
    size_t enough = 0;
    const char *advice = strstr(err->message, "; allow ");
    if (!advice || sscanf(advice, "; allow %zuM", &enough) != 1)
        return false;
    im_limit_set(enough << 20, LIMIT - im_limit_heap() - im_limit_pages());
    return true;
}

/* Open the file under a limit that the message of a refusal may raise: 0 if it was refused
 * first, and then not. */
static int open_at_last(const void *file)
{
    const char *one = file;
    imsat_data *data = NULL;
    imsat_error err;
    if (!set_limit())
        return 2;
    if (imsat_data_open(&data, &one, 1, NULL, &err) != IMSAT_ENOMEM)
        return 3;
    if (!strstr(err.message, one) || !raise_limit(&err))
        return 4;
    if (imsat_data_open(&data, &one, 1, NULL, &err) != IMSAT_OK)
        return 5;
    imsat_data_free(data);
    return 0;
}

static void what_must_be_unpacked_is_refused(void **state)
{
    (void)state;
    static float zeros[1 << 16];
    unsigned char head[256];
    const size_t size = npy_bytes(
        head, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (256, 65536), }", "", 0);
    const char *file =
        file_bomb("packed.npy.gz", head, size, zeros, sizeof zeros, 256); /* 64 MiB */
    assert_int_equal(process_run(open_at_last, file), 0);
}

/* A network that has no room is refused before the radius is computed, and once. */
static int learn_too_much(const void *context)
{
    const char *file = fewest_path;
    imsat_data *data = NULL;
    imsat_model *model = NULL;
    imsat_error err;
    imsat_options o = options_of("imsat-vat");
    (void)context;
    o.hidden[0] = 300; /* times 9000, times five */
    if (!set_limit() || imsat_data_open(&data, &file, 1, NULL, &err) != IMSAT_OK)
        return 2;
    if (imsat_cluster(&model, data, &o, NULL, &err) != IMSAT_ENOMEM ||
        !strstr(err.message, "no memory for training (--hidden"))
        return 3;
    const imsat_status st =
        raise_limit(&err) ? imsat_cluster(&model, data, &o, NULL, &err) : IMSAT_ENOMEM;
    imsat_model_free(model);
    imsat_data_free(data);
    return st == IMSAT_OK ? 0 : 4;
}

static void a_network_that_is_too_large_is_refused(void **state)
{
    (void)state;
    assert_int_equal(process_run(learn_too_much, NULL), 0);
}

/* ---- text ------------------------------------------------------------------------------- */

/* Few numbers in much text, larger than the limit. */
static int read_text(const void *file)
{
    const char *one = file;
    imsat_data *data = NULL;
    imsat_error err;
    if (!set_limit() || imsat_data_open(&data, &one, 1, NULL, &err) != IMSAT_OK)
        return 255;
    imsat_data_free(data);
    return process_peak() > 250 ? 250 : (int)process_peak();
}

static void text_goes_through_it(void **state)
{
    (void)state;
    enum { LINE = 60000, LINES = 1500 }; /* 90 MB */
    static char line[LINE + 1];
    const char *file = in_folder("long.svmlight");
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    memset(line, 'x', LINE);
    memcpy(line, "1 2:3 # ", 8);
    line[LINE - 1] = '\n';
    for (size_t i = 0; i < LINES; i++)
        assert_int_equal(fwrite(line, LINE, 1, out), 1);
    assert_int_equal(fclose(out), 0);
    const int peak = process_run(read_text, file);
    assert_in_range(peak, 1, SANITIZED ? 250 : LIMIT_MIB);
}

static int setup(void **state)
{
    folder_setup(state);
    snprintf(path, sizeof path, "%s", in_folder("rows.npy"));
    snprintf(few_path, sizeof few_path, "%s", in_folder("few.npy"));
    snprintf(fewest_path, sizeof fewest_path, "%s", in_folder("fewest.npy"));
    snprintf(answer_path, sizeof answer_path, "%s", in_folder("answer"));
    write_rows(path, ROWS);
    write_rows(few_path, FEW);
    write_rows(fewest_path, FEWEST);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_must_be_unpacked_is_refused),
        cmocka_unit_test(a_network_that_is_too_large_is_refused),
        cmocka_unit_test(text_goes_through_it),
        cmocka_unit_test(training_has_the_same_bits),
        cmocka_unit_test(kmeans_stays_within_it),
    };
    if (!can_fork())
        return 77;
    return cmocka_run_group_tests_name("large data", tests, setup, folder_teardown);
}
