/* SPDX-License-Identifier: MIT
 * The table of options: every row by its name, its range, its record and its refusals. What is
 * said of every option is checked for every row, so a new row is tested by being there. */
#include "blobs.h"
#include "support.h"

#include "data/options.h"
#include "model/methods.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The last choice that is not `text`. */
static const char *last_choice(const imsat_option *a, const char *text)
{
    const char *last = NULL;
    for (size_t i = 0; a->choice(i); i++)
        if (strcmp(a->choice(i), text) != 0)
            last = a->choice(i);
    return last;
}

/* Another value than the default that every method takes, as text; NULL: there is none. */
static const char *another(const im_option *row, const imsat_options *o)
{
    static char text[64];
    const imsat_option *a = &row->about;
    im_options_text(text, sizeof text, o, row);
    switch (a->type) {
    case IMSAT_OPTION_FLAG: return text[0] == '1' ? "no" : "yes";
    case IMSAT_OPTION_WIDTHS: return "17,11";
    case IMSAT_OPTION_CHOICE: return last_choice(a, text);
    case IMSAT_OPTION_TEXT: return "some_name";
    case IMSAT_OPTION_VECTOR: return NULL;
    case IMSAT_OPTION_COUNT: return strcmp(text, "7") == 0 ? "8" : "7";
    case IMSAT_OPTION_NUMBER:
        if (a->least >= 1)
            return strcmp(text, "1.375") == 0 ? "1.25" : "1.375";
        return strcmp(text, "0.375") == 0 ? "0.25" : "0.375";
    }
    return NULL;
}

static bool is_chosen_at_start(const im_option *row)
{
    return row->offset == offsetof(imsat_options, method) ||
           row->offset == offsetof(imsat_options, preset) ||
           row->offset == offsetof(imsat_options, task);
}

static void test_every_row_is_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        assert_non_null(row->about.help);
        assert_true(row->about.tasks != 0);
        assert_true(row->about.section < IMSAT_SECTIONS);
        assert_true(row->offset + row->width <= sizeof(imsat_options));
        assert_true(row->about.type != IMSAT_OPTION_CHOICE || row->about.choice(0));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(row->about.name, im_options_table[j].about.name);
        if (!row->derived)
            assert_ptr_equal(imsat_option_named(row->about.name), &row->about);
    }
    assert_ptr_equal(imsat_option_named("step-size"), imsat_option_named("step_size"));
    assert_null(imsat_option_named("step"));
    assert_null(imsat_option_named("step_size_"));
    assert_null(imsat_option_named("mu_auto")); /* of the record alone */
}

/* Set and get give the text back, for every preset, task and row. */
static void test_text_goes_round(void **state)
{
    (void)state;
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        imsat_error err;
        imsat_options o, standard;
        char text[64];
        if (row->derived || row->about.type == IMSAT_OPTION_VECTOR || is_chosen_at_start(row))
            continue;
        imsat_options_init(&standard, "imsat-vat", IMSAT_PRESET_REFERENCE);
        o = standard;
        const char *value = another(row, &o);
        assert_ok(imsat_options_set(&o, row->about.name, value, &err), &err);
        assert_false(im_options_same(&o, &standard, row));
        assert_ok(imsat_options_get(&o, row->about.name, text, sizeof text, &err), &err);
        assert_true(row->about.type == IMSAT_OPTION_FLAG || strcmp(text, value) == 0);
        assert_ok(imsat_options_set(&standard, row->about.name, text, &err), &err);
        assert_true(im_options_same(&o, &standard, row));
        if (!row->about.may_be_open)
            continue;
        assert_ok(imsat_options_set(&o, row->about.name, "auto", &err), &err);
        assert_ok(imsat_options_get(&o, row->about.name, text, sizeof text, &err), &err);
        assert_string_equal(text, "auto");
    }
}

/* The number that stands for auto does so in options that may be left open, and in no others.
 */
static void test_auto_is_for_open_options(void **state)
{
    (void)state;
    imsat_error err;
    imsat_options o;
    char text[64];
    imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);
    o.alpha = IMSAT_AUTO;
    o.seed = IMSAT_AUTO;
    assert_ok(imsat_options_get(&o, "alpha", text, sizeof text, &err), &err);
    assert_string_equal(text, "9.2233720368547758e+18");
    assert_ok(imsat_options_get(&o, "seed", text, sizeof text, &err), &err);
    assert_string_equal(text, "9223372036854775808");
}

/* Who leaves an option open says so: "auto" is shown and taken, and 0 does not mean it. */
static void test_open_is_auto(void **state)
{
    (void)state;
    imsat_error err;
    size_t counts = 0;
    for (size_t i = 0; i < im_options_count; i++) {
        const imsat_option *a = &im_options_table[i].about;
        imsat_options o;
        char text[64];
        imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_PAPER);
        if (!a->may_be_open)
            continue;
        assert_non_null(strstr(a->argument, "|auto"));
        assert_ok(imsat_options_set(&o, a->name, "auto", &err), &err);
        assert_ok(imsat_options_get(&o, a->name, text, sizeof text, &err), &err);
        assert_string_equal(text, "auto");
        if (a->type != IMSAT_OPTION_COUNT)
            continue;
        assert_refused(imsat_options_set(&o, a->name, "0", &err), &err, IMSAT_EINVAL,
                       ", or auto");
        counts++;
    }
    assert_int_equal(counts, 4); /* epochs, batch, threads, interval */
}

/* In the struct 0 threads are as many as there are cores: programs have been saying so. */
static void test_threads_in_the_struct(void **state)
{
    (void)state;
    static const struct {
        size_t threads;
        const char *text;
    } cases[] = {{0, "auto"}, {IMSAT_AUTO, "auto"}, {3, "3"}};
    imsat_data *data = blobs_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err;
        imsat_model *model = NULL;
        char text[8];
        imsat_options o = blobs_options("imsat-vat");
        o.epochs = 1;
        o.threads = cases[i].threads;
        assert_ok(imsat_options_get(&o, "threads", text, sizeof text, &err), &err);
        assert_string_equal(text, cases[i].text);
        assert_ok(imsat_cluster(&model, data, &o, NULL, &err), &err);
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

static void test_bad_text(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *part;
    } cases[] = {
        {"lambda", "0,1", "lambda 0,1: not a number"},
        {"lambda", "inf", "lambda inf: not a finite number"},
        {"lambda", "auto", "lambda auto: not a number"},
        {"mu", "much", "mu much: not a number, and not 'auto'"},
        {"mu", "9223372036854775808", "not a number that can be told from 'auto'"},
        {"lambda", "-1", "lambda -1: lambda is -1, and must be at least 0"},
        {"epochs", "0", "must be from 1 to 1000000000, or auto"},
        {"batch", "0", "must be from 2 to 1000000000, or auto"},
        {"threads", "0", "threads 0: threads is 0, and must be from 1 to 256, or auto"},
        {"epochs", "1.5", "not a whole number"},
        {"epochs", "99999999999999999999", "too large"},
        {"hidden", "400,", "not a whole number"},
        {"hidden", "1,2,3,4,5,6,7,8,9", "more than 8"},
        {"hidden", "400;400", "not widths"},
        {"hidden", "0", "hidden layer 1 has 0 units"},
        {"center", "maybe", "neither yes nor no"},
        {"radius_method", "near", "no such choice"},
        {"checkpoint", "", "empty"},
        {"prior", "uniform", "has no text"},
        {"method", "imsat-rpt", "imsat_options_init() sets it"},
        {"lamda", "1", "lamda: there is no such option"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        imsat_error err;
        imsat_options o, before;
        imsat_options_init(&o, "imsat-vat", IMSAT_PRESET_DEFAULT);
        before = o;
        assert_refused(imsat_options_set(&o, cases[i].name, cases[i].text, &err), &err,
                       IMSAT_EINVAL, cases[i].part);
        for (size_t r = 0; r < im_options_count; r++)
            assert_true(im_options_same(&o, &before, &im_options_table[r]));
    }
}

/* The table's defaults are values that the table's ranges allow, for all methods and presets;
 * k and bits, which have none, are given. */
static void test_defaults_pass(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    for (size_t m = 0; imsat_method_name(m); m++)
        for (int p = 0; p < IMSAT_PRESETS; p++)
            for (int t = 0; t < IMSAT_TASKS; t++) {
                imsat_error err;
                imsat_options o;
                const im_method *method = im_methods_find(imsat_method_name(m));
                imsat_options_init_sized(&o, sizeof o, (imsat_task)t, method->name,
                                         (imsat_preset)p);
                *(t == IMSAT_TASK_HASH ? &o.bits : &o.k) = 5;
                if (imsat_method_serves(method->name, o.task) &&
                    !(method->uses & IM_USES_IMAGES) && !method->callers)
                    assert_ok(imsat_options_check(&o, data, &err), &err);
            }
    imsat_data_free(data);
}

/* An option that a method does not use is refused if it is set, by each such method. */
static void test_unused_is_refused(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    size_t refused = 0;
    for (size_t m = 0; imsat_method_name(m); m++)
        for (size_t i = 0; i < im_options_count; i++) {
            imsat_error err;
            const im_option *row = &im_options_table[i];
            const im_method *method = im_methods_find(imsat_method_name(m));
            imsat_options o = blobs_options(method->name), standard;
            imsat_options_init(&standard, method->name, IMSAT_PRESET_DEFAULT);
            const char *value = another(row, &standard);
            if (!imsat_method_serves(method->name, IMSAT_TASK_CLUSTER) || row->derived ||
                !value || is_chosen_at_start(row) || (method->uses & IM_USES_IMAGES) ||
                method->callers || im_methods_use(method, IMSAT_TASK_CLUSTER, row))
                continue;
            assert_ok(imsat_options_set(&o, row->about.name, value, &err), &err);
            assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "is set");
            refused++;
        }
    assert_true(refused > 10);
    imsat_data_free(data);
}

/* A checkpoint is of its options: every recorded one, changed, is refused, by name. */
static void test_every_recorded_option_refuses_a_checkpoint(void **state)
{
    (void)state;
    imsat_error err;
    imsat_model *model = NULL;
    imsat_data *data = blobs_open();
    imsat_options made = blobs_options("imsat-vat");
    size_t refused = 0;
    made.epochs = 1;
    made.runs = 2;    /* of which a consensus can be asked for */
    made.delta = 0.1; /* left open, it follows from k */
    made.checkpoint = in_folder("made");
    assert_ok(imsat_cluster(&model, data, &made, NULL, &err), &err);
    made.resume = 1;
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        char part[64];
        imsat_options o = made;
        const char *value = another(row, &o);
        if (row->derived || !row->about.recorded || !value || is_chosen_at_start(row) ||
            !im_methods_use(im_methods_find("imsat-vat"), IMSAT_TASK_CLUSTER, row))
            continue;
        imsat_model *other = NULL;
        assert_ok(imsat_options_set(&o, row->about.name, value, &err), &err);
        snprintf(part, sizeof part, "was made with %s ", row->about.name);
        assert_refused(imsat_cluster(&other, data, &o, NULL, &err), &err, IMSAT_EMISMATCH,
                       part);
        refused++;
    }
    assert_true(refused > 20);
    const double prior[BLOB_K] = {0.3, 0.3, 0.4};
    imsat_options o = made;
    imsat_model *other = NULL;
    o.prior = prior;
    assert_refused(imsat_cluster(&other, data, &o, NULL, &err), &err, IMSAT_EMISMATCH,
                   "was made with prior uniform");
    imsat_model_free(model);
    imsat_data_free(data);
}

/* The caller's struct: too small, of a later library, and of an earlier one. */
static void test_sizes(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    imsat_options o = blobs_options("imsat-vat");
    o.size = 0;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL, "options.size");
    struct {
        imsat_options known;
        double later;
    } wide = {.known = blobs_options("imsat-vat")};
    wide.known.size = sizeof wide;
    assert_ok(imsat_options_check(&wide.known, data, &err), &err);
    wide.later = 1;
    assert_refused(imsat_options_check(&wide.known, data, &err), &err, IMSAT_EINVAL, "later");
    assert_int_equal(imsat_options_size(), sizeof o);

    /* Fields behind the caller's end are neither written nor read. */
    memset(&o, 0x5a, sizeof o);
    const size_t size = offsetof(imsat_options, reference_kernels) + sizeof(int);
    imsat_options_init_sized(&o, size, IMSAT_TASK_CLUSTER, "imsat-vat", IMSAT_PRESET_DEFAULT);
    for (size_t i = size; i < sizeof o; i++)
        assert_int_equal(((unsigned char *)&o)[i], 0x5a);
    o.k = BLOB_K;
    assert_ok(imsat_options_check(&o, data, &err), &err);
    imsat_data_free(data);
}

static void test_unknown_method(void **state)
{
    (void)state;
    imsat_error err;
    imsat_data *data = blobs_open();
    imsat_options o;
    imsat_options_init(&o, "imsat-cat", IMSAT_PRESET_DEFAULT);
    o.k = 3;
    assert_refused(imsat_options_check(&o, data, &err), &err, IMSAT_EINVAL,
                   "there is no method \"imsat-cat\"");
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_whole),
        cmocka_unit_test(test_text_goes_round),
        cmocka_unit_test(test_auto_is_for_open_options),
        cmocka_unit_test(test_open_is_auto),
        cmocka_unit_test(test_threads_in_the_struct),
        cmocka_unit_test(test_bad_text),
        cmocka_unit_test(test_defaults_pass),
        cmocka_unit_test(test_unused_is_refused),
        cmocka_unit_test(test_every_recorded_option_refuses_a_checkpoint),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_unknown_method),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
