/* SPDX-License-Identifier: MIT
 *
 * While the library works the GIL is released. Its callbacks come on the calling thread, and
 * take the GIL for as long as they need it; progress comes far more often than a person or
 * Ctrl-C needs, so all but the ends of epochs are let pass within 50 ms of the last.
 */
#include "binding.h"

#include <string.h>
#include <time.h>

static const double INTERVAL = 0.05; /* seconds */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void py_watch_begin(py_watch *watch)
{
    watch->last = now();
    watch->state = PyEval_SaveThread();
}

void py_watch_end(py_watch *watch)
{
    PyEval_RestoreThread(watch->state);
}

int py_watch_stopped(py_watch *watch)
{
    const double time = now();
    if (time - watch->last < INTERVAL)
        return 0;
    watch->last = time;
    PyEval_RestoreThread(watch->state);
    const int stopped = PyErr_CheckSignals() != 0;
    watch->state = PyEval_SaveThread();
    return stopped;
}

/* The terms of an epoch by their names, or None. */
static PyObject *terms_of(const imsat_progress *p)
{
    if (!p->term)
        return Py_NewRef(Py_None);
    PyObject *terms = PyDict_New();
    for (int i = 0; terms && i < IMSAT_TERMS; i++) {
        PyObject *value = PyFloat_FromDouble(p->term[i]);
        if (!value || PyDict_SetItemString(terms, imsat_term_name((imsat_term)i), value) < 0)
            Py_CLEAR(terms);
        Py_XDECREF(value);
    }
    return terms;
}

/* Not 0: stop. */
static int tell(PyObject *function, const imsat_progress *p)
{
    PyObject *terms = terms_of(p);
    if (!terms)
        return 1;
    PyObject *answer = PyObject_CallFunction(
        function, "({s:s,s:d,s:n,s:n,s:n,s:n,s:O,s:d,s:d,s:d,s:N})", "stage", p->stage,
        "fraction", p->fraction, "run", (Py_ssize_t)p->run, "runs", (Py_ssize_t)p->runs,
        "epoch", (Py_ssize_t)p->epoch, "epochs", (Py_ssize_t)p->epochs, "epoch_done",
        p->epoch_done ? Py_True : Py_False, "seconds", p->seconds, "objective", p->objective,
        "mu", p->mu, "terms", terms);
    const int stop = answer ? PyObject_IsTrue(answer) : 1;
    Py_XDECREF(answer);
    return stop != 0;
}

int py_watch_progress(void *user, const imsat_progress *progress)
{
    py_watch *watch = user;
    if (!watch->progress)
        return py_watch_stopped(watch);
    const double time = now();
    if (!progress->epoch_done && time - watch->last < INTERVAL)
        return 0;
    watch->last = time;
    PyEval_RestoreThread(watch->state);
    const int stop = PyErr_CheckSignals() != 0 || tell(watch->progress, progress);
    watch->state = PyEval_SaveThread();
    return stop;
}

/* The rows are handed over as copies and taken back so: an array that outlives the call, in a
 * traceback say, points into nothing of ours. */
static int call_augment(PyObject *function, float *out, const float *in, const size_t *rows,
                        size_t n, size_t dim, uint64_t seed)
{
    Py_buffer view = {0};
    int bad = 1;
    PyObject *made = PyObject_CallFunction(
        function, "y#y#nnK", (const char *)in, (Py_ssize_t)(n * dim * sizeof *in),
        (const char *)rows, (Py_ssize_t)(n * sizeof *rows), (Py_ssize_t)n, (Py_ssize_t)dim,
        (unsigned long long)seed);
    if (made && py_buffers_get(&view, made, PY_FLOAT32, 2, "what augment returned") == 0) {
        bad = view.len != (Py_ssize_t)(n * dim * sizeof *out);
        if (bad)
            PyErr_Format(PyExc_ValueError, "augment must return %zu rows of %zu values", n,
                         dim);
        else
            memcpy(out, view.buf, (size_t)view.len);
        PyBuffer_Release(&view);
    }
    Py_XDECREF(made);
    return bad;
}

int py_watch_augment(void *user, float *out, const float *in, const size_t *rows, size_t n,
                     size_t dim, uint64_t seed)
{
    py_watch *watch = user;
    PyEval_RestoreThread(watch->state);
    const int bad = call_augment(watch->augment, out, in, rows, n, dim, seed);
    watch->state = PyEval_SaveThread();
    return bad;
}
