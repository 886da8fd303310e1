/* SPDX-License-Identifier: MIT
 *
 * A file that is mapped, to be read.
 *
 * A mapped file can be lost while it is read: someone makes it shorter, or the disk fails. The
 * first touch of a page that is not there is a SIGBUS, which ends the process. Where the
 * program asked for it (imsat_guard_maps() in imsat/process.h), the mapping becomes one of
 * zeros instead, and is marked as lost. The work goes on, on whatever thread it is, and
 * whoever hands over what was made of the file asks im_map_check() before. So no result that
 * zeros had a part in gets out.
 *
 * Zeros may come at any time, and in the middle of anything: what is read twice may differ, so
 * numbers that say how much to write where are taken from a mapping once, or checked again.
 */
#ifndef IM_CORE_MAP_H
#define IM_CORE_MAP_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct im_map im_map;

/* Map the first `size` > 0 bytes of the file that is open as fd, which may be closed then. */
imsat_status im_map_new(im_map **out, int fd, size_t size, const char *path, imsat_error *err);
void im_map_free(im_map *map);

const unsigned char *im_map_data(const im_map *map);

/* Bytes first .. end - 1 will not be read soon; see im_bytes_release(). */
void im_map_release(const im_map *map, size_t first, size_t end);

/* ---- within a limit on memory (core/limit.h) ----
 *
 * A page that is touched stays with the process, and so do others around it, up to 2 MiB of
 * them. If all that is mapped is more than the limit leaves for pages, rows in any order are
 * better read than touched: that takes a system call, about as long as a fault, and no pages.
 * Who reads a file in order may touch it, and says so. */

/* Whether the bytes of the mapping are to be read by im_map_read(). */
bool im_map_is_read(const im_map *map);

/* to (size) = the bytes from first on. What cannot be read is zeros, and marks the mapping as
 * lost. Thread-safe. */
void im_map_read(const im_map *map, void *to, size_t first, size_t size);

/* `size` > 0 bytes from `at` on, of any mapping, were touched. When that is as much as the
 * limit leaves for pages, those of all mappings are given back; they can still be touched.
 * Thread-safe. */
void im_map_touched(const void *at, size_t size);

/* IMSAT_EIO if one of the first `size` bytes could not be read, or cannot be any longer. */
imsat_status im_map_check(const im_map *map, size_t size, imsat_error *err);

/* The same question where the answer need not be sure, for long work that may as well end: an
 * atomic load. */
bool im_map_lost(const im_map *map);

#endif
