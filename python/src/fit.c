/* SPDX-License-Identifier: MIT
 *
 * Training, and the radius of every row.
 */
#include "binding.h"

#include <string.h>

static PyObject *describe_run(const imsat_run *run)
{
    PyObject *terms = PyDict_New();
    for (int i = 0; terms && i < IMSAT_TERMS; i++) {
        PyObject *value = PyFloat_FromDouble(run->term[i]);
        if (!value || PyDict_SetItemString(terms, imsat_term_name((imsat_term)i), value) < 0)
            Py_CLEAR(terms);
        Py_XDECREF(value);
    }
    if (!terms)
        return NULL;
    return Py_BuildValue("{s:K,s:d,s:d,s:n,s:N}", "seed", (unsigned long long)run->seed,
                         "objective", run->objective, "mu", run->mu, "epochs",
                         (Py_ssize_t)run->epochs, "terms", terms);
}

static PyObject *describe_runs(const imsat_result *result)
{
    PyObject *runs = PyList_New(0);
    for (size_t i = 0; runs && imsat_result_run(result, i); i++) {
        PyObject *run = describe_run(imsat_result_run(result, i));
        if (!run || PyList_Append(runs, run) < 0)
            Py_CLEAR(runs);
        Py_XDECREF(run);
    }
    return runs;
}

/* The options with all that was left open decided, by name; those that have a text. */
static PyObject *describe_used(const imsat_options *used)
{
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && imsat_option_at(i); i++) {
        char text[1024];
        imsat_error err;
        const char *name = imsat_option_at(i)->name;
        if (imsat_options_get(used, name, text, sizeof text, &err) != IMSAT_OK)
            continue;
        PyObject *value = PyUnicode_FromString(text);
        if (!value || PyDict_SetItemString(all, name, value) < 0)
            Py_CLEAR(all);
        Py_XDECREF(value);
    }
    return all;
}

/* The labels of every run, or the codes, as bytes. */
static PyObject *copy_results(const imsat_result *r, size_t bits)
{
    const size_t rows = r->runs * r->rows;
    return r->labels
               ? PyByteArray_FromStringAndSize((const char *)r->labels,
                                               (Py_ssize_t)(rows * sizeof *r->labels))
               : PyByteArray_FromStringAndSize((const char *)r->codes,
                                               (Py_ssize_t)(rows * imsat_code_bytes(bits)));
}

static PyObject *describe_result(const imsat_result *r, size_t bits)
{
    PyObject *parts[] = {describe_runs(r), describe_used(r->used), copy_results(r, bits)};
    if (!parts[0] || !parts[1] || !parts[2]) {
        for (size_t i = 0; i < 3; i++)
            Py_XDECREF(parts[i]);
        return NULL;
    }
    return Py_BuildValue("{s:N,s:N,s:N,s:n,s:d,s:s,s:d,s:d,s:d,s:z}", "runs", parts[0], "used",
                         parts[1], "results", parts[2], "best", (Py_ssize_t)r->best,
                         "agreement", r->agreement, "radius_method",
                         imsat_radius_method_name(r->radius.method), "radius_error",
                         r->radius.error, "seconds_radius", r->seconds_radius, "seconds_train",
                         r->seconds_train, "note", r->note);
}

/* The model and its result as a tuple; both are taken over. */
static PyObject *hand_over(imsat_model *model, imsat_result *result)
{
    PyObject *described = describe_result(result, imsat_model_bits(model));
    imsat_result_free(result);
    PyObject *wrapped = py_model_wrap(model);
    if (described && wrapped)
        return Py_BuildValue("NN", wrapped, described);
    Py_XDECREF(described);
    Py_XDECREF(wrapped);
    return NULL;
}

/* The function, or NULL for None. */
static PyObject *function_of(PyObject *object)
{
    return object == Py_None ? NULL : object;
}

/* The library cannot know how long the caller's vectors are. */
static int check_vectors(const py_options *o, size_t rows)
{
    const size_t prior = py_buffers_count(&o->prior), radius = py_buffers_count(&o->radius);
    if (o->prior.buf && prior != o->options.k) {
        PyErr_Format(PyExc_ValueError, "prior: %zu numbers for %zu clusters", prior,
                     o->options.k);
        return -1;
    }
    if (o->radius.buf && radius != rows) {
        PyErr_Format(PyExc_ValueError, "radius: %zu numbers for %zu rows", radius, rows);
        return -1;
    }
    return 0;
}

/* Train, by options that are complete, and hand over what was learned. */
static PyObject *train(const imsat_data *rows, imsat_options *o, PyObject *progress,
                       PyObject *augment)
{
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_error err;
    py_watch watch = {.progress = function_of(progress), .augment = function_of(augment)};
    o->progress = py_watch_progress;
    o->progress_user = &watch;
    o->augment = watch.augment ? py_watch_augment : NULL;
    o->augment_user = &watch;
    py_watch_begin(&watch);
    const imsat_status st = (o->task == IMSAT_TASK_HASH ? imsat_hash : imsat_cluster)(
        &model, rows, o, &result, &err);
    py_watch_end(&watch);
    return st == IMSAT_OK ? hand_over(model, result) : py_errors_raise(st, &err);
}

static PyObject *fit(PyObject *self, PyObject *args)
{
    (void)self;
    int hashing;
    PyObject *data, *texts, *prior, *radius, *progress, *augment, *found = NULL;
    py_options o;
    if (!PyArg_ParseTuple(args, "pO!O!OOOO", &hashing, py_data_type, &data, &PyDict_Type,
                          &texts, &prior, &radius, &progress, &augment) ||
        py_options_fill(&o, hashing ? IMSAT_TASK_HASH : IMSAT_TASK_CLUSTER, texts, prior,
                        radius) < 0)
        return NULL;
    const imsat_data *rows = ((py_data *)data)->data;
    if (check_vectors(&o, imsat_data_rows(rows)) == 0)
        found = train(rows, &o.options, progress, augment);
    py_options_release(&o);
    return found;
}

static PyObject *neighbor_radius(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *data, *texts, *out;
    py_options o;
    Py_buffer view;
    py_watch watch = {0};
    imsat_radius_info info = {0};
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O!O!O", py_data_type, &data, &PyDict_Type, &texts, &out))
        return NULL;
    const imsat_data *rows = ((py_data *)data)->data;
    if (py_buffers_get_output(&view, out, PY_FLOAT32, imsat_data_rows(rows), "out") < 0)
        return NULL;
    if (py_options_fill(&o, IMSAT_TASK_CLUSTER, texts, Py_None, Py_None) < 0) {
        PyBuffer_Release(&view);
        return NULL;
    }
    o.options.progress = py_watch_progress;
    o.options.progress_user = &watch;
    py_watch_begin(&watch);
    const imsat_status st = imsat_neighbor_radius(view.buf, &info, rows, &o.options, &err);
    py_watch_end(&watch);
    PyBuffer_Release(&view);
    py_options_release(&o);
    if (st != IMSAT_OK)
        return py_errors_raise(st, &err);
    return Py_BuildValue("{s:s,s:d,s:n}", "method", imsat_radius_method_name(info.method),
                         "error", info.error, "sample", (Py_ssize_t)info.sample);
}

PyMethodDef py_fit_methods[] = {
    {"fit", fit, METH_VARARGS,
     "Whether codes, data, options by name, prior, radius, progress, augment: a model and "
     "what "
     "was found."},
    {"neighbor_radius", neighbor_radius, METH_VARARGS, "Data, options by name, an array."},
    {NULL, NULL, 0, NULL},
};
