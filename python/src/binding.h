/* SPDX-License-Identifier: MIT
 *
 * The extension imsat._imsat: the library's handles and calls for the modules beside it, which
 * make of them what users see. It uses the stable ABI of Python and the library's public
 * headers alone, and knows arrays by the buffer protocol: outputs are the caller's arrays, and
 * inputs are used where they are.
 *
 * Handles never change once they are made, and a call holds a reference to those that it was
 * given, so any number of threads may use them while the GIL is released.
 */
#ifndef IMSAT_PYTHON_BINDING_H
#define IMSAT_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* the buffer protocol is in the stable ABI since 3.11 */
#include <Python.h>

#include <imsat/imsat.h>
#include <imsat/report.h>
#include <imsat/search.h>

/* ---- errors.c ---- */

/* The exceptions imsat.Error and those derived of it, one a status, to the module. */
int py_errors_add(PyObject *module);

/* Raise the exception of a status with the library's sentence, unless a callback has raised
 * one already. Always NULL. */
PyObject *py_errors_raise(imsat_status status, const imsat_error *err);

/* ---- buffers.c ---- */

/* What the elements of a buffer must be. */
typedef enum py_element { PY_FLOAT32, PY_FLOAT64, PY_INT32, PY_INT64, PY_UINT8 } py_element;

/* The buffer of an array in C order, of one or two dimensions; `name` is for the refusal.
 * Py_None leaves an empty view, which may be released, and whose buf is NULL. 0, or -1 and an
 * exception. */
int py_buffers_get(Py_buffer *view, PyObject *array, py_element element, int ndim,
                   const char *name);

/* The same for an array that is written to, which must have `size` elements. */
int py_buffers_get_output(Py_buffer *view, PyObject *array, py_element element, size_t size,
                          const char *name);

/* How many elements a view has. */
size_t py_buffers_count(const Py_buffer *view);

/* The element type of the library that a buffer's are of, by its format and size;
 * IMSAT_ELEMENTS if there is none. */
imsat_element py_buffers_element(const Py_buffer *view);

/* ---- types ---- */

/* A set of rows, and the arrays that it is a view of. */
typedef struct py_data {
    PyObject_HEAD imsat_data *data;
    Py_buffer views[3];
} py_data;

typedef struct py_model {
    PyObject_HEAD imsat_model *model;
} py_model;

typedef struct py_index {
    PyObject_HEAD imsat_index *index;
} py_index;

extern PyTypeObject *py_data_type, *py_model_type, *py_index_type;

/* A type whose objects hold a handle of the library, and that Python cannot make by itself. */
typedef struct py_handle_type {
    const char *name, *doc;
    int size;
    void (*dealloc)(PyObject *self);
    PyMethodDef *methods;
    PyGetSetDef *getters;
} py_handle_type;
int py_handles_add(PyObject *module, PyTypeObject **type, const py_handle_type *about);

/* Make the types, and add them to the module. 0, or -1 and an exception. */
int py_data_add(PyObject *module);
int py_model_add(PyObject *module);
int py_index_add(PyObject *module);

/* The texts of a tuple of bytes, borrowed of it, with a NULL behind the last, in an array to
 * be freed by PyMem_Free(); NULL and an exception on failure. */
const char **py_data_texts(PyObject *tuple);

/* A new Model, which owns the handle, also on failure. */
PyObject *py_model_wrap(imsat_model *model);

/* ---- watch.c: while the library works ---- */

/* Between begin and end the GIL is released. The library's callbacks take it: to look for
 * Ctrl-C, and to call the functions of the caller, which may be NULL. What these raise stops
 * the work. */
typedef struct py_watch {
    PyThreadState *state;
    PyObject *progress; /* borrowed, called with a dict; true stops */
    PyObject *augment;  /* borrowed, called with rows, row numbers, shape and seed */
    double last;        /* when the GIL was last taken, in seconds */
} py_watch;

void py_watch_begin(py_watch *watch);
void py_watch_end(py_watch *watch);

/* Callbacks of the library, whose user is a py_watch. */
int py_watch_progress(void *user, const imsat_progress *progress);
int py_watch_augment(void *user, float *out, const float *in, const size_t *rows, size_t n,
                     size_t dim, uint64_t seed);

/* Whether Ctrl-C was pressed; now and then, it looks. */
int py_watch_stopped(py_watch *watch);

/* ---- options.c ---- */

/* Options by name from a dict of texts, and two vectors that have none (or Py_None). Views are
 * to be released. Texts are borrowed of the dict, which must stay. */
typedef struct py_options {
    imsat_options options;
    Py_buffer prior, radius;
} py_options;

int py_options_fill(py_options *out, imsat_task task, PyObject *texts, PyObject *prior,
                    PyObject *radius);
void py_options_release(py_options *options);

/* Which of the words that `choice` gives (NULL past the last) this is; -1 and an exception,
 * which names them, if none. */
int py_options_choose(const char *what, const char *word, const char *(*choice)(size_t i));

/* ---- functions of the module: tables, training, scores ---- */

extern PyMethodDef py_options_methods[];
extern PyMethodDef py_data_functions[];
extern PyMethodDef py_fit_methods[];
extern PyMethodDef py_model_functions[];
extern PyMethodDef py_index_functions[];
extern PyMethodDef py_scores_methods[];
extern PyMethodDef py_report_methods[];
extern PyMethodDef py_choice_methods[];

#endif
