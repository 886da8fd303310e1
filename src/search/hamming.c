/* SPDX-License-Identifier: MIT
 * The choice of a kernel, and runs of codes; see hamming.h. */
#include "search/hamming.h"

#include "search/hamming_kernels.h"

#include <assert.h>
#include <string.h>

const im_hamming_kernel *im_hamming_select(bool reference)
{
    const im_hamming_kernel *kernel = reference ? NULL : im_hamming_avx512();
    if (!kernel && !reference)
        kernel = im_hamming_avx2();
    if (!kernel && !reference)
        kernel = im_hamming_neon();
    return kernel ? kernel : &im_hamming_ref;
}

const uint64_t *im_hamming_load(uint64_t *scratch, const uint64_t *codes, size_t count,
                                size_t words)
{
    assert(count > 0 && count <= IM_HAMMING_RUN && words > 0 && words <= IM_WORDS_MOST);
    if (words == 1 && count == IM_HAMMING_RUN)
        return codes;
    if (count < IM_HAMMING_RUN)
        memset(scratch, 0, IM_HAMMING_RUN * words * sizeof *scratch);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < words; j++)
            scratch[j * IM_HAMMING_RUN + i] = codes[i * words + j];
    return scratch;
}
