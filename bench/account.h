/* SPDX-License-Identifier: MIT
 *
 * The account of a run: by kind of work, the share of the time, and how near each comes to the
 * machine's limit, arithmetic or memory. What is less than the peak of the machine is in it
 * somewhere.
 */
#ifndef BENCH_ACCOUNT_H
#define BENCH_ACCOUNT_H

#include "bench.h"
#include "ledger.h"

typedef struct account {
    char name[64];
    int times;         /* of the work, in `booked` */
    double operations; /* the least arithmetic of one time */
    double seconds;    /* one time, when nothing is booked */
    ledger booked;     /* of all times */
    double
        repeated[LEDGER_PRODUCTS]; /* operations a second of all threads: the largest product
                                    * of its kind, on the same data again and again */
} account;

/* Does nothing unless b->account. `run` does the work `times` times; rest: the kind of what is
 * done outside all that the ledger knows. */
void account_take(bench *b, const char *name, void (*run)(void *), void *context, int times,
                  ledger_kind rest, double operations);

void account_print_table(const bench *b);
void account_print_json(const bench *b);

#endif
