/* SPDX-License-Identifier: MIT
 *
 * What a comparison holds: its methods, in the order in which simpler ones come first, and the
 * sentence that is said of them.
 */
#ifndef IM_CHOICE_COMPARISON_H
#define IM_CHOICE_COMPARISON_H

#include "core/status.h"
#include "imsat/choice.h"

#include <stdbool.h>

enum { IM_COMPARISON_SENTENCE = 512 };

typedef struct im_compared {
    imsat_compared about;
    imsat_measures data, null[IMSAT_NULLS];
    bool costly;     /* trains a network */
    int32_t *labels; /* (rows) owned */
    char why[sizeof((imsat_error *)0)->message];
} im_compared;

typedef struct im_comparison {
    imsat_comparison about;
    im_compared *method; /* (methods) owned */
    size_t *row;         /* (rows) owned */
    char sentence[IM_COMPARISON_SENTENCE];
} im_comparison;

/* Of the methods named, with commas between; NULL: the sensible ones for rows of so many
 * columns. IMSAT_EINVAL: there is no such method, or it learns no clusters. */
imsat_status im_comparison_new(im_comparison **out, const char *names, size_t dim,
                               imsat_error *err);

/* Leave a method out, because of `why`. */
void im_comparison_leave(im_compared *method, const char *why);

/* Fill in the agreement between methods. */
imsat_status im_comparison_agree(im_comparison *c, imsat_error *err);

/* The first method whose clusters are those of method `best`. */
imsat_status im_comparison_simplest(size_t *out, const im_comparison *c, size_t best,
                                    imsat_error *err);

/* Say which method is the best, and why. */
void im_comparison_say(im_comparison *c);

#endif
