/* SPDX-License-Identifier: MIT
 *
 * imsat: what files of data hold. The conventions of imsat/imsat.h hold here.
 */
#ifndef IMSAT_DESCRIBE_H
#define IMSAT_DESCRIBE_H

#include "imsat/data.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Some values: all of the data, or those of a column. The library makes it: later ones may
 * have more fields. */
typedef struct imsat_values {
    size_t count; /* of them, zeros and those that are not finite included */
    size_t zeros;
    size_t missing; /* NaN, and fields of a table that are empty, NA and the like */
    size_t infinite;
    double min, max, mean, deviation; /* of those that are finite; NaN if none is */
} imsat_values;

/* What data is like. The library makes it: later ones may have more fields. */
typedef struct imsat_description {
    size_t rows, dim;
    imsat_image image;
    char *format;          /* as of imsat_data_describe(), of the first file */
    imsat_values values;   /* of all */
    imsat_values *columns; /* (dim), or NULL: not asked for */
    char **names;         /* (dim) of the columns, or NULL: no column has one; of a column that
                             has none, NULL */
    size_t classes;       /* how many different labels there are; 0: the data has none */
    int32_t *labels;      /* (classes) ascending */
    size_t *label_counts; /* (classes) rows that have each */
    char **notes;         /* (nnotes) as of imsat_data_note() */
    size_t nnotes;
} imsat_description;

/* Describe data that is open, by reading all rows once. columns: not 0: each column, too.
 * *out is freed with imsat_description_free(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_describe_data(imsat_description **out,
                                                         const imsat_data *data, int columns,
                                                         imsat_error *err);

/* Describe files, which are opened as by imsat_data_open_table(), but for one thing: what that
 * refuses for lack of a word of the caller, NaN, infinities, missing values and columns of
 * text, is no failure. Missing values are counted, and columns of text left out with a note,
 * unless the options say what to do with them. `options` and `table` may be NULL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_describe_files(imsat_description **out,
                                                          const char *const *paths,
                                                          size_t npaths,
                                                          const imsat_data_options *options,
                                                          const imsat_table_options *table,
                                                          int columns, imsat_error *err);

IMSAT_API void imsat_description_free(imsat_description *description);

/* What is called by a name inside of a file. */
typedef struct imsat_inside {
    const char *name;
    const char *what; /* its type and shape: "float32 (70000, 784)", or why it is no data */
} imsat_inside;

/* List what is in a file that holds several arrays, .npz, HDF5, safetensors: entry i of *out
 * (*count). Other files, and one array alone or a matrix of scipy, have an empty list. *out is
 * freed with imsat_free(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_inside_list(imsat_inside **out, size_t *count,
                                                       const char *path, imsat_error *err);

#ifdef __cplusplus
}
#endif

#endif
