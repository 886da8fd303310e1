/* SPDX-License-Identifier: MIT
 * See options.h. */
#include "data/options.h"

#include "core/alloc.h"
#include "core/checksum.h"
#include "data/number.h"
#include "data/record.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { LONGEST_TEXT = 256 };

/* ---- fields ----------------------------------------------------------------------------- */

static void *field_of(imsat_options *o, const im_option *row)
{
    return (char *)o + row->offset;
}

static const void *field_at(const imsat_options *o, const im_option *row)
{
    return (const char *)o + row->offset;
}

/* A count is a size_t, or the uint64_t of a seed. */
static uint64_t count_at(const imsat_options *o, const im_option *row)
{
    const void *field = field_at(o, row);
    return row->width == sizeof(size_t) ? *(const size_t *)field : *(const uint64_t *)field;
}

static void set_count(imsat_options *o, const im_option *row, uint64_t count)
{
    if (row->width == sizeof(size_t))
        *(size_t *)field_of(o, row) = (size_t)count;
    else
        *(uint64_t *)field_of(o, row) = count;
}

static bool count_is_open(const im_option *row, uint64_t count)
{
    return row->about.may_be_open &&
           (count == IMSAT_AUTO || (row->zero_is_open && count == 0));
}

/* Every type but vectors and text is left open in one of these two ways, if it may be. */
static bool is_open(const imsat_options *o, const im_option *row)
{
    if (!row->about.may_be_open && !row->derived)
        return false;
    if (row->about.type == IMSAT_OPTION_NUMBER || row->derived)
        return im_options_number_open(*(const double *)field_at(o, row));
    return (row->about.type == IMSAT_OPTION_COUNT || row->about.type == IMSAT_OPTION_WIDTHS) &&
           count_is_open(row, count_at(o, row));
}

static void leave_open(imsat_options *o, const im_option *row)
{
    if (row->about.type == IMSAT_OPTION_NUMBER)
        *(double *)field_of(o, row) = IMSAT_AUTO;
    else
        *(size_t *)field_of(o, row) = row->zero_is_open ? 0 : IMSAT_AUTO;
}

const imsat_option *imsat_option_named(const char *name)
{
    for (size_t i = 0; name && i < im_options_count; i++) {
        const char *a = im_options_table[i].about.name, *b = name;
        while (*a && (*a == *b || (*a == '_' && *b == '-')))
            a++, b++;
        if (!*a && !*b && !im_options_table[i].derived)
            return &im_options_table[i].about;
    }
    return NULL;
}

/* ---- from text -------------------------------------------------------------------------- */

static const char *read_number(double *out, const char *text)
{
    double number;
    switch (im_number_parse(&number, text, strlen(text))) {
    case IM_NUMBER_NONE: return "not a number";
    case IM_NUMBER_NONFINITE: return "not a finite number";
    default: break;
    }
    if (im_options_number_open(number))
        return "not a number that can be told from 'auto'";
    *out = number;
    return NULL;
}

/* Digits, up to a character that is none. */
static const char *read_count(uint64_t *out, const char **text)
{
    const char *c = *text;
    uint64_t number = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        const uint64_t digit = (uint64_t)(*c - '0');
        if (number > (INT64_MAX - digit) / 10)
            return "too large a number";
        number = number * 10 + digit;
    }
    if (c == *text)
        return "not a whole number of 0 or more";
    *out = number;
    *text = c;
    return NULL;
}

static const char *read_whole(uint64_t *out, const char *text)
{
    const char *why = read_count(out, &text);
    return !why && *text ? "not a whole number of 0 or more" : why;
}

static const char *read_flag(int *out, const char *text)
{
    static const char *const words[] = {"0", "1", "no", "yes", "false", "true", "off", "on"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            *out = (int)(i % 2);
            return NULL;
        }
    return "neither yes nor no";
}

static const char *read_widths(imsat_options *o, const char *text)
{
    size_t widths[IMSAT_MAX_HIDDEN], count = 0;
    if (strcmp(text, "none") == 0) {
        o->hidden_count = 0;
        return NULL;
    }
    for (;; text++) {
        uint64_t width = 0;
        const char *why = read_count(&width, &text);
        if (why)
            return why;
        if (count == IMSAT_MAX_HIDDEN)
            return "more than 8 numbers";
        widths[count++] = (size_t)width;
        if (*text != ',')
            break;
    }
    if (*text)
        return "not widths like 400,400";
    memcpy(o->hidden, widths, count * sizeof *widths);
    o->hidden_count = count;
    return NULL;
}

/* An enum is as wide as an int, as gcc and clang have it. */
static const char *read_choice(imsat_options *o, const im_option *row, const char *text)
{
    assert(row->width == sizeof(int));
    for (size_t i = 0; row->about.choice(i); i++)
        if (strcmp(row->about.choice(i), text) == 0) {
            *(int *)field_of(o, row) = (int)i;
            return NULL;
        }
    return "no such choice";
}

static const char *read_field(imsat_options *o, const im_option *row, const char *text)
{
    uint64_t count = 0;
    const char *why = NULL;
    switch (row->about.type) {
    case IMSAT_OPTION_NUMBER: return read_number(field_of(o, row), text);
    case IMSAT_OPTION_FLAG: return read_flag(field_of(o, row), text);
    case IMSAT_OPTION_CHOICE: return read_choice(o, row, text);
    case IMSAT_OPTION_WIDTHS: return read_widths(o, text);
    case IMSAT_OPTION_VECTOR: return "has no text; set the pointer";
    case IMSAT_OPTION_TEXT:
        if (*text)
            *(const char **)field_of(o, row) = text;
        return *text ? NULL : "empty";
    case IMSAT_OPTION_COUNT:
        why = read_whole(&count, text);
        if (!why)
            set_count(o, row, count);
        return why;
    }
    return "unknown type";
}

imsat_status im_options_put(imsat_options *o, const im_option *row, const char *text,
                            imsat_error *err)
{
    const char *why = NULL;
    if (row->about.may_be_open && strcmp(text, "auto") == 0)
        leave_open(o, row);
    else
        why = read_field(o, row, text);
    if (!why)
        return IMSAT_OK;
    return im_fail(
        err, IMSAT_EINVAL, "%s %s: %s%s", row->about.name, text, why,
        row->about.may_be_open && isalpha((unsigned char)text[0]) ? ", and not 'auto'" : "");
}

void im_options_standard(imsat_options *o)
{
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        const char *text = row->standard[o->preset];
        if (o->task == IMSAT_TASK_HASH && row->of_codes)
            text = row->of_codes;
        const imsat_status st = text ? im_options_put(o, row, text, NULL) : IMSAT_OK;
        assert(st == IMSAT_OK);
        (void)st;
    }
}

/* ---- to text ---------------------------------------------------------------------------- */

static void write_widths(char *text, size_t room, const imsat_options *o)
{
    size_t used = 0;
    snprintf(text, room, "none");
    for (size_t l = 0; l < o->hidden_count && l < IMSAT_MAX_HIDDEN && used < room; l++)
        used += (size_t)snprintf(text + used, room - used, l ? ",%zu" : "%zu", o->hidden[l]);
}

/* A vector has no text but its checksum; the one that is recorded is the prior. */
static void write_vector(char *text, size_t room, const imsat_options *o, const im_option *row)
{
    const void *vector = *(const void *const *)field_at(o, row);
    if (vector && vector == o->prior)
        snprintf(text, room, "%" PRIu64, im_checksum_of(vector, o->k * sizeof *o->prior));
    else
        snprintf(text, room, "%s", vector ? "given" : row->about.fallback);
}

static void write_number(char *text, size_t room, double number)
{
    snprintf(text, room, "%.17g", number);
    for (char *c = text; *c; c++)
        if (*c == ',') /* the host program may have set a locale that writes a comma */
            *c = '.';
}

void im_options_text(char *text, size_t room, const imsat_options *o, const im_option *row)
{
    const void *field = field_at(o, row);
    const char *word = NULL;
    if (row->derived || row->about.type == IMSAT_OPTION_FLAG) {
        snprintf(text, room, "%d", row->derived ? is_open(o, row) : *(const int *)field != 0);
        return;
    }
    if (is_open(o, row)) {
        snprintf(text, room, "auto");
        return;
    }
    switch (row->about.type) {
    case IMSAT_OPTION_NUMBER: write_number(text, room, *(const double *)field); break;
    case IMSAT_OPTION_WIDTHS: write_widths(text, room, o); break;
    case IMSAT_OPTION_VECTOR: write_vector(text, room, o, row); break;
    case IMSAT_OPTION_COUNT: snprintf(text, room, "%" PRIu64, count_at(o, row)); break;
    default:
        word = row->about.type == IMSAT_OPTION_CHOICE
                   ? row->about.choice((size_t) * (const int *)field)
                   : *(const char *const *)field;
        snprintf(text, room, "%s", word ? word : "");
    }
}

bool im_options_same(const imsat_options *a, const imsat_options *b, const im_option *row)
{
    char one[LONGEST_TEXT], two[LONGEST_TEXT];
    if (row->about.type == IMSAT_OPTION_VECTOR)
        return *(const void *const *)field_at(a, row) ==
               *(const void *const *)field_at(b, row);
    im_options_text(one, sizeof one, a, row);
    im_options_text(two, sizeof two, b, row);
    return strcmp(one, two) == 0;
}

imsat_status im_options_record(im_safetensors *file, const imsat_options *o, unsigned sections,
                               imsat_error *err)
{
    for (size_t i = 0; i < im_options_count; i++) {
        const im_option *row = &im_options_table[i];
        char key[64], text[LONGEST_TEXT];
        if (!row->about.recorded || !(sections & 1U << row->about.section))
            continue;
        snprintf(key, sizeof key, "option.%s", row->about.name);
        im_options_text(text, sizeof text, o, row);
        const imsat_status st = im_safetensors_set(file, key, text, err);
        if (st != IMSAT_OK)
            return st;
    }
    return IMSAT_OK;
}

/* ---- ranges ----------------------------------------------------------------------------- */

static imsat_status out_of_range(const im_option *row, const char *value, imsat_error *err)
{
    const imsat_option *a = &row->about;
    if (isinf(a->most))
        return im_fail(err, IMSAT_EINVAL, "%s is %s, and must be %s %.0f%s", a->name, value,
                       a->above_least ? "above" : "at least", a->least,
                       a->may_be_open ? ", or auto" : "");
    return im_fail(err, IMSAT_EINVAL, "%s is %s, and must be from %.0f to %.0f%s", a->name,
                   value, a->least, a->most, a->may_be_open ? ", or auto" : "");
}

static imsat_status number_in_range(const im_option *row, double number, imsat_error *err)
{
    char value[32];
    const imsat_option *a = &row->about;
    snprintf(value, sizeof value, "%g", number);
    if (!isfinite(number))
        return im_fail(err, IMSAT_EINVAL, "%s is %s, and must be finite", a->name, value);
    const bool low = a->above_least ? !(number > a->least) : number < a->least;
    return low || number > a->most ? out_of_range(row, value, err) : IMSAT_OK;
}

static imsat_status widths_in_range(const imsat_options *o, const im_option *row,
                                    imsat_error *err)
{
    if (o->hidden_count > IMSAT_MAX_HIDDEN)
        return im_fail(err, IMSAT_EINVAL, "%zu hidden layers; at most %d are possible",
                       o->hidden_count, IMSAT_MAX_HIDDEN);
    for (size_t l = 0; l < o->hidden_count; l++)
        if ((double)o->hidden[l] < row->about.least || (double)o->hidden[l] > row->about.most)
            return im_fail(err, IMSAT_EINVAL,
                           "hidden layer %zu has %zu units, and must have %.0f to %.0f", l + 1,
                           o->hidden[l], row->about.least, row->about.most);
    return IMSAT_OK;
}

static imsat_status choice_in_range(const imsat_options *o, const im_option *row,
                                    imsat_error *err)
{
    const int word = *(const int *)field_at(o, row);
    for (int i = 0; row->about.choice((size_t)i); i++)
        if (i == word)
            return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL, "%s %d is unknown", row->about.name, word);
}

imsat_status im_options_in_range(const imsat_options *o, const im_option *row,
                                 imsat_error *err)
{
    char value[32];
    if (row->derived || (row->about.may_be_open && is_open(o, row)))
        return IMSAT_OK;
    switch (row->about.type) {
    case IMSAT_OPTION_NUMBER:
        return number_in_range(row, *(const double *)field_at(o, row), err);
    case IMSAT_OPTION_WIDTHS: return widths_in_range(o, row, err);
    case IMSAT_OPTION_CHOICE: return choice_in_range(o, row, err);
    case IMSAT_OPTION_COUNT: {
        const uint64_t count = count_at(o, row);
        snprintf(value, sizeof value, "%" PRIu64, count);
        return (double)count < row->about.least || (double)count > row->about.most
                   ? out_of_range(row, value, err)
                   : IMSAT_OK;
    }
    default: return IMSAT_OK;
    }
}

/* ---- the caller's struct ------------------------------------------------------------------
 */

bool im_options_size_known(size_t size)
{
    const size_t first = offsetof(imsat_options, reference_kernels) + sizeof(int);
    return size >= first && size <= 16 * sizeof(imsat_options);
}

imsat_status im_options_adopt(imsat_options *own, const imsat_options *theirs,
                              imsat_error *err)
{
    const size_t size = theirs->size;
    if (!im_options_size_known(size))
        return im_fail(err, IMSAT_EINVAL,
                       "options.size is %zu; fill the options by imsat_options_init()", size);
    for (size_t i = sizeof *own; i < size; i++)
        if (((const char *)theirs)[i])
            return im_fail(err, IMSAT_EINVAL,
                           "the options have settings that this library, version %s, does "
                           "not know: the program needs a later one",
                           IMSAT_VERSION);
    memcpy(own, theirs, size < sizeof *own ? size : sizeof *own);
    own->size = sizeof *own;
    return IMSAT_OK;
}

static imsat_status find_row(const im_option **out, const imsat_options *o, const char *name,
                             imsat_error *err)
{
    const imsat_option *about = imsat_option_named(name);
    if (!about)
        return im_fail(err, IMSAT_EINVAL, "%s: there is no such option", name);
    for (size_t i = 0; i < im_options_count; i++)
        if (&im_options_table[i].about == about)
            *out = &im_options_table[i];
    if ((*out)->offset + (*out)->width > o->size)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: the program was compiled before there was this option", name);
    return IMSAT_OK;
}

/* Tried on a copy first, so that what is refused changes nothing. */
static imsat_status put_in_range(imsat_options *o, const im_option *row, const char *text,
                                 imsat_error *err)
{
    imsat_options trial = {0};
    imsat_error why;
    imsat_status st = im_options_put(&trial, row, text, err);
    if (st != IMSAT_OK)
        return st;
    st = im_options_in_range(&trial, row, &why);
    if (st == IMSAT_OK && is_open(&trial, row) && strcmp(text, "auto") != 0)
        st = out_of_range(row, text, &why); /* what leaves a field open is no text for it */
    return st == IMSAT_OK ? im_options_put(o, row, text, err)
                          : im_fail(err, st, "%s %s: %s", row->about.name, text, why.message);
}

imsat_status imsat_options_set(imsat_options *options, const char *name, const char *text,
                               imsat_error *err)
{
    IM_REQUIRE(options);
    IM_REQUIRE(name);
    IM_REQUIRE(text);
    const im_option *row = NULL;
    const imsat_status st = find_row(&row, options, name, err);
    if (st != IMSAT_OK)
        return st;
    const size_t at = row->offset;
    if (at == offsetof(imsat_options, method) || at == offsetof(imsat_options, preset) ||
        at == offsetof(imsat_options, task))
        return im_fail(err, IMSAT_EINVAL,
                       "%s %s: the other defaults depend on it; imsat_options_init() sets it",
                       name, text);
    return put_in_range(options, row, text, err);
}

imsat_status imsat_options_get(const imsat_options *options, const char *name, char *text,
                               size_t room, imsat_error *err)
{
    IM_REQUIRE(options);
    IM_REQUIRE(name);
    IM_REQUIRE(text);
    char whole[LONGEST_TEXT];
    const im_option *row = NULL;
    const imsat_status st = find_row(&row, options, name, err);
    if (st != IMSAT_OK)
        return st;
    im_options_text(whole, sizeof whole, options, row);
    const size_t size = strlen(whole) + 1;
    if (size > room)
        return im_fail(err, IMSAT_EINVAL, "%s: its text takes %zu bytes, and room is %zu",
                       name, size, room);
    memcpy(text, whole, size);
    return IMSAT_OK;
}

size_t imsat_options_size(void)
{
    return sizeof(imsat_options);
}
