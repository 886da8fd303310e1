/* SPDX-License-Identifier: MIT
 *
 * imsat: what this library was built with.
 *
 * Some of what the library can do needs another library: a file compressed by zstd is read by
 * libzstd. A library that was not found when this one was built leaves its feature out, and
 * what needs it is then refused with a message that names the package.
 */
#ifndef IMSAT_BUILD_H
#define IMSAT_BUILD_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Feature i of the list, from 0: "zstd"; NULL past the last. */
IMSAT_API const char *imsat_feature_name(size_t i);

/* Whether it is in this library; 0 past the last. */
IMSAT_API int imsat_feature_built(size_t i);

/* The package of Debian that it needs to be built: "libzstd-dev"; NULL past the last. */
IMSAT_API const char *imsat_feature_package(size_t i);

#ifdef __cplusplus
}
#endif

#endif
