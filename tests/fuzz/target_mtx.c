/* SPDX-License-Identifier: MIT
 * Matrices of Matrix Market as data. */
#include "sparse.h"

static void begin(void)
{
    fuzz_seed_text(
        "%%MatrixMarket matrix coordinate real general\n% x\n3 4 3\n1 1 0.5\n3 4 2\n"
        "2 2 -1\n");
    fuzz_seed_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 1\n3 2\n");
    fuzz_seed_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 9\n"
                   "3 2 -4\n");
    fuzz_seed_text("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3e-1\n4\n5\n6\n");
    fuzz_seed_text("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n");
    fuzz_seed_text("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
}

static bool run(const uint8_t *input, size_t size)
{
    fuzz_file_put("x.mtx", input, size);
    return sparse_read("x.mtx", size);
}

const fuzz_target fuzz_this = {"mtx", 1024, begin, run, NULL};
