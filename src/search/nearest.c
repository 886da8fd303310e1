/* SPDX-License-Identifier: MIT
 * The nearest codes of a query; see nearest.h. */
#include "search/nearest.h"

#include "core/alloc.h"

#include <assert.h>
#include <string.h>

/* Codes kept beyond twice the wanted ones before any are thrown out. That takes the ids of all
 * that are equally far; where these have to be read from a file, a system call each, it is
 * done rarely: 2,000 queries among 3 10^6 codes took 12 s with the usual slack. */
enum { SLACK = 64, SCANNED_SLACK = 4096 };

static size_t slack_of(const im_nearest *nearest)
{
    return nearest->index->scanned ? SCANNED_SLACK : SLACK;
}

imsat_status im_nearest_new(im_nearest *nearest, const imsat_index *index, size_t count,
                            imsat_error *err)
{
    *nearest = (im_nearest){.index = index, .count = count, .room = SLACK};
    nearest->at = im_alloc(index->bits + 1, sizeof *nearest->at);
    nearest->list = im_alloc(nearest->room, sizeof *nearest->list);
    return nearest->at && nearest->list ? IMSAT_OK
                                        : im_fail_memory(err, "the codes that are found");
}

void im_nearest_clear(im_nearest *nearest)
{
    im_free(nearest->at);
    im_free(nearest->list);
    *nearest = (im_nearest){0};
}

void im_nearest_begin(im_nearest *nearest, size_t radius)
{
    assert(radius <= nearest->index->bits);
    memset(nearest->at, 0, (nearest->index->bits + 1) * sizeof *nearest->at);
    nearest->bound = (uint32_t)radius;
    nearest->within = 0;
    nearest->length = 0;
    nearest->failed = false;
}

/* ---- throwing out ----------------------------------------------------------- */

static int64_t first_id(const imsat_index *index, im_near near)
{
    return im_index_id(index, im_index_ids(index, near.code).first);
}

static void swap(im_near *a, im_near *b)
{
    const im_near other = *a;
    *a = *b;
    *b = other;
}

/* Put the `wanted` codes with the smallest first ids in front (quickselect). No two codes have
 * the same id, unless the index is lost; then it would take as many rounds as are wanted. */
static void select_ids(im_near *list, size_t length, size_t wanted, const imsat_index *index)
{
    while (wanted < length && !im_bytes_lost(&index->memory)) {
        const int64_t pivot = first_id(index, list[length / 2]);
        size_t smaller = 0;
        swap(&list[length / 2], &list[length - 1]);
        for (size_t i = 0; i + 1 < length; i++)
            if (first_id(index, list[i]) < pivot)
                swap(&list[i], &list[smaller++]);
        swap(&list[smaller], &list[length - 1]);
        if (wanted <= smaller) {
            length = smaller;
        } else {
            list += smaller + 1;
            length -= smaller + 1;
            wanted -= smaller + 1;
        }
    }
}

/* Keep every code nearer than the bound. If these have `missing` ids fewer than are wanted,
 * then of the codes at the bound at most `missing` can be in the answer, since each of them
 * has at least one id, and they are those with the smallest first ids: the others are dropped.
 */
static void throw_out(im_nearest *nearest)
{
    if (!nearest->count || nearest->within < nearest->count)
        return;
    im_near *list = nearest->list;
    size_t nearer = 0, end = 0;
    for (size_t i = 0; i < nearest->length; i++) /* those nearer than the bound to the front */
        if (list[i].distance <= nearest->bound) {
            list[end] = list[i];
            if (list[end].distance < nearest->bound)
                swap(&list[end], &list[nearer++]);
            end++;
        }
    const uint64_t ids = nearest->within - nearest->at[nearest->bound];
    const size_t missing = nearest->count - (size_t)ids;
    if (missing < end - nearer) {
        select_ids(list + nearer, end - nearer, missing, nearest->index);
        end = nearer + missing;
    }
    nearest->length = end;
}

/* ---- adding ----------------------------------------------------------------- */

static void make_room(im_nearest *nearest)
{
    if (nearest->count && nearest->length / 2 >= nearest->count + slack_of(nearest) / 2)
        throw_out(nearest);
    if (nearest->length < nearest->room)
        return;
    im_near *grown = NULL;
    if (!im_bytes_lost(&nearest->index->memory)) /* or all codes might come, as they are 0 */
        grown =
            im_grow(nearest->list, nearest->room, 2 * nearest->room, sizeof *nearest->list);
    if (!grown) {
        nearest->failed = true;
        nearest->refused = im_alloc_refused();
        nearest->length = 0;
        return;
    }
    nearest->list = grown;
    nearest->room *= 2;
}

void im_nearest_add(im_nearest *nearest, uint32_t code, uint32_t distance)
{
    assert(code < nearest->index->distinct && distance <= nearest->bound);
    if (nearest->length == nearest->room)
        make_room(nearest);
    nearest->list[nearest->length++] = (im_near){code, distance};
    if (!nearest->count)
        return;
    const im_index_range range = im_index_ids(nearest->index, code);
    const uint64_t ids = range.end - range.first;
    nearest->at[distance] += ids;
    nearest->within += ids;
    while (nearest->within - nearest->at[nearest->bound] >= nearest->count)
        nearest->within -= nearest->at[nearest->bound--];
}

imsat_status im_nearest_end(im_found *out, im_nearest *nearest, imsat_error *err)
{
    if (!nearest->failed)
        throw_out(nearest);
    im_near *list = nearest->failed ? NULL : im_alloc(nearest->length, sizeof *nearest->list);
    if (!list) {
        if (!nearest->failed)
            nearest->refused = im_alloc_refused();
        im_alloc_refuse(nearest->refused);
        return im_fail_memory(err, "the codes that are found");
    }
    memcpy(list, nearest->list, nearest->length * sizeof *list);
    *out = (im_found){list, nearest->length, true};
    return IMSAT_OK;
}
