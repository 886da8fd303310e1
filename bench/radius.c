/* SPDX-License-Identifier: MIT
 * The exact radius beside FAISS's and scikit-learn's search for the same neighbors; and both
 * methods on many rows, where the default goes over from one to the other. */
#include "bench.h"

#include "core/alloc.h"
#include "core/rng.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct measuring {
    const imsat_data *data;
    imsat_options opt;
    imsat_radius_info info;
    float *radius;
} measuring;

static void run_radius(void *context)
{
    measuring *m = context;
    if (imsat_neighbor_radius(m->radius, &m->info, m->data, &m->opt, NULL) != IMSAT_OK)
        fprintf(stderr, "bench: the radius failed\n");
}

static void bench_size(bench *b, size_t n, size_t dim)
{
    imsat_data *data = NULL;
    measuring m = {0};
    char name[64], arguments[64];
    float *x = im_alloc(n * dim, sizeof *x);
    m.radius = im_alloc(n, sizeof *m.radius);
    imsat_options_init(&m.opt, "imsat-vat", IMSAT_PRESET_PAPER);
    m.opt.threads = (size_t)b->threads;
    for (size_t i = 0; x && i < n; i++)
        im_rng_normals(x + i * dim, dim, (im_rng){2, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
    if (x && m.radius && imsat_data_view(&data, x, n, dim, dim, NULL) == IMSAT_OK) {
        m.data = data;
        snprintf(name, sizeof name, "radius %zu x %zu, t = 10", n, dim);
        /* each pair once: one multiply-add per column */
        bench_row *row = bench_add(b, name, bench_best(run_radius, &m, 3),
                                   (double)n * (double)n * (double)dim);
        snprintf(arguments, sizeof arguments, "%zu %zu", n, dim);
        bench_peer(b, row, "FAISS", "faiss_peer.py", arguments);
        if (!b->full) { /* minutes */
            bench_row *again = bench_add(b, name, row->ours, row->operations);
            bench_peer(b, again, "scikit-learn", "sklearn_peer.py", arguments);
        }
    }
    imsat_data_free(data);
    im_free(x);
    im_free(m.radius);
}

/* MNIST, if it is there: there sketches help (docs/theory.md), so that a share of the peak
 * would say nothing. */
static void bench_images(bench *b)
{
    char folder[BENCH_FOLDER], arguments[BENCH_FOLDER + 8];
    measuring m = {0};
    bench_mnist_folder(folder, b);
    imsat_data *data = bench_mnist(folder, "radius of MNIST");
    if (!data)
        return;
    imsat_options_init(&m.opt, "imsat-vat", IMSAT_PRESET_REFERENCE);
    m.opt.threads = (size_t)b->threads;
    m.data = data;
    m.radius = im_alloc(imsat_data_rows(data), sizeof *m.radius);
    if (m.radius) {
        bench_row *row =
            bench_add(b, "radius of MNIST, t = 10", bench_best(run_radius, &m, 3), 0);
        snprintf(arguments, sizeof arguments, "mnist %s", folder);
        bench_peer(b, row, "FAISS", "faiss_peer.py", arguments);
        bench_again(row, bench_best(run_radius, &m, 2));
    }
    imsat_data_free(data);
    im_free(m.radius);
}

/* A mixture of 20 normals with centers one deviation long in each column. */
static void fill_mixture(float *x, size_t n, size_t dim)
{
    float center[64];
    for (size_t i = 0; i < n; i++) {
        im_rng_normals(x + i * dim, dim, (im_rng){2, IM_STREAM_INIT, 0, 0}, (uint32_t)i);
        im_rng_normals(center, dim, (im_rng){3, IM_STREAM_INIT, 0, 0}, (uint32_t)(i % 20));
        for (size_t j = 0; j < dim; j++)
            x[i * dim + j] += center[j];
    }
}

static void bench_method(bench *b, measuring *m, imsat_radius_method method)
{
    const double n = (double)imsat_data_rows(m->data), dim = (double)imsat_data_dim(m->data);
    char name[64];
    m->opt.radius_method = method;
    const double seconds = bench_best(run_radius, m, 1);
    snprintf(name, sizeof name, "radius %.0f x %.0f, %s, %.2f %% off", n, dim,
             imsat_radius_method_name(method), 100 * m->info.error);
    bench_add(b, name, seconds, method == IMSAT_RADIUS_EXACT ? n * n * dim : 0);
}

/* Both methods, or the approximate one alone where the exact one takes minutes. */
static void bench_mixture(bench *b, size_t n, bool exact)
{
    enum { DIM = 64 };
    imsat_data *data = NULL;
    measuring m = {0};
    float *x = im_alloc(n * DIM, sizeof *x);
    m.radius = im_alloc(n, sizeof *m.radius);
    imsat_options_init(&m.opt, "imsat-vat", IMSAT_PRESET_PAPER);
    m.opt.threads = (size_t)b->threads;
    if (x && m.radius) {
        fill_mixture(x, n, DIM);
        if (imsat_data_view(&data, x, n, DIM, DIM, NULL) == IMSAT_OK) {
            m.data = data;
            if (exact)
                bench_method(b, &m, IMSAT_RADIUS_EXACT);
            bench_method(b, &m, IMSAT_RADIUS_APPROX);
        }
    }
    imsat_data_free(data);
    im_free(x);
    im_free(m.radius);
}

void bench_radius(bench *b)
{
    bench_size(b, b->full ? 70000 : 20000, 784);
    bench_mixture(b, 50000, true);
    bench_mixture(b, 100000, true);
    if (!b->full)
        return;
    bench_images(b);
    bench_mixture(b, 200000, false);
    bench_mixture(b, 400000, false);
    bench_mixture(b, 1000000, false);
}
