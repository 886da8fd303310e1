/* SPDX-License-Identifier: MIT
 * The kernels of hamming, one file each; NULL where this machine cannot run it. */
#ifndef IM_SEARCH_HAMMING_KERNELS_H
#define IM_SEARCH_HAMMING_KERNELS_H

#include "search/hamming.h"

extern const im_hamming_kernel im_hamming_ref;

const im_hamming_kernel *im_hamming_avx2(void);
const im_hamming_kernel *im_hamming_avx512(void); /* with VPOPCNTDQ */
const im_hamming_kernel *im_hamming_neon(void);

#endif
