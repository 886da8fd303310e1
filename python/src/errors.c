/* SPDX-License-Identifier: MIT
 *
 * Exceptions: imsat.Error, and one derived of it for each status that is also what Python
 * calls such a failure, so that `except ValueError` works.
 */
#include "binding.h"

enum { KINDS = IMSAT_EBUSY + 1 };

static PyObject *kinds[KINDS];

/* An exception of the module, of the bases `error` and `standard`. */
static PyObject *make(PyObject *module, const char *name, PyObject *error, PyObject *standard)
{
    PyObject *bases = PyTuple_Pack(2, error, standard);
    PyObject *kind = bases ? PyErr_NewException(name, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (kind && PyModule_AddObjectRef(module, name + sizeof "imsat." - 1, kind) == 0)
        return kind;
    Py_XDECREF(kind);
    return NULL;
}

int py_errors_add(PyObject *module)
{
    PyObject *error = PyErr_NewException("imsat.Error", NULL, NULL);
    if (!error || PyModule_AddObjectRef(module, "Error", error) < 0)
        return -1;
    const struct {
        imsat_status status;
        const char *name;
        PyObject *standard;
    } rows[] = {
        {IMSAT_EINVAL, "imsat.InvalidError", PyExc_ValueError},
        {IMSAT_EIO, "imsat.FileError", PyExc_OSError},
        {IMSAT_EFORMAT, "imsat.FormatError", PyExc_ValueError},
        {IMSAT_EMISMATCH, "imsat.MismatchError", PyExc_ValueError},
        {IMSAT_ENOMEM, "imsat.OutOfMemoryError", PyExc_MemoryError},
        {IMSAT_ESTOPPED, "imsat.StoppedError", PyExc_RuntimeError},
        {IMSAT_EBUSY, "imsat.BusyError", PyExc_BlockingIOError},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kinds[rows[i].status] = make(module, rows[i].name, error, rows[i].standard);
        if (!kinds[rows[i].status])
            return -1;
    }
    return 0;
}

PyObject *py_errors_raise(imsat_status status, const imsat_error *err)
{
    if (PyErr_Occurred())
        return NULL;
    PyObject *kind = (unsigned)status < KINDS ? kinds[status] : NULL;
    PyErr_SetString(kind ? kind : PyExc_RuntimeError, err->message);
    return NULL;
}
