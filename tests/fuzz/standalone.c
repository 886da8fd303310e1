/* SPDX-License-Identifier: MIT
 *
 * A target without libFuzzer: seeds, the files of a corpus and mutants of both are tried.
 *
 *     fuzz_NAME [MUTATIONS [SEED]]     the same seed gives the same mutants
 *     fuzz_NAME FILE...                try these inputs
 *     fuzz_NAME --seeds FOLDER         write the seeds to FOLDER
 *
 * An input at which the program is stopped, by a requirement, a signal or a sanitizer, is
 * written to a file, whose name is printed.
 */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 512 };

/* ---- ways to bend bytes --------------------------------------------------------- */

typedef struct buffer {
    uint8_t *bytes;
    size_t size, room;
} buffer;

/* Replace `cut` bytes at `at` by others, which may be its own. What does not fit is lost. */
static void replace(buffer *b, size_t at, size_t cut, const void *bytes, size_t size)
{
    const size_t tail = b->size - at - cut;
    size_t kept;
    uint8_t *copy = malloc(size + 1);
    REQUIRE(copy, "no memory for a mutant");
    memcpy(copy, bytes, size);
    size = size < b->room - at ? size : b->room - at;
    kept = tail < b->room - at - size ? tail : b->room - at - size;
    memmove(b->bytes + at + size, b->bytes + at + cut, kept);
    memcpy(b->bytes + at, copy, size);
    b->size = at + size + kept;
    free(copy);
}

static void bend_bits(buffer *b)
{
    for (size_t i = 1 + fuzz_below(4); i > 0 && b->size; i--)
        b->bytes[fuzz_below(b->size)] ^= (uint8_t)(1U << fuzz_below(8));
}

static void bend_bytes(buffer *b)
{
    static const uint8_t odd[] = {0,    1,   0x7f, 0x80, 0xff, '\n', '"',
                                  '\'', ',', '-',  '{',  ':',  ' ',  '9'};
    for (size_t i = 1 + fuzz_below(4); i > 0 && b->size; i--)
        b->bytes[fuzz_below(b->size)] = odd[fuzz_below(sizeof odd)];
}

static void bend_length(buffer *b)
{
    if (fuzz_below(3))
        b->size = fuzz_below(b->size);
    else
        replace(b, b->size, 0, "\0\0\0\0\0\0\0\0\0", 1 + fuzz_below(9));
}

/* A part of this input, or of a seed, to another place. */
static void bend_splice(buffer *b)
{
    size_t seeds = 0, size = b->size;
    const uint8_t *other = b->bytes;
    while (fuzz_seed_at(seeds, &size))
        seeds++;
    size = b->size;
    if (seeds && fuzz_below(2))
        other = fuzz_seed_at(fuzz_below(seeds), &size);
    const size_t from = fuzz_below(size), at = fuzz_below(b->size);
    const size_t cut = fuzz_below(2) ? fuzz_below(b->size - at) : 0;
    replace(b, at, cut, other + from, fuzz_below(size - from));
}

static void bend_numbers(buffer *b)
{
    static const char *const texts[] = {"99999999999999999999",
                                        "18446744073709551615",
                                        "9223372036854775807",
                                        "4294967296",
                                        "-1",
                                        "0",
                                        "1e999",
                                        "1e300",
                                        "nan",
                                        "-inf",
                                        "1e-999",
                                        "(",
                                        "\"\"",
                                        "\"",
                                        "\xEF\xBB\xBF"};
    const char *text = texts[fuzz_below(sizeof texts / sizeof *texts)];
    const size_t at = fuzz_below(b->size), cut = fuzz_below(4);
    replace(b, at, cut < b->size - at ? cut : b->size - at, text, strlen(text));
}

/* Most sizes are in the first bytes. */
static void bend_words(buffer *b)
{
    const uint32_t word = (uint32_t)fuzz_random() | (fuzz_below(2) ? 0xffff0000U : 0);
    if (b->size >= sizeof word)
        memcpy(b->bytes + fuzz_below(b->size < 24 ? b->size - 3 : 20), &word, sizeof word);
}

size_t LLVMFuzzerMutate(uint8_t *input, size_t size, size_t room)
{
    static void (*const ways[])(buffer *) = {bend_bits,   bend_bytes,   bend_length,
                                             bend_splice, bend_numbers, bend_words};
    buffer b = {input, size, room};
    for (size_t i = 1 + fuzz_below(3); i > 0; i--)
        ways[fuzz_below(sizeof ways / sizeof *ways)](&b);
    return b.size;
}

/* ---- the input that is being tried -------------------------------------------------- */

static struct {
    const uint8_t *bytes;
    size_t size;
} tried;

static char saved_path[PATH_ROOM]; /* where it is saved */

/* Calls nothing that a handler of a signal may not. */
static void save_tried(void)
{
    static const char where[] = "the input is in ";
    const size_t length = strlen(saved_path);
    const int file = open(saved_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, tried.bytes, tried.size) != (ssize_t)tried.size ||
        close(file) != 0)
        return;
    saved_path[length] = '\n';
    if (write(STDERR_FILENO, where, sizeof where - 1) > 0)
        (void)!write(STDERR_FILENO, saved_path, length + 1);
}

static void save_and_die(int number)
{
    save_tried();
    signal(number, SIG_DFL);
    raise(number);
}

/* Of the sanitizers, if the program has one; it reports by itself what else would be a signal.
 */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void save_at_death(void)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const bool sanitized = __sanitizer_set_death_callback != NULL;
    snprintf(saved_path, sizeof saved_path, "/tmp/imsat-fuzz-%s-%ld", fuzz_this.name,
             (long)getpid());
    if (sanitized)
        __sanitizer_set_death_callback(save_tried);
    for (size_t i = 0; i < (sanitized ? 1 : sizeof signals / sizeof *signals); i++)
        signal(signals[i], save_and_die);
}

/* Whether the input was accepted. */
static bool try_input(const uint8_t *input, size_t size)
{
    tried.bytes = input;
    tried.size = size;
    return fuzz_try(input, size);
}

/* ---- the run ------------------------------------------------------------------------- */

/* Inputs to begin with: the seeds, and files. */
typedef struct input_list {
    struct {
        uint8_t *bytes;
        size_t size;
    } * items;
    size_t count;
} input_list;

static void list_add(input_list *list, const uint8_t *bytes, size_t size)
{
    list->items = realloc(list->items, (list->count + 1) * sizeof *list->items);
    uint8_t *copy = malloc(size + 1);
    REQUIRE(list->items && copy, "no memory for the inputs");
    if (size)
        memcpy(copy, bytes, size);
    list->items[list->count].bytes = copy;
    list->items[list->count++].size = size;
}

static void list_clear(input_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].bytes);
    free(list->items);
}

static void list_file(input_list *list, const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(fuzz_this.most + 1);
    REQUIRE(file && bytes, "%s: cannot be read", path);
    const size_t size = fread(bytes, 1, fuzz_this.most + 1, file);
    if (size <= fuzz_this.most)
        list_add(list, bytes, size);
    free(bytes);
    fclose(file);
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* In the order of their names, so that a run can be repeated. */
static void list_folder(input_list *list, const char *folder)
{
    struct dirent **names = NULL;
    const int count = scandir(folder, &names, not_hidden, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        list_file(list, path);
        free(names[i]);
    }
    free(names);
}

static size_t list_seeds(input_list *list)
{
    const uint8_t *bytes;
    size_t i = 0, size = 0;
    for (; (bytes = fuzz_seed_at(i, &size)) != NULL; i++)
        list_add(list, bytes, size);
    return i;
}

static void write_seeds(const char *folder)
{
    const uint8_t *bytes;
    size_t size = 0;
    for (size_t i = 0; (bytes = fuzz_seed_at(i, &size)) != NULL; i++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/seed-%02zu", folder, i);
        FILE *file = fopen(path, "wb");
        REQUIRE(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0,
                "%s: cannot be written", path);
    }
}

/* Mutants of the inputs in turn; how many were accepted. */
static uint64_t try_mutants(const input_list *list, uint64_t mutations, uint64_t seed)
{
    uint64_t accepted = 0;
    uint8_t *mutant = malloc(fuzz_this.most);
    REQUIRE(mutant, "no memory for a mutant");
    for (uint64_t i = 0; i < mutations; i++) {
        const size_t from = (size_t)(i % list->count);
        fuzz_random_seed(seed ^ i << 20);
        const unsigned draw = (unsigned)fuzz_random();
        memcpy(mutant, list->items[from].bytes, list->items[from].size);
        const size_t size =
            LLVMFuzzerCustomMutator(mutant, list->items[from].size, fuzz_this.most, draw);
        /* In a block that ends where the input ends. */
        uint8_t *input = malloc(size + !size);
        REQUIRE(input, "no memory for a mutant");
        memcpy(input, mutant, size);
        accepted += try_input(input, size);
        free(input);
    }
    free(mutant);
    return accepted;
}

static void run_all(uint64_t mutations, uint64_t seed)
{
    input_list list = {0};
    const size_t seeds = list_seeds(&list);
    list_folder(&list, FUZZ_CORPUS);
    for (size_t i = 0; i < list.count; i++)
        REQUIRE(try_input(list.items[i].bytes, list.items[i].size) || i >= seeds,
                "seed %zu is refused", i);
    const uint64_t accepted = try_mutants(&list, mutations, seed);
    printf("%s: %zu seeds, %zu files; of %" PRIu64 " mutants %" PRIu64 " were accepted\n",
           fuzz_this.name, seeds, list.count - seeds, mutations, accepted);
    REQUIRE(mutations < 1000 || (accepted > 0 && accepted < mutations),
            "%" PRIu64 " of %" PRIu64
            " mutants are accepted: this tests half of what it could",
            accepted, mutations);
    list_clear(&list);
}

int main(int argc, char **argv)
{
    const bool seeds_only = argc == 3 && strcmp(argv[1], "--seeds") == 0;
    char *rest = NULL;
    const uint64_t mutations = argc > 1 ? strtoull(argv[1], &rest, 10) : 3000;
    save_at_death();
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0); /* begins */
    if (seeds_only) {
        write_seeds(argv[2]);
    } else if (argc > 1 && (*rest || rest == argv[1])) {
        input_list list = {0};
        for (int i = 1; i < argc; i++)
            list_file(&list, argv[i]);
        for (size_t i = 0; i < list.count; i++)
            printf("%s: %s\n", argv[i + 1],
                   try_input(list.items[i].bytes, list.items[i].size) ? "accepted"
                                                                      : "refused");
        list_clear(&list);
    } else {
        run_all(mutations, argc > 2 ? strtoull(argv[2], NULL, 10) : 1);
    }
    return EXIT_SUCCESS;
}
