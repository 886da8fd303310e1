/* SPDX-License-Identifier: MIT
 * The lock around libhdf5, and names of files for libraries; see hdf5.h. */
#define _GNU_SOURCE
#include "data/hdf5.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Who reads labels while a file is open has it twice. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void im_hdf5_enter(void)
{
    pthread_mutex_lock(&lock);
}

void im_hdf5_leave(void)
{
    pthread_mutex_unlock(&lock);
}

void im_hdf5_renew(void)
{
    static const pthread_mutex_t fresh = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    memcpy(&lock, &fresh, sizeof lock);
}

imsat_status im_hdf5_path_find(im_hdf5_path *out, const char *file, im_bytes *bytes,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    out->temporary = false;
    IM_TRY(im_bytes_all(bytes, err));
    if (bytes->mapped && stat(file, &info) == 0 && S_ISREG(info.st_mode) &&
        (size_t)info.st_size == bytes->size && strlen(file) < sizeof out->name) {
        snprintf(out->name, sizeof out->name, "%s", file);
        return IMSAT_OK;
    }
    IM_TRY(im_spool_put(out->name, bytes->data, bytes->size, file, err));
    out->temporary = true;

cleanup:
    return st;
}

void im_hdf5_path_clear(im_hdf5_path *path)
{
    if (path->temporary)
        unlink(path->name);
    path->temporary = false;
}
