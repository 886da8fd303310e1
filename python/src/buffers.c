/* SPDX-License-Identifier: MIT
 *
 * Arrays by the buffer protocol.
 */
#include "binding.h"

#include <string.h>

static const struct {
    char kind; /* as kind_of() */
    Py_ssize_t size;
    const char *name;
} elements[] = {
    [PY_FLOAT32] = {'f', 4, "float32"}, [PY_FLOAT64] = {'f', 8, "float64"},
    [PY_INT32] = {'i', 4, "int32"},     [PY_INT64] = {'i', 8, "int64"},
    [PY_UINT8] = {'u', 1, "uint8"},
};

/* 'f', 'i' or 'u' of numbers in the byte order of this machine, 'b' of truth values; 0 of
 * anything else. The letters are those of Python's struct. */
static char kind_of(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";
    if (strchr("@=<", *format) && *format)
        format++;
    if (!format[0] || format[1])
        return 0;
    if (strchr("efd", *format))
        return 'f';
    if (strchr("bhilqn", *format))
        return 'i';
    if (strchr("BHILQN", *format))
        return 'u';
    return *format == '?' ? 'b' : 0;
}

imsat_element py_buffers_element(const Py_buffer *view)
{
    const char kind = kind_of(view);
    char name[16] = "bool";
    if (kind != 'b')
        PyOS_snprintf(name, sizeof name, "%s%zd",
                      kind == 'f'   ? "float"
                      : kind == 'i' ? "int"
                      : kind == 'u' ? "uint"
                                    : "?",
                      8 * view->itemsize);
    int element = 0;
    while (element < IMSAT_ELEMENTS &&
           strcmp(imsat_element_name((imsat_element)element), name) != 0)
        element++;
    return (imsat_element)element;
}

static int get(Py_buffer *view, PyObject *array, py_element element, int flags,
               const char *name)
{
    if (PyObject_GetBuffer(array, view, flags | PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0)
        return -1;
    if (kind_of(view) == elements[element].kind && view->itemsize == elements[element].size)
        return 0;
    PyErr_Format(PyExc_TypeError, "%s must be an array of %s", name, elements[element].name);
    PyBuffer_Release(view);
    return -1;
}

int py_buffers_get(Py_buffer *view, PyObject *array, py_element element, int ndim,
                   const char *name)
{
    memset(view, 0, sizeof *view);
    if (array == Py_None)
        return 0;
    if (get(view, array, element, 0, name) < 0)
        return -1;
    if (view->ndim == ndim)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s must have %d dimensions, and has %d", name, ndim,
                 view->ndim);
    PyBuffer_Release(view);
    return -1;
}

int py_buffers_get_output(Py_buffer *view, PyObject *array, py_element element, size_t size,
                          const char *name)
{
    memset(view, 0, sizeof *view);
    if (array == Py_None)
        return 0;
    if (get(view, array, element, PyBUF_WRITABLE, name) < 0)
        return -1;
    if (py_buffers_count(view) == size)
        return 0;
    PyErr_Format(PyExc_ValueError, "%s must have %zu elements, and has %zu", name, size,
                 py_buffers_count(view));
    PyBuffer_Release(view);
    return -1;
}

size_t py_buffers_count(const Py_buffer *view)
{
    return view->itemsize > 0 ? (size_t)(view->len / view->itemsize) : 0;
}
