/* SPDX-License-Identifier: MIT
 *
 * Fuzz targets. A target takes any bytes as what a reader is given, lets it read them, and
 * stops the program if what came of it is not as promised: a status with a message that names
 * the file, or something whole, in its range, that is the same after it was written and read
 * again.
 *
 * A target is a file target_NAME.c, and becomes two programs: fuzz_NAME, which mutates by
 * itself and runs with the tests, and, by the preset `fuzz`, libfuzzer_NAME, which clang's
 * libFuzzer drives. tools/fuzz runs the second kind.
 *
 * Files are in memory: the programs are linked so that im_bytes_open() and im_writer_open()
 * are those of memory.c. An execution takes microseconds, and the address sanitizer sees a
 * read one byte behind the end of a file, which the zeros at the end of a mapped page would
 * hide.
 */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include "imsat/imsat.h"

#include <stdbool.h>

typedef struct fuzz_target {
    const char *name;
    size_t most; /* bytes of an input; larger ones are not tried */

    /* Called once: prepare, and name good inputs by fuzz_seed(). */
    void (*begin)(void);

    /* Try an input. Whether it was accepted; a seed must be. */
    bool (*run)(const uint8_t *input, size_t size);

    /* Change an input of `size` bytes, in place, to one of at most `room`; returns its size.
     * NULL: any bytes may change. */
    size_t (*mutate)(uint8_t *input, size_t size, size_t room);
} fuzz_target;

/* Of this program. */
extern const fuzz_target fuzz_this;

/* Stop the program unless a condition holds, saying where and what. */
#define REQUIRE(condition, ...)                                                               \
    do {                                                                                      \
        if (!(condition))                                                                     \
            fuzz_broken(__FILE__, __LINE__, __VA_ARGS__);                                     \
    } while (0)
__attribute__((format(printf, 3, 4), noreturn)) void fuzz_broken(const char *file, int line,
                                                                 const char *format, ...);

/* Require that the status and message are those of a refusal of the file: any status but that
 * of memory, which no input is large enough to run out of, and a sentence that names the path
 * and steers no terminal. */
void fuzz_refused(imsat_status status, const imsat_error *err, const char *path);

/* The same of arguments that are no file. */
void fuzz_refused_value(imsat_status status, const imsat_error *err);

/* Require that it succeeded. */
void fuzz_succeeded(imsat_status status, const imsat_error *err);

/* ---- good inputs ------------------------------------------------------------ */

void fuzz_seed(const void *bytes, size_t size);
void fuzz_seed_text(const char *text);

/* A file of memory.c as a seed. */
void fuzz_seed_file(const char *path);

/* Seed i, from 0; NULL past the last. */
const uint8_t *fuzz_seed_at(size_t i, size_t *size);

/* ---- files in memory (memory.c) ---------------------------------------------- */

/* What the library finds under the path from now on. The bytes are borrowed. */
void fuzz_file_put(const char *path, const void *bytes, size_t size);

/* The bytes that the library has written there, or were put; NULL if there are none. */
const uint8_t *fuzz_file_get(const char *path, size_t *size);

/* Remove all files. */
void fuzz_files_clear(void);

/* ---- what an input costs (meter.c) -------------------------------------------- */

/* An input may take a second of the processor's time, and ten times its size of memory beyond
 * a megabyte, which buffers, networks and searches need for inputs of any size. A target in
 * which a small file may hold much, up to a limit that it knows, says how much that may take
 * instead; under the sanitizers. */
void fuzz_allow(size_t bytes, double seconds);

/* Around each input of `size` bytes. */
void fuzz_meter_begin(void);
void fuzz_meter_end(size_t size);

/* ---- random numbers, which depend on the seed of a mutation alone ---------------- */

void fuzz_random_seed(uint64_t seed);
uint64_t fuzz_random(void);
size_t fuzz_below(size_t n); /* a number below n; 0 for n = 0 */

/* Put a word, as a line of its own, before a line of a text or in place of one. Returns the
 * new size; what does not fit in the room is lost. */
size_t fuzz_put_line(uint8_t *text, size_t size, size_t room, const char *word);

/* ---- what drives a target -------------------------------------------------------- */

/* Try an input, and see what it costs. Whether it was accepted. */
bool fuzz_try(const uint8_t *input, size_t size);

/* libFuzzer's entry points, of which entry.c has those that are ours. LLVMFuzzerMutate()
 * changes any bytes; it is libFuzzer's, or that of standalone.c. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *input, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *input, size_t size, size_t room);

#endif
