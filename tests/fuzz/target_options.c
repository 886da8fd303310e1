/* SPDX-License-Identifier: MIT
 *
 * Options by name: lines "NAME=TEXT". One that is refused changes nothing; the text of one
 * that is set gives the same when it is set again; and all of them together are refused with a
 * message, or pass. */
#include "training.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 512, TEXT_ROOM = 512 };

static imsat_options standard;

static void begin(void)
{
    standard = training_options(0);
    fuzz_seed_text("k=3\nhidden=4,5\nstep_size=1e-3\nmu=auto\nstandardize=yes\n");
    fuzz_seed_text("k=2\nseed=9223372036854775807\nradius_method=exact\nalpha=0.25\n");
    fuzz_seed_text("k=2\nhidden=none\nepochs=auto\nbatch=7\ncheckpoint=a b\nresume=no\n");
    fuzz_seed_text("k=4\nlambda=0.1\nneighbor=2\nxi-relative=no\npower=2\nscale=0.5\n");
}

/* Whether it is set. */
static bool check_set(imsat_options *options, const char *name, const char *text)
{
    char now[TEXT_ROOM] = "", again[TEXT_ROOM] = "";
    imsat_error err = {{0}};
    imsat_options copy = *options;
    const imsat_status st = imsat_options_set(options, name, text, &err);
    if (st != IMSAT_OK) {
        fuzz_refused_value(st, &err);
        REQUIRE(memcmp(&copy, options, sizeof copy) == 0, "'%s' is refused and changes it",
                name);
        return false;
    }
    const imsat_option *option = imsat_option_named(name);
    REQUIRE(option, "'%s' is no option, and is set", name);
    fuzz_succeeded(imsat_options_get(options, name, now, sizeof now, &err), &err);
    fuzz_succeeded(imsat_options_set(&copy, name, now, &err), &err);
    fuzz_succeeded(imsat_options_get(&copy, name, again, sizeof again, &err), &err);
    REQUIRE(strcmp(now, again) == 0, "'%s' is '%s', and that is '%s'", name, now, again);
    return true;
}

static bool run(const uint8_t *input, size_t size)
{
    static char text[MOST + 1];
    imsat_options options = standard;
    imsat_error err = {{0}};
    bool all = true;
    memcpy(text, input, size);
    text[size] = '\0';
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        if (*end)
            *end++ = '\0';
        char *equals = strchr(line, '=');
        if (equals)
            *equals = '\0';
        all &= check_set(&options, line, equals ? equals + 1 : "");
    }
    const imsat_status st = imsat_options_check(&options, training_data(), &err);
    if (st != IMSAT_OK)
        fuzz_refused_value(st, &err);
    return all && st == IMSAT_OK;
}

/* Now and then a line of an option that there is, with a text that it may have. */
static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    static const char *const texts[] = {"0",     "1",    "2",      "-1", "0.5",
                                        "1e308", "auto", "yes",    "no", "none",
                                        "3,4",   "nan",  "1e-300", "",   "inf"};
    char line[96];
    size_t options = 0, choices = 0;
    if (fuzz_below(2))
        return LLVMFuzzerMutate(input, size, room);
    while (imsat_option_at(options))
        options++;
    const imsat_option *option = imsat_option_at(fuzz_below(options));
    while (option->choice && option->choice(choices))
        choices++;
    snprintf(line, sizeof line, "%s=%s", option->name,
             choices && fuzz_below(2) ? option->choice(fuzz_below(choices))
                                      : texts[fuzz_below(sizeof texts / sizeof *texts)]);
    return fuzz_put_line(input, size, room, line);
}

const fuzz_target fuzz_this = {"options", MOST, begin, run, mutate};
