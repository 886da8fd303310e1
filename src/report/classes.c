/* SPDX-License-Identifier: MIT
 * See classes.h. */
#include "report/classes.h"

#include "core/alloc.h"
#include "core/status.h"

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static imsat_status list(im_classes *c, const int32_t *truth, size_t n, imsat_error *err)
{
    c->label = im_alloc(n, sizeof *c->label);
    if (!c->label)
        return im_fail_memory(err, "the classes");
    memcpy(c->label, truth, n * sizeof *truth);
    qsort(c->label, n, sizeof *c->label, by_value);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || c->label[i] != c->label[c->count - 1])
            c->label[c->count++] = c->label[i];
    return IMSAT_OK;
}

static imsat_status cross(im_classes *c, const int32_t *truth, const im_gather *found,
                          imsat_error *err)
{
    if (c->count > IM_CLASSES_TABLE || found->outputs > IM_CLASSES_TABLE)
        return IMSAT_OK;
    c->meets = im_alloc(found->outputs * c->count, sizeof *c->meets);
    if (!c->meets)
        return im_fail_memory(err, "clusters and classes");
    for (size_t i = 0; i < found->n; i++)
        c->meets[(size_t)found->labels[i] * c->count + im_classes_of(c, truth[i])]++;
    return IMSAT_OK;
}

imsat_status im_classes_count(im_classes *out, const int32_t *truth, const im_gather *found,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_classes c = {0};
    IM_TRY(list(&c, truth, found->n, err));
    if (found->labels) {
        IM_TRY(cross(&c, truth, found, err));
        IM_TRY(imsat_evaluate_clusters(&c.score, found->labels, truth, found->n, err));
    }
    *out = c;
    c = (im_classes){0};

cleanup:
    im_classes_clear(&c);
    return st;
}

void im_classes_clear(im_classes *classes)
{
    im_free(classes->label);
    im_free(classes->meets);
    *classes = (im_classes){0};
}

size_t im_classes_of(const im_classes *classes, int32_t label)
{
    const int32_t *at =
        bsearch(&label, classes->label, classes->count, sizeof label, by_value);
    return at ? (size_t)(at - classes->label) : 0;
}
