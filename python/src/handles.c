/* SPDX-License-Identifier: MIT
 * Types whose objects hold a handle of the library; see binding.h. */
#include "binding.h"

int py_handles_add(PyObject *module, PyTypeObject **type, const py_handle_type *about)
{
    PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)about->dealloc},
        {Py_tp_methods, about->methods},
        {Py_tp_getset, about->getters},
        {Py_tp_doc, (void *)(uintptr_t)about->doc},
        {0, NULL},
    };
    PyType_Spec spec = {about->name, about->size, 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    *type = (PyTypeObject *)PyType_FromSpec(&spec);
    return *type ? PyModule_AddType(module, *type) : -1;
}
