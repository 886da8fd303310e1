/* SPDX-License-Identifier: MIT
 * See schema_record.h. Files are hostile: what is loaded is a schema as one could have been
 * learned. */
#include "data/schema_record.h"

#include "core/alloc.h"
#include "data/record.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns of a file and bytes of texts that no table has. */
static const uint64_t MOST_WIDTH = INT32_MAX, MOST_BYTES = (uint64_t)1 << 38;

/* ---- writing ------------------------------------------------------------------------ */

static size_t words_of(const im_schema *schema, size_t column)
{
    return schema->kinds[column] == IM_KIND_CATEGORY ? schema->categories[column].count : 0;
}

/* Append a text with its end; to NULL: only count. */
static void append(char *to, size_t *used, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (to)
        memcpy(to + *used, text, size);
    *used += size;
}

/* All texts; to NULL: only count. Returns how many bytes they are. */
static size_t write_text(char *to, const im_schema *schema)
{
    size_t used = 0;
    if (schema->names)
        append(to, &used, schema->label ? schema->label : "");
    for (size_t c = 0; schema->names && c < schema->count; c++)
        append(to, &used, schema->names[c]);
    for (size_t c = 0; c < schema->count; c++)
        for (size_t w = 0; w < words_of(schema, c); w++)
            append(to, &used, schema->categories[c].words[w]);
    return used;
}

imsat_status im_schema_record(im_safetensors *file, const im_schema *schema, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_table_options *options = &schema->options;
    IM_TRY(im_record_count(file, "table.columns", schema->count, err));
    IM_TRY(im_record_count(file, "table.width", schema->width, err));
    IM_TRY(im_record_count(file, "table.header", schema->names != NULL, err));
    IM_TRY(
        im_safetensors_set(file, "table.missing", imsat_missing_name(options->missing), err));
    IM_TRY(im_safetensors_set(file, "table.categories",
                              imsat_categories_name(options->categories), err));
    IM_TRY(im_record_count(file, "table.decimal_comma", schema->commas, err));
    IM_TRY(im_record_count(file, "table.text_bytes", write_text(NULL, schema), err));

cleanup:
    return st;
}

imsat_status im_schema_add(im_safetensors *file, im_schema_pack *pack, const im_schema *schema,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = schema->count, bytes = write_text(NULL, schema);
    pack->places = im_alloc(n, sizeof *pack->places);
    pack->words = im_alloc(n, sizeof *pack->words);
    pack->text = im_alloc(bytes + 1, 1);
    if (!pack->places || !pack->words || !pack->text)
        return im_fail_memory(err, "the columns of a table");
    for (size_t c = 0; c < n; c++) {
        pack->places[c] = schema->places[c];
        pack->words[c] = words_of(schema, c);
    }
    write_text(pack->text, schema);
    IM_TRY(im_safetensors_add(file, "table.kinds", IM_TENSOR_U8, schema->kinds, 1, &n, err));
    IM_TRY(im_safetensors_add(file, "table.places", IM_TENSOR_U64, pack->places, 1, &n, err));
    IM_TRY(im_safetensors_add(file, "table.words", IM_TENSOR_U64, pack->words, 1, &n, err));
    if (schema->fills)
        IM_TRY(
            im_safetensors_add(file, "table.fills", IM_TENSOR_F64, schema->fills, 1, &n, err));
    if (bytes > 0)
        IM_TRY(
            im_safetensors_add(file, "table.text", IM_TENSOR_U8, pack->text, 1, &bytes, err));

cleanup:
    return st;
}

void im_schema_pack_clear(im_schema_pack *pack)
{
    im_free(pack->places);
    im_free(pack->words);
    im_free(pack->text);
    *pack = (im_schema_pack){0};
}

/* ---- reading ------------------------------------------------------------------------ */

/* A file that is being read. */
typedef struct source {
    const im_safetensors *file;
    const char *path;
    size_t dim;
    bool header;
    size_t text_bytes;
    imsat_error *err;
} source;

/* One of the words that `name` gives, from 0 on. */
static imsat_status read_way(int *out, const source *s, const char *key,
                             const char *(*name)(int way))
{
    const char *text = im_safetensors_value(s->file, key);
    for (int way = 0; text && name(way); way++)
        if (strcmp(text, name(way)) == 0) {
            *out = way;
            return IMSAT_OK;
        }
    return im_fail(s->err, IMSAT_EFORMAT,
                   "%s: \"%s\" is \"%.40s\", which this imsat does not "
                   "know",
                   s->path, key, text ? text : "");
}

static const char *missing_name(int way)
{
    return imsat_missing_name((imsat_missing)way);
}

static const char *categories_name(int way)
{
    return imsat_categories_name((imsat_categories)way);
}

static imsat_status read_options(im_schema *schema, const source *s)
{
    imsat_status st = IMSAT_OK;
    int missing = 0, categories = 0;
    IM_TRY(read_way(&missing, s, "table.missing", missing_name));
    IM_TRY(read_way(&categories, s, "table.categories", categories_name));
    schema->options = (imsat_table_options){.size = sizeof schema->options,
                                            .missing = (imsat_missing)missing,
                                            .categories = (imsat_categories)categories};

cleanup:
    return st;
}

/* A count within its range. */
static imsat_status read_count(size_t *out, const source *s, const char *key, uint64_t least,
                               uint64_t most)
{
    uint64_t value = 0;
    const imsat_status st =
        im_record_get_within(&value, s->file, s->path, key, least, most, s->err);
    *out = (size_t)value;
    return st;
}

/* The metadata. */
static imsat_status read_shape(im_schema *schema, source *s)
{
    imsat_status st = IMSAT_OK;
    size_t header = 0, comma = 0;
    IM_TRY(read_count(&schema->count, s, "table.columns", 1, s->dim));
    IM_TRY(read_count(&schema->width, s, "table.width", schema->count, MOST_WIDTH));
    IM_TRY(read_count(&header, s, "table.header", 0, 1));
    IM_TRY(read_count(&comma, s, "table.decimal_comma", 0, 1));
    IM_TRY(read_count(&s->text_bytes, s, "table.text_bytes", 0, MOST_BYTES));
    IM_TRY(read_options(schema, s));
    schema->commas = comma == 1;
    s->header = header == 1;

cleanup:
    return st;
}

static imsat_status get(const void **out, const source *s, const char *name,
                        im_tensor_type type, size_t count)
{
    imsat_status st = IMSAT_OK;
    const im_tensor *tensor;
    IM_TRY(im_safetensors_get(&tensor, s->file, s->path, name, type, 1, &count, s->err));
    assert(tensor->data); /* it has elements */
    *out = tensor->data;

cleanup:
    return st;
}

static imsat_status refuse_column(const source *s, size_t column, const char *what)
{
    return im_fail(s->err, IMSAT_EFORMAT, "%s: column %zu (from 0) of its table: %s", s->path,
                   column, what);
}

static imsat_status check_column(const im_schema *schema, const source *s, size_t c,
                                 const uint64_t *places, const uint64_t *words)
{
    const unsigned kind = schema->kinds[c];
    const bool category = kind == IM_KIND_CATEGORY;
    if (kind < IM_KIND_NUMBER || kind > IM_KIND_CATEGORY)
        return refuse_column(s, c, "table.kinds has no kind of columns");
    if (places[c] >= schema->width || (c > 0 && places[c] <= places[c - 1]))
        return refuse_column(s, c, "table.places does not ascend, or is beyond table.width");
    if (category ? words[c] < 1 || words[c] > IM_CATEGORIES_MOST : words[c] != 0)
        return refuse_column(s, c, "table.words does not fit its kind");
    return IMSAT_OK;
}

/* Kinds and places; what becomes of them must be as wide as the network's rows. */
static imsat_status read_columns(im_schema *schema, const uint64_t **words, const source *s)
{
    imsat_status st = IMSAT_OK;
    const void *kinds, *places, *counts;
    const size_t n = schema->count;
    uint64_t width = 0;
    IM_TRY(get(&kinds, s, "table.kinds", IM_TENSOR_U8, n));
    IM_TRY(get(&places, s, "table.places", IM_TENSOR_U64, n));
    IM_TRY(get(&counts, s, "table.words", IM_TENSOR_U64, n));
    schema->kinds = im_alloc(n, sizeof *schema->kinds);
    schema->places = im_alloc(n, sizeof *schema->places);
    schema->categories = im_alloc(n, sizeof *schema->categories);
    if (!schema->kinds || !schema->places || !schema->categories)
        return im_fail_memory(s->err, "the columns of a table");
    memcpy(schema->kinds, kinds, n);
    *words = counts;
    for (size_t c = 0; c < n; c++) {
        IM_TRY(check_column(schema, s, c, places, *words));
        schema->places[c] = (size_t)((const uint64_t *)places)[c];
        width += (*words)[c] ? (*words)[c] : 1;
    }
    if (width != s->dim)
        st = im_fail(s->err, IMSAT_EFORMAT,
                     "%s: its table makes rows of %zu values, but the network is of %zu",
                     s->path, (size_t)width, s->dim);

cleanup:
    return st;
}

/* The next text; NULL if there is no whole one. */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at, *zero = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
    *at = zero ? zero + 1 : end;
    return zero ? text : NULL;
}

static imsat_status read_names(im_schema *schema, const source *s, const char **at,
                               const char *end)
{
    const char *label = next_text(at, end);
    schema->names = im_alloc(schema->count, sizeof *schema->names);
    if (label && *label)
        schema->label = im_strdup(label);
    if (!schema->names || (label && *label && !schema->label))
        return im_fail_memory(s->err, "the columns of a table");
    for (size_t c = 0; c < schema->count; c++) {
        const char *name = next_text(at, end);
        if (!name)
            return refuse_column(s, c, "table.text ends before its name");
        schema->names[c] = (char *)(uintptr_t)name; /* until it is copied */
    }
    return im_schema_own_names(schema, s->err);
}

static imsat_status read_words(im_schema *schema, size_t column, size_t count, const source *s,
                               const char **at, const char *end)
{
    imsat_status st = IMSAT_OK;
    im_categories *words = &schema->categories[column];
    for (size_t w = 0; w < count; w++) {
        size_t code = 0;
        const char *word = next_text(at, end);
        if (!word || !*word || (w > 0 && strcmp(words->words[w - 1], word) >= 0))
            return refuse_column(s, column, "table.text lacks a word, or they do not ascend");
        IM_TRY(im_categories_add(&code, words, word, strlen(word), s->err));
    }

cleanup:
    return st;
}

static imsat_status read_text(im_schema *schema, const uint64_t *words, const source *s)
{
    imsat_status st = IMSAT_OK;
    const void *text = "";
    if (s->text_bytes > 0)
        IM_TRY(get(&text, s, "table.text", IM_TENSOR_U8, s->text_bytes));
    const char *at = text, *end = at + s->text_bytes;
    if (s->header)
        IM_TRY(read_names(schema, s, &at, end));
    for (size_t c = 0; c < schema->count; c++)
        IM_TRY(read_words(schema, c, (size_t)words[c], s, &at, end));
    if (at != end)
        st = im_fail(s->err, IMSAT_EFORMAT, "%s: table.text holds more than names and words",
                     s->path);

cleanup:
    return st;
}

static imsat_status read_fills(im_schema *schema, const source *s)
{
    imsat_status st = IMSAT_OK;
    const void *fills;
    if (schema->options.missing != IMSAT_MISSING_MEAN &&
        schema->options.missing != IMSAT_MISSING_MEDIAN)
        return IMSAT_OK;
    IM_TRY(get(&fills, s, "table.fills", IM_TENSOR_F64, schema->count));
    schema->fills = im_alloc(schema->count, sizeof *schema->fills);
    if (!schema->fills)
        return im_fail_memory(s->err, "the columns of a table");
    memcpy(schema->fills, fills, schema->count * sizeof *schema->fills);
    for (size_t c = 0; c < schema->count; c++)
        if (!isfinite((float)schema->fills[c]))
            return refuse_column(s, c, "table.fills is not finite, or beyond float");

cleanup:
    return st;
}

imsat_status im_schema_load(im_schema *out, const im_safetensors *file, const char *path,
                            size_t dim, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    source s = {.file = file, .path = path, .dim = dim, .err = err};
    const uint64_t *words = NULL;
    im_schema schema = {0};
    if (!im_safetensors_value(file, "table.columns"))
        return IMSAT_OK;
    IM_TRY(read_shape(&schema, &s));
    IM_TRY(read_columns(&schema, &words, &s));
    IM_TRY(read_text(&schema, words, &s));
    IM_TRY(read_fills(&schema, &s));
    *out = schema;
    schema = (im_schema){0};

cleanup:
    im_schema_clear(&schema);
    return st;
}
