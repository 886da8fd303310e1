/* SPDX-License-Identifier: MIT
 *
 * Model: a trained encoder.
 */
#include "binding.h"

#include <string.h>

PyTypeObject *py_model_type;

static const imsat_model *handle(PyObject *self)
{
    return ((py_model *)self)->model;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    imsat_model_free(((py_model *)self)->model);
    PyObject_Free(self);
    Py_DECREF(type);
}

PyObject *py_model_wrap(imsat_model *model)
{
    py_model *self = (py_model *)PyType_GenericAlloc(py_model_type, 0);
    if (self)
        self->model = model;
    else
        imsat_model_free(model);
    return (PyObject *)self;
}

static PyObject *load(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path;
    imsat_model *model = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "y", &path))
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_model_load(&model, path, &err);
    Py_END_ALLOW_THREADS return st == IMSAT_OK ? py_model_wrap(model)
                                               : py_errors_raise(st, &err);
}

PyMethodDef py_model_functions[] = {
    {"model_load", load, METH_VARARGS, "The model of a file."},
    {NULL, NULL, 0, NULL},
};

static PyObject *save(PyObject *self, PyObject *args)
{
    const char *path;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "y", &path))
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_model_save(handle(self), path, &err);
    Py_END_ALLOW_THREADS return st == IMSAT_OK ? Py_NewRef(Py_None)
                                               : py_errors_raise(st, &err);
}

/* ---- prediction ---------------------------------------------------------------------- */

/* Where pieces go: arrays of all rows, or NULL for what is not wanted. */
typedef struct sink {
    py_watch watch;
    Py_buffer labels, codes, proba;
    size_t outputs; /* clusters or bits */
} sink;

static int take(void *user, const imsat_piece *piece)
{
    sink *s = user;
    const size_t bytes = imsat_code_bytes(s->outputs), count = piece->count;
    if (s->labels.buf)
        memcpy((int32_t *)s->labels.buf + piece->first, piece->labels,
               count * sizeof *piece->labels);
    if (s->codes.buf)
        memcpy((uint8_t *)s->codes.buf + piece->first * bytes, piece->codes, count * bytes);
    if (s->proba.buf)
        memcpy((float *)s->proba.buf + piece->first * s->outputs, piece->proba,
               count * s->outputs * sizeof *piece->proba);
    return py_watch_stopped(&s->watch);
}

static void release(sink *s)
{
    PyBuffer_Release(&s->labels);
    PyBuffer_Release(&s->codes);
    PyBuffer_Release(&s->proba);
}

/* Labels of a model of codes, or codes of one of clusters, are refused: nothing is written. */
static int fill_sink(sink *s, const imsat_model *model, size_t rows, PyObject *labels,
                     PyObject *codes, PyObject *proba)
{
    const size_t bits = imsat_model_bits(model);
    memset(s, 0, sizeof *s);
    s->outputs = bits ? bits : imsat_model_clusters(model);
    if ((bits ? labels : codes) != Py_None) {
        PyErr_SetString(PyExc_ValueError,
                        bits ? "the model makes codes" : "the model has clusters");
        return -1;
    }
    if (py_buffers_get_output(&s->labels, labels, PY_INT32, rows, "labels") == 0 &&
        py_buffers_get_output(&s->codes, codes, PY_UINT8, rows * imsat_code_bytes(bits),
                              "codes") == 0 &&
        py_buffers_get_output(&s->proba, proba, PY_FLOAT32, rows * s->outputs, "proba") == 0)
        return 0;
    release(s);
    return -1;
}

static PyObject *predict(PyObject *self, PyObject *args)
{
    PyObject *data, *labels, *codes, *proba;
    int threads;
    sink s;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O!OOOi", py_data_type, &data, &labels, &codes, &proba,
                          &threads))
        return NULL;
    const imsat_data *rows = ((py_data *)data)->data;
    if (fill_sink(&s, handle(self), imsat_data_rows(rows), labels, codes, proba) < 0)
        return NULL;
    py_watch_begin(&s.watch);
    const imsat_status st = imsat_predict_stream(handle(self), rows, take, &s, threads, &err);
    py_watch_end(&s.watch);
    release(&s);
    return st == IMSAT_OK ? Py_NewRef(Py_None) : py_errors_raise(st, &err);
}

static PyObject *confidence(PyObject *self, PyObject *args)
{
    enum { LABELS, PROBA, CONFIDENCE, DISTANCE, ARRAYS };
    PyObject *data, *array[ARRAYS];
    Py_buffer buffer[ARRAYS];
    int threads, taken = 0;
    imsat_error err;
    imsat_status st = IMSAT_OK;
    if (!PyArg_ParseTuple(args, "O!OOOOi", py_data_type, &data, &array[LABELS], &array[PROBA],
                          &array[CONFIDENCE], &array[DISTANCE], &threads))
        return NULL;
    const imsat_data *rows = ((py_data *)data)->data;
    const size_t n = imsat_data_rows(rows), k = imsat_model_clusters(handle(self));
    const struct {
        py_element type;
        size_t count;
        const char *name;
    } shape[ARRAYS] = {{PY_INT32, n, "labels"},
                       {PY_FLOAT32, n * k, "proba"},
                       {PY_FLOAT32, n, "confidence"},
                       {PY_FLOAT32, n, "distance"}};
    while (taken < ARRAYS &&
           py_buffers_get_output(&buffer[taken], array[taken], shape[taken].type,
                                 shape[taken].count, shape[taken].name) == 0)
        taken++;
    if (taken == ARRAYS) {
        Py_BEGIN_ALLOW_THREADS st =
            imsat_confidence(buffer[CONFIDENCE].buf, buffer[DISTANCE].buf, handle(self), rows,
                             0, n, buffer[LABELS].buf, buffer[PROBA].buf, threads, &err);
        Py_END_ALLOW_THREADS
    }
    for (int i = 0; i < taken; i++)
        PyBuffer_Release(&buffer[i]);
    if (taken < ARRAYS)
        return NULL;
    return st == IMSAT_OK ? Py_NewRef(Py_None) : py_errors_raise(st, &err);
}

/* ---- what it tells -------------------------------------------------------------------- */

static PyObject *metadata(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *all = PyDict_New();
    const char *name, *value;
    for (size_t i = 0; all && imsat_model_metadata(handle(self), i, &name, &value) == IMSAT_OK;
         i++) {
        PyObject *text = PyUnicode_DecodeUTF8(value, (Py_ssize_t)strlen(value), "replace");
        if (!text || PyDict_SetItemString(all, name, text) < 0)
            Py_CLEAR(all);
        Py_XDECREF(text);
    }
    return all;
}

static int put_column(PyObject *all, const char *name, const void *values, size_t count)
{
    PyObject *column =
        PyByteArray_FromStringAndSize(values, (Py_ssize_t)(count * sizeof(float)));
    const int bad = !column || PyDict_SetItemString(all, name, column) < 0;
    Py_XDECREF(column);
    return bad;
}

static PyObject *history(PyObject *self, PyObject *unused)
{
    (void)unused;
    static const imsat_history none;
    const imsat_history *kept = imsat_model_history(handle(self)), *h = kept ? kept : &none;
    PyObject *all = PyDict_New();
    if (!all)
        return NULL;
    int bad = put_column(all, "run", h->run, h->count) ||
              put_column(all, "epoch", h->epoch, h->count) ||
              put_column(all, "objective", h->objective, h->count);
    for (int i = 0; h->term && !bad && i < IMSAT_TERMS; i++)
        if (h->term[i])
            bad = put_column(all, imsat_term_name((imsat_term)i), h->term[i], h->count);
    if (bad)
        Py_CLEAR(all);
    return all;
}

static PyObject *get_dim(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_model_dim(handle(self)));
}

static PyObject *get_clusters(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_model_clusters(handle(self)));
}

static PyObject *get_bits(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_model_bits(handle(self)));
}

static PyMethodDef methods[] = {
    {"save", save, METH_VARARGS, "Write the model to a file."},
    {"predict", predict, METH_VARARGS,
     "Of data: labels, codes, probabilities, each an array to fill or None; threads."},
    {"confidence", confidence, METH_VARARGS,
     "Of data, its labels and probabilities: confidence and distance, to two arrays."},
    {"metadata", metadata, METH_NOARGS, "What the file says beside the weights."},
    {"history", history, METH_NOARGS,
     "The course of the training as columns: run and epoch of uint32, the rest of float32."},
    {NULL, NULL, 0, NULL},
};

static PyObject *get_outlier_distance(PyObject *self, void *unused)
{
    (void)unused;
    return PyFloat_FromDouble(imsat_model_outlier_distance(handle(self)));
}

static PyGetSetDef getters[] = {
    {"dim", get_dim, NULL, "Columns of the data that it was trained on.", NULL},
    {"clusters", get_clusters, NULL, "How many clusters it has; 0: it makes codes.", NULL},
    {"bits", get_bits, NULL, "How many bits its codes have; 0: it has clusters.", NULL},
    {"outlier_distance", get_outlier_distance, NULL, "Rows farther than this are outliers.",
     NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

int py_model_add(PyObject *module)
{
    static const py_handle_type about = {
        "imsat._imsat.Model", "A trained model.", sizeof(py_model), dealloc, methods, getters};
    return py_handles_add(module, &py_model_type, &about);
}
