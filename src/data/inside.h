/* SPDX-License-Identifier: MIT
 *
 * Files that hold several arrays, each with a name: which of them is the data, and which one
 * holds its labels. This is the same for all formats of that kind.
 *
 *   - FILE:NAME is the array NAME, and FILE the only one that there is.
 *   - Of several, FILE is one that has labels beside it by its name: x and y, data and labels
 *     and the like, each with the same word before or behind it (x_train and y_train). If none
 *     has, it is the only one that is no vector, where the format tells which are. Else the
 *     names are listed.
 *   - The labels of an array are those beside it by its name, or what --label-column names. By
 *     name alone they are labels only if they can be: whole numbers, one for each row.
 */
#ifndef IM_DATA_INSIDE_H
#define IM_DATA_INSIDE_H

#include "data/reader.h"
#include "imsat/describe.h"

typedef struct im_inside {
    const char *what;         /* an array is called: "array", "tensor" */
    const char *const *names; /* (count) */
    size_t count;
    const bool *vectors; /* (count) which are vectors or single numbers; NULL: nobody knows */

    /* Read array i. The request is as the caller's, but for the labels. */
    imsat_status (*read)(im_block *out, void *context, size_t i,
                         const im_read_request *request, imsat_error *err);
    void *context;
} im_inside;

/* The list that a request may ask for. */
enum { IM_CONTENTS_WHAT = 160 };
struct im_contents {
    imsat_inside *items; /* (count) owned, with their texts */
    size_t count;
    char what[IM_CONTENTS_WHAT]; /* the array being looked at */
};

/* Read the labels of array `data`, if they are wanted and there are some. */
imsat_status im_inside_labels(const im_inside *inside, size_t data, size_t rows,
                              const im_read_request *request, imsat_error *err);

/* Read what the request is for, with its labels. */
imsat_status im_inside_read(im_block *out, const im_inside *inside,
                            const im_read_request *request, imsat_error *err);

#endif
