/* SPDX-License-Identifier: MIT
 * A copy of a matrix, transposed on the way. */
#ifndef IM_CORE_TRANSPOSE_H
#define IM_CORE_TRANSPOSE_H

#include "core/real.h"

#include <stddef.h>

/* to (cols,rows) = from (rows,cols), transposed. */
void im_transpose(im_real *to, size_t ldt, const im_real *from, size_t ldf, size_t rows,
                  size_t cols);

#endif
