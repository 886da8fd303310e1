/* SPDX-License-Identifier: MIT
 *
 * The course of a training, an entry an epoch. It stays small however long the training is:
 * when there is no more room, every second entry goes, and only every second, fourth, ...
 * epoch is taken from then on.
 */
#include "binding.h"

#include <imsat/report.h>

enum { MOST = 1 << 14 };

/* As history_dtype() in imsat/_base.py has it. */
typedef struct entry {
    int64_t run, runs, epoch, epochs;
    double seconds, objective, mu, term[IMSAT_TERMS];
} entry;

struct py_history {
    size_t count, seen, stride;
    entry entries[MOST];
};

py_history *py_history_new(void)
{
    py_history *h = PyMem_Calloc(1, sizeof *h);
    if (!h)
        return (py_history *)PyErr_NoMemory();
    h->stride = 1;
    return h;
}

void py_history_free(py_history *history)
{
    PyMem_Free(history);
}

static void thin(py_history *h)
{
    for (size_t i = 0; 2 * i < h->count; i++)
        h->entries[i] = h->entries[2 * i];
    h->count = (h->count + 1) / 2;
    h->stride *= 2;
}

void py_history_take(py_history *h, const imsat_progress *p)
{
    if (!h || !p->epoch_done || !p->term || h->seen++ % h->stride != 0)
        return;
    if (h->count == MOST)
        thin(h);
    entry *e = &h->entries[h->count++];
    *e = (entry){.run = (int64_t)p->run,
                 .runs = (int64_t)p->runs,
                 .epoch = (int64_t)p->epoch,
                 .epochs = (int64_t)p->epochs,
                 .seconds = p->seconds,
                 .objective = p->objective,
                 .mu = p->mu};
    for (int i = 0; i < IMSAT_TERMS; i++)
        e->term[i] = p->term[i];
}

PyObject *py_history_bytes(const py_history *h)
{
    return PyByteArray_FromStringAndSize((const char *)h->entries,
                                         (Py_ssize_t)(h->count * sizeof *h->entries));
}

imsat_history *py_history_replay(const Py_buffer *view)
{
    imsat_history *history = NULL;
    imsat_error err;
    if ((size_t)view->len % sizeof(entry) != 0) {
        PyErr_SetString(PyExc_ValueError, "history: is not that of a training");
        return NULL;
    }
    const imsat_status st = imsat_history_new(&history, &err);
    if (st != IMSAT_OK) {
        py_errors_raise(st, &err);
        return NULL;
    }
    const entry *entries = view->buf;
    for (size_t i = 0; i < (size_t)view->len / sizeof *entries; i++) {
        const entry *e = &entries[i];
        const imsat_progress progress = {.stage = "train",
                                         .fraction = 1,
                                         .run = (size_t)e->run,
                                         .runs = (size_t)e->runs,
                                         .epoch = (size_t)e->epoch,
                                         .epochs = (size_t)e->epochs,
                                         .epoch_done = 1,
                                         .seconds = e->seconds,
                                         .objective = e->objective,
                                         .term = e->term,
                                         .mu = e->mu};
        imsat_history_take(history, &progress);
    }
    return history;
}
