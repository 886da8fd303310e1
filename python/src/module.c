/* SPDX-License-Identifier: MIT
 *
 * The module imsat._imsat.
 */
#include "binding.h"

#include <imsat/build.h>
#include <imsat/process.h>

static PyObject *version(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return PyUnicode_FromString(imsat_version());
}

/* The libraries that this one can do without, and whether it has them. */
static PyObject *features(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && imsat_feature_name(i); i++)
        if (PyDict_SetItemString(all, imsat_feature_name(i),
                                 imsat_feature_built(i) ? Py_True : Py_False) < 0)
            Py_CLEAR(all);
    return all;
}

static PyObject *guard_maps(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    imsat_guard_maps();
    return Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"version", version, METH_NOARGS, "The version of the library."},
    {"features", features, METH_NOARGS, "Which optional libraries it was built with."},
    {"guard_maps", guard_maps, METH_NOARGS, "Survive files that are lost while mapped."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "imsat._imsat",
    .m_doc = "The library, for the modules of the package imsat.",
    .m_size = -1,
    .m_methods = methods,
};

static int fill(PyObject *module)
{
    PyMethodDef *const functions[] = {
        py_options_methods, py_data_functions, py_fit_methods,    py_model_functions,
        py_index_functions, py_scores_methods, py_report_methods, py_choice_methods};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (PyModule_AddFunctions(module, functions[i]) < 0)
            return -1;
    if (py_errors_add(module) < 0 || py_data_add(module) < 0 || py_model_add(module) < 0)
        return -1;
    return py_index_add(module);
}

PyMODINIT_FUNC PyInit__imsat(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && fill(module) < 0)
        Py_CLEAR(module);
    return module;
}
