/* SPDX-License-Identifier: MIT
 *
 * What the benchmarks share. A benchmark adds rows to one table: the time of our code, the
 * floating-point operations that the task needs at least, and the time of a peer on the same
 * work in the same run. Times are the best of several; only ratios are worth quoting.
 */
#ifndef BENCH_H
#define BENCH_H

#include "core/threads.h"
#include "imsat/data.h"

#include <stdbool.h>

typedef struct bench {
    int threads;
    im_pool *pool;
    double peak;                 /* measured FMA peak of all threads, operations a second */
    bool peers;                  /* run them too */
    bool full;                   /* the sizes of docs/results.md, which take half an hour */
    const char *codes, *queries; /* .npy of 64-bit codes to search as well, or NULL */
    const char *source;          /* the project's folder, where bench/peers is */
    bool account;                /* take accounts, too: bench/account.h */
    struct account *accounts;
    size_t account_count;
    double tile, memory, held; /* limits that accounts are compared with, a second */
    struct bench_row *rows;
    size_t count;
} bench;

typedef struct bench_row {
    char name[64];
    double ours;       /* seconds */
    double peer;       /* seconds; 0: there is none */
    double operations; /* 0: share of the peak is not shown */
    char peer_name[32];
    char setting[192]; /* what the peer's best time was reached with */
    char note[192];    /* why there is no peer time, or no ratio */
} bench_row;

/* Add a row and return it. */
bench_row *bench_add(bench *b, const char *name, double ours, double operations);

/* The best time of `repeats` calls, in seconds. */
double bench_best(void (*run)(void *), void *context, int repeats);

/* Ours is measured again, and the better time kept. */
void bench_again(bench_row *row, double ours);

/* The time of a peer that was measured here. Of several the best is kept. */
void bench_beside(bench_row *row, const char *peer, double seconds);

/* Run bench/peers/SCRIPT with arguments, at the best of the settings that bench/peers/run
 * knows; it prints a time and what it was reached with, or why there is none. Of several runs
 * the best is kept: what takes no minutes is measured by turns, BENCH_TURNS times, so that a
 * slow spell of the machine does not meet one side alone. */
enum { BENCH_TURNS = 3 };
void bench_peer(const bench *b, bench_row *row, const char *peer, const char *script,
                const char *arguments);

/* The peak, before and after all else, whichever is higher. */
void bench_peak(bench *b);

/* The peak of all threads, held for a second: operations a second. */
double bench_held_peak(bench *b);

/* MNIST, of train and test files: the folder mnist in $IMSAT_DATA, or in shared/data beside
 * the project; its files of a kind, as "images-idx3"; and its 70,000 images, or NULL and a
 * word on `what` is left out, if there are none. */
enum { BENCH_FOLDER = 256 };
typedef struct bench_paths {
    char name[2][BENCH_FOLDER + 64];
    const char *path[2]; /* the same */
} bench_paths;
void bench_mnist_folder(char folder[BENCH_FOLDER], const bench *b);
void bench_mnist_files(bench_paths *out, const char *folder, const char *kind);
imsat_data *bench_mnist(const char *folder, const char *what);

/* The benchmarks, in the order of the table. */
void bench_gemm(bench *b);
void bench_step(bench *b);
void bench_radius(bench *b);
void bench_kmeans(bench *b);
void bench_predict(bench *b);
void bench_sparse(bench *b);
void bench_search(bench *b);
void bench_append(bench *b);
void bench_quality(bench *b);

#endif
