/* SPDX-License-Identifier: MIT
 *
 * A page on what a model found.
 */
#include "binding.h"

#include <imsat/report.h>

/* What the page is made of, and what of it is to be given back. */
typedef struct page {
    imsat_report_options options;
    Py_buffer truth;
    const char **paths, **classes, **columns;
    py_watch watch;
} page;

static void clear(page *p)
{
    PyBuffer_Release(&p->truth);
    PyMem_Free(p->paths);
    PyMem_Free(p->classes);
    PyMem_Free(p->columns);
}

/* A truth is of every row. */
static int check_truth(const page *p, const imsat_data *data)
{
    if (p->truth.buf && py_buffers_count(&p->truth) != imsat_data_rows(data)) {
        PyErr_Format(PyExc_ValueError, "truth: %zu labels for %zu rows",
                     py_buffers_count(&p->truth), imsat_data_rows(data));
        return -1;
    }
    return 0;
}

/* Names, of a tuple or None. */
static int take_names(const char ***out, PyObject *names)
{
    if (names == Py_None)
        return 0;
    *out = py_data_texts(names);
    return *out ? 0 : -1;
}

/* On failure the caller clears it. */
static int fill(page *p, PyObject *paths, PyObject *truth, PyObject *classes,
                PyObject *columns, PyObject *progress)
{
    if (py_buffers_get(&p->truth, truth, PY_INT32, 1, "truth") < 0 ||
        take_names(&p->paths, paths) < 0 || take_names(&p->classes, classes) < 0 ||
        take_names(&p->columns, columns) < 0)
        return -1;
    p->watch.progress = progress == Py_None ? NULL : progress;
    p->options.size = sizeof p->options;
    p->options.npaths = (size_t)PyTuple_Size(paths);
    p->options.paths = p->options.npaths ? p->paths : NULL;
    p->options.truth = p->truth.buf;
    p->options.classes = p->classes;
    p->options.columns = p->columns;
    p->options.progress = py_watch_progress;
    p->options.progress_user = &p->watch;
    return 0;
}

static PyObject *report(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *model, *data, *paths, *truth, *classes, *columns, *progress;
    const char *path;
    page p = {0};
    unsigned long long seed;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "yO!O!zO!zOOOnKiO", &path, py_model_type, &model, py_data_type,
                          &data, &p.options.title, &PyTuple_Type, &paths,
                          &p.options.text_column, &truth, &classes, &columns,
                          &p.options.map_rows, &seed, &p.options.threads, &progress))
        return NULL;
    const imsat_data *rows = ((py_data *)data)->data;
    p.options.seed = seed;
    if (fill(&p, paths, truth, classes, columns, progress) < 0 || check_truth(&p, rows) < 0) {
        clear(&p);
        return NULL;
    }
    py_watch_begin(&p.watch);
    const imsat_status st =
        imsat_report_write(path, ((py_model *)model)->model, rows, &p.options, &err);
    py_watch_end(&p.watch);
    clear(&p);
    return st == IMSAT_OK ? Py_NewRef(Py_None) : py_errors_raise(st, &err);
}

PyMethodDef py_report_methods[] = {
    {"report", report, METH_VARARGS,
     "Path, model, data, title, paths, text column, truth, names of classes and of "
     "columns, rows on the map, seed, threads, progress; what is not there is None."},
    {NULL, NULL, 0, NULL},
};
