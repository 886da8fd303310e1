/* SPDX-License-Identifier: MIT
 *
 * A checkpoint is a safetensors file with everything a session is made of: position, weights,
 * running averages, Adam's moments, the radius, and the results of finished runs. A run that
 * is resumed from it ends in the same bits as one that was never stopped.
 */
#ifndef IM_TRAIN_CHECKPOINT_H
#define IM_TRAIN_CHECKPOINT_H

#include "train/loop.h"

imsat_status im_checkpoint_save(const im_session *session, const char *path, imsat_error *err);

/* Load into a session that was made with the data and options at hand. Refused with
 * IMSAT_EMISMATCH, saying what differs, if the checkpoint is of others. */
imsat_status im_checkpoint_load(im_session *session, const char *path, imsat_error *err);

/* The radius kept in a checkpoint of this data and these options, to save computing it.
 * *found is false if the file does not exist. radius (rows). */
imsat_status im_checkpoint_radius(float *radius, imsat_radius_info *info, bool *found,
                                  const imsat_options *resolved, const imsat_data *data,
                                  uint64_t fingerprint, imsat_error *err);

#endif
