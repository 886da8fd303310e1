/* SPDX-License-Identifier: MIT
 *
 * Where the time of a training step or of a prediction goes, by kinds of work. The functions
 * of the library that do the work are wrapped when this program is linked
 * (bench/CMakeLists.txt), so the library has nothing of this in it. While the ledger is open,
 * each thread books the time since its last entry whenever it goes over from one kind to
 * another.
 */
#ifndef BENCH_LEDGER_H
#define BENCH_LEDGER_H

#include <stddef.h>

typedef enum ledger_kind {
    LEDGER_FORWARD,       /* products: the clean pass, and that of T(x) */
    LEDGER_PROBE_FORWARD, /* products of the power iteration */
    LEDGER_PROBE_BACK,
    LEDGER_TO_UNITS,   /* products W^T dz */
    LEDGER_TO_WEIGHTS, /* products dz a^T */
    LEDGER_PAIRS,      /* products of pairs of bits */
    LEDGER_PRODUCTS,   /* how many kinds of products there are; the first that is none: */
    LEDGER_NORMALIZE = LEDGER_PRODUCTS, /* normalization and ReLU */
    LEDGER_NORMALIZE_BACK,
    LEDGER_PACK, /* products' factors laid out as they are read */
    LEDGER_TRANSPOSE,
    LEDGER_ADAM,
    LEDGER_RANDOM,    /* random directions */
    LEDGER_PERTURB,   /* from directions to T(x) */
    LEDGER_BATCH,     /* rows of the data, prepared */
    LEDGER_OBJECTIVE, /* softmax or sigmoid, terms of the objective and their gradients */
    LEDGER_PASS,      /* the rest of the passes */
    LEDGER_WAIT,      /* of the calling thread, for a round of tasks to end */
    LEDGER_KINDS
} ledger_kind;

typedef struct ledger_entry {
    double seconds;    /* of all threads */
    double operations; /* of products, in whole register tiles */
    double bytes;      /* that Adam reads and writes */
    size_t m, n, k;    /* the largest product */
    int packed;        /* its left factor is */
} ledger_entry;

typedef struct ledger {
    ledger_entry entry[LEDGER_KINDS];
    double seconds; /* from opening to closing */
    double alone; /* of the calling thread outside rounds of tasks; the others have no work */
    double booking; /* what keeping the ledger took, of all threads; in no entry */
} ledger;

/* On the thread that will call the library. rest: what is done outside all that is wrapped. */
void ledger_open(ledger_kind rest);
void ledger_close(ledger *out);

const char *ledger_name(ledger_kind kind);

#endif
