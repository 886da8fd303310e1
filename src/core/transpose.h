/* SPDX-License-Identifier: MIT
 * The transpose of a matrix in place of a copy of it. */
#ifndef IM_CORE_TRANSPOSE_H
#define IM_CORE_TRANSPOSE_H

#include "core/real.h"

#include <stddef.h>

/* to (cols,rows) = from (rows,cols), transposed. */
void im_transpose(im_real *to, size_t ldt, const im_real *from, size_t ldf, size_t rows,
                  size_t cols);

#endif
