/* SPDX-License-Identifier: MIT
 * Elements; see element.h. One loop per type, so that the type is looked at once a run. */
#include "data/element.h"

#include "core/real.h"

#include <stdint.h>
#include <string.h>

size_t im_dtype_size(im_dtype dtype)
{
    switch (dtype) {
    case IM_BOOL:
    case IM_I8:
    case IM_U8: return 1;
    case IM_I16:
    case IM_U16:
    case IM_F16:
    case IM_BF16: return 2;
    case IM_I32:
    case IM_U32:
    case IM_F32: return 4;
    case IM_I64:
    case IM_U64:
    case IM_F64: return 8;
    }
    return 0;
}

bool im_dtype_is_float(im_dtype dtype)
{
    return dtype == IM_F16 || dtype == IM_BF16 || dtype == IM_F32 || dtype == IM_F64;
}

bool im_dtype_is_wide(im_dtype dtype)
{
    return dtype == IM_F64 || dtype == IM_I32 || dtype == IM_U32 || dtype == IM_I64 ||
           dtype == IM_U64;
}

bool im_element_little_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

static inline uint8_t swap8(uint8_t word)
{
    return word;
}

/* IEEE half: 1 sign, 5 exponent (bias 15), 10 fraction bits. Exact in float. */
static inline float half_value(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000U) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fU, fraction = half & 0x3ffU;
    uint32_t bits;
    float value;
    if (exponent == 0) { /* zero or subnormal: fraction * 2^-24 */
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000U | fraction << 13;
    else
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float upper_half(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define SAME(x)  (x)
#define TRUTH(x) ((x) != 0)

/* A loop over WORDs that are TYPEs: packed in this machine's order (which compilers turn
 * into vector code), and the general one. */
#define DEFINE_RUN(NAME, OUT, TYPE, WORD, SWAP, VALUE)                                        \
    IM_CLONES static void NAME##_packed(OUT *restrict out,                                    \
                                        const unsigned char *restrict base, size_t count)     \
    {                                                                                         \
        for (size_t j = 0; j < count; j++) {                                                  \
            TYPE element;                                                                     \
            memcpy(&element, base + j * sizeof element, sizeof element);                      \
            out[j] = (OUT)VALUE(element);                                                     \
        }                                                                                     \
    }                                                                                         \
    static void NAME(OUT *out, const im_elements *in)                                         \
    {                                                                                         \
        if (!in->swapped && in->stride == sizeof(TYPE)) {                                     \
            NAME##_packed(out, in->base, in->count);                                          \
            return;                                                                           \
        }                                                                                     \
        for (size_t j = 0; j < in->count; j++) {                                              \
            WORD word;                                                                        \
            TYPE element;                                                                     \
            memcpy(&word, in->base + j * in->stride, sizeof word);                            \
            if (in->swapped)                                                                  \
                word = SWAP(word);                                                            \
            memcpy(&element, &word, sizeof element);                                          \
            out[j] = (OUT)VALUE(element);                                                     \
        }                                                                                     \
    }

/* im_elements_<OUT>() and the loops it chooses from. */
#define DEFINE_ELEMENTS(OUT)                                                                  \
    DEFINE_RUN(OUT##_bool, OUT, uint8_t, uint8_t, swap8, TRUTH)                               \
    DEFINE_RUN(OUT##_i8, OUT, int8_t, uint8_t, swap8, SAME)                                   \
    DEFINE_RUN(OUT##_u8, OUT, uint8_t, uint8_t, swap8, SAME)                                  \
    DEFINE_RUN(OUT##_i16, OUT, int16_t, uint16_t, __builtin_bswap16, SAME)                    \
    DEFINE_RUN(OUT##_u16, OUT, uint16_t, uint16_t, __builtin_bswap16, SAME)                   \
    DEFINE_RUN(OUT##_i32, OUT, int32_t, uint32_t, __builtin_bswap32, SAME)                    \
    DEFINE_RUN(OUT##_u32, OUT, uint32_t, uint32_t, __builtin_bswap32, SAME)                   \
    DEFINE_RUN(OUT##_i64, OUT, int64_t, uint64_t, __builtin_bswap64, SAME)                    \
    DEFINE_RUN(OUT##_u64, OUT, uint64_t, uint64_t, __builtin_bswap64, SAME)                   \
    DEFINE_RUN(OUT##_f16, OUT, uint16_t, uint16_t, __builtin_bswap16, half_value)             \
    DEFINE_RUN(OUT##_bf16, OUT, uint16_t, uint16_t, __builtin_bswap16, upper_half)            \
    DEFINE_RUN(OUT##_f32, OUT, float, uint32_t, __builtin_bswap32, SAME)                      \
    DEFINE_RUN(OUT##_f64, OUT, double, uint64_t, __builtin_bswap64, SAME)                     \
    void im_elements_##OUT(OUT *out, const im_elements *in)                                   \
    {                                                                                         \
        switch (in->dtype) {                                                                  \
        case IM_BOOL: OUT##_bool(out, in); break;                                             \
        case IM_I8: OUT##_i8(out, in); break;                                                 \
        case IM_U8: OUT##_u8(out, in); break;                                                 \
        case IM_I16: OUT##_i16(out, in); break;                                               \
        case IM_U16: OUT##_u16(out, in); break;                                               \
        case IM_I32: OUT##_i32(out, in); break;                                               \
        case IM_U32: OUT##_u32(out, in); break;                                               \
        case IM_I64: OUT##_i64(out, in); break;                                               \
        case IM_U64: OUT##_u64(out, in); break;                                               \
        case IM_F16: OUT##_f16(out, in); break;                                               \
        case IM_BF16: OUT##_bf16(out, in); break;                                             \
        case IM_F32: OUT##_f32(out, in); break;                                               \
        case IM_F64: OUT##_f64(out, in); break;                                               \
        }                                                                                     \
    }

DEFINE_ELEMENTS(float)
DEFINE_ELEMENTS(double)

void im_elements_raw(void *out, const im_elements *in)
{
    const size_t size = im_dtype_size(in->dtype);
    unsigned char *to = out;
    if (!in->swapped && in->stride == size) {
        memcpy(to, in->base, in->count * size);
        return;
    }
    for (size_t j = 0; j < in->count; j++)
        for (size_t b = 0; b < size; b++)
            to[j * size + b] = in->base[j * in->stride + (in->swapped ? size - 1 - b : b)];
}
