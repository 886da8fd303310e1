/* SPDX-License-Identifier: MIT
 *
 * What those share who use libhdf5, by themselves or by way of another library. It is not
 * thread-safe, and threads of ours read rows at any time: there is one lock for all of it.
 */
#ifndef IM_DATA_HDF5_H
#define IM_DATA_HDF5_H

#include "core/bytes.h"
#include "core/spool.h"

void im_hdf5_enter(void);
void im_hdf5_leave(void);

/* In a child process that the thread that has entered made by fork(): the lock is that of the
 * thread, which is another one here. Afterwards it is free. */
void im_hdf5_renew(void);

/* A name by which a library can open the bytes of a file: the file's own if they are that,
 * else that of a temporary file, which they are copied to. */
typedef struct im_hdf5_path {
    char name[IM_SPOOL_NAME];
    bool temporary; /* the file goes by im_hdf5_path_clear(), which may be as soon as it is
                       open */
} im_hdf5_path;

imsat_status im_hdf5_path_find(im_hdf5_path *out, const char *file, im_bytes *bytes,
                               imsat_error *err);
void im_hdf5_path_clear(im_hdf5_path *path);

#endif
