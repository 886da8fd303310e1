/* SPDX-License-Identifier: MIT
 * Random numbers: Philox's published answers, bijective permutations, and the moments of a
 * fixed sample. Bounds of moments are five standard errors of the sample. */
#include "core/philox.h"

#include "core/alloc.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { SAMPLE = 200000 };

static im_rng generator(uint64_t seed, im_stream stream, uint32_t step)
{
    return (im_rng){seed, stream, step, 0};
}

/* The counter is (index, item, step, stream), the key (low seed, high seed). The answers are
 * those of Random123's file of known answers, philox4x32-10. */
static void philox_gives_the_published_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], answer[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX},
         {UINT32_MAX, UINT32_MAX},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t word[4];
        im_stream stream;
        memcpy(&stream, &known[i].counter[3], sizeof stream); /* any value, not only named */
        const im_rng rng = generator((uint64_t)known[i].key[1] << 32 | known[i].key[0], stream,
                                     known[i].counter[2]);
        im_rng_block(word, rng, known[i].counter[1], known[i].counter[0]);
        for (int j = 0; j < 4; j++)
            if (word[j] != known[i].answer[j])
                fail_msg("vector %zu, word %d: %08x, not %08x", i, j, word[j],
                         known[i].answer[j]);
    }
}

/* Sixteen counters at once, by every version: the blocks that Random123 gives, also where the
 * counter wraps around. */
static void philox_of_sixteen_is_philox(void **state)
{
    (void)state;
    const im_philox_fn version[] = {im_philox_ref, im_philox_select()};
    const uint32_t first[] = {0, 16, UINT32_MAX - 5};
    const im_rng rng = {UINT64_C(0xfedcba9876543210), IM_STREAM_AUGMENT, 77, 3};
    for (size_t v = 0; v < 2; v++)
        for (size_t f = 0; f < 3; f++) {
            uint32_t word[IM_PHILOX_WORDS][IM_PHILOX_LANES], block[4];
            version[v](word, rng, 4000000000U, first[f]);
            for (uint32_t i = 0; i < IM_PHILOX_LANES; i++) {
                im_rng_block(block, rng, 4000000000U, first[f] + i);
                for (size_t w = 0; w < IM_PHILOX_WORDS; w++)
                    assert_int_equal(word[w][i], block[w]);
            }
        }
}

/* Each of the five arguments changes the block. */
static void every_coordinate_matters(void **state)
{
    (void)state;
    uint32_t block[6][4];
    im_rng_block(block[0], generator(1, IM_STREAM_INIT, 2), 3, 4);
    im_rng_block(block[1], generator(1 + (UINT64_C(1) << 40), IM_STREAM_INIT, 2), 3, 4);
    im_rng_block(block[2], generator(1, IM_STREAM_BATCH, 2), 3, 4);
    im_rng_block(block[3], generator(1, IM_STREAM_INIT, 3), 3, 4);
    im_rng_block(block[4], generator(1, IM_STREAM_INIT, 2), 4, 4);
    im_rng_block(block[5], generator(1, IM_STREAM_INIT, 2), 3, 5);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(block[i], block[j], sizeof block[i]);
}

static void permutations_are_bijections(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 10, 1000, 4096, 4097};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t step = 0; step < 3; step++) {
            const uint64_t n = sizes[s];
            unsigned char *hit = im_alloc(n, 1);
            assert_non_null(hit);
            for (uint64_t i = 0; i < n; i++) {
                const uint64_t to = im_rng_permute(i, n, generator(9, IM_STREAM_BATCH, step));
                assert_true(to < n);
                if (hit[to]++)
                    fail_msg("n %llu, step %u: %llu is hit twice", (unsigned long long)n, step,
                             (unsigned long long)to);
            }
            im_free(hit);
        }
}

static void steps_and_seeds_give_different_permutations(void **state)
{
    (void)state;
    enum { N = 1000 };
    const im_rng rng = generator(5, IM_STREAM_BATCH, 0);
    const im_rng others[] = {generator(5, IM_STREAM_BATCH, 1),
                             generator(6, IM_STREAM_BATCH, 0)};
    size_t in_place = 0, equal[2] = {0};
    for (uint64_t i = 0; i < N; i++) {
        const uint64_t to = im_rng_permute(i, N, rng);
        in_place += to == i;
        for (int j = 0; j < 2; j++)
            equal[j] += to == im_rng_permute(i, N, others[j]);
    }
    /* Each count is near Poisson(1). */
    assert_true(in_place < 10 && equal[0] < 10 && equal[1] < 10);
}

/* Over many steps each point reaches each place equally often. */
static void permutations_are_uniform(void **state)
{
    (void)state;
    enum { N = 5, STEPS = 5000 };
    int count[N][N] = {{0}};
    for (uint32_t step = 0; step < STEPS; step++)
        for (uint64_t i = 0; i < N; i++)
            count[i][im_rng_permute(i, N, generator(3, IM_STREAM_BATCH, step))]++;
    const double expected = (double)STEPS / N, bound = 5 * sqrt(STEPS * 0.2 * 0.8);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (fabs(count[i][j] - expected) > bound)
                fail_msg("%d went to %d %d times in %d", i, j, count[i][j], STEPS);
}

static void large_indices_stay_in_range(void **state)
{
    (void)state;
    const uint64_t n = UINT64_C(3000000000000);
    for (uint64_t i = 0; i < 50; i++) {
        const uint64_t first = im_rng_permute(i, n, generator(1, IM_STREAM_BATCH, 0));
        const uint64_t second = im_rng_permute(n - 1 - i, n, generator(1, IM_STREAM_BATCH, 0));
        assert_true(first < n && second < n && first != second);
    }
}

/* The vector code against Random123's words and the double-precision functions of libm. */
static void normals_are_box_and_muller(void **state)
{
    (void)state;
    enum { N = 150, LANES = 16, CHUNK = 4 * LANES };
    float x[N];
    const im_rng rng = {0x123456789abcdef, IM_STREAM_AUGMENT, 3, 2};
    im_rng_normals(x, N, rng, 77);
    for (size_t i = 0; i < N; i++) {
        uint32_t word[4];
        const size_t lane = i % LANES, which = i % CHUNK / LANES;
        im_rng_block(word, rng, 77, (uint32_t)(i / CHUNK * LANES + lane));
        const double u = ((word[which & 2] >> 8) + 0.5) / 16777216;
        const double v = ((word[(which & 2) + 1] >> 8) + 0.5) / 16777216;
        const double angle = 2 * acos(-1) * v;
        assert_near((double)x[i], sqrt(-2 * log(u)) * (which & 1 ? sin(angle) : cos(angle)),
                    2e-6);
    }
}

static void normals_have_the_moments_of_normals(void **state)
{
    (void)state;
    float *x = im_alloc(SAMPLE, sizeof *x);
    assert_non_null(x);
    im_rng_normals(x, SAMPLE, generator(11, IM_STREAM_AUGMENT, 7), 13);
    double mean = 0, second = 0, fourth = 0, next = 0;
    for (size_t i = 0; i < SAMPLE; i++) {
        assert_true(isfinite(x[i]));
        const double sq = (double)x[i] * x[i];
        mean += x[i] / (double)SAMPLE;
        second += sq / SAMPLE;
        fourth += sq * sq / SAMPLE;
        next += i ? (double)x[i] * x[i - 1] / SAMPLE : 0;
    }
    const double error = 5 / sqrt(SAMPLE);
    assert_true(fabs(mean) < error);
    assert_true(fabs(second - 1) < error * sqrt(2));
    assert_true(fabs(fourth - 3) < error * sqrt(96)); /* var x^4 = 105 - 9 */
    assert_true(fabs(next) < error);
    im_free(x);
}

static void uniforms_have_the_moments_of_uniforms(void **state)
{
    (void)state;
    double *u = im_alloc(SAMPLE, sizeof *u);
    assert_non_null(u);
    im_rng_uniforms(u, SAMPLE, generator(11, IM_STREAM_AUGMENT, 7), 13);
    double mean = 0, variance = 0;
    for (size_t i = 0; i < SAMPLE; i++) {
        assert_true(u[i] >= 0 && u[i] < 1);
        mean += u[i] / SAMPLE;
        variance += (u[i] - 0.5) * (u[i] - 0.5) / SAMPLE;
    }
    assert_true(fabs(mean - 0.5) < 5 / sqrt(12.0 * SAMPLE));
    assert_true(fabs(variance - 1 / 12.0) < 5 / sqrt(180.0 * SAMPLE));
    im_free(u);
}

/* Asking for fewer numbers gives the first ones: no draw depends on how many follow. */
static void prefixes_agree(void **state)
{
    (void)state;
    float all[11], some[11];
    double all_u[11], some_u[11];
    const im_rng rng = generator(2, IM_STREAM_INIT, 1);
    im_rng_normals(all, 11, rng, 5);
    im_rng_uniforms(all_u, 11, rng, 5);
    for (size_t n = 0; n <= 11; n++) {
        for (size_t i = 0; i < 11; i++)
            some_u[i] = some[i] = -99;
        im_rng_normals(some, n, rng, 5);
        im_rng_uniforms(some_u, n, rng, 5);
        for (size_t i = 0; i < 11; i++) {
            assert_true(some[i] == (i < n ? all[i] : -99));
            assert_true(some_u[i] == (i < n ? all_u[i] : -99));
        }
    }
}

static void streams_are_independent(void **state)
{
    (void)state;
    static const im_stream streams[] = {IM_STREAM_INIT, IM_STREAM_BATCH, IM_STREAM_AUGMENT,
                                        IM_STREAM_ASSESS};
    enum { STREAMS = 4, DRAWS = 20000 };
    float *x = im_alloc((size_t)STREAMS * DRAWS, sizeof *x);
    assert_non_null(x);
    for (size_t s = 0; s < STREAMS; s++)
        im_rng_normals(x + s * DRAWS, DRAWS, generator(4, streams[s], 0), 0);
    for (size_t s = 0; s < STREAMS; s++)
        for (size_t t = 0; t < s; t++) {
            double correlation = 0;
            for (size_t i = 0; i < DRAWS; i++)
                correlation += (double)x[s * DRAWS + i] * x[t * DRAWS + i] / DRAWS;
            if (fabs(correlation) > 5 / sqrt(DRAWS))
                fail_msg("streams %zu and %zu correlate: %g", s, t, correlation);
        }
    im_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_gives_the_published_answers),
        cmocka_unit_test(philox_of_sixteen_is_philox),
        cmocka_unit_test(every_coordinate_matters),
        cmocka_unit_test(permutations_are_bijections),
        cmocka_unit_test(steps_and_seeds_give_different_permutations),
        cmocka_unit_test(permutations_are_uniform),
        cmocka_unit_test(large_indices_stay_in_range),
        cmocka_unit_test(normals_are_box_and_muller),
        cmocka_unit_test(normals_have_the_moments_of_normals),
        cmocka_unit_test(uniforms_have_the_moments_of_uniforms),
        cmocka_unit_test(prefixes_agree),
        cmocka_unit_test(streams_are_independent),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
