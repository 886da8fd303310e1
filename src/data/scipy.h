/* SPDX-License-Identifier: MIT
 *
 * Sparse matrices of scipy (scipy.sparse.save_npz): an .npz archive of the arrays data,
 * indices, indptr, shape and format, which says whether rows (csr) or columns (csc) are
 * compressed. An array of labels may be beside them, as of other archives. */
#ifndef IM_DATA_SCIPY_H
#define IM_DATA_SCIPY_H

#include "data/inside.h"

/* Whether the arrays of an archive are those of a sparse matrix. */
bool im_scipy_fits(const im_inside *inside);

/* Read it. format: the text of the array of that name, "csr" or "csc"; others are refused.
 * bytes: how large the file is, and so more than the rows that it has something of. */
imsat_status im_scipy_read(im_block *out, const im_inside *inside, const char *format,
                           size_t bytes, const im_read_request *request, imsat_error *err);

#endif
