/* SPDX-License-Identifier: MIT
 * See sigmoid.h. */
#include "nn/sigmoid.h"

#include "core/elementary.h"
#include "imsat/search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The exponent is never positive, so nothing overflows. */
static void sigmoid(im_real *p, im_real *q, im_real z)
{
    const double e = im_elementary_exp(-fabs((double)z));
    const im_real large = (im_real)(1 / (1 + e)), small = (im_real)(e / (1 + e));
    *p = z > 0 ? large : small;
    *q = z > 0 ? small : large;
}

void im_sigmoid_forward(im_real *p, im_real *q, const im_real *z, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        im_real rest;
        sigmoid(&p[i], q ? &q[i] : &rest, z[i]);
    }
}

void im_sigmoid_rows(im_real *p, const im_real *z, size_t ldz, size_t n, size_t k)
{
    assert(ldz >= n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            im_real rest;
            sigmoid(&p[i * k + j], &rest, z[j * ldz + i]);
        }
}

void im_sigmoid_pack(uint8_t *code, const im_real *p, size_t stride, size_t bits)
{
    assert(bits > 0 && stride > 0);
    memset(code, 0, imsat_code_bytes(bits));
    for (size_t d = 0; d < bits; d++)
        if (p[d * stride] > (im_real)0.5)
            code[d / 8] |= (uint8_t)(0x80U >> d % 8);
}
