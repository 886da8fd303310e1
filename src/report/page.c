/* SPDX-License-Identifier: MIT
 * See page.h: the frame of the page. */
#include "report/page.h"

#include "report/assets.h"
#include "report/script.h"

#include <string.h>

static void put_title(im_strbuf *out, const im_material *m)
{
    const char *file = im_page_file(m);
    if (m->options.title) {
        im_strbuf_escape(out, m->options.title);
        return;
    }
    im_strbuf_put(out, m->found.hash ? "Codes of " : "Clusters of ");
    im_strbuf_escape(out, file ? file : "data");
}

/* Nothing is loaded and nothing runs but this style and this script. */
static void put_policy(im_strbuf *out)
{
    im_strbuf_put(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                       "'none'; base-uri 'none'; form-action 'none'; img-src data:; "
                       "style-src 'sha256-");
    im_script_hash(out, im_assets_css);
    im_strbuf_put(out, "'; script-src 'sha256-");
    im_script_hash(out, im_assets_js);
    im_strbuf_put(out, "'\"/>\n");
}

static void put_head(im_strbuf *out, const im_material *m)
{
    im_strbuf_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                       "<meta charset=\"utf-8\"/>\n");
    put_policy(out);
    im_strbuf_put(
        out,
        "<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n<meta name=\"color-scheme\" "
        "content=\"light dark\"/>\n<meta name=\"generator\" content=\"imsat " IMSAT_VERSION
        "\"/>\n<title>");
    put_title(out, m);
    im_strbuf_put(out, "</title>\n<style>");
    im_strbuf_put(out, im_assets_css);
    im_strbuf_put(out, "</style>\n</head>\n");
}

static void put_link(im_strbuf *out, bool there, const char *id, const char *name)
{
    if (there)
        im_strbuf_format(out, "<li><a href=\"#%s\">%s</a></li>\n", id, name);
}

static void put_banner(im_strbuf *out, const im_material *m)
{
    const bool hash = m->found.hash;
    im_strbuf_put(out, "<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n"
                       "<div class=\"top\"><h1>");
    put_title(out, m);
    im_strbuf_put(out, "</h1>\n<button type=\"button\" id=\"theme\" hidden=\"hidden\">Dark"
                       "</button></div>\n<nav aria-label=\"Sections\"><ul>\n");
    put_link(out, true, "found", "What was found");
    put_link(out, true, "map", "Map");
    put_link(out, hash, "search", "Search");
    put_link(out, !hash, "clusters", "Clusters");
    put_link(out, true, "sizes", hash ? "Bits" : "Sizes");
    put_link(out, m->classes.meets != NULL, "classes", "Classes");
    put_link(out, true, "training", "Training");
    put_link(out, true, "record", "Record");
    im_strbuf_put(out, "</ul></nav>\n</header>\n");
}

static imsat_status put_sections(im_strbuf *out, im_material *m, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_strbuf_put(out, "<main id=\"main\">\n");
    im_page_found(out, m);
    im_page_map(out, m);
    if (m->found.hash)
        im_page_search(out, m);
    else
        IM_TRY(im_page_clusters(out, m, err));
    im_page_sizes(out, m);
    if (m->classes.meets)
        im_page_classes(out, m);
    im_page_training(out, m);
    im_page_record(out, m);
    im_strbuf_put(out, "</main>\n<footer><p>Made by imsat " IMSAT_VERSION
                       ". This file needs no network and no other file.</p></footer>\n");

cleanup:
    return st;
}

imsat_status im_page_write(im_strbuf *out, im_material *m, imsat_error *err)
{
    enum { TAIL = 256 }; /* what is put around data and script */
    imsat_status st = IMSAT_OK;
    const size_t most = m->options.most_bytes;
    put_head(out, m);
    im_strbuf_put(out, "<body>\n");
    put_banner(out, m);
    IM_TRY(put_sections(out, m, err));
    const size_t used = out->used + strlen(im_assets_js) + TAIL;
    im_strbuf_put(out, "<script type=\"application/json\" id=\"data\">");
    IM_TRY(im_page_data(out, m, used < most ? most - used : 0, err));
    im_strbuf_put(out, "</script>\n<script>");
    im_strbuf_put(out, im_assets_js);
    im_strbuf_put(out, "</script>\n</body>\n</html>\n");
    IM_TRY(im_strbuf_check(out, "the report", err));
    if (out->used > most)
        st = im_fail(err, IMSAT_EINVAL,
                     "the report takes %zu bytes, and at most %zu are allowed; allow more",
                     out->used, most);

cleanup:
    return st;
}
