#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A mutant is a test program linked with a source that has a mistake in it. It counts as caught
# if the named test fails with the message of the assertion that should see the mistake. A
# crash does not count, nor does any other failure.
#
#     mutant.sh PROGRAM TEST MESSAGE        MESSAGE is a part of what the assertion prints
set -u
program=$1 test=$2 message=$3
output=$(IMSAT_TESTS_ONLY=$test "$program" 2>&1)
status=$?

complain() {
    printf '%s\n' "$output" "mutant: $1"
    exit 1
}

if [ "$status" -eq 0 ]; then complain "$test does not notice the mistake"; fi
# 126 and 127: it did not run; from 129 on: a signal. cmocka itself catches some signals.
if [ "$status" -ge 126 ] && [ "$status" -lt 255 ]; then complain "exit status $status"; fi
if grep -q 'failed with exception' <<<"$output"; then complain "$test crashes"; fi
if ! grep -qxF "[  FAILED  ] $test" <<<"$output"; then complain "$test did not fail"; fi
if ! grep -qF -- "$message" <<<"$output"; then complain "no message has '$message'"; fi
echo "caught by $test: $message"
