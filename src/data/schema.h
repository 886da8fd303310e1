/* SPDX-License-Identifier: MIT
 *
 * What the columns of a table are. The first file of a data set decides which of its columns
 * are values; in the other files the same columns are looked for, by their names if both have
 * headers, whatever their order, and else by their places.
 *
 * A model that was trained on tables keeps the schema (schema_record.c). Tables that are read
 * for it are given that one, which then decides, and not the first file.
 */
#ifndef IM_DATA_SCHEMA_H
#define IM_DATA_SCHEMA_H

#include "data/block.h"
#include "data/categories.h"
#include "data/columns.h"
#include "data/label_list.h"
#include "data/notes.h"

/* What a column holds. Its first value decides. */
typedef enum im_kind {
    IM_KIND_OPEN, /* no value so far */
    IM_KIND_NUMBER,
    IM_KIND_BOOLEAN,  /* 0 or 1 */
    IM_KIND_DATE,     /* days since 1970-01-01 */
    IM_KIND_CATEGORY, /* words, while a file is read by their codes */
    IM_KIND_TEXT      /* words, and the column is left out */
} im_kind;

typedef struct im_schema {
    imsat_table_options options;
    size_t count;   /* columns that are values; 0: no file was a table so far */
    bool given;     /* a model's: files change nothing about the columns */
    char **names;   /* (count) owned; NULL: no header */
    char *text;     /* owned; what they point into */
    size_t *places; /* (count) owned; which column of the file each is, the label's aside */
    size_t width;   /* columns of the file, the label's aside */
    char *label;    /* owned; the name of the column of labels; NULL: it has none */
    bool commas;    /* some number had a decimal comma */
    unsigned char *kinds;      /* (count) owned; im_kind of each */
    im_categories *categories; /* (count) owned; NULL: no column has any */
    double *fills;             /* (count) owned; what missing values are; NULL: none are */
    bool loose; /* what the options refuse is none of it: missing values stay NaN, text is
                   left out */
    bool holes; /* some value is missing, and NaN until all files were read */
    char **value_names; /* (values) owned; what the columns of the data are called, if not
                           by `names`; NULL: by these */
    size_t values;      /* columns of the data; 0: as many as the table has */
    bool distinct;      /* the names differ, so that they can be looked for */
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

/* Go on with a model's columns: those of `given`, which stays as it is. The schema was begun
 * with what the caller asks for; what the model cannot do is refused. */
imsat_status im_schema_give(im_schema *schema, const im_schema *given, imsat_error *err);

/* Look for the columns of a table in those columns of a file that are seen[]: target[c]
 * (columns->count) is which of the table's columns c is, or IM_NO_COLUMN. What is missing is
 * refused; what is not needed is noted. */
imsat_status im_schema_match(size_t *target, im_schema *schema, const im_columns *columns,
                             const bool *seen, const char *path, imsat_error *err);

/* Whether a line has all names of a given schema, and so is a header. */
bool im_schema_has_names(const im_schema *schema, const im_columns *columns);

/* The column of a given schema's labels, which is no column of data, by its name;
 * IM_NO_COLUMN if there is none. */
size_t im_schema_label(const im_schema *schema, const im_columns *columns);

/* Whether a name is one that the numbers of rows go by: none, as pandas writes it, or index,
 * id and the like. */
bool im_schema_is_index(const char *name);

/* Column 0 was an index after all: go on without it. */
imsat_status im_schema_drop_index(im_schema *schema, const char *path, imsat_error *err);

/* All files were read: leave out rows that lack values, if that is what was asked for, and
 * their labels, if there is one for each row. `first` of the blocks is then no longer right.
 */
imsat_status im_schema_leave_out(im_schema *schema, im_block *blocks, size_t nblocks,
                                 im_label_list *labels, const char *const *paths,
                                 imsat_error *err);

/* And then: fill in what is missing, make columns of words, and leave out those of
 * text, in all blocks. *dim is how wide they are then. */
imsat_status im_schema_finish(im_schema *schema, im_block *blocks, size_t nblocks, size_t *dim,
                              imsat_error *err);

/* A file was read for a model: say which of its words the model does not know. */
imsat_status im_schema_note_unknown(im_schema *schema, const char *path, imsat_error *err);

/* Columns of the data that a column of the table becomes. */
size_t im_schema_width_of(const im_schema *schema, size_t column);

/* The names, which were set, become the schema's own; whether they are distinct is found. */
imsat_status im_schema_own_names(im_schema *schema, imsat_error *err);

/* Whether it says more than how many numbers a row has. */
bool im_schema_tells(const im_schema *schema);

/* A copy without notes and what the caller lent. `out` owns nothing. */
imsat_status im_schema_copy(im_schema *out, const im_schema *schema, imsat_error *err);

/* How a column is called in a message: " 'age'", or nothing. */
enum { IM_SCHEMA_NAME_ROOM = IM_WORD_ROOM + 8 };
void im_schema_name(char text[IM_SCHEMA_NAME_ROOM], const im_schema *schema, size_t column);

/* Go on without a column. */
void im_schema_remove(im_schema *schema, size_t column);

/* All is done: what the caller lent is given back. */
void im_schema_end(im_schema *schema);

void im_schema_clear(im_schema *schema);

#endif
