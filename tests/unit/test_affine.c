/* SPDX-License-Identifier: MIT
 * Affine warps: known maps move pixels to known places. */
#include "augment/affine.h"

#include "support.h"

#include <math.h>
#include <string.h>

enum { MOST = 400 };

static const im_rng RNG = {.seed = 6, .stream = IM_STREAM_AUGMENT, .step = 2};
static const imsat_image SQUARE = {21, 21, 1};

static im_affine draw(im_rng rng, uint32_t item)
{
    return im_affine_draw(rng, item, SQUARE, IMSAT_WARPS_CENTER);
}

static size_t pixels(imsat_image s)
{
    return s.height * s.width * s.channels;
}

static float at(const float *image, imsat_image s, size_t row, size_t col, size_t channel)
{
    return image[(row * s.width + col) * s.channels + channel];
}

static void fill(float *image, imsat_image s)
{
    im_rng_normals(image, pixels(s), (im_rng){.seed = 4, .stream = IM_STREAM_INIT}, 0);
}

static void identity_keeps_the_bits(void **state)
{
    (void)state;
    const imsat_image shapes[] = {{5, 9, 1}, {8, 3, 3}, {1, 7, 2}, {6, 1, 1}, {1, 1, 1}};
    const im_affine identity = im_affine_make(1, 1, 0, 0, 0, 0, 0);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        float in[MOST], out[MOST];
        fill(in, shapes[i]);
        im_affine_apply(out, in, shapes[i], identity);
        assert_memory_equal(out, in, pixels(shapes[i]) * sizeof *in);
    }
}

static void a_whole_shift_moves_pixels_and_fills_zero(void **state)
{
    (void)state;
    const imsat_image s = {6, 9, 2};
    float in[MOST], out[MOST];
    fill(in, s);
    im_affine_apply(out, in, s, im_affine_make(1, 1, 0, 0, 0, 3, -2)); /* right, up */
    for (size_t row = 0; row < s.height; row++)
        for (size_t col = 0; col < s.width; col++)
            for (size_t c = 0; c < s.channels; c++) {
                const int inside = col >= 3 && row + 2 < s.height;
                const float expected = inside ? at(in, s, row + 2, col - 3, c) : 0;
                assert_true(at(out, s, row, col, c) == expected);
            }
}

static void a_half_shift_blends_two_pixels(void **state)
{
    (void)state;
    const imsat_image s = {3, 5, 1};
    float in[MOST], out[MOST];
    fill(in, s);
    im_affine_apply(out, in, s, im_affine_make(1, 1, 0, 0, 0, 0.25, 0));
    for (size_t row = 0; row < s.height; row++)
        for (size_t col = 0; col < s.width; col++) {
            const float before = col > 0 ? at(in, s, row, col - 1, 0) : 0;
            const double expected = 0.75 * at(in, s, row, col, 0) + 0.25 * before;
            assert_near(at(out, s, row, col, 0), expected, 1e-6);
        }
}

static void a_shift_and_its_inverse_restore_the_interior(void **state)
{
    (void)state;
    const imsat_image s = {7, 10, 3};
    float in[MOST], moved[MOST], out[MOST];
    fill(in, s);
    im_affine_apply(moved, in, s, im_affine_make(1, 1, 0, 0, 0, 2, 1));
    im_affine_apply(out, moved, s, im_affine_make(1, 1, 0, 0, 0, -2, -1));
    for (size_t row = 0; row + 1 < s.height; row++)
        for (size_t col = 0; col + 2 < s.width; col++)
            for (size_t c = 0; c < s.channels; c++)
                assert_true(at(out, s, row, col, c) == at(in, s, row, col, c));
}

static void a_quarter_turn_permutes_a_square(void **state)
{
    (void)state;
    const imsat_image shapes[] = {{7, 7, 2}, {8, 8, 1}};
    for (size_t i = 0; i < 2; i++) {
        const imsat_image s = shapes[i];
        float in[MOST], out[MOST];
        fill(in, s);
        im_affine_apply(out, in, s, im_affine_make(1, 1, 0, 0, 90, 0, 0));
        for (size_t row = 0; row < s.height; row++)
            for (size_t col = 0; col < s.width; col++)
                for (size_t c = 0; c < s.channels; c++) /* clockwise: the top goes right */
                    assert_near(at(out, s, col, s.height - 1 - row, c), at(in, s, row, col, c),
                                1e-6);
    }
}

static void scale_and_shear_follow_their_axes(void **state)
{
    (void)state;
    const imsat_image s = {5, 9, 1};
    float in[MOST] = {0}, out[MOST];
    in[2 * 9 + 5] = 1; /* one pixel right of the center */
    im_affine_apply(out, in, s, im_affine_make(2, 1, 0, 0, 0, 0, 0));
    assert_near(at(out, s, 2, 6, 0), 1, 1e-6);
    assert_near(at(out, s, 2, 5, 0), 0.5, 1e-6);
    memset(in, 0, sizeof in);
    in[1 * 9 + 4] = 1; /* one pixel above the center; y counts down */
    im_affine_apply(out, in, s, im_affine_make(1, 1, 1, 0, 0, 0, 0));
    assert_near(at(out, s, 1, 3, 0), 1, 1e-6);
    memset(in, 0, sizeof in);
    in[2 * 9 + 6] = 1; /* two pixels right */
    im_affine_apply(out, in, s, im_affine_make(1, 1, 0, 0.5, 0, 0, 0));
    assert_near(at(out, s, 3, 6, 0), 1, 1e-6);
}

/* Scale, then shear, then rotate, then shift: the inverse brings the image of a point back. */
static void the_parts_apply_in_the_stated_order(void **state)
{
    (void)state;
    const double turn = 0.3, px = 1.5, py = -2.5;
    const im_affine inverse =
        im_affine_make(1.1, 0.9, 0.2, -0.1, turn * 180 / 3.141592653589793, 0.4, -0.3);
    const double sx = 1.1 * px, sy = 0.9 * py;
    const double hx = sx + 0.2 * sy, hy = -0.1 * sx + sy;
    const double rx = cos(turn) * hx - sin(turn) * hy + 0.4;
    const double ry = sin(turn) * hx + cos(turn) * hy - 0.3;
    assert_near(inverse.a * rx + inverse.b * ry + inverse.c, px, 1e-12);
    assert_near(inverse.d * rx + inverse.e * ry + inverse.f, py, 1e-12);
}

static void channels_do_not_mix(void **state)
{
    (void)state;
    const imsat_image color = {6, 7, 3}, gray = {6, 7, 1};
    const im_affine map = im_affine_make(0.9, 1.15, 0.2, -0.25, 7, 0.3, -0.2);
    float in[MOST], out[MOST], plane[MOST], warped[MOST];
    fill(in, color);
    im_affine_apply(out, in, color, map);
    for (size_t c = 0; c < 3; c++) {
        for (size_t i = 0; i < 42; i++)
            plane[i] = in[i * 3 + c];
        im_affine_apply(warped, plane, gray, map);
        for (size_t i = 0; i < 42; i++)
            assert_true(warped[i] == out[i * 3 + c]);
    }
}

/* Undo the draw: forward = (m n; o p) from the inverse, then its parts. The shears and the
 * angle cannot be told apart, so the determinant and the shift are bounded, and the spread of
 * many draws must fill most of the range. */
static void draws_stay_in_range_and_fill_it(void **state)
{
    (void)state;
    double least = 9, most = -9, low = 9, high = -9;
    for (uint32_t item = 0; item < 2000; item++) {
        const im_affine g = draw(RNG, item);
        const double inverse = g.a * g.e - g.b * g.d, determinant = 1 / inverse;
        const double shift_x = -(g.e * g.c - g.b * g.f) / inverse;
        const double shift_y = -(g.a * g.f - g.d * g.c) / inverse;
        assert_true(fabs(shift_x) <= 0.4 + 1e-12 && fabs(shift_y) <= 0.4 + 1e-12);
        assert_true(determinant >= 0.64 * 0.91 - 1e-12 && determinant <= 1.44 * 1.09 + 1e-12);
        least = fmin(least, shift_x), most = fmax(most, shift_x);
        low = fmin(low, determinant), high = fmax(high, determinant);
    }
    assert_true(least < -0.39 && most > 0.39 && low < 0.7 && high > 1.4);
}

static void a_draw_depends_on_what_names_it_alone(void **state)
{
    (void)state;
    im_rng later = RNG, beside = RNG;
    later.step++;
    beside.branch++;
    const im_affine one = draw(RNG, 5), again = draw(RNG, 5);
    assert_memory_equal(&one, &again, sizeof one);
    assert_true(one.a != draw(RNG, 6).a);
    assert_true(one.a != draw(later, 5).a);
    assert_true(one.a != draw(beside, 5).a);
}

/* A scale of 2 about the corner takes the pixel (2, 1) from it to (4, 2); the corner stays. */
static void a_map_about_the_corner_keeps_the_corner(void **state)
{
    (void)state;
    const imsat_image s = {5, 8, 1};
    const im_affine twice = im_affine_about_corner(im_affine_make(2, 2, 0, 0, 0, 0, 0), s);
    float in[MOST] = {0}, out[MOST];
    in[0] = 3, in[1 * 8 + 2] = 1;
    im_affine_apply(out, in, s, twice);
    assert_near(at(out, s, 0, 0, 0), 3, 1e-6);
    assert_near(at(out, s, 2, 4, 0), 1, 1e-6);
    assert_near(at(out, s, 1, 2, 0), 0, 1e-6);
}

/* About the corner each of seven parts is left out half the time: one warp of 128 is none at
 * all, one of four has no shift, and one of 128 has all parts, which are then those of the
 * warp about the center. */
static void parts_are_left_out_half_the_time(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    size_t none = 0, unshifted = 0, whole = 0;
    for (uint32_t item = 0; item < DRAWS; item++) {
        const im_affine map = im_affine_draw(RNG, item, SQUARE, IMSAT_WARPS_CORNER);
        const im_affine all = im_affine_about_corner(draw(RNG, item), SQUARE);
        const int still =
            fabs(map.a - 1) + fabs(map.b) + fabs(map.d) + fabs(map.e - 1) < 1e-12;
        /* where the corner comes from: minus the shift, as the map has it */
        const double x = map.c - 10 * (map.a + map.b) + 10;
        const double y = map.f - 10 * (map.d + map.e) + 10;
        none += still && fabs(x) + fabs(y) < 1e-9;
        unshifted += fabs(x) + fabs(y) < 1e-9;
        whole += memcmp(&map, &all, sizeof map) == 0;
    }
    /* four deviations of a count around DRAWS / 128 are 50, around a quarter 245 */
    assert_true(none > DRAWS / 128 - 50 && none < DRAWS / 128 + 50);
    assert_true(unshifted > DRAWS / 4 - 245 && unshifted < DRAWS / 4 + 245);
    assert_true(whole > DRAWS / 128 - 50 && whole < DRAWS / 128 + 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identity_keeps_the_bits),
        cmocka_unit_test(a_whole_shift_moves_pixels_and_fills_zero),
        cmocka_unit_test(a_half_shift_blends_two_pixels),
        cmocka_unit_test(a_shift_and_its_inverse_restore_the_interior),
        cmocka_unit_test(a_quarter_turn_permutes_a_square),
        cmocka_unit_test(scale_and_shear_follow_their_axes),
        cmocka_unit_test(the_parts_apply_in_the_stated_order),
        cmocka_unit_test(channels_do_not_mix),
        cmocka_unit_test(draws_stay_in_range_and_fill_it),
        cmocka_unit_test(a_draw_depends_on_what_names_it_alone),
        cmocka_unit_test(a_map_about_the_corner_keeps_the_corner),
        cmocka_unit_test(parts_are_left_out_half_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
