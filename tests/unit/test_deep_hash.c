/* SPDX-License-Identifier: MIT
 * Deep hashing as a method: stopped anywhere and resumed, with other threads, the file is the
 * same; the units of the data and its origin do not matter. */
#include "baseline/deep_hash.h"

#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "imsat/search.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 16 };

static char one[ROOM], two[ROOM];

static imsat_options short_options(void)
{
    imsat_options opt = blobs_hash_options("deep-hash");
    opt.epochs = 3;
    opt.runs = 2;
    return opt;
}

static void a_stop_changes_no_bit(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options whole = short_options();
    const size_t size = blobs_model_bytes(data, &whole, "one", one, ROOM);
    assert_true(size > 1000 && size < ROOM);
    for (size_t stop_at = 2; stop_at < 38; stop_at += 9) {
        imsat_options opt;
        blobs_interrupt(&opt, data, &whole, stop_at);
        assert_int_equal(blobs_model_bytes(data, &opt, "two", two, ROOM), size);
        assert_memory_equal(one, two, size);
    }
    imsat_data_free(data);
}

/* The hidden layers that are left open are those of the number of bits. */
static void layers_are_by_the_number_of_bits(void **state)
{
    (void)state;
    static const size_t expected[][3] = {{1, 60, 30},  {16, 60, 30},  {17, 80, 50},
                                         {32, 80, 50}, {64, 100, 80}, {65, 101, 81}};
    imsat_data *data = blobs_open();
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        imsat_error err;
        imsat_model *model = NULL;
        imsat_result *result = NULL;
        imsat_options opt = short_options();
        assert_ok(imsat_options_set(&opt, "hidden", "auto", &err), &err);
        opt.bits = expected[i][0];
        opt.epochs = 1;
        opt.runs = 1;
        assert_ok(imsat_hash(&model, data, &opt, &result, &err), &err);
        assert_int_equal(result->used->hidden_count, 2);
        assert_int_equal(result->used->hidden[0], expected[i][1]);
        assert_int_equal(result->used->hidden[1], expected[i][2]);
        imsat_result_free(result);
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

/* Codes of the rows times a power of two, and moved, without preprocessing. */
static void codes_of(uint8_t *codes, double scale, double shift)
{
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = short_options();
    opt.center = 0;
    opt.scale = scale;
    opt.shift = shift;
    opt.runs = 1;
    opt.bits = 8;
    opt.hidden[0] = opt.hidden[1] = 6; /* as many as columns: components alone */
    assert_ok(imsat_hash(&model, data, &opt, &result, &err), &err);
    memcpy(codes, result->codes, BLOB_ROWS);
    imsat_result_free(result);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void units_and_origin_do_not_matter(void **state)
{
    (void)state;
    uint8_t plain[BLOB_ROWS], other[BLOB_ROWS];
    size_t differ = 0;
    codes_of(plain, 1, 0);
    codes_of(other, 1024, 0);
    for (size_t i = 0; i < BLOB_ROWS; i++)
        differ += plain[i] != other[i];
    codes_of(other, 1, 64);
    for (size_t i = 0; i < BLOB_ROWS; i++)
        differ += plain[i] != other[i];
    assert_true(differ <= 4); /* rounding next to a border */
}

static void divergence_is_told(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = short_options();
    opt.step_size = 1e20;
    assert_refused(imsat_hash(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL,
                   "lower --step-size");
    imsat_data_free(data);
}

static imsat_status run_once(void *context, imsat_error *err)
{
    imsat_model *model = NULL;
    imsat_options opt = short_options();
    opt.epochs = 1;
    opt.runs = 1;
    opt.threads = 1;
    opt.batch = BLOB_ROWS;
    opt.checkpoint = in_folder("failing");
    remove(opt.checkpoint);
    const imsat_status st = imsat_hash(&model, context, &opt, NULL, err);
    if (st != IMSAT_OK)
        assert_null(model);
    imsat_model_free(model);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    assert_true(fail_each(run_once, data) > 30);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_changes_no_bit),
        cmocka_unit_test(layers_are_by_the_number_of_bits),
        cmocka_unit_test(units_and_origin_do_not_matter),
        cmocka_unit_test(divergence_is_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
