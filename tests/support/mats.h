/* SPDX-License-Identifier: MIT
 *
 * Files of MATLAB, version 5, made byte by byte.
 */
#ifndef TESTS_MATS_H
#define TESTS_MATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAT_ROOM = 1 << 16, MAT_PARTS = 3, MAT_DIMS = 6 };

/* Numbers of the format: classes of variables, types of elements, flags. */
enum { MAT_CELL = 1, MAT_SPARSE = 5, MAT_DOUBLE = 6, MAT_SINGLE = 7, MAT_UINT8 = 9 };
enum {
    MAT_I8 = 1,
    MAT_U8 = 2,
    MAT_I16 = 3,
    MAT_I32 = 5,
    MAT_U32 = 6,
    MAT_F32 = 7,
    MAT_F64 = 9
};
enum { MAT_LOGICAL = 0x200, MAT_COMPLEX = 0x800 };

typedef struct mat_maker {
    unsigned char bytes[MAT_ROOM];
    size_t size;
    bool big_endian;
} mat_maker;

/* The values of a variable: `count` elements of `width` bytes, in this machine's order. */
typedef struct mat_values {
    unsigned type;
    const void *values;
    size_t count, width;
} mat_values;

typedef struct mat_variable {
    const char *name;
    unsigned class, flags;
    int32_t dims[MAT_DIMS];
    size_t ndim;
    mat_values parts[MAT_PARTS]; /* those with a type; of a sparse matrix all three */
} mat_variable;

/* Text, version and byte order. */
void mat_begin(mat_maker *mat, bool big_endian);
void mat_add(mat_maker *mat, const mat_variable *variable);

/* The file with each of its variables compressed; false if its elements are not whole. */
bool mat_pack(mat_maker *out, const unsigned char *bytes, size_t size);

#endif
