/* SPDX-License-Identifier: MIT
 *
 * Values of a text table; see csv_values.h. The first value of a column decides on its kind,
 * and all others must be of the same; but in a column of words everything is a word.
 */
#include "data/csv_values.h"

#include "core/alloc.h"
#include "data/cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- refusals ------------------------------------------------------------------ */

/* "line 3, column 1 'age' (from 0)". */
enum { PLACE_ROOM = IM_SCHEMA_NAME_ROOM + 80 };

static void place_of(char place[PLACE_ROOM], const im_csv_values *v, size_t column)
{
    char name[IM_SCHEMA_NAME_ROOM] = "";
    if (v->schema)
        im_schema_name(name, v->schema, v->target[column]);
    snprintf(place, PLACE_ROOM, "line %zu, column %zu%s (from 0)", v->lines->csv.line, column,
             name);
}

static void want_missing(im_csv_values *v, size_t column, im_span text)
{
    char word[IM_WORD_ROOM], name[IM_SCHEMA_NAME_ROOM];
    if (*v->missing.message)
        return;
    im_csv_word(word, text);
    im_schema_name(name, v->schema, v->target[column]);
    im_fail(&v->missing, IMSAT_EFORMAT,
            "row %zu, column %zu%s (both from 0; line %zu) is %s: a missing value; "
            "--missing drop leaves out such rows, %s--missing mean or median fills them in",
            v->row, column, name, v->lines->csv.line, *word ? word : "empty",
            v->schema->given ? "and a model that was trained with " : "");
}

static imsat_status refuse_number(const im_csv_values *v, size_t column, im_span text,
                                  im_number number)
{
    char word[IM_WORD_ROOM], place[PLACE_ROOM];
    im_csv_word(word, text);
    place_of(place, v, column);
    if (text.size == 0)
        return im_fail(v->lines->err, IMSAT_EFORMAT, "%s: %s is empty", v->lines->path, place);
    if (number == IM_NUMBER_NONE)
        return im_fail(v->lines->err, IMSAT_EFORMAT, "%s: %s: '%s' is not a number",
                       v->lines->path, place, word);
    return im_fail(
        v->lines->err, IMSAT_EFORMAT,
        "%s: row %zu, column %zu (both from 0; line %zu) is %s; values must be finite "
        "and in the range of float",
        v->lines->path, v->row, column, v->lines->csv.line, word);
}

static void want_categories(im_csv_values *v, size_t column, im_span text)
{
    char word[IM_WORD_ROOM], place[PLACE_ROOM];
    if (*v->text.message)
        return;
    im_csv_word(word, text);
    place_of(place, v, column);
    im_fail(&v->text, IMSAT_EFORMAT,
            "%s: '%s' is not a number; --categories one-hot makes a column of 0 and 1 "
            "of each word, --categories drop leaves out columns of text, and --drop %zu "
            "this one%s",
            place, word, column,
            v->lines->json ? "; a text to learn from is named by --text-column" : "");
}

imsat_status im_csv_values_check(const im_csv_values *values)
{
    const char *missing = values->missing.message, *text = values->text.message;
    if (!*missing && !*text)
        return IMSAT_OK;
    return im_fail(values->lines->err, IMSAT_EFORMAT, "%s: %s%s%s", values->lines->path, text,
                   *missing && *text ? "; and " : "", missing);
}

static imsat_status refuse_mixture(const im_csv_values *v, size_t column, im_span text)
{
    static const char *const kinds[] = {[IM_KIND_NUMBER] = "a number",
                                        [IM_KIND_BOOLEAN] = "true or false",
                                        [IM_KIND_DATE] = "a date"};
    const im_kind kind = v->schema->kinds[v->target[column]];
    char word[IM_WORD_ROOM], place[PLACE_ROOM];
    im_csv_word(word, text);
    place_of(place, v, column);
    if (v->schema->given)
        return im_fail(v->lines->err, IMSAT_EFORMAT,
                       "%s: %s: '%s' is not %s, as the values were that the model was trained "
                       "on",
                       v->lines->path, place, word, kinds[kind]);
    return im_fail(
        v->lines->err, IMSAT_EFORMAT,
        "%s: %s: '%s' is not %s, as the values above it are; --drop %zu leaves out the "
        "column",
        v->lines->path, place, word, kinds[kind], column);
}

/* ---- kinds ----------------------------------------------------------------------- */

static imsat_status take_number(double *to, im_csv_values *v, size_t column, im_span text)
{
    if (!v->any_range && !(v->schema && v->schema->loose) && !isfinite((float)*to))
        return refuse_number(v, column, text, IM_NUMBER_NONFINITE);
    v->wide |= (double)(float)*to != *to;
    return IMSAT_OK;
}

/* A comma is a decimal one as long as no number has a point: else 1,234 may be thousands. */
static imsat_status check_comma(im_csv_values *v, size_t column, im_span text)
{
    char word[IM_WORD_ROOM], place[PLACE_ROOM];
    if (!v->points || !v->commas)
        return IMSAT_OK;
    im_csv_word(word, text);
    place_of(place, v, column);
    return im_fail(v->lines->err, IMSAT_EFORMAT,
                   "%s: %s: '%s': the file has numbers with a point and numbers with a comma; "
                   "which of them is the decimal one cannot be told",
                   v->lines->path, place, word);
}

/* A value is missing. */
static void take_hole(double *to, im_csv_values *v, size_t column, im_span text)
{
    *to = NAN;
    v->schema->holes = true;
    if (v->schema->options.missing == IMSAT_MISSING_REFUSE && !v->schema->loose)
        want_missing(v, column, text);
}

static imsat_status refuse_words(const im_csv_values *v, size_t column)
{
    char place[PLACE_ROOM];
    place_of(place, v, column);
    return im_fail(
        v->lines->err, IMSAT_EFORMAT,
        "%s: %s: the column has more than %d different words, and so is no category; "
        "--drop %zu leaves it out",
        v->lines->path, place, IM_CATEGORIES_MOST, column);
}

/* A word of a column of words: its code; or, if it is none of a model's words, what a missing
 * one is. */
static imsat_status take_word(double *to, im_csv_values *v, size_t column,
                              const im_csv_field *field)
{
    imsat_status st = IMSAT_OK;
    im_schema *schema = v->schema;
    size_t code = 0;
    bool known = true;
    if (!schema->categories)
        schema->categories = im_alloc(schema->count, sizeof *schema->categories);
    char *plain = im_alloc(field->text.size, 1);
    if (!schema->categories || !plain)
        st = im_fail_memory(v->lines->err, v->lines->path);
    else if (memchr(field->text.at, 0, field->text.size))
        st = refuse_number(v, column, field->text, IM_NUMBER_NONE);
    else if (schema->given)
        known = im_categories_find(&code, &schema->categories[v->target[column]], plain,
                                   im_csv_plain(plain, field));
    else
        st = im_categories_add(&code, &schema->categories[v->target[column]], plain,
                               im_csv_plain(plain, field), v->lines->err);
    im_free(plain);
    if (st == IMSAT_OK && code == IM_CATEGORIES_MOST)
        st = refuse_words(v, column);
    *to = known ? (double)code : NAN;
    return st;
}

static imsat_status take_text(double *to, im_csv_values *v, size_t column,
                              const im_csv_field *field)
{
    unsigned char *kind = &v->schema->kinds[v->target[column]];
    const bool words = *kind == IM_KIND_OPEN || *kind == IM_KIND_CATEGORY;
    const imsat_categories way = v->schema->options.categories;
    const bool drop =
        way == IMSAT_CATEGORIES_DROP || (way == IMSAT_CATEGORIES_REFUSE && v->schema->loose);
    *to = 0;
    if (drop && !v->schema->given)
        *kind = IM_KIND_TEXT;
    else if (!words)
        return refuse_mixture(v, column, field->text);
    else {
        *kind = IM_KIND_CATEGORY;
        if (way == IMSAT_CATEGORIES_ONE_HOT)
            return take_word(to, v, column, field);
        want_categories(v, column, field->text);
    }
    return IMSAT_OK;
}

/* What is no plain number, or is in a column that does not hold numbers. */
static imsat_status take_other(double *to, im_csv_values *v, size_t column,
                               const im_csv_field *field, im_number number)
{
    const im_span text = field->text;
    unsigned char *kind = &v->schema->kinds[v->target[column]];
    const bool open = *kind == IM_KIND_OPEN;
    if (*kind == IM_KIND_TEXT) {
        *to = 0;
        return IMSAT_OK;
    }
    if (im_cell_missing(text)) {
        take_hole(to, v, column, text);
        return IMSAT_OK;
    }
    if (number == IM_NUMBER_NONFINITE && *kind != IM_KIND_CATEGORY) {
        v->schema->holes |= v->schema->loose; /* it is wide, and not a float's */
        return v->schema->loose ? IMSAT_OK : refuse_number(v, column, text, number);
    }
    if ((open || *kind == IM_KIND_BOOLEAN) && im_cell_boolean(to, text)) {
        *kind = IM_KIND_BOOLEAN;
        return IMSAT_OK;
    }
    if ((open || *kind == IM_KIND_DATE) && im_cell_date(to, text)) {
        *kind = IM_KIND_DATE;
        return take_number(to, v, column, text);
    }
    return take_text(to, v, column, field);
}

/* ---- a field ----------------------------------------------------------------------- */

/* Whether the field is a number with a decimal comma, which no separator is then. */
static im_number parse_comma(double *to, im_csv_values *v, im_span text)
{
    if (v->lines->csv.separator == ',')
        return IM_NUMBER_NONE;
    const im_number number = im_cell_comma(to, text);
    v->commas |= number == IM_NUMBER_FINITE;
    return number;
}

imsat_status im_csv_value(double *to, im_csv_values *values, size_t column,
                          const im_csv_field *field)
{
    im_csv_values *v = values;
    const im_span text = field->text;
    im_number number = im_number_parse(to, text.at, text.size);
    if (field->broken)
        return im_csv_refuse_quotes(v->lines, column);
    if (number == IM_NUMBER_FINITE && !v->points)
        v->points = memchr(text.at, '.', text.size);
    unsigned char *kind = v->schema ? &v->schema->kinds[v->target[column]] : NULL;
    const bool numeric = !kind || *kind == IM_KIND_NUMBER || *kind == IM_KIND_OPEN;
    if (number == IM_NUMBER_NONE && numeric)
        number = parse_comma(to, v, text);
    if (number != IM_NUMBER_FINITE || !numeric)
        return kind ? take_other(to, v, column, field, number)
                    : refuse_number(v, column, text, number);
    if (kind)
        *kind = IM_KIND_NUMBER;
    const imsat_status st = check_comma(v, column, text);
    return st != IMSAT_OK ? st : take_number(to, v, column, text);
}
