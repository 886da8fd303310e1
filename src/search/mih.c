/* SPDX-License-Identifier: MIT
 *
 * Multi-index hashing; see mih.h. For each query:
 *
 *     for r = 0, 1, 2, ...
 *         for each table t
 *             look into the buckets whose sub-code has r bits flipped
 *             stop if the bound of the query is at most m r + t
 *
 * Before, if that is cheaper, the codes at the distances 0, 1, ... are looked for one by one,
 * in the table of the hashes of whole codes: one look for the query itself, one for each of
 * its bits, one for each pair of bits. Learned codes crowd in a few places, where a bucket has
 * thousands of codes, but the nearest of them are the query itself and its neighbors.
 *
 * Nearly all the time goes into waiting for memory: a bucket, its entries and each of their
 * codes are at unrelated places. So it is done for a batch of buckets at once, and what the
 * next stage reads is fetched by the stage before: sub-codes, buckets, entries, codes.
 *
 * A code may be met in several tables. Whether it was met before needs no record: it was, if
 * one of its sub-codes is near enough for an earlier (r, t). This is computed for the few
 * codes within the bound only. (An array of marks takes a read at yet another place for every
 * candidate, and 4 bytes a code for each thread.)
 *
 * The estimated time of all steps is added up. When the next step would take it above a share
 * of what a scan costs (search->patience), the query is given up and left to the scan. */
#include "search/mih.h"

#include "core/alloc.h"
#include "search/scan.h"

#include <assert.h>

enum {
    TASK = 8,      /* queries */
    KEYS = 64,     /* sub-codes of a batch */
    FLIPS = 3,     /* most bits that are flipped in whole codes; see `flipped` */
    POSITION = 10, /* bits that the number of a bit takes */
    BATCH = 512,   /* candidates of a batch */
};

/* Nanoseconds that a bucket and a candidate take, measured with 10^7 codes of 64 bits. */
#define BUCKET_COST    8.0
#define CANDIDATE_COST 16.0

typedef struct subcode {
    const uint32_t *start, *entry; /* see index.h */
    size_t from, width;
    double mean; /* codes of a bucket */
} subcode;

/* What a thread works with. */
typedef struct seeker {
    im_nearest nearest;
    uint32_t sub[IMSAT_MAX_BITS]; /* sub-codes of the query */
    const uint64_t *query;
    size_t r, t;          /* the step */
    double spent, budget; /* of a query, in nanoseconds */
    size_t ball;          /* all codes nearer than this are found already */
    uint32_t key[KEYS];
    uint32_t flipped[KEYS]; /* of whole codes: the numbers of the bits, POSITION bits each */
    uint32_t candidate[BATCH];
    uint16_t origin[BATCH]; /* the key that a candidate comes from */
    size_t keys, candidates;
    imsat_status st;
} seeker;

typedef struct mih {
    const im_search *search;
    const uint32_t *which;
    size_t count, tables;
    double budget;                     /* of a query, in nanoseconds */
    uint32_t bit_hash[IMSAT_MAX_BITS]; /* of bits of the words */
    uint16_t position[IMSAT_MAX_BITS]; /* of bits of the code, in the words */
    subcode *table;     /* (tables + 1) owned; the last is that of whole codes */
    seeker *per_thread; /* (threads) owned */
    im_found *found;
} mih;

static uint32_t sub_distance(const mih *m, const seeker *s, const uint64_t *code, size_t t)
{
    const subcode *table = &m->table[t];
    const uint32_t sub = im_index_subcode(code, table->from, table->width);
    return (uint32_t)__builtin_popcount(sub ^ s->sub[t]);
}

/* Was the code met in an earlier step? */
static bool met_before(const mih *m, const seeker *s, const uint64_t *code)
{
    for (size_t t = 0; t < m->tables; t++)
        if (t != s->t && sub_distance(m, s, code, t) + (t > s->t) <= s->r)
            return true;
    return false;
}

/* Whether a code that differs from the query in `ball` bits differs in exactly those that were
 * flipped. If it does not, then other bits have the same hash, and the code will be met again
 * when those are flipped. */
static bool is_flipped(const seeker *s, const uint64_t *code, uint32_t flipped)
{
    for (size_t i = 0; i < s->ball; i++, flipped >>= POSITION) {
        const size_t at = flipped & ((1U << POSITION) - 1);
        if (!((code[at / 64] ^ s->query[at / 64]) >> at % 64 & 1))
            return false;
    }
    return true;
}

static bool is_new(const mih *m, const seeker *s, size_t i, uint16_t distance)
{
    const uint64_t *code = m->search->index->codes + s->candidate[i] * m->search->index->words;
    if (s->t == m->tables)
        return distance == s->ball && is_flipped(s, code, s->flipped[s->origin[i]]);
    return distance >= s->ball && !met_before(m, s, code);
}

static void check_candidates(const mih *m, seeker *s)
{
    const imsat_index *index = m->search->index;
    uint16_t distance[BATCH];
    m->search->kernel->listed(distance, s->query, index->codes, s->candidate, s->candidates,
                              index->words);
    for (size_t i = 0; i < s->candidates; i++)
        if (distance[i] <= s->nearest.bound && is_new(m, s, i, distance[i]))
            im_nearest_add(&s->nearest, s->candidate[i], distance[i]);
    s->candidates = 0;
}

/* All entries of the buckets that are noted; false when the budget does not allow it. */
static bool look_into_buckets(const mih *m, seeker *s)
{
    const imsat_index *index = m->search->index;
    const subcode *table = &m->table[s->t];
    size_t total = 0;
    for (size_t i = 0; i < s->keys; i++) {
        const uint32_t *start = table->start + s->key[i];
        total += start[1] - start[0];
        __builtin_prefetch(table->entry + start[0]);
    }
    s->spent += BUCKET_COST * (double)s->keys + CANDIDATE_COST * (double)total;
    if (s->spent > s->budget)
        return false;
    for (size_t i = 0; i < s->keys; i++)
        for (uint32_t e = table->start[s->key[i]]; e < table->start[s->key[i] + 1]; e++) {
            const uint32_t code = table->entry[e];
            __builtin_prefetch(index->codes + code * index->words);
            s->origin[s->candidates] = (uint16_t)i;
            s->candidate[s->candidates++] = code;
            if (s->candidates == BATCH)
                check_candidates(m, s);
        }
    check_candidates(m, s);
    s->keys = 0;
    return true;
}

/* Note a bucket. It is looked into when the batch is full or the step ends. */
static bool note_key(const mih *m, seeker *s, uint32_t key, uint32_t flipped)
{
    __builtin_prefetch(m->table[s->t].start + key);
    s->key[s->keys] = key;
    s->flipped[s->keys++] = flipped;
    return s->keys < KEYS || look_into_buckets(m, s);
}

/* binomial(n, r) */
static double choices(size_t n, size_t r)
{
    double product = 1;
    for (size_t i = 0; i < r; i++)
        product = product * (double)(n - i) / (double)(i + 1);
    return product;
}

/* ---- whole codes ------------------------------------------------------------- */

/* All ways to flip `left` more bits, the next one from bit `from` on. */
static bool flip(const mih *m, seeker *s, size_t from, size_t left, uint32_t key,
                 uint32_t flipped)
{
    if (!left)
        return note_key(m, s, key, flipped);
    for (size_t i = from; i + left <= m->search->index->bits; i++)
        if (!flip(m, s, i + 1, left - 1, key ^ m->bit_hash[m->position[i]],
                  flipped << POSITION | m->position[i]))
            return false;
    return true;
}

/* What it takes, at least, to find all codes within a distance by sub-codes. The buckets of
 * the sub-codes themselves are counted, others are taken to be of mean size. */
static double subcode_cost(const mih *m, const seeker *s, size_t distance)
{
    double cost = 0;
    for (size_t i = 0; i <= distance; i++) {
        const size_t r = i / m->tables, t = i % m->tables;
        const subcode *table = &m->table[t];
        const uint32_t *start = table->start + s->sub[t];
        const double size = r ? table->mean : (double)(start[1] - start[0]);
        cost += choices(table->width, r) * (BUCKET_COST + CANDIDATE_COST * size);
    }
    return cost;
}

/* Look for whole codes at the distances 0, 1, ... as long as that is cheaper than by
 * sub-codes. False when the budget does not allow it; *done is set when nothing is left to be
 * found. */
static bool seek_whole(const mih *m, seeker *s, bool *done)
{
    const size_t bits = m->search->index->bits;
    const uint32_t hash = im_index_hash(m->bit_hash, s->query, m->search->index->words);
    *done = false;
    s->t = m->tables;
    for (s->ball = 0; s->ball <= FLIPS && s->ball <= bits; s->ball++) {
        const double ahead = choices(bits, s->ball) * (BUCKET_COST + CANDIDATE_COST);
        if (ahead > subcode_cost(m, s, s->ball))
            return true;
        if (s->spent + ahead > s->budget)
            return false;
        s->keys = 0;
        if (!flip(m, s, 0, s->ball, hash, 0) || !look_into_buckets(m, s))
            return false;
        if (s->nearest.bound <= s->ball) {
            *done = true;
            return true;
        }
    }
    return true;
}

/* ---- sub-codes --------------------------------------------------------------- */

/* The distance up to which all codes are found when the step is over. */
static size_t reach(const mih *m, const seeker *s)
{
    return m->tables * s->r + s->t;
}

/* The step (r, t): all sub-codes with r bits flipped, in ascending order of the flips. False
 * when the budget does not allow it. */
static bool step(const mih *m, seeker *s)
{
    const subcode *table = &m->table[s->t];
    const uint64_t end = (uint64_t)1 << table->width;
    uint64_t flips = ((uint64_t)1 << s->r) - 1;
    if (s->spent + choices(table->width, s->r) * (BUCKET_COST + CANDIDATE_COST * table->mean) >
        s->budget)
        return false;
    s->keys = 0;
    while (flips < end && s->nearest.bound >= reach(m, s)) {
        if (!note_key(m, s, s->sub[s->t] ^ (uint32_t)flips, 0))
            return false;
        if (!flips)
            break;
        const uint64_t low = flips & (0 - flips), carried = flips + low; /* the next number */
        flips = carried | (flips ^ carried) / low >> 2; /* with as many bits */
    }
    return look_into_buckets(m, s);
}

/* Answer one query. False when it would take too long: then it is left to the scan. */
static bool answer(const mih *m, seeker *s, const uint64_t *query)
{
    bool done;
    assert(m->tables > 0);
    s->query = query;
    s->spent = 0;
    im_nearest_begin(&s->nearest, m->search->radius);
    for (size_t t = 0; t < m->tables; t++)
        s->sub[t] = im_index_subcode(query, m->table[t].from, m->table[t].width);
    if (!seek_whole(m, s, &done))
        return false;
    for (s->r = 0; !done; s->r++)
        for (s->t = 0; s->t < m->tables && !done; s->t++) {
            if (!step(m, s))
                return false;
            done = s->nearest.bound <= reach(m, s);
        }
    return true;
}

static void run_task(void *context, size_t task, int thread)
{
    mih *m = context;
    seeker *s = &m->per_thread[thread];
    for (size_t i = task * TASK; i < (task + 1) * TASK && i < m->count; i++) {
        const size_t q = m->which[i];
        if (answer(m, s, m->search->queries + q * m->search->index->words) &&
            im_nearest_end(&m->found[q], &s->nearest, NULL) != IMSAT_OK)
            s->st = IMSAT_ENOMEM;
    }
}

static subcode table_of(const imsat_index *index, size_t t)
{
    const size_t n = index->distinct;
    subcode table = {index->slot, index->slot_entry, 0, im_index_hash_width(index), 0};
    if (t < index->tables)
        table = (subcode){index->buckets + im_index_bucket(index, t), index->entry + t * n,
                          im_index_from(index, t), im_index_width(index, t), 0};
    table.mean = (double)n / (double)((uint64_t)1 << table.width);
    return table;
}

static imsat_status mih_new(mih *m, imsat_error *err)
{
    const imsat_index *index = m->search->index;
    const size_t threads = (size_t)im_pool_threads(m->search->pool);
    m->table = im_alloc(m->tables + 1, sizeof *m->table);
    m->per_thread = im_alloc(threads, sizeof *m->per_thread);
    if (!m->table || !m->per_thread)
        return im_fail_memory(err, "the search in tables");
    for (size_t t = 0; t <= m->tables; t++)
        m->table[t] = table_of(index, t);
    im_index_bit_hashes(m->bit_hash, index);
    for (size_t i = 0; i < index->bits; i++)
        m->position[i] = (uint16_t)im_words_position(i);
    for (size_t i = 0; i < threads; i++) {
        m->per_thread[i].budget = m->search->patience * im_scan_cost(m->search, m->count);
        if (im_nearest_new(&m->per_thread[i].nearest, index, m->search->count, err) !=
            IMSAT_OK)
            return IMSAT_ENOMEM;
    }
    return IMSAT_OK;
}

static void mih_clear(mih *m)
{
    const size_t threads = (size_t)im_pool_threads(m->search->pool);
    for (size_t i = 0; m->per_thread && i < threads; i++)
        im_nearest_clear(&m->per_thread[i].nearest);
    im_free(m->table);
    im_free(m->per_thread);
}

imsat_status im_mih(im_found *found, const im_search *search, uint32_t *which, size_t count,
                    size_t *left, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(search->pool);
    mih m = {.search = search,
             .which = which,
             .count = count,
             .tables = search->index->tables,
             .found = found};
    size_t n = 0;
    IM_TRY(mih_new(&m, err));
    im_pool_run(search->pool, run_task, &m, (count + TASK - 1) / TASK);
    for (size_t i = 0; i < threads; i++)
        if (m.per_thread[i].st != IMSAT_OK) {
            im_alloc_refuse(m.per_thread[i].nearest.refused);
            st = im_fail_memory(err, "the codes that are found");
            goto cleanup;
        }
    for (size_t i = 0; i < count; i++)
        if (!found[which[i]].done)
            which[n++] = which[i];
    *left = n;

cleanup:
    mih_clear(&m);
    return st;
}
