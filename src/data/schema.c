/* SPDX-License-Identifier: MIT
 * The columns of a schema, and where they are in another file; see schema.h. */
#include "data/schema.h"

#include "core/alloc.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *imsat_missing_name(imsat_missing way)
{
    static const char *const names[] = {"refuse", "drop", "mean", "median"};
    return way < IMSAT_MISSING_WAYS ? names[way] : NULL;
}

const char *imsat_categories_name(imsat_categories way)
{
    static const char *const names[] = {"refuse", "one-hot", "drop"};
    return way < IMSAT_CATEGORIES_WAYS ? names[way] : NULL;
}

imsat_status im_schema_begin(im_schema *schema, const imsat_table_options *options,
                             imsat_error *err)
{
    if (!options)
        return IMSAT_OK;
    if (options->size != sizeof *options)
        return im_fail(err, IMSAT_EINVAL,
                       "the options of a table have size %zu; this library knows those of "
                       "size %zu (set .size = sizeof(imsat_table_options))",
                       options->size, sizeof *options);
    if (!imsat_missing_name(options->missing))
        return im_fail(err, IMSAT_EINVAL, "missing is %d; it is 0 to %d",
                       (int)options->missing, IMSAT_MISSING_WAYS - 1);
    if (!imsat_categories_name(options->categories))
        return im_fail(err, IMSAT_EINVAL, "categories is %d; it is 0 to %d",
                       (int)options->categories, IMSAT_CATEGORIES_WAYS - 1);
    schema->options = *options;
    return IMSAT_OK;
}

void im_schema_end(im_schema *schema)
{
    schema->options.columns = schema->options.drop = NULL;
    schema->origin = NULL;
}

void im_schema_clear(im_schema *schema)
{
    for (size_t i = 0; schema->categories && i < schema->count; i++)
        im_categories_clear(&schema->categories[i]);
    for (size_t i = 0; schema->value_names && i < schema->values; i++)
        im_free(schema->value_names[i]);
    im_free(schema->names);
    im_free(schema->text);
    im_free(schema->label);
    im_free(schema->places);
    im_free(schema->kinds);
    im_free(schema->categories);
    im_free(schema->fills);
    im_free(schema->value_names);
    im_notes_clear(&schema->notes);
    *schema = (im_schema){0};
}

/* ---- the first file ----------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether no two names are the same. */
static imsat_status find_distinct(im_schema *schema, imsat_error *err)
{
    char **sorted = im_alloc(schema->count, sizeof *sorted);
    if (!sorted)
        return im_fail_memory(err, "the names of columns");
    memcpy(sorted, schema->names, schema->count * sizeof *sorted);
    qsort(sorted, schema->count, sizeof *sorted, compare_names);
    schema->distinct = true;
    for (size_t i = 1; i < schema->count; i++)
        schema->distinct &= strcmp(sorted[i - 1], sorted[i]) != 0;
    im_free(sorted);
    return IMSAT_OK;
}

imsat_status im_schema_own_names(im_schema *schema, imsat_error *err)
{
    size_t bytes = 0;
    for (size_t c = 0; c < schema->count; c++)
        bytes += strlen(schema->names[c]) + 1;
    char *text = im_alloc(bytes, 1);
    if (!text)
        return im_fail_memory(err, "the names of columns");
    schema->text = text;
    for (size_t c = 0; c < schema->count; c++) {
        const size_t size = strlen(schema->names[c]) + 1;
        schema->names[c] = memcpy(text, schema->names[c], size);
        text += size;
    }
    return find_distinct(schema, err);
}

/* The names of the columns that are kept, and of the label. */
static imsat_status learn_names(im_schema *schema, const im_columns *columns, const bool *keep,
                                size_t label, imsat_error *err)
{
    size_t count = 0;
    schema->names = im_alloc(schema->count, sizeof *schema->names);
    if (label != IM_NO_COLUMN)
        schema->label = im_strdup(columns->names[label]);
    if (!schema->names || (label != IM_NO_COLUMN && !schema->label))
        return im_fail_memory(err, "the names of columns");
    for (size_t c = 0; c < columns->count; c++)
        if (keep[c])
            schema->names[count++] = columns->names[c];
    return im_schema_own_names(schema, err);
}

imsat_status im_schema_learn(im_schema *schema, const im_columns *columns, const bool *keep,
                             size_t label, const char *path, imsat_error *err)
{
    size_t kept = 0, place = 0;
    for (size_t c = 0; c < columns->count; c++)
        kept += keep[c];
    assert(schema->count == 0 && kept > 0);
    schema->places = im_alloc(kept, sizeof *schema->places);
    schema->kinds = im_alloc(kept, sizeof *schema->kinds);
    if (!schema->places || !schema->kinds)
        return im_fail_memory(err, path);
    for (size_t c = 0; c < columns->count; place += c != label, c++)
        if (keep[c])
            schema->places[schema->count++] = place;
    schema->width = place;
    schema->origin = path;
    return columns->header ? learn_names(schema, columns, keep, label, err) : IMSAT_OK;
}

/* ---- other files -------------------------------------------------------------------- */

/* The column of this name, which is most often at the same place; seen NULL: all are. */
static size_t find_name(const im_columns *columns, const bool *seen, const char *name,
                        size_t guess)
{
    if (guess < columns->count && (!seen || seen[guess]) &&
        strcmp(columns->names[guess], name) == 0)
        return guess;
    for (size_t c = 0; c < columns->count; c++)
        if ((!seen || seen[c]) && strcmp(columns->names[c], name) == 0)
            return c;
    return IM_NO_COLUMN;
}

/* A list of names for a message, as long as there is room. */
static void list_name(char list[IM_COLUMNS_ROOM], const char *name)
{
    char word[IM_WORD_ROOM];
    const size_t used = strlen(list);
    if (used + IM_WORD_ROOM + 8 > IM_COLUMNS_ROOM) {
        if (used < 5 || strcmp(list + used - 5, ", ...") != 0)
            snprintf(list + used, IM_COLUMNS_ROOM - used, ", ...");
        return;
    }
    im_csv_word(word, (im_span){name, strlen(name)});
    snprintf(list + used, IM_COLUMNS_ROOM - used, "%s'%s'", used ? ", " : "", word);
}

static imsat_status note_others(const size_t *target, im_schema *schema,
                                const im_columns *columns, const bool *seen, const char *path,
                                imsat_error *err)
{
    char list[IM_COLUMNS_ROOM] = "";
    for (size_t c = 0; c < columns->count; c++)
        if (target[c] == IM_NO_COLUMN && seen[c] && !im_schema_is_index(columns->names[c]))
            list_name(list, columns->names[c]);
    if (!*list)
        return IMSAT_OK;
    return im_notes_add(&schema->notes, err, "%s: ignored, since %s has no such column: %s",
                        path, schema->origin, list);
}

static imsat_status match_names(size_t *target, im_schema *schema, const im_columns *columns,
                                const bool *seen, const char *path, imsat_error *err)
{
    char missing[IM_COLUMNS_ROOM] = "", list[IM_COLUMNS_ROOM];
    for (size_t i = 0; i < schema->count; i++) {
        const size_t c = find_name(columns, seen, schema->names[i], schema->places[i]);
        if (c == IM_NO_COLUMN)
            list_name(missing, schema->names[i]);
        else
            target[c] = i;
    }
    if (!*missing)
        return note_others(target, schema, columns, seen, path, err);
    im_columns_list(list, columns);
    return im_fail(err, IMSAT_EMISMATCH,
                   "%s lacks columns that %s has: %s; its columns are %s", path,
                   schema->origin, missing, list);
}

/* All columns of the first file, or only those that are values. */
static imsat_status match_places(size_t *target, const im_schema *schema,
                                 const im_columns *columns, const bool *seen, const char *path,
                                 imsat_error *err)
{
    size_t width = 0, place = 0;
    for (size_t c = 0; c < columns->count; c++)
        width += seen[c];
    if (width != schema->width && width != schema->count && schema->given)
        return im_fail(err, IMSAT_EMISMATCH,
                       "%s has %zu columns, and the model was trained on %zu; --label-column "
                       "and --drop say which of them are no data",
                       path, width, schema->count);
    if (width != schema->width && width != schema->count)
        return im_fail(err, IMSAT_EMISMATCH, "%s has rows of %zu values, but %s of %zu", path,
                       width, schema->origin, schema->count);
    for (size_t c = 0, i = 0; c < columns->count && i < schema->count; c++) {
        if (seen[c] && place == (width == schema->width ? schema->places[i] : i))
            target[c] = i++;
        place += seen[c];
    }
    return IMSAT_OK;
}

imsat_status im_schema_match(size_t *target, im_schema *schema, const im_columns *columns,
                             const bool *seen, const char *path, imsat_error *err)
{
    for (size_t c = 0; c < columns->count; c++)
        target[c] = IM_NO_COLUMN;
    if (schema->distinct && columns->header)
        return match_names(target, schema, columns, seen, path, err);
    return match_places(target, schema, columns, seen, path, err);
}

bool im_schema_has_names(const im_schema *schema, const im_columns *columns)
{
    for (size_t i = 0; schema->names && i < schema->count; i++)
        if (find_name(columns, NULL, schema->names[i], schema->places[i]) == IM_NO_COLUMN)
            return false;
    return schema->given && schema->names;
}

size_t im_schema_label(const im_schema *schema, const im_columns *columns)
{
    if (!schema->given || !schema->label || !columns->header)
        return IM_NO_COLUMN;
    return find_name(columns, NULL, schema->label, 0);
}

/* ---- one column ----------------------------------------------------------------- */

void im_schema_name(char text[IM_SCHEMA_NAME_ROOM], const im_schema *schema, size_t column)
{
    char word[IM_WORD_ROOM];
    *text = '\0';
    if (!schema->names)
        return;
    im_csv_word(word, (im_span){schema->names[column], strlen(schema->names[column])});
    snprintf(text, IM_SCHEMA_NAME_ROOM, " '%s'", word);
}

size_t im_schema_width_of(const im_schema *schema, size_t column)
{
    switch ((im_kind)schema->kinds[column]) {
    case IM_KIND_CATEGORY: return schema->categories[column].count;
    case IM_KIND_TEXT: return 0;
    default: return 1;
    }
}

/* Take element i out of an array, if there is one. */
static void close_gap(void *array, size_t i, size_t count, size_t size)
{
    if (!array)
        return;
    char *at = (char *)array + i * size;
    memmove(at, at + size, (count - i - 1) * size);
}

void im_schema_remove(im_schema *schema, size_t column)
{
    im_schema *s = schema;
    if (s->categories)
        im_categories_clear(&s->categories[column]);
    close_gap(s->names, column, s->count, sizeof *s->names);
    close_gap(s->places, column, s->count, sizeof *s->places);
    close_gap(s->kinds, column, s->count, sizeof *s->kinds);
    close_gap(s->categories, column, s->count, sizeof *s->categories);
    close_gap(s->fills, column, s->count, sizeof *s->fills);
    s->count--;
}

/* ---- an index ----------------------------------------------------------------------- */

bool im_schema_is_index(const char *name)
{
    static const char *const words[] = {"", "index", "id", "row", "rownames", "Unnamed: 0"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(name, words[i]) == 0)
            return true;
    return false;
}

imsat_status im_schema_drop_index(im_schema *schema, const char *path, imsat_error *err)
{
    assert(schema->count > 1 && schema->names);
    char name[IM_SCHEMA_NAME_ROOM];
    im_schema_name(name, schema, 0);
    const imsat_status st = im_notes_add(
        &schema->notes, err,
        "%s: column %zu%s only numbers the rows, and is left out; --columns would keep it",
        path, schema->places[0], name);
    im_schema_remove(schema, 0);
    return st != IMSAT_OK ? st : find_distinct(schema, err);
}
