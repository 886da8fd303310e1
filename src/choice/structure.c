/* SPDX-License-Identifier: MIT
 * See structure.h. */
#include "choice/structure.h"

#include <math.h>

const char *const im_structure_tester[IM_TESTERS] = {"kmeans", "spectral"};

/* Deviations above rows without clusters that make a structure, of one method or of both; and
 * the least deviation that is believed, since eight draws may lie together by chance. */
static const double ENOUGH = 3, ENOUGH_OF_BOTH = 2, LEAST_DEVIATION = 0.01;

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
            im_sample_clear(&nulls->draw[kind][i]);
    *nulls = (im_nulls){0};
}

imsat_status im_nulls_draw(im_nulls *out, const im_sample *sample, bool permuted,
                           im_trials *trials, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_nulls made = {.draws = {IM_DRAWS, IM_DRAWS, permuted}};
    for (size_t kind = 0; kind < IMSAT_NULLS; kind++)
        for (size_t i = 0; i < made.draws[kind]; i++) {
            IM_TRY(im_trial_tell(trials, trials->share, err));
            IM_TRY(im_null_draw(&made.draw[kind][i], sample, (imsat_null)kind,
                                trials->opt->seed, (uint32_t)i, trials->pool, err));
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
    return (s->data[tester] - s->without[tester]) / s->deviation[tester];
}

void im_structure_judge(im_structure *s, size_t tester, const double normal[IM_DRAWS],
                        const double uniform[IM_DRAWS])
{
    const double one = mean_of(normal), two = mean_of(uniform);
    s->without[tester] = one > two || isnan(one) ? one : two;
    s->deviation[tester] = fmax(
        sqrt((squares_about(normal, one) + squares_about(uniform, two)) / (2 * IM_DRAWS - 2)),
        LEAST_DEVIATION);
    const double excess = im_structure_excess(s, tester);
    if (isnan(excess))
        return;
    if (s->best == IM_TESTERS || excess > im_structure_excess(s, s->best))
        s->best = tester;
    s->above += excess > ENOUGH_OF_BOTH;
    s->found = s->found || excess > ENOUGH || s->above == IM_TESTERS;
}

imsat_status im_structure_test(im_structure *out, const im_sample *sample,
                               const im_nulls *nulls, size_t k, im_trials *trials, double from,
                               double to, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_structure s = {.best = IM_TESTERS};
    const double step = (to - from) / (IM_TESTERS * IM_DRAWS);
    for (size_t t = 0; t < IM_TESTERS; t++) {
        const char *method = im_structure_tester[t];
        double value[2][IM_DRAWS];
        IM_TRY(im_trial_information(&s.data[t], trials, sample, method, k, err));
        for (size_t i = 0; i < IM_DRAWS; i++) {
            IM_TRY(im_trial_tell(trials, from + step * (double)(t * IM_DRAWS + i), err));
            for (size_t kind = IMSAT_NULL_NORMAL; kind <= IMSAT_NULL_UNIFORM; kind++)
                IM_TRY(im_trial_information(&value[kind][i], trials, &nulls->draw[kind][i],
                                            method, k, err));
        }
        im_structure_judge(&s, t, value[IMSAT_NULL_NORMAL], value[IMSAT_NULL_UNIFORM]);
    }
    *out = s;

cleanup:
    return st;
}
