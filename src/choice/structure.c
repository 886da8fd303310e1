/* SPDX-License-Identifier: MIT
 * See structure.h. */
#include "choice/structure.h"

#include <math.h>

const char *const im_structure_tester[IM_TESTERS] = {"kmeans", "spectral"};

/* Deviations above rows without clusters that make a structure, of one method or of both. */
static const double ENOUGH = 3, ENOUGH_OF_BOTH = 2;

/* The least deviation that is believed, times the root of the number of rows. Noise of 400
 * rows in a square had estimates from 0.011 to 0.030, and the lowest ones gave false alarms.
 */
static const double LEAST_DEVIATION = 0.4;

/* Clusters up to which spectral clustering takes part: its time grows with their square. */
enum { SPECTRAL_CLUSTERS = 32 };

const char *imsat_null_name(imsat_null kind)
{
    static const char *const name[IMSAT_NULLS] = {"normal", "uniform", "permuted"};
    return (unsigned)kind < IMSAT_NULLS ? name[kind] : NULL;
}

/* ---- draws ------------------------------------------------------------------------------ */

void im_nulls_clear(im_nulls *nulls)
{
    for (size_t kind = 0; kind < IMSAT_NULLS; kind++)
        for (size_t i = 0; i < IM_DRAWS; i++)
            im_portion_clear(&nulls->draw[kind][i]);
    *nulls = (im_nulls){0};
}

imsat_status im_nulls_draw(im_nulls *out, const im_portion *portion, bool permuted,
                           im_attempts *attempts, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_nulls made = {.draws = {IM_DRAWS, IM_DRAWS, permuted}};
    for (size_t kind = 0; kind < IMSAT_NULLS; kind++)
        for (size_t i = 0; i < made.draws[kind]; i++) {
            IM_TRY(im_attempt_tell(attempts, attempts->share, err));
            IM_TRY(im_null_draw(&made.draw[kind][i], portion, (imsat_null)kind,
                                attempts->opt->seed, (uint32_t)i, attempts->pool, err));
        }
    *out = made;
    made = (im_nulls){0};

cleanup:
    im_nulls_clear(&made);
    return st;
}

/* ---- the test ----------------------------------------------------------------------------
 */

static double mean_of(const double value[IM_DRAWS])
{
    double sum = 0;
    for (size_t i = 0; i < IM_DRAWS; i++)
        sum += value[i];
    return sum / IM_DRAWS;
}

static double squares_about(const double value[IM_DRAWS], double mean)
{
    double sum = 0;
    for (size_t i = 0; i < IM_DRAWS; i++)
        sum += (value[i] - mean) * (value[i] - mean);
    return sum;
}

double im_structure_excess(const im_structure *s, size_t tester)
{
    return (s->data[tester] - s->without[tester]) / s->deviation;
}

/* The means of a tester's draws; their squares about it are added to a sum, and how many of
 * them are free. */
static void take_draws(im_structure *s, double *squares, double *freedom, size_t tester,
                       const im_drawn *drawn)
{
    const double *normal = drawn->value[tester][IMSAT_NULL_NORMAL];
    const double *uniform = drawn->value[tester][IMSAT_NULL_UNIFORM];
    const double one = mean_of(normal), two = mean_of(uniform);
    const double sum = squares_about(normal, one) + squares_about(uniform, two);
    s->without[tester] = isnan(sum) ? NAN : fmax(one, two);
    if (!isnan(sum)) {
        *squares += sum;
        *freedom += 2 * (IM_DRAWS - 1);
    }
}

void im_structure_judge(im_structure *s, const im_drawn *drawn, size_t n)
{
    double squares = 0, freedom = 0;
    size_t above = 0;
    for (size_t t = 0; t < IM_TESTERS; t++)
        take_draws(s, &squares, &freedom, t, drawn);
    s->deviation = fmax(sqrt(squares / fmax(freedom, 1)), LEAST_DEVIATION / sqrt((double)n));
    s->best = IM_TESTERS;
    for (size_t t = 0; t < IM_TESTERS; t++) {
        const double excess = im_structure_excess(s, t);
        if (isnan(excess))
            continue;
        if (s->best == IM_TESTERS || excess > im_structure_excess(s, s->best))
            s->best = t;
        above += excess > ENOUGH_OF_BOTH;
    }
    s->found = above == IM_TESTERS ||
               (s->best < IM_TESTERS && im_structure_excess(s, s->best) > ENOUGH);
}

/* A tester that takes no part. */
static void abstain(im_structure *s, im_drawn *drawn, size_t tester)
{
    s->data[tester] = NAN;
    for (size_t kind = IMSAT_NULL_NORMAL; kind <= IMSAT_NULL_UNIFORM; kind++)
        for (size_t i = 0; i < IM_DRAWS; i++)
            drawn->value[tester][kind][i] = NAN;
}

imsat_status im_structure_test(im_structure *out, const im_portion *portion,
                               const im_nulls *nulls, size_t k, im_attempts *attempts,
                               double from, double to, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_structure s = {0};
    im_drawn drawn;
    const double step = (to - from) / (IM_TESTERS * IM_DRAWS);
    for (size_t t = 0; t < IM_TESTERS; t++) {
        const char *method = im_structure_tester[t];
        if (t > 0 && k > SPECTRAL_CLUSTERS) {
            abstain(&s, &drawn, t);
            continue;
        }
        IM_TRY(im_attempt_information(&s.data[t], attempts, portion, method, k, err));
        for (size_t i = 0; i < IM_DRAWS; i++) {
            IM_TRY(im_attempt_tell(attempts, from + step * (double)(t * IM_DRAWS + i), err));
            for (size_t kind = IMSAT_NULL_NORMAL; kind <= IMSAT_NULL_UNIFORM; kind++)
                IM_TRY(im_attempt_information(&drawn.value[t][kind][i], attempts,
                                              &nulls->draw[kind][i], method, k, err));
        }
    }
    im_structure_judge(&s, &drawn, portion->n);
    *out = s;

cleanup:
    return st;
}
