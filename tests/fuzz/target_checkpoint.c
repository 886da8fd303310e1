/* SPDX-License-Identifier: MIT
 *
 * Checkpoints: a training that goes on from one is refused, or ends in a model that predicts
 * what a model promises. One that nobody changed ends in the model of a training that was
 * never stopped, to the bit. */
#define _GNU_SOURCE
#include "tensors.h"
#include "training.h"

#include <string.h>

enum { MOST = 8192, MODEL_ROOM = 8192, MOST_STOPS = 12 };

/* Of each case: the model without an interruption. */
static struct {
    uint8_t bytes[MODEL_ROOM];
    size_t size;
} reference[TRAINING_CASES];

/* Counts its calls, and stops at one of them. */
typedef struct stopper {
    size_t calls, stop_at;
} stopper;

/* Before there is something to save, calls do not count. */
static int stop_after(void *user, const imsat_progress *progress)
{
    stopper *s = user;
    const bool counts =
        strcmp(progress->stage, "train") == 0 || strcmp(progress->stage, "evaluate") == 0;
    return counts && ++s->calls == s->stop_at;
}

static imsat_options options_of(size_t which)
{
    imsat_options options = training_options(which);
    options.checkpoint = "fuzzed.checkpoint";
    options.checkpoint_every = 1;
    options.resume = 1;
    return options;
}

/* Train from the beginning up to that call of progress. Whether it was stopped. */
static bool stop_at(size_t which, size_t call)
{
    imsat_options options = options_of(which);
    stopper stops = {.stop_at = call};
    imsat_error err;
    options.progress = stop_after;
    options.progress_user = &stops;
    fuzz_files_clear();
    const imsat_status st = training_run(&options, "model", &err);
    REQUIRE(st == IMSAT_OK || st == IMSAT_ESTOPPED, "%s", err.message);
    return st == IMSAT_ESTOPPED;
}

static void begin(void)
{
    for (size_t i = 0; i < TRAINING_CASES; i++) {
        size_t size = 0, last = 0, bytes = 0;
        stop_at(i, 0);
        const uint8_t *model = fuzz_file_get("model", &size);
        REQUIRE(size <= MODEL_ROOM, "a model of %zu bytes", size);
        memcpy(reference[i].bytes, model, size);
        reference[i].size = size;
        fuzz_seed_file("fuzzed.checkpoint"); /* of a training that is done */
        for (size_t call = 1; call <= MOST_STOPS && stop_at(i, call); call++)
            if (fuzz_file_get("fuzzed.checkpoint", &bytes) && bytes != last) {
                fuzz_seed_file("fuzzed.checkpoint");
                last = bytes; /* others differ in numbers alone */
            }
    }
}

/* Which case's checkpoint it is, as far as that can be told. */
static size_t case_of(const uint8_t *input, size_t size)
{
    for (size_t i = 0; i < TRAINING_CASES; i++) {
        const imsat_options options = training_options(i);
        if (size && memmem(input, size, options.method, strlen(options.method)))
            return i;
    }
    return 0;
}

static bool is_seed(const uint8_t *input, size_t size)
{
    const uint8_t *seed;
    size_t length = 0;
    for (size_t i = 0; (seed = fuzz_seed_at(i, &length)) != NULL; i++)
        if (length == size && memcmp(seed, input, size) == 0)
            return true;
    return false;
}

static bool run(const uint8_t *input, size_t size)
{
    const size_t which = case_of(input, size);
    const imsat_options options = options_of(which);
    imsat_error err = {{0}};
    size_t bytes = 0;
    fuzz_file_put("fuzzed.checkpoint", input, size);
    const imsat_status st = training_run(&options, "model", &err);
    if (st != IMSAT_OK) {
        fuzz_refused_value(st, &err);
        return false;
    }
    const uint8_t *model = fuzz_file_get("model", &bytes);
    REQUIRE(!is_seed(input, size) || (bytes == reference[which].size &&
                                      memcmp(model, reference[which].bytes, bytes) == 0),
            "a training that goes on from a checkpoint ends in another model");
    return true;
}

const fuzz_target fuzz_this = {"checkpoint", MOST, begin, run, tensors_mutate};
