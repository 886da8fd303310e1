/* SPDX-License-Identifier: MIT
 * See page.h: what the sections share. */
#include "report/page.h"

#include <stdio.h>
#include <string.h>

void im_page_section(im_strbuf *out, const char *id, const char *heading)
{
    im_strbuf_format(out,
                     "<section id=\"%s\" aria-labelledby=\"%s-heading\">\n"
                     "<h2 id=\"%s-heading\">%s</h2>\n",
                     id, id, id, heading);
}

void im_page_section_end(im_strbuf *out)
{
    im_strbuf_put(out, "</section>\n");
}

void im_page_count(im_strbuf *out, size_t count)
{
    if (count >= 1000) {
        im_page_count(out, count / 1000);
        im_strbuf_format(out, ",%03zu", count % 1000);
    } else {
        im_strbuf_count(out, count);
    }
}

void im_page_percent(im_strbuf *out, double share)
{
    im_strbuf_fixed(out, 100 * share, 1);
    im_strbuf_put(out, "\xc2\xa0%"); /* not at the end of a line without its number */
}

const char *im_page_plural(size_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* Twelve colors of figures can be told apart; of more, neighbors have hues far apart. */
void im_page_color(im_strbuf *out, size_t i, size_t count)
{
    if (count <= IM_FIGURE_COLORS)
        im_strbuf_put(out, im_figure_color(i));
    else
        im_strbuf_format(out, "hsl(%zu, 55%%, %zu%%)", i * 137 % 360, 42 + i % 3 * 6);
}

void im_page_swatch(im_strbuf *out, size_t i, size_t count)
{
    im_strbuf_put(out, "<svg class=\"swatch\" width=\"12\" height=\"12\" aria-hidden=\"true\">"
                       "<rect width=\"12\" height=\"12\" rx=\"3\" fill=\"");
    im_page_color(out, i, count);
    im_strbuf_put(out, "\"/></svg>");
}

void im_page_column_name(im_strbuf *out, const im_material *material, size_t column)
{
    size_t size;
    const char *word = imsat_data_word(material->data, column, &size);
    const char *name = material->options.columns
                           ? material->options.columns[column]
                           : imsat_data_column_name(material->data, column);
    if (word)
        im_strbuf_escape_bytes(out, word, size);
    else if (name)
        im_strbuf_escape(out, name);
    else
        im_strbuf_format(out, "column %zu", column);
}

const char *im_page_class(const im_material *material, size_t j, char number[IM_PAGE_NUMBER])
{
    const int32_t label = material->classes.label[j];
    if (label >= 0 && (size_t)label < material->class_names)
        return material->options.classes[label];
    snprintf(number, IM_PAGE_NUMBER, "%d", (int)label);
    return number;
}

const char *im_page_file(const im_material *material)
{
    if (material->options.npaths == 0)
        return NULL;
    const char *path = material->options.paths[0], *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *im_page_method(const im_material *material)
{
    const char *method = im_material_record(material, "option.method");
    return method ? method : "unknown method";
}
