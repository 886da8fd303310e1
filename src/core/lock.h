/* SPDX-License-Identifier: MIT
 *
 * Of several processes that change a file, one at a time does.
 *
 * The lock is on the file itself (flock), so it goes with the process that holds it, however
 * that ends, and there is no file beside it to be left behind. It binds only those who ask for
 * it: writers. Readers do not, and so are never kept waiting.
 */
#ifndef IM_CORE_LOCK_H
#define IM_CORE_LOCK_H

#include "core/status.h"

typedef enum im_lock_use {
    IM_LOCK_CHANGE, /* the file must be there; it is opened for reading and writing */
    IM_LOCK_REPLACE /* another file will get its name; it need not be there */
} im_lock_use;

/* Open the file that path names, and lock it. *fd receives it, or -1 if there is nothing to
 * lock. Nobody is waited for: IMSAT_EBUSY if another process, or another thread of this one,
 * holds the lock. The lock may have been had of a file that lost its name meanwhile, to one
 * that was renamed over it: this is noticed, and the file that has the name now is locked. */
imsat_status im_lock_take(int *fd, const char *path, im_lock_use use, imsat_error *err);

/* Close the file, and so unlock it; -1 is nothing. */
void im_lock_drop(int fd);

#endif
