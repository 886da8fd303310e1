/* SPDX-License-Identifier: MIT
 * The images of MNIST, for benchmarks that need real data. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

void bench_mnist_folder(char folder[BENCH_FOLDER], const bench *b)
{
    const char *given = getenv("IMSAT_DATA");
    if (given)
        snprintf(folder, BENCH_FOLDER, "%s/mnist", given);
    else
        snprintf(folder, BENCH_FOLDER, "%s/../shared/data/mnist", b->source);
}

void bench_mnist_files(bench_paths *out, const char *folder, const char *kind)
{
    static const char *const part[] = {"train", "t10k"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(out->name[i], sizeof out->name[i], "%s/%s-%s-ubyte.gz", folder, part[i],
                 kind);
        out->path[i] = out->name[i];
    }
}

imsat_data *bench_mnist(const char *folder, const char *what)
{
    imsat_data *data = NULL;
    bench_paths files;
    bench_mnist_files(&files, folder, "images-idx3");
    if (imsat_data_open(&data, files.path, 2, NULL, NULL) != IMSAT_OK)
        fprintf(stderr, "%s: skipped, there is no %s; set IMSAT_DATA\n", what, files.path[0]);
    return data;
}
