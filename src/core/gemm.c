/* SPDX-License-Identifier: MIT
 *
 * Blocking around the register tiles; see gemm.h for the contract.
 *
 * For each slice of depth, each group of 12 rows of A runs over all panels of B: the rows stay
 * at hand and B streams from L2, 128 bytes for every 24 fused multiply-adds. Rows of A are
 * read in place; packing them was tried and cost 6 % at 250 columns, since every packed
 * element serves only 8 panels. A transposed A is packed by the caller (12 contiguous floats a
 * step of depth): in place, where every step of depth is in another page, training was no
 * faster, although it had nothing to pack.
 */
#include "core/gemm.h"

#include "core/gemm_tiles.h"
#include "core/transpose.h"

#include <assert.h>
#include <string.h>

const im_gemm_kernel *im_gemm_select(bool reference)
{
    const im_gemm_kernel *kernel = reference ? NULL : im_gemm_avx512();
    if (!kernel && !reference)
        kernel = im_gemm_avx2();
    return kernel ? kernel : &im_gemm_ref;
}

size_t im_gemm_panels(size_t n)
{
    return (n + IM_GEMM_NR - 1) / IM_GEMM_NR;
}

size_t im_gemm_packed(size_t k, size_t n)
{
    return im_gemm_panels(n) * IM_GEMM_NR * k;
}

static void pack_panel(im_real *to, const im_real *b, size_t ldb, im_trans trans, size_t k,
                       size_t cols)
{
    if (cols < IM_GEMM_NR)
        memset(to, 0, k * IM_GEMM_NR * sizeof *to);
    if (trans == IM_TRANS) {
        im_transpose(to, IM_GEMM_NR, b, ldb, cols, k);
    } else if (cols == IM_GEMM_NR) {
        for (size_t p = 0; p < k; p++) /* of a known size: moves, not calls */
            memcpy(to + p * IM_GEMM_NR, b + p * ldb, IM_GEMM_NR * sizeof *to);
    } else {
        for (size_t p = 0; p < k; p++)
            memcpy(to + p * IM_GEMM_NR, b + p * ldb, cols * sizeof *to);
    }
}

void im_gemm_pack(im_real *packed, const im_real *b, size_t ldb, im_trans trans, size_t k,
                  size_t n, size_t first, size_t count)
{
    assert(trans != IM_PACKED && ldb >= (trans == IM_NO ? n : k));
    assert(first + count <= im_gemm_panels(n));
    for (size_t panel = first; panel < first + count; panel++) {
        const size_t j = panel * IM_GEMM_NR;
        const size_t cols = n - j < IM_GEMM_NR ? n - j : IM_GEMM_NR;
        pack_panel(packed + j * k, trans == IM_NO ? b + j : b + j * ldb, ldb, trans, k, cols);
    }
}

void im_gemm_put_row(im_real *packed, size_t k, size_t n, size_t p, const im_real *row)
{
    assert(p < k);
    im_real *to = packed + p * IM_GEMM_NR;
    size_t j = 0;
    for (; j + IM_GEMM_NR <= n; j += IM_GEMM_NR, to += im_gemm_panel(k))
        memcpy(to, row + j, IM_GEMM_NR * sizeof *to);
    if (j < n)
        memcpy(to, row + j, (n - j) * sizeof *to);
}

void im_gemm_get_row(im_real *row, const im_real *packed, size_t k, size_t n, size_t p)
{
    assert(p < k);
    const im_real *from = packed + p * IM_GEMM_NR;
    size_t j = 0;
    for (; j + IM_GEMM_NR <= n; j += IM_GEMM_NR, from += im_gemm_panel(k))
        memcpy(row + j, from, IM_GEMM_NR * sizeof *from);
    if (j < n)
        memcpy(row + j, from, (n - j) * sizeof *from);
}

static void whole_or_part(const im_gemm_kernel *kernel, im_real *c, size_t ldc,
                          const im_gemm_rows *g, const im_real *b, size_t cols, im_real *tile)
{
    const im_gemm_tile run = g->rows <= IM_GEMM_FEW ? kernel->few : kernel->tile;
    if ((g->rows == IM_GEMM_MR || g->rows == IM_GEMM_FEW) && cols == IM_GEMM_NR) {
        run(c, ldc, g, b);
        return;
    }
    if (g->accumulate)
        for (size_t i = 0; i < g->rows; i++)
            memcpy(tile + i * IM_GEMM_NR, c + i * ldc, cols * sizeof *c);
    run(tile, IM_GEMM_NR, g, b);
    for (size_t i = 0; i < g->rows; i++)
        memcpy(c + i * ldc, tile + i * IM_GEMM_NR, cols * sizeof *c);
}

size_t im_gemm_packed_left(size_t m, size_t k)
{
    return (m + IM_GEMM_MR - 1) / IM_GEMM_MR * IM_GEMM_MR * k;
}

void im_gemm_pack_left(im_real *packed, const im_real *a, size_t lda, size_t m, size_t k,
                       size_t p, size_t depth)
{
    assert(lda >= m && p <= k && depth <= k - p);
    const size_t whole = m / IM_GEMM_MR * IM_GEMM_MR;
    for (size_t i = 0; i < whole; i += IM_GEMM_MR)
        for (size_t q = p; q < p + depth; q++) /* of a known size: vector moves */
            memcpy(packed + i * k + q * IM_GEMM_MR, a + q * lda + i, IM_GEMM_MR * sizeof *a);
    for (size_t q = p; whole < m && q < p + depth; q++)
        memcpy(packed + whole * k + q * IM_GEMM_MR, a + q * lda + whole,
               (m - whole) * sizeof *a);
}

/* Rows i .. i + rows - 1 of A (.,k), depth p .. p + depth - 1: in place if they fill a tile,
 * else copied to scratch with zero rows below. */
static im_gemm_rows take_rows(const im_real *a, size_t lda, im_trans form, size_t k, size_t i,
                              size_t rows, size_t p, size_t depth, im_real *scratch)
{
    im_gemm_rows g = {.a = scratch, .row_step = 1, .depth_step = IM_GEMM_MR};
    g.rows = rows;
    g.depth = depth;
    if (form == IM_PACKED) {
        g.a = a + i * k + p * IM_GEMM_MR;
    } else if (rows == IM_GEMM_MR || rows == IM_GEMM_FEW) {
        g.a = a + i * lda + p;
        g.row_step = lda;
        g.depth_step = 1;
    } else {
        memset(scratch, 0, depth * IM_GEMM_MR * sizeof *scratch);
        for (size_t r = 0; r < rows; r++)
            for (size_t q = 0; q < depth; q++)
                scratch[q * IM_GEMM_MR + r] = a[(i + r) * lda + p + q];
    }
    return g;
}

/* What to fetch while panel j of B is taken: two of the twelve rows of A that come next. After
 * the last rows there are none, and then the address is never read, only hinted at. */
static void look_ahead(im_gemm_rows *g, const im_real *a, size_t lda, im_trans form, size_t k,
                       size_t i, size_t p, size_t j)
{
    const size_t row = 2 * (j / IM_GEMM_NR) % IM_GEMM_MR;
    if (form == IM_PACKED) {
        g->ahead = a + (i + IM_GEMM_MR) * k + p * IM_GEMM_MR + row * g->depth;
        g->ahead_step = g->depth;
    } else {
        g->ahead = a + (i + IM_GEMM_MR + row) * lda + p;
        g->ahead_step = lda;
    }
}

void im_gemm(const im_gemm_kernel *kernel, im_real *c, size_t ldc, const im_real *a,
             size_t lda, im_trans form, const im_real *packed, size_t m, size_t n, size_t k,
             bool accumulate, im_real *scratch)
{
    assert(form != IM_TRANS && kernel->depth > 0 && kernel->depth <= IM_GEMM_KC);
    assert(m <= 1 || ldc >= n);
    assert(form == IM_PACKED || m <= 1 || lda >= k);
    im_real *tile = scratch + IM_GEMM_MR * IM_GEMM_KC;
    const size_t slices = k ? (k + kernel->depth - 1) / kernel->depth : 1;
    for (size_t slice = 0; slice < slices; slice++) {
        const size_t p = k * slice / slices, depth = k * (slice + 1) / slices - p;
        for (size_t i = 0; i < m; i += IM_GEMM_MR) {
            const size_t rows = m - i < IM_GEMM_MR ? m - i : IM_GEMM_MR;
            im_gemm_rows g = take_rows(a, lda, form, k, i, rows, p, depth, scratch);
            g.accumulate = accumulate || slice > 0;
            for (size_t j = 0; j < n; j += IM_GEMM_NR) {
                const size_t cols = n - j < IM_GEMM_NR ? n - j : IM_GEMM_NR;
                look_ahead(&g, a, lda, form, k, i, p, j);
                whole_or_part(kernel, c + i * ldc + j, ldc, &g,
                              packed + j * k + p * IM_GEMM_NR, cols, tile);
            }
        }
    }
}
