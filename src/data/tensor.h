/* SPDX-License-Identifier: MIT
 * What a tensor that was read holds, against what it may hold. */
#ifndef IM_DATA_TENSOR_H
#define IM_DATA_TENSOR_H

#include "data/safetensors.h"

/* IMSAT_EFORMAT, naming path, tensor and element, unless every element is a finite number from
 * least to most, which may be infinite. Not for 64-bit integers. */
imsat_status im_tensor_check(const im_tensor *tensor, const char *path, double least,
                             double most, imsat_error *err);

#endif
