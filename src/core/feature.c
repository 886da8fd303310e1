/* SPDX-License-Identifier: MIT
 * Which libraries this one was built with; see feature.h. */
#include "core/feature.h"

#include "imsat/build.h"

static const struct row {
    const char *name, *package, *needed;
    int built;
} rows[] = {
#define IM_FEATURE(id, name, found, package, needed) {name, package, needed, IM_HAVE_##id},
#include "core/feature_list.h"
#undef IM_FEATURE
};

const char *imsat_feature_name(size_t i)
{
    return i < IM_FEATURES ? rows[i].name : NULL;
}

int imsat_feature_built(size_t i)
{
    return i < IM_FEATURES && rows[i].built;
}

const char *imsat_feature_package(size_t i)
{
    return i < IM_FEATURES ? rows[i].package : NULL;
}

imsat_status im_feature_refuse(im_feature feature, const char *subject, imsat_error *err)
{
    const struct row *row = &rows[feature];
    return im_fail(err, IMSAT_EIO,
                   "%s: %s, and this imsat was built without %s; install %s and build again",
                   subject, row->needed, row->name, row->package);
}
