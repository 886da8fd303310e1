/* SPDX-License-Identifier: MIT
 * See tensor.h. */
#include "data/tensor.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Element i, as a double that holds it exactly. */
static double element(const im_tensor *tensor, size_t i)
{
    switch (tensor->type) {
    case IM_TENSOR_F32: return ((const float *)tensor->data)[i];
    case IM_TENSOR_F64: return ((const double *)tensor->data)[i];
    case IM_TENSOR_I32: return ((const int32_t *)tensor->data)[i];
    case IM_TENSOR_U8: return ((const uint8_t *)tensor->data)[i];
    case IM_TENSOR_U32: return ((const uint32_t *)tensor->data)[i];
    default: break;
    }
    assert(false); /* tensors of other types are not checked, or not in files of ours */
    return 0;
}

/* "finite", "0 or more", "from 0 to 9" */
static void describe_range(char *text, size_t room, double least, double most)
{
    if (isfinite(least) && isfinite(most))
        snprintf(text, room, "from %g to %g", least, most);
    else if (isfinite(least))
        snprintf(text, room, "%g or more, and finite", least);
    else
        snprintf(text, room, "finite");
}

imsat_status im_tensor_check(const im_tensor *tensor, const char *path, double least,
                             double most, imsat_error *err)
{
    size_t count = 1;
    char range[64];
    for (size_t i = 0; i < tensor->dims; i++)
        count *= tensor->shape[i];
    for (size_t i = 0; i < count; i++) {
        const double x = element(tensor, i);
        if (isfinite(x) && least <= x && x <= most)
            continue;
        describe_range(range, sizeof range, least, most);
        return im_fail(err, IMSAT_EFORMAT, "%s: element %zu of %s is %g, and must be %s", path,
                       i, tensor->name, x, range);
    }
    return IMSAT_OK;
}
