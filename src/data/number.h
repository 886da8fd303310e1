/* SPDX-License-Identifier: MIT
 *
 * Decimal numbers in text, the same in every locale.
 */
#ifndef IM_DATA_NUMBER_H
#define IM_DATA_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum im_number {
    IM_NUMBER_NONE, /* not a number */
    IM_NUMBER_FINITE,
    IM_NUMBER_NONFINITE /* nan, inf or infinity in any case, or beyond the range of double */
} im_number;

/* The whole text must be [+-] digits [. digits] [e [+-] digits], with a digit before or after
 * the point, in at most 500 characters, or name a non-finite value. *value is the nearest
 * double; it is written unless the answer is IM_NUMBER_NONE. */
im_number im_number_parse(double *value, const char *text, size_t size);

/* Whether value is a whole number that fits int32; if so it is in *whole. */
bool im_number_whole(int32_t *whole, double value);

enum { IM_NUMBER_ROOM = 40 };

/* Write a number so that it is read back to the same float, or double; with 6 digits, or 15,
 * if these do, so that 0.1 is "0.1". Whole numbers below 10^15 have no exponent. Returns how
 * long the text is. What is not finite is "nan", "inf" or "-inf". */
size_t im_number_text(char text[IM_NUMBER_ROOM], double value, bool is_float);

#endif
