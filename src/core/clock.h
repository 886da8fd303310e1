/* SPDX-License-Identifier: MIT
 * Time, for reports only: no result may depend on it. */
#ifndef IM_CORE_CLOCK_H
#define IM_CORE_CLOCK_H

/* Seconds since some moment, never going back. */
double im_clock(void);

#endif
