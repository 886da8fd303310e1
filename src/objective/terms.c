/* SPDX-License-Identifier: MIT
 * See terms.h. */
#include "objective/terms.h"

#define CLUSTER (1U << IMSAT_TASK_CLUSTER)
#define HASH    (1U << IMSAT_TASK_HASH)

static const struct {
    const char *name, *formula;
    unsigned tasks; /* that have the term: bits 1 << imsat_task */
} table[IMSAT_TERMS] = {
    [IMSAT_TERM_SAT] = {"sat", "mean over x of KL[p(x) || p(T(x))], p(x) held constant",
                        CLUSTER | HASH},
    [IMSAT_TERM_COND_ENTROPY] = {"cond_entropy", "H(Y|X); of bits the sum of H(Y_d|X)",
                                 CLUSTER | HASH},
    [IMSAT_TERM_MARG_ENTROPY] = {"marg_entropy", "H(Y); of bits the sum of H(Y_d)",
                                 CLUSTER | HASH},
    [IMSAT_TERM_MARGINAL_KL] = {"marginal_kl", "KL[p(y) || prior]", CLUSTER},
    [IMSAT_TERM_PAIR_INFO] = {"pair_info", "sum of I(Y_d;Y_e) over d != e, each pair twice",
                              HASH},
    [IMSAT_TERM_DECAY] = {"decay", "decay / 2 times the sum of squared weights",
                          CLUSTER | HASH},
};

const char *imsat_term_name(imsat_term term)
{
    return (unsigned)term < IMSAT_TERMS ? table[term].name : NULL;
}

const char *imsat_term_formula(imsat_term term)
{
    return (unsigned)term < IMSAT_TERMS ? table[term].formula : NULL;
}

bool im_terms_serve(imsat_term term, imsat_task task)
{
    return (unsigned)term < IMSAT_TERMS && (unsigned)task < IMSAT_TASKS &&
           (table[term].tasks & 1U << task) != 0;
}

bool im_terms_recorded(imsat_term term, imsat_task task)
{
    return im_terms_serve(term, task) && term != IMSAT_TERM_DECAY;
}

void im_terms_add(im_terms *sums, const im_terms *terms)
{
    sums->objective += terms->objective;
    for (size_t i = 0; i < IMSAT_TERMS; i++)
        sums->term[i] += terms->term[i];
}

void im_terms_scale(im_terms *terms, double factor)
{
    terms->objective *= factor;
    for (size_t i = 0; i < IMSAT_TERMS; i++)
        terms->term[i] *= factor;
}
