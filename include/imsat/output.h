/* SPDX-License-Identifier: MIT
 *
 * imsat: rows written to files, in one of several formats. The conventions of imsat/imsat.h
 * hold here.
 *
 *     const imsat_output_column column = {"label", IMSAT_NPY_INT32, 0};
 *     const void *values = labels;
 *     imsat_output_create(&file, "labels.csv", NULL, &column, 1, n, &err);
 *     imsat_output_append(file, &values, n, &err);
 *     imsat_output_commit(file, &err);
 *     imsat_output_free(file);
 */
#ifndef IMSAT_OUTPUT_H
#define IMSAT_OUTPUT_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A format that rows are written in. The library makes it: later ones may have more fields. */
typedef struct imsat_output_format {
    const char *name;    /* "csv" */
    const char *summary; /* what it is, in a phrase */
    const char *endings; /* what file names end in, with blanks between: ".csv" */
    int text;            /* not 0: lines of text, in which columns have their names */
    int results;         /* not 0: takes any columns; else rows of data alone */
} imsat_output_format;

/* Format i of the table, from 0; NULL past the last. */
IMSAT_API const imsat_output_format *imsat_output_format_at(size_t i);

/* The format that a file is written in: the one called `name`, or, if that is NULL, the one
 * that the path ends like. A path without an ending, such as that of a pipe, is npy; another
 * ending is IMSAT_EINVAL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_output_format_find(const imsat_output_format **out,
                                                              const char *path,
                                                              const char *name,
                                                              imsat_error *err);

/* A column of the rows: one value, or a list of them, all of one type. */
typedef struct imsat_output_column {
    const char *name; /* in text; the values of a list are NAME0, NAME1, ... */
    imsat_npy_type type;
    size_t width; /* values in a row; 0: one, which is not a list */
} imsat_output_column;

/* A file of rows that is written piece by piece. It appears under its name when it is
 * committed; a pipe or a device gets what was written so far. */
typedef struct imsat_output imsat_output;

/* Begin a file of `rows` rows, or of IMSAT_NPY_ANY_ROWS. The columns are copied. What the
 * format does not hold, as several columns in .npy, is IMSAT_EINVAL. `format` may be NULL, as
 * of imsat_output_format_find(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_output_create(imsat_output **out, const char *path,
                                                         const char *format,
                                                         const imsat_output_column *columns,
                                                         size_t ncolumns, size_t rows,
                                                         imsat_error *err);

/* The next `rows` rows: values[c] has those of column c, (rows, width). More than were
 * announced is IMSAT_EINVAL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_output_append(imsat_output *file,
                                                         const void *const *values,
                                                         size_t rows, imsat_error *err);

/* Flush to disk and give the file its name; IMSAT_EINVAL while rows are missing. After it, and
 * after a failure to write, only imsat_output_free() is left; all else is IMSAT_EINVAL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_output_commit(imsat_output *file, imsat_error *err);

/* Without a commit before, nothing is left behind. */
IMSAT_API void imsat_output_free(imsat_output *file);

/* Write labels, which imsat_labels_read() reads. `format` as above. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_labels_write(const char *path, const char *format,
                                                        const int32_t *labels, size_t n,
                                                        imsat_error *err);

/* Write a data set, some rows at a time, whatever its size. Labels are written if the format
 * has a place for them: CSV, TSV, JSON lines, svmlight and .npz. Elements keep their type
 * where the format has it; a value that it does not hold, such as 0.5 in uint8, is
 * IMSAT_EINVAL with its row and column. Sparse rows stay sparse in .npz, which scipy reads,
 * svmlight and Matrix Market, and have their zeros elsewhere. Columns have the names of a
 * table's header.
 *
 * progress (may be NULL) is called now and then, with `user`, and may stop it. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_write(const char *path, const char *format,
                                                      const imsat_data *data,
                                                      imsat_progress_fn progress, void *user,
                                                      imsat_error *err);

/* Results beside the rows of the input, as text: CSV, TSV or JSON lines. Rows of such a file
 * are copied as they are written, with the new columns behind them, if the output is of the
 * same kind; of other data each value is a column, x0, x1, ... Rows that were left out when
 * the data was read are left out. */
typedef struct imsat_join imsat_join;

/* Begin a file. data was opened from `paths`, which are read once more; both must stay until
 * imsat_join_free(). The columns are single values. `format` may be NULL: by the ending of
 * the path, or, if it has none, as the input is. IMSAT_EINVAL: an input is a pipe. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_join_create(imsat_join **out, const char *path,
                                                       const char *format,
                                                       const imsat_data *data,
                                                       const char *const *paths, size_t npaths,
                                                       const imsat_output_column *columns,
                                                       size_t ncolumns, imsat_error *err);

/* The values of the next `rows` rows: values[c] (rows) of column c. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_join_append(imsat_join *file,
                                                       const void *const *values, size_t rows,
                                                       imsat_error *err);

/* Flush to disk and give the file its name; IMSAT_EINVAL while rows are missing. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_join_commit(imsat_join *file, imsat_error *err);

/* Without a commit before, nothing is left behind. */
IMSAT_API void imsat_join_free(imsat_join *file);

/* Whether the format has a place for labels. */
IMSAT_API int imsat_output_has_labels(const imsat_output_format *format);

#ifdef __cplusplus
}
#endif

#endif
