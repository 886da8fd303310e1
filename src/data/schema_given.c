/* SPDX-License-Identifier: MIT
 * A model's schema, for tables that are read for the model; see schema.h. */
#include "core/alloc.h"
#include "data/schema.h"

#include <string.h>

bool im_schema_tells(const im_schema *schema)
{
    for (size_t c = 0; c < schema->count; c++)
        if (schema->kinds[c] != IM_KIND_NUMBER)
            return true;
    return schema->names || schema->fills || schema->width != schema->count;
}

/* ---- a copy ------------------------------------------------------------------------ */

/* NULL of NULL, or if there is no memory. */
static void *copy_of(const void *array, size_t count, size_t size)
{
    void *copy = array ? im_alloc(count, size) : NULL;
    return copy ? memcpy(copy, array, count * size) : NULL;
}

static imsat_status copy_words(im_categories *to, const im_categories *from, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t code;
    for (size_t w = 0; w < from->count; w++)
        IM_TRY(im_categories_add(&code, to, from->words[w], strlen(from->words[w]), err));

cleanup:
    return st;
}

static imsat_status copy_columns(im_schema *to, const im_schema *from, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    to->places = copy_of(from->places, from->count, sizeof *from->places);
    to->kinds = copy_of(from->kinds, from->count, sizeof *from->kinds);
    to->fills = copy_of(from->fills, from->count, sizeof *from->fills);
    to->names = copy_of(from->names, from->count, sizeof *from->names);
    to->label = from->label ? im_strdup(from->label) : NULL;
    if (from->categories)
        to->categories = im_alloc(from->count, sizeof *to->categories);
    if (!to->places || !to->kinds || !from->fills != !to->fills ||
        !from->names != !to->names || !from->label != !to->label ||
        !from->categories != !to->categories)
        return im_fail_memory(err, "the columns of a table");
    if (to->names)
        IM_TRY(im_schema_own_names(to, err));
    for (size_t c = 0; to->categories && c < to->count; c++)
        IM_TRY(copy_words(&to->categories[c], &from->categories[c], err));

cleanup:
    return st;
}

imsat_status im_schema_copy(im_schema *out, const im_schema *schema, imsat_error *err)
{
    im_schema copy = {.options = schema->options,
                      .count = schema->count,
                      .width = schema->width,
                      .commas = schema->commas};
    copy.options.columns = copy.options.drop = NULL;
    const imsat_status st = schema->count ? copy_columns(&copy, schema, err) : IMSAT_OK;
    if (st != IMSAT_OK) {
        im_schema_clear(&copy);
        return st;
    }
    *out = copy;
    return IMSAT_OK;
}

/* ---- a model's ------------------------------------------------------------------------ */

/* What a model was trained with cannot be another thing for other tables. */
static imsat_status check_asked(const imsat_table_options *asked,
                                const imsat_table_options *kept, imsat_error *err)
{
    const bool fills =
        asked->missing == IMSAT_MISSING_MEAN || asked->missing == IMSAT_MISSING_MEDIAN;
    if (asked->categories && asked->categories != kept->categories)
        return im_fail(
            err, IMSAT_EINVAL,
            "--categories %s: the model was trained with --categories %s, and takes "
            "tables as it took those; leave out the option",
            imsat_categories_name(asked->categories), imsat_categories_name(kept->categories));
    if (fills && asked->missing != kept->missing)
        return im_fail(err, IMSAT_EINVAL,
                       "--missing %s: the model does not keep the %s of its columns, since it "
                       "was trained with --missing %s; --missing drop leaves out rows that "
                       "lack values",
                       imsat_missing_name(asked->missing), imsat_missing_name(asked->missing),
                       imsat_missing_name(kept->missing));
    return IMSAT_OK;
}

imsat_status im_schema_give(im_schema *schema, const im_schema *given, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_table_options asked = schema->options;
    IM_TRY(check_asked(&asked, &given->options, err));
    IM_TRY(im_schema_copy(schema, given, err));
    asked.categories = given->options.categories;
    if (asked.missing == IMSAT_MISSING_REFUSE)
        asked.missing = given->options.missing;
    schema->options = asked;
    schema->given = true;
    schema->origin = "the model";

cleanup:
    return st;
}

imsat_status im_schema_note_unknown(im_schema *schema, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char name[IM_SCHEMA_NAME_ROOM];
    for (size_t c = 0; schema->categories && c < schema->count; c++) {
        im_categories *words = &schema->categories[c];
        if (words->unknown == 0)
            continue;
        im_schema_name(name, schema, c);
        IM_TRY(im_notes_add(&schema->notes, err,
                            "%s: column%s: words that the model does not know, and takes for "
                            "none of its own: %zu, '%s' first",
                            path, name, words->unknown, words->first_unknown));
        words->unknown = 0;
    }

cleanup:
    return st;
}
