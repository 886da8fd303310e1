/* SPDX-License-Identifier: MIT
 * The comparison of methods, the choice of k and the null test, on rows with clusters and on
 * rows without.
 *
 * tsan: the_same_for_any_threads. */
#include "choices.h"
#include "failing_alloc.h"
#include "support.h"

#include "imsat/choice.h"

#include <math.h>
#include <string.h>

enum { ROWS = 150, DIM = 2, BLOBS = 3 };

static const double LONG = 1000; /* seconds */
static float blobs[ROWS * DIM], noise[ROWS * DIM], rings[ROWS * DIM];

/* Three far blobs; one; and two rings, one within the other. */
static int make_rows(void **state)
{
    (void)state;
    const double pi = acos(-1);
    choices_blobs(blobs, ROWS, DIM, BLOBS, 9, 1);
    choices_blobs(noise, ROWS, DIM, 1, 0, 2);
    for (int i = 0; i < ROWS; i++) {
        const double radius = (i % 2 ? 4 : 1) + 0.1 * sin(i * i), angle = 4 * pi * i / ROWS;
        rings[i * DIM] = (float)(radius * cos(angle));
        rings[i * DIM + 1] = (float)(radius * sin(angle));
    }
    return 0;
}

static imsat_data *view(const float *x, size_t n)
{
    imsat_error err;
    imsat_data *data = NULL;
    assert_ok(imsat_data_view(&data, x, n, DIM, DIM, &err), &err);
    return data;
}

static imsat_comparison *compare(const float *x, size_t k, const char *methods, size_t threads)
{
    imsat_error err;
    imsat_comparison *found = NULL;
    imsat_data *data = view(x, ROWS);
    imsat_options opt = choices_options(k);
    opt.threads = threads;
    assert_ok(imsat_compare(&found, data, &opt, methods, LONG, &err), &err);
    imsat_data_free(data);
    return found;
}

static const char *best(const imsat_comparison *c)
{
    const imsat_compared *m = imsat_comparison_method(c, c->best);
    return m ? m->method : "none";
}

/* All find them; the simplest is enough. */
static void blobs_are_found(void **state)
{
    (void)state;
    imsat_comparison *c = compare(blobs, BLOBS, "kmeans,gmm,spectral", 1);
    assert_int_equal(c->methods, 3);
    assert_int_equal(c->rows, ROWS);
    assert_int_equal(c->structure, 1);
    assert_string_equal(best(c), "kmeans");
    for (size_t i = 0; i < c->methods; i++) {
        const imsat_compared *m = imsat_comparison_method(c, i);
        assert_null(m->left_out);
        assert_near(m->data->information, 1, 1e-9);
        assert_near(m->data->strength, 1, 1e-9);
        assert_near(m->data->seeds, 1, 1e-9);
        assert_near(m->data->rows, 1, 1e-9);
        assert_near(m->agreement, 1, 1e-9);
        assert_true(m->data->silhouette > 0.6);
        assert_true(m->null[IMSAT_NULL_NORMAL]->information < 0.9);
        for (size_t row = 0; row < ROWS; row++)
            for (size_t other = 0; other < 10; other++)
                assert_int_equal(m->labels[row] == m->labels[other],
                                 c->row[row] % BLOBS == c->row[other] % BLOBS);
    }
    assert_null(imsat_comparison_method(c, 3));
    imsat_comparison_free(c);
}

/* Halves of rings are stable, and wrong. */
static void rings_are_for_spectral(void **state)
{
    (void)state;
    imsat_comparison *c = compare(rings, 2, "kmeans,gmm,spectral", 1);
    assert_int_equal(c->structure, 1);
    assert_int_equal(c->normals, 0);
    assert_string_equal(best(c), "spectral");
    assert_non_null(strstr(c->sentence, "few rows"));
    imsat_comparison_free(c);
}

/* And nothing is trained on it. */
static void noise_has_no_structure(void **state)
{
    (void)state;
    imsat_comparison *c = compare(noise, BLOBS, "kmeans,imsat-vat", 1);
    assert_int_equal(c->structure, 0);
    assert_int_equal(c->best, c->methods);
    assert_non_null(strstr(c->sentence, "No structure"));
    assert_null(imsat_comparison_method(c, 0)->left_out);
    assert_non_null(strstr(imsat_comparison_method(c, 1)->left_out, "no structure"));
    assert_null(imsat_comparison_method(c, 1)->labels);
    imsat_comparison_free(c);
}

static int same_measures(const imsat_measures *a, const imsat_measures *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void the_same_for_any_threads(void **state)
{
    (void)state;
    imsat_comparison *one = compare(rings, 2, "kmeans,spectral", 1);
    imsat_comparison *three = compare(rings, 2, "kmeans,spectral", 3);
    assert_string_equal(one->sentence, three->sentence);
    for (size_t i = 0; i < one->methods; i++) {
        const imsat_compared *a = imsat_comparison_method(one, i);
        const imsat_compared *b = imsat_comparison_method(three, i);
        assert_memory_equal(a->labels, b->labels, ROWS * sizeof *a->labels);
        assert_true(same_measures(a->data, b->data));
        for (size_t kind = 0; kind < IMSAT_NULLS; kind++)
            assert_true(same_measures(a->null[kind], b->null[kind]));
    }
    imsat_comparison_free(one);
    imsat_comparison_free(three);
}

/* What a method refuses is said, and the others go on: there are four different rows, which is
 * too few for k-means. */
static void a_method_may_refuse(void **state)
{
    (void)state;
    static float few[ROWS * DIM];
    for (size_t i = 0; i < ROWS; i++)
        few[i * DIM] = (float)(i % 4);
    imsat_comparison *c = compare(few, 6, "kmeans,spectral", 1);
    assert_non_null(strstr(imsat_comparison_method(c, 0)->left_out, "only 4 rows"));
    assert_null(imsat_comparison_method(c, 0)->labels);
    assert_non_null(imsat_comparison_method(c, 1)->labels);
    imsat_comparison_free(c);
}

/* There are clusters, and the only method wants images. */
static void no_method_is_left(void **state)
{
    (void)state;
    imsat_error err;
    imsat_comparison *c = NULL;
    imsat_data *data = view(blobs, ROWS);
    const imsat_options opt = choices_options(BLOBS);
    const imsat_status st = imsat_compare(&c, data, &opt, "imsat-affine", LONG, &err);
    assert_refused(st, &err, IMSAT_EINVAL, "no method could be run: method imsat-affine");
    assert_null(c);
    imsat_data_free(data);
}

/* Of more than 32 clusters k-means alone makes the test. A row has nine others of its blob,
 * and so a tenth of its neighbors is of another one. */
static void many_clusters(void **state)
{
    (void)state;
    static float many[33 * 10 * DIM];
    imsat_error err;
    int found = 7;
    double information = 0, without = 0;
    choices_blobs(many, 33 * 10, DIM, 33, 12, 4);
    imsat_data *data = view(many, 33 * 10);
    const imsat_options opt = choices_options(33);
    assert_ok(imsat_has_structure(&found, &information, &without, data, &opt, &err), &err);
    assert_int_equal(found, 1);
    assert_true(information > 0.8);
    imsat_data_free(data);
}

/* ---- k ------------------------------------------------------------------------------------
 */

static imsat_k_choice *choose(const float *x, size_t from, size_t to)
{
    imsat_error err;
    imsat_k_choice *choice = NULL;
    imsat_data *data = view(x, ROWS);
    const imsat_options opt = choices_options(0);
    assert_ok(imsat_choose_k(&choice, data, &opt, from, to, LONG, &err), &err);
    imsat_data_free(data);
    return choice;
}

static void three_blobs_are_three(void **state)
{
    (void)state;
    imsat_k_choice *choice = choose(blobs, 2, 5);
    assert_int_equal(choice->k, 3);
    assert_int_equal(choice->count, 4);
    assert_non_null(strstr(choice->sentence, "k = 3"));
    assert_int_equal(imsat_k_choice_row(choice, 1)->k, 3);
    assert_true(imsat_k_choice_row(choice, 1)->stands);
    assert_false(imsat_k_choice_row(choice, 2)->stands);
    assert_null(imsat_k_choice_row(choice, 4));
    imsat_k_choice_free(choice);
}

static void noise_has_no_k(void **state)
{
    (void)state;
    imsat_k_choice *choice = choose(noise, 2, 4);
    assert_int_equal(choice->k, 0);
    assert_non_null(strstr(choice->sentence, "No k stands out"));
    imsat_k_choice_free(choice);
}

/* ---- the cheap form ------------------------------------------------------------------------
 */

static int has_structure(const float *x, size_t n, size_t k)
{
    imsat_error err;
    int found = 7;
    double information, without;
    imsat_data *data = view(x, n);
    const imsat_options opt = choices_options(k);
    assert_ok(imsat_has_structure(&found, &information, &without, data, &opt, &err), &err);
    assert_true(found < 0 || (information >= 0 && without >= 0));
    imsat_data_free(data);
    return found;
}

static void the_cheap_form(void **state)
{
    (void)state;
    assert_int_equal(has_structure(blobs, ROWS, BLOBS), 1);
    assert_int_equal(has_structure(rings, ROWS, 2), 1);
    assert_int_equal(has_structure(noise, ROWS, BLOBS), 0);
    assert_int_equal(has_structure(blobs, 20, BLOBS), -1);
}

/* ---- refusals, stops, memory --------------------------------------------------------------
 */

static void refusals(void **state)
{
    (void)state;
    imsat_error err;
    imsat_comparison *c = NULL;
    imsat_k_choice *choice = NULL;
    imsat_data *data = view(blobs, ROWS);
    imsat_options opt = choices_options(BLOBS);
    assert_refused(imsat_compare(&c, data, &opt, "kmeans,kmean", LONG, &err), &err,
                   IMSAT_EINVAL, "\"kmean\"");
    assert_refused(imsat_compare(&c, data, &opt, "itq", LONG, &err), &err, IMSAT_EINVAL,
                   "\"itq\"");
    assert_refused(imsat_compare(&c, data, &opt, "", LONG, &err), &err, IMSAT_EINVAL, "\"\"");
    assert_refused(imsat_compare(&c, data, &opt, NULL, 0, &err), &err, IMSAT_EINVAL,
                   "a budget of 0 seconds");
    assert_refused(imsat_compare(&c, data, &opt, NULL, 1e-9, &err), &err, IMSAT_EINVAL,
                   "budget");
    opt.k = 19;
    assert_refused(imsat_compare(&c, data, &opt, NULL, LONG, &err), &err, IMSAT_EINVAL,
                   "150 rows are too few to judge 19 clusters by");
    assert_refused(imsat_choose_k(&choice, data, &opt, 1, 3, LONG, &err), &err, IMSAT_EINVAL,
                   "k from 1 to 3");
    assert_refused(imsat_choose_k(&choice, data, &opt, 2, 151, LONG, &err), &err, IMSAT_EINVAL,
                   "k from 2 to 151");
    assert_null(c);
    assert_null(choice);
    imsat_data_free(data);
}

/* Stop at the call of that number. */
static int stop_at(void *user, const imsat_progress *progress)
{
    size_t *left = user;
    assert_true(progress->fraction >= 0 && progress->fraction <= 1);
    return (*left)-- == 1;
}

static void a_stop_is_heeded(void **state)
{
    (void)state;
    imsat_error err;
    imsat_comparison *c = NULL;
    imsat_k_choice *choice = NULL;
    imsat_data *data = view(blobs, ROWS);
    imsat_options opt = choices_options(BLOBS);
    size_t left;
    opt.progress = stop_at;
    opt.progress_user = &left;
    for (size_t call = 1; call <= 65; call *= 4) {
        left = call;
        assert_refused(imsat_compare(&c, data, &opt, "kmeans,spectral", LONG, &err), &err,
                       IMSAT_ESTOPPED, "stopped");
        left = call;
        assert_refused(imsat_choose_k(&choice, data, &opt, 2, 3, LONG, &err), &err,
                       IMSAT_ESTOPPED, "stopped");
    }
    assert_null(c);
    assert_null(choice);
    imsat_data_free(data);
}

/* Allocations from the first on, ever further apart, until none of them is reached. */
static void allocations_may_fail(void **state)
{
    (void)state;
    imsat_data *data = view(blobs, 61);
    const imsat_options opt = choices_options(BLOBS);
    size_t refused = 0;
    for (size_t at = 1;; at += 1 + at / 3, refused++) {
        imsat_error err;
        imsat_comparison *c = NULL;
        imsat_k_choice *choice = NULL;
        failing_alloc_arm(at);
        imsat_status st = imsat_compare(&c, data, &opt, "kmeans", LONG, &err);
        if (st == IMSAT_OK)
            st = imsat_choose_k(&choice, data, &opt, 2, 3, LONG, &err);
        const size_t count = failing_alloc_count();
        failing_alloc_arm(0);
        assert_true(st == IMSAT_OK || (st == IMSAT_ENOMEM && !choice));
        imsat_comparison_free(c);
        imsat_k_choice_free(choice);
        if (count < at)
            break;
        assert_int_equal(st, IMSAT_ENOMEM);
    }
    assert_true(refused > 15);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blobs_are_found),
        cmocka_unit_test(rings_are_for_spectral),
        cmocka_unit_test(noise_has_no_structure),
        cmocka_unit_test(the_same_for_any_threads),
        cmocka_unit_test(a_method_may_refuse),
        cmocka_unit_test(no_method_is_left),
        cmocka_unit_test(many_clusters),
        cmocka_unit_test(three_blobs_are_three),
        cmocka_unit_test(noise_has_no_k),
        cmocka_unit_test(the_cheap_form),
        cmocka_unit_test(refusals),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, make_rows, NULL);
}
