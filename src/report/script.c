/* SPDX-License-Identifier: MIT
 * See script.h. */
#include "report/script.h"

#include "core/sha256.h"
#include "core/utf8.h"

#include <string.h>

static void put_character(im_strbuf *out, uint32_t c)
{
    char bytes[IM_UTF8_MOST];
    const bool bare = c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' &&
                      c != 0x7f && c != 0x2028 && c != 0x2029;
    if (bare)
        im_strbuf_bytes(out, bytes, im_utf8_put(bytes, c));
    else
        im_strbuf_format(out, "\\u%04x", (unsigned)c);
}

void im_script_text_bytes(im_strbuf *out, const char *text, size_t size)
{
    const char *at = text, *end = text + size;
    im_strbuf_put(out, "\"");
    while (at < end)
        put_character(out, im_utf8_next(&at, end));
    im_strbuf_put(out, "\"");
}

void im_script_text(im_strbuf *out, const char *text)
{
    im_script_text_bytes(out, text, strlen(text));
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void im_script_hash(im_strbuf *out, const char *text)
{
    im_sha256 hash;
    char hexadecimal[IM_SHA256_TEXT];
    unsigned char bytes[(IM_SHA256_TEXT - 1) / 2] = {0};
    im_sha256_begin(&hash);
    im_sha256_add(&hash, text, strlen(text));
    im_sha256_end(&hash, hexadecimal);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] =
            (unsigned char)(digit(hexadecimal[2 * i]) << 4 | digit(hexadecimal[2 * i + 1]));
    im_strbuf_base64(out, bytes, sizeof bytes);
}
