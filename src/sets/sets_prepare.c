/* SPDX-License-Identifier: MIT
 *
 * From a folder to the rows of a data set: which form of it the files in the folder are enough
 * for, and what makes rows of them; see imsat/sets.h.
 */
#include "core/alloc.h"
#include "core/path.h"
#include "data/member.h"
#include "sets/sets.h"

#include <stdio.h>
#include <string.h>

enum { LIST_ROOM = 640 };

/* Files of a layout that are there. */
typedef struct found {
    char *data[IM_SETS_PARTS], *labels[IM_SETS_PARTS]; /* owned */
    size_t ndata, nlabels;
    const char *missing; /* the first that is not */
} found;

static void clear(found *f)
{
    for (size_t i = 0; i < IM_SETS_PARTS; i++) {
        im_free(f->data[i]);
        im_free(f->labels[i]);
    }
    *f = (found){0};
}

/* ---- files ------------------------------------------------------------------------ */

/* The path of a file, folder/place name; NULL without memory. */
static char *join(const char *folder, const char *place, const char *name)
{
    const size_t room = strlen(folder) + strlen(place) + strlen(name) + 2;
    char *path = im_alloc(room, 1);
    if (path)
        snprintf(path, room, "%s/%s%s", folder, place, name);
    return path;
}

/* The same of what is there, compressed or not: of a file in an archive it is the archive that
 * must be. *path is NULL if nothing is. */
static bool find_file(char **path, const char *folder, const char *place, const char *name)
{
    const char *colon = strchr(place, ':');
    char *whole = join(folder, place, name), *file = NULL;
    bool good = whole != NULL;
    *path = NULL;
    if (good && colon) {
        const size_t before = strlen(folder) + 1 + (size_t)(colon - place);
        whole[before] = '\0';
        good = im_path_find(&file, whole);
        if (file) {
            const size_t room = strlen(file) + strlen(colon) + strlen(name) + 1;
            *path = im_alloc(room, 1);
            good = *path != NULL;
            if (good)
                snprintf(*path, room, "%s%s%s", file, colon, name);
        }
        im_free(file);
    } else if (good) {
        good = im_path_find(path, whole);
    }
    im_free(whole);
    return good;
}

/* Those of a list that are there, up to the first that is missing. */
static bool find_list(char **paths, size_t *count, const char **missing, const char *folder,
                      const char *place, const char *const *names)
{
    for (*count = 0; names[*count] && !*missing;) {
        if (!find_file(&paths[*count], folder, place, names[*count]))
            return false;
        if (paths[*count])
            ++*count;
        else
            *missing = names[*count];
    }
    return true;
}

static bool find_layout(found *f, const char *folder, const im_set_layout *layout)
{
    *f = (found){0};
    return find_list(f->data, &f->ndata, &f->missing, folder, layout->place, layout->data) &&
           find_list(f->labels, &f->nlabels, &f->missing, folder, layout->place,
                     layout->labels);
}

/* ---- which form --------------------------------------------------------------------- */

/* What is looked for, and what came of it. */
typedef struct search {
    const im_set *set;
    const char *folder;
    const char *only; /* the form that is asked for, or NULL */
    const im_set_form *form;
    const im_set_layout *layout; /* NULL: nothing is there */
    found files;
    char partly[2][LIST_ROOM / 2]; /* of the first layout that is there in part: a file that
                                      is, and one that is not */
} search;

static void note_part(search *s, const im_set_layout *layout, const found *f)
{
    if (s->partly[0][0] || f->ndata == 0)
        return;
    snprintf(s->partly[0], sizeof s->partly[0], "%s", f->data[0]);
    snprintf(s->partly[1], sizeof s->partly[1], "%s%s", layout->place, f->missing);
}

/* In one folder. */
static bool search_folder(search *s, const char *folder)
{
    for (size_t i = 0; i < IM_SETS_FORMS && s->set->forms[i].shown.name; i++) {
        const im_set_form *form = &s->set->forms[i];
        if (s->only && strcmp(s->only, form->shown.name) != 0)
            continue;
        for (size_t j = 0; j < IM_SETS_LAYOUTS && form->layouts[j].make; j++) {
            const im_set_layout *layout = &form->layouts[j];
            const bool good = find_layout(&s->files, folder, layout);
            if (good && !s->files.missing) {
                s->form = form;
                s->layout = layout;
                return true;
            }
            if (good)
                note_part(s, layout, &s->files);
            clear(&s->files);
            if (!good)
                return false;
        }
    }
    return true;
}

/* In the folder, and in one in it that is called as the set. False: no memory. */
static bool search_all(search *s)
{
    const char *const names[] = {s->set->name, s->set->also};
    bool good = search_folder(s, s->folder);
    for (size_t i = 0; good && !s->layout && i < 2 && names[i]; i++) {
        char *own = join(s->folder, names[i], "");
        good = own && search_folder(s, own);
        im_free(own);
    }
    return good;
}

/* ---- refusals ------------------------------------------------------------------------ */

/* Append a word to a list, with a comma between them, unless it is there. */
static void add(char list[LIST_ROOM], const char *word)
{
    const size_t used = strlen(list);
    if (!strstr(list, word))
        snprintf(list + used, LIST_ROOM - used, "%s%s", used ? ", " : "", word);
}

/* What to look for in a folder: an archive, or the first file of several. */
static void add_layout(char list[LIST_ROOM], const im_set_layout *layout)
{
    char word[128];
    snprintf(word, sizeof word, "%s%s", layout->place, layout->data[0]);
    word[strcspn(word, ":")] = '\0';
    add(list, word);
}

static imsat_status refuse_form(const search *s, imsat_error *err)
{
    char list[LIST_ROOM] = "";
    for (size_t i = 0; i < IM_SETS_FORMS && s->set->forms[i].shown.name; i++)
        add(list, s->set->forms[i].shown.name);
    return im_fail(err, IMSAT_EINVAL, "%s cannot be prepared as '%s'; there is: %s",
                   s->set->name, s->only, list);
}

/* The first file of each layout says enough. */
static imsat_status refuse_files(const search *s, imsat_error *err)
{
    char list[LIST_ROOM] = "";
    const char *name = s->set->name;
    if (s->partly[0][0])
        return im_fail(err, IMSAT_EIO, "%s is there, but not %s, which %s needs, too",
                       s->partly[0], s->partly[1], name);
    for (size_t i = 0; i < IM_SETS_FORMS && s->set->forms[i].shown.name; i++) {
        const im_set_form *form = &s->set->forms[i];
        for (size_t j = 0; j < IM_SETS_LAYOUTS && form->layouts[j].make; j++)
            if (!s->only || strcmp(s->only, form->shown.name) == 0)
                add_layout(list, &form->layouts[j]);
    }
    return im_fail(err, IMSAT_EIO,
                   "%s: no files of %s are there; looked for %s, each also compressed; 'imsat "
                   "data fetch %s' %s",
                   s->folder, name, list, name,
                   s->set->refusal ? "says where to ask for them" : "downloads it");
}

static bool has_form(const im_set *set, const char *name)
{
    for (size_t i = 0; i < IM_SETS_FORMS && set->forms[i].shown.name; i++)
        if (strcmp(set->forms[i].shown.name, name) == 0)
            return true;
    return false;
}

imsat_status im_sets_prepare(imsat_data **out, const imsat_set_form **form, const im_set *set,
                             const char *folder, const imsat_prepare_options *options,
                             imsat_error *err)
{
    static const imsat_prepare_options none;
    imsat_status st = IMSAT_OK;
    const imsat_prepare_options *opt = options ? options : &none;
    search s = {.set = set, .folder = folder, .only = opt->form};
    if (s.only && !has_form(set, s.only))
        return refuse_form(&s, err);
    if (!im_folder_is(folder))
        return im_fail(err, IMSAT_EIO,
                       "%s: is not a folder, as that of the files of %s must be", folder,
                       set->name);
    if (!search_all(&s))
        return im_fail_memory(err, folder);
    if (!s.layout)
        return refuse_files(&s, err);
    const im_recipe recipe = {.data = (const char *const *)s.files.data,
                              .ndata = s.files.ndata,
                              .labels = (const char *const *)s.files.labels,
                              .nlabels = s.files.nlabels,
                              .scale = s.layout->scale,
                              .seed = opt->seed,
                              .threads = opt->threads};
    IM_TRY(s.layout->make(out, &recipe, err));
    if (form)
        *form = &s.form->shown;

cleanup:
    clear(&s.files);
    return st;
}
