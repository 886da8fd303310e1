/* SPDX-License-Identifier: MIT
 * Hash codes, from data to codes: near rows get near codes, the same bits for any number of
 * threads and across an interruption, every allocation may fail, and what is meant for
 * clusters is refused. tsan: test_threads_do_not_change_a_bit, test_encode. */
#include "blobs.h"
#include "failing_alloc.h"
#include "support.h"

#include "imsat/search.h"
#include "model/methods.h"
#include "train/trainer.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 20, BYTES = (BLOB_BITS + 7) / 8 };

static char one[ROOM], two[ROOM];

static size_t model_bytes(const imsat_data *data, const imsat_options *opt, const char *name,
                          char *bytes)
{
    return blobs_model_bytes(data, opt, name, bytes, ROOM);
}

static int distance(const uint8_t *a, const uint8_t *b)
{
    int bits = 0;
    for (size_t i = 0; i < BYTES; i++)
        bits += __builtin_popcount((unsigned)(a[i] ^ b[i]));
    return bits;
}

/* Mean distance of rows of one blob, and of rows of two. */
static void mean_distances(double out[2], const uint8_t *codes)
{
    double count[2] = {0, 0};
    out[0] = out[1] = 0;
    for (size_t i = 0; i < BLOB_ROWS; i++)
        for (size_t j = 0; j < i; j++) {
            const int apart = i % BLOB_K != j % BLOB_K;
            out[apart] += distance(codes + i * BYTES, codes + j * BYTES);
            count[apart]++;
        }
    out[0] /= count[0];
    out[1] /= count[1];
}

static int own(void *user, float *out, const float *in, const size_t *rows, size_t n,
               size_t dim, uint64_t seed)
{
    (void)user;
    (void)rows;
    for (size_t i = 0; i < n * dim; i++)
        out[i] = in[i] + 0.1F * (float)((seed >> i % 60 & 1) ? 1 : -1);
    return 0;
}

static void check_method(const imsat_data *data, const char *method)
{
    imsat_error err;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    double mean[2];
    imsat_options opt = blobs_hash_options(method);
    opt.runs = 2;
    opt.epochs = 40;
    opt.augment = own;
    assert_ok(imsat_hash(&model, data, &opt, &result, &err), &err);
    assert_null(result->labels);
    const uint8_t *codes = result->codes + result->best * result->rows * BYTES;
    mean_distances(mean, codes);
    if (mean[0] > 0.7 * mean[1])
        fail_msg("%s: distances %g within a blob, %g between blobs", method, mean[0], mean[1]);
    const imsat_run *best = imsat_result_run(result, result->best),
                    *other = imsat_result_run(result, 1 - result->best);
    assert_true(best->objective <= other->objective);
    assert_true(best->term[IMSAT_TERM_PAIR_INFO] > 0 &&
                best->term[IMSAT_TERM_MARG_ENTROPY] > best->term[IMSAT_TERM_COND_ENTROPY]);
    if (!(result->agreement > 0.1 && result->agreement <= 1))
        fail_msg("%s: runs agree by %g", method, result->agreement);
    uint8_t again[BLOB_ROWS * BYTES];
    assert_ok(imsat_encode(model, data, again, NULL, 2, &err), &err);
    assert_memory_equal(again, codes, sizeof again);
    imsat_result_free(result);
    imsat_model_free(model);
}

static void test_near_rows_have_near_codes(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    for (size_t i = 0; imsat_method_name(i); i++)
        if (imsat_method_serves(imsat_method_name(i), IMSAT_TASK_HASH) &&
            im_methods_find(imsat_method_name(i))->terms)
            check_method(data, imsat_method_name(i));
    imsat_data_free(data);
}

static void test_threads_do_not_change_a_bit(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_hash_options("imsat-vat");
    opt.bits = 53; /* several blocks of every kind */
    opt.runs = 2;
    const size_t size = model_bytes(data, &opt, "one", one);
    for (opt.threads = 1; opt.threads <= 3; opt.threads += 2) {
        assert_int_equal(model_bytes(data, &opt, "two", two), size);
        assert_memory_equal(one, two, size);
    }
    opt.seed = 2; /* and the comparison can fail */
    model_bytes(data, &opt, "two", two);
    assert_int_not_equal(memcmp(one, two, size), 0);
    imsat_data_free(data);
}

static void test_resume_gives_the_same_bits(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options whole = blobs_hash_options("imsat-vat");
    whole.runs = 2;
    const size_t size = model_bytes(data, &whole, "one", one);
    for (size_t stop_at = 4; stop_at < 140; stop_at += 33) {
        imsat_error err;
        imsat_model *model = NULL;
        imsat_options opt;
        blobs_interrupt(&opt, data, &whole, stop_at);
        assert_int_equal(model_bytes(data, &opt, "two", two), size);
        assert_memory_equal(one, two, size);
        opt.bits++;
        assert_refused(imsat_hash(&model, data, &opt, NULL, &err), &err, IMSAT_EMISMATCH,
                       "was made with bits 11");
    }
    imsat_data_free(data);
}

/* What is stored of a piece beside what comes in one go. */
typedef struct delivery {
    uint8_t codes[BLOB_ROWS * BYTES];
    float proba[BLOB_ROWS * BLOB_BITS];
    size_t rows;
} delivery;

static int take(void *user, const imsat_piece *piece)
{
    delivery *d = user;
    assert_int_equal(piece->first, d->rows);
    assert_null(piece->labels);
    memcpy(d->codes + piece->first * BYTES, piece->codes, piece->count * BYTES);
    memcpy(d->proba + piece->first * BLOB_BITS, piece->proba,
           piece->count * BLOB_BITS * sizeof(float));
    d->rows += piece->count;
    return 0;
}

static void check_codes(const uint8_t *codes, const float *proba)
{
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        for (size_t d = 0; d < BLOB_BITS; d++) {
            const int bit = codes[i * BYTES + d / 8] >> (7 - d % 8) & 1;
            assert_int_equal(bit, proba[i * BLOB_BITS + d] > 0.5F);
        }
        assert_int_equal(codes[i * BYTES + BYTES - 1] & 0x1f, 0);
    }
}

static void test_encode(void **state)
{
    (void)state;
    static uint8_t codes[BLOB_ROWS * BYTES], saved[BLOB_ROWS * BYTES];
    static float proba[BLOB_ROWS * BLOB_BITS];
    static delivery d;
    imsat_error err;
    imsat_model *model = NULL, *loaded = NULL;
    imsat_data *data = blobs_open();
    const imsat_options opt = blobs_hash_options("imsat-vat");
    assert_ok(imsat_hash(&model, data, &opt, NULL, &err), &err);
    assert_int_equal(imsat_model_bits(model), BLOB_BITS);
    assert_int_equal(imsat_model_clusters(model), 0);
    assert_ok(imsat_encode(model, data, codes, proba, 2, &err), &err);
    check_codes(codes, proba);
    assert_ok(imsat_predict_stream(model, data, take, &d, 3, &err), &err);
    assert_int_equal(d.rows, BLOB_ROWS);
    assert_memory_equal(d.codes, codes, sizeof codes);
    assert_memory_equal(d.proba, proba, sizeof proba);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    assert_ok(imsat_model_load(&loaded, in_folder("model"), &err), &err);
    assert_int_equal(imsat_model_task(loaded), IMSAT_TASK_HASH);
    assert_ok(imsat_encode(loaded, data, saved, NULL, 1, &err), &err);
    assert_memory_equal(saved, codes, sizeof codes);
    int32_t labels[BLOB_ROWS];
    assert_refused(imsat_predict(model, data, labels, NULL, 1, &err), &err, IMSAT_EMISMATCH,
                   "imsat_encode");
    imsat_model_free(loaded);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void test_clusters_make_no_codes(void **state)
{
    (void)state;
    static uint8_t codes[BLOB_ROWS * BYTES];
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_options("imsat-vat");
    opt.epochs = 1;
    assert_ok(imsat_cluster(&model, data, &opt, NULL, &err), &err);
    assert_refused(imsat_encode(model, data, codes, NULL, 1, &err), &err, IMSAT_EMISMATCH,
                   "imsat_predict");
    assert_int_equal(imsat_model_bits(model), 0);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void refuse(imsat_options opt, const imsat_data *data, const char *why)
{
    imsat_error err;
    imsat_model *model = NULL;
    assert_refused(imsat_hash(&model, data, &opt, NULL, &err), &err, IMSAT_EINVAL, why);
    assert_null(model);
}

static void test_refusals(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    const double prior[BLOB_K] = {0.3, 0.3, 0.4};
    const imsat_options good = blobs_hash_options("imsat-vat");
    imsat_options opt = good;
    opt.bits = 0;
    refuse(opt, data, "bits is 0, and must be from 1 to 1024");
    opt.bits = IMSAT_MAX_BITS + 1;
    refuse(opt, data, "bits is 1025");
    opt = good, opt.k = 3;
    refuse(opt, data, "k is set (3), but hash codes have no such option");
    opt = good, opt.prior = prior;
    refuse(opt, data, "prior is set");
    opt = good, opt.mu = IMSAT_AUTO;
    refuse(opt, data, "mu is set");
    refuse(blobs_hash_options("imsat-affine"), data, "imsat-affine does not learn hash codes");
    refuse(blobs_options("imsat-vat"), data, "imsat_options_init_hash");
    assert_refused(imsat_cluster(&model, data, &good, NULL, &err), &err, IMSAT_EINVAL,
                   "imsat_options_init()");
    imsat_data_free(data);
}

static void test_step_allocates_nothing(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options opt = blobs_hash_options("imsat-vat");
    blobs_steps_allocate_nothing(data, &opt, NULL);
    imsat_data_free(data);
}

static imsat_status fit_and_encode(void *context, imsat_error *err)
{
    static delivery d;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_options opt = blobs_hash_options("imsat-vat");
    opt.epochs = 1;
    opt.runs = 2;
    opt.hidden_count = 1;
    opt.threads = 1;
    d.rows = 0;
    imsat_status st = imsat_hash(&model, context, &opt, &result, err);
    if (st != IMSAT_OK) {
        assert_null(model);
        assert_null(result);
    }
    if (st == IMSAT_OK)
        st = imsat_predict_stream(model, context, take, &d, 1, err);
    imsat_result_free(result);
    imsat_model_free(model);
    return st;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    assert_true(fail_each(fit_and_encode, data) > 30);
    imsat_data_free(data);
}

/* One bit, and more bits than rows of a batch. */
static void test_extremes(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options opt = blobs_hash_options("imsat-rpt");
    opt.epochs = 1;
    opt.bits = 1;
    assert_true(model_bytes(data, &opt, "one", one) > 1000);
    opt.bits = IMSAT_MAX_BITS;
    assert_true(model_bytes(data, &opt, "two", two) > 1000);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near_rows_have_near_codes),
        cmocka_unit_test(test_threads_do_not_change_a_bit),
        cmocka_unit_test(test_resume_gives_the_same_bits),
        cmocka_unit_test(test_encode),
        cmocka_unit_test(test_clusters_make_no_codes),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_step_allocates_nothing),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_extremes),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
