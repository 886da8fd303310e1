/* SPDX-License-Identifier: MIT
 * Model files: one that is accepted predicts what a model promises or refuses the rows, and is
 * the same after it was saved and loaded. */
#include "tensors.h"
#include "training.h"

#include <string.h>

enum { MOST = 6144 };

static void begin(void)
{
    for (size_t i = 0; i < TRAINING_CASES; i++) {
        imsat_error err;
        const imsat_options options = training_options(i);
        fuzz_succeeded(training_run(&options, "seed", &err), &err);
        fuzz_seed_file("seed");
    }
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
    check_saved(model);
    imsat_model_free(model);
    return true;
}

const fuzz_target fuzz_this = {"model", MOST, begin, run, tensors_mutate};
