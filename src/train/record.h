/* SPDX-License-Identifier: MIT
 * Options and run results as text, for the metadata of models and checkpoints. Numbers are
 * written so that they read back to the same bits. */
#ifndef IM_TRAIN_RECORD_H
#define IM_TRAIN_RECORD_H

#include "data/safetensors.h"

/* Every option that can change the result, under "option.NAME". */
imsat_status im_record_options(im_safetensors *file, const imsat_options *resolved,
                               imsat_error *err);

/* Metadata values; text goes by im_safetensors_set(). */
imsat_status im_record_number(im_safetensors *file, const char *key, double value,
                              imsat_error *err);
imsat_status im_record_count(im_safetensors *file, const char *key, uint64_t value,
                             imsat_error *err);

/* Read them back; IMSAT_EFORMAT, naming path and key, if absent or malformed. */
imsat_status im_record_get_number(double *out, const im_safetensors *file, const char *path,
                                  const char *key, imsat_error *err);
imsat_status im_record_get_count(uint64_t *out, const im_safetensors *file, const char *path,
                                 const char *key, imsat_error *err);

/* IMSAT_EMISMATCH, saying what was and what is, unless both files have the same value for
 * every key of `now` that begins with `prefix`. */
imsat_status im_record_same(const im_safetensors *now, const im_safetensors *then,
                            const char *path, const char *prefix, imsat_error *err);

#endif
