/* SPDX-License-Identifier: MIT
 * SHA-256: the examples of FIPS 180-4, every length around a block, and any way to cut. */
#include "core/sha256.h"

#include "support.h"

#include <stdio.h>
#include <string.h>

/* The hash of bytes that are added `step` at a time. */
static const char *hash_of(const void *bytes, size_t size, size_t step)
{
    static char text[IM_SHA256_TEXT];
    im_sha256 hash;
    im_sha256_begin(&hash);
    for (size_t at = 0; at < size; at += step)
        im_sha256_add(&hash, (const char *)bytes + at, size - at < step ? size - at : step);
    im_sha256_end(&hash, text);
    return text;
}

static void the_examples_of_the_standard(void **state)
{
    static char million[1000000];
    (void)state;
    assert_string_equal(hash_of("", 0, 1),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(hash_of("abc", 3, 3),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(
        hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, 56),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    memset(million, 'a', sizeof million);
    assert_string_equal(hash_of(million, sizeof million, 4093),
                        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* The hash of the hashes of 0, 1, 2, ... 200 zeros, which sha256sum has made, too:
 *     for i in $(seq 0 200); do head -c $i /dev/zero | sha256sum | head -c 64; done |
 * sha256sum */
static void every_length_around_a_block(void **state)
{
    static const char zeros[200];
    char all[IM_SHA256_TEXT * 256] = "", step_text[IM_SHA256_TEXT];
    (void)state;
    for (size_t size = 0; size <= sizeof zeros; size++) {
        memcpy(all + 64 * size, hash_of(zeros, size, 1), 64);
        memcpy(step_text, hash_of(zeros, size, 7), sizeof step_text);
        assert_memory_equal(all + 64 * size, step_text, 64);
    }
    assert_string_equal(hash_of(all, (size_t)64 * 201, 1000),
                        "f55e502cfd80fef78fe7206d99c6dff4fab60fd17201a0a656296ce47240e6f2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_standard),
        cmocka_unit_test(every_length_around_a_block),
    };
    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
