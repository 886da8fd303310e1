/* SPDX-License-Identifier: MIT
 * See strbuf.h. */
#include "core/strbuf.h"

#include "core/alloc.h"
#include "core/status.h"
#include "core/utf8.h"
#include "core/writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { FIRST_ROOM = 1024 };

/* Room for `size` bytes more, and the 0 behind them. */
static bool reserve(im_strbuf *out, size_t size)
{
    if (out->failed)
        return false;
    if (size < out->room - out->used)
        return true;
    size_t room = out->room ? out->room : FIRST_ROOM;
    while (room - out->used <= size)
        if (!im_size_mul(&room, room, 2)) {
            out->failed = true;
            return false;
        }
    char *text = im_grow(out->text, out->room, room, 1);
    if (!text) {
        out->failed = true;
        return false;
    }
    out->text = text;
    out->room = room;
    return true;
}

void im_strbuf_bytes(im_strbuf *out, const char *text, size_t size)
{
    if (!reserve(out, size))
        return;
    if (size > 0)
        memcpy(out->text + out->used, text, size);
    out->used += size;
    out->text[out->used] = '\0';
}

void im_strbuf_put(im_strbuf *out, const char *text)
{
    im_strbuf_bytes(out, text, strlen(text));
}

void im_strbuf_count(im_strbuf *out, uint64_t count)
{
    im_strbuf_format(out, "%" PRIu64, count);
}

void im_strbuf_format(im_strbuf *out, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(size >= 0);
    if (reserve(out, (size_t)size)) {
        vsnprintf(out->text + out->used, (size_t)size + 1, format, again);
        out->used += (size_t)size;
    }
    va_end(again);
}

/* A number that is not finite, or too large to be rounded as a whole number of decimals. */
static void put_unusual(im_strbuf *out, double value)
{
    if (isnan(value)) {
        im_strbuf_put(out, "nan");
        return;
    }
    if (signbit(value))
        im_strbuf_put(out, "-");
    value = fabs(value);
    if (isinf(value)) {
        im_strbuf_put(out, "inf");
        return;
    }
    int exponent = 0;
    while (value >= 10) {
        value /= 10;
        exponent++;
    }
    im_strbuf_fixed(out, value, 5);
    im_strbuf_format(out, "e+%d", exponent);
}

static void put_number(im_strbuf *out, double value, unsigned decimals, bool all)
{
    static const uint64_t power[] = {1,      10,      100,      1000,      10000,
                                     100000, 1000000, 10000000, 100000000, 1000000000};
    assert(decimals < sizeof power / sizeof *power);
    if (!(fabs(value) < 1e15 / (double)power[decimals])) {
        if (fabs(value) < 1e15)
            put_number(out, value, 0, false);
        else
            put_unusual(out, value);
        return;
    }
    const uint64_t whole = (uint64_t)nearbyint(fabs(value) * (double)power[decimals]);
    char digits[16] = "";
    uint64_t rest = whole % power[decimals];
    size_t size = decimals;
    for (size_t i = decimals; i-- > 0; rest /= 10)
        digits[i] = (char)('0' + rest % 10);
    while (!all && size > 0 && digits[size - 1] == '0')
        size--;
    if (value < 0 && whole > 0)
        im_strbuf_put(out, "-");
    im_strbuf_count(out, whole / power[decimals]);
    if (size > 0) {
        im_strbuf_put(out, ".");
        im_strbuf_bytes(out, digits, size);
    }
}

void im_strbuf_fixed(im_strbuf *out, double value, unsigned decimals)
{
    put_number(out, value, decimals, false);
}

void im_strbuf_padded(im_strbuf *out, double value, unsigned decimals)
{
    put_number(out, value, decimals, true);
}

/* What XML 1.0 calls a character, but those that many programs show as nothing or obey. */
static bool is_shown(uint32_t c)
{
    return c == '\t' || c == '\n' || (c >= 0x20 && c < 0x7F) ||
           (c >= 0xA0 && c != 0xFFFE && c != 0xFFFF && !(c >= 0x202A && c <= 0x202E) &&
            !(c >= 0x2066 && c <= 0x2069));
}

void im_strbuf_escape(im_strbuf *out, const char *text)
{
    im_strbuf_escape_bytes(out, text, strlen(text));
}

void im_strbuf_escape_bytes(im_strbuf *out, const char *text, size_t size)
{
    const char *end = text + size;
    while (text < end) {
        const uint32_t c = im_utf8_next(&text, end);
        char bytes[IM_UTF8_MOST];
        if (c == '&')
            im_strbuf_put(out, "&amp;");
        else if (c == '<')
            im_strbuf_put(out, "&lt;");
        else if (c == '>')
            im_strbuf_put(out, "&gt;");
        else if (c == '"')
            im_strbuf_put(out, "&quot;");
        else if (c == '\'')
            im_strbuf_put(out, "&#39;");
        else
            im_strbuf_bytes(out, bytes, im_utf8_put(bytes, is_shown(c) ? c : 0xFFFD));
    }
}

void im_strbuf_base64(im_strbuf *out, const void *bytes, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t word = (uint32_t)b[i] << 16 | (left > 1 ? (uint32_t)b[i + 1] << 8 : 0) |
                              (left > 2 ? b[i + 2] : 0);
        const char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                              left > 1 ? digits[word >> 6 & 63] : '=',
                              left > 2 ? digits[word & 63] : '='};
        im_strbuf_bytes(out, four, sizeof four);
    }
}

imsat_status im_strbuf_check(const im_strbuf *out, const char *what, imsat_error *err)
{
    return out->failed ? im_fail_memory(err, what) : IMSAT_OK;
}

imsat_status im_strbuf_save(const im_strbuf *out, const char *path, imsat_error *err)
{
    im_writer writer = {0};
    imsat_status st = im_strbuf_check(out, "a text", err);
    if (st != IMSAT_OK)
        return st;
    IM_TRY(im_writer_open(&writer, path, err));
    if (out->used > 0)
        IM_TRY(im_writer_put(&writer, out->text, out->used, err));
    IM_TRY(im_writer_commit(&writer, err));
cleanup:
    im_writer_clear(&writer);
    return st;
}

void im_strbuf_clear(im_strbuf *out)
{
    if (!out)
        return;
    im_free(out->text);
    *out = (im_strbuf){0};
}
