/* SPDX-License-Identifier: MIT
 *
 * See transpose.h. Squares of 4 x 4 go through registers, which every instruction set has;
 * what is left over goes one by one. The caches are the limit: a value takes 0.1 ns from the
 * first and 0.2 ns from the second, and more than that in a step. */
#include "core/transpose.h"

#include <assert.h>
#include <string.h>

enum { SIDE = 4 };

typedef im_real quad __attribute__((vector_size(SIDE * sizeof(im_real))));

static inline void transpose_quad(im_real *to, size_t ldt, const im_real *from, size_t ldf)
{
    quad r[SIDE];
    for (size_t i = 0; i < SIDE; i++)
        memcpy(&r[i], from + i * ldf, sizeof r[i]);
    const quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    const quad b = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const quad c = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    const quad d = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    const quad column[SIDE] = {
        __builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
        __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)};
    for (size_t i = 0; i < SIDE; i++)
        memcpy(to + i * ldt, &column[i], sizeof column[i]);
}

void im_transpose(im_real *to, size_t ldt, const im_real *from, size_t ldf, size_t rows,
                  size_t cols)
{
    assert(ldt >= rows && ldf >= cols);
    const size_t down = rows / SIDE * SIDE, across = cols / SIDE * SIDE;
    for (size_t j = 0; j < across; j += SIDE)
        for (size_t i = 0; i < down; i += SIDE)
            transpose_quad(to + j * ldt + i, ldt, from + i * ldf + j, ldf);
    for (size_t j = 0; j < cols; j++)
        for (size_t i = j < across ? down : 0; i < rows; i++)
            to[j * ldt + i] = from[i * ldf + j];
}
