/* SPDX-License-Identifier: MIT
 *
 * A checkpoint is a safetensors file with everything that a call has found so far: the radius,
 * the results of finished runs, the best encoder, and, if the method has one, the state of the
 * run under way (train/method.h). A call that is resumed from it ends in the same bits as one
 * that was never stopped.
 *
 * It is sealed (data/seal.h), and what it holds is checked against what data and options allow
 * before it is used, whatever the seal says.
 */
#ifndef IM_MODEL_CHECKPOINT_H
#define IM_MODEL_CHECKPOINT_H

#include "model/runs.h"

/* put: of the state of the run under way; NULL between runs. */
imsat_status im_checkpoint_save(const im_runs *runs, im_put_state *put, const void *state,
                                imsat_error *err);

/* The same state and the course of the run, in memory: *out, which is cleared first, has a
 * copy of their arrays. */
imsat_status im_checkpoint_hold(im_safetensors *out, const im_runs *r, im_put_state *put,
                                const void *state, imsat_error *err);

/* Read a checkpoint of these data and options, of which `runs` has those that it needs: given
 * and fingerprint. Refused with IMSAT_EMISMATCH, saying what differs, if it is of others. */
imsat_status im_checkpoint_open(im_safetensors *out, const im_runs *runs, imsat_error *err);

/* The radius kept in it. radius (rows). */
imsat_status im_checkpoint_radius(float *radius, imsat_radius_info *info,
                                  const im_safetensors *file, const im_runs *runs,
                                  imsat_error *err);

/* What the finished runs have found, into runs that im_runs_open() has made. */
imsat_status im_checkpoint_load(im_runs *runs, const im_safetensors *file, imsat_error *err);

/* Whether it has the state of a run under way. */
bool im_checkpoint_has_state(const im_safetensors *file);

#endif
