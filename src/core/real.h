/* SPDX-License-Identifier: MIT
 *
 * im_real: the type of weights and activations. float in the product; double in the
 * build that checks every gradient against central differences (preset `double`).
 */
#ifndef IM_CORE_REAL_H
#define IM_CORE_REAL_H

#ifdef IM_REAL_DOUBLE
typedef double im_real;
#else
typedef float im_real;
#endif

/* Elementwise loops are compiled for several instruction sets and chosen when the library
 * loads. No reduction is reordered and nothing is contracted (-ffp-contract=off), so all
 * versions give the same bits. Sanitizers cannot run the choosers; there it is plain C. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                        \
    !defined(IM_NO_CLONES) && !defined(IM_REAL_DOUBLE)
#define IM_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define IM_CLONES
#endif

#endif
