/* SPDX-License-Identifier: MIT
 * Reading the public headers; see headers.h. */
#include "headers.h"

#include "support.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Blanks in place of comments and directives, so that names and commas are those of C. */
static void strip(char *text)
{
    for (char *c = text; *c; c++) {
        const bool directive = *c == '#' && (c == text || c[-1] == '\n');
        const char *end = directive                  ? strchr(c, '\n')
                          : strncmp(c, "/*", 2) == 0 ? strstr(c, "*/") + 2
                                                     : c;
        if (directive)
            while (end[-1] == '\\')
                end = strchr(end + 1, '\n');
        for (; c < end; c++)
            *c = ' ';
    }
}

/* The last word before `end`; it is cut off there. */
static char *last_word(char *text, char *end)
{
    while (end > text && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
        end--;
    *end = '\0';
    while (end > text && (isalnum((unsigned char)end[-1]) || end[-1] == '_'))
        end--;
    return end;
}

/* One declaration, "type name(type *name, ...)"; the number of its pointers. */
static size_t check_declaration(char *text, headers_counter *count)
{
    size_t pointers = 0;
    char *open = strchr(text, '('), *close = strrchr(text, ')');
    assert_true(open && close);
    const char *function = last_word(text, open);
    *close = '\0';
    char *parameter = open + 1, *rest = parameter;
    while ((parameter = rest) != NULL) {
        char *comma = strchr(parameter, ',');
        rest = comma ? comma + 1 : NULL;
        if (comma)
            *comma = '\0';
        const bool pointer = strchr(parameter, '*') || strstr(parameter, "_fn ");
        const char *name = last_word(parameter, parameter + strlen(parameter));
        if (!pointer || strcmp(name, "err") == 0)
            continue;
        pointers++;
        if (count(function, name) != 1)
            fail_msg("%s(): %s is %zu times in the lists of the test", function, name,
                     count(function, name));
    }
    return pointers;
}

/* Count functions and pointers of a header. */
static void check_header(const char *name, headers_counter *count, size_t *functions,
                         size_t *pointers)
{
    static char text[1 << 17];
    char path[512];
    snprintf(path, sizeof path, "%s/include/imsat/%s", IMSAT_SOURCE, name);
    const size_t size = read_file(path, text, sizeof text - 1);
    assert_true(size > 0 && size < sizeof text - 1);
    text[size] = '\0';
    strip(text);
    char *next = text;
    while ((next = strstr(next, "IMSAT_API ")) != NULL) {
        char *declaration = next, *end = strchr(next, ';');
        assert_non_null(end);
        *end = '\0';
        next = end + 1;
        (*functions)++;
        *pointers += check_declaration(declaration, count);
    }
}

void headers_check(headers_counter *count, size_t *functions, size_t *pointers)
{
    const struct dirent *found;
    DIR *headers = opendir(IMSAT_SOURCE "/include/imsat");
    assert_non_null(headers);
    while ((found = readdir(headers)) != NULL)
        if (found->d_name[0] != '.')
            check_header(found->d_name, count, functions, pointers);
    closedir(headers);
}
