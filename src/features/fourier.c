/* SPDX-License-Identifier: MIT
 *
 * Fourier transforms; see fourier.h. The only file that knows FFTW. Its plans are its own
 * memory: there is no way to hand it ours.
 *
 * Back, all columns are transformed and then the wanted rows alone: of GIST's images with
 * their margins that is a third of the rows, and two thirds of the work of both passes.
 */
#include "features/fourier.h"

#include "core/feature.h"

#if IM_HAVE_FFTW

#include <fftw3.h> /* declares fftw_malloc() by a macro, so it comes before core/alloc.h */

#include "core/alloc.h"

#include <limits.h>
#include <pthread.h>

struct im_fourier {
    fftw_plan forward, columns, rows;
    size_t skipped; /* doubles before the first wanted row */
};

static pthread_mutex_t planning = PTHREAD_MUTEX_INITIALIZER;

/* FFTW_ESTIMATE plans without measuring, so the plan, and with it the rounding, is the same
 * each time on a machine. */
static void plan(im_fourier *f, double *x, int height, int width, int rows)
{
    fftw_complex *all = (fftw_complex *)x, *wanted = (fftw_complex *)(x + f->skipped);
    pthread_mutex_lock(&planning);
    f->forward = fftw_plan_dft_2d(height, width, all, all, FFTW_FORWARD, FFTW_ESTIMATE);
    f->columns = fftw_plan_many_dft(1, &height, width, all, NULL, width, 1, all, NULL, width,
                                    1, FFTW_BACKWARD, FFTW_ESTIMATE);
    f->rows = fftw_plan_many_dft(1, &width, rows, wanted, NULL, 1, width, wanted, NULL, 1,
                                 width, FFTW_BACKWARD, FFTW_ESTIMATE);
    pthread_mutex_unlock(&planning);
}

imsat_status im_fourier_new(im_fourier **out, size_t height, size_t width, size_t first,
                            size_t rows, const char *subject, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_fourier *f = NULL;
    double *x = NULL;
    size_t size;
    if (height > INT_MAX || width > INT_MAX || !im_size_mul(&size, height, width) ||
        !im_size_mul(&size, size, 2))
        return im_fail(err, IMSAT_EINVAL, "%s: a transform of %zu x %zu is too large", subject,
                       height, width);
    f = im_alloc(1, sizeof *f);
    x = im_alloc(size, sizeof *x);
    if (!f || !x) {
        st = im_fail_memory(err, "a Fourier transform");
        goto cleanup;
    }
    f->skipped = 2 * first * width;
    plan(f, x, (int)height, (int)width, (int)rows);
    if (!f->forward || !f->columns || !f->rows) {
        st = im_fail_memory(err, "a Fourier transform");
        goto cleanup;
    }
    *out = f;
    f = NULL;

cleanup:
    im_free(x);
    im_fourier_free(f);
    return st;
}

void im_fourier_free(im_fourier *fourier)
{
    if (!fourier)
        return;
    pthread_mutex_lock(&planning);
    fftw_destroy_plan(fourier->forward);
    fftw_destroy_plan(fourier->columns);
    fftw_destroy_plan(fourier->rows);
    pthread_mutex_unlock(&planning);
    im_free(fourier);
}

void im_fourier_forward(const im_fourier *fourier, double *x)
{
    fftw_complex *all = (fftw_complex *)x;
    fftw_execute_dft(fourier->forward, all, all);
}

void im_fourier_backward(const im_fourier *fourier, double *x)
{
    fftw_complex *all = (fftw_complex *)x, *wanted = (fftw_complex *)(x + fourier->skipped);
    fftw_execute_dft(fourier->columns, all, all);
    fftw_execute_dft(fourier->rows, wanted, wanted);
}

#else

imsat_status im_fourier_new(im_fourier **out, size_t height, size_t width, size_t first,
                            size_t rows, const char *subject, imsat_error *err)
{
    (void)out, (void)height, (void)width, (void)first, (void)rows;
    return im_feature_refuse(IM_FEATURE_FFTW, subject, err);
}

/* There is none to call these with. */
void im_fourier_free(im_fourier *fourier)
{
    (void)fourier;
}

void im_fourier_forward(const im_fourier *fourier, double *x)
{
    (void)fourier, (void)x;
}

void im_fourier_backward(const im_fourier *fourier, double *x)
{
    (void)fourier, (void)x;
}

#endif
