/* SPDX-License-Identifier: MIT
 *
 * The figure of appendix I: how imsat-vat and deep-rim divide two spirals, with networks of
 * three sizes.
 */
#ifndef IM_REPRODUCE_TOY_H
#define IM_REPRODUCE_TOY_H

#include "reproduce/plan.h"

/* Panels of the cells that are done, with the first seed; the others are empty. */
imsat_status im_toy_figure(im_strbuf *out, const im_plan *plan, imsat_error *err);

#endif
