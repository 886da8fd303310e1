/* SPDX-License-Identifier: MIT
 *
 * The options that the library has a table of (imsat_option_at), as options of the program:
 * they are not named here again, but for a letter or a longer name.
 */
#include "cli.h"

#include <string.h>

/* Where the program has habits of its own: letters, a longer name, and values that are files.
 */
static const struct {
    const char *name;
    char letter;
    const char *longer;
    cli_file file;
    size_t offset;    /* of its name in cli_args, if it is one */
    const char *help; /* NULL: the library's */
} habits[] = {
    {"k", 'k', "clusters", CLI_NO_FILE, 0,
     "how many clusters, 2 or more; of a range, as 2-12, the one that stands out; auto is "
     "2-12"},
    {"bits", 'b', NULL, CLI_NO_FILE, 0, NULL},
    {"neighbor", 't', NULL, CLI_NO_FILE, 0, NULL},
    {"prior", 0, NULL, CLI_INPUT, offsetof(cli_args, prior), NULL},
    {"radius", 0, NULL, CLI_INPUT, offsetof(cli_args, radius), NULL},
    {"checkpoint", 0, NULL, CLI_STATE, offsetof(cli_args, options.checkpoint), NULL},
};

/* Methods that the program offers for a task: not the one that needs a caller's function. */
static const char *method_choice(imsat_task task, size_t i)
{
    for (size_t m = 0; imsat_method_name(m); m++) {
        const char *name = imsat_method_name(m);
        if (imsat_method_serves(name, task) && !imsat_method_needs_function(name) && i-- == 0)
            return name;
    }
    return NULL;
}

static const char *cluster_method(size_t i)
{
    return method_choice(IMSAT_TASK_CLUSTER, i);
}

static const char *hash_method(size_t i)
{
    return method_choice(IMSAT_TASK_HASH, i);
}

const char *cli_choice_summary(const cli_option *option, size_t i)
{
    if (option->choice == cluster_method || option->choice == hash_method)
        return imsat_method_summary(option->choice(i));
    if (option->library && strcmp(option->library->name, "preset") == 0)
        return imsat_preset_summary((imsat_preset)i);
    return NULL;
}

/* ---- setters ------------------------------------------------------------------------- */

static int set_method(cli_args *args, const cli_option *option, const char *value,
                      imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "method", why);
    if (found >= 0)
        args->options.method = option->choice((size_t)found);
    return found < 0 ? -1 : 0;
}

static int set_preset(cli_args *args, const cli_option *option, const char *value,
                      imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "preset", why);
    if (found >= 0)
        args->options.preset = (imsat_preset)found;
    return found < 0 ? -1 : 0;
}

static int set_prior(cli_args *args, const cli_option *option, const char *value,
                     imsat_error *why)
{
    (void)option;
    if (!*value)
        return cli_refuse(why, "empty");
    args->prior = strcmp(value, "uniform") == 0 ? NULL : value;
    return 0;
}

static int set_radius(cli_args *args, const cli_option *option, const char *value,
                      imsat_error *why)
{
    (void)option;
    args->radius = value;
    return *value ? 0 : cli_refuse(why, "empty");
}

/* All others by their text. The library's message is "NAME TEXT: why". */
static int set_library(cli_args *args, const cli_option *option, const char *value,
                       imsat_error *why)
{
    const char *name = option->library->name, *text = option->argument ? value : "yes";
    imsat_error err;
    if (option->choice && cli_find_choice(option->choice, value, "value", why) < 0)
        return -1;
    if (!option->argument && value)
        text = "no";
    if (imsat_options_set(&args->options, name, text, &err) == IMSAT_OK)
        return 0;
    const size_t before = strlen(name) + 1 + strlen(text) + 2;
    return cli_refuse(why, "%s", strlen(err.message) > before ? err.message + before : "bad");
}

/* A number, or a range of them, which leaves the number open. */
static int set_clusters(cli_args *args, const cli_option *option, const char *value,
                        imsat_error *why)
{
    static const char standard[] = "2-12";
    args->k_auto = strcmp(value, "auto") == 0;
    const char *range = args->k_auto ? standard : value;
    const char *dash = strchr(range, '-');
    char from[32];
    args->k_from = args->k_to = args->options.k = 0;
    if (!dash || dash == range)
        return set_library(args, option, value, why);
    snprintf(from, sizeof from, "%.*s", (int)(dash - range), range);
    if (cli_read_count(&args->k_from, from, why) || cli_read_count(&args->k_to, dash + 1, why))
        return cli_refuse(why, "not a number, nor a range like 2-12, nor auto");
    if (args->k_from < 2 || args->k_to <= args->k_from || args->k_to - args->k_from >= 100)
        return cli_refuse(why, "a range goes from 2 or more up, to at most 99 more");
    return 0;
}

static const struct {
    const char *name;
    cli_setter *set;
} setters[] = {{"k", set_clusters},
               {"method", set_method},
               {"preset", set_preset},
               {"prior", set_prior},
               {"radius", set_radius}};

/* ---- options ------------------------------------------------------------------------- */

enum { MOST_OPTIONS = 160, LONGEST_NAME = 24 };

static cli_option store[MOST_OPTIONS]; /* those of a group lie together */
static char names[MOST_OPTIONS][LONGEST_NAME];
static size_t stored;

/* The name with dashes, and what else the program has its own way in. */
static void adapt(cli_option *option, char *name, const imsat_option *library)
{
    snprintf(name, LONGEST_NAME, "%s", library->name);
    for (size_t i = 0; i < sizeof habits / sizeof *habits; i++)
        if (strcmp(habits[i].name, library->name) == 0) {
            option->letter = habits[i].letter;
            option->file = habits[i].file;
            option->offset = habits[i].offset;
            option->help = habits[i].help ? habits[i].help : library->help;
            if (habits[i].longer)
                snprintf(name, LONGEST_NAME, "%s", habits[i].longer);
        }
    for (char *c = name; *c; c++)
        if (*c == '_')
            *c = '-';
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
        if (strcmp(setters[i].name, library->name) == 0)
            option->set = setters[i].set;
    option->early = option->set == set_method || option->set == set_preset;
    option->name = name;
}

static void add(cli_group *group, const imsat_option *library, imsat_task task)
{
    if (stored == MOST_OPTIONS)
        return;
    cli_option *option = &store[stored];
    *option = (cli_option){.library = library,
                           .task = task,
                           .set = set_library,
                           .argument = library->argument,
                           .toggle = library->type == IMSAT_OPTION_FLAG,
                           .help = library->help,
                           .fallback = library->fallback,
                           .choice = library->choice};
    adapt(option, names[stored], library);
    if (option->set == set_method)
        option->choice = task == IMSAT_TASK_HASH ? hash_method : cluster_method;
    if (!group->count)
        group->options = option;
    group->count++;
    stored++;
}

/* Whether a method that the program offers for the task uses the option. */
static int is_used(const imsat_option *library, imsat_task task)
{
    for (size_t i = 0; method_choice(task, i); i++)
        if (imsat_option_used(library, method_choice(task, i), task))
            return 1;
    return 0;
}

static void fill_section(cli_group *group)
{
    group->title = imsat_section_title(group->section, group->task);
    for (size_t i = 0; imsat_option_at(i); i++) {
        const imsat_option *library = imsat_option_at(i);
        if (library->section == group->section && is_used(library, group->task))
            add(group, library, group->task);
    }
}

static void fill_names(cli_group *group)
{
    for (const char *name = group->library; *name; name += strspn(name, " ")) {
        char word[LONGEST_NAME];
        const size_t length = strcspn(name, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        if (imsat_option_named(word))
            add(group, imsat_option_named(word), group->task);
        name += length;
    }
}

void cli_library_fill(void)
{
    for (size_t c = 0; c < cli_commands_count; c++)
        for (size_t g = 0; cli_commands[c].groups[g]; g++) {
            cli_group *group = cli_commands[c].groups[g];
            if (group->count == 0 && group->from_section)
                fill_section(group);
            else if (group->count == 0 && group->library)
                fill_names(group);
        }
}

/* ---- what a line may not say ------------------------------------------------------------ */

const char *cli_library_unused(const cli_option *option, const imsat_options *options)
{
    if (!option->library || imsat_option_used(option->library, options->method, options->task))
        return NULL;
    return options->method;
}
