/* SPDX-License-Identifier: MIT
 * See krylov.h. */
#include "linear/krylov.h"

#include "core/alloc.h"
#include "core/lanes.h"
#include "core/rng.h"
#include "linear/symmetric.h"

#include <assert.h>
#include <math.h>

enum {
    BLOCK = IM_KRYLOV_BLOCK, /* vectors that are added at a time, but as many as are wanted: */
    BLOCKS = 4,              /* fewer lose some of a value that repeats; so often before the */
    SMALL = 64               /* space is cut down. Operators that are written out */
};

/* What is left of a vector that lay in the space is rounding. */
static const double NOTHING = 1e-10;

/* The space, and what the operator makes of it. */
typedef struct space {
    const im_krylov_options *opt;
    im_krylov_apply *apply;
    void *context;
    size_t start, block, room; /* vectors to begin with, of a block, and at most */
    size_t size;               /* vectors there are */
    double *basis;             /* (room,n) orthonormal */
    double *image;             /* (room,n) A times them */
    double *small;             /* (room,room) basis A basis^T */
    double *value;             /* (room) the eigenvalues of it, */
    double *turn;              /* (room,room) and its eigenvectors */
    double *lost;              /* (room,room) */
    double *scratch;           /* of the small problem; (room + n) */
    void *memory;
} space;

static size_t lay_out(space *s, void *base)
{
    const size_t n = s->opt->n, room = s->room;
    im_carver c = {base, 0};
    s->basis = im_carve(&c, room * n, sizeof(double));
    s->image = im_carve(&c, room * n, sizeof(double));
    s->small = im_carve(&c, room * room, sizeof(double));
    s->value = im_carve(&c, room, sizeof(double));
    s->turn = im_carve(&c, room * room, sizeof(double));
    s->lost = im_carve(&c, room * room, sizeof(double));
    s->scratch = im_carve(&c, im_symmetric_scratch(room) + room, sizeof(double));
    return c.used;
}

static imsat_status open_space(space *s, imsat_error *err)
{
    const size_t n = s->opt->n, want = s->opt->want;
    size_t numbers;
    s->block = want > BLOCK ? want : BLOCK;
    s->start = want + BLOCK;
    s->room = s->start + BLOCKS * s->block;
    if (n <= SMALL || s->room >= n)
        s->start = s->room = n;
    if (im_size_mul(&numbers, 2 * sizeof(double), s->room) &&
        im_size_mul(&numbers, numbers, n + 2 * s->room))
        s->memory = im_alloc(lay_out(s, NULL), 1);
    if (!s->memory)
        return im_fail_memory(err, "the eigenvectors");
    lay_out(s, s->memory);
    return IMSAT_OK;
}

/* ---- growing ---------------------------------------------------------------------- */

/* Free vector `size` of the vectors before it, and count it, unless nothing is left. Twice:
 * once leaves what cancellation has spoiled. */
static bool take(space *s)
{
    const size_t n = s->opt->n;
    double *v = s->basis + s->size * n;
    const double before = im_lanes_dot(v, v, n);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->size; i++)
            im_lanes_add(v, -im_lanes_dot(v, s->basis + i * n, n), s->basis + i * n, n);
    const double after = im_lanes_dot(v, v, n);
    if (!(after > NOTHING * NOTHING * before))
        return false;
    const double scale = 1 / sqrt(after);
    for (size_t j = 0; j < n; j++)
        v[j] *= scale;
    s->size++;
    return true;
}

static void take_random(space *s)
{
    const size_t n = s->opt->n;
    const im_rng rng = {.stream = IM_STREAM_KRYLOV};
    float part[64];
    for (uint32_t item = 0; s->size < s->start; item++) {
        double *v = s->basis + s->size * n;
        for (size_t first = 0; first < n; first += 64) {
            const im_rng there = {rng.seed, rng.stream, (uint32_t)(first / 64), 0};
            im_rng_normals(part, 64, there, item);
            for (size_t j = first; j < n && j < first + 64; j++)
                v[j] = part[j - first];
        }
        take(s);
    }
}

/* All axes: the space is everything. */
static void take_axes(space *s)
{
    const size_t n = s->opt->n;
    assert(s->basis); /* open_space() has made it */
    memset(s->basis, 0, n * n * sizeof *s->basis);
    for (size_t i = 0; i < n; i++)
        s->basis[i * n + i] = 1;
    s->size = n;
}

/* The image of vectors `from` on, and their part of the small matrix. */
static imsat_status apply(space *s, size_t from, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t n = s->opt->n;
    for (size_t i = from; i < s->size; i += BLOCK) {
        const size_t count = im_size_min(BLOCK, s->size - i);
        IM_TRY(s->apply(s->context, s->image + i * n, s->basis + i * n, count, stage, err));
    }
    for (size_t i = from; i < s->size; i++)
        for (size_t j = 0; j <= i; j++)
            s->small[i * s->room + j] = s->small[j * s->room + i] =
                im_lanes_dot(s->basis + j * n, s->image + i * n, n);

cleanup:
    return st;
}

/* ---- looking ---------------------------------------------------------------------- */

static void solve(space *s)
{
    for (size_t i = 0; i < s->size; i++)
        memcpy(s->lost + i * s->size, s->small + i * s->room, s->size * sizeof *s->lost);
    im_symmetric_eigen(s->value, s->turn, s->lost, s->size, s->scratch);
}

/* out (n) = sum of turn_i vectors_i, for eigenvector e. */
static void combine(double *out, const space *s, const double *vectors, size_t e)
{
    const size_t n = s->opt->n;
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < s->size; i++)
        im_lanes_add(out, s->turn[e * s->size + i], vectors + i * n, n);
}

/* The residual of eigenvector e, in the place behind the space; its length. */
static double residual(space *s, size_t e, size_t place)
{
    const size_t n = s->opt->n;
    double *r = s->basis + place * n;
    combine(r, s, s->image, e);
    for (size_t i = 0; i < s->size; i++)
        im_lanes_add(r, -s->value[e] * s->turn[e * s->size + i], s->basis + i * n, n);
    return sqrt(im_lanes_dot(r, r, n));
}

/* Residuals that are too long, at most a block of them, behind the space; how many. */
static size_t residuals(space *s)
{
    const double limit =
        s->opt->tolerance * fmax(fabs(s->value[0]), fabs(s->value[s->size - 1]));
    size_t found = 0;
    for (size_t e = 0; e < s->opt->want && found < s->block; e++)
        found += residual(s, e, s->size + found) > limit;
    return found;
}

/* The residuals become vectors of the space; false: they lie in it already. */
static bool grow(space *s, size_t found)
{
    const size_t n = s->opt->n, first = s->size;
    for (size_t i = 0; i < found; i++) {
        if (s->size != first + i)
            memcpy(s->basis + s->size * n, s->basis + (first + i) * n, n * sizeof *s->basis);
        take(s);
    }
    return s->size > first;
}

/* vectors = the first `count` combinations of them, in a piece of columns at a time. */
static void turn(const space *s, double *vectors, size_t count, double *column)
{
    const size_t n = s->opt->n;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < s->size; i++)
            column[i] = vectors[i * n + j];
        for (size_t e = 0; e < count; e++)
            vectors[e * n + j] = im_lanes_dot(s->turn + e * s->size, column, s->size);
    }
}

/* Keep the best of the space: the eigenvectors of the largest values. */
static void cut(space *s)
{
    turn(s, s->basis, s->start, s->scratch);
    turn(s, s->image, s->start, s->scratch);
    for (size_t i = 0; i < s->start; i++)
        for (size_t j = 0; j < s->start; j++)
            s->small[i * s->room + j] = i == j ? s->value[i] : 0;
    s->size = s->start;
}

/* ---- the whole --------------------------------------------------------------------- */

static imsat_status search(bool *converged, space *s, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage still = im_stage_part(stage, 0, 0);
    size_t found = 0;
    for (size_t round = 0;; round++) {
        solve(s);
        if (s->size < s->opt->n && s->size + s->block > s->room) {
            cut(s);
            solve(s);
        }
        const size_t from = s->size;
        found = from < s->opt->n ? residuals(s) : 0;
        if (found == 0 || round == s->opt->rounds || !grow(s, found))
            break;
        IM_TRY(apply(s, from, &still, err));
        IM_TRY(im_stage_report(stage, (double)(round + 1) / (double)(round + 10), err));
    }
    *converged = found == 0;

cleanup:
    return st;
}

static imsat_status hand_over(im_krylov *out, const space *s, bool converged, imsat_error *err)
{
    const size_t n = s->opt->n, want = s->opt->want;
    im_krylov k = {.n = n, .count = want, .converged = converged};
    k.value = im_alloc(want, sizeof *k.value);
    k.vectors = im_alloc(want * n, sizeof *k.vectors);
    if (!k.value || !k.vectors) {
        im_krylov_clear(&k);
        return im_fail_memory(err, "the eigenvectors");
    }
    for (size_t e = 0; e < want; e++) {
        k.value[e] = s->value[e];
        combine(k.vectors + e * n, s, s->basis, e);
        im_symmetric_sign(k.vectors + e * n, n);
    }
    *out = k;
    return IMSAT_OK;
}

imsat_status im_krylov_find(im_krylov *out, const im_krylov_options *options,
                            im_krylov_apply *apply_to, void *context, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    space s = {.opt = options, .apply = apply_to, .context = context};
    const im_stage whole = im_stage_part(stage, 0, 1), still = im_stage_part(stage, 0, 0);
    bool converged = false;
    assert(1 <= options->want && options->want <= options->n);
    IM_TRY(open_space(&s, err));
    if (s.room == options->n)
        take_axes(&s);
    else
        take_random(&s);
    IM_TRY(apply(&s, 0, &still, err));
    IM_TRY(search(&converged, &s, &whole, err));
    IM_TRY(hand_over(out, &s, converged, err));

cleanup:
    im_free(s.memory);
    return st;
}

void im_krylov_clear(im_krylov *found)
{
    im_free(found->value);
    im_free(found->vectors);
    *found = (im_krylov){0};
}
