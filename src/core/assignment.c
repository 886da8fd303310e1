/* SPDX-License-Identifier: MIT
 *
 * The Hungarian algorithm, as shortest augmenting paths with potentials (Jonker and
 * Volgenant, 1987). Agents are the smaller side, jobs the larger one.
 *
 *     u_i + v_j <= c_ij for all pairs,   u_i + v_j = c_ij for matched ones
 *
 * holds throughout, so the matching of the agents so far is always the cheapest. Each new
 * agent is matched along the shortest alternating path by reduced cost c_ij - u_i - v_j,
 * found by Dijkstra's algorithm on a dense matrix. Ties go to the lowest job.
 */
#include "core/assignment.h"

#include "core/alloc.h"

#include <math.h>

static const size_t NONE = SIZE_MAX;

typedef struct solver {
    const double *cost;
    size_t agents, jobs;
    size_t agent_step, job_step; /* of cost: one of them is 1 */
    double *u, *v;               /* potentials: (agents), (jobs) */
    double *distance;            /* (jobs) from the new agent */
    size_t *agent_of_job;        /* (jobs) or NONE */
    size_t *previous;            /* (jobs) the job before on the path, NONE: the new agent */
    bool *reached;               /* (jobs) the distance is final */
} solver;

/* One list: measures with base NULL, then lays out. */
static size_t layout(solver *s, void *base)
{
    im_carver c = {base, 0};
    s->u = im_carve(&c, s->agents, sizeof *s->u);
    s->v = im_carve(&c, s->jobs, sizeof *s->v);
    s->distance = im_carve(&c, s->jobs, sizeof *s->distance);
    s->agent_of_job = im_carve(&c, s->jobs, sizeof *s->agent_of_job);
    s->previous = im_carve(&c, s->jobs, sizeof *s->previous);
    s->reached = im_carve(&c, s->jobs, sizeof *s->reached);
    return c.used;
}

/* Shorten distances through `agent`, which is `base` away and was reached through job `via`;
 * return the nearest job not reached yet. */
static size_t relax(solver *s, size_t agent, double base, size_t via)
{
    size_t nearest = NONE;
    const double *cost = s->cost + agent * s->agent_step;
    for (size_t j = 0; j < s->jobs; j++) {
        if (s->reached[j])
            continue;
        const double through = base + (cost[j * s->job_step] - s->u[agent] - s->v[j]);
        if (through < s->distance[j]) {
            s->distance[j] = through;
            s->previous[j] = via;
        }
        if (nearest == NONE || s->distance[j] < s->distance[nearest])
            nearest = j;
    }
    return nearest;
}

/* The free job nearest to the new agent. */
static size_t shortest_path(solver *s, size_t agent)
{
    for (size_t j = 0; j < s->jobs; j++) {
        s->distance[j] = INFINITY;
        s->previous[j] = NONE;
        s->reached[j] = false;
    }
    size_t job = relax(s, agent, 0, NONE);
    while (s->agent_of_job[job] != NONE) {
        s->reached[job] = true;
        job = relax(s, s->agent_of_job[job], s->distance[job], job);
    }
    return job;
}

/* Match one more agent, and move the potentials so that the path's pairs become tight. */
static void add_agent(solver *s, size_t agent)
{
    size_t job = shortest_path(s, agent);
    const double length = s->distance[job];
    s->u[agent] += length;
    for (size_t j = 0; j < s->jobs; j++) {
        if (!s->reached[j])
            continue;
        s->u[s->agent_of_job[j]] += length - s->distance[j];
        s->v[j] -= length - s->distance[j];
    }
    for (; s->previous[job] != NONE; job = s->previous[job])
        s->agent_of_job[job] = s->agent_of_job[s->previous[job]];
    s->agent_of_job[job] = agent;
}

static imsat_status check_finite(const double *cost, size_t rows, size_t cols,
                                 imsat_error *err)
{
    for (size_t i = 0; i < rows * cols; i++)
        if (!isfinite(cost[i]))
            return im_fail(err, IMSAT_EINVAL,
                           "assignment: the cost of row %zu, column %zu is %g", i / cols,
                           i % cols, cost[i]);
    return IMSAT_OK;
}

imsat_status im_assignment_solve(size_t *column_of_row, const double *cost, size_t rows,
                                 size_t cols, imsat_error *err)
{
    const bool wide = rows <= cols;
    solver s = {.cost = cost,
                .agents = wide ? rows : cols,
                .jobs = wide ? cols : rows,
                .agent_step = wide ? cols : 1,
                .job_step = wide ? 1 : cols};
    const imsat_status st = check_finite(cost, rows, cols, err);
    if (st != IMSAT_OK)
        return st;
    void *block = im_alloc(layout(&s, NULL), 1);
    if (!block)
        return im_fail_memory(err, "the assignment");
    layout(&s, block);
    for (size_t j = 0; j < s.jobs; j++)
        s.agent_of_job[j] = NONE;
    for (size_t i = 0; i < s.agents; i++)
        add_agent(&s, i);

    for (size_t i = 0; i < rows; i++)
        column_of_row[i] = wide ? IM_UNASSIGNED : s.agent_of_job[i]; /* NONE if left over */
    for (size_t j = 0; wide && j < s.jobs; j++)
        if (s.agent_of_job[j] != NONE)
            column_of_row[s.agent_of_job[j]] = j;
    im_free(block);
    return IMSAT_OK;
}
