/* SPDX-License-Identifier: MIT
 * The register tiles of gemm, one file for each instruction set. */
#ifndef IM_CORE_GEMM_TILES_H
#define IM_CORE_GEMM_TILES_H

#include "core/gemm.h"

extern const im_gemm_kernel im_gemm_ref;

/* NULL when this machine cannot run it, or in the double build. */
const im_gemm_kernel *im_gemm_avx2(void);
const im_gemm_kernel *im_gemm_avx512(void);

#endif
