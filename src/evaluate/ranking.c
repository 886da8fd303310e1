/* SPDX-License-Identifier: MIT
 *
 * See ranking.h. Let the codes at one distance be a block: m codes, g of them relevant, after
 * n nearer codes, r of them relevant. G is the sum of g over all blocks.
 *
 *     block       AP = 1/G sum over blocks  g (r + g) / (n + m)
 *     expected    AP = 1/G sum over blocks  g/m sum_{j = 1..m} (r + 1 + a (j - 1)) / (n + j)
 *                 a = (g - 1) / (m - 1), or 0 for m = 1
 *     trapezoid   AP = 1/G sum over blocks  g (p + (r + g) / (n + m)) / 2
 *                 p = r / n, or 1 for n = 0
 *
 * docs/theory.md derives the second. Its inner sum is a m + (r + 1 - a (n + 1)) (H_{n+m} -
 * H_n) with harmonic numbers H, but then large terms cancel where m is small against n; the
 * sum of positive terms is exact to rounding, and costs less than the distances did.
 */
#include "evaluate/ranking.h"

#include <assert.h>

static size_t sum(const size_t *counts, size_t bits)
{
    size_t total = 0;
    for (size_t d = 0; d <= bits; d++)
        total += counts[d];
    return total;
}

size_t im_ranking_codes(im_ranking ranking)
{
    return sum(ranking.all, ranking.bits);
}

size_t im_ranking_relevant(im_ranking ranking)
{
    return sum(ranking.relevant, ranking.bits);
}

double im_ranking_ap_block(im_ranking ranking)
{
    size_t n = 0, r = 0;
    double total = 0;
    for (size_t d = 0; d <= ranking.bits; d++) {
        n += ranking.all[d];
        r += ranking.relevant[d];
        if (ranking.relevant[d] > 0)
            total += (double)ranking.relevant[d] * ((double)r / (double)n);
    }
    return r > 0 ? total / (double)r : 0;
}

/* sum_{j = 1..m} (r + 1 + a (j - 1)) / (n + j), in four sums that do not wait for each other.
 */
static double block_sum(size_t n, size_t r, size_t m, size_t g)
{
    assert(g > 0 && g <= m && r <= n);
    const double a = m > 1 ? (double)(g - 1) / (double)(m - 1) : 0;
    const double top = (double)r + 1, bottom = (double)n + 1;
    double part[4] = {0};
    for (size_t j = 0; j < m / 4 * 4; j += 4)
        for (size_t i = 0; i < 4; i++) {
            const double at = (double)(j + i);
            part[i] += (top + a * at) / (bottom + at);
        }
    for (size_t j = m / 4 * 4; j < m; j++)
        part[j % 4] += (top + a * (double)j) / (bottom + (double)j);
    return (part[0] + part[1]) + (part[2] + part[3]);
}

double im_ranking_ap_expected(im_ranking ranking)
{
    size_t n = 0, r = 0;
    double total = 0;
    for (size_t d = 0; d <= ranking.bits; d++) {
        const size_t m = ranking.all[d], g = ranking.relevant[d];
        if (g > 0)
            total += (double)g / (double)m * block_sum(n, r, m, g);
        n += m;
        r += g;
    }
    return r > 0 ? total / (double)r : 0;
}

double im_ranking_ap_trapezoid(im_ranking ranking)
{
    size_t n = 0, r = 0;
    double total = 0, before = 1;
    for (size_t d = 0; d <= ranking.bits; d++) {
        if (ranking.all[d] == 0)
            continue;
        n += ranking.all[d];
        r += ranking.relevant[d];
        const double precision = (double)r / (double)n;
        total += (double)ranking.relevant[d] * (before + precision) / 2;
        before = precision;
    }
    return r > 0 ? total / (double)r : 0;
}

im_ranking_end im_ranking_cut(im_ranking ranking, size_t at)
{
    const size_t codes = im_ranking_codes(ranking);
    im_ranking_end end = {.length = at < codes ? at : codes};
    size_t before = 0;
    assert(end.length > 0);
    while (before + ranking.all[end.distance] < end.length) {
        before += ranking.all[end.distance];
        end.nearer += ranking.relevant[end.distance];
        end.distance++;
    }
    end.taken = end.length - before;
    return end;
}

double im_ranking_at_expected(im_ranking ranking, size_t at)
{
    const im_ranking_end end = im_ranking_cut(ranking, at);
    const double share =
        (double)ranking.relevant[end.distance] / (double)ranking.all[end.distance];
    return ((double)end.nearer + share * (double)end.taken) / (double)end.length;
}
