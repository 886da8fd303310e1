/* SPDX-License-Identifier: MIT
 *
 * Elements of arrays as files hold them: their types, and runs of them as float or double.
 *
 * Prefixes: im_dtype_, im_elements_.
 */
#ifndef IM_DATA_ELEMENT_H
#define IM_DATA_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum im_dtype {
    IM_BOOL,
    IM_I8,
    IM_U8,
    IM_I16,
    IM_U16,
    IM_I32,
    IM_U32,
    IM_I64,
    IM_U64,
    IM_F16,
    IM_BF16, /* the upper half of a float */
    IM_F32,
    IM_F64
} im_dtype;

size_t im_dtype_size(im_dtype dtype);

/* Only these types can hold NaN, infinities or what does not fit a float. */
bool im_dtype_is_float(im_dtype dtype);

/* Types with values that float rounds. */
bool im_dtype_is_wide(im_dtype dtype);

/* Whether this machine keeps the low byte first. */
bool im_element_little_endian(void);

/* A run of elements; element j is at base + j * stride bytes, at any alignment. */
typedef struct im_elements {
    const unsigned char *base;
    size_t stride;
    size_t count;
    im_dtype dtype;
    bool swapped; /* the bytes are in the order this machine does not use */
} im_elements;

/* out (count): each element converted once, rounded to nearest. A double beyond the range
 * of float becomes infinite; a bool is 0 or 1. */
void im_elements_float(float *out, const im_elements *in);
void im_elements_double(double *out, const im_elements *in);

/* out (count): the elements as they are, in this machine's byte order. */
void im_elements_raw(void *out, const im_elements *in);

#endif
