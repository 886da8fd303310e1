/* SPDX-License-Identifier: MIT
 * See hash_case.h. */
#include "hash_case.h"

#include "core/alloc.h"
#include "core/rng.h"

#include <assert.h>

static bool bit_of(const uint8_t *code, size_t bit)
{
    return code[bit / 8] >> (7 - bit % 8) & 1;
}

void hash_side_make(hash_side *side, size_t rows, size_t bits, int classes, uint64_t seed)
{
    const size_t bytes = (bits + 7) / 8;
    double *u = im_alloc(bits + 2, sizeof *u);
    *side =
        (hash_side){{im_alloc(rows, bytes), rows, bits}, im_alloc(rows, sizeof *side->labels)};
    assert(u && side->codes.bytes && side->labels);
    for (size_t i = 0; i < rows; i++) {
        im_rng_uniforms(u, bits + 2, (im_rng){seed, IM_STREAM_BATCH, 0, 0}, (uint32_t)i);
        const size_t class = (size_t)(u[0] * classes);
        side->labels[i] = (int32_t) class - 1;
        for (size_t b = 0; b < bits; b++) {
            const bool flip = u[2 + b] < (b < 9 || u[1] < 0.2 ? 0.25 : 0);
            if ((((class + 1) * (b + 3) / 4) % 2 == 1) != flip)
                side->codes.bytes[i * bytes + b / 8] |= (uint8_t)(0x80U >> b % 8);
        }
    }
    im_free(u);
}

void hash_side_clear(hash_side *side)
{
    im_free(side->codes.bytes);
    im_free(side->labels);
    *side = (hash_side){0};
}

static int compare(const void *a, const void *b)
{
    const hash_entry *x = a, *y = b;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

void hash_sort(hash_entry *entries, size_t n)
{
    qsort(entries, n, sizeof *entries, compare);
}

void hash_entries(hash_entry *out, const hash_side *gallery, const hash_side *queries,
                  size_t q)
{
    const size_t bits = gallery->codes.bits, bytes = (bits + 7) / 8;
    for (size_t i = 0; i < gallery->codes.rows; i++) {
        out[i] =
            (hash_entry){.place = i, .relevant = gallery->labels[i] == queries->labels[q]};
        for (size_t b = 0; b < bits; b++)
            out[i].distance += bit_of(gallery->codes.bytes + i * bytes, b) !=
                               bit_of(queries->codes.bytes + q * bytes, b);
    }
    hash_sort(out, gallery->codes.rows);
}

double hash_ap_listed(const hash_entry *entries, size_t n)
{
    double sum = 0, relevant = 0;
    for (size_t i = 0; i < n; i++)
        if (entries[i].relevant)
            sum += ++relevant / (double)(i + 1);
    return relevant > 0 ? sum / relevant : 0;
}

double hash_at_listed(const hash_entry *entries, size_t n, size_t at)
{
    const size_t length = at < n ? at : n;
    size_t relevant = 0;
    for (size_t i = 0; i < length; i++)
        relevant += entries[i].relevant;
    return (double)relevant / (double)length;
}

double hash_ap_block(const hash_entry *entries, size_t n)
{
    double sum = 0, relevant = 0;
    for (size_t i = 0; i < n; i++) {
        double near = 0, both = 0;
        for (size_t j = 0; j < n; j++) {
            near += entries[j].distance <= entries[i].distance;
            both += entries[j].distance <= entries[i].distance && entries[j].relevant;
        }
        if (entries[i].relevant) {
            relevant++;
            sum += both / near;
        }
    }
    return relevant > 0 ? sum / relevant : 0;
}

double hash_ap_trapezoid(const hash_entry *entries, size_t n)
{
    double area = 0, relevant = 0, recall = 0, precision = 1, both = 0;
    for (size_t i = 0; i < n; i++)
        relevant += entries[i].relevant;
    for (size_t i = 0; i < n; i++) {
        both += entries[i].relevant;
        if (i + 1 < n && entries[i + 1].distance == entries[i].distance)
            continue;
        const double next_recall = both / relevant, next = both / (double)(i + 1);
        area += (next_recall - recall) * (precision + next) / 2;
        recall = next_recall;
        precision = next;
    }
    return relevant > 0 ? area : 0;
}

enum { MOST = 7 };

typedef struct orders {
    const hash_entry *entries;
    size_t n, at, place[MOST];
    double ap, precision_at, count;
} orders;

/* Give entries from `next` on the places that are not used yet, in all ways. */
static void permute(orders *o, size_t next, unsigned used)
{
    hash_entry list[MOST];
    if (next < o->n) {
        for (size_t place = 0; place < o->n; place++)
            if (!(used >> place & 1U)) {
                o->place[next] = place;
                permute(o, next + 1, used | 1U << place);
            }
        return;
    }
    for (size_t i = 0; i < o->n; i++) {
        list[i] = o->entries[i];
        list[i].place = o->place[i];
    }
    hash_sort(list, o->n);
    o->ap += hash_ap_listed(list, o->n);
    o->precision_at += hash_at_listed(list, o->n, o->at);
    o->count++;
}

void hash_expected(double *ap, double *precision_at, const hash_entry *entries, size_t n,
                   size_t at)
{
    orders o = {.entries = entries, .n = n, .at = at};
    assert(n <= MOST);
    permute(&o, 0, 0);
    *ap = o.ap / o.count;
    *precision_at = o.precision_at / o.count;
}
