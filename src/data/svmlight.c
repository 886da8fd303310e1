/* SPDX-License-Identifier: MIT
 *
 * svmlight, which libsvm reads and writes, too: sparse rows as text, a line a row.
 *
 *     LABEL [qid:N] COLUMN:VALUE COLUMN:VALUE ... # comment
 *
 * Blanks or tabs stand between the fields; a line of nothing but a comment, or of nothing, is
 * no row. The label may be left out, in all rows or in none; it is a number or a word. qid,
 * which says what rows belong to one query, is skipped. Columns may come in any order.
 *
 * A file of rows without labels, or with words for labels, is known by its name alone: a table
 * whose last column are times, such as "a,2024-01-31 12:30", looks the same.
 *
 * Columns count from 1, as in libsvm, unless a comment before the first row says that they are
 * "zero-based", as scikit-learn writes it, or a column 0 occurs. How many there are no file
 * says: one more than the largest that occurs.
 */
#include "core/alloc.h"
#include "core/path.h"
#include "data/csv_split.h"
#include "data/number.h"
#include "data/reader.h"
#include "data/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOK_BYTES = 1 << 16, LOOK_ROWS = 16, WHERE_ROOM = 400, BYTES_A_ROW = 64 };

/* The file being read. */
typedef struct svm {
    im_text text;
    const char *path;
    imsat_error *err;
    im_label_list *labels; /* or NULL: they are not wanted */
    im_csr_builder rows;
    bool labeled;             /* the rows have labels */
    bool any_zero;            /* a column 0 occurs */
    bool from_zero, from_one; /* a comment says so */
} svm;

/* ---- fields -------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next field of what is left of a line, before a comment; false: there is none. */
static bool next_field(im_span *left, im_span *field)
{
    while (left->size > 0 && is_blank(*left->at))
        left->at++, left->size--;
    if (left->size == 0 || *left->at == '#')
        return false;
    field->at = left->at;
    while (left->size > 0 && !is_blank(*left->at) && *left->at != '#')
        left->at++, left->size--;
    field->size = (size_t)(left->at - field->at);
    return true;
}

/* COLUMN:VALUE. Whether it is one; the value may yet be out of range. */
static bool parse_element(int64_t *column, double *value, im_number *kind, im_span field)
{
    const char *colon = memchr(field.at, ':', field.size);
    const char *at = field.at;
    if (!colon || colon == at || colon - at > 10)
        return false;
    for (*column = 0; at < colon; at++) {
        if (!isdigit((unsigned char)*at))
            return false;
        *column = *column * 10 + (*at - '0');
    }
    *kind = im_number_parse(value, colon + 1, field.size - (size_t)(colon + 1 - field.at));
    return *kind != IM_NUMBER_NONE;
}

static bool is_qid(im_span field)
{
    return field.size > 4 && memcmp(field.at, "qid:", 4) == 0;
}

/* ---- what it looks like ------------------------------------------------------------ */

/* What was seen of the first lines. */
typedef struct look {
    size_t elements;
    bool labels; /* no row is without one, and all are numbers */
} look;

/* Whether a line can be a row. One that is cut off may end anywhere in a field. */
static bool looks_like_row(look *seen, im_span line, bool whole)
{
    im_span field;
    for (size_t i = 0; next_field(&line, &field); i++) {
        int64_t column;
        double value;
        im_number kind;
        const bool label = i == 0 && !memchr(field.at, ':', field.size);
        if (i == 0)
            seen->labels &=
                label && im_number_parse(&value, field.at, field.size) == IM_NUMBER_FINITE;
        if (parse_element(&column, &value, &kind, field))
            seen->elements++;
        else if (!label && !is_qid(field) && (whole || line.size > 0))
            return false;
    }
    return true;
}

/* The first rows look like rows with numbers for labels, and one of them has an element. */
static bool svm_holds(const im_bytes *bytes)
{
    const size_t size = bytes->size < LOOK_BYTES ? bytes->size : LOOK_BYTES;
    const char *at = (const char *)bytes->data, *end = at + size;
    look seen = {.labels = true};
    for (size_t rows = 0; at < end && rows < LOOK_ROWS; rows++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        im_span line = {at, (size_t)((newline ? newline : end) - at)};
        if (line.size > 0 && line.at[line.size - 1] == '\r')
            line.size--;
        if (!looks_like_row(&seen, line, newline || size == bytes->size))
            return false;
        at = newline ? newline + 1 : end;
    }
    return seen.labels && seen.elements > 0;
}

/* ---- rows -------------------------------------------------------------------------- */

static imsat_status refuse_field(const svm *s, im_span field)
{
    char word[IM_WORD_ROOM];
    im_csv_word(word, field);
    return im_fail(s->err, IMSAT_EFORMAT,
                   "%s: line %zu: '%s' is not COLUMN:VALUE, with a column from 0 to %ld and a "
                   "finite value in the range of float",
                   s->path, s->text.line, word, (long)INT32_MAX - 1);
}

static imsat_status add_element(svm *s, im_span field)
{
    int64_t column;
    double value;
    im_number kind;
    if (!parse_element(&column, &value, &kind, field) || kind != IM_NUMBER_FINITE ||
        !isfinite((float)value) || column >= INT32_MAX)
        return refuse_field(s, field);
    s->any_zero |= column == 0;
    return im_csr_add(&s->rows, (int32_t)column, (float)value, s->err);
}

/* The first field, if it is a label. */
static imsat_status take_label(svm *s, im_span *line)
{
    im_span left = *line, field;
    const bool first = s->rows.counts.count == 0;
    const bool there = next_field(&left, &field) && !memchr(field.at, ':', field.size);
    if (first)
        s->labeled = there;
    if (there != s->labeled)
        return im_fail(s->err, IMSAT_EFORMAT, "%s: line %zu has %s label; the rows before %s",
                       s->path, s->text.line, there ? "a" : "no",
                       there ? "have none" : "have one");
    if (!there)
        return IMSAT_OK;
    *line = left;
    return s->labels ? im_label_list_add_text(s->labels, field.at, field.size, s->err)
                     : IMSAT_OK;
}

static imsat_status add_row(svm *s, im_span line)
{
    imsat_status st = IMSAT_OK;
    char where[WHERE_ROOM];
    im_span field;
    IM_TRY(take_label(s, &line));
    while (next_field(&line, &field))
        if (!is_qid(field))
            IM_TRY(add_element(s, field));
    snprintf(where, sizeof where, "%s: line %zu", s->path, s->text.line);
    IM_TRY(im_csr_end_row(&s->rows, where, 0, s->err));
    IM_TRY(im_bytes_afford(s->text.bytes,
                           s->rows.entries.count * 2 * sizeof(im_csr_entry) +
                               s->rows.counts.count * BYTES_A_ROW,
                           s->err));

cleanup:
    return st;
}

/* Whether the text has the word. */
static bool has_word(im_span text, const char *word)
{
    const size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++)
        if (memcmp(text.at + i, word, size) == 0)
            return true;
    return false;
}

static imsat_status read_lines(svm *s)
{
    imsat_status st = IMSAT_OK;
    im_span line;
    for (;;) {
        IM_TRY(im_text_line(&s->text, &line.at, &line.size, s->err));
        if (!line.at)
            break;
        im_span left = line, field;
        if (next_field(&left, &field)) {
            IM_TRY(add_row(s, line));
        } else if (s->rows.counts.count == 0) {
            s->from_zero |= has_word(line, "zero-based");
            s->from_one |= has_word(line, "one-based");
        }
    }
    if (s->rows.columns == 0)
        st = im_fail(s->err, IMSAT_EFORMAT, "%s: no row has an element that is not zero",
                     s->path);
    else if (s->from_one && s->any_zero)
        st = im_fail(s->err, IMSAT_EFORMAT,
                     "%s: has a column 0, but says that columns are one-based", s->path);

cleanup:
    return st;
}

/* ---- the block ----------------------------------------------------------------------- */

static imsat_status make_block(im_block *block, svm *s)
{
    imsat_status st = IMSAT_OK;
    const bool from_one = !s->any_zero && !s->from_zero;
    const size_t elements = s->rows.entries.count;
    im_csr csr = {0};
    IM_TRY(im_csr_finish(&csr, &s->rows, s->rows.columns, s->err));
    if (from_one)
        im_csr_count_from_one(&csr);
    im_block_set_csr(block, &csr);
    block->dim_open = true;
    IM_TRY(im_block_describe(
        block, s->err, "svmlight (%zu, %zu), sparse, %zu elements, columns from %d%s",
        block->rows, block->dim, elements, from_one, s->labeled ? ", with labels" : ""));

cleanup:
    im_csr_clear(&csr);
    return st;
}

static imsat_status svm_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    svm s = {.path = request->path, .err = err, .labels = request->labels};
    im_block block = {0};
    im_csr_begin(&s.rows);
    IM_TRY(im_text_begin(&s.text, bytes, err));
    IM_TRY(read_lines(&s));
    IM_TRY(make_block(&block, &s));
    IM_TRY(im_bytes_check(bytes, IMSAT_OK, err));
    im_bytes_clear(bytes);
    *out = block;
    block = (im_block){0};

cleanup:
    im_text_clear(&s.text);
    im_csr_builder_clear(&s.rows);
    im_block_clear(&block);
    return st;
}

const im_reader im_svmlight_reader = {
    .format = {"svmlight", "sparse rows as text, as svmlight and libsvm have them",
               ".svm .svmlight .libsvm", NULL},
    .holds = svm_holds,
    .read = svm_read};
