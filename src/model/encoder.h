/* SPDX-License-Identifier: MIT
 *
 * An encoder in a file: what prediction needs of what a method has learned. Every method so
 * far leaves a network; k-means, one without hidden layers. The tensors, each behind a prefix:
 *
 *     layer.L.weight (out,in)   layer.L.bias (out)                          every layer
 *     layer.L.gain, layer.L.mean, layer.L.var (out)                         normalized layers
 *     readout.first (outputs + 1)                            outputs of several units each
 *
 * and the metadata net.dim, net.hidden, net.hidden.L and net.outputs; net.form.L
 * where a hidden layer is not normalized (nn/activation.h); net.readout and net.units where an
 * output is not just a unit (nn/readout.h). Files are read as if they were hostile.
 */
#ifndef IM_MODEL_ENCODER_H
#define IM_MODEL_ENCODER_H

#include "data/safetensors.h"
#include "nn/net.h"

/* The shape into the metadata, and the tensors into the file, which borrows them. */
imsat_status im_encoder_describe(im_safetensors *file, const char *prefix, const im_net *net,
                                 imsat_error *err);
imsat_status im_encoder_add(im_safetensors *file, const char *prefix, const im_net *net,
                            imsat_error *err);

/* Refuse a network that no file may hold (im_net_find_fault()), with this status. path and
 * prefix are for the message. */
imsat_status im_encoder_check(const im_net *net, const char *path, const char *prefix,
                              imsat_status status, imsat_error *err);

/* Read both to a network that owns nothing. sigmoid: its outputs are bits. */
imsat_status im_encoder_load(im_net *out, const im_safetensors *file, const char *path,
                             const char *prefix, bool sigmoid, imsat_error *err);

#endif
