/* SPDX-License-Identifier: MIT
 *
 * Variables of MATLAB 7.3, whose files are HDF5 behind a block of text: datasets with their
 * dimensions in the opposite order, and an attribute that says what they are. Text and logical
 * values are datasets of integers, too, so the attribute decides. A sparse matrix is a group
 * of three datasets. What begins with '#' is MATLAB's own: the cells of cell arrays, for one.
 */
#ifndef IM_DATA_HDF5_MATLAB_H
#define IM_DATA_HDF5_MATLAB_H

#include "data/hdf5_dataset.h"

#include "data/reader.h"

#if IM_HDF5_BUILT

/* Whether what is called `name` in a group is a variable that can be rows; if so, *vector says
 * whether it is a vector or one number. */
bool im_hdf5_matlab_holds(hid_t group, const char *name, bool *vector);

/* Read such a variable of a file, whose bytes are all here. What is compressed or in chunks is
 * read to memory as a whole: a row goes through all columns, and so through most chunks. */
imsat_status im_hdf5_matlab_read(im_block *out, hid_t file, const char *name,
                                 const im_bytes *bytes, const im_read_request *request,
                                 imsat_error *err);

/* Refuse a variable that is there and is no such one; IMSAT_OK if it is not there. */
imsat_status im_hdf5_matlab_check(hid_t file, const char *name, const char *path,
                                  imsat_error *err);

#endif

#endif
