/* SPDX-License-Identifier: MIT
 * 20news and Reuters from small archives in their layouts. */
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/features.h"
#include "set_files.h"
#include "tar_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The sum of the squares of a row. */
static double square(const imsat_data *data, size_t i)
{
    const size_t dim = imsat_data_dim(data);
    float row[64];
    double sum = 0;
    assert_true(dim <= 64);
    assert_ok(imsat_data_read(data, i, 1, row, NULL), NULL);
    for (size_t j = 0; j < dim; j++)
        sum += (double)row[j] * (double)row[j];
    return sum;
}

/* ---- 20news ---------------------------------------------------------------------------- */

#define HEAD "From: somebody@example.org\nSubject: words that do not count\n\n"
#define TEN  "apple apple berry berry cherry cherry cherry date date date\n"

static const struct {
    const char *name, *text;
} posts[] = {
    {"20news-bydate-train/alt.one/1", HEAD TEN},
    {"20news-bydate-train/sci.two/2", HEAD TEN "elder elder the and of\n"},
    {"20news-bydate-test/alt.one/3", HEAD "apple berry cherry date elder the of and to in\n"},
    {"20news-bydate-test/sci.two/4", HEAD TEN},
};

static void check_news(void)
{
    imsat_data *data = set_prepare("20news", NULL);
    assert_set_labels(data, (const int32_t[]){0, 1, 1}, 3); /* the third has five words */
    assert_int_equal(imsat_data_dim(data), 5);
    assert_true(im_data_is_sparse(data));
    /* apple, berry, cherry and date are in all three posts, so that their idf is 1; elder is
     * twice in one: idf 1 + log(4 / 2). */
    const double two = 1 + log(2), three = 1 + log(3);
    const double ten = 2 * two * two + 2 * three * three;
    assert_near(square(data, 0), ten, 1e-4);
    assert_near(square(data, 1), ten + two * two * two * two, 1e-4);
    assert_near(square(data, 2), ten, 1e-4);
    imsat_data_free(data);
}

static void posts_with_ten_words_are_rows(void **state)
{
    (void)state;
    static tar_bytes tar;
    tar = (tar_bytes){0};
    set_folder("unpacked");
    for (size_t i = 0; i < 4; i++) {
        tar_add(&tar, '0', posts[i].name, posts[i].text, strlen(posts[i].text));
        set_put(posts[i].name, posts[i].text, strlen(posts[i].text), false);
    }
    tar_end(&tar);
    /* In a folder the test part comes second, too. */
    check_news();
    set_folder("archive");
    set_put("20news-bydate.tar.gz", tar.data, tar.size, true);
    check_news();
}

/* ---- Reuters --------------------------------------------------------------------------- */

static const char qrels[] = "E11 7 1\nECAT 7 1\nGCAT 9 1\nM11 12 1\nMCAT 12 1\nCCAT 12 1\n"
                            "CCAT 20 1\nMCAT 4000000000 1\nM11 4000000000 1\n\nC15 30 1\n";

static void put_reuters(const char *topics, const char *train)
{
    static const char *const tests[] = {
        ".I 12\n.W\ntwo root not kept\n\n", ".I 20\n.W\ncorpor profit\nprofit rise\n",
        ".I 30\n.W\nno root\n\n", ".I 4000000000\n.W\nmarket rise\n\n.I 5\n.W\nunknown\n"};
    char name[64];
    set_put("rcv1-v2.topics.qrels.gz", topics, strlen(topics), true);
    set_put("lyrl2004_tokens_train.dat.gz", train, strlen(train), true);
    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "lyrl2004_tokens_test_pt%d.dat", i);
        set_put(name, tests[i], strlen(tests[i]), false);
    }
}

static const char train[] = ".I 7\n.W\neconomi rise rise\n\n.I 9\n.W\ngovern elect\n";

static void stories_of_one_topic_are_rows(void **state)
{
    (void)state;
    size_t size = 0;
    set_folder("r");
    put_reuters(qrels, train);
    imsat_data *data = set_prepare("reuters", NULL);
    /* CCAT, ECAT, GCAT, MCAT in the order of their names */
    assert_set_labels(data, (const int32_t[]){1, 2, 0, 3}, 4);
    for (size_t i = 0; i < 4; i++)
        assert_near(square(data, i), 2000, 0.1);
    assert_int_equal(imsat_data_dim(data),
                     7); /* corpor economi elect govern market profit rise */
    assert_null(imsat_data_word(data, 0, &size));
    imsat_data_free(data);
}

/* 10,000 are drawn, others by another seed. */
static void ten_thousand_are_drawn(void **state)
{
    (void)state;
    enum { ALL = 10300, LINE = 40 };
    static char topics[ALL * LINE], words[ALL * LINE];
    size_t at = 0, end = 0, moved = 0;
    for (int i = 0; i < ALL; i++) {
        at +=
            (size_t)snprintf(topics + at, LINE, "%s %d 1\n", i % 3 ? "CCAT" : "MCAT", 100 + i);
        end +=
            (size_t)snprintf(words + end, LINE, ".I %d\n.W\nword%d word\n", 100 + i, i % 30);
    }
    set_folder("many");
    put_reuters(topics, words);
    imsat_data *one = set_prepare("reuters", &(imsat_prepare_options){.seed = 1});
    imsat_data *two = set_prepare("reuters", &(imsat_prepare_options){.seed = 2});
    assert_int_equal(imsat_data_rows(one), 10000);
    assert_int_equal(imsat_data_rows(two), 10000);
    for (size_t i = 0; i < 10000; i++)
        moved += imsat_data_labels(one)[i] != imsat_data_labels(two)[i];
    assert_true(moved > 100);
    imsat_data_free(one);
    imsat_data_free(two);
}

static void what_is_no_story_is_refused(void **state)
{
    (void)state;
    set_folder("r");
    put_reuters("ECAT 7 1\nGCAT nine 1\n", train);
    assert_not_prepared("reuters", NULL, IMSAT_EFORMAT,
                        "rcv1-v2.topics.qrels.gz: line 2: expected a topic");
    put_reuters("ECAT 7 1\n", ".I 7\n.W\nrise\n.I\n");
    assert_not_prepared(
        "reuters", NULL, IMSAT_EFORMAT,
        "lyrl2004_tokens_train.dat.gz: line 4: expected the number of a story");
    put_reuters("ECAT 8 1\n", train);
    assert_not_prepared("reuters", NULL, IMSAT_EFORMAT,
                        "no story is of just one of CCAT, ECAT");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = imsat_sets_prepare(&data, NULL, "reuters", context, NULL, err);
    assert_true((data == NULL) == (st != IMSAT_OK));
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char folder[512];
    snprintf(folder, sizeof folder, "%s", set_folder("a"));
    put_reuters(qrels, train);
    assert_true(fail_each(attempt, folder) >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posts_with_ten_words_are_rows),
        cmocka_unit_test(stories_of_one_topic_are_rows),
        cmocka_unit_test(ten_thousand_are_drawn),
        cmocka_unit_test(what_is_no_story_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, set_files_start, set_files_end);
}
