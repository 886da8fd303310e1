/* SPDX-License-Identifier: MIT
 *
 * The head of a .npy file, for those who write arrays: alone, or in an archive. */
#ifndef IM_DATA_NPY_WRITE_H
#define IM_DATA_NPY_WRITE_H

#include "data/output.h"

/* Bytes; every shape fits, and none needs less. */
enum { IM_NPY_HEADER = 128 };

/* The file up to its elements: rows of a column, of a type that numpy has. */
void im_npy_write_header(char header[IM_NPY_HEADER], const im_output_column *column,
                         size_t rows);

/* The types that numpy has: all but bfloat16. */
enum { IM_NPY_TYPES = ((1 << (IM_F64 + 1)) - 1) & ~(1 << IM_BF16) };

#endif
