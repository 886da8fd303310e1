/* SPDX-License-Identifier: MIT
 *
 * Matrix Market, the exchange format of NIST: a line that says what follows, comments, sizes,
 * and a line for each element.
 *
 *     %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric|...
 *     % comments
 *     ROWS COLUMNS ELEMENTS                coordinate: then ROW COLUMN [VALUE], from 1 on
 *     ROWS COLUMNS                         array: then all values, column after column
 *
 * A row of the matrix is a row of data. Of a symmetric matrix only the lower triangle is in
 * the file, of a skew-symmetric one (the upper is the lower with the sign turned) without the
 * diagonal. The elements of a pattern are 1. Coordinates become sparse rows, an array becomes
 * a dense one. Complex numbers are refused.
 */
#include "core/alloc.h"
#include "data/csv_split.h"
#include "data/number.h"
#include "data/reader.h"
#include "data/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef enum symmetry { GENERAL, SYMMETRIC, SKEW } symmetry;

/* The file being read. */
typedef struct market {
    im_text text;
    const char *path;
    imsat_error *err;
    bool array, pattern;
    symmetry symmetry;
    size_t rows, columns;
    size_t elements; /* lines of elements that there must be */
} market;

static bool mtx_holds(const im_bytes *bytes)
{
    static const char magic[] = "%%MatrixMarket";
    return bytes->size >= sizeof magic - 1 &&
           strncasecmp((const char *)bytes->data, magic, sizeof magic - 1) == 0;
}

/* ---- lines ---------------------------------------------------------------------- */

/* The next field of what is left of a line, empty at its end. */
static im_span next_field(im_span *left)
{
    while (left->size > 0 && (*left->at == ' ' || *left->at == '\t'))
        left->at++, left->size--;
    im_span field = {left->at, 0};
    while (left->size > 0 && *left->at != ' ' && *left->at != '\t')
        left->at++, left->size--;
    field.size = (size_t)(left->at - field.at);
    return field;
}

/* The next line that is neither blank nor a comment; at NULL: there is none. */
static imsat_status next_line(market *m, im_span *line)
{
    imsat_status st = IMSAT_OK;
    for (;;) {
        IM_TRY(im_text_line(&m->text, &line->at, &line->size, m->err));
        im_span left = *line;
        if (!line->at || (*line->at != '%' && next_field(&left).size > 0))
            return IMSAT_OK;
    }

cleanup:
    return st;
}

static imsat_status refuse_line(const market *m, const char *expected)
{
    return im_fail(m->err, IMSAT_EFORMAT, "%s: line %zu: expected %s", m->path, m->text.line,
                   expected);
}

/* A number of 1 to 18 digits. */
static bool parse_size(size_t *out, im_span field)
{
    *out = 0;
    for (size_t i = 0; i < field.size; i++) {
        if (field.at[i] < '0' || field.at[i] > '9')
            return false;
        *out = *out * 10 + (size_t)(field.at[i] - '0');
    }
    return field.size > 0 && field.size <= 18;
}

/* ---- what follows ------------------------------------------------------------------ */

static bool is_word(im_span field, const char *word)
{
    return field.size == strlen(word) && strncasecmp(field.at, word, field.size) == 0;
}

static imsat_status read_banner(market *m)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    IM_TRY(im_text_line(&m->text, &line.at, &line.size, m->err));
    next_field(&line); /* %%MatrixMarket */
    const im_span object = next_field(&line), layout = next_field(&line);
    const im_span numbers = next_field(&line), sides = next_field(&line);
    m->array = is_word(layout, "array");
    m->pattern = is_word(numbers, "pattern");
    m->symmetry = is_word(sides, "symmetric")        ? SYMMETRIC
                  : is_word(sides, "skew-symmetric") ? SKEW
                                                     : GENERAL;
    const bool real =
        is_word(numbers, "real") || is_word(numbers, "double") || is_word(numbers, "integer");
    if (!is_word(object, "matrix") || (!m->array && !is_word(layout, "coordinate")) ||
        (!real && !(m->pattern && !m->array)) ||
        (m->symmetry == GENERAL && !is_word(sides, "general")))
        st = refuse_line(m, "'%%MatrixMarket matrix', then coordinate or array, then real, "
                            "integer or, of coordinates, pattern, then general, symmetric or "
                            "skew-symmetric");

cleanup:
    return st;
}

/* How many values the file has of a matrix that is an array. */
static size_t array_elements(const market *m)
{
    const size_t n = m->rows;
    return m->symmetry == GENERAL     ? n * m->columns
           : m->symmetry == SYMMETRIC ? n * (n + 1) / 2
                                      : n * (n - 1) / 2;
}

/* No file has more rows or columns than bytes, but of zeros: they would take more memory than
 * what the file has of them. */
static imsat_status check_sizes(const market *m)
{
    size_t all;
    const size_t limit = m->text.bytes->stream ? UINT32_MAX : m->text.bytes->size;
    if (m->rows == 0 || m->columns == 0)
        return im_fail(m->err, IMSAT_EFORMAT,
                       "%s: holds nothing: it has %zu rows and %zu "
                       "columns",
                       m->path, m->rows, m->columns);
    if (m->rows > limit || m->rows > UINT32_MAX || m->columns >= INT32_MAX)
        return im_fail(
            m->err, IMSAT_EFORMAT,
            "%s: line %zu: %zu rows and %zu columns are more than the file can hold", m->path,
            m->text.line, m->rows, m->columns);
    if (m->symmetry != GENERAL && m->rows != m->columns)
        return im_fail(m->err, IMSAT_EFORMAT,
                       "%s: line %zu: %zu rows and %zu columns are not symmetric", m->path,
                       m->text.line, m->rows, m->columns);
    if (m->array && (!im_size_mul(&all, m->rows, m->columns) || all / 2 > limit))
        return im_fail(m->err, IMSAT_EFORMAT,
                       "%s: line %zu: %zu x %zu values are more than the file can hold",
                       m->path, m->text.line, m->rows, m->columns);
    return im_bytes_afford(m->text.bytes, m->rows * sizeof(int64_t), m->err);
}

static imsat_status read_sizes(market *m)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    IM_TRY(next_line(m, &line));
    if (!line.at)
        return im_fail(m->err, IMSAT_EFORMAT, "%s: ends before the line of its sizes",
                       m->path);
    if (!parse_size(&m->rows, next_field(&line)) ||
        !parse_size(&m->columns, next_field(&line)) ||
        (!m->array && !parse_size(&m->elements, next_field(&line))) ||
        next_field(&line).size > 0)
        return refuse_line(m, m->array ? "two sizes: rows and columns"
                                       : "three sizes: rows, columns and elements");
    IM_TRY(check_sizes(m));
    if (m->array)
        m->elements = array_elements(m);

cleanup:
    return st;
}

/* ---- elements -------------------------------------------------------------------------- */

static imsat_status parse_value(const market *m, double *value, im_span field)
{
    char word[IM_WORD_ROOM];
    if (im_number_parse(value, field.at, field.size) == IM_NUMBER_FINITE &&
        isfinite((float)*value))
        return IMSAT_OK;
    im_csv_word(word, field);
    return im_fail(m->err, IMSAT_EFORMAT,
                   "%s: line %zu: '%s' is not a finite number in the range of float", m->path,
                   m->text.line, word);
}

/* The line of the next element, or what is wrong: too few, or more than there must be. */
static imsat_status element_line(market *m, im_span *line, size_t done)
{
    imsat_status st = IMSAT_OK;
    IM_TRY(next_line(m, line));
    if (!line->at && done < m->elements)
        st = im_fail(m->err, IMSAT_EFORMAT, "%s: ends after %zu of %zu elements", m->path,
                     done, m->elements);
    if (line->at && done == m->elements)
        st = im_fail(m->err, IMSAT_EFORMAT, "%s: line %zu: goes on after %zu elements",
                     m->path, m->text.line, m->elements);

cleanup:
    return st;
}

/* ROW COLUMN [VALUE] to the sorter, and to the other side of the diagonal. */
static imsat_status add_coordinate(market *m, im_csr_sorter *sorter, im_span line)
{
    imsat_status st = IMSAT_OK;
    size_t row, column;
    double value = 1;
    if (!parse_size(&row, next_field(&line)) || !parse_size(&column, next_field(&line)))
        return refuse_line(m, "ROW COLUMN and a value");
    if (!m->pattern)
        IM_TRY(parse_value(m, &value, next_field(&line)));
    if (next_field(&line).size > 0)
        return refuse_line(m, "no more on the line");
    if (row < 1 || row > m->rows || column < 1 || column > m->columns)
        return im_fail(m->err, IMSAT_EFORMAT,
                       "%s: line %zu: row %zu, column %zu (from 1) of %zu x %zu", m->path,
                       m->text.line, row, column, m->rows, m->columns);
    if (m->symmetry != GENERAL && (row < column || (row == column && m->symmetry == SKEW)))
        return refuse_line(m, "an element below the diagonal, of a symmetric matrix");
    IM_TRY(im_csr_sort_add(sorter, row - 1, (int32_t)(column - 1), (float)value, m->err));
    if (m->symmetry != GENERAL && row != column)
        IM_TRY(im_csr_sort_add(sorter, column - 1, (int32_t)(row - 1),
                               (float)(m->symmetry == SKEW ? -value : value), m->err));

cleanup:
    return st;
}

static imsat_status read_coordinates(im_block *block, market *m)
{
    imsat_status st = IMSAT_OK;
    im_csr_sorter sorter = {0};
    im_csr csr = {0};
    im_span line;
    IM_TRY(im_csr_sort_begin(&sorter, m->rows, m->err));
    for (size_t done = 0;; done++) {
        IM_TRY(element_line(m, &line, done));
        if (!line.at)
            break;
        IM_TRY(add_coordinate(m, &sorter, line));
        IM_TRY(im_bytes_afford(m->text.bytes, sorter.triplets.count * 2 * sorter.triplets.size,
                               m->err));
    }
    const size_t elements = sorter.triplets.count;
    IM_TRY(im_csr_sort_finish(&csr, &sorter, m->columns, m->path, 1, m->err));
    im_block_set_csr(block, &csr);
    IM_TRY(im_block_describe(block, m->err, "Matrix Market (%zu, %zu), sparse, %zu elements",
                             m->rows, m->columns, elements));

cleanup:
    im_csr_sort_clear(&sorter);
    im_csr_clear(&csr);
    return st;
}

/* Values that came column after column, to their places (rows,columns). */
typedef struct placing {
    const market *market;
    float *out;
    size_t row, column; /* of the next one */
} placing;

static void place(void *context, const void *elements, size_t count)
{
    placing *p = context;
    const market *m = p->market;
    const float *from = elements;
    for (size_t i = 0; i < count; i++, p->row++) {
        if (p->row == m->rows) {
            p->column++;
            p->row = m->symmetry == GENERAL ? 0 : p->column + (m->symmetry == SKEW);
        }
        p->out[p->row * m->columns + p->column] = from[i];
        if (m->symmetry != GENERAL && p->row != p->column)
            p->out[p->column * m->columns + p->row] = m->symmetry == SKEW ? -from[i] : from[i];
    }
}

static imsat_status read_values(market *m, im_pile *values)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    for (;;) {
        double value;
        IM_TRY(element_line(m, &line, values->count));
        if (!line.at)
            break;
        IM_TRY(parse_value(m, &value, next_field(&line)));
        if (next_field(&line).size > 0)
            return refuse_line(m, "one value");
        float *to = im_pile_next(values);
        if (!to)
            return im_fail_memory(m->err, m->path);
        *to = (float)value;
        IM_TRY(im_bytes_afford(m->text.bytes, values->count * 2 * values->size, m->err));
    }

cleanup:
    return st;
}

static imsat_status read_array(im_block *block, market *m)
{
    imsat_status st = IMSAT_OK;
    const size_t shape[] = {m->rows, m->columns};
    im_pile values = {.size = sizeof(float)};
    IM_TRY(read_values(m, &values));
    placing to = {.market = m, .row = m->symmetry == SKEW ? 1 : 0};
    block->bytes.heap = to.out = im_alloc(m->rows * m->columns, sizeof *to.out);
    if (!to.out) {
        st = im_fail_memory(m->err, m->path);
        goto cleanup;
    }
    im_pile_drain(&values, place, &to);
    block->dtype = IM_F32;
    block->bytes.size = m->rows * m->columns * sizeof *to.out;
    block->base = block->bytes.data = block->bytes.heap;
    IM_TRY(im_block_set_shape(block, shape, 2, m->path, m->err));
    IM_TRY(im_block_describe(block, m->err, "Matrix Market (%zu, %zu), as float32 in memory",
                             m->rows, m->columns));

cleanup:
    im_pile_clear(&values);
    return st;
}

static imsat_status mtx_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    market m = {.path = request->path, .err = err};
    im_block block = {0};
    IM_TRY(im_text_begin(&m.text, bytes, err));
    IM_TRY(read_banner(&m));
    IM_TRY(read_sizes(&m));
    IM_TRY(m.array ? read_array(&block, &m) : read_coordinates(&block, &m));
    IM_TRY(im_bytes_check(bytes, IMSAT_OK, err));
    im_bytes_clear(bytes);
    *out = block;
    block = (im_block){0};

cleanup:
    im_text_clear(&m.text);
    im_block_clear(&block);
    return st;
}

const im_reader im_mtx_reader = {
    .format = {"mtx", "a matrix of Matrix Market, sparse or dense, as text", ".mtx .mm", NULL},
    .holds = mtx_holds,
    .read = mtx_read};
