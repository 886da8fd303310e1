/* SPDX-License-Identifier: MIT
 * See centers.h. */
#include "linear/centers.h"

#include "core/alloc.h"

#include <math.h>

/* Up by more than all roundings of a few operations in float or double. */
static const double UP = 1 + 0x1p-20;

struct im_ranked {
    double value;
    uint32_t number;
};
typedef struct im_ranked ranked;

static void carve(im_centers *c, im_carver *carver)
{
    c->number = im_carve(carver, c->columns, sizeof *c->number);
    c->column = im_carve(carver, c->k, sizeof *c->column);
    c->at = im_carve(carver, c->columns * c->d, sizeof *c->at);
    c->packed = im_carve(carver, c->columns * c->d, sizeof *c->packed);
    c->half = im_carve(carver, c->columns, sizeof *c->half);
    c->drift = im_carve(carver, c->columns, sizeof *c->drift);
    c->slot_drift = im_carve(carver, c->panels * c->slots, sizeof *c->slot_drift);
    c->ranked = im_carve(carver, c->k, sizeof *c->ranked);
}

imsat_status im_centers_new(im_centers *out, size_t k, size_t d, imsat_error *err)
{
    im_centers c = {.k = k, .d = d, .panels = im_gemm_panels(k)};
    im_carver carver = {NULL, 0};
    c.columns = c.panels * IM_GEMM_NR;
    c.width = k <= IM_GEMM_NR ? 1 : IM_GEMM_NR;
    c.slots = IM_GEMM_NR / c.width;
    carve(&c, &carver);
    c.memory = im_alloc(1, carver.used);
    if (!c.memory)
        return im_fail_memory(err, "the centers of clusters");
    carver = (im_carver){c.memory, 0};
    carve(&c, &carver);
    *out = c;
    return IMSAT_OK;
}

void im_centers_clear(im_centers *centers)
{
    im_free(centers->memory);
    *centers = (im_centers){0};
}

/* ---- which center is in which column --------------------------------------- */

static double sq_distance(const im_real *a, const im_real *b, size_t d)
{
    double sq = 0;
    for (size_t j = 0; j < d; j++)
        sq += ((double)a[j] - b[j]) * ((double)a[j] - b[j]);
    return sq;
}

/* Of `count` centers, the one farthest from center `from`. */
static uint32_t farthest(const uint32_t *list, size_t count, const im_real *start,
                         uint32_t from, size_t d)
{
    uint32_t found = from;
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        const double sq = sq_distance(start + list[i] * d, start + from * d, d);
        if (sq > most) {
            most = sq;
            found = list[i];
        }
    }
    return found;
}

static int by_value(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Sort a list of centers along the line between two that are far apart. */
static void sort_along(uint32_t *list, size_t count, const im_real *start, size_t d,
                       ranked *scratch)
{
    const uint32_t a = farthest(list, count, start, list[0], d);
    const uint32_t b = farthest(list, count, start, a, d);
    for (size_t i = 0; i < count; i++) {
        const im_real *c = start + list[i] * d;
        scratch[i] = (ranked){
            sq_distance(c, start + a * d, d) - sq_distance(c, start + b * d, d), list[i]};
    }
    qsort(scratch, count, sizeof *scratch, by_value);
    for (size_t i = 0; i < count; i++)
        list[i] = scratch[i].number;
}

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Cut a list of centers in two again and again until a part fills a panel. In it, numbers
 * ascend: of two that are equally near the first column has the lower number. */
static void part(uint32_t *list, size_t count, const im_real *start, size_t d, ranked *scratch)
{
    const size_t panels = im_gemm_panels(count), left = panels / 2 * IM_GEMM_NR;
    if (panels == 1) {
        qsort(list, count, sizeof *list, ascending);
        return;
    }
    sort_along(list, count, start, d, scratch);
    part(list, left, start, d, scratch);
    part(list + left, count - left, start, d, scratch);
}

void im_centers_start(im_centers *centers, const im_real *start)
{
    const size_t d = centers->d;
    for (size_t c = 0; c < centers->columns; c++) {
        centers->number[c] = (uint32_t)c;
        centers->half[c] = INFINITY;
    }
    part(centers->number, centers->k, start, d, centers->ranked);
    for (size_t c = 0; c < centers->k; c++) {
        const uint32_t number = centers->number[c];
        centers->column[number] = (uint32_t)c;
        memcpy(centers->at + c * d, start + number * d, d * sizeof *start);
        centers->drift[c] = INFINITY;
    }
    for (size_t panel = 0; panel < centers->panels; panel++)
        im_centers_pack(centers, panel);
    im_centers_settle(centers);
}

/* ---- moving them ----------------------------------------------------------- */

void im_centers_move(im_centers *centers, size_t column, const double *to)
{
    im_real *at = centers->at + column * centers->d;
    double sq = 0;
    for (size_t j = 0; to && j < centers->d; j++) {
        const im_real old = at[j];
        at[j] = (im_real)to[j];
        sq += ((double)at[j] - old) * ((double)at[j] - old);
    }
    centers->drift[column] = (float)(sqrt(sq) * UP);
}

void im_centers_pack(im_centers *centers, size_t panel)
{
    const size_t d = centers->d, first = panel * IM_GEMM_NR, left = centers->k - first;
    const size_t count = left < IM_GEMM_NR ? left : IM_GEMM_NR;
    im_gemm_pack(centers->packed, centers->at, d, IM_TRANS, d, centers->k, panel, 1);
    for (size_t c = first; c < first + count; c++) {
        double sq = 0;
        for (size_t j = 0; j < d; j++)
            sq += (double)centers->at[c * d + j] * centers->at[c * d + j];
        centers->half[c] = (im_real)(sq / 2);
    }
}

void im_centers_settle(im_centers *centers)
{
    double most = 0;
    for (size_t i = 0; i < centers->panels * centers->slots; i++)
        centers->slot_drift[i] = 0;
    for (size_t c = 0; c < centers->k; c++) {
        const size_t panel = c / IM_GEMM_NR, slot = c % centers->slots;
        float *far = &centers->slot_drift[panel * centers->slots + slot];
        *far = fmaxf(*far, centers->drift[c]);
        most = fmax(most, (double)centers->half[c]);
    }
    centers->reach = sqrt(2 * most) * UP;
}
