/* SPDX-License-Identifier: MIT
 * The options of a run as text, for the metadata of models and checkpoints. */
#ifndef IM_TRAIN_OPTIONS_RECORD_H
#define IM_TRAIN_OPTIONS_RECORD_H

#include "data/safetensors.h"

/* Every option that can change the result, under "option.NAME". */
imsat_status im_record_options(im_safetensors *file, const imsat_options *resolved,
                               imsat_error *err);

#endif
