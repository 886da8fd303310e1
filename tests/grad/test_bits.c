/* SPDX-License-Identifier: MIT
 *
 * The terms of hash codes beside a plain reading of the paper's formulas, all four cells of
 * every pair by their own sums; and their gradients to the logits, against differences of
 * that reading.
 */
#include "gradcheck.h"

#include "nn/sigmoid.h"
#include "objective/bit_info.h"
#include "objective/floor.h"

#include <math.h>
#include <string.h>

/* More bits than a block of the products (24) and a packed panel (32) hold. */
enum { N = 7, MOST = 37, LDZ = N + 3 };

/* Small, so that differences of a sum over many pairs are not lost in its rounding. */
#define WEIGHT 0.25

typedef struct bits_case {
    size_t bits;
    im_real z[MOST * LDZ];
    im_real one[MOST * N], zero[MOST * N];
    im_real clean_one[MOST * N], clean_zero[MOST * N]; /* target of R_SAT */
} bits_case;

static im_bit_proba predict(bits_case *c)
{
    for (size_t d = 0; d < c->bits; d++)
        im_sigmoid_forward(c->one + d * N, c->zero + d * N, c->z + d * LDZ, N);
    return (im_bit_proba){c->one, c->zero};
}

static void open_case(bits_case *c, size_t bits)
{
    memset(c, 0, sizeof *c);
    c->bits = bits;
    fill_random(c->z, MOST * LDZ, 31);
    for (size_t i = 0; i < MOST * LDZ; i++)
        c->z[i] *= 3;
    const im_bit_proba p = predict(c);
    memcpy(c->clean_one, p.one, sizeof c->clean_one);
    memcpy(c->clean_zero, p.zero, sizeof c->clean_zero);
    fill_random(c->z, MOST * LDZ, 32);
    predict(c);
}

/* The share of rows in a cell of bits d and e, by its own sum. */
static double cell(const bits_case *c, size_t d, size_t e, int y, int y2)
{
    const im_real *u = y ? c->one : c->zero, *v = y2 ? c->one : c->zero;
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += u[d * N + i] * v[e * N + i];
    return sum / N;
}

static double share(const bits_case *c, size_t d, int y)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += (y ? c->one : c->zero)[d * N + i];
    return sum / N;
}

static double plain_pairs(const bits_case *c)
{
    double sum = 0;
    for (size_t d = 0; d < c->bits; d++)
        for (size_t e = 0; e < c->bits; e++)
            for (int y = 0; y < 4 && d != e; y++) {
                const double joint = cell(c, d, e, y / 2, y % 2);
                const double apart = share(c, d, y / 2) * share(c, e, y % 2);
                sum += joint * log((joint + 1e-8) / (apart + 1e-8));
            }
    return sum;
}

static double plain_h(double p)
{
    return -p * log(p + 1e-8) - (1 - p) * log(1 - p + 1e-8);
}

static im_bit_terms plain_terms(const bits_case *c)
{
    im_bit_terms t = {.pair_info = plain_pairs(c)};
    for (size_t d = 0; d < c->bits; d++) {
        t.marg_entropy += plain_h(share(c, d, 1));
        for (size_t i = 0; i < N; i++)
            t.cond_entropy += plain_h(c->one[d * N + i]) / N;
    }
    return t;
}

static double information(void *context)
{
    bits_case *c = context;
    predict(c);
    const im_bit_terms t = plain_terms(c);
    return WEIGHT * (t.cond_entropy - t.marg_entropy + t.pair_info);
}

static void assert_terms(im_bit_terms ours, im_bit_terms plain)
{
    assert_near(ours.cond_entropy, plain.cond_entropy, 1e-12);
    assert_near(ours.marg_entropy, plain.marg_entropy, 1e-12);
    assert_near(ours.pair_info, plain.pair_info, 1e-12);
}

static void check_information(size_t bits)
{
    bits_case c;
    imsat_error err;
    im_pool *pool;
    im_bit_info info;
    im_bit_totals totals;
    im_real dz[MOST * LDZ] = {0};
    open_case(&c, bits);
    assert_ok(im_pool_new(&pool, 2, &err), &err);
    assert_ok(im_bit_info_new(&info, bits, N, pool, im_gemm_select(false), &err), &err);
    assert_ok(im_bit_totals_new(&totals, bits, &err), &err);
    const im_bit_proba p = predict(&c);
    im_bit_info_measure(&info, p, N);
    im_bit_totals_add(&totals, &info, N);
    const im_bit_terms terms = im_bit_info_terms(&info, N), plain = plain_terms(&c);
    assert_terms(terms, plain);
    assert_terms(im_bit_totals_terms(&totals), plain);
    assert_true(terms.marg_entropy > terms.cond_entropy);
    assert_true(bits == 1 ? fabs(terms.pair_info) < 1e-15 : terms.pair_info > 0);
    im_bit_info_grad(&info, dz, LDZ, p, WEIGHT, N);
    for (size_t d = 0; d < bits; d++)
        assert_gradient("information of bits", information, &c, c.z + d * LDZ, dz + d * LDZ,
                        N);
    im_bit_totals_clear(&totals);
    im_bit_info_clear(&info);
    im_pool_free(pool);
}

static void test_information(void **state)
{
    (void)state;
    check_information(1);
    check_information(2);
    check_information(5);
    check_information(MOST);
}

/* Two equal bits share all that they know; a cell without rows has a finite gradient. */
static void test_saturated(void **state)
{
    (void)state;
    bits_case c = {.bits = 2};
    imsat_error err;
    im_pool *pool;
    im_bit_info info;
    im_real dz[2 * LDZ];
    const double m = 4.0 / N;
    for (size_t i = 0; i < N; i++)
        c.z[i] = c.z[LDZ + i] = i < 4 ? 800 : -800;
    assert_ok(im_pool_new(&pool, 1, &err), &err);
    assert_ok(im_bit_info_new(&info, 2, N, pool, im_gemm_select(true), &err), &err);
    const im_bit_proba p = predict(&c);
    im_bit_info_measure(&info, p, N);
    const im_bit_terms terms = im_bit_info_terms(&info, N);
    assert_near(terms.pair_info, 2 * plain_h(m), 1e-6);
    assert_near(terms.cond_entropy, 0, 1e-6);
    im_bit_info_grad(&info, dz, LDZ, p, 1, N);
    for (size_t d = 0; d < 2; d++)
        for (size_t i = 0; i < N; i++)
            assert_true(isfinite(dz[d * LDZ + i]));
    im_bit_info_clear(&info);
    im_pool_free(pool);
}

static double sat(void *context)
{
    bits_case *c = context;
    double sum = 0;
    predict(c);
    for (size_t d = 0; d < c->bits; d++)
        for (size_t i = d * N; i < (d + 1) * N; i++) {
            const double p = c->clean_one[i], q = c->one[i];
            sum += p * log((p + 1e-8) / (q + 1e-8));
            sum += (1 - p) * log((1 - p + 1e-8) / (1 - q + 1e-8));
        }
    return sum / 2;
}

static void test_sat(void **state)
{
    (void)state;
    bits_case c;
    im_real dz[N];
    double ours = 0;
    open_case(&c, 5);
    for (size_t d = 0; d < c.bits; d++) {
        const im_bit_proba clean = {c.clean_one + d * N, c.clean_zero + d * N};
        const im_bit_proba now = {c.one + d * N, c.zero + d * N};
        ours += im_bit_sat_sum(clean, now, N);
        assert_near(im_bit_sat_sum(clean, clean, N), 0, 1e-15);
        im_bit_sat_grad(dz, clean, now, 0.5, N);
        assert_gradient("R_SAT of bits", sat, &c, c.z + d * LDZ, dz, N);
    }
    assert_near(ours / 2, sat(&c), 1e-12);
    assert_true(ours > 0);
}

/* A bit and its complement are treated alike, down to where the floor rules. */
static void test_sat_far(void **state)
{
    (void)state;
    const im_real z[2] = {19, -19};
    im_real one[2], zero[2], dz[2], clean_one[2] = {0.25, 0.75}, clean_zero[2] = {0.75, 0.25};
    im_sigmoid_forward(one, zero, z, 2);
    im_bit_sat_grad(dz, (im_bit_proba){clean_one, clean_zero}, (im_bit_proba){one, zero}, 1,
                    2);
    assert_true(dz[0] > 0.2);
    assert_near(dz[0], -dz[1], 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_information),
        cmocka_unit_test(test_saturated),
        cmocka_unit_test(test_sat),
        cmocka_unit_test(test_sat_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
