/* SPDX-License-Identifier: MIT
 *
 * How a picture lies: the orientation that a camera writes to its Exif data. These are a small
 * TIFF file: a byte order, and a list of tags of 12 bytes each, tag, type, count and value.
 * Only one tag is looked for; whatever is not as it must be is as if there were none.
 */
#include "data/image_codec.h"

#include <stdint.h>
#include <string.h>

enum { HEADER = 6, ENTRY = 12, TAG_ORIENTATION = 0x0112, TYPE_SHORT = 3 };

typedef struct tiff {
    const unsigned char *data;
    size_t size;
    bool big_endian;
} tiff;

/* `count` bytes at `at` as a number; 0 if they are not there. */
static uint32_t number(const tiff *t, size_t at, size_t count)
{
    uint32_t value = 0;
    if (at > t->size || t->size - at < count)
        return 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | t->data[at + (t->big_endian ? i : count - 1 - i)];
    return value;
}

unsigned im_image_exif(const unsigned char *data, size_t size)
{
    if (size < HEADER || memcmp(data, "Exif\0", HEADER) != 0)
        return 0;
    tiff t = {data + HEADER, size - HEADER, false};
    if (t.size < 8 || (memcmp(t.data, "II*", 4) != 0 && memcmp(t.data, "MM\0*", 4) != 0))
        return 0;
    t.big_endian = t.data[0] == 'M';
    const size_t list = number(&t, 4, 4), count = number(&t, list, 2);
    for (size_t i = 0; i < count; i++) {
        const size_t entry = list + 2 + i * ENTRY;
        if (number(&t, entry, 2) == TAG_ORIENTATION && number(&t, entry + 2, 2) == TYPE_SHORT)
            return number(&t, entry + 8, 2);
    }
    return 0;
}
