/* SPDX-License-Identifier: MIT
 *
 * Appends of 100 codes of 64 bits to an index file, by the library and by the program: 1,000
 * to 10^5 codes (--full: 10,000 to 10^6), beside one build of the result. The bytes in the
 * table are those that were given to the system to write. How many it had to put to disk,
 * whole pages for each flush, is said as well, and how long the slowest append took, which
 * merges.
 *
 * Meanwhile another process opens the index again and again and searches it. It must find a
 * whole number of appends, no fewer than before, and the answers must be those of a loop over
 * the codes up to there: for the last code of the last append, the first one of the next, and
 * one that is drawn.
 */
#include "bench.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "core/rng.h"
#include "imsat/search.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EACH = 100, BITS = 64, WIDTH = BITS / 8, NEAREST = 10, QUERIES = 3 };

typedef struct appending {
    bench *b;
    char folder[PATH_MAX / 4], index[PATH_MAX / 2], codes_file[PATH_MAX / 2];
    imsat_codes codes; /* of the base and of all appends */
    size_t base, appends;
} appending;

/* Append part i; whether it succeeded. */
typedef bool append_function(const appending *a, size_t i);

typedef struct written {
    unsigned long long given, disk; /* bytes */
} written;

/* By this process and by those of its children that it has waited for. */
static written written_now(void)
{
    written w = {0};
    char name[32];
    unsigned long long value;
    FILE *io = fopen("/proc/self/io", "r");
    while (io && fscanf(io, "%31s %llu", name, &value) == 2) {
        if (strcmp(name, "wchar:") == 0)
            w.given = value;
        if (strcmp(name, "write_bytes:") == 0)
            w.disk = value;
    }
    if (io)
        fclose(io);
    return w;
}

/* ---- the reader ------------------------------------------------------------------- */

static volatile sig_atomic_t stop;

static void note(int number)
{
    (void)number;
    stop = 1;
}

static uint64_t code_at(const appending *a, size_t row)
{
    uint64_t code;
    memcpy(&code, a->codes.bytes + row * WIDTH, WIDTH);
    return code;
}

/* The nearest of the first rows, by a loop over them. Ids are the numbers of the rows. */
static void nearest_of(int64_t ids[NEAREST], int32_t distances[NEAREST], const appending *a,
                       size_t rows, uint64_t query)
{
    size_t count = 0;
    for (size_t i = 0; i < rows; i++) {
        const int32_t distance = __builtin_popcountll(code_at(a, i) ^ query);
        if (count == NEAREST && distance >= distances[NEAREST - 1])
            continue;
        size_t at = count < NEAREST ? count++ : NEAREST - 1;
        for (; at > 0 && distances[at - 1] > distance; at--) {
            ids[at] = ids[at - 1];
            distances[at] = distances[at - 1];
        }
        ids[at] = (int64_t)i;
        distances[at] = distance;
    }
}

/* The answers of an index are those of as many rows as it has, and these are whole appends. */
static bool answers_are_whole(const appending *a, const imsat_index *index, size_t draw)
{
    const size_t rows = imsat_index_rows(index), last = a->codes.rows - 1;
    const size_t asked[QUERIES] = {rows - 1, rows < last ? rows : last,
                                   draw * 7919 % a->codes.rows};
    uint64_t codes[QUERIES];
    int64_t ids[NEAREST];
    int32_t distances[NEAREST];
    imsat_search_options opt;
    imsat_hits hits;
    imsat_search_options_init(&opt);
    opt.count = NEAREST;
    opt.threads = 1;
    for (size_t q = 0; q < QUERIES; q++)
        codes[q] = code_at(a, asked[q]);
    const imsat_codes queries = {(uint8_t *)codes, QUERIES, BITS};
    if ((rows - a->base) % EACH ||
        imsat_search(&hits, index, &queries, &opt, NULL) != IMSAT_OK)
        return false;
    bool same = true;
    for (size_t q = 0; q < QUERIES; q++) {
        nearest_of(ids, distances, a, rows, codes[q]);
        same = same && hits.start[q + 1] - hits.start[q] == NEAREST &&
               memcmp(ids, hits.ids + hits.start[q], sizeof ids) == 0 &&
               memcmp(distances, hits.distance + hits.start[q], sizeof distances) == 0;
    }
    imsat_hits_clear(&hits);
    return same;
}

/* Search until told to stop, and tell how often; -1 if an answer was wrong. */
static void read_on_and_on(const appending *a, int tell)
{
    long searches = 0;
    size_t rows = 0;
    signal(SIGTERM, note);
    while (!stop && searches >= 0) {
        imsat_index *index = NULL;
        imsat_error err;
        if (imsat_index_open(&index, a->index, &err) != IMSAT_OK)
            fprintf(stderr, "bench: %s\n", err.message);
        const bool good = index && imsat_index_rows(index) >= rows &&
                          answers_are_whole(a, index, (size_t)searches);
        rows = index ? imsat_index_rows(index) : rows;
        searches = good ? searches + 1 : -1;
        imsat_index_free(index);
    }
    _exit(write(tell, &searches, sizeof searches) != sizeof searches);
}

/* ---- the writers ------------------------------------------------------------------ */

static bool append_by_library(const appending *a, size_t i)
{
    const imsat_codes codes = {a->codes.bytes + (a->base + i * EACH) * WIDTH, EACH, BITS};
    const imsat_index_change change = {.codes = &codes};
    imsat_error err;
    if (imsat_index_update(NULL, a->index, &change, &err) == IMSAT_OK)
        return true;
    fprintf(stderr, "bench: %s\n", err.message);
    return false;
}

/* As many bytes as the .npy file of an append has. */
enum { CODES_FILE = 128 + EACH * WIDTH };

static bool write_codes(const appending *a, size_t i)
{
    FILE *file = fopen(a->codes_file, "wb");
    if (!file)
        return false;
    fprintf(file, "%cNUMPY%c%c%c%c%-117s\n", 147, 1, 0, 118, 0,
            "{'descr': '|u1', 'fortran_order': False, 'shape': (100, 8), }");
    fwrite(a->codes.bytes + (a->base + i * EACH) * WIDTH, WIDTH, EACH, file);
    return fclose(file) == 0;
}

static bool append_by_program(const appending *a, size_t i)
{
    int status = -1;
    if (!write_codes(a, i))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout))
            execl(IMSAT_PROGRAM, "imsat", "index", "--append", a->codes_file, "-o", a->index,
                  (char *)NULL);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* An index of the first rows; false if it could not be made. */
static bool build(const appending *a, size_t rows)
{
    imsat_index *index = NULL;
    const imsat_codes codes = {a->codes.bytes, rows, BITS};
    const bool good = imsat_index_new(&index, &codes, NULL, NULL) == IMSAT_OK &&
                      imsat_index_save(index, a->index, NULL) == IMSAT_OK;
    imsat_index_free(index);
    return good;
}

/* ---- the rows ---------------------------------------------------------------------- */

/* `own`: bytes that were written and do not count. */
static void add_row(bench *b, const char *what, double seconds, written before,
                    unsigned long long own)
{
    char name[64];
    const written after = written_now();
    snprintf(name, sizeof name, "%s, %.1f MB", what,
             1e-6 * (double)(after.given - before.given - own));
    bench_add(b, name, seconds, 0);
    fprintf(stderr, "  %.1f MB of pages for the disk\n",
            1e-6 * (double)(after.disk - before.disk));
}

/* The reader, as a process; tells will say how often it has searched. */
static pid_t start_reader(const appending *a, int *tells)
{
    int ends[2];
    if (pipe(ends) != 0)
        return -1;
    const pid_t reader = fork();
    if (reader == 0)
        read_on_and_on(a, ends[1]);
    close(ends[1]);
    *tells = ends[0];
    return reader;
}

/* How often it has searched; -1 if an answer was wrong. */
static long end_reader(pid_t reader, int tells)
{
    long searches = -1;
    kill(reader, SIGTERM);
    if (read(tells, &searches, sizeof searches) != sizeof searches)
        searches = -1;
    close(tells);
    waitpid(reader, NULL, 0);
    return searches;
}

/* All appends; the time, and in *slowest that of one. Negative if one failed. */
static double append_all(const appending *a, append_function *append, double *slowest)
{
    const double start = im_clock();
    *slowest = 0;
    for (size_t i = 0; i < a->appends; i++) {
        const double before = im_clock();
        if (!append(a, i))
            return -1;
        const double seconds = im_clock() - before;
        *slowest = seconds > *slowest ? seconds : *slowest;
    }
    return im_clock() - start;
}

static void bench_appends(const appending *a, append_function *append, const char *who,
                          size_t own_each)
{
    char what[40];
    int tells = -1;
    double slowest;
    if (!build(a, a->base)) {
        fprintf(stderr, "bench: no index at %s\n", a->index);
        return;
    }
    const pid_t reader = start_reader(a, &tells);
    if (reader < 0)
        return;
    const written before = written_now();
    const double seconds = append_all(a, append, &slowest);
    snprintf(what, sizeof what, "append %zu x %d, %s", a->appends, EACH, who);
    if (seconds >= 0)
        add_row(a->b, what, seconds, before, a->appends * own_each);
    fprintf(stderr, "  the slowest took %.1f ms\n", 1e3 * slowest);
    const long searches = end_reader(reader, tells);
    if (searches < 0)
        fprintf(stderr, "bench: a search was NOT answered from a whole index\n");
    else
        fprintf(stderr, "  %ld times opened and searched meanwhile, all from a whole index\n",
                searches);
}

static void bench_build(const appending *a)
{
    char what[40];
    const written before = written_now();
    const double start = im_clock();
    const bool good = build(a, a->codes.rows);
    const double seconds = im_clock() - start;
    snprintf(what, sizeof what, "build of all %zu", a->codes.rows);
    if (good)
        add_row(a->b, what, seconds, before, 0);
}

static void bench_all(const appending *a)
{
    bench_appends(a, append_by_library, "library", 0);
    bench_appends(a, append_by_program, "program", CODES_FILE);
    bench_build(a);
    unlink(a->index);
    unlink(a->codes_file);
    rmdir(a->folder);
}

void bench_append(bench *b)
{
    static appending a;
    const char *where = getenv("TMPDIR");
    a.b = b;
    a.base = b->full ? 1000000 : 100000;
    a.appends = a.base / EACH;
    a.codes = (imsat_codes){im_alloc(2 * a.base, WIDTH), 2 * a.base, BITS};
    snprintf(a.folder, sizeof a.folder, "%s/imsat-append.XXXXXX", where ? where : "/tmp");
    if (!a.codes.bytes || !mkdtemp(a.folder)) {
        fprintf(stderr, "bench: no memory or no folder %s\n", a.folder);
        im_free(a.codes.bytes);
        return;
    }
    snprintf(a.index, sizeof a.index, "%s/index", a.folder);
    snprintf(a.codes_file, sizeof a.codes_file, "%s/codes.npy", a.folder);
    for (size_t i = 0; i < a.codes.rows; i++) {
        uint32_t block[4];
        im_rng_block(block, (im_rng){5, IM_STREAM_INIT, 0, 0}, (uint32_t)i, 0);
        memcpy(a.codes.bytes + i * WIDTH, block, WIDTH);
    }
    bench_all(&a);
    im_free(a.codes.bytes);
}
