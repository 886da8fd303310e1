/* SPDX-License-Identifier: MIT
 *
 * How fast we are, as a share of what this machine can do and beside the peers on the same
 * work in the same run.
 *
 *     imsat_bench [--json] [--no-peers] [--account] [--full] [--threads N] [NAME...]
 *
 * NAME: gemm, step, radius, kmeans, predict, sparse, search, append, quality; all of them if
 * none is given, but for quality, whose trainings take minutes: that with --full alone. With
 * --codes CODES.npy --queries QUERIES.npy, 64-bit codes of yours are searched, too. --account
 * says where the time of steps and predictions goes.
 */
#include "account.h"
#include "bench.h"

#include "core/alloc.h"
#include "core/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 64 };

bench_row *bench_add(bench *b, const char *name, double ours, double operations)
{
    bench_row *row = &b->rows[b->count < MOST_ROWS ? b->count++ : MOST_ROWS - 1];
    *row = (bench_row){.ours = ours, .operations = operations};
    snprintf(row->name, sizeof row->name, "%s", name);
    fprintf(stderr, "%s: %.4g ms\n", name, 1e3 * ours);
    return row;
}

void bench_again(bench_row *row, double ours)
{
    row->ours = ours < row->ours ? ours : row->ours;
}

void bench_beside(bench_row *row, const char *peer, double seconds)
{
    snprintf(row->peer_name, sizeof row->peer_name, "%s", peer);
    row->peer = row->peer > 0 && row->peer < seconds ? row->peer : seconds;
    fprintf(stderr, "  %s: %.4g ms\n", peer, 1e3 * seconds);
}

double bench_best(void (*run)(void *), void *context, int repeats)
{
    double best = 1e300;
    for (int i = 0; i < repeats; i++) {
        const double start = im_clock();
        run(context);
        const double seconds = im_clock() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

/* "SECONDS<tab>SETTING<tab>CAVEAT", or why there is no time. */
static void take_line(bench_row *row, char *line)
{
    char *setting;
    const double seconds = strtod(line, &setting);
    if (setting == line || *setting != '\t') {
        snprintf(row->note, sizeof row->note, "%s", line);
        return;
    }
    char *caveat = setting + 1 + strcspn(setting + 1, "\t");
    if (row->peer > 0 && row->peer < seconds)
        return;
    row->peer = seconds;
    snprintf(row->setting, sizeof row->setting, "%.*s", (int)(caveat - setting - 1),
             setting + 1);
    snprintf(row->note, sizeof row->note, "%s", *caveat ? caveat + 1 : "");
}

void bench_peer(const bench *b, bench_row *row, const char *peer, const char *script,
                const char *arguments)
{
    char command[768], line[512] = "";
    if (!b->peers)
        return;
    snprintf(row->peer_name, sizeof row->peer_name, "%s", peer);
    snprintf(command, sizeof command,
             "'%s/bench/peers/run' --settings '%s/peer_settings.json' %d %s %s", b->source,
             IMSAT_BUILD, b->threads, script, arguments);
    FILE *pipe = popen(command, "r");
    if (!pipe || !fgets(line, sizeof line, pipe))
        snprintf(line, sizeof line, "it could not be run");
    if (pipe)
        pclose(pipe);
    line[strcspn(line, "\n")] = 0;
    fprintf(stderr, "  %s: %s\n", peer, line);
    take_line(row, line);
}

static void print_peer(const bench_row *row)
{
    if (row->peer > 0 && row->note[0])
        printf(" %-13s %9.3f ms   none: %s", row->peer_name, 1e3 * row->peer, row->note);
    else if (row->peer > 0)
        printf(" %-13s %9.3f ms %6.2f", row->peer_name, 1e3 * row->peer,
               row->peer / row->ours);
    else if (row->note[0])
        printf(" %-13s skipped: %s", row->peer_name, row->note);
}

/* Of the settings that were tried, the one that each peer was fastest with. */
static void print_settings(const bench *b)
{
    const char *title = "\nThe peers' best settings:\n";
    for (size_t i = 0; i < b->count; i++) {
        const bench_row *row = &b->rows[i];
        if (!row->setting[0])
            continue;
        printf("%s  %s, %s: %s\n", title, row->name, row->peer_name, row->setting);
        title = "";
    }
}

static void print_table(const bench *b)
{
    printf("%-40s %12s %8s %-13s %12s %6s\n", "", "ours", "of peak", "peer", "its time",
           "ratio");
    for (size_t i = 0; i < b->count; i++) {
        const bench_row *row = &b->rows[i];
        printf("%-40s %9.3f ms", row->name, 1e3 * row->ours);
        if (row->operations > 0)
            printf(" %6.1f %%", 100 * row->operations / row->ours / b->peak);
        else
            printf(" %8s", "");
        print_peer(row);
        printf("\n");
    }
    print_settings(b);
    printf("\nThreads: %d. Measured peak: %.1f GFLOP/s. Ratio: times as fast as the peer.\n",
           b->threads, 1e-9 * b->peak);
    account_print_table(b);
}

static void print_json(const bench *b)
{
    printf("{\"threads\": %d, \"peak_gflops\": %.3f, \"rows\": [", b->threads, 1e-9 * b->peak);
    for (size_t i = 0; i < b->count; i++) {
        const bench_row *row = &b->rows[i];
        printf("%s\n {\"name\": \"%s\", \"seconds\": %.9g, \"share_of_peak\": %.4f",
               i ? "," : "", row->name, row->ours, row->operations / row->ours / b->peak);
        if (row->peer > 0)
            printf(", \"peer\": \"%s\", \"peer_seconds\": %.9g, \"peer_setting\": \"%s\"",
                   row->peer_name, row->peer, row->setting);
        if (row->peer > 0 && !row->note[0])
            printf(", \"ratio\": %.4f", row->peer / row->ours);
        printf("}");
    }
    printf("\n],\n ");
    account_print_json(b);
    printf("}\n");
}

typedef struct choice {
    const char *name;
    void (*run)(bench *);
    bool wanted;
} choice;

int main(int argc, char **argv)
{
    static bench_row rows[MOST_ROWS];
    choice all[] = {{"gemm", bench_gemm, false},       {"step", bench_step, false},
                    {"radius", bench_radius, false},   {"kmeans", bench_kmeans, false},
                    {"predict", bench_predict, false}, {"sparse", bench_sparse, false},
                    {"search", bench_search, false},   {"append", bench_append, false},
                    {"quality", bench_quality, false}};
    enum { CHOICES = sizeof all / sizeof *all };
    bench b = {.peers = true, .rows = rows, .source = IMSAT_SOURCE};
    bool json = false, any = false;
    for (int i = 1; i < argc; i++) {
        bool known = false;
        for (size_t c = 0; c < CHOICES; c++)
            if (strcmp(argv[i], all[c].name) == 0)
                known = any = all[c].wanted = true;
        if (strcmp(argv[i], "--json") == 0)
            known = json = true;
        else if (strcmp(argv[i], "--no-peers") == 0)
            b.peers = !(known = true);
        else if (strcmp(argv[i], "--account") == 0)
            known = b.account = true;
        else if (strcmp(argv[i], "--full") == 0)
            known = b.full = true;
        else if (strcmp(argv[i], "--codes") == 0 && i + 1 < argc)
            known = (b.codes = argv[++i]);
        else if (strcmp(argv[i], "--queries") == 0 && i + 1 < argc)
            known = (b.queries = argv[++i]);
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            known = (b.threads = atoi(argv[++i])) > 0;
        if (!known) {
            fprintf(stderr, "imsat_bench: %s is unknown\n", argv[i]);
            return 2;
        }
    }
    imsat_error err;
    if (im_pool_new(&b.pool, b.threads, &err) != IMSAT_OK) {
        fprintf(stderr, "imsat_bench: %s\n", err.message);
        return 1;
    }
    b.threads = im_pool_threads(b.pool);
    bench_peak(&b);
    for (size_t c = 0; c < CHOICES; c++)
        if (all[c].wanted || (!any && (b.full || all[c].run != bench_quality)))
            all[c].run(&b);
    bench_peak(&b);
    (json ? print_json : print_table)(&b);
    im_pool_free(b.pool);
    return 0;
}
