/* SPDX-License-Identifier: MIT
 * See comparison.h. */
#include "choice/comparison.h"

#include "core/alloc.h"
#include "core/partition.h"

#include <math.h>
#include <stdio.h>

/* Simpler ones first. */
static const char SENSIBLE[] = "kmeans,gmm,spectral,imsat-vat";

/* Columns of which full covariances are fitted to some thousand rows within seconds. */
enum { MOST_COVARIANCES = 100 };

void imsat_comparison_free(imsat_comparison *comparison)
{
    im_comparison *c = comparison ? comparison->own : NULL;
    if (!c)
        return;
    for (size_t i = 0; c->method && i < c->about.methods; i++)
        im_free(c->method[i].labels);
    im_free(c->method);
    im_free(c->row);
    im_free(c);
}

const imsat_compared *imsat_comparison_method(const imsat_comparison *comparison, size_t i)
{
    return comparison && i < comparison->methods ? &comparison->own->method[i].about : NULL;
}

/* ---- the methods --------------------------------------------------------------------------
 */

static const imsat_measures unmeasured = {NAN, NAN, NAN, NAN, NAN, NAN};

/* The name of the method whose name has `length` letters at text, or NULL. */
static const char *find_method(const char *text, size_t length)
{
    for (size_t i = 0; imsat_method_name(i); i++) {
        const char *name = imsat_method_name(i);
        if (strlen(name) == length && strncmp(name, text, length) == 0 &&
            imsat_method_serves(name, IMSAT_TASK_CLUSTER) &&
            !imsat_method_needs_function(name))
            return name;
    }
    return NULL;
}

static void add_method(im_comparison *c, const char *name)
{
    im_compared *m = &c->method[c->about.methods++];
    m->about = (imsat_compared){.method = name, .data = &m->data, .agreement = NAN};
    m->data = unmeasured;
    m->costly = imsat_option_used(imsat_option_named("epochs"), name, IMSAT_TASK_CLUSTER) != 0;
    for (size_t kind = 0; kind < IMSAT_NULLS; kind++) {
        m->null[kind] = unmeasured;
        m->about.null[kind] = &m->null[kind];
    }
}

static imsat_status add_methods(im_comparison *c, const char *names, imsat_error *err)
{
    for (const char *at = names;; at++) {
        const size_t length = strcspn(at, ",");
        const char *name = find_method(at, length);
        if (!name)
            return im_fail(err, IMSAT_EINVAL,
                           "there is no method \"%.*s\" that learns clusters", (int)length,
                           at);
        add_method(c, name);
        at += length;
        if (!*at)
            return IMSAT_OK;
    }
}

/* Where nobody asked for it, a method that would take too long is not begun. */
static void leave_unfit(im_comparison *c, size_t dim)
{
    char why[128];
    for (size_t i = 0; i < c->about.methods; i++)
        if (strcmp(c->method[i].about.method, "gmm") == 0 && dim > MOST_COVARIANCES) {
            snprintf(why, sizeof why,
                     "full covariances of %zu columns take long; --methods gmm has it all the "
                     "same",
                     dim);
            im_comparison_leave(&c->method[i], why);
        }
}

static size_t count_names(const char *names)
{
    size_t count = 1;
    for (; *names; names++)
        count += *names == ',';
    return count;
}

imsat_status im_comparison_new(im_comparison **out, const char *names, size_t dim,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *list = names ? names : SENSIBLE;
    im_comparison *c = im_alloc(1, sizeof *c);
    if (!c)
        return im_fail_memory(err, "the comparison");
    c->about = (imsat_comparison){.own = c, .sentence = c->sentence, .normals = -1};
    c->method = im_alloc(count_names(list), sizeof *c->method);
    if (!c->method) {
        st = im_fail_memory(err, "the comparison");
        goto cleanup;
    }
    IM_TRY(add_methods(c, list, err));
    if (!names)
        leave_unfit(c, dim);
    *out = c;
    c = NULL;

cleanup:
    imsat_comparison_free(c ? &c->about : NULL);
    return st;
}

void im_comparison_leave(im_compared *method, const char *why)
{
    snprintf(method->why, sizeof method->why, "%s", why);
    method->about.left_out = method->why;
}

/* ---- agreement ----------------------------------------------------------------------------
 */

imsat_status im_comparison_agree(im_comparison *c, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t a = 0; a < c->about.methods; a++) {
        double sum = 0, ari = 0;
        size_t others = 0;
        for (size_t b = 0; b < c->about.methods; b++)
            if (a != b && c->method[a].labels && c->method[b].labels) {
                IM_TRY(im_partition_ari(&ari, c->method[a].labels, c->method[b].labels,
                                        c->about.rows, err));
                sum += ari;
                others++;
            }
        c->method[a].about.agreement = others ? sum / (double)others : NAN;
    }

cleanup:
    return st;
}

imsat_status im_comparison_simplest(size_t *out, const im_comparison *c, size_t best,
                                    imsat_error *err)
{
    static const double SAME = 0.995;
    imsat_status st = IMSAT_OK;
    size_t i = 0;
    for (; i < best; i++) {
        double ari = 0;
        if (c->method[i].labels)
            IM_TRY(im_partition_ari(&ari, c->method[i].labels, c->method[best].labels,
                                    c->about.rows, err));
        if (ari >= SAME)
            break;
    }
    *out = i;

cleanup:
    return st;
}

/* ---- the sentence --------------------------------------------------------------------------
 */

static const im_compared *runner_up(const im_comparison *c)
{
    const im_compared *next = NULL;
    for (size_t i = 0; i < c->about.methods; i++)
        if (i != c->about.best && c->method[i].labels &&
            (!next || c->method[i].data.information > next->data.information))
            next = &c->method[i];
    return next;
}

static void say_borders(im_comparison *c, const im_compared *best, const im_compared *next)
{
    char other[80] = "";
    if (next && next->data.information > best->data.information) {
        snprintf(
            c->sentence, sizeof c->sentence,
            "%s: its borders lie where there are few rows, as good as those of %s "
            "(neighbors tell %.2f and %.2f of a label, %.2f in rows without clusters), and "
            "its clusters say more (%.2f nats, and %.2f).",
            best->about.method, next->about.method, best->data.information,
            next->data.information, c->about.without, best->data.nats, next->data.nats);
        return;
    }
    if (next)
        snprintf(other, sizeof other, ", %.2f for %s", next->data.information,
                 next->about.method);
    snprintf(c->sentence, sizeof c->sentence,
             "%s: its borders lie where there are few rows (neighbors tell %.2f of a label%s, "
             "%.2f in rows without clusters).",
             best->about.method, best->data.information, other, c->about.without);
}

void im_comparison_say(im_comparison *c)
{
    static const double DISAGREE = 0.6;
    const imsat_comparison *about = &c->about;
    if (about->best >= about->methods) {
        snprintf(c->sentence, sizeof c->sentence,
                 "No structure found: rows without clusters are separated as well (%.2f) as "
                 "these (%.2f), so clusters of them would be cuts through one cloud.",
                 about->without, about->information);
        return;
    }
    const im_compared *best = &c->method[about->best];
    if (about->normals == 1)
        snprintf(c->sentence, sizeof c->sentence,
                 "%s: the rows look as if drawn from %zu normals, and these are its clusters.",
                 best->about.method, about->k);
    else
        say_borders(c, best, runner_up(c));
    const size_t used = strlen(c->sentence);
    if (best->data.seeds < DISAGREE)
        snprintf(c->sentence + used, sizeof c->sentence - used,
                 " But its runs disagree (%.2f): other clusters are as likely.",
                 best->data.seeds);
}
