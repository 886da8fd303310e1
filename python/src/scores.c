/* SPDX-License-Identifier: MIT
 *
 * Scores: clusters against classes, and searches against classes.
 */
#include "binding.h"

#include <string.h>

static PyObject *evaluate_clusters(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *predicted, *truth;
    Py_buffer a, b;
    imsat_cluster_score score;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "OO", &predicted, &truth) ||
        py_buffers_get(&a, predicted, PY_INT32, 1, "predicted") < 0)
        return NULL;
    if (py_buffers_get(&b, truth, PY_INT32, 1, "truth") < 0) {
        PyBuffer_Release(&a);
        return NULL;
    }
    const size_t n = py_buffers_count(&a), m = py_buffers_count(&b);
    imsat_status st = IMSAT_OK;
    if (n == m) {
        Py_BEGIN_ALLOW_THREADS st = imsat_evaluate_clusters(&score, a.buf, b.buf, n, &err);
        Py_END_ALLOW_THREADS
    } else {
        PyErr_Format(PyExc_ValueError, "%zu predicted labels, but %zu true ones", n, m);
    }
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    if (st != IMSAT_OK || n != m)
        return py_errors_raise(st, &err);
    return Py_BuildValue("ddddnn", score.acc, score.nmi, score.ari, score.purity,
                         (Py_ssize_t)score.clusters, (Py_ssize_t)score.classes);
}

/* Codes and their labels. */
typedef struct labeled {
    Py_buffer bytes, labels;
    imsat_codes codes;
} labeled;

static void release(labeled *l)
{
    PyBuffer_Release(&l->bytes);
    PyBuffer_Release(&l->labels);
}

static int get_labeled(labeled *l, PyObject *codes, PyObject *labels, size_t bits)
{
    memset(l, 0, sizeof *l);
    if (py_buffers_get(&l->bytes, codes, PY_UINT8, 2, "codes") < 0 ||
        py_buffers_get(&l->labels, labels, PY_INT32, 1, "labels") < 0) {
        release(l);
        return -1;
    }
    l->codes = (imsat_codes){l->bytes.buf, (size_t)l->bytes.shape[0], bits};
    if (l->bytes.shape[0] == l->labels.shape[0] &&
        (size_t)l->bytes.shape[1] == imsat_code_bytes(bits))
        return 0;
    PyErr_Format(PyExc_ValueError, "%zd codes of %zd bytes, but %zd labels and %zu bits",
                 l->bytes.shape[0], l->bytes.shape[1], l->labels.shape[0], bits);
    release(l);
    return -1;
}

static const char *ties_at(size_t i)
{
    return imsat_ties_name((imsat_ties)i);
}

static PyObject *bytes_of(const double *curve, size_t bits)
{
    return PyByteArray_FromStringAndSize((const char *)curve,
                                         (Py_ssize_t)((bits + 1) * sizeof *curve));
}

static PyObject *hand_over(imsat_hash_score *s)
{
    PyObject *all =
        Py_BuildValue("dddnnnnnNN", s->map, s->precision_at, s->precision_radius,
                      (Py_ssize_t)s->empty, (Py_ssize_t)s->queries, (Py_ssize_t)s->gallery,
                      (Py_ssize_t)s->bits, (Py_ssize_t)s->irrelevant,
                      bytes_of(s->recall, s->bits), bytes_of(s->precision, s->bits));
    imsat_hash_score_clear(s);
    return all;
}

static PyObject *evaluate_hash(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *gallery, *gallery_labels, *queries, *query_labels;
    Py_ssize_t bits, at, radius;
    const char *ties;
    imsat_evaluate_hash_options o;
    labeled g, q;
    imsat_hash_score score = {0};
    imsat_error err;
    imsat_evaluate_hash_options_init(&o);
    if (!PyArg_ParseTuple(args, "OOOOnsnnpi", &gallery, &gallery_labels, &queries,
                          &query_labels, &bits, &ties, &at, &radius, &o.skip_empty,
                          &o.threads))
        return NULL;
    const int way = py_options_choose("ties", ties, ties_at);
    o.ties = (imsat_ties)way, o.at = (size_t)at, o.radius = (size_t)radius;
    if (way < 0 || get_labeled(&g, gallery, gallery_labels, (size_t)bits) < 0)
        return NULL;
    if (get_labeled(&q, queries, query_labels, (size_t)bits) < 0) {
        release(&g);
        return NULL;
    }
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st =
        imsat_evaluate_hash(&score, &g.codes, g.labels.buf, &q.codes, q.labels.buf, &o, &err);
    Py_END_ALLOW_THREADS release(&g);
    release(&q);
    return st == IMSAT_OK ? hand_over(&score) : py_errors_raise(st, &err);
}

static PyObject *hash_split(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *labels, *out;
    Py_ssize_t per_class;
    unsigned long long seed;
    Py_buffer of, to;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "OnKO", &labels, &per_class, &seed, &out) ||
        py_buffers_get(&of, labels, PY_INT32, 1, "labels") < 0)
        return NULL;
    const size_t n = py_buffers_count(&of);
    if (py_buffers_get_output(&to, out, PY_UINT8, n, "out") < 0) {
        PyBuffer_Release(&of);
        return NULL;
    }
    const imsat_status st = imsat_hash_split(to.buf, of.buf, n, (size_t)per_class, seed, &err);
    PyBuffer_Release(&of);
    PyBuffer_Release(&to);
    return st == IMSAT_OK ? Py_NewRef(Py_None) : py_errors_raise(st, &err);
}

PyMethodDef py_scores_methods[] = {
    {"evaluate_clusters", evaluate_clusters, METH_VARARGS, "Predicted and true labels."},
    {"evaluate_hash", evaluate_hash, METH_VARARGS, "A gallery and queries, with labels."},
    {"hash_split", hash_split, METH_VARARGS, "Draw queries of every class."},
    {NULL, NULL, 0, NULL},
};
