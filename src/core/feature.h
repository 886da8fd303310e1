/* SPDX-License-Identifier: MIT
 *
 * What needs a library that imsat can do without. Such a library is known to one source file,
 * most of which is within #if IM_HAVE_ID; without the library that file refuses, by
 * im_feature_refuse(). The list is feature_list.h.
 */
#ifndef IM_CORE_FEATURE_H
#define IM_CORE_FEATURE_H

#include "core/status.h"

typedef enum im_feature {
#define IM_FEATURE(id, ...) IM_FEATURE_##id,
#include "core/feature_list.h"
#undef IM_FEATURE
    IM_FEATURES
} im_feature;

/* "SUBJECT: is compressed by zstd, and this imsat was built without zstd; install libzstd-dev
 * and build again". The status is IMSAT_EIO. */
imsat_status im_feature_refuse(im_feature feature, const char *subject, imsat_error *err);

#endif
