/* SPDX-License-Identifier: MIT
 * Model files: one that is accepted predicts what a model promises or refuses the rows, and is
 * the same after it was saved and loaded. */
#include "imsat/features.h"
#include "tensors.h"
#include "training.h"

#include <string.h>

enum { MOST = 6144 };

/* A model of tables, with all that it may keep of them. */
static void seed_table(void)
{
    static const char text[] = ",day,city,x,ok,y\n0,1970-01-02,Rome,1.5,yes,a\n"
                               "1,1970-01-05,Bern,,no,b\n2,1970-02-01,Oslo,4,no,b\n";
    const char *path = "seed.csv";
    const imsat_data_options labels = {.label_column = "y"};
    const imsat_table_options table = {.size = sizeof table,
                                       .missing = IMSAT_MISSING_MEAN,
                                       .categories = IMSAT_CATEGORIES_ONE_HOT};
    imsat_options options = training_options(2);
    imsat_data *data = NULL;
    imsat_model *model = NULL;
    imsat_error err;
    fuzz_file_put(path, text, sizeof text - 1);
    fuzz_succeeded(imsat_data_open_table(&data, &path, 1, &labels, &table, &err), &err);
    fuzz_succeeded(imsat_cluster(&model, data, &options, NULL, &err), &err);
    fuzz_succeeded(imsat_model_save(model, "seed", &err), &err);
    fuzz_seed_file("seed");
    imsat_model_free(model);
    imsat_data_free(data);
}

static void begin(void)
{
    for (size_t i = 0; i < TRAINING_CASES; i++) {
        imsat_error err;
        const imsat_options options = training_options(i);
        fuzz_succeeded(training_run(&options, "seed", &err), &err);
        fuzz_seed_file("seed");
    }
    seed_table();
}

/* A table that is read for the model has rows that the model takes, or is refused. */
static void check_table(const imsat_model *model)
{
    static const char text[] = "x,city,more,ok,day\n2,Rome,1,no,1970-01-02\n"
                               ",Lima,2,yes,1971-01-02\n";
    const char *path = "new.csv";
    imsat_data *data = NULL;
    imsat_error err = {{0}};
    for (size_t i = 0; i < imsat_model_columns(model); i++)
        REQUIRE(imsat_model_column_kind(model, i), "column %zu has no kind", i);
    fuzz_file_put(path, text, sizeof text - 1);
    const imsat_status st = imsat_model_open(&data, model, &path, 1, NULL, NULL, &err);
    if (st != IMSAT_OK) {
        fuzz_refused(st, &err, path);
        return;
    }
    REQUIRE(!imsat_model_columns(model) || imsat_data_dim(data) == imsat_model_dim(model),
            "rows of %zu for a model of %zu", imsat_data_dim(data), imsat_model_dim(model));
    imsat_data_free(data);
}

static void check_metadata(const imsat_model *model)
{
    const char *name = NULL, *value = NULL;
    size_t i = 0;
    for (; imsat_model_metadata(model, i, &name, &value) == IMSAT_OK; i++)
        REQUIRE(name && value, "entry %zu of the record is missing", i);
    REQUIRE(i > 0, "a model without a record");
}

/* Saved, loaded and saved again: the same bytes. */
static void check_saved(const imsat_model *model)
{
    imsat_model *again = NULL;
    imsat_error err;
    size_t size = 0, size_again = 0;
    fuzz_succeeded(imsat_model_save(model, "again", &err), &err);
    fuzz_succeeded(imsat_model_load(&again, "again", &err), &err);
    fuzz_succeeded(imsat_model_save(again, "once more", &err), &err);
    const uint8_t *bytes = fuzz_file_get("again", &size);
    const uint8_t *bytes_again = fuzz_file_get("once more", &size_again);
    REQUIRE(size == size_again && memcmp(bytes, bytes_again, size) == 0,
            "a model that is loaded and saved is another");
    imsat_model_free(again);
}

static bool run(const uint8_t *input, size_t size)
{
    imsat_model *model = NULL;
    imsat_error err = {{0}};
    fuzz_file_put("fuzzed.model", input, size);
    const imsat_status st = imsat_model_load(&model, "fuzzed.model", &err);
    if (st != IMSAT_OK) {
        REQUIRE(!model, "a model after a failure");
        fuzz_refused(st, &err, "fuzzed.model");
        return false;
    }
    check_metadata(model);
    training_predicts(model);
    check_table(model);
    check_saved(model);
    imsat_model_free(model);
    return true;
}

const fuzz_target fuzz_this = {"model", MOST, begin, run, tensors_mutate};
