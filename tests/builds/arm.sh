#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is written for 64-bit ARM: the tests of the NEON kernel of src/search and of
# src/core/flush.c, compiled for it and run in an emulator; and that products, elementary
# functions and whole trainings have the bits there that they have elsewhere. Skipped without
# the compiler or the emulator.
#
#     apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
set -eu
root=${IMSAT_SOURCE:-$(cd "$(dirname "$0")/../.." && pwd)}
cd "$root"
compiler=aarch64-linux-gnu-gcc
for program in $compiler qemu-aarch64; do
    if ! command -v "$program" >/dev/null; then
        echo "arm: skipped, $program is not installed"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# cmocka has no build for ARM here: the few of its names that the tests use.
cat >"$work/cmocka.h" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct CMUnitTest {
    void (*run)(void **);
};
#define cmocka_unit_test(test) {test}
#define cmocka_run_group_tests(tests, setup, teardown)                                        \
    run_all(tests, sizeof(tests) / sizeof *(tests))
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                             \
    cmocka_run_group_tests(tests, setup, teardown)
#define assert_true(c) ((c) ? (void)0 : fail_at(__LINE__))
#define assert_false(c) assert_true(!(c))
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_non_null(a) assert_true((a) != NULL)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define fail_msg(...) (fprintf(stderr, __VA_ARGS__), fail_at(__LINE__))
static inline void fail_at(int line)
{
    fprintf(stderr, "line %d: failed\n", line);
    exit(1);
}
static inline int run_all(const struct CMUnitTest *tests, size_t n)
{
    void *state = NULL;
    for (size_t i = 0; i < n; i++)
        tests[i].run(&state);
    printf("%zu tests passed\n", n);
    return 0;
}
END
read -ra random123 <<<"${RANDOM123_FLAGS:--idirafter /usr/include}"

# The test of that name, with its sources.
run() {
    local name=$1
    shift
    echo "$name:"
    $compiler -std=c11 -O2 -fno-math-errno -ffp-contract=off -Wall -Wextra -Wconversion \
        -Wshadow -Werror -static -I "$work" -I include -I src -I tests/support "${random123[@]}" \
        "tests/unit/$name.c" "$@" -o "$work/$name" -lm
    qemu-aarch64 "$work/$name"
}
random="src/core/rng.c src/core/philox.c src/core/normals.c"
support="tests/support/support.c src/core/status.c src/core/alloc.c src/core/limit.c"
run test_hamming src/search/hamming*.c src/core/rng.c
run test_flush src/core/flush.c
# shellcheck disable=SC2086 # several files
{
    run test_gemm $support $random src/core/gemm*.c src/core/transpose.c src/core/flush.c
    run test_elementary $support $random src/core/elementary.c
}
# The whole library, without what it can do without. Jansson and zlib have no build for ARM here;
# a training calls neither.
mapfile -t without < <(sed -n 's/^IM_FEATURE(\([A-Z0-9]*\),.*/-DIM_HAVE_\1=0/p' src/core/feature_list.h)
run test_same_bits tests/support/support.c src/*/*.c "${without[@]}" \
    -Wl,--unresolved-symbols=ignore-all
