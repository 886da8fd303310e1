/* SPDX-License-Identifier: MIT
 *
 * The libraries that imsat can do without, and all that is said of them anywhere. Included by
 * who has defined IM_FEATURE; cmake/features.cmake and tools/deps read the rows as text, so a
 * row is one line.
 *
 *     IM_FEATURE(ID, name, how it is found, package, what needs it)
 *
 * ID      IM_FEATURE_ID in C; IM_HAVE_ID is 1 or 0; IMSAT_WITH_ID is the option of CMake.
 * found   a module of pkg-config, or a header and a library: "bzlib.h bz2".
 * package the one of Debian that brings the header.
 * needs   completes "FILE: ...".
 */
/* clang-format off */
IM_FEATURE(ZSTD, "zstd", "libzstd", "libzstd-dev", "is compressed by zstd")
IM_FEATURE(XZ, "xz", "liblzma", "liblzma-dev", "is compressed by xz")
IM_FEATURE(BZIP2, "bzip2", "bzlib.h bz2", "libbz2-dev", "is compressed by bzip2")
IM_FEATURE(PNG, "png", "libpng", "libpng-dev", "is a PNG image")
IM_FEATURE(JPEG, "jpeg", "libjpeg", "libjpeg-dev", "is a JPEG image")
IM_FEATURE(WEBP, "webp", "libwebp", "libwebp-dev", "is a WebP image")
IM_FEATURE(CURL, "curl", "libcurl", "libcurl4-openssl-dev", "is to be downloaded")
IM_FEATURE(FFTW, "fftw", "fftw3", "libfftw3-dev", "needs Fourier transforms")
IM_FEATURE(HDF5, "hdf5", "hdf5", "libhdf5-dev", "is an HDF5 file")
/* clang-format on */
