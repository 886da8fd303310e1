/* SPDX-License-Identifier: MIT
 * Values of columns on their way to text. */
#include "data/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double im_output_number(const im_output_column *column, const void *values, size_t i)
{
    const size_t size = im_dtype_size(column->type);
    const im_elements one = {.base = (const unsigned char *)values + i * size,
                             .stride = size,
                             .count = 1,
                             .dtype = column->type};
    double value;
    im_elements_double(&value, &one);
    return value;
}

size_t im_output_value(char text[IM_NUMBER_ROOM], const im_output_column *column,
                       const void *values, size_t i)
{
    int64_t whole;
    uint64_t natural;
    if (column->type == IM_I64) {
        memcpy(&whole, (const unsigned char *)values + i * sizeof whole, sizeof whole);
        return (size_t)snprintf(text, IM_NUMBER_ROOM, "%" PRId64, whole);
    }
    if (column->type == IM_U64) {
        memcpy(&natural, (const unsigned char *)values + i * sizeof natural, sizeof natural);
        return (size_t)snprintf(text, IM_NUMBER_ROOM, "%" PRIu64, natural);
    }
    const double value = im_output_number(column, values, i);
    return isfinite(value) ? im_number_text(text, value, column->type != IM_F64) : 0;
}
