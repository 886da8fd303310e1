/* SPDX-License-Identifier: MIT
 *
 * Files of 64-bit ids: integers in any format that data has, or text with one integer a line.
 * Not by way of double, as labels go: an id may need all its bits. MATLAB knows little else
 * than doubles, though, so that whole ones are ids where none is rounded.
 */
#include "core/alloc.h"
#include "core/pile.h"
#include "data/codes.h"
#include "data/reader.h"
#include "data/text.h"

#include <math.h>
#include <string.h>

/* ---- arrays ------------------------------------------------------------------ */

/* An integer of a type, in this machine's byte order; false if it does not fit. */
static bool integer_value(int64_t *out, const unsigned char *element, im_dtype dtype)
{
    const size_t size = im_dtype_size(dtype);
    const bool big_endian = !im_element_little_endian();
    const bool has_sign =
        dtype == IM_I8 || dtype == IM_I16 || dtype == IM_I32 || dtype == IM_I64;
    uint64_t word = has_sign && element[big_endian ? 0 : size - 1] & 0x80 ? ~UINT64_C(0) : 0;
    for (size_t b = 0; b < size; b++)
        word = word << 8 | element[big_endian ? b : size - 1 - b];
    memcpy(out, &word, sizeof *out);
    return has_sign || word <= INT64_MAX;
}

/* Whole numbers up to here are doubles, each its own. */
static const double MOST_EXACT = 0x1p53;

static bool whole_value(int64_t *out, double value)
{
    if (!(value > -MOST_EXACT && value < MOST_EXACT) || value != trunc(value))
        return false;
    *out = (int64_t)value;
    return true;
}

static imsat_status check_integers(const im_block *block, const im_read_request *request,
                                   imsat_error *err)
{
    const bool rounded = im_dtype_is_float(block->dtype) && block->dtype != IM_F64;
    if (rounded || block->dtype == IM_BOOL || block->dim != 1)
        return im_fail(err, IMSAT_EFORMAT, "%s: holds %s; ids are integers of shape (n)",
                       request->path, block->description);
    return IMSAT_OK;
}

/* Id i of a block. */
static imsat_status id_at(int64_t *out, const im_block *block, size_t i, const char *path,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    unsigned char element[sizeof(int64_t)];
    double value = 0;
    IM_TRY(im_block_read_raw(element, block, i, 0, 1, err));
    if (block->dtype == IM_F64) {
        memcpy(&value, element, sizeof value);
        if (!whole_value(out, value))
            st = im_fail(err, IMSAT_EFORMAT,
                         "%s: id %zu (from 0) is %.17g; ids are whole numbers, and as doubles "
                         "below 2^53",
                         path, i, value);
    } else if (!integer_value(out, element, block->dtype)) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: id %zu (from 0) does not fit 64 signed bits",
                     path, i);
    }

cleanup:
    return st;
}

static imsat_status read_array(int64_t **out, size_t *n, im_reader_file *file,
                               const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    int64_t *ids = NULL;
    const im_read_request request = {.path = path, .suits = check_integers};
    IM_TRY(im_reader_take(&block, file, &request, err));
    IM_TRY(check_integers(&block, &request, err)); /* not every format has a header */
    ids = im_alloc(block.rows, sizeof *ids);
    if (!ids) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    for (size_t i = 0; i < block.rows; i++)
        IM_TRY(id_at(&ids[i], &block, i, path, err));
    IM_TRY(im_bytes_check(&block.bytes, IMSAT_OK, err));
    *out = ids;
    *n = block.rows;
    ids = NULL;

cleanup:
    im_free(ids);
    im_block_clear(&block);
    return st;
}

/* ---- text ------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* [-] digits, and nothing else, of a number that fits. */
static bool parse_id(int64_t *out, const char *text, size_t size)
{
    const bool negative = size && text[0] == '-';
    int64_t value = 0;
    if (size == negative)
        return false;
    for (size_t i = negative; i < size; i++) {
        const int64_t digit = text[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, INT64_C(10), &value) ||
            __builtin_add_overflow(value, negative ? -digit : digit, &value))
            return false;
    }
    *out = value;
    return true;
}

/* Lines on their way to ids. */
typedef struct id_lines {
    im_pile ids;
    size_t line; /* from 1 */
    bool titled; /* the first one that is not blank was a title */
} id_lines;

/* A word in front of all ids. What begins as a number does is one that was spoiled. */
static bool is_title(const id_lines *lines, char first)
{
    return lines->ids.count == 0 && !lines->titled &&
           ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' ||
            first == '"');
}

/* The id of a line, if it is not blank, to the pile. */
static imsat_status add_line(id_lines *lines, const char *at, const char *end,
                             const char *path, imsat_error *err)
{
    int64_t id;
    while (at < end && is_blank(*at))
        at++;
    while (end > at && is_blank(end[-1]))
        end--;
    if (at == end)
        return IMSAT_OK;
    if (is_title(lines, *at)) {
        lines->titled = true;
        return IMSAT_OK;
    }
    if (!parse_id(&id, at, (size_t)(end - at)))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s, line %zu: is not an id; ids are whole numbers of 64 bits, one "
                       "a line, or an array of integers in a file of another format",
                       path, lines->line);
    int64_t *to = im_pile_next(&lines->ids);
    if (!to)
        return im_fail_memory(err, path);
    *to = id;
    return IMSAT_OK;
}

static imsat_status read_text(int64_t **out, size_t *n, im_bytes *bytes, const char *path,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_text text = {0};
    id_lines lines = {.ids = {.size = sizeof **out}, .line = 1};
    IM_TRY(im_text_begin(&text, bytes, err));
    while (text.at < text.end) {
        for (const char *at = text.at, *next; at < text.end; at = next, lines.line++) {
            const char *newline = memchr(at, '\n', (size_t)(text.end - at));
            IM_TRY(add_line(&lines, at, newline ? newline : text.end, path, err));
            next = newline ? newline + 1 : text.end;
            im_bytes_touched(bytes, at, (size_t)(next - at));
        }
        IM_TRY(im_bytes_afford(bytes, lines.ids.count * sizeof **out, err));
        IM_TRY(im_text_next(&text, err));
    }
    const size_t count = lines.ids.count;
    int64_t *joined = im_pile_join(&lines.ids);
    if (!joined) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    *out = joined;
    *n = count;

cleanup:
    im_text_clear(&text);
    im_pile_clear(&lines.ids);
    return st;
}

/* ---- both ------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

imsat_status im_ids_check(const int64_t *ids, size_t n, const char *whose, imsat_status status,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    int64_t *sorted = im_alloc(n, sizeof *sorted);
    if (!sorted)
        return im_fail_memory(err, whose);
    memcpy(sorted, ids, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0; i < n && st == IMSAT_OK; i++)
        if (sorted[i] == IMSAT_NO_ID)
            st = im_fail(err, status,
                         "%s: holds the id -1, which marks what a search did not find", whose);
        else if (i && sorted[i] == sorted[i - 1])
            st = im_fail(err, status, "%s: holds the id %lld twice", whose,
                         (long long)sorted[i]);
    im_free(sorted);
    return st;
}

imsat_status imsat_ids_read(int64_t **ids, size_t *n, const char *path, imsat_error *err)
{
    IM_REQUIRE(ids);
    IM_REQUIRE(n);
    IM_REQUIRE_PATH(path);
    imsat_status st = IMSAT_OK;
    im_reader_file file = {0};
    int64_t *read = NULL;
    size_t count = 0;
    IM_TRY(im_reader_open(&file, path, err));
    if (file.reader == &im_csv_reader)
        st = read_text(&read, &count, &file.bytes, path, err);
    else
        st = read_array(&read, &count, &file, path, err);
    IM_TRY(im_bytes_check(&file.bytes, st, err));
    if (count == 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: holds no ids", path);
        goto cleanup;
    }
    IM_TRY(im_ids_check(read, count, path, IMSAT_EFORMAT, err));
    *ids = read;
    *n = count;
    read = NULL;

cleanup:
    im_free(read);
    im_reader_close(&file);
    return st;
}
