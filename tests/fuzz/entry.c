/* SPDX-License-Identifier: MIT
 * What all targets share, and the entry points for what drives them; see fuzz.h. */
#include "fuzz.h"

#include "core/utf8.h"
#include "data/image.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what must hold --------------------------------------------------------- */

void fuzz_broken(const char *file, int line, const char *format, ...)
{
    va_list values;
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    abort();
}

/* One line, whole, and without bytes that steer a terminal. */
static bool is_sentence(const char *text)
{
    const size_t length = strlen(text);
    return length > 0 && length + 1 < sizeof(imsat_error) && im_utf8_printable(text);
}

void fuzz_refused_value(imsat_status status, const imsat_error *err)
{
    REQUIRE(status > IMSAT_OK && status < IMSAT_ESTOPPED && status != IMSAT_ENOMEM,
            "refused with the status '%s': %s", imsat_status_name(status), err->message);
    REQUIRE(is_sentence(err->message), "the message is no sentence: '%s'", err->message);
}

void fuzz_refused(imsat_status status, const imsat_error *err, const char *path)
{
    fuzz_refused_value(status, err);
    REQUIRE(strstr(err->message, path), "the message does not name '%s': %s", path,
            err->message);
}

void fuzz_succeeded(imsat_status status, const imsat_error *err)
{
    REQUIRE(status == IMSAT_OK, "%s: %s", imsat_status_name(status), err->message);
}

/* ---- good inputs ------------------------------------------------------------ */

enum { MOST_SEEDS = 32 };

static struct {
    uint8_t *bytes;
    size_t size;
} seeds[MOST_SEEDS];

static size_t seed_count;

void fuzz_seed(const void *bytes, size_t size)
{
    REQUIRE(seed_count < MOST_SEEDS, "more than %d seeds", MOST_SEEDS);
    REQUIRE(size <= fuzz_this.most, "a seed of %zu bytes is larger than inputs are", size);
    uint8_t *copy = malloc(size + 1);
    REQUIRE(copy, "no memory for a seed");
    memcpy(copy, bytes, size);
    seeds[seed_count].bytes = copy;
    seeds[seed_count++].size = size;
}

void fuzz_seed_text(const char *text)
{
    fuzz_seed(text, strlen(text));
}

void fuzz_seed_file(const char *path)
{
    size_t size = 0;
    const uint8_t *bytes = fuzz_file_get(path, &size);
    REQUIRE(bytes, "%s: was not written", path);
    fuzz_seed(bytes, size);
}

const uint8_t *fuzz_seed_at(size_t i, size_t *size)
{
    if (i >= seed_count)
        return NULL;
    *size = seeds[i].size;
    return seeds[i].bytes;
}

/* ---- random numbers (splitmix64) ---------------------------------------------- */

static uint64_t random_state;

void fuzz_random_seed(uint64_t seed)
{
    random_state = seed;
}

uint64_t fuzz_random(void)
{
    uint64_t z = (random_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

size_t fuzz_below(size_t n)
{
    return n ? (size_t)(fuzz_random() % n) : 0;
}

size_t fuzz_put_line(uint8_t *text, size_t size, size_t room, const char *word)
{
    const size_t length = strlen(word) + 1;
    size_t at = fuzz_below(size + 1);
    while (at > 0 && text[at - 1] != '\n')
        at--;
    size_t end = at;
    if (fuzz_below(2)) {
        while (end < size && text[end] != '\n')
            end++;
        end += end < size;
    }
    if (length > room - at)
        return size;
    const size_t kept = size - end < room - at - length ? size - end : room - at - length;
    memmove(text + at + length, text + end, kept);
    memcpy(text + at, word, length - 1);
    text[at + length - 1] = '\n';
    return at + length + kept;
}

/* ---- entry points ---------------------------------------------------------------- */

static void begin_once(void)
{
    static bool begun;
    if (begun)
        return;
    begun = true;
    fuzz_this.begin();
    fuzz_files_clear();
}

/* libFuzzer reads its flags after this: the first word gets one behind it. What comes later on
 * the line overrides it. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static char most[32];
    char **words = calloc((size_t)*argc + 2, sizeof *words);
    REQUIRE(words, "no memory for the command line");
    snprintf(most, sizeof most, "-max_len=%zu", fuzz_this.most);
    words[0] = (*argv)[0];
    words[1] = most;
    for (int i = 1; i < *argc; i++)
        words[i + 1] = (*argv)[i];
    *argv = words;
    ++*argc;
    begin_once();
    return 0;
}

/* What a picture takes is for its own target: a decoder has tables, and pixels that the size
 * of the file does not tell. */
static bool is_picture(const uint8_t *input, size_t size)
{
    return strcmp(fuzz_this.name, "image") != 0 && im_image_knows(input, size);
}

bool fuzz_try(const uint8_t *input, size_t size)
{
    if (is_picture(input, size))
        return false;
    fuzz_meter_begin();
    const bool accepted = fuzz_this.run(input, size);
    fuzz_meter_end(size);
    fuzz_files_clear();
    return accepted;
}

/* libFuzzer gives up if its first input reaches nothing, and without a corpus that is a line
 * end: inputs as short as that stand for the seeds. */
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    begin_once();
    for (size_t i = 0; i < seed_count && size < 2; i++)
        fuzz_try(seeds[i].bytes, seeds[i].size);
    if (size <= fuzz_this.most)
        fuzz_try(input, size);
    return 0;
}

/* Now and then a seed: so a corpus of before never keeps a run from what the files of today
 * are. */
size_t LLVMFuzzerCustomMutator(uint8_t *input, size_t size, size_t room, unsigned seed)
{
    fuzz_random_seed(seed);
    if (seed_count && (size < 2 || fuzz_below(1000) == 0)) {
        const size_t i = fuzz_below(seed_count);
        if (seeds[i].size <= room) {
            memcpy(input, seeds[i].bytes, seeds[i].size);
            size = seeds[i].size;
        }
    }
    if (fuzz_this.mutate)
        size = fuzz_this.mutate(input, size, room);
    else
        size = LLVMFuzzerMutate(input, size, room);
    fuzz_files_clear();
    return size;
}
