/* SPDX-License-Identifier: MIT
 *
 * Index: codes that can be searched.
 */
#include "binding.h"

#include <string.h>

PyTypeObject *py_index_type;

static const imsat_index *handle(PyObject *self)
{
    return ((py_index *)self)->index;
}

static void dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    imsat_index_free(((py_index *)self)->index);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* A new Index, or the exception. */
static PyObject *wrap(imsat_status st, imsat_index *index, const imsat_error *err)
{
    if (st != IMSAT_OK)
        return py_errors_raise(st, err);
    py_index *self = (py_index *)PyType_GenericAlloc(py_index_type, 0);
    if (self)
        self->index = index;
    else
        imsat_index_free(index);
    return (PyObject *)self;
}

/* Codes and ids of the caller. */
typedef struct rows {
    Py_buffer bytes, id_view;
    imsat_codes codes;
    const int64_t *ids; /* or NULL */
} rows;

static void release(rows *r)
{
    PyBuffer_Release(&r->bytes);
    PyBuffer_Release(&r->id_view);
}

/* Codes of `bits` bits, (n, bytes), and ids (n) or None. */
static int get_rows(rows *r, PyObject *codes, size_t bits, PyObject *ids)
{
    memset(r, 0, sizeof *r);
    if (py_buffers_get(&r->bytes, codes, PY_UINT8, 2, "codes") < 0 ||
        py_buffers_get(&r->id_view, ids, PY_INT64, 1, "ids") < 0) {
        release(r);
        return -1;
    }
    const size_t n = (size_t)r->bytes.shape[0];
    if ((size_t)r->bytes.shape[1] != imsat_code_bytes(bits)) {
        PyErr_Format(PyExc_ValueError, "codes of %zu bits have %zu bytes, and these have %zd",
                     bits, imsat_code_bytes(bits), r->bytes.shape[1]);
    } else if (r->id_view.buf && (size_t)r->id_view.shape[0] != n) {
        PyErr_Format(PyExc_ValueError, "%zd ids for %zu codes", r->id_view.shape[0], n);
    } else {
        r->codes = (imsat_codes){r->bytes.buf, n, bits};
        r->ids = r->id_view.buf;
        return 0;
    }
    release(r);
    return -1;
}

/* ---- how it is made ------------------------------------------------------------------- */

static PyObject *index_new(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *codes, *ids;
    Py_ssize_t bits;
    rows r;
    imsat_index *index = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "OnO", &codes, &bits, &ids) ||
        get_rows(&r, codes, (size_t)bits, ids) < 0)
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_index_new(&index, &r.codes, r.ids, &err);
    Py_END_ALLOW_THREADS release(&r);
    return wrap(st, index, &err);
}

static PyObject *index_open(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path;
    imsat_index *index = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "y", &path))
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_index_open(&index, path, &err);
    Py_END_ALLOW_THREADS return wrap(st, index, &err);
}

static PyObject *append(PyObject *self, PyObject *args)
{
    PyObject *codes, *ids;
    rows r;
    imsat_index *index = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "OO", &codes, &ids) ||
        get_rows(&r, codes, imsat_index_bits(handle(self)), ids) < 0)
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st =
        imsat_index_append(&index, handle(self), &r.codes, r.ids, &err);
    Py_END_ALLOW_THREADS release(&r);
    return wrap(st, index, &err);
}

static PyObject *without(PyObject *self, PyObject *args)
{
    PyObject *ids;
    Py_buffer view;
    imsat_index *index = NULL;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "O", &ids) ||
        py_buffers_get(&view, ids, PY_INT64, 1, "ids") < 0)
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st =
        imsat_index_delete(&index, handle(self), view.buf, py_buffers_count(&view), &err);
    Py_END_ALLOW_THREADS PyBuffer_Release(&view);
    return wrap(st, index, &err);
}

/* ---- files ------------------------------------------------------------------------------ */

static PyObject *save(PyObject *self, PyObject *args)
{
    const char *path;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "y", &path))
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_index_save(handle(self), path, &err);
    Py_END_ALLOW_THREADS return st == IMSAT_OK ? Py_NewRef(Py_None)
                                               : py_errors_raise(st, &err);
}

static PyObject *index_update(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path;
    PyObject *codes, *ids, *gone;
    Py_ssize_t bits;
    rows r = {0};
    Py_buffer view;
    imsat_index_info after;
    imsat_error err;
    if (!PyArg_ParseTuple(args, "yOnOO", &path, &codes, &bits, &ids, &gone) ||
        py_buffers_get(&view, gone, PY_INT64, 1, "delete") < 0)
        return NULL;
    if (codes != Py_None && get_rows(&r, codes, (size_t)bits, ids) < 0) {
        PyBuffer_Release(&view);
        return NULL;
    }
    const imsat_index_change change = {.delete_ids = view.buf,
                                       .delete_count = py_buffers_count(&view),
                                       .codes = codes == Py_None ? NULL : &r.codes,
                                       .ids = r.ids};
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_index_update(&after, path, &change, &err);
    Py_END_ALLOW_THREADS PyBuffer_Release(&view);
    release(&r);
    return st == IMSAT_OK ? PyLong_FromSize_t(after.rows) : py_errors_raise(st, &err);
}

PyMethodDef py_index_functions[] = {
    {"index_new", index_new, METH_VARARGS, "Codes, their bits, ids or None."},
    {"index_open", index_open, METH_VARARGS, "The index of a file, mapped."},
    {"index_update", index_update, METH_VARARGS,
     "Change a file: path, codes or None, bits, ids or None, ids to delete or None. How many "
     "codes it then has."},
    {NULL, NULL, 0, NULL},
};

/* ---- search ------------------------------------------------------------------------------
 */

static const char *method_at(size_t i)
{
    return imsat_search_method_name((imsat_search_method)i);
}

/* What was found, as bytes: where each query's begin, distances, ids. */
static PyObject *hand_over(imsat_hits *hits)
{
    const size_t found = hits->start[hits->queries];
    PyObject *all = Py_BuildValue(
        "NNN",
        PyByteArray_FromStringAndSize((const char *)hits->start,
                                      (Py_ssize_t)((hits->queries + 1) * sizeof *hits->start)),
        PyByteArray_FromStringAndSize((const char *)hits->distance,
                                      (Py_ssize_t)(found * sizeof *hits->distance)),
        PyByteArray_FromStringAndSize((const char *)hits->ids,
                                      (Py_ssize_t)(found * sizeof *hits->ids)));
    imsat_hits_clear(hits);
    return all;
}

static PyObject *search(PyObject *self, PyObject *args)
{
    PyObject *queries;
    Py_ssize_t count, radius; /* a radius below 0 is any distance */
    const char *method;
    imsat_search_options options;
    imsat_hits hits = {0};
    rows r;
    imsat_error err;
    imsat_search_options_init(&options);
    if (!PyArg_ParseTuple(args, "Onnsi", &queries, &count, &radius, &method, &options.threads))
        return NULL;
    options.count = (size_t)count;
    options.radius = radius < 0 ? IMSAT_ANY_DISTANCE : (size_t)radius;
    const int way = py_options_choose("method", method, method_at);
    options.method = (imsat_search_method)way;
    if (way < 0 || get_rows(&r, queries, imsat_index_bits(handle(self)), Py_None) < 0)
        return NULL;
    imsat_status st;
    Py_BEGIN_ALLOW_THREADS st = imsat_search(&hits, handle(self), &r.codes, &options, &err);
    Py_END_ALLOW_THREADS release(&r);
    return st == IMSAT_OK ? hand_over(&hits) : py_errors_raise(st, &err);
}

/* ---- what it tells ------------------------------------------------------------------------
 */

static PyObject *get_count(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_index_rows(handle(self)));
}

static PyObject *get_bits(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(imsat_index_bits(handle(self)));
}

static PyMethodDef methods[] = {
    {"append", append, METH_VARARGS, "A new index with these codes and ids (or None), too."},
    {"without", without, METH_VARARGS, "A new index without the codes of these ids."},
    {"save", save, METH_VARARGS, "Write the index to a file."},
    {"search", search, METH_VARARGS,
     "Queries, how many, within which distance, how, threads."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef getters[] = {
    {"rows", get_count, NULL, "How many codes it has.", NULL},
    {"bits", get_bits, NULL, "How many bits a code has.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

int py_index_add(PyObject *module)
{
    static const py_handle_type about = {"imsat._imsat.Index",
                                         "Codes that can be searched.",
                                         sizeof(py_index),
                                         dealloc,
                                         methods,
                                         getters};
    return py_handles_add(module, &py_index_type, &about);
}
