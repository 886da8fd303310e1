/* SPDX-License-Identifier: MIT
 *
 * Data: rows in memory, dense or sparse, where they are, or in files.
 */
#include "binding.h"

#include <string.h>

PyTypeObject *py_data_type;

static void dealloc(PyObject *self)
{
    py_data *d = (py_data *)self;
    PyTypeObject *type = Py_TYPE(self);
    imsat_data_free(d->data);
    for (int i = 0; i < 3; i++)
        PyBuffer_Release(&d->views[i]);
    PyObject_Free(self);
    Py_DECREF(type);
}

static py_data *new_data(void)
{
    return (py_data *)PyType_GenericAlloc(py_data_type, 0);
}

/* The object, if its data could be made; else the exception. */
static PyObject *finish(py_data *d, imsat_status st, const imsat_error *err)
{
    if (st == IMSAT_OK)
        return (PyObject *)d;
    Py_DECREF(d);
    return py_errors_raise(st, err);
}

/* ---- how it is made --------------------------------------------------------------- */

static int describe_array(imsat_array *array, const Py_buffer *view)
{
    array->type = py_buffers_element(view);
    if (view->ndim != 2 || array->type == IMSAT_ELEMENTS) {
        PyErr_SetString(PyExc_TypeError, "rows must be an array of numbers of two dimensions");
        return -1;
    }
    if (view->strides[0] < 0 || view->strides[1] < 0) {
        PyErr_SetString(PyExc_ValueError, "rows must not run backwards in memory");
        return -1;
    }
    array->elements = view->buf;
    array->rows = (size_t)view->shape[0];
    array->dim = (size_t)view->shape[1];
    array->row_stride = (size_t)view->strides[0];
    array->col_stride = (size_t)view->strides[1];
    return 0;
}

static PyObject *data_array(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows;
    imsat_array array = {0};
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O(nnn)", &rows, &array.image.height, &array.image.width,
                          &array.image.channels))
        return NULL;
    py_data *d = new_data();
    if (!d)
        return NULL;
    if (PyObject_GetBuffer(rows, &d->views[0], PyBUF_STRIDES | PyBUF_FORMAT) < 0 ||
        describe_array(&array, &d->views[0]) < 0) {
        Py_DECREF(d);
        return NULL;
    }
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_data_array(&d->data, &array, &err);
    Py_END_ALLOW_THREADS return finish(d, st, &err);
}

static PyObject *data_csr(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *indptr, *indices, *values;
    Py_ssize_t dim;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "OOOn", &indptr, &indices, &values, &dim))
        return NULL;
    py_data *d = new_data();
    if (!d)
        return NULL;
    if (py_buffers_get(&d->views[0], indptr, PY_INT64, 1, "indptr") < 0 ||
        py_buffers_get(&d->views[1], indices, PY_INT32, 1, "indices") < 0 ||
        py_buffers_get(&d->views[2], values, PY_FLOAT32, 1, "values") < 0) {
        Py_DECREF(d);
        return NULL;
    }
    const size_t starts = py_buffers_count(&d->views[0]);
    const int64_t *start = d->views[0].buf;
    const size_t elements = py_buffers_count(&d->views[1]);
    if (starts < 2 || elements != py_buffers_count(&d->views[2]) || start[0] != 0 ||
        start[starts - 1] != (int64_t)elements) {
        Py_DECREF(d);
        PyErr_SetString(PyExc_ValueError, "indptr, indices and values do not fit each other");
        return NULL;
    }
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_data_csr(&d->data, start, d->views[1].buf,
                                               d->views[2].buf, starts - 1, (size_t)dim, &err);
    Py_END_ALLOW_THREADS return finish(d, st, &err);
}

const char **py_data_texts(PyObject *tuple)
{
    const Py_ssize_t count = PyTuple_Size(tuple);
    const char **texts = PyMem_Calloc((size_t)(count + 1), sizeof *texts);
    if (!texts)
        return (const char **)PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *text = PyTuple_GetItem(tuple, i);
        texts[i] = text ? PyBytes_AsString(text) : NULL;
        if (!texts[i]) {
            PyMem_Free(texts);
            return NULL;
        }
    }
    return texts;
}

/* Rows as the program reads them: texts if they are such, and, of a model, as it had its own
 * rows. */
static imsat_status open_rows(imsat_data **out, const imsat_model *model,
                              const char *const *paths, size_t count,
                              const imsat_data_options *options, const char *text_column,
                              imsat_error *err)
{
    int texts = 0;
    imsat_text_options about = {.text_column = text_column,
                                .label_column = options->label_column};
    if (model) {
        const imsat_status st =
            imsat_model_open(out, model, paths, count, options, text_column, err);
        return st == IMSAT_OK ? imsat_data_widen(*out, imsat_model_dim(model), err) : st;
    }
    if (count > 0) {
        const imsat_status st = imsat_texts_are(&texts, paths[0], text_column, err);
        if (st != IMSAT_OK)
            return st;
    }
    return texts ? imsat_texts_open(out, paths, count, &about, err)
                 : imsat_data_open(out, paths, count, options, err);
}

static PyObject *data_open(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *tuple, *model;
    const char *text_column;
    imsat_data_options options = {0};
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O!z(nnn)zO", &PyTuple_Type, &tuple, &options.label_column,
                          &options.image.height, &options.image.width, &options.image.channels,
                          &text_column, &model))
        return NULL;
    const imsat_model *of = NULL;
    if (model != Py_None) {
        if (!PyObject_TypeCheck(model, py_model_type)) {
            PyErr_SetString(PyExc_TypeError, "model: is no model");
            return NULL;
        }
        of = ((py_model *)model)->model;
    }
    const char **paths = py_data_texts(tuple);
    py_data *d = paths ? new_data() : NULL;
    if (!d) {
        PyMem_Free(paths);
        return NULL;
    }
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = open_rows(&d->data, of, paths, (size_t)PyTuple_Size(tuple),
                                          &options, text_column, &err);
    Py_END_ALLOW_THREADS PyMem_Free(paths);
    return finish(d, st, &err);
}

PyMethodDef py_data_functions[] = {
    {"data_array", data_array, METH_VARARGS, "Rows of an array, and the shape of images."},
    {"data_csr", data_csr, METH_VARARGS, "Sparse rows: indptr, indices, values, columns."},
    {"data_open", data_open, METH_VARARGS,
     "Rows of files: paths, label column, image shape, text column, model or None."},
    {NULL, NULL, 0, NULL},
};

/* ---- what it tells ------------------------------------------------------------------ */

static PyObject *get_rows(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_data_rows(((py_data *)self)->data));
}

static PyObject *get_dim(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_data_dim(((py_data *)self)->data));
}

static PyObject *get_label_words(PyObject *self, void *unused)
{
    (void)unused;
    const char *const *words = imsat_data_label_words(((py_data *)self)->data);
    Py_ssize_t count = 0;
    if (!words)
        return Py_NewRef(Py_None);
    while (words[count])
        count++;
    PyObject *all = PyTuple_New(count);
    for (Py_ssize_t i = 0; all && i < count; i++) {
        PyObject *word = PyBytes_FromString(words[i]);
        if (!word || PyTuple_SetItem(all, i, word) < 0)
            Py_CLEAR(all);
    }
    return all;
}

static PyObject *get_labels(PyObject *self, void *unused)
{
    (void)unused;
    const imsat_data *data = ((py_data *)self)->data;
    const int32_t *labels = imsat_data_labels(data);
    if (!labels)
        return Py_NewRef(Py_None);
    return PyByteArray_FromStringAndSize((const char *)labels,
                                         (Py_ssize_t)(imsat_data_rows(data) * sizeof *labels));
}

static PyObject *get_description(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_FromString(imsat_data_describe(((py_data *)self)->data, 0));
}

static PyObject *column_name(PyObject *self, PyObject *args)
{
    Py_ssize_t column;
    if (!PyArg_ParseTuple(args, "n", &column))
        return NULL;
    return Py_BuildValue("z", imsat_data_column_name(((py_data *)self)->data, (size_t)column));
}

static PyObject *read_rows(PyObject *self, PyObject *args)
{
    const imsat_data *data = ((py_data *)self)->data;
    PyObject *array;
    Py_ssize_t first, count;
    Py_buffer view;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "nnO", &first, &count, &array) ||
        py_buffers_get_output(&view, array, PY_FLOAT32, (size_t)count * imsat_data_dim(data),
                              "out") < 0)
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st =
        imsat_data_read(data, (size_t)first, (size_t)count, view.buf, &err);
    Py_END_ALLOW_THREADS PyBuffer_Release(&view);
    return st == IMSAT_OK ? Py_NewRef(Py_None) : py_errors_raise(st, &err);
}

static PyMethodDef methods[] = {
    {"read", read_rows, METH_VARARGS, "Rows first to first + count, to a float32 array."},
    {"column_name", column_name, METH_VARARGS, "The name of a column, or None."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"rows", get_rows, NULL, "How many rows there are.", NULL},
    {"dim", get_dim, NULL, "How many columns there are.", NULL},
    {"labels", get_labels, NULL, "The labels in the files, as bytes of int32, or None.", NULL},
    {"label_words", get_label_words, NULL,
     "What they are called, as a tuple of bytes, or None.", NULL},
    {"description", get_description, NULL, "What the first file holds.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

int py_data_add(PyObject *module)
{
    static const py_handle_type about = {"imsat._imsat.Data",
                                         "Rows that the library can read.",
                                         sizeof(py_data),
                                         dealloc,
                                         methods,
                                         getters};
    return py_handles_add(module, &py_data_type, &about);
}
