/* SPDX-License-Identifier: MIT
 * See found.h. */
#define _POSIX_C_SOURCE 200809L
#include "reproduce/found.h"

#include "core/alloc.h"
#include "core/status.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".json"

static bool add(im_found *found, const char *name)
{
    char **names = im_grow(found->name, found->count, found->count + 1, sizeof *names);
    if (!names)
        return false;
    found->name = names;
    names[found->count] = im_strdup(name);
    return names[found->count] && ++found->count;
}

imsat_status im_found_list(im_found *found, const char *folder, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    DIR *entries = opendir(folder);
    *found = (im_found){0};
    if (!entries)
        return im_fail_file(err, folder);
    for (const struct dirent *entry; st == IMSAT_OK && (entry = readdir(entries));) {
        const size_t size = strlen(entry->d_name), tail = sizeof ENDING - 1;
        if (size > tail && strcmp(entry->d_name + size - tail, ENDING) == 0 &&
            !add(found, entry->d_name))
            st = im_fail_memory(err, "the names of cells");
    }
    closedir(entries);
    if (st != IMSAT_OK)
        im_found_clear(found);
    return st;
}

void im_found_clear(im_found *found)
{
    for (size_t i = 0; i < found->count; i++)
        im_free(found->name[i]);
    im_free(found->name);
    *found = (im_found){0};
}

/* The number behind the last "-word" of a name; 0: there is none. */
static uint64_t number_behind(const char *name, const char *word)
{
    uint64_t number = 0;
    for (const char *at = name; (at = strstr(at, word)); at += strlen(word))
        number = strtoull(at + strlen(word), NULL, 10);
    return number;
}

/* The numbers are a guess, which is right if they make the same name. */
bool im_found_take(im_entry *like, const im_found *found, size_t i)
{
    const char *name = found->name[i];
    im_entry cell = *like;
    cell.seed = number_behind(name, "-seed");
    cell.race = (size_t)number_behind(name, "-race");
    im_entry_name(&cell);
    const size_t size = strlen(cell.name);
    if (strncmp(name, cell.name, size) != 0 || strcmp(name + size, ENDING) != 0)
        return false;
    *like = cell;
    return true;
}
