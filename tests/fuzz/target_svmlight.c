/* SPDX-License-Identifier: MIT
 * svmlight as data, by its contents and by its name. */
#include "sparse.h"

static void begin(void)
{
    fuzz_seed_text("1 1:0.5 3:2\n-1 2:1 # x\n\n+1 qid:3 1:7\n");
    fuzz_seed_text("# Column indices are zero-based\nox 0:1 5:-2e3\r\ncow 3:1\r\n");
    fuzz_seed_text("1:1 2:3 9:.5\n2:1\n");
    fuzz_seed_text("1,3 4:1\t7:2 5:9\n2\n0 2147483646:1\n");
}

static bool run(const uint8_t *input, size_t size)
{
    fuzz_file_put("x.svm", input, size);
    return sparse_read("x.svm", size);
}

const fuzz_target fuzz_this = {"svmlight", 1024, begin, run, NULL};
