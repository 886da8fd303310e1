/* SPDX-License-Identifier: MIT
 *
 * See distinct.h. Of each column the different values of a sample are counted, as they are in
 * the data and as float. Unit norm makes one value of two by itself, so there what counts is
 * the prepared values before they are rounded.
 *
 * Before, values are the same that differ in the last 9 of 53 bits: 0.1 + 0.2 and 0.3 are not
 * two values that anybody wants kept apart. */
#include "data/distinct.h"

#include "core/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_ROWS = 4096,      /* of the sample */
    MOST_VALUES = 1 << 20, /* of the sample, all columns together */
    FEWEST_ROWS = 256,
    SLOTS = 4 * MOST_ROWS, /* of the set of values; a power of two */
    BLUR = 9,              /* bits */
    SHARE = 16             /* a loss of one in so many is told */
};

typedef struct sample {
    const imsat_data *data;
    const im_preprocess *pre;
    size_t rows;
    uint64_t *before; /* (rows, dim) */
    uint64_t *after;  /* (rows, dim) */
    uint64_t *set;    /* (SLOTS) */
    double *x;        /* (dim) */
    float *row;       /* (dim) */
} sample;

/* A column and its different values. */
typedef struct loss {
    size_t column, before, after;
} loss;

/* ---- the sample ----------------------------------------------------------------- */

static void clear(sample *s)
{
    im_free(s->before);
    im_free(s->after);
    im_free(s->set);
    im_free(s->x);
    im_free(s->row);
}

static imsat_status open(sample *s, imsat_error *err)
{
    const size_t dim = s->data->dim;
    const size_t fit = MOST_VALUES / dim > FEWEST_ROWS ? MOST_VALUES / dim : FEWEST_ROWS;
    const size_t left = im_alloc_left() / 4 / (2 * sizeof *s->before) / dim + 1;
    size_t values;
    s->rows = im_size_min(s->data->rows, im_size_min(im_size_min(fit, left), MOST_ROWS));
    if (im_size_mul(&values, s->rows, dim)) {
        s->before = im_alloc(values, sizeof *s->before);
        s->after = im_alloc(values, sizeof *s->after);
    }
    s->set = im_alloc(SLOTS, sizeof *s->set);
    s->x = im_alloc(dim, sizeof *s->x);
    s->row = im_alloc(dim, sizeof *s->row);
    return s->before && s->after && s->set && s->x && s->row
               ? IMSAT_OK
               : im_fail_memory(err, "a sample of the rows");
}

/* The bits of a number; those of -0 are those of 0. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The same without the last BLUR bits, to the nearest. */
static uint64_t blurred(double x)
{
    return (bits_of(x) + (UINT64_C(1) << (BLUR - 1))) >> BLUR;
}

static void take_row(sample *s, size_t i)
{
    const size_t dim = s->data->dim, row = i * s->data->rows / s->rows;
    const im_preprocess none = {.dim = dim, .scale = 1};
    im_preprocess_exact(s->x, s->data, row, s->pre->unit_norm ? s->pre : &none, s->row);
    for (size_t j = 0; j < dim; j++)
        s->before[i * dim + j] = blurred(s->x[j]);
    im_preprocess_read(s->row, s->data, row, s->pre, s->x);
    for (size_t j = 0; j < dim; j++)
        s->after[i * dim + j] = bits_of(s->row[j]);
}

/* ---- counting --------------------------------------------------------------------- */

/* Put a key into a set, which is all 0 when it is empty; true: it was not there. */
static bool put(uint64_t *set, uint64_t key)
{
    const uint64_t mark = key + 1; /* no bits of a number are all 1 */
    size_t at = (size_t)((mark * UINT64_C(0x9E3779B97F4A7C15)) >> 40) % SLOTS;
    while (set[at] && set[at] != mark)
        at = (at + 1) % SLOTS;
    const bool is_new = !set[at];
    set[at] = mark;
    return is_new;
}

static size_t count_distinct(sample *s, const uint64_t *keys, size_t column)
{
    size_t count = 0;
    memset(s->set, 0, SLOTS * sizeof *s->set);
    for (size_t i = 0; i < s->rows; i++)
        count += put(s->set, keys[i * s->data->dim + column]);
    return count;
}

/* The column that loses the largest share. */
static loss find_worst(sample *s)
{
    loss worst = {0, 1, 1};
    for (size_t j = 0; j < s->data->dim; j++) {
        const loss l = {j, count_distinct(s, s->before, j), count_distinct(s, s->after, j)};
        if ((double)l.after * (double)worst.before < (double)worst.after * (double)l.before)
            worst = l;
    }
    return worst;
}

/* ---- what is said ------------------------------------------------------------------ */

/* The row whose value in a column is largest once it is prepared. */
static size_t largest_of_column(sample *s, size_t column)
{
    size_t row = 0;
    double most = -1;
    for (size_t i = 0; i < s->data->rows; i++) {
        im_preprocess_exact(s->x, s->data, i, s->pre, s->row);
        if (fabs(s->x[column]) > most) {
            most = fabs(s->x[column]);
            row = i;
        }
    }
    return row;
}

static void tell(char text[IM_DISTINCT_ROOM], sample *s, loss l)
{
    const int used = snprintf(text, IM_DISTINCT_ROOM,
                              "column %zu (from 0) has %zu different values in %zu rows, of "
                              "which %zu are left when they are rounded to float; ",
                              l.column, l.before, s->rows, l.after);
    char *more = text + used;
    const size_t room = IM_DISTINCT_ROOM - (size_t)used;
    if (!s->pre->center && !s->pre->standardize) {
        snprintf(more, room, "--center or --standardize keeps them apart");
        return;
    }
    const size_t row = largest_of_column(s, l.column);
    snprintf(more, room,
             "they are lost beside %g in row %zu (from 0): mend or leave out that row",
             im_data_value(s->data, row, l.column), row);
}

/* Numbers of 8 and 16 bits cannot come so near to each other. */
static bool can_lose(const imsat_data *data)
{
    for (size_t b = 0; b < data->nblocks; b++)
        if (im_dtype_is_wide(data->blocks[b].dtype) ||
            im_dtype_is_float(data->blocks[b].dtype))
            return true;
    return false;
}

imsat_status im_distinct_note(char text[IM_DISTINCT_ROOM], const imsat_data *data,
                              const im_preprocess *pre, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    sample s = {.data = data, .pre = pre};
    text[0] = '\0';
    if (!can_lose(data))
        return IMSAT_OK;
    IM_TRY(open(&s, err));
    for (size_t i = 0; i < s.rows; i++)
        take_row(&s, i);
    const loss worst = find_worst(&s);
    if (SHARE * (worst.before - worst.after) > worst.before)
        tell(text, &s, worst);

cleanup:
    clear(&s);
    return st;
}
