#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Flushing of subnormal numbers on 64-bit ARM: the test of src/core/flush.c, compiled for it and
# run in an emulator. Skipped without the compiler or the emulator.
#
#     apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user
set -eu
root=${IMSAT_SOURCE:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root"
compiler=aarch64-linux-gnu-gcc
for program in $compiler qemu-aarch64; do
    if ! command -v $program >/dev/null; then
        echo "flush_arm: skipped, $program is not installed"
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# cmocka has no build for ARM here: the few of its names that the test uses.
cat >"$work/cmocka.h" <<'END'
#include <stdio.h>
#include <stdlib.h>
struct CMUnitTest {
    void (*run)(void **);
};
#define cmocka_unit_test(test) {test}
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                             \
    run_all(tests, sizeof(tests) / sizeof *(tests))
#define assert_true(c) ((c) ? (void)0 : fail_at(__LINE__))
#define assert_false(c) assert_true(!(c))
#define assert_int_equal(a, b) assert_true((a) == (b))
static void fail_at(int line)
{
    fprintf(stderr, "tests/unit/test_flush.c:%d: failed\n", line);
    exit(1);
}
static int run_all(const struct CMUnitTest *tests, size_t n)
{
    void *state = NULL;
    for (size_t i = 0; i < n; i++)
        tests[i].run(&state);
    printf("%zu tests of flushing\n", n);
    return 0;
}
END
$compiler -std=c11 -O2 -Wall -Wextra -Wconversion -Wshadow -Werror -static \
    -I "$work" -I include -I src -I tests/support \
    tests/unit/test_flush.c src/core/flush.c -o "$work/test" -lm
qemu-aarch64 "$work/test"
