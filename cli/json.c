/* SPDX-License-Identifier: MIT
 *
 * JSON by Jansson, which no other file of the program knows. Numbers are printed with 10
 * digits unless 17 are asked for; NaN and infinity, which JSON lacks, become null. A file name
 * that is not UTF-8 is printed with '?' for each byte that is not ASCII.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct cli_json {
    json_t *root;
    int failed; /* a value was lost for want of memory */
    int exact;
};

cli_json *cli_json_new(void)
{
    cli_json *object = calloc(1, sizeof *object);
    if (object)
        object->root = json_object();
    if (object && !object->root) {
        free(object);
        object = NULL;
    }
    return object;
}

void cli_json_free(cli_json *object)
{
    if (!object)
        return;
    json_decref(object->root);
    free(object);
}

void cli_json_terms(cli_json *object, const char *method, imsat_task task, const double *term,
                    double mu)
{
    for (imsat_term i = 0; i < IMSAT_TERMS; i++)
        if (imsat_method_has_term(method, task, i))
            cli_json_number(object, imsat_term_name(i), term[i]);
    if (imsat_method_has_term(method, task, IMSAT_TERM_MARGINAL_KL))
        cli_json_number(object, "mu", mu);
}

void cli_json_exact(cli_json *object)
{
    if (object)
        object->exact = 1;
}

/* Takes ownership of value. */
static void put(cli_json *object, const char *name, json_t *value)
{
    if (!object)
        json_decref(value);
    else if (json_object_set_new(object->root, name, value))
        object->failed = 1;
}

static json_t *text_of(const char *value)
{
    json_t *text = json_string(value);
    if (!text) {
        char *ascii = strdup(value);
        for (char *p = ascii; p && *p; p++)
            if ((unsigned char)*p >= 0x80)
                *p = '?';
        text = ascii ? json_string(ascii) : NULL;
        free(ascii);
    }
    return text;
}

void cli_json_text(cli_json *object, const char *name, const char *value)
{
    put(object, name, text_of(value));
}

void cli_json_number(cli_json *object, const char *name, double value)
{
    json_t *number = json_real(value);
    put(object, name, number ? number : json_null());
}

void cli_json_count(cli_json *object, const char *name, uint64_t value)
{
    put(object, name, json_integer((json_int_t)value));
}

/* A list of integers of any type. */
#define DEFINE_LIST(NAME, TYPE)                                                               \
    void NAME(cli_json *object, const char *name, const TYPE *values, size_t n)               \
    {                                                                                         \
        json_t *array = json_array();                                                         \
        int failed = array == NULL;                                                           \
        for (size_t i = 0; i < n && !failed; i++)                                             \
            failed = json_array_append_new(array, json_integer((json_int_t)values[i]));       \
        put(object, name, array);                                                             \
        if (object && failed)                                                                 \
            object->failed = 1;                                                               \
    }

DEFINE_LIST(cli_json_counts, size_t)
DEFINE_LIST(cli_json_ids, int64_t)
DEFINE_LIST(cli_json_distances, int32_t)

void cli_json_member(cli_json *object, const char *name, cli_json *child)
{
    if (object && (!child || child->failed))
        object->failed = 1;
    if (child)
        put(object, name, json_incref(child->root));
    cli_json_free(child);
}

void cli_json_append(cli_json *object, const char *name, cli_json *child)
{
    if (object) {
        if (!json_object_get(object->root, name))
            put(object, name, json_array());
        if (!child || child->failed ||
            json_array_append(json_object_get(object->root, name), child->root))
            object->failed = 1;
    }
    cli_json_free(child);
}

void cli_json_append_text(cli_json *object, const char *name, const char *value)
{
    if (!object)
        return;
    if (!json_object_get(object->root, name))
        put(object, name, json_array());
    if (json_array_append_new(json_object_get(object->root, name), text_of(value)))
        object->failed = 1;
}

static int print(FILE *out, const cli_json *object, size_t flags)
{
    if (!object || object->failed)
        return -1;
    const size_t digits = object->exact ? JSON_REAL_PRECISION(17) : JSON_REAL_PRECISION(10);
    if (json_dumpf(object->root, out, digits | flags))
        return -1;
    return fputc('\n', out) == EOF ? -1 : 0;
}

int cli_json_line(FILE *out, const cli_json *object)
{
    return print(out, object, JSON_COMPACT);
}

int cli_json_finish(const cli_command *command, const cli_args *args, cli_json *object)
{
    int code = CLI_OK;
    if (print(args->report, object, JSON_INDENT(2)) && !ferror(args->report)) {
        cli_say(command, "no memory for the result");
        code = CLI_FAILED;
    }
    cli_json_free(object);
    return code;
}
