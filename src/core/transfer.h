/* SPDX-License-Identifier: MIT
 *
 * Reads and writes that go on until all is done: the system may do a part of one, or none of
 * it because a signal came. */
#ifndef IM_CORE_TRANSFER_H
#define IM_CORE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Write where the descriptor stands, or at a place. False on an error, which errno names; some
 * of the bytes may have been written. */
bool im_transfer_write(int fd, const void *from, size_t size);
bool im_transfer_write_at(int fd, const void *from, size_t size, uint64_t place);

/* Read from where the descriptor stands, or from a place: `size` bytes, or as many as there
 * are. *got says how many came, also when false is returned because of an error. */
bool im_transfer_read(int fd, void *to, size_t size, size_t *got);
bool im_transfer_read_at(int fd, void *to, size_t size, uint64_t place, size_t *got);

#endif
