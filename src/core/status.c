/* SPDX-License-Identifier: MIT
 * Status names and error messages. */
#include "core/status.h"

#include "core/alloc.h"
#include "core/limit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

const char *imsat_version(void)
{
    return IMSAT_VERSION;
}

const char *imsat_status_name(imsat_status status)
{
    switch (status) {
    case IMSAT_OK: return "ok";
    case IMSAT_EINVAL: return "invalid argument";
    case IMSAT_EIO: return "input/output error";
    case IMSAT_EFORMAT: return "malformed file";
    case IMSAT_EMISMATCH: return "mismatch";
    case IMSAT_ENOMEM: return "out of memory";
    case IMSAT_ESTOPPED: return "stopped";
    case IMSAT_EBUSY: return "busy";
    }
    return "unknown status";
}

/* A hostile file chooses names and texts that messages repeat. Bytes that would steer a
 * terminal are replaced: the control characters of ASCII, and those of Unicode, U+0080 to
 * U+009F. */
static void make_harmless(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        const bool wide = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        if (*c < 0x20 || *c == 0x7f || wide)
            *c = '?';
        if (wide)
            *++c = '?';
    }
}

imsat_status im_fail(imsat_error *err, imsat_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        make_harmless(err->message);
    }
    return status;
}

static size_t mebibytes(size_t bytes)
{
    enum { SHIFT = 20 };
    return (bytes >> SHIFT) + 1;
}

imsat_status im_fail_memory(imsat_error *err, const char *what)
{
    enum { SOME_MORE = 8 }; /* a share of it, for what comes after */
    const size_t asked = im_alloc_refused(), used = im_alloc_used();
    if (!asked)
        return im_fail(err, IMSAT_ENOMEM, "no memory for %s", what);
    return im_fail(
        err, IMSAT_ENOMEM,
        "no memory for %.600s: it takes %zu MiB where %zu are in use, and the limit "
        "is %zu MiB in all; allow %zuM or more by --memory",
        what, mebibytes(asked), mebibytes(used), im_limit_all() >> 20,
        mebibytes(im_limit_for(used + asked + asked / SOME_MORE)));
}

imsat_status im_fail_file(imsat_error *err, const char *path)
{
    return im_fail(err, IMSAT_EIO, "%s: %s", path, strerror(errno));
}

imsat_status im_fail_advise(imsat_status st, imsat_error *err, const char *advice)
{
    char why[sizeof err->message];
    if (st != IMSAT_EFORMAT || !err)
        return st;
    memcpy(why, err->message, sizeof why);
    return im_fail(err, st, "%.900s; %s", why, advice);
}

imsat_status im_fail_null(imsat_error *err, const char *function, const char *argument)
{
    return im_fail(err, IMSAT_EINVAL, "%s(): %s is NULL, and must not be", function, argument);
}

imsat_status im_fail_empty(imsat_error *err, const char *function, const char *argument)
{
    return im_fail(err, IMSAT_EINVAL, "%s(): %s is empty, and must name a file", function,
                   argument);
}

imsat_status im_fail_paths(imsat_error *err, const char *function, const char *const *paths,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char argument[32];
        snprintf(argument, sizeof argument, "paths[%zu]", i);
        if (!paths[i])
            return im_fail_null(err, function, argument);
        if (!*paths[i])
            return im_fail_empty(err, function, argument);
    }
    return IMSAT_OK;
}
