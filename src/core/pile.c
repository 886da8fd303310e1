/* SPDX-License-Identifier: MIT
 *
 * See pile.h. Pieces double from FIRST_BYTES to LAST_BYTES, so that a small file takes little.
 * libc gives blocks as large as the last ones back to the system when they are freed, and so
 * draining a pile to an array takes the memory of the larger of both, and a piece.
 */
#include "core/pile.h"

#include "core/alloc.h"

#include <assert.h>

enum { FIRST_BYTES = 1 << 16, LAST_BYTES = 1 << 26 };

/* Elements that piece i holds. */
static size_t room_of(const im_pile *pile, size_t i)
{
    const size_t doublings = __builtin_ctz(LAST_BYTES / FIRST_BYTES);
    const size_t bytes = (size_t)FIRST_BYTES << im_size_min(i, doublings);
    return pile->size < bytes ? bytes / pile->size : 1;
}

static bool add_piece(im_pile *pile)
{
    const size_t n = pile->piece_count, room = room_of(pile, n);
    void *piece = im_alloc_unset(room, pile->size);
    void **pieces = piece ? im_grow(pile->pieces, n, n + 1, sizeof *pieces) : NULL;
    if (!pieces) {
        im_free(piece);
        return false;
    }
    pieces[n] = piece;
    pile->pieces = pieces;
    pile->piece_count++;
    pile->used = 0;
    pile->room = room;
    return true;
}

void *im_pile_next(im_pile *pile)
{
    assert(pile->size > 0);
    if (pile->used == pile->room && !add_piece(pile))
        return NULL;
    pile->count++;
    return (char *)pile->pieces[pile->piece_count - 1] + pile->size * pile->used++;
}

void im_pile_undo(im_pile *pile)
{
    assert(pile->used > 0); /* a piece that was added has an element, until it is taken back */
    pile->used--;
    pile->count--;
}

void im_pile_drain(im_pile *pile, im_pile_fn *take, void *context)
{
    for (size_t i = 0; i < pile->piece_count; i++) {
        take(context, pile->pieces[i],
             i + 1 < pile->piece_count ? room_of(pile, i) : pile->used);
        im_free(pile->pieces[i]);
        pile->pieces[i] = NULL;
    }
    im_pile_clear(pile);
}

/* An array being filled. */
typedef struct array {
    char *next;
    size_t size; /* bytes of an element */
} array;

static void append(void *context, const void *elements, size_t count)
{
    array *to = context;
    memcpy(to->next, elements, count * to->size);
    to->next += count * to->size;
}

void *im_pile_join(im_pile *pile)
{
    char *all = im_alloc_unset(pile->count, pile->size);
    array to = {all, pile->size};
    if (all)
        im_pile_drain(pile, append, &to);
    return all;
}

void im_pile_clear(im_pile *pile)
{
    for (size_t i = 0; i < pile->piece_count; i++)
        im_free(pile->pieces[i]);
    im_free(pile->pieces);
    *pile = (im_pile){.size = pile->size};
}
