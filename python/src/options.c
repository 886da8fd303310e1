/* SPDX-License-Identifier: MIT
 *
 * The tables of options and methods for Python, and options by name from Python. Nothing here
 * knows an option but the two that have no text.
 */
#include "binding.h"

#include <string.h>

static const char *const type_names[] = {
    [IMSAT_OPTION_COUNT] = "count",   [IMSAT_OPTION_NUMBER] = "number",
    [IMSAT_OPTION_FLAG] = "flag",     [IMSAT_OPTION_CHOICE] = "choice",
    [IMSAT_OPTION_WIDTHS] = "widths", [IMSAT_OPTION_TEXT] = "text",
    [IMSAT_OPTION_VECTOR] = "vector",
};

static PyObject *choices_of(const imsat_option *o)
{
    PyObject *words = PyList_New(0);
    for (size_t i = 0; words && o->choice && o->choice(i); i++) {
        PyObject *word = PyUnicode_FromString(o->choice(i));
        if (!word || PyList_Append(words, word) < 0)
            Py_CLEAR(words);
        Py_XDECREF(word);
    }
    return words;
}

/* The names of the tasks that it is for. */
static PyObject *tasks_of(unsigned tasks)
{
    PyObject *names = PyList_New(0);
    for (int i = 0; names && i < IMSAT_TASKS; i++) {
        PyObject *name = PyUnicode_FromString(imsat_task_name((imsat_task)i));
        if (!name || (tasks & 1U << i && PyList_Append(names, name) < 0))
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    return names;
}

static PyObject *describe_option(const imsat_option *o)
{
    PyObject *choices = choices_of(o), *tasks = choices ? tasks_of(o->tasks) : NULL;
    if (!tasks) {
        Py_XDECREF(choices);
        return NULL;
    }
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:z,s:z,s:O,s:O,s:N,s:N}", "name", o->name, "type",
                         type_names[o->type], "section",
                         imsat_section_title(o->section, IMSAT_TASK_CLUSTER), "help", o->help,
                         "fallback", o->fallback, "unit", o->unit, "may_be_open",
                         o->may_be_open ? Py_True : Py_False, "changes_results",
                         o->recorded ? Py_True : Py_False, "choices", choices, "tasks", tasks);
}

/* A list of what `describe` makes of 0, 1, ..., until it gives NULL without an exception. */
static PyObject *list_of(PyObject *(*describe)(size_t i))
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list; i++) {
        PyObject *row = describe(i);
        if (!row && !PyErr_Occurred())
            return list;
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return NULL;
}

static PyObject *option_at(size_t i)
{
    const imsat_option *o = imsat_option_at(i);
    return o ? describe_option(o) : NULL;
}

static PyObject *method_at(size_t i)
{
    const char *name = imsat_method_name(i);
    unsigned tasks = 0;
    for (int task = 0; name && task < IMSAT_TASKS; task++)
        if (imsat_method_serves(name, (imsat_task)task))
            tasks |= 1U << task;
    return name ? Py_BuildValue("{s:s,s:s,s:N}", "name", name, "summary",
                                imsat_method_summary(name), "tasks", tasks_of(tasks))
                : NULL;
}

static PyObject *options(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return list_of(option_at);
}

static PyObject *methods(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    return list_of(method_at);
}

PyMethodDef py_options_methods[] = {
    {"options", options, METH_NOARGS, "The rows of the library's table of options."},
    {"methods", methods, METH_NOARGS, "The rows of the library's table of methods."},
    {NULL, NULL, 0, NULL},
};

/* ---- options from Python -------------------------------------------------------- */

/* The text of a name in a dict of strings, borrowed; NULL without an exception: it is not
 * there. */
static const char *text_of(PyObject *texts, const char *name)
{
    PyObject *text = PyDict_GetItemString(texts, name);
    return text ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
}

int py_options_choose(const char *what, const char *word, const char *(*choice)(size_t i))
{
    char words[128] = "";
    for (size_t i = 0; choice(i); i++) {
        if (strcmp(choice(i), word) == 0)
            return (int)i;
        const size_t used = strlen(words);
        PyOS_snprintf(words + used, sizeof words - used, "%s%s", i > 0 ? ", " : "", choice(i));
    }
    PyErr_Format(PyExc_ValueError, "%s %s: is none of %s", what, word, words);
    return -1;
}

static const char *preset_at(size_t i)
{
    return imsat_preset_name((imsat_preset)i);
}

/* The others depend on these, which begin them. */
static int begins(const char *name)
{
    return strcmp(name, "method") == 0 || strcmp(name, "preset") == 0;
}

static int set_all(imsat_options *o, PyObject *texts)
{
    PyObject *name, *text;
    Py_ssize_t at = 0;
    while (PyDict_Next(texts, &at, &name, &text)) {
        imsat_error err;
        const char *n = PyUnicode_AsUTF8AndSize(name, NULL);
        const char *t = n ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
        if (!t)
            return -1;
        const imsat_status st = begins(n) ? IMSAT_OK : imsat_options_set(o, n, t, &err);
        if (st != IMSAT_OK) {
            py_errors_raise(st, &err);
            return -1;
        }
    }
    return 0;
}

int py_options_fill(py_options *out, imsat_task task, PyObject *texts, PyObject *prior,
                    PyObject *radius)
{
    memset(out, 0, sizeof *out);
    const char *method = text_of(texts, "method");
    const char *word = text_of(texts, "preset");
    const int preset = word ? py_options_choose("preset", word, preset_at) : 0;
    if (PyErr_Occurred())
        return -1;
    imsat_options_init_sized(&out->options, sizeof out->options, task,
                             method ? method : imsat_method_name(0), (imsat_preset)preset);
    if (set_all(&out->options, texts) < 0 ||
        py_buffers_get(&out->prior, prior, PY_FLOAT64, 1, "prior") < 0)
        return -1;
    if (py_buffers_get(&out->radius, radius, PY_FLOAT32, 1, "radius") < 0) {
        py_options_release(out);
        return -1;
    }
    out->options.prior = out->prior.buf;
    out->options.radius = out->radius.buf;
    return 0;
}

void py_options_release(py_options *options)
{
    PyBuffer_Release(&options->prior);
    PyBuffer_Release(&options->radius);
}
