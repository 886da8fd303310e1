/* SPDX-License-Identifier: MIT
 * Texts as data, and models of texts: they keep how rows were made, and predict takes texts.
 */
#include "features/texts.h"

#include "core/alloc.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/features.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two kinds of texts, and one that is neither. */
static const char *put_texts(void)
{
    static char text[1 << 14];
    size_t used = 0;
    for (int i = 0; i < 40; i++)
        used += (size_t)snprintf(
            text + used, sizeof text - used, "{\"text\": \"%s %s\", \"y\": \"%s\"}\n",
            i % 2 ? "the rocket in orbit, rocket moon" : "an engine of cars: engine wheel",
            i % 3   ? "moon wheel"
            : i % 2 ? "orbit"
                    : "cars",
            i % 2 ? "space" : "autos");
    snprintf(text + used, sizeof text - used, "{\"text\": \"the of\", \"y\": \"none\"}\n");
    return file_text("texts.jsonl", text);
}

static imsat_data *open_texts(const char *path, const imsat_text_options *options)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_texts_open(&data, &path, 1, options, &err), &err);
    return data;
}

static void texts_are_sparse_rows(void **state)
{
    (void)state;
    const imsat_text_options options = {.label_column = "y"};
    imsat_data *data = open_texts(put_texts(), &options);
    static const char *const words[] = {"cars", "engine", "moon", "orbit", "rocket", "wheel"};
    assert_int_equal(imsat_data_rows(data), 40); /* without the one of stop words */
    assert_int_equal(imsat_data_dim(data), 6);
    assert_true(im_data_is_sparse(data));
    assert_string_equal(imsat_data_describe(data, 0),
                        "41 texts, of which 40 have 1 or more words; tf-idf (40, 6), sparse, "
                        "146 elements");
    for (size_t j = 0; j < 6; j++) {
        size_t size;
        const char *word = imsat_data_word(data, j, &size);
        assert_int_equal(size, strlen(words[j]));
        assert_memory_equal(word, words[j], size);
    }
    size_t size;
    assert_null(imsat_data_word(data, 6, &size));
    for (size_t i = 0; i < 40; i++) {
        float row[6];
        double sum = 0;
        im_data_row(row, data, i);
        for (size_t j = 0; j < 6; j++)
            sum += (double)row[j] * (double)row[j];
        assert_near(sum, 1, 1e-6);
        assert_int_equal(imsat_data_documents(data)[i], i);
        assert_int_equal(imsat_data_labels(data)[i], i % 2 ? 2 : 0); /* autos, none, space */
    }
    imsat_data_free(data);
}

static void words_are_written(void **state)
{
    (void)state;
    const imsat_text_options options = {.words = 2};
    imsat_error err;
    char bytes[64];
    imsat_data *data = open_texts(put_texts(), &options);
    const char *path = in_folder("words.txt");
    assert_ok(imsat_words_write(path, data, &err), &err);
    const size_t size = read_file(path, bytes, sizeof bytes);
    assert_int_equal(size, 11);
    assert_memory_equal(bytes, "moon\nwheel\n", 11);
    imsat_data_free(data);
    data = open_with(file_text("x.csv", "1,2\n3,4\n"), NULL);
    assert_refused(imsat_words_write(path, data, &err), &err, IMSAT_EINVAL,
                   "was not made of texts");
    assert_null(imsat_data_documents(data));
    imsat_data_free(data);
}

static imsat_model *train(const imsat_data *data)
{
    imsat_options options;
    imsat_model *model = NULL;
    imsat_error err;
    imsat_options_init(&options, "kmeans", IMSAT_PRESET_DEFAULT);
    options.k = 2;
    assert_ok(imsat_cluster(&model, data, &options, NULL, &err), &err);
    return model;
}

/* Labels of all rows of the data, or of the texts of a file as the model opens them. */
static size_t predict(int32_t *labels, const imsat_model *model, const char *path,
                      const char *text_column)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_model_open(&data, model, &path, 1, NULL, text_column, &err), &err);
    assert_ok(imsat_predict(model, data, labels, NULL, 1, &err), &err);
    const size_t n = imsat_data_rows(data);
    imsat_data_free(data);
    return n;
}

static void a_model_takes_texts(void **state)
{
    (void)state;
    imsat_error err;
    int32_t labels[64], again[64];
    char path[512];
    snprintf(path, sizeof path, "%s", put_texts());
    imsat_data *data = open_texts(path, NULL);
    imsat_model *model = train(data), *loaded = NULL;
    imsat_data_free(data); /* which the model does not need */
    assert_ok(imsat_model_save(model, in_folder("m"), &err), &err);
    assert_ok(imsat_model_load(&loaded, in_folder("m"), &err), &err);
    assert_int_equal(predict(labels, model, path, NULL), 41); /* all of them */
    assert_int_equal(predict(again, loaded, path, NULL), 41);
    assert_memory_equal(labels, again, 41 * sizeof *labels);
    for (size_t i = 2; i < 40; i++)
        assert_int_equal(labels[i], labels[i % 2]);
    const char *lines = file_text("lines.txt", "Rocket! to the moon\n\nmy engine, my wheel\n");
    assert_int_equal(predict(again, loaded, lines, NULL), 3);
    assert_int_equal(again[0], labels[1]);
    assert_int_equal(again[2], labels[0]);
    const char *table =
        file_text("t.csv", "id,body\n1,wheel of an engine\n2,\"orbit,\nmoon\"\n");
    assert_int_equal(predict(again, loaded, table, "body"), 2);
    assert_int_equal(again[0], labels[0]);
    assert_int_equal(again[1], labels[1]);
    imsat_model_free(model);
    imsat_model_free(loaded);
}

/* Rows that were made before are taken as they are. */
static void a_model_of_texts_takes_rows(void **state)
{
    (void)state;
    imsat_error err;
    char path[512];
    int32_t labels[64], again[64];
    float rows[40 * 6];
    snprintf(path, sizeof path, "%s", put_texts());
    imsat_data *data = open_texts(path, NULL);
    imsat_model *model = train(data);
    assert_ok(imsat_predict(model, data, labels, NULL, 1, &err), &err);
    assert_ok(imsat_data_read(data, 0, 40, rows, &err), &err);
    assert_ok(imsat_npy_write_float(in_folder("rows.npy"), rows, 40, 6, &err), &err);
    assert_int_equal(predict(again, model, in_folder("rows.npy"), NULL), 40);
    assert_memory_equal(labels, again, 40 * sizeof *labels);
    imsat_data_free(data);
    imsat_model_free(model);
}

static void nothing_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = NULL;
    const char *path = file_text("stop.txt", "the of\n");
    assert_refused(imsat_texts_open(&data, &path, 1, NULL, &err), &err, IMSAT_EINVAL,
                   "stop.txt: the 1 texts have no words");
    assert_refused(imsat_texts_open(&data, &path, 0, NULL, &err), &err, IMSAT_EINVAL,
                   "no texts are given");
    const imsat_text_options many = {.words = (size_t)1 << 40};
    assert_refused(imsat_texts_open(&data, &path, 1, &many, &err), &err, IMSAT_EINVAL,
                   "1099511627776 words are asked for");
    assert_null(data);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const char *path = context;
    const imsat_text_options options = {.label_column = "y"};
    const imsat_status st = imsat_texts_open(&data, &path, 1, &options, err);
    imsat_data_free(data);
    return st;
}

static imsat_status attempt_model(void *context, imsat_error *err)
{
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    const char *path = in_folder("texts.jsonl");
    imsat_status st = imsat_model_load(&model, context, err);
    if (st == IMSAT_OK)
        st = imsat_model_open(&data, model, &path, 1, NULL, NULL, err);
    imsat_data_free(data);
    imsat_model_free(model);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_error err;
    char path[512];
    snprintf(path, sizeof path, "%s", put_texts());
    assert_true(fail_each(attempt, path) > 30);
    imsat_data *data = open_texts(path, NULL);
    imsat_model *model = train(data);
    snprintf(path, sizeof path, "%s", in_folder("m"));
    assert_ok(imsat_model_save(model, path, &err), &err);
    assert_true(fail_each(attempt_model, path) > 30);
    imsat_model_free(model);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_sparse_rows), cmocka_unit_test(words_are_written),
        cmocka_unit_test(a_model_takes_texts),   cmocka_unit_test(a_model_of_texts_takes_rows),
        cmocka_unit_test(nothing_is_refused),    cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
