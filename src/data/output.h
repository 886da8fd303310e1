/* SPDX-License-Identifier: MIT
 *
 * Rows on their way to a file, one way of writing for each format. output.c keeps count of the
 * rows, opens and commits the file; a format says what it holds and how its bytes are.
 */
#ifndef IM_DATA_OUTPUT_H
#define IM_DATA_OUTPUT_H

#include "core/writer.h"
#include "data/csr.h"
#include "data/element.h"
#include "data/number.h"
#include "imsat/output.h"

/* A column: of the caller's list, or the rows of a data set. */
typedef struct im_output_column {
    const char *name;
    im_dtype type;
    size_t width;             /* values in a row; 0: one, which is not a list */
    imsat_image image;        /* that a row is; all 0: none */
    const char *const *names; /* (width) of the values; NULL, or NULL in it: NAME0, NAME1 */
    bool sparse;              /* rows come as the elements that are not zero */
} im_output_column;

/* Rows that are written together. */
typedef struct im_output_piece {
    size_t count;
    const void *const *values; /* (columns): of each (count, width) */
    const im_csr_row *sparse;  /* (count) of the first column, if it is sparse; its values are
                                  NULL then */
} im_output_piece;

/* What the first bytes of a file depend on. */
typedef enum im_output_head {
    IM_HEAD_FIXED, /* nothing that comes later */
    IM_HEAD_ROWS,  /* the number of rows */
    IM_HEAD_LATE   /* what is known only when all rows are there */
} im_output_head;

typedef struct im_output_format {
    imsat_output_format shown;
    size_t most_columns;
    bool lists;     /* the first column must be a list */
    bool sparse;    /* it may come as sparse rows */
    unsigned types; /* that it may be of: bits 1 << im_dtype; 0: any */
    im_output_head head;
    imsat_status (*begin)(imsat_output *out, imsat_error *err);
    imsat_status (*put)(imsat_output *out, const im_output_piece *piece, imsat_error *err);
    imsat_status (*end)(imsat_output *out, imsat_error *err); /* or NULL */
    void (*clear)(imsat_output *out);                         /* frees the state; or NULL */
} im_output_format;

extern const im_output_format im_npy_output, im_csv_output, im_tsv_output, im_jsonl_output,
    im_npz_output, im_svmlight_output, im_mtx_output, im_idx_output, im_fvecs_output,
    im_bvecs_output, im_ivecs_output, im_fbin_output, im_u8bin_output, im_i8bin_output,
    im_ibin_output;

struct imsat_output {
    const im_output_format *format;
    im_writer writer;
    im_output_column *columns; /* (ncolumns) owned; what they point to as well */
    char *texts;               /* owned: the names of the columns */
    size_t ncolumns;
    size_t announced, rows; /* rows there shall be, and are */
    size_t elements;        /* of sparse rows, if the format counts them */
    bool ended;             /* committed, or something failed: nothing more can be written */
    void *state;            /* of the format */
};

/* The format of a file; see imsat_output_format_find(). */
imsat_status im_output_find(const im_output_format **out, const char *path, const char *name,
                            imsat_error *err);

/* The same as the public functions, with all that a column may have. The names of its values
 * stay the caller's. */
imsat_status im_output_open(imsat_output **out, const char *path,
                            const im_output_format *format, const im_output_column *columns,
                            size_t ncolumns, size_t rows, imsat_error *err);
imsat_status im_output_put(imsat_output *out, const im_output_piece *piece, imsat_error *err);

/* The types of columns as the public interface has them. */
bool im_output_type(im_dtype *out, imsat_npy_type type);

/* For formats of text: value i of a column, as a number and as text, which has 0 characters if
 * it is not finite. */
double im_output_number(const im_output_column *column, const void *values, size_t i);
size_t im_output_value(char text[IM_NUMBER_ROOM], const im_output_column *column,
                       const void *values, size_t i);

/* For formats: how many values a row has in a column. */
static inline size_t im_output_width(const im_output_column *column)
{
    return column->width ? column->width : 1;
}

#endif
