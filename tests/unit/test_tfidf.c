/* SPDX-License-Identifier: MIT
 * tf-idf: the formula, by numbers made by hand, which words and documents are kept, and other
 * documents. tests/peers/tfidf.py compares with scikit-learn. */
#include "features/tfidf.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* What came of a fit. */
typedef struct fitted {
    im_tfidf tfidf;
    im_csr rows;
    uint32_t *documents;
} fitted;

static void fitted_clear(fitted *f)
{
    im_tfidf_clear(&f->tfidf);
    im_csr_clear(&f->rows);
    im_free(f->documents);
}

static imsat_status fit(fitted *out, const char *const *texts, size_t count,
                        im_tfidf_options options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_tfidf_fit fitting;
    im_tfidf_begin(&fitting, &options);
    for (size_t i = 0; i < count; i++)
        IM_TRY(im_tfidf_take(&fitting, texts[i], strlen(texts[i]), err));
    IM_TRY(im_tfidf_finish(&out->tfidf, &out->rows, &out->documents, &fitting, "texts", err));

cleanup:
    im_tfidf_fit_clear(&fitting);
    return st;
}

static fitted fit_ok(const char *const *texts, size_t count, im_tfidf_options options)
{
    fitted f = {0};
    imsat_error err;
    assert_ok(fit(&f, texts, count, options, &err), &err);
    assert_int_equal(f.rows.dim, f.tfidf.words.count);
    return f;
}

static void assert_word(const fitted *f, size_t column, const char *word)
{
    size_t size;
    const char *text = im_vocabulary_word(&f->tfidf.words, column, &size);
    assert_int_equal(size, strlen(word));
    assert_memory_equal(text, word, size);
}

static void assert_row(const im_csr *rows, size_t row, const double *expected)
{
    float x[8];
    assert_true(rows->dim <= 8);
    im_csr_floats(x, rows, row, 0, rows->dim);
    for (size_t j = 0; j < rows->dim; j++)
        assert_near((double)x[j], expected[j], 1e-7);
}

static const char *const fruits[] = {"Apple apple pear", "the pear! the plum", "the the",
                                     "plum plum PLUM apple"};

static void values_are_those_of_the_formula(void **state)
{
    (void)state;
    fitted f =
        fit_ok(fruits, 4, (im_tfidf_options){.words = 10, .least = 1, .stop_words = true});
    assert_int_equal(f.tfidf.words.count, 3); /* of three documents: one has stop words only */
    assert_word(&f, 0, "apple");
    assert_word(&f, 1, "pear");
    assert_word(&f, 2, "plum");
    const double idf = 1 + log(4.0 / 3); /* each is in two of the three */
    for (size_t j = 0; j < 3; j++)
        assert_near(f.tfidf.idf[j], idf, 1e-15);
    assert_int_equal(f.rows.rows, 3);
    assert_int_equal(f.documents[0], 0);
    assert_int_equal(f.documents[1], 1);
    assert_int_equal(f.documents[2], 3);
    assert_row(&f.rows, 0, (double[]){2 / sqrt(5), 1 / sqrt(5), 0});
    assert_row(&f.rows, 1, (double[]){0, sqrt(0.5), sqrt(0.5)});
    assert_row(&f.rows, 2, (double[]){1 / sqrt(10), 0, 3 / sqrt(10)});
    fitted_clear(&f);
}

static void occurrences_can_be_damped(void **state)
{
    (void)state;
    const char *const texts[] = {"aa aa aa bb", "aa"};
    fitted f = fit_ok(texts, 2, (im_tfidf_options){.words = 10, .damped = true});
    const double a = 1 + log(3), b = 1 + log(1.5), norm = sqrt(a * a + b * b);
    assert_row(&f.rows, 0, (double[]){a / norm, b / norm});
    assert_row(&f.rows, 1, (double[]){1, 0});
    fitted_clear(&f);
}

static void rows_can_keep_their_length(void **state)
{
    (void)state;
    const char *const texts[] = {"aa aa aa bb", "aa"};
    fitted f = fit_ok(texts, 2, (im_tfidf_options){.words = 10, .keep_length = true});
    assert_row(&f.rows, 0, (double[]){3, 1 + log(1.5)});
    assert_row(&f.rows, 1, (double[]){1, 0});
    fitted_clear(&f);
}

static void the_most_frequent_words_are_kept(void **state)
{
    (void)state;
    const char *const texts[] = {"dd cc cc aa", "bb dd ee", "cc the the the"};
    fitted f = fit_ok(texts, 3, (im_tfidf_options){.words = 3});
    assert_word(&f, 0, "cc"); /* three times */
    assert_word(&f, 1, "dd"); /* twice; aa, bb and ee once */
    assert_word(&f, 2, "the");
    fitted_clear(&f);
    f = fit_ok(texts, 3, (im_tfidf_options){.words = 3, .stop_words = true});
    assert_word(&f, 0, "aa"); /* the first of those that occur once */
    assert_word(&f, 1, "cc");
    assert_word(&f, 2, "dd");
    fitted_clear(&f);
}

/* Occurrences of the words that are kept count, not others. */
static void short_documents_are_left_out(void **state)
{
    (void)state;
    const char *const texts[] = {"aa aa bb", "aa zz yy xx ww", "bb aa bb", "aa bb"};
    fitted f = fit_ok(texts, 4, (im_tfidf_options){.words = 2, .least = 3});
    assert_int_equal(f.rows.rows, 2);
    assert_int_equal(f.documents[0], 0);
    assert_int_equal(f.documents[1], 2);
    fitted_clear(&f);
    f = fit_ok(texts, 4, (im_tfidf_options){.words = 2, .least = 0});
    assert_int_equal(f.rows.rows, 4);
    fitted_clear(&f);
}

static void headers_are_skipped(void **state)
{
    (void)state;
    const char *const texts[] = {"From: xx\nSubject: yy\n\nbody: one\n\nmore", "body: two",
                                 "Reply-To: xx\r\n\r\nmore", "no header: here\n\nmore",
                                 "From: xx\nyy"};
    fitted f = fit_ok(texts, 5, (im_tfidf_options){.words = 10, .skip_headers = true});
    /* "body: two" has no blank line, so all of it is header. */
    const char *const expected[] = {"body", "header", "here", "more", "no", "one"};
    assert_int_equal(f.tfidf.words.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_word(&f, i, expected[i]);
    assert_int_equal(f.rows.rows, 5);
    fitted_clear(&f);
}

static void other_documents_get_the_same_rows(void **state)
{
    (void)state;
    imsat_error err;
    fitted f =
        fit_ok(fruits, 4, (im_tfidf_options){.words = 10, .least = 1, .stop_words = true});
    im_csr_builder builder;
    im_csr again = {0};
    im_tfidf_counter counter = {0};
    im_csr_begin(&builder);
    for (size_t i = 0; i < 4; i++)
        assert_ok(
            im_tfidf_row(&f.tfidf, &counter, &builder, fruits[i], strlen(fruits[i]), &err),
            &err);
    assert_ok(im_csr_finish(&again, &builder, f.tfidf.words.count, &err), &err);
    assert_int_equal(again.rows, 4);
    for (size_t i = 0; i < f.rows.rows; i++) {
        float x[8], y[8];
        im_csr_floats(x, &f.rows, i, 0, f.rows.dim);
        im_csr_floats(y, &again, f.documents[i], 0, f.rows.dim);
        assert_memory_equal(x, y, f.rows.dim * sizeof *x);
    }
    assert_row(&again, 2, (double[]){0, 0, 0}); /* without any word it is zero, and there */
    im_tfidf_counter_clear(&counter);
    im_csr_builder_clear(&builder);
    im_csr_clear(&again);
    fitted_clear(&f);
}

static void what_leaves_nothing_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    fitted f = {0};
    const char *const texts[] = {"the a", "?"};
    assert_refused(fit(&f, texts, 2, (im_tfidf_options){.words = 5, .stop_words = true}, &err),
                   &err, IMSAT_EINVAL,
                   "texts: the 2 texts have no words of two letters or more that are not "
                   "stop words");
    assert_refused(
        fit(&f, fruits, 4, (im_tfidf_options){.words = 5, .least = 6}, &err), &err,
        IMSAT_EINVAL,
        "texts: in none of the 4 texts do the 4 most frequent words occur 6 times; ask "
        "for fewer, as by --min-words 1");
    assert_refused(fit(&f, NULL, 0, (im_tfidf_options){.words = 5}, &err), &err, IMSAT_EINVAL,
                   "texts: there are no texts in it");
    assert_null(f.documents);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    fitted f = {0};
    const imsat_status st = fit(&f, fruits, 4, (im_tfidf_options){.words = 3}, err);
    assert_true(st == IMSAT_OK || (!f.documents && !f.tfidf.idf && !f.rows.rows));
    fitted_clear(&f);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(attempt, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_formula),
        cmocka_unit_test(occurrences_can_be_damped),
        cmocka_unit_test(rows_can_keep_their_length),
        cmocka_unit_test(the_most_frequent_words_are_kept),
        cmocka_unit_test(short_documents_are_left_out),
        cmocka_unit_test(headers_are_skipped),
        cmocka_unit_test(other_documents_get_the_same_rows),
        cmocka_unit_test(what_leaves_nothing_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
