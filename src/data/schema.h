/* SPDX-License-Identifier: MIT
 *
 * What the columns of a table are. The first file of a data set decides which of its columns
 * are values; in the other files the same columns are looked for, by their names if both have
 * headers, whatever their order, and else by their places.
 */
#ifndef IM_DATA_SCHEMA_H
#define IM_DATA_SCHEMA_H

#include "data/columns.h"
#include "data/notes.h"

typedef struct im_schema {
    imsat_table_options options;
    size_t count;   /* columns that are values; 0: no file was a table so far */
    char **names;   /* (count) owned, all in the block of the first; NULL: no header */
    size_t *places; /* (count) owned; which column of the file each is, the label's aside */
    size_t width;   /* columns of the file, the label's aside */
    bool distinct;  /* the names differ, so that they can be looked for */
    const char *origin; /* who has these columns, for messages: a path; not owned */
    im_notes notes;
} im_schema;

/* Take over what the caller asks for; NULL: nothing. A struct of a size that this library does
 * not know is refused. */
imsat_status im_schema_begin(im_schema *schema, const imsat_table_options *options,
                             imsat_error *err);

/* The columns of the first file: those that are kept. label: IM_NO_COLUMN if there is none. */
imsat_status im_schema_learn(im_schema *schema, const im_columns *columns, const bool *keep,
                             size_t label, const char *path, imsat_error *err);

/* Look for the columns of a table in a file: target[c] (columns->count) is which of the
 * table's columns c is, or IM_NO_COLUMN. What is missing is refused; what is not needed is
 * noted. */
imsat_status im_schema_match(size_t *target, im_schema *schema, const im_columns *columns,
                             size_t label, const char *path, imsat_error *err);

/* Whether a name is one that the numbers of rows go by: none, as pandas writes it, or index,
 * id and the like. */
bool im_schema_is_index(const char *name);

/* Column 0 was an index after all: go on without it. */
imsat_status im_schema_drop_index(im_schema *schema, const char *path, imsat_error *err);

/* All files were read: what the caller lent is given back. */
void im_schema_end(im_schema *schema);

void im_schema_clear(im_schema *schema);

#endif
