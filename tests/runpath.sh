#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program and the library look for other libraries where the system has them, and nowhere
# else. An empty entry of a run path is the current folder, from which anybody's libz.so would be
# loaded; CMake makes one when a package names a folder for linking, as that of HDF5 does.
set -eu
build=${IMSAT_BUILD:-$(dirname "$0")/../build}
for file in "$build"/imsat "$build"/libimsat.so; do
    if readelf -d "$file" | grep -E 'R(UN)?PATH'; then
        echo "runpath: ${file##*/} has a run path of its own" >&2
        exit 1
    fi
done
echo 'runpath: none'
