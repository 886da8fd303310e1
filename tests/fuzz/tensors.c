/* SPDX-License-Identifier: MIT
 * See tensors.h. Headers are read by a scanner of what our writer writes, which takes a tenth
 * of the time of a parser of JSON; an input that it does not know is changed as bytes. */
#include "tensors.h"

#include "core/checksum.h"

#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ENTRIES = 160,
    MOST_TENSORS = 64,
    KEY_ROOM = 48,
    VALUE_ROOM = 96,
    DIMS = 4,
    POOL = 1 << 17,
    ALIGN = 64
};

typedef struct entry {
    char key[KEY_ROOM], value[VALUE_ROOM];
} entry;

typedef struct tensor {
    char name[KEY_ROOM], type[8];
    size_t dims, shape[DIMS];
    uint8_t *data;
    size_t bytes;
} tensor;

/* A file taken apart. Static, because it is large. */
static struct {
    entry entries[MOST_ENTRIES];
    tensor tensors[MOST_TENSORS];
    size_t entry_count, tensor_count;
    uint8_t pool[POOL]; /* the data of the tensors */
    size_t pool_used;
} f;

/* ---- taking apart -------------------------------------------------------------- */

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool take(cursor *c, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, text, length) != 0)
        return false;
    c->at += length;
    return true;
}

static bool take_string(cursor *c, char *out, size_t room)
{
    size_t length = 0;
    if (!take(c, "\""))
        return false;
    for (; c->at < c->end && *c->at != '"'; c->at++) {
        if (*c->at == '\\' || length + 1 >= room)
            return false;
        out[length++] = *c->at;
    }
    out[length] = '\0';
    return take(c, "\"");
}

static bool take_count(cursor *c, size_t *out)
{
    size_t digits = 0;
    for (*out = 0; c->at < c->end && isdigit((unsigned char)*c->at) && digits < 18; digits++)
        *out = *out * 10 + (size_t)(*c->at++ - '0');
    return digits > 0;
}

static bool take_metadata(cursor *c)
{
    if (take(c, "}"))
        return true;
    do {
        entry *e = &f.entries[f.entry_count];
        if (f.entry_count == MOST_ENTRIES || !take_string(c, e->key, KEY_ROOM) ||
            !take(c, ":") || !take_string(c, e->value, VALUE_ROOM))
            return false;
        f.entry_count++;
    } while (take(c, ","));
    return take(c, "}");
}

static bool take_tensor(cursor *c, const char *name, const uint8_t *data, size_t size)
{
    size_t begin, end;
    tensor *t = &f.tensors[f.tensor_count];
    *t = (tensor){.data = f.pool + f.pool_used};
    snprintf(t->name, sizeof t->name, "%s", name);
    if (f.tensor_count == MOST_TENSORS || !take(c, "{\"dtype\":") ||
        !take_string(c, t->type, sizeof t->type) || !take(c, ",\"shape\":["))
        return false;
    while (!take(c, "]"))
        if (t->dims == DIMS || !take_count(c, &t->shape[t->dims++]) ||
            (!take(c, ",") && (c->at == c->end || *c->at != ']')))
            return false;
    if (!take(c, ",\"data_offsets\":[") || !take_count(c, &begin) || !take(c, ",") ||
        !take_count(c, &end) || !take(c, "]}") || begin > end || end > size)
        return false;
    t->bytes = end - begin;
    memcpy(t->data, data + begin, t->bytes);
    f.pool_used += t->bytes;
    f.tensor_count++;
    return true;
}

/* False unless the file is as our writer writes them. */
static bool take_apart(const uint8_t *input, size_t size)
{
    uint64_t length;
    char name[KEY_ROOM];
    f.entry_count = f.tensor_count = f.pool_used = 0;
    if (size < sizeof length || size > POOL / 2)
        return false;
    memcpy(&length, input, sizeof length);
    if (length > size - sizeof length)
        return false;
    cursor c = {(const char *)input + sizeof length,
                (const char *)input + sizeof length + length};
    const uint8_t *data = input + sizeof length + length;
    if (!take(&c, "{"))
        return false;
    while (!take(&c, "}")) {
        if (!take_string(&c, name, sizeof name) || !take(&c, ":"))
            return false;
        if (strcmp(name, "__metadata__") == 0
                ? !take(&c, "{") || !take_metadata(&c)
                : !take_tensor(&c, name, data, size - sizeof length - length))
            return false;
        if (!take(&c, ",") && (c.at == c.end || *c.at != '}'))
            return false;
    }
    return true;
}

/* ---- putting together ------------------------------------------------------------ */

static int by_key(const void *a, const void *b)
{
    return strcmp((*(const entry *const *)a)->key, (*(const entry *const *)b)->key);
}

/* XXH3 of the metadata by key, each text with its end, and of the tensors: as the files of the
 * library have it. */
static void correct_checksum(void)
{
    entry *sorted[MOST_ENTRIES], *checksum = NULL;
    im_checksum *sum = NULL;
    for (size_t i = 0; i < f.entry_count; i++) {
        sorted[i] = &f.entries[i];
        if (strcmp(sorted[i]->key, "checksum") == 0)
            checksum = sorted[i];
    }
    if (!checksum || im_checksum_new(&sum, NULL) != IMSAT_OK)
        return;
    qsort(sorted, f.entry_count, sizeof *sorted, by_key);
    for (size_t i = 0; i < f.entry_count; i++)
        if (sorted[i] != checksum) {
            im_checksum_add(sum, sorted[i]->key, strlen(sorted[i]->key) + 1);
            im_checksum_add(sum, sorted[i]->value, strlen(sorted[i]->value) + 1);
        }
    for (size_t i = 0; i < f.tensor_count; i++)
        im_checksum_add(sum, f.tensors[i].data, f.tensors[i].bytes);
    snprintf(checksum->value, VALUE_ROOM, "%016" PRIx64, im_checksum_value(sum));
    im_checksum_free(sum);
}

typedef struct output {
    uint8_t *bytes;
    size_t used, room;
    bool full;
} output;

static void put(output *o, const void *bytes, size_t size)
{
    if (o->full || size > o->room - o->used) {
        o->full = true;
        return;
    }
    memcpy(o->bytes + o->used, bytes, size);
    o->used += size;
}

static void put_text(output *o, const char *text)
{
    put(o, text, strlen(text));
}

static void put_count(output *o, size_t count)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%zu", count);
    put_text(o, digits);
}

/* Quotes and backslashes are not escaped: what a change has made of a text is what is written.
 */
static void put_string(output *o, const char *text)
{
    put_text(o, "\"");
    put_text(o, text);
    put_text(o, "\"");
}

static void put_tensor(output *o, const tensor *t, size_t begin)
{
    put_string(o, t->name);
    put_text(o, ":{\"dtype\":");
    put_string(o, t->type);
    put_text(o, ",\"shape\":[");
    for (size_t d = 0; d < t->dims; d++) {
        put_text(o, d ? "," : "");
        put_count(o, t->shape[d]);
    }
    put_text(o, "],\"data_offsets\":[");
    put_count(o, begin);
    put_text(o, ",");
    put_count(o, begin + t->bytes);
    put_text(o, "]}");
}

static void put_header(output *o)
{
    size_t begin = 0;
    put_text(o, "{\"__metadata__\":{");
    for (size_t i = 0; i < f.entry_count; i++) {
        put_text(o, i ? "," : "");
        put_string(o, f.entries[i].key);
        put_text(o, ":");
        put_string(o, f.entries[i].value);
    }
    put_text(o, "}");
    for (size_t i = 0; i < f.tensor_count; i++) {
        put_text(o, ",");
        put_tensor(o, &f.tensors[i], begin);
        begin += f.tensors[i].bytes;
    }
    put_text(o, "}");
}

/* The file in place of the input; 0 if it does not fit. */
static size_t put_together(uint8_t *input, size_t room)
{
    output o = {.bytes = input, .room = room, .used = sizeof(uint64_t)};
    if (room < sizeof(uint64_t))
        return 0;
    put_header(&o);
    while (o.used % ALIGN && !o.full)
        put_text(&o, " ");
    const uint64_t length = o.used - sizeof length;
    for (size_t i = 0; i < f.tensor_count; i++)
        put(&o, f.tensors[i].data, f.tensors[i].bytes);
    memcpy(input, &length, sizeof length);
    return o.full ? 0 : o.used;
}

/* ---- changes ------------------------------------------------------------------------ */

static size_t width_of(const tensor *t)
{
    const size_t width = (size_t)atoi(t->type + 1) / 8;
    return width ? width : 1;
}

static tensor *any_tensor(void)
{
    return f.tensor_count ? &f.tensors[fuzz_below(f.tensor_count)] : NULL;
}

static entry *any_entry(void)
{
    return f.entry_count ? &f.entries[fuzz_below(f.entry_count)] : NULL;
}

/* A number that is the first or the last of something. */
static void odd_number(uint8_t *out, const tensor *t)
{
    static const double reals[] = {0,       -0.0,  1,     -1,  0x1p-149, -1e-39, 1e-30,
                                   FLT_MAX, 1e300, -1e30, 0.5, INFINITY, NAN};
    static const int64_t whole[] = {0,         1,         -1,        2,        127,
                                    INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
    const double real = reals[fuzz_below(sizeof reals / sizeof *reals)];
    const int64_t number = whole[fuzz_below(sizeof whole / sizeof *whole)];
    const float single = (float)real;
    if (t->type[0] == 'F' && width_of(t) == 4)
        memcpy(out, &single, 4);
    else if (t->type[0] == 'F' && width_of(t) == 8)
        memcpy(out, &real, 8);
    else
        memcpy(out, &number, width_of(t) < 8 ? width_of(t) : 8);
}

/* One element: another's, one more or less, a bit, or an odd number. */
static void change_element(void)
{
    const tensor *t = any_tensor();
    if (!t || t->bytes < width_of(t) || width_of(t) > 8)
        return;
    const size_t width = width_of(t), count = t->bytes / width;
    uint8_t *element = t->data + fuzz_below(count) * width;
    const uint8_t *other = t->data + fuzz_below(count) * width;
    uint64_t number = 0;
    switch (fuzz_below(4)) {
    case 0: memmove(element, other, width); break;
    case 1:
        memcpy(&number, element, width);
        number += fuzz_below(2) ? 1 : UINT64_MAX;
        memcpy(element, &number, width);
        break;
    case 2: element[fuzz_below(width)] ^= (uint8_t)(1U << fuzz_below(8)); break;
    default: odd_number(element, t);
    }
}

static void change_bytes(void)
{
    const tensor *t = any_tensor();
    if (t && t->bytes)
        LLVMFuzzerMutate(t->data, t->bytes, t->bytes);
}

/* The text of an entry: that of another, an odd number, or any bytes that can be printed. */
static void change_value(void)
{
    static const char *const odd[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "3",
                                      "100000001",
                                      "4294967296",
                                      "18446744073709551615",
                                      "9223372036854775808",
                                      "1e308",
                                      "nan",
                                      "inf",
                                      "-0",
                                      "",
                                      "0x10",
                                      "1e-320",
                                      "auto"};
    entry *e = any_entry();
    if (!e)
        return;
    const char *text =
        fuzz_below(2) ? any_entry()->value : odd[fuzz_below(sizeof odd / sizeof *odd)];
    if (fuzz_below(2)) {
        memmove(e->value, text, strlen(text) + 1);
        return;
    }
    const size_t length =
        LLVMFuzzerMutate((uint8_t *)e->value, strlen(e->value), VALUE_ROOM - 1);
    e->value[length] = '\0';
    for (char *c = e->value; *c; c++)
        if (*c < ' ' || *c == '"' || *c == 0x7f)
            *c = '?';
}

/* Leave out an entry or a tensor, exchange the data of two tensors, or rename one. */
static void change_lists(void)
{
    entry *e = any_entry();
    tensor *t = any_tensor(), *u = any_tensor();
    if (!e || !t || !u)
        return;
    switch (fuzz_below(5)) {
    case 0: *e = f.entries[--f.entry_count]; break;
    case 1: *t = f.tensors[--f.tensor_count]; break;
    case 2: {
        const tensor copy = *t;
        t->data = u->data, t->bytes = u->bytes;
        u->data = copy.data, u->bytes = copy.bytes;
        break;
    }
    case 3: memmove(t->name, fuzz_below(2) ? u->name : e->key, KEY_ROOM); break;
    default: memmove(t->type, u->type, sizeof t->type);
    }
}

/* Another shape, with or without the data for it. */
static void change_shape(void)
{
    tensor *t = any_tensor();
    if (!t || t->dims == 0)
        return;
    size_t *length = &t->shape[fuzz_below(t->dims)];
    const size_t old = *length, row = old ? t->bytes / old : 0;
    *length =
        fuzz_below(4) ? old + fuzz_below(5) - (old > 2 ? 2 : old) : (size_t)fuzz_random();
    if (t->dims > 1 && fuzz_below(2)) {
        *length = t->shape[0];
        t->shape[0] = old;
        return;
    }
    if (*length > old + 4 || fuzz_below(4) == 0 || f.pool_used + t->bytes + 4 * row > POOL)
        return;
    uint8_t *data = f.pool + f.pool_used;
    memcpy(data, t->data, t->bytes < row * *length ? t->bytes : row * *length);
    memset(data + t->bytes, 0, row * *length > t->bytes ? row * *length - t->bytes : 0);
    t->data = data;
    t->bytes = row * *length;
    f.pool_used += t->bytes;
}

size_t tensors_mutate(uint8_t *input, size_t size, size_t room)
{
    static void (*const changes[])(void) = {change_element, change_element, change_bytes,
                                            change_value,   change_value,   change_lists,
                                            change_shape};
    if (fuzz_below(8) == 0 || !take_apart(input, size))
        return LLVMFuzzerMutate(input, size, room);
    for (size_t i = 1 + fuzz_below(3); i > 0; i--)
        changes[fuzz_below(sizeof changes / sizeof *changes)]();
    if (fuzz_below(16))
        correct_checksum();
    const size_t written = put_together(input, room);
    return written ? written : LLVMFuzzerMutate(input, size, room);
}
