/* SPDX-License-Identifier: MIT
 *
 * imsat: what went wrong, and data sets. Included by imsat/imsat.h, whose conventions hold
 * here.
 */
#ifndef IMSAT_DATA_H
#define IMSAT_DATA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define IMSAT_API     __attribute__((visibility("default")))
#define IMSAT_CHECKED __attribute__((warn_unused_result))
#else
#define IMSAT_API
#define IMSAT_CHECKED
#endif

/* ---- status ---------------------------------------------------------------- */

typedef enum imsat_status {
    IMSAT_OK = 0,
    IMSAT_EINVAL,    /* an argument or option is out of range */
    IMSAT_EIO,       /* a file could not be opened, read or written */
    IMSAT_EFORMAT,   /* a file's contents are malformed */
    IMSAT_EMISMATCH, /* two things do not fit: widths, lengths, checkpoint and options */
    IMSAT_ENOMEM,    /* an allocation failed, or would be beyond a limit */
    IMSAT_ESTOPPED,  /* a callback asked to stop; a checkpoint was saved if one was set */
    IMSAT_EBUSY      /* another process is changing the file; nothing was done */
} imsat_status;

/* What went wrong, where, and which value. */
typedef struct imsat_error {
    char message[1024];
} imsat_error;

/* A short name of a status: "ok", "invalid argument", ... Never NULL. */
IMSAT_API const char *imsat_status_name(imsat_status status);

/* ---- data ------------------------------------------------------------------ */

/* A data set: rows of equal width, and labels if the files held them. */
typedef struct imsat_data imsat_data;

typedef struct imsat_image {
    size_t height, width, channels; /* all 0: the rows are not images */
} imsat_image;

typedef struct imsat_data_options {
    const char *label_column; /* CSV: 0-based index, negative from the end, or a header
                                 name; that column becomes the labels. A file of several
                                 arrays: the name of that of the labels. NULL: those that the
                                 file has for its rows, if it says so. */
    imsat_image image;        /* rows are images of this shape; all 0: as the file says */
} imsat_data_options;

/* What is done about missing values of a table: fields that are empty, NA, NaN, null, ... */
typedef enum imsat_missing {
    IMSAT_MISSING_REFUSE,
    IMSAT_MISSING_DROP,   /* leave out the row */
    IMSAT_MISSING_MEAN,   /* fill in the mean of the column's values; */
    IMSAT_MISSING_MEDIAN, /* or their median; a missing word is none of the column's words */
    IMSAT_MISSING_WAYS
} imsat_missing;

/* What is done about columns of text. */
typedef enum imsat_categories {
    IMSAT_CATEGORIES_REFUSE,
    IMSAT_CATEGORIES_ONE_HOT, /* a column of 0 and 1 for each of its words, called NAME=WORD */
    IMSAT_CATEGORIES_DROP,    /* leave out the column */
    IMSAT_CATEGORIES_WAYS
} imsat_categories;

/* The names on the command line: "refuse", "one-hot". NULL for what is not a way. */
IMSAT_API const char *imsat_missing_name(imsat_missing way);
IMSAT_API const char *imsat_categories_name(imsat_categories way);

/* How tables are read, CSV and TSV. All zero but the size: as they are. */
typedef struct imsat_table_options {
    size_t size;         /* sizeof(imsat_table_options) */
    const char *columns; /* which columns are data: numbers from 0, negative from the end,
                            names in the header, and ranges A-B of them, with commas between; a
                            name in quotes may be any. NULL: all */
    const char *drop;    /* which are not, in the same way; NULL: none */
    imsat_missing missing;
    imsat_categories categories;
} imsat_table_options;

/* A format that data is read from. */
typedef struct imsat_format {
    const char *name;    /* "npy" */
    const char *summary; /* what it is, in a phrase */
    const char *endings; /* what file names usually end in, with blanks between: ".csv .tsv" */
    const char *inside;  /* what NAME of FILE:NAME is called in it ("array"); NULL: it has no
                            names inside */
} imsat_format;

/* Format i of the table, from 0; NULL past the last. */
IMSAT_API const imsat_format *imsat_format_at(size_t i);

/* Open one or several files as one data set, their rows in the order given.
 *
 * A path is FILE, or FILE:NAME for what is called NAME inside of the file, unless there is a
 * file of that whole name. The format is known from the contents, and from the name where they
 * do not tell; it is one of imsat_format_at(), also compressed. What can be memory-mapped,
 * such as a C-order float32 .npy, is never copied.
 *
 * out      receives the handle; free it with imsat_data_free().
 * options  may be NULL for the defaults (all zero).
 *
 * NaN and infinite values are refused, with their row and column. IMSAT_EMISMATCH: the files
 * have rows of different width. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_open(imsat_data **out,
                                                     const char *const *paths, size_t npaths,
                                                     const imsat_data_options *options,
                                                     imsat_error *err);

/* The same with more to say about tables. The first table of several decides which columns are
 * data; in the others these are looked for, by name if both have a header, in any order. A
 * first column that only numbers the rows, 0, 1, 2, ... or 1, 2, 3, ..., and has no name or
 * one like index or id, is left out, unless `columns` has it; a note says so. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_open_table(
    imsat_data **out, const char *const *paths, size_t npaths,
    const imsat_data_options *options, const imsat_table_options *table, imsat_error *err);

/* Wrap n rows of dim floats, `stride` floats apart (stride >= dim). The array is not
 * copied: it must stay unchanged until imsat_data_free(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_view(imsat_data **out, const float *x,
                                                     size_t n, size_t dim, size_t stride,
                                                     imsat_error *err);

/* The type of the elements of an array in memory. */
typedef enum imsat_element {
    IMSAT_ELEMENT_BOOL, /* a byte: 0, or anything else for 1 */
    IMSAT_ELEMENT_INT8,
    IMSAT_ELEMENT_UINT8,
    IMSAT_ELEMENT_INT16,
    IMSAT_ELEMENT_UINT16,
    IMSAT_ELEMENT_INT32,
    IMSAT_ELEMENT_UINT32,
    IMSAT_ELEMENT_INT64,
    IMSAT_ELEMENT_UINT64,
    IMSAT_ELEMENT_FLOAT16,
    IMSAT_ELEMENT_BFLOAT16, /* the upper half of a float */
    IMSAT_ELEMENT_FLOAT32,
    IMSAT_ELEMENT_FLOAT64,
    IMSAT_ELEMENTS
} imsat_element;

/* "float32", as NumPy calls it; NULL when out of range. */
IMSAT_API const char *imsat_element_name(imsat_element element);

/* An array in memory: element (i, j) is at elements + i * row_stride + j * col_stride, at any
 * alignment and in the byte order of this machine. */
typedef struct imsat_array {
    const void *elements;
    imsat_element type;
    size_t rows, dim;
    size_t row_stride, col_stride; /* in bytes */
    imsat_image image;             /* all 0: the rows are not images */
} imsat_array;

/* The same for elements of any type, in C or Fortran order or with gaps between. What float
 * rounds, such as float64, is prepared from the elements as they are, as of a file. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_array(imsat_data **out,
                                                      const imsat_array *array,
                                                      imsat_error *err);

/* Wrap n sparse rows of dim values, compressed as scipy's csr_matrix has them: row i has the
 * elements indptr[i] .. indptr[i + 1] - 1 of values, in the columns indices. All else is 0. In
 * a row columns ascend, and none comes twice (scipy: sum_duplicates()). The arrays are not
 * copied: they must stay unchanged until imsat_data_free(). No part of the library fills in
 * the zeros of more than some rows at a time. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_csr(imsat_data **out, const int64_t *indptr,
                                                    const int32_t *indices,
                                                    const float *values, size_t n, size_t dim,
                                                    imsat_error *err);

/* A file of svmlight does not say how many columns its rows have, only which ones are not 0:
 * as long as no other file of the data says it, zeros may follow. Let there be `dim` columns,
 * as many as a model was trained on, say. Data that has as many, or says how many it has,
 * stays as it is. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_widen(imsat_data *data, size_t dim,
                                                      imsat_error *err);

IMSAT_API void imsat_data_free(imsat_data *data);

IMSAT_API size_t imsat_data_rows(const imsat_data *data);
IMSAT_API size_t imsat_data_dim(const imsat_data *data);
IMSAT_API imsat_image imsat_data_image(const imsat_data *data);

/* The labels read with the data, one per row, or NULL. Owned by data. */
IMSAT_API const int32_t *imsat_data_labels(const imsat_data *data);

/* What the labels 0, 1, ... are called in the files, with a NULL behind the last; NULL: they
 * are numbers there, or there are none. Owned by data. */
IMSAT_API const char *const *imsat_data_label_words(const imsat_data *data);

/* A line on each file: its format, element type and how it is held ("npy <f4, mapped").
 * file counts from 0; NULL past the last one. Owned by data. */
IMSAT_API const char *imsat_data_describe(const imsat_data *data, size_t file);

/* The name of a column, from the header of a table, NAME=WORD if it is one of a column of
 * text; NULL: it has none. Owned by data. */
IMSAT_API const char *imsat_data_column_name(const imsat_data *data, size_t column);

/* What was done to the data as it was read and may be of interest, a sentence each: columns
 * that were left out, say. i counts from 0; NULL past the last one. Owned by data. */
IMSAT_API const char *imsat_data_note(const imsat_data *data, size_t i);

/* Of tables: the columns whose values span the least and the most, constant ones aside, and
 * how many times as much. Columns of tables are of different units, and where they differ by
 * far only the widest counts, unless they are standardized (imsat_options). *ratio is 1 of
 * data that is no table, of images, and of values that are whole numbers from 0 to 255, as
 * pixels are. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_scales(size_t *narrow, size_t *wide,
                                                       double *ratio, const imsat_data *data,
                                                       imsat_error *err);

/* Copy `count` rows from `first` on, as float, to out (count, dim). No preprocessing. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_data_read(const imsat_data *data, size_t first,
                                                     size_t count, float *out,
                                                     imsat_error *err);

/* Read one vector of labels from one or several files (any format of data, with one column of
 * whole numbers; text may hold names instead), joined in order. *labels (*n) is freed with
 * imsat_free(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_labels_read(int32_t **labels, size_t *n,
                                                       const char *const *paths, size_t npaths,
                                                       imsat_error *err);

/* The same, and what labels that are texts are called: *words is one block for imsat_free(),
 * as of imsat_data_label_words(), or NULL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_labels_read_words(int32_t **labels, size_t *n,
                                                             char ***words,
                                                             const char *const *paths,
                                                             size_t npaths, imsat_error *err);

/* Read one vector of numbers (a prior, a radius) from a file of data with one column or one
 * row. *values (*n) is freed with imsat_free(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_vector_read(double **values, size_t *n,
                                                       const char *path, imsat_error *err);

/* Write .npy files. As all files that the library writes they are made under a temporary name
 * and renamed, so that they are whole or absent, also if several write the same one. Links are
 * followed; pipes, devices and /dev/fd/N are written to. docs/formats.md has it all. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_npy_write_int32(const char *path, const int32_t *x,
                                                           size_t n, imsat_error *err);
IMSAT_API IMSAT_CHECKED imsat_status
imsat_npy_write_float(const char *path, const float *x, size_t rows, size_t cols,
                      imsat_error *err); /* cols 0: (rows) */

/* Write data as svmlight, the text of sparse rows that libsvm and scikit-learn read: columns
 * are counted from 1, and the label of a row without one is 0. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_svmlight_write(const char *path,
                                                          const imsat_data *data,
                                                          imsat_error *err);

/* A .npy file written piece by piece, for results that need not be in memory at once. The
 * file appears under its name when it is committed. imsat/output.h has the same for other
 * formats. */
typedef struct imsat_output imsat_npy;

typedef enum imsat_npy_type {
    IMSAT_NPY_INT32,
    IMSAT_NPY_FLOAT32,
    IMSAT_NPY_UINT8,
    IMSAT_NPY_INT64
} imsat_npy_type;

#define IMSAT_NPY_ANY_ROWS ((size_t)-1) /* as many rows as will have been appended */

/* Begin a file of `rows` rows of `cols` elements; cols 0: the shape is (rows). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_npy_create(imsat_npy **out, const char *path,
                                                      imsat_npy_type type, size_t rows,
                                                      size_t cols, imsat_error *err);

/* The next `rows` rows, of the file's type. More than were announced is IMSAT_EINVAL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_npy_append(imsat_npy *file, const void *x,
                                                      size_t rows, imsat_error *err);

/* Flush to disk and give the file its name; IMSAT_EINVAL while rows are missing. After it, and
 * after a failure to write, only imsat_npy_free() is left; all else is IMSAT_EINVAL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_npy_commit(imsat_npy *file, imsat_error *err);

/* Without a commit before, nothing is left behind. */
IMSAT_API void imsat_npy_free(imsat_npy *file);

/* Refuse now what would fail at the end of a long run: `path` cannot be written. Touches
 * neither the file nor its folder. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_writable(const char *path, imsat_error *err);

/* Whether two names lead to the same file, which need not exist yet: who writes one would lose
 * the other. FILE:NAME of data leads to FILE. A terminal, /dev/null and other character
 * devices are never the same. */
IMSAT_API int imsat_same_file(const char *a, const char *b);

/* Free what imsat_labels_read(), imsat_vector_read() and the like returned. */
IMSAT_API void imsat_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
