/* SPDX-License-Identifier: MIT
 * See transfer.h. */
#define _POSIX_C_SOURCE 200809L
#include "core/transfer.h"

#include <errno.h>
#include <unistd.h>

/* place: NULL if it is where the descriptor stands. */
static bool write_from(int fd, const char *from, size_t size, const uint64_t *place)
{
    for (size_t done = 0; done < size;) {
        const ssize_t n = place ? pwrite(fd, from + done, size - done, (off_t)(*place + done))
                                : write(fd, from + done, size - done);
        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            return false;
    }
    return true;
}

bool im_transfer_write(int fd, const void *from, size_t size)
{
    return write_from(fd, from, size, NULL);
}

bool im_transfer_write_at(int fd, const void *from, size_t size, uint64_t place)
{
    return write_from(fd, from, size, &place);
}

static bool read_to(int fd, char *to, size_t size, const uint64_t *place, size_t *got)
{
    for (*got = 0; *got < size;) {
        const ssize_t n = place ? pread(fd, to + *got, size - *got, (off_t)(*place + *got))
                                : read(fd, to + *got, size - *got);
        if (n > 0)
            *got += (size_t)n;
        else if (n == 0)
            break;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

bool im_transfer_read(int fd, void *to, size_t size, size_t *got)
{
    return read_to(fd, to, size, NULL, got);
}

bool im_transfer_read_at(int fd, void *to, size_t size, uint64_t place, size_t *got)
{
    return read_to(fd, to, size, &place, got);
}
