/* SPDX-License-Identifier: MIT
 * See gallery.h. */
#include "reproduce/gallery.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "core/status.h"
#include "plot/figure.h"
#include "plot/thumbs.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 420, TITLE = 30, MARGIN = 10 };

#define URL "data:image/png;base64,"

/* ---- the sample ------------------------------------------------------------------------ */

/* The rows of a cluster, in their order; how many. */
static size_t list_members(size_t *members, const int32_t *labels, size_t rows, size_t cluster)
{
    size_t count = 0;
    for (size_t i = 0; i < rows; i++)
        if ((size_t)labels[i] == cluster)
            members[count++] = i;
    return count;
}

imsat_status im_gallery_sample(size_t *sample, const int32_t *labels, size_t rows, size_t k,
                               uint64_t seed, imsat_error *err)
{
    const im_rng order = {seed, IM_STREAM_SAMPLE, 0, 0};
    size_t line = 0;
    size_t *members = im_alloc(rows, sizeof *members);
    if (!members)
        return im_fail_memory(err, "the figure");
    for (size_t i = 0; i < IM_GALLERY_SIDE * IM_GALLERY_SIDE; i++)
        sample[i] = SIZE_MAX;
    for (size_t i = 0; i < k && line < IM_GALLERY_SIDE; i++) {
        const size_t cluster = (size_t)im_rng_permute(i, k, order);
        const size_t count = list_members(members, labels, rows, cluster);
        const im_rng rng = {seed, IM_STREAM_SAMPLE, (uint32_t)(1 + cluster), 0};
        if (count == 0)
            continue;
        for (size_t j = 0; j < im_size_min(count, IM_GALLERY_SIDE); j++)
            sample[line * IM_GALLERY_SIDE + j] = members[im_rng_permute(j, count, rng)];
        line++;
    }
    im_free(members);
    return IMSAT_OK;
}

imsat_status im_gallery_draw(char **url, const imsat_data *data, const size_t *sample,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_thumbs pictures = {0};
    im_strbuf out = {0};
    IM_TRY(im_thumbs_fit(&pictures, data->image, data, err));
    IM_TRY(im_thumbs_rows(&out, &pictures, data, sample, IM_GALLERY_SIDE * IM_GALLERY_SIDE,
                          IM_GALLERY_SIDE, err));
    IM_TRY(im_strbuf_check(&out, "the figure", err));
    *url = out.text;
    out = (im_strbuf){0};

cleanup:
    im_strbuf_clear(&out);
    im_thumbs_clear(&pictures);
    return st;
}

/* ---- the figure ------------------------------------------------------------------------ */

/* The panel of a method, if there is one; a file may hold anything. */
static const char *panel_of(const im_plan *plan, const char *method)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";
    for (size_t i = 0; i < plan->count; i++) {
        const im_entry *cell = &plan->cell[i];
        if (!cell->done || !cell->picture || strcmp(cell->row->method, method) != 0 ||
            strncmp(cell->picture, URL, sizeof URL - 1) != 0)
            continue;
        const char *bytes = cell->picture + sizeof URL - 1;
        if (bytes[strspn(bytes, digits)] == '\0')
            return cell->picture;
    }
    return NULL;
}

static void draw_panel(im_figure *figure, im_box box, const im_plan *plan, const char *method)
{
    const char *picture = panel_of(plan, method);
    const im_lettering title = {.x = box.x + box.width / 2,
                                .y = box.y + TITLE - MARGIN,
                                .anchor = IM_ANCHOR_MIDDLE,
                                .bold = true};
    im_figure_text(figure, title, method);
    if (!picture)
        return;
    im_strbuf_put(figure->out, "<image");
    im_figure_rectangle(figure, (im_box){box.x + MARGIN, box.y + TITLE, SIDE, SIDE});
    im_strbuf_format(figure->out, " style=\"image-rendering:pixelated\" href=\"%s\"/>\n",
                     picture);
}

void im_gallery_figure(im_strbuf *out, const im_plan *plan)
{
    static const char *const methods[] = {"imsat-vat", "imsat-vat-affine"};
    im_figure figure = {.id = "omniglot",
                        .title = "Clusters of Omniglot",
                        .about =
                            "A panel for each method; a row of pictures is drawn at random "
                            "from one cluster, and the clusters are, too.",
                        .width = 2 * (SIDE + 2 * MARGIN),
                        .height = TITLE + SIDE + MARGIN,
                        .alone = true};
    im_figure_begin(&figure, out);
    for (size_t i = 0; i < 2; i++)
        draw_panel(&figure,
                   im_figure_cell((im_box){0, 0, figure.width, figure.height}, 1, 2, i), plan,
                   methods[i]);
    im_figure_end(&figure);
}
