/* SPDX-License-Identifier: MIT
 *
 * How far a training or a prediction is. On a terminal one line is rewritten in place, when
 * a stage begins and then at most ten times a second, never wider than the terminal; elsewhere
 * each stage and each run gets a line when it ends. The log gets a line of JSON after every
 * epoch, at once on disk.
 *
 * No colors and no escape sequences: a carriage return and blanks do.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST_LINE = 320, LONGEST_BAR = 30, SHORTEST_BAR = 8 };

double cli_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20)
        return 79;
    return size.ws_col - 1u; /* the last column may wrap */
}

/* ---- the log ------------------------------------------------------------------- */

static void log_epoch(cli_progress *state, const imsat_progress *now)
{
    cli_json *line = cli_json_new();
    cli_json_count(line, "run", now->run);
    cli_json_count(line, "epoch", now->epoch);
    cli_json_number(line, "seconds", now->seconds);
    cli_json_number(line, "objective", now->objective);
    cli_json_terms(line, state->method, state->task, now->term, now->mu);
    errno = 0;
    if ((cli_json_line(state->log, line) || fflush(state->log)) && !state->log_error)
        state->log_error = errno ? errno : ENOMEM;
    cli_json_free(line);
}

/* ---- time left ----------------------------------------------------------------- */

/* What a stage that is not of a run is called; NULL for "train" and "evaluate". */
static const char *stage_name(const imsat_progress *progress)
{
    if (strcmp(progress->stage, "prepare") == 0)
        return "preparing the data";
    if (strcmp(progress->stage, "radius") == 0)
        return "neighbor radius";
    if (strcmp(progress->stage, "compare") == 0)
        return "comparing";
    return strcmp(progress->stage, "train") != 0 && strcmp(progress->stage, "evaluate") != 0
               ? progress->stage
               : NULL;
}

static int in_run(const imsat_progress *progress)
{
    return !stage_name(progress);
}

static int same_stage(const imsat_progress *a, const imsat_progress *b)
{
    return in_run(a) && in_run(b) ? 1 : strcmp(a->stage, b->stage) == 0;
}

/* The share of the stage that is done: training counts all runs, but for a race, of which one
 * run is left. */
static double share_done(const cli_progress *state, const imsat_progress *now)
{
    double share = now->fraction;
    if (in_run(now)) {
        if (strcmp(now->stage, "evaluate") == 0)
            share = now->epochs ? (double)now->epoch / (double)now->epochs : 0;
        if (!state->race)
            share = ((double)now->run + share) / (double)(now->runs ? now->runs : 1);
    }
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* "0:42 left" by the pace at which `done` of the stage was done in `elapsed` seconds, with
 * `share` of it behind us; empty before there is a pace. */
static void time_left(char *buffer, size_t size, double elapsed, double done, double share)
{
    buffer[0] = '\0';
    if (done <= 0 || elapsed < 0.5)
        return;
    const double seconds = elapsed * (1 - share) / done + 0.5;
    if (seconds > 359999)
        return;
    const int whole = (int)seconds;
    if (whole >= 3600)
        snprintf(buffer, size, "%d:%02d:%02d left", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(buffer, size, "%d:%02d left", whole / 60, whole % 60);
}

/* ---- the line on a terminal ---------------------------------------------------- */

/* Print text over the line that is there. */
static void draw(cli_progress *state, const char *text)
{
    const size_t columns = strlen(text);
    const size_t blanks = state->drawn_columns > columns ? state->drawn_columns - columns : 0;
    fprintf(stderr, "\r%s%*s%s", text, (int)blanks, "", columns ? "" : "\r");
    fflush(stderr);
    state->drawn_columns = columns;
}

/* The numbers of the last epoch, as many as fit into `room` columns. */
static void details(char *buffer, size_t size, const cli_progress *state, size_t room)
{
    char part[40];
    size_t used = 0;
    buffer[0] = '\0';
    snprintf(part, sizeof part, " objective %.4f", state->epoch.objective);
    for (imsat_term term = 0; used + strlen(part) <= room && used < size; term++) {
        used += (size_t)snprintf(buffer + used, size - used, "%s", part);
        while (term < IMSAT_TERMS && !imsat_method_has_term(state->method, state->task, term))
            term++;
        if (term == IMSAT_TERMS)
            break;
        snprintf(part, sizeof part, " %s %.3f", imsat_term_name(term), state->terms[term]);
    }
}

/* "[=====>    ]" of `columns` columns; empty if they are too few. */
static void bar(char *buffer, size_t columns, double share)
{
    buffer[0] = '\0';
    if (columns < SHORTEST_BAR)
        return;
    const size_t inside = columns - 2;
    size_t filled = (size_t)(share * (double)inside);
    if (filled > inside)
        filled = inside;
    buffer[0] = '[';
    memset(buffer + 1, '=', filled);
    memset(buffer + 1 + filled, ' ', inside - filled);
    if (filled < inside)
        buffer[1 + filled] = '>';
    memcpy(buffer + 1 + inside, "]", 2);
}

/* "run 1/5 epoch 3/50 ", or how far the run is if it has no epochs. */
static void run_head(char *buffer, size_t size, const imsat_progress *now)
{
    if (now->epochs)
        snprintf(buffer, size, "run %zu/%zu epoch %zu/%zu ", now->run + 1, now->runs,
                 now->epoch, now->epochs);
    else
        snprintf(buffer, size, "run %zu/%zu %3.0f%% ", now->run + 1, now->runs,
                 100 * now->fraction);
}

/* What goes before the bar: "race  12% run 3/8 epoch 4/50 ". */
static void put_head(char *buffer, size_t size, const cli_progress *state,
                     const imsat_progress *now)
{
    const char *name = stage_name(now);
    size_t used = 0;
    buffer[0] = '\0';
    if (state->lead)
        used += (size_t)snprintf(buffer, size, "%s: ", state->lead);
    if (name && used < size)
        used += (size_t)snprintf(buffer + used, size - used, "%s %3.0f%% ", name,
                                 100 * share_done(state, now));
    if ((!name || now->epochs) && used < size)
        run_head(buffer + used, size - used, now);
}

static void draw_progress(cli_progress *state, const imsat_progress *now, double time)
{
    char head[120], numbers[128] = "", gauge[LONGEST_BAR + 1], left[40], line[LONGEST_LINE];
    const char *name = stage_name(now);
    const double share = share_done(state, now);
    size_t columns = terminal_columns();
    if (columns > LONGEST_LINE - 1)
        columns = LONGEST_LINE - 1;

    put_head(head, sizeof head, state, now);
    time_left(left, sizeof left, time - state->stage_start, share - state->share_start, share);
    const size_t fixed = strlen(head) + 2 + strlen(left);
    size_t room = columns > fixed ? columns - fixed : 0;
    if (!name && state->epoch.epoch_done && room > SHORTEST_BAR)
        details(numbers, sizeof numbers, state, room - SHORTEST_BAR);
    room -= strlen(numbers);
    bar(gauge, room < LONGEST_BAR ? room : LONGEST_BAR, share);
    snprintf(line, sizeof line, "%s%s%s%s%s", head, gauge, numbers, *left ? "  " : "", left);
    line[columns] = '\0'; /* a terminal too narrow for even the head */
    draw(state, line);
    state->drawn = time;
}

/* ---- lines elsewhere ------------------------------------------------------------ */

/* The stage or run that `last` belonged to is over. */
static void say_end(const cli_progress *state, double time)
{
    const imsat_progress *last = &state->last;
    if (state->quiet || state->terminal || state->lead || strcmp(last->stage, "prepare") == 0)
        return; /* preparing takes seconds of large data only: no line of its own */
    if (!in_run(last))
        fprintf(stderr, "%s: %.1f s\n", stage_name(last), time - state->stage_start);
    else if (!last->epochs)
        fprintf(stderr, "run %zu/%zu: %.1f s\n", last->run + 1, last->runs,
                time - state->run_start);
    else
        fprintf(stderr, "run %zu/%zu: %zu epochs, objective %.4f, %.1f s\n", last->run + 1,
                last->runs, state->epoch.epoch, state->epoch.objective,
                time - state->run_start);
}

/* Where a work of many trainings stands, each minute. */
static void say_minute(cli_progress *state, const imsat_progress *now, double time)
{
    enum { EVERY = 60 };
    char head[160], left[40];
    if (!state->lead || state->quiet || state->terminal || time - state->told < EVERY)
        return;
    const double share = share_done(state, now);
    put_head(head, sizeof head, state, now);
    time_left(left, sizeof left, time - state->stage_start, share - state->share_start, share);
    fprintf(stderr, "%s%s\n", head, left);
    state->told = time;
}

/* ---- the callback ---------------------------------------------------------------- */

static void change_stage(cli_progress *state, const imsat_progress *now, double time)
{
    const int new_stage = !state->seen || !same_stage(&state->last, now);
    const int new_run = new_stage || (in_run(now) && state->last.run != now->run);
    if (state->seen && new_run)
        say_end(state, time);
    if (new_stage) {
        state->stage_start = time;
        state->share_start = share_done(state, now);
        state->drawn = 0; /* so that a stage that ends at once is seen, too */
    }
    if (new_run) {
        state->run_start = time;
        state->epoch = (imsat_progress){0};
    }
    state->seen = 1;
}

static int on_progress(void *user, const imsat_progress *now)
{
    cli_progress *state = user;
    const double time = cli_seconds();
    change_stage(state, now, time);
    if (now->epoch_done) {
        state->epoch = *now;
        memcpy(state->terms, now->term, sizeof state->terms);
        if (state->log)
            log_epoch(state, now);
    }
    if (state->terminal && time - state->drawn > 0.1)
        draw_progress(state, now, time);
    say_minute(state, now, time);
    state->last = *now;
    return cli_signal_caught() != 0;
}

void cli_progress_start(cli_progress *state, imsat_options *options, int quiet)
{
    const char *term = getenv("TERM");
    memset(state, 0, sizeof *state);
    state->quiet = quiet;
    state->task = options->task;
    state->method = options->method;
    state->race = options->race;
    state->terminal = !quiet && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    options->progress = on_progress;
    options->progress_user = state;
}

int cli_progress_trained(const cli_progress *state)
{
    return state->seen && (in_run(&state->last) || state->last.epochs);
}

void cli_progress_finish(cli_progress *state, int whole)
{
    if (!state->seen)
        return;
    if (state->terminal)
        draw(state, "");
    else if (whole)
        say_end(state, cli_seconds());
}
