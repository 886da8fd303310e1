/* SPDX-License-Identifier: MIT
 * See record.h. */
#include "data/record.h"

#include "core/alloc.h"
#include "data/number.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* 17 digits name a double exactly. The decimal point is forced: the host program may have
 * set a locale that writes a comma. */
imsat_status im_record_number(im_safetensors *file, const char *key, double value,
                              imsat_error *err)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    for (char *c = text; *c; c++)
        if (*c == ',')
            *c = '.';
    return im_safetensors_set(file, key, text, err);
}

imsat_status im_record_count(im_safetensors *file, const char *key, uint64_t value,
                             imsat_error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return im_safetensors_set(file, key, text, err);
}

imsat_status im_record_integer(im_safetensors *file, const char *key, int64_t value,
                               imsat_error *err)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return im_safetensors_set(file, key, text, err);
}

static imsat_status need(const char **out, const im_safetensors *file, const char *path,
                         const char *key, imsat_error *err)
{
    *out = im_safetensors_value(file, key);
    return *out ? IMSAT_OK
                : im_fail(err, IMSAT_EFORMAT, "%s: the metadata has no \"%s\"", path, key);
}

imsat_status im_record_get_number(double *out, const im_safetensors *file, const char *path,
                                  const char *key, imsat_error *err)
{
    const char *text;
    imsat_status st = IMSAT_OK;
    IM_TRY(need(&text, file, path, key, err));
    if (im_number_parse(out, text, strlen(text)) == IM_NUMBER_NONE)
        st = im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is \"%.40s\", not a number", path, key,
                     text);

cleanup:
    return st;
}

imsat_status im_record_get_count(uint64_t *out, const im_safetensors *file, const char *path,
                                 const char *key, imsat_error *err)
{
    const char *text;
    imsat_status st = IMSAT_OK;
    IM_TRY(need(&text, file, path, key, err));
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno)
        st = im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is \"%.40s\", not a whole number", path,
                     key, text);

cleanup:
    return st;
}

imsat_status im_record_get_within(uint64_t *out, const im_safetensors *file, const char *path,
                                  const char *key, uint64_t least, uint64_t most,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    uint64_t value = 0;
    IM_TRY(im_record_get_count(&value, file, path, key, err));
    if (value < least || value > most)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: \"%s\" is %" PRIu64 ", and must be from %" PRIu64 " to %" PRIu64,
                       path, key, value, least, most);
    *out = value;

cleanup:
    return st;
}

imsat_status im_record_get_finite(double *out, const im_safetensors *file, const char *path,
                                  const char *key, double least, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double value = 0;
    IM_TRY(im_record_get_number(&value, file, path, key, err));
    if (!isfinite(value))
        return im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is %g, and must be finite", path, key,
                       value);
    if (value < least)
        return im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is %g, and must be %g or more", path,
                       key, value, least);
    *out = value;

cleanup:
    return st;
}

imsat_status im_record_get_integer(int64_t *out, const im_safetensors *file, const char *path,
                                   const char *key, imsat_error *err)
{
    const char *text;
    imsat_status st = IMSAT_OK;
    IM_TRY(need(&text, file, path, key, err));
    const char first = text[*text == '-'];
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (first < '0' || first > '9' || *end || errno)
        st = im_fail(err, IMSAT_EFORMAT, "%s: \"%s\" is \"%.40s\", not a whole number", path,
                     key, text);

cleanup:
    return st;
}

imsat_status im_record_same(const im_safetensors *now, const im_safetensors *then,
                            const char *path, const char *prefix, imsat_error *err)
{
    const size_t length = strlen(prefix);
    for (size_t i = 0; i < now->entries; i++) {
        if (strncmp(now->keys[i], prefix, length) != 0)
            continue;
        const char *key = now->keys[i], *old = im_safetensors_value(then, key);
        if (!old || strcmp(old, now->values[i]) != 0)
            return im_fail(err, IMSAT_EMISMATCH, "%s: was made with %s %s, but now it is %s",
                           path, key[length] ? key + length : key, old ? old : "unset",
                           now->values[i]);
    }
    return IMSAT_OK;
}
