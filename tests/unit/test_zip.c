/* SPDX-License-Identifier: MIT
 * Zip archives: their list and their members, stored and deflated; damage anywhere is noticed.
 */
#include "data/zip.h"

#include "core/status.h"
#include "failing_alloc.h"
#include "support.h"
#include "zips.h"

#include <string.h>

static const char TEXT[] = "so long, so long, so long, so long, and the end";

/* Two members of the same text. */
static void make(zip_maker *zip, bool wide)
{
    *zip = (zip_maker){0};
    zip_add(zip, "stored", TEXT, sizeof TEXT, false);
    zip_add(zip, "deflated", TEXT, sizeof TEXT, true);
    zip_end(zip, wide);
}

static imsat_status read_member(im_bytes *out, const im_bytes *bytes, size_t i,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_zip zip = {0};
    bool more = false;
    IM_TRY(im_zip_list(&zip, bytes, "z", err));
    st = i < zip.count ? im_zip_open(out, &zip.members[i], bytes, "z:m", err) : IMSAT_EINVAL;
    if (st == IMSAT_OK)
        st = im_bytes_all(out, err);
    if (st == IMSAT_OK)
        st = im_bytes_end(out, &more, err);
    assert_false(more);

cleanup:
    if (st != IMSAT_OK)
        im_bytes_clear(out);
    im_zip_clear(&zip);
    return st;
}

static void members_are_what_was_put_in(void **state)
{
    (void)state;
    static zip_maker zip;
    for (int wide = 0; wide < 2; wide++) {
        make(&zip, wide);
        const im_bytes bytes = {.data = zip.bytes, .size = zip.size};
        assert_true(im_zip_begins(&bytes));
        for (size_t i = 0; i < 2; i++) {
            im_bytes member = {0};
            imsat_error err;
            assert_ok(read_member(&member, &bytes, i, &err), &err);
            assert_int_equal(member.size, sizeof TEXT);
            assert_memory_equal(member.data, TEXT, sizeof TEXT);
            assert_int_equal(member.heap != NULL, i == 1);
            assert_string_equal(im_bytes_held(&member), i ? "decompressed" : "in memory");
            im_bytes_clear(&member);
        }
    }
}

/* Whatever byte is changed: what is read is the same, or is refused. */
static void a_changed_byte_is_noticed_or_of_no_use(void **state)
{
    (void)state;
    static zip_maker zip;
    size_t refused = 0;
    for (int wide = 0; wide < 2; wide++) {
        make(&zip, wide);
        for (size_t at = 0; at < zip.size; at++)
            for (size_t i = 0; i < 2; i++) {
                const im_bytes bytes = {.data = zip.bytes, .size = zip.size};
                im_bytes member = {0};
                imsat_error err;
                zip.bytes[at] ^= 0xff;
                if (read_member(&member, &bytes, i, &err) == IMSAT_OK) {
                    assert_int_equal(member.size, sizeof TEXT);
                    assert_memory_equal(member.data, TEXT, sizeof TEXT);
                } else {
                    refused++;
                }
                im_bytes_clear(&member);
                zip.bytes[at] ^= 0xff;
            }
    }
    assert_true(refused > 4 * sizeof TEXT);
}

static void a_cut_is_noticed(void **state)
{
    (void)state;
    static zip_maker zip;
    make(&zip, true);
    for (size_t size = 0; size < zip.size; size++) {
        const im_bytes bytes = {.data = zip.bytes, .size = size};
        im_bytes member = {0};
        imsat_error err;
        assert_refused(read_member(&member, &bytes, 0, &err), &err, IMSAT_EFORMAT,
                       "z: a zip archive");
    }
}

/* A byte of the list or of the end, and what is said of it. */
static void refusals_say_what_is_wrong(void **state)
{
    (void)state;
    static zip_maker zip;
    make(&zip, false);
    const size_t end = zip.size - 5 - 22;
    const struct {
        size_t at;
        unsigned char byte;
        const char *part;
    } cases[] = {
        {zip.list + 8, 1, "is encrypted"},
        {zip.list + 10, 14, "zip's method 14"},
        {zip.list + 16, (unsigned char)(zip.members[0].crc + 1), "its checksum is not"},
        {zip.list + 20, 9, "in 9 bytes, and has 48"},
        {zip.list + 44, 1, "is not where the list of its archive says"},
        {zip.list, 'Q', "whose list of members is damaged"},
        {end + 4, 1, "of several disks"},
        {end + 10, 200, "no room for all of its members"},
        {end + 14, 1, "beyond its end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const im_bytes bytes = {.data = zip.bytes, .size = zip.size};
        const unsigned char keep = zip.bytes[cases[i].at];
        im_bytes member = {0};
        imsat_error err;
        zip.bytes[cases[i].at] = cases[i].byte;
        assert_refused(read_member(&member, &bytes, 0, &err), &err, IMSAT_EFORMAT,
                       cases[i].part);
        zip.bytes[cases[i].at] = keep;
    }
}

/* The size of a deflated member is not what comes out. */
static void what_comes_out_has_the_size_that_was_said(void **state)
{
    (void)state;
    static zip_maker zip;
    for (int off = -1; off <= 1; off += 2) {
        zip = (zip_maker){0};
        zip_add(&zip, "deflated", TEXT, sizeof TEXT, true);
        zip.members[0].size = (size_t)((int)sizeof TEXT + off);
        zip_end(&zip, false);
        const im_bytes bytes = {.data = zip.bytes, .size = zip.size};
        im_bytes member = {0};
        imsat_error err;
        assert_refused(read_member(&member, &bytes, 0, &err), &err, IMSAT_EFORMAT,
                       off < 0 ? "more than the 47 bytes" : "fewer than the 49 bytes");
    }
}

static imsat_status attempt(void *context, imsat_error *err)
{
    im_bytes member = {0};
    const imsat_status st = read_member(&member, context, 1, err);
    im_bytes_clear(&member);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static zip_maker zip;
    make(&zip, false);
    im_bytes bytes = {.data = zip.bytes, .size = zip.size};
    assert_true(fail_each(attempt, &bytes) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_what_was_put_in),
        cmocka_unit_test(a_changed_byte_is_noticed_or_of_no_use),
        cmocka_unit_test(a_cut_is_noticed),
        cmocka_unit_test(refusals_say_what_is_wrong),
        cmocka_unit_test(what_comes_out_has_the_size_that_was_said),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("zip", tests, NULL, NULL);
}
