/* SPDX-License-Identifier: MIT
 * The part of a model's file that says how rows are made: what is read back, and what is
 * refused of files that were changed. */
#include "features/origin.h"

#include "core/alloc.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* Of three words. */
static im_origin *make(void)
{
    static const char *const words[] = {"ant", "bee", "cat"};
    im_tfidf tfidf = {
        .options = {.words = 5, .least = 2, .damped = true, .keep_length = true}};
    imsat_error err;
    im_origin *origin = NULL;
    tfidf.idf = im_alloc(3, sizeof *tfidf.idf);
    for (size_t i = 0; i < 3; i++) {
        uint32_t number;
        assert_ok(im_vocabulary_add(&tfidf.words, &number, words[i], 3, &err), &err);
        tfidf.idf[i] = 1 + (double)i;
    }
    assert_ok(im_origin_tfidf(&origin, &tfidf, &err), &err);
    assert_null(tfidf.idf);
    return origin;
}

static void save(im_safetensors *file, const im_origin *origin)
{
    imsat_error err;
    assert_ok(im_origin_record(file, origin, &err), &err);
    assert_ok(im_origin_add(file, origin, &err), &err);
}

static void a_step_comes_back(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    im_origin *origin = make(), *again = NULL;
    save(&file, origin);
    assert_string_equal(im_safetensors_value(&file, "features.kind"), "tfidf");
    assert_ok(im_origin_load(&again, &file, "m", 3, &err), &err);
    assert_int_equal(im_origin_dim(again), 3);
    assert_int_equal(again->tfidf.options.words, 5);
    assert_int_equal(again->tfidf.options.least, 2);
    assert_true(again->tfidf.options.damped);
    assert_true(again->tfidf.options.keep_length);
    assert_false(again->tfidf.options.stop_words);
    assert_int_equal(again->vocabulary_size, 12);
    assert_memory_equal(again->vocabulary, "ant\nbee\ncat\n", 12);
    assert_int_equal(im_vocabulary_find(&again->tfidf.words, "cat", 3), 2);
    assert_memory_equal(again->tfidf.idf, origin->tfidf.idf, 3 * sizeof(double));
    im_origin_drop(again);
    im_origin_drop(origin);
    im_safetensors_clear(&file);
}

static void gist_comes_back(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    im_origin *origin = NULL, *again = NULL;
    assert_ok(im_origin_gist(&origin, (imsat_image){8, 9, 3}, true, &err), &err);
    save(&file, origin);
    assert_refused(im_origin_load(&again, &file, "m", 512, &err), &err, IMSAT_EFORMAT,
                   "m: its features are 960 values, but the network is of 512");
    assert_ok(im_origin_load(&again, &file, "m", 960, &err), &err);
    assert_int_equal(again->kind, IM_ORIGIN_GIST);
    assert_int_equal(again->image.width, 9);
    assert_true(again->color);
    im_origin_drop(again);
    im_origin_drop(origin);
    im_safetensors_clear(&file);
}

static void the_last_holder_frees_it(void **state)
{
    (void)state;
    im_origin *origin = make();
    assert_ptr_equal(im_origin_hold(origin), origin);
    im_origin_drop(origin);
    assert_int_equal(origin->tfidf.words.count, 3);
    im_origin_drop(origin);
    assert_null(im_origin_hold(NULL));
    im_origin_drop(NULL);
}

/* Change the file of a good origin, and have it refused. */
static void assert_bad(const char *key, const char *value, const char *words, double idf,
                       size_t dim, const char *why)
{
    imsat_error err;
    im_safetensors file = {0};
    im_origin *origin = make(), *again = NULL;
    assert_int_equal(strlen(words), 12);
    memcpy(origin->vocabulary, words, 12);
    origin->tfidf.idf[1] = idf;
    save(&file, origin);
    if (key)
        assert_ok(im_safetensors_set(&file, key, value, &err), &err);
    assert_refused(im_origin_load(&again, &file, "m", dim, &err), &err, IMSAT_EFORMAT, why);
    assert_null(again);
    im_origin_drop(origin);
    im_safetensors_clear(&file);
}

static void changed_files_are_refused(void **state)
{
    (void)state;
    const char *good = "ant\nbee\ncat\n";
    assert_bad("features.kind", "bm25", good, 1, 3, "features of the kind 'bm25'");
    assert_bad("features.words", "0", good, 1, 3, "features.words");
    assert_bad("features.damped", "2", good, 1, 3, "features.damped");
    assert_bad("features.vocabulary_bytes", "11", good, 1, 3, "features.vocabulary");
    assert_bad(NULL, NULL, good, 1, 4, "features.idf");
    assert_bad(NULL, NULL, "ant\nant\ncat\n", 1, 3, "word 1 of features.vocabulary");
    assert_bad(NULL, NULL, "ant\n\nee\ncat\n", 1, 3, "word 1 of features.vocabulary");
    assert_bad(NULL, NULL, "ant\nbee\ncats", 1, 3, "word 2 of features.vocabulary");
    assert_bad(NULL, NULL, "ant\nbeeecat\n", 1, 3, "features.vocabulary has 2 words");
    assert_bad(NULL, NULL, good, NAN, 3, "element 1 of features.idf is nan");
    assert_bad(NULL, NULL, good, 0.5, 3, "element 1 of features.idf is 0.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_comes_back),
        cmocka_unit_test(gist_comes_back),
        cmocka_unit_test(the_last_holder_frees_it),
        cmocka_unit_test(changed_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
