/* SPDX-License-Identifier: MIT
 * Tables for a model that was trained on tables: columns in any order, words, fills, labels.
 */
#include "data/schema.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/features.h"

#include <math.h>
#include <string.h>

#define TABLE                                                                                 \
    ",age,city,born,kind,member\n"                                                            \
    "0,1,Rome,1970-01-02,u,yes\n"                                                             \
    "1,,Bern,1970-01-03,v,no\n"                                                               \
    "2,4,Rome,1970-01-05,u,no\n"

/* Its rows: age, city=Bern, city=Rome, born, member. */
static const float rows[15] = {1, 0, 1, 1, 1, 2.5f, 1, 0, 2, 0, 4, 0, 1, 4, 0};

static imsat_model *train(const imsat_data *data)
{
    imsat_options options;
    imsat_model *model = NULL;
    imsat_error err = {{0}};
    imsat_options_init(&options, "kmeans", IMSAT_PRESET_DEFAULT);
    options.k = 2;
    assert_ok(imsat_cluster(&model, data, &options, NULL, &err), &err);
    return model;
}

/* A model of tables, saved and loaded. */
static imsat_model *train_on(const char *text, const char *label, imsat_table_options table)
{
    const char *path = file_text("train.csv", text);
    imsat_data *data = NULL;
    imsat_model *loaded = NULL;
    imsat_error err = {{0}};
    const imsat_data_options options = {.label_column = label};
    table.size = sizeof table;
    assert_ok(imsat_data_open_table(&data, &path, 1, &options, &table, &err), &err);
    imsat_model *model = train(data);
    assert_ok(imsat_model_save(model, in_folder("m"), &err), &err);
    imsat_model_free(model);
    imsat_data_free(data);
    assert_ok(imsat_model_load(&loaded, in_folder("m"), &err), &err);
    return loaded;
}

static imsat_model *train_on_people(void)
{
    return train_on(TABLE, "kind",
                    (imsat_table_options){.missing = IMSAT_MISSING_MEAN,
                                          .categories = IMSAT_CATEGORIES_ONE_HOT});
}

static imsat_status open_for(imsat_data **out, const imsat_model *model, const char *text,
                             imsat_table_options table, imsat_error *err)
{
    const char *path = file_text("new.csv", text);
    table.size = sizeof table;
    return imsat_model_open_table(out, model, &path, 1, NULL, &table, NULL, err);
}

static imsat_data *opened(const imsat_model *model, const char *text)
{
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(open_for(&data, model, text, (imsat_table_options){0}, &err), &err);
    return data;
}

static void tables_become_the_same_rows(void **state)
{
    (void)state;
    static const char *const same[] = {
        TABLE,
        ("member,kind,born,city,age\n"
         "yes,u,1970-01-02,Rome,1\n,v,,\"Bern\",NA\nno,,1970-01-05,Rome,4\n"),
        "city,age,member,born\nRome,1,yes,1970-01-02\n", /* without index and labels */
        "0,1,Rome,1970-01-02,yes\n",                     /* without a header */
        "1,Rome,1970-01-02,yes\n",                       /* those that are data */
    };
    const float filled[5] = {2.5f, 1, 0, 7.0f / 3, 1.0f / 3};
    imsat_model *model = train_on_people();
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        imsat_data *data = opened(model, same[i]);
        const size_t n = imsat_data_rows(data);
        float row[5];
        imsat_error err;
        assert_null(imsat_data_note(data, 0));
        assert_int_equal(imsat_data_dim(data), 5);
        assert_string_equal(imsat_data_column_name(data, 2), "city=Rome");
        assert_ok(imsat_data_read(data, 0, 1, row, &err), &err);
        assert_memory_equal(row, rows, sizeof row);
        if (n == 3) {
            assert_ok(imsat_data_read(data, 1, 1, row, &err), &err);
            assert_memory_equal(row, i == 0 ? rows + 5 : filled, sizeof row);
        }
        imsat_data_free(data);
    }
    imsat_model_free(model);
}

static void what_is_not_known_is_said(void **state)
{
    (void)state;
    const float expected[10] = {3, 0, 0, 1, 0, 3, 0, 0, 2, 1};
    imsat_model *model = train_on_people();
    imsat_data *data = opened(model, "age,more,city,born,member\n3,1,Oslo,1970-01-02,no\n"
                                     "3,1,Lima,1970-01-03,yes\n");
    assert_rows(data, expected, 2, 5);
    assert_non_null(strstr(imsat_data_note(data, 0),
                           "ignored, since the model has no such column: 'more'"));
    assert_non_null(strstr(imsat_data_note(data, 1),
                           "column 'city': words that the model does not know, and takes for "
                           "none of its own: 2, 'Oslo' first"));
    assert_null(imsat_data_note(data, 2));
    imsat_data_free(data);
    imsat_model_free(model);
}

static void columns_are_chosen_for_a_model(void **state)
{
    (void)state;
    imsat_model *model = train_on_people();
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(open_for(&data, model, "x,1,Rome,1970-01-02,yes,9\n",
                       (imsat_table_options){.columns = "1-4"}, &err),
              &err);
    assert_rows(data, rows, 1, 5);
    imsat_data_free(data);
    data = NULL;
    assert_ok(open_for(&data, model, "age,age2,born,city,member\n1,7,1970-01-02,Rome,yes\n",
                       (imsat_table_options){.drop = "age2"}, &err),
              &err);
    assert_rows(data, rows, 1, 5);
    assert_null(imsat_data_note(data, 0));
    imsat_data_free(data);
    imsat_model_free(model);
}

static void what_a_model_cannot_take_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        imsat_table_options table;
        imsat_status status;
        const char *part;
    } cases[] = {
        {"age,born\n1,1970-01-02\n",
         {0},
         IMSAT_EMISMATCH,
         "new.csv lacks columns that the model has: 'city', 'member'; its columns are age, "
         "born"},
        {"1,2\n",
         {0},
         IMSAT_EMISMATCH,
         "has 2 columns, and the model was trained on 4; "
         "--label-column and --drop say"},
        {"age,city,born,member\nold,Rome,1970-01-02,yes\n",
         {0},
         IMSAT_EFORMAT,
         "'old' is not a number, as the values were that the model was trained on"},
        {"age,city,born,member\n1,Rome,1,yes\n", {0}, IMSAT_EFORMAT, "'1' is not a date, as"},
        {TABLE,
         {.missing = IMSAT_MISSING_MEDIAN},
         IMSAT_EINVAL,
         "--missing median: the model does not keep the median of its columns, since it was "
         "trained with --missing mean"},
        {TABLE,
         {.categories = IMSAT_CATEGORIES_DROP},
         IMSAT_EINVAL,
         "the model was trained with --categories one-hot"},
    };
    imsat_model *model = train_on_people();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_data *data = NULL;
        imsat_error err = {{0}};
        assert_refused(open_for(&data, model, cases[i].text, cases[i].table, &err), &err,
                       cases[i].status, cases[i].part);
    }
    imsat_model_free(model);
}

/* A model of numbers keeps no means; columns of text that were left out stay so. */
static void columns_of_text_that_were_left_out(void **state)
{
    (void)state;
    const float expected[2] = {3, 4};
    imsat_model *model = train_on("a,note,b\n1,x,2\n5,y,6\n9,z,7\n", NULL,
                                  (imsat_table_options){.categories = IMSAT_CATEGORIES_DROP});
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    assert_ok(open_for(&data, model, "b,a\n4,3\n", (imsat_table_options){0}, &err), &err);
    assert_rows(data, expected, 1, 2);
    imsat_data_free(data);
    data = NULL;
    assert_ok(open_for(&data, model, "3,any,4\n", (imsat_table_options){0}, &err), &err);
    assert_rows(data, expected, 1, 2);
    imsat_data_free(data);
    data = NULL;
    assert_refused(open_for(&data, model, "a,b\n3,x\n", (imsat_table_options){0}, &err), &err,
                   IMSAT_EFORMAT,
                   "'x' is not a number, as the values were that the model was trained on");
    assert_refused(open_for(&data, model, "a,b\n3,\n", (imsat_table_options){0}, &err), &err,
                   IMSAT_EFORMAT,
                   "and a model that was trained with --missing mean or median");
    assert_ok(open_for(&data, model, "a,b\n3,\n3,4\n",
                       (imsat_table_options){.missing = IMSAT_MISSING_DROP}, &err),
              &err);
    assert_rows(data, expected, 1, 2);
    imsat_data_free(data);
    imsat_model_free(model);
}

/* The fills of a training without a missing value are kept, too. */
static void fills_are_kept_before_they_are_needed(void **state)
{
    (void)state;
    const float expected[2] = {4, 3};
    imsat_model *model = train_on("a,b\n1,2\n4,3\n9,7\n", NULL,
                                  (imsat_table_options){.missing = IMSAT_MISSING_MEDIAN});
    imsat_data *data = opened(model, "b,a\n,\n");
    assert_rows(data, expected, 1, 2);
    imsat_data_free(data);
    imsat_model_free(model);
}

/* Rows that were made already are taken as they are; and a model that was trained on such does
 * not know words. */
static void rows_that_are_no_table(void **state)
{
    (void)state;
    const char *npy =
        file_npy("x.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }", rows,
                 sizeof rows);
    imsat_model *model = train_on_people();
    imsat_data *data = NULL, *csv = NULL;
    imsat_error err = {{0}};
    assert_ok(imsat_model_open(&data, model, &npy, 1, NULL, NULL, &err), &err);
    assert_rows(data, rows, 3, 5);
    assert_null(imsat_data_column_name(data, 0));
    imsat_model_free(model);
    model = train(data);
    assert_int_equal(imsat_model_columns(model), 0);
    assert_ok(open_for(&csv, model, "1,2,3,4,5\n", (imsat_table_options){0}, &err), &err);
    imsat_data_free(csv);
    csv = NULL;
    assert_refused(open_for(&csv, model, TABLE,
                            (imsat_table_options){.categories = IMSAT_CATEGORIES_ONE_HOT},
                            &err),
                   &err, IMSAT_EINVAL, "the model was not trained on a table");
    assert_refused(open_for(&csv, model, TABLE,
                            (imsat_table_options){.missing = IMSAT_MISSING_MEAN}, &err),
                   &err, IMSAT_EINVAL, "keeps no mean of columns; --missing drop leaves out");
    imsat_data_free(data);
    imsat_model_free(model);
}

static void what_a_model_keeps_can_be_asked(void **state)
{
    (void)state;
    static const char *const names[] = {"age", "city", "born", "member"}, *const kinds[] = {
                                                                              "number",
                                                                              "category",
                                                                              "date",
                                                                              "boolean"};
    imsat_model *model = train_on_people();
    assert_int_equal(imsat_model_columns(model), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(imsat_model_column_name(model, i), names[i]);
        assert_string_equal(imsat_model_column_kind(model, i), kinds[i]);
    }
    assert_true(imsat_model_column_fill(model, 0) == 2.5);
    assert_true(isnan(imsat_model_column_fill(model, 1)));
    assert_true(isnan(imsat_model_column_fill(model, 4)));
    assert_string_equal(imsat_model_column_word(model, 1, 0), "Bern");
    assert_string_equal(imsat_model_column_word(model, 1, 1), "Rome");
    assert_null(imsat_model_column_word(model, 1, 2));
    assert_null(imsat_model_column_word(model, 0, 0));
    assert_null(imsat_model_column_word(model, 4, 0));
    assert_null(imsat_model_column_name(model, 4));
    assert_null(imsat_model_column_kind(model, 4));
    assert_string_equal(imsat_model_label_name(model), "kind");
    imsat_model_free(model);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const char *path = in_folder("new.csv");
    const imsat_status st = imsat_model_open(&data, context, &path, 1, NULL, NULL, err);
    imsat_data_free(data);
    return st;
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    imsat_model *model = train_on_people();
    imsat_data_free(opened(model, "born,age,city,member,more\n1970-01-02,,Oslo,no,1\n"));
    assert_true(fail_each(attempt, model) > 20);
    imsat_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_become_the_same_rows),
        cmocka_unit_test(what_is_not_known_is_said),
        cmocka_unit_test(columns_are_chosen_for_a_model),
        cmocka_unit_test(what_a_model_cannot_take_is_refused),
        cmocka_unit_test(columns_of_text_that_were_left_out),
        cmocka_unit_test(fills_are_kept_before_they_are_needed),
        cmocka_unit_test(rows_that_are_no_table),
        cmocka_unit_test(what_a_model_keeps_can_be_asked),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
