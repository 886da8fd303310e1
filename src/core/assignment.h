/* SPDX-License-Identifier: MIT
 *
 * The assignment problem: match rows to columns one to one, as many as the smaller side has,
 * at the least total cost.
 */
#ifndef IM_CORE_ASSIGNMENT_H
#define IM_CORE_ASSIGNMENT_H

#include "core/status.h"

#include <stdint.h>

#define IM_UNASSIGNED SIZE_MAX

/* column_of_row (rows) receives each row's column, or IM_UNASSIGNED for the rows left over
 * when there are more rows than columns.
 *
 * cost (rows, cols), row-major, finite (else IMSAT_EINVAL). The same costs give the same
 * matching. O(r^2 c) time, r the smaller side; O(r + c) memory. */
imsat_status im_assignment_solve(size_t *column_of_row, const double *cost, size_t rows,
                                 size_t cols, imsat_error *err);

#endif
