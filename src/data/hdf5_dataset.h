/* SPDX-License-Identifier: MIT
 *
 * One dataset of an HDF5 file: its type and shape, and its elements as a block. All of it
 * between im_hdf5_enter() and im_hdf5_leave(). Ids of libhdf5 are hid_t here, so that its
 * header stays where it is used.
 *
 * A dataset that lies in one piece and is not compressed is used where it lies in the file,
 * which is mapped; libhdf5 only says where that is. Of any other, rows are read as they are
 * asked for, through libhdf5's cache of chunks. Chunks must all be there: one that was never
 * written takes no room in the file, so that a small file could claim any number of rows.
 */
#ifndef IM_DATA_HDF5_DATASET_H
#define IM_DATA_HDF5_DATASET_H

#if IM_HAVE_HDF5
#define H5_USE_110_API
#include <hdf5.h>

#define IM_HDF5_BUILT 1
#else
#define IM_HDF5_BUILT 0
#endif

#include "data/block.h"

#if IM_HDF5_BUILT

/* The type of our own that holds elements of a dataset, the type of libhdf5 that it is read
 * by, and whether the file's elements are that type as they lie, in one byte order or the
 * other. */
typedef struct im_hdf5_type {
    im_dtype dtype;
    hid_t memory;
    bool as_it_lies, swapped;
    const char *name;
} im_hdf5_type;

typedef struct im_hdf5_dataset {
    hid_t id;         /* -1: not open */
    hid_t file;       /* the caller's, and */
    const char *name; /* what it is called there */
    im_hdf5_type type;
    size_t shape[IM_SHAPE_MAX], ndim;
} im_hdf5_dataset;

/* False: there is no such dataset, or it cannot be rows. */
bool im_hdf5_dataset_open(im_hdf5_dataset *set, hid_t file, const char *name);
void im_hdf5_dataset_close(im_hdf5_dataset *set);

/* The elements of a block that has its shape. `bytes` are those of the file, all here. whole:
 * if they cannot be used where they lie, all are read to memory, and not by rows. */
imsat_status im_hdf5_dataset_fill(im_block *block, const im_hdf5_dataset *set,
                                  const im_bytes *bytes, bool whole, const char *path,
                                  imsat_error *err);

#endif

#endif
