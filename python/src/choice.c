/* SPDX-License-Identifier: MIT
 *
 * Which method to trust, how many clusters there are, and whether there are any.
 */
#include "binding.h"

#include <imsat/choice.h>

/* What is asked: rows, options, and who is told of progress. */
typedef struct question {
    const imsat_data *rows;
    py_options o;
    py_watch watch;
} question;

/* The library's progress goes to the watch of the question, which must stay where it is. */
static int ask(question *q, PyObject *data, PyObject *texts, PyObject *progress)
{
    q->rows = ((py_data *)data)->data;
    q->watch = (py_watch){.progress = progress == Py_None ? NULL : progress};
    if (py_options_fill(&q->o, IMSAT_TASK_CLUSTER, texts, Py_None, Py_None) < 0)
        return -1;
    q->o.options.progress = py_watch_progress;
    q->o.options.progress_user = &q->watch;
    return 0;
}

/* ---- methods -------------------------------------------------------------------------- */

/* In the order of Measures in imsat/_choice.py. */
static PyObject *describe_measures(const imsat_measures *m)
{
    if (!m)
        return Py_NewRef(Py_None);
    return Py_BuildValue("dddddd", m->information, m->nats, m->silhouette, m->strength,
                         m->seeds, m->rows);
}

/* The measures on rows without clusters, by the names of these. */
static PyObject *describe_nulls(const imsat_compared *c)
{
    PyObject *all = PyDict_New();
    for (int i = 0; all && i < IMSAT_NULLS; i++) {
        PyObject *measures = describe_measures(c->null[i]);
        if (!measures ||
            PyDict_SetItemString(all, imsat_null_name((imsat_null)i), measures) < 0)
            Py_CLEAR(all);
        Py_XDECREF(measures);
    }
    return all;
}

static PyObject *describe_compared(const imsat_compared *c, size_t rows)
{
    PyObject *labels =
        c->labels ? PyByteArray_FromStringAndSize((const char *)c->labels,
                                                  (Py_ssize_t)(rows * sizeof *c->labels))
                  : Py_NewRef(Py_None);
    PyObject *data = describe_measures(c->data), *nulls = describe_nulls(c);
    if (labels && data && nulls)
        return Py_BuildValue("szNddNN", c->method, c->left_out, labels, c->agreement,
                             c->seconds, data, nulls);
    Py_XDECREF(labels);
    Py_XDECREF(data);
    Py_XDECREF(nulls);
    return NULL;
}

static PyObject *describe_methods(const imsat_comparison *c)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && imsat_comparison_method(c, i); i++) {
        PyObject *row = describe_compared(imsat_comparison_method(c, i), c->rows);
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* What was found, as a dict; the comparison is freed. */
static PyObject *hand_over(imsat_comparison *c)
{
    const imsat_compared *best = imsat_comparison_method(c, c->best);
    PyObject *methods = describe_methods(c);
    PyObject *rows = PyByteArray_FromStringAndSize((const char *)c->row,
                                                   (Py_ssize_t)(c->rows * sizeof *c->row));
    PyObject *found = NULL;
    if (methods && rows)
        found = Py_BuildValue("{s:n,s:O,s:O,s:i,s:i,s:z,s:d,s:d,s:d,s:s,s:d}", "n_clusters",
                              (Py_ssize_t)c->k, "rows", rows, "methods", methods, "structure",
                              c->structure, "normals", c->normals, "best",
                              best ? best->method : NULL, "information", c->information,
                              "without", c->without, "deviation", c->deviation, "sentence",
                              c->sentence, "seconds", c->seconds);
    Py_XDECREF(methods);
    Py_XDECREF(rows);
    imsat_comparison_free(c);
    return found;
}

static PyObject *compare(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *data, *texts, *progress;
    const char *methods;
    double budget;
    question q;
    imsat_comparison *comparison = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O!O!zdO", py_data_type, &data, &PyDict_Type, &texts, &methods,
                          &budget, &progress) ||
        ask(&q, data, texts, progress) < 0)
        return NULL;
    py_watch_begin(&q.watch);
    const imsat_status st =
        imsat_compare(&comparison, q.rows, &q.o.options, methods, budget, &err);
    py_watch_end(&q.watch);
    py_options_release(&q.o);
    return st == IMSAT_OK ? hand_over(comparison) : py_errors_raise(st, &err);
}

/* ---- numbers of clusters -------------------------------------------------------------- */

static PyObject *describe_rows(const imsat_k_choice *choice)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && imsat_k_choice_row(choice, i); i++) {
        const imsat_k_row *r = imsat_k_choice_row(choice, i);
        PyObject *row =
            Py_BuildValue("nsddddO", (Py_ssize_t)r->k, r->method, r->information, r->without,
                          r->deviation, r->strength, r->stands ? Py_True : Py_False);
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *choose_k(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *data, *texts, *progress, *found = NULL;
    Py_ssize_t from, to;
    double budget;
    question q;
    imsat_k_choice *choice = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O!O!nndO", py_data_type, &data, &PyDict_Type, &texts, &from,
                          &to, &budget, &progress) ||
        ask(&q, data, texts, progress) < 0)
        return NULL;
    py_watch_begin(&q.watch);
    const imsat_status st =
        imsat_choose_k(&choice, q.rows, &q.o.options, (size_t)from, (size_t)to, budget, &err);
    py_watch_end(&q.watch);
    py_options_release(&q.o);
    if (st != IMSAT_OK)
        return py_errors_raise(st, &err);
    PyObject *rows = describe_rows(choice);
    if (rows)
        found = Py_BuildValue("{s:n,s:n,s:N,s:s,s:d}", "n_clusters", (Py_ssize_t)choice->k,
                              "n_rows", (Py_ssize_t)choice->rows, "table", rows, "sentence",
                              choice->sentence, "seconds", choice->seconds);
    imsat_k_choice_free(choice);
    return found;
}

static PyObject *has_structure(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *data, *texts;
    int found = 0;
    double information = 0, without = 0;
    question q;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O!O!", py_data_type, &data, &PyDict_Type, &texts) ||
        ask(&q, data, texts, Py_None) < 0)
        return NULL;
    py_watch_begin(&q.watch);
    const imsat_status st =
        imsat_has_structure(&found, &information, &without, q.rows, &q.o.options, &err);
    py_watch_end(&q.watch);
    py_options_release(&q.o);
    return st == IMSAT_OK ? Py_BuildValue("idd", found, information, without)
                          : py_errors_raise(st, &err);
}

PyMethodDef py_choice_methods[] = {
    {"compare", compare, METH_VARARGS, "Data, options, methods or None, seconds, progress."},
    {"choose_k", choose_k, METH_VARARGS, "Data, options, from, to, seconds, progress."},
    {"has_structure", has_structure, METH_VARARGS, "Data, options."},
    {NULL, NULL, 0, NULL},
};
