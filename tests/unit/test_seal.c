/* SPDX-License-Identifier: MIT
 * The checksum of a file: what it covers, and that changes are found. */
#include "data/seal.h"

#include "core/checksum.h"
#include "failing_alloc.h"
#include "support.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const float weights[3] = {1, -2, 3.5F};
static const uint8_t pads[5] = {9, 8, 7, 6, 5};

/* Entries in this order or the reverse; an empty tensor among the others. */
static im_safetensors build(bool reverse)
{
    static const char *const entries[][2] = {{"format", "x-1"}, {"b", ""}, {"a", "17"}};
    const size_t three = 3, five = 5, none = 0;
    im_safetensors file = {0};
    imsat_error err;
    for (size_t i = 0; i < 3; i++) {
        const char *const *entry = entries[reverse ? 2 - i : i];
        assert_ok(im_safetensors_set(&file, entry[0], entry[1], &err), &err);
    }
    assert_ok(im_safetensors_add(&file, "w", IM_TENSOR_F32, weights, 1, &three, &err), &err);
    assert_ok(im_safetensors_add(&file, "none", IM_TENSOR_U8, NULL, 1, &none, &err), &err);
    assert_ok(im_safetensors_add(&file, "pads", IM_TENSOR_U8, pads, 1, &five, &err), &err);
    return file;
}

static void it_is_what_the_page_says(void **state)
{
    (void)state;
    unsigned char bytes[64];
    const char entries[] = "a\00017\0b\0\0format\0x-1"; /* and the zero at the end */
    size_t size = sizeof entries;
    char text[17];
    imsat_error err;
    memcpy(bytes, entries, size);
    memcpy(bytes + size, weights, sizeof weights);
    size += sizeof weights;
    memcpy(bytes + size, pads, sizeof pads);
    size += sizeof pads;
    snprintf(text, sizeof text, "%016" PRIx64, im_checksum_of(bytes, size));
    for (int reverse = 0; reverse < 2; reverse++) {
        im_safetensors file = build(reverse);
        assert_ok(im_seal_set(&file, &err), &err);
        assert_string_equal(im_safetensors_value(&file, IM_SEAL_KEY), text);
        assert_ok(im_seal_set(&file, &err), &err); /* it does not cover itself */
        assert_string_equal(im_safetensors_value(&file, IM_SEAL_KEY), text);
        im_safetensors_clear(&file);
    }
}

static void a_file_comes_back(void **state)
{
    (void)state;
    im_safetensors file = build(false), read = {0};
    imsat_error err;
    assert_ok(im_seal_set(&file, &err), &err);
    assert_ok(im_safetensors_write(&file, in_folder("file"), &err), &err);
    assert_ok(im_safetensors_read(&read, in_folder("file"), &err), &err);
    assert_ok(im_seal_check(&read, "file", &err), &err);
    im_safetensors_clear(&read);
    im_safetensors_clear(&file);
}

static void changes_are_found(void **state)
{
    (void)state;
    im_safetensors file = build(false);
    imsat_error err;
    assert_refused(im_seal_check(&file, "it", &err), &err, IMSAT_EFORMAT,
                   "it: its bytes are not those that were written");
    assert_refused(im_seal_check(&file, "it", &err), &err, IMSAT_EFORMAT, "not stated");
    assert_ok(im_seal_set(&file, &err), &err);
    for (size_t i = 0; i < sizeof weights + sizeof pads; i++) {
        unsigned char bent[sizeof weights];
        im_tensor *tensor = &file.tensors[i < sizeof weights ? 0 : 2];
        const void *good = tensor->data;
        memcpy(bent, good, im_safetensors_bytes(tensor));
        bent[i < sizeof weights ? i : i - sizeof weights] ^= (unsigned char)(1U << i % 8);
        tensor->data = bent;
        assert_refused(im_seal_check(&file, "it", &err), &err, IMSAT_EFORMAT, "checksum");
        tensor->data = good;
        assert_ok(im_seal_check(&file, "it", &err), &err);
    }
    assert_ok(im_safetensors_set(&file, "a", "18", &err), &err);
    assert_refused(im_seal_check(&file, "it", &err), &err, IMSAT_EFORMAT, "checksum");
    assert_ok(im_safetensors_set(&file, "a", "17", &err), &err);
    assert_ok(im_safetensors_set(&file, "more", "", &err), &err);
    assert_refused(im_seal_check(&file, "it", &err), &err, IMSAT_EFORMAT, "checksum");
    im_safetensors_clear(&file);
}

static imsat_status seal_and_check(void *unused, imsat_error *err)
{
    (void)unused;
    im_safetensors file = {0};
    imsat_status st = im_safetensors_set(&file, "a", "1", err);
    if (st == IMSAT_OK)
        st = im_seal_set(&file, err);
    if (st == IMSAT_OK)
        st = im_seal_check(&file, "it", err);
    im_safetensors_clear(&file);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_each(seal_and_check, NULL) > 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_what_the_page_says),
        cmocka_unit_test(a_file_comes_back),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
