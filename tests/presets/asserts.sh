#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Asserts are compiled into the library, or they are not, as the build type promises: a library
# without one is "off". Run in every preset, for a build type that silently defines NDEBUG has
# no other sign.
#
#     asserts.sh on|off        IMSAT_BUILD is the folder with libimsat.a
set -eu
library=${IMSAT_BUILD:?}/libimsat.a
symbols=$(nm --undefined-only "$library" 2>/dev/null)
if [ -z "$symbols" ]; then
    echo "asserts: $library cannot be read"
    exit 1
fi
found=off
if grep -q '__assert' <<<"$symbols"; then found=on; fi
if [ "$found" != "$1" ]; then
    echo "asserts: they are $found in $library, and should be $1"
    exit 1
fi
echo "asserts are $found"
