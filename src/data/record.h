/* SPDX-License-Identifier: MIT
 * Numbers as text in the metadata of a safetensors file, written so that they read back to
 * the same bits. What is recorded, and under which keys, is the caller's business. */
#ifndef IM_DATA_RECORD_H
#define IM_DATA_RECORD_H

#include "data/safetensors.h"

/* Set a metadata entry to a number; text goes by im_safetensors_set(). */
imsat_status im_record_number(im_safetensors *file, const char *key, double value,
                              imsat_error *err);
imsat_status im_record_count(im_safetensors *file, const char *key, uint64_t value,
                             imsat_error *err);
imsat_status im_record_integer(im_safetensors *file, const char *key, int64_t value,
                               imsat_error *err);

/* Read one back; IMSAT_EFORMAT, naming path and key, if it is absent or malformed. */
imsat_status im_record_get_number(double *out, const im_safetensors *file, const char *path,
                                  const char *key, imsat_error *err);
imsat_status im_record_get_count(uint64_t *out, const im_safetensors *file, const char *path,
                                 const char *key, imsat_error *err);
imsat_status im_record_get_integer(int64_t *out, const im_safetensors *file, const char *path,
                                   const char *key, imsat_error *err);

/* The same, of a count from least to most, and of a finite number of at least `least`. */
imsat_status im_record_get_within(uint64_t *out, const im_safetensors *file, const char *path,
                                  const char *key, uint64_t least, uint64_t most,
                                  imsat_error *err);
imsat_status im_record_get_finite(double *out, const im_safetensors *file, const char *path,
                                  const char *key, double least, imsat_error *err);

/* IMSAT_EMISMATCH, saying what was and what is, unless `then`, read from `path`, has the same
 * value as `now` for every key of `now` that begins with `prefix`. */
imsat_status im_record_same(const im_safetensors *now, const im_safetensors *then,
                            const char *path, const char *prefix, imsat_error *err);

#endif
