/* SPDX-License-Identifier: MIT
 * 20 iterations of k-means on MNIST from the same centers, beside scikit-learn and FAISS: from
 * rows of floats in memory to centers, labels and inertia. */
#include "bench.h"

#include "core/alloc.h"
#include "linear/kmeans.h"

#include <stdio.h>

enum { ITERATIONS = 20 };

typedef struct clustering {
    bench *bench;
    imsat_data *data;
    im_preprocess pre;
    float *start; /* (k,d) */
    size_t k;
    im_kmeans result;
} clustering;

static void run_kmeans(void *context)
{
    clustering *c = context;
    im_frame frame = {0};
    im_kmeans_options opt = im_kmeans_defaults(c->k, 1);
    opt.start = c->start;
    opt.restarts = 1;
    opt.iterations = ITERATIONS;
    opt.tolerance = 0;
    im_kmeans_clear(&c->result);
    if (im_frame_fit(&frame, c->data, &c->pre, c->bench->pool, NULL, NULL) != IMSAT_OK ||
        im_frame_keep(&frame, SIZE_MAX, c->bench->pool, NULL, NULL) != IMSAT_OK ||
        im_kmeans_fit(&c->result, &(im_rows){&frame, NULL, frame.n}, &opt, c->bench->pool,
                      NULL, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: k-means failed\n");
    im_frame_clear(&frame);
}

/* Rows at even distances are the first centers, here and in the peers. */
static void bench_k(clustering *c, size_t k, const char *folder)
{
    bench *b = c->bench;
    const size_t n = imsat_data_rows(c->data), d = imsat_data_dim(c->data);
    char name[64], arguments[320];
    c->k = k;
    c->start = im_alloc(k * d, sizeof *c->start);
    if (!c->start)
        return;
    for (size_t i = 0; i < k; i++)
        im_data_row(c->start + i * d, c->data, i * n / k);
    snprintf(name, sizeof name, "k-means of MNIST, k = %zu, 20 its", k);
    snprintf(arguments, sizeof arguments, "%s %zu", folder, k);
    /* the share of the peak is that of all products, of which most are left out */
    const double operations = 2.0 * ITERATIONS * (double)n * (double)d * (double)k;
    bench_row *sklearn = bench_add(b, name, bench_best(run_kmeans, c, 3), operations);
    bench_peer(b, sklearn, "scikit-learn", "sklearn_kmeans_peer.py", arguments);
    bench_row *faiss = bench_add(b, name, bench_best(run_kmeans, c, 3), operations);
    bench_peer(b, faiss, "FAISS", "faiss_kmeans_peer.py", arguments);
    fprintf(stderr, "  inertia after %zu iterations: %.9g\n", c->result.iterations,
            c->result.inertia);
    bench_again(sklearn, faiss->ours);
    bench_again(faiss, sklearn->ours);
    im_free(c->start);
    im_kmeans_clear(&c->result);
}

/* MNIST as floats from 0 to 1, in memory; NULL: there is none. */
static float *read_mnist(size_t *n, size_t *d, const char *folder)
{
    imsat_data *data = bench_mnist(folder, "k-means");
    if (!data)
        return NULL;
    *n = imsat_data_rows(data);
    *d = imsat_data_dim(data);
    float *x = im_alloc(*n * *d, sizeof *x);
    for (size_t i = 0; x && i < *n; i++)
        im_data_row(x + i * *d, data, i);
    for (size_t i = 0; x && i < *n * *d; i++)
        x[i] /= 255;
    imsat_data_free(data);
    return x;
}

void bench_kmeans(bench *b)
{
    char folder[BENCH_FOLDER];
    clustering c = {.bench = b, .pre = {.scale = 1, .factor = 1}};
    size_t n = 0, d = 0;
    bench_mnist_folder(folder, b);
    float *x = read_mnist(&n, &d, folder);
    c.pre.dim = d;
    if (x && imsat_data_view(&c.data, x, n, d, d, NULL) == IMSAT_OK) {
        bench_k(&c, 10, folder);
        bench_k(&c, 1000, folder);
    }
    imsat_data_free(c.data);
    im_free(x);
}
