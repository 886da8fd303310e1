/* SPDX-License-Identifier: MIT
 * The orientation in Exif data, of either byte order, damaged or not there. */
#include "core/alloc.h"
#include "data/image_codec.h"
#include "support.h"

#include <string.h>

/* Two tags, of which the second is the orientation, 6. */
static const unsigned char LITTLE[] = "Exif\0\0II*\0\10\0\0\0\2\0"
                                      "\17\1\2\0\4\0\0\0abc\0"
                                      "\22\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0";
static const unsigned char BIG[] = "Exif\0\0MM\0*\0\0\0\10\0\2"
                                   "\1\17\0\2\0\0\0\4abc\0"
                                   "\1\22\0\3\0\0\0\1\0\6\0\0\0\0\0\0";

enum { SIZE = sizeof LITTLE - 1, NEEDED = SIZE - 6 }; /* up to the value */

/* On a block of that size, so that a read too far is seen. */
static unsigned exif(const unsigned char *data, size_t size)
{
    unsigned char *exact = im_alloc(size, 1);
    memcpy(exact, data, size);
    const unsigned orientation = im_image_exif(exact, size);
    im_free(exact);
    return orientation;
}

static void either_byte_order_is_read(void **state)
{
    (void)state;
    assert_int_equal(sizeof BIG, sizeof LITTLE);
    assert_int_equal(exif(LITTLE, SIZE), 6);
    assert_int_equal(exif(BIG, SIZE), 6);
}

static void what_is_cut_short_says_nothing(void **state)
{
    (void)state;
    for (size_t size = 0; size < NEEDED; size++) {
        assert_int_equal(exif(LITTLE, size), 0);
        assert_int_equal(exif(BIG, size), 0);
    }
    assert_int_equal(exif(LITTLE, NEEDED), 6);
    assert_int_equal(exif(BIG, NEEDED), 6);
}

/* The name, the byte order, a list that is elsewhere or too long, another tag, another type.
 */
static void what_is_not_as_it_must_be_says_nothing(void **state)
{
    static const struct {
        size_t at;
        unsigned char byte;
        unsigned expected;
    } changes[] = {{0, 'e', 0}, {6, 'X', 0},  {8, 0, 0},     {10, 0xff, 0}, {13, 0xff, 0},
                   {14, 1, 0},  {15, 255, 6}, {28, 0x13, 0}, {30, 4, 0},    {36, 8, 8}};
    unsigned char data[SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        memcpy(data, LITTLE, SIZE);
        data[changes[i].at] = changes[i].byte;
        assert_int_equal(exif(data, SIZE), changes[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_byte_order_is_read),
        cmocka_unit_test(what_is_cut_short_says_nothing),
        cmocka_unit_test(what_is_not_as_it_must_be_says_nothing),
    };
    return cmocka_run_group_tests_name("image_exif", tests, NULL, NULL);
}
