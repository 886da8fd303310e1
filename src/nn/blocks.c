/* SPDX-License-Identifier: MIT
 * See blocks.h. */
#include "nn/blocks.h"

typedef struct packing {
    im_tape *tape;
    const im_real *b;
    size_t ldb, k, n;
    im_trans trans;
} packing;

static void pack_panel(void *context, size_t task, int thread)
{
    (void)thread;
    const packing *p = context;
    const size_t panels = im_gemm_panels(p->n);
    const size_t branch = task / panels, panel = task % panels;
    im_gemm_pack(p->tape->packed + branch * im_gemm_packed(p->k, p->n),
                 p->b + branch * p->tape->width, p->ldb, p->trans, p->k, p->n, panel, 1);
}

void im_pack_all(im_tape *tape, const im_real *b, size_t ldb, im_trans trans, size_t k,
                 size_t n, size_t branches)
{
    packing p = {tape, b, ldb, k, n, trans};
    im_pool_run(tape->pool, pack_panel, &p, branches * im_gemm_panels(n));
}
