/* SPDX-License-Identifier: MIT
 * Pools that are kept: a call gets one of its own, the threads stay, and clearing ends them.
 * tsan: all. */
#define _GNU_SOURCE
#include "core/pool_cache.h"

#include "process.h"
#include "support.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static im_pool *take(im_pool_cache *cache, int threads)
{
    imsat_error err;
    im_pool *pool = NULL;
    assert_ok(im_pool_cache_take(cache, &pool, threads, &err), &err);
    return pool;
}

static void add(void *context, size_t task, int thread)
{
    (void)thread;
    atomic_fetch_add((atomic_int *)context, (int)task);
}

static void a_pool_is_kept_with_its_threads(void **state)
{
    (void)state;
    im_pool_cache cache = {.cores = 0};
    atomic_int sum = 0;
    const int before = process_threads();
    im_pool *first = take(&cache, 3);
    im_pool_run(first, add, &sum, 10);
    im_pool_cache_put(&cache, first);
    assert_threads(before + 2);
    im_pool *again = take(&cache, 3);
    assert_ptr_equal(again, first);
    im_pool_run(again, add, &sum, 10);
    assert_threads(before + 2);
    im_pool_cache_put(&cache, again);
    im_pool_cache_clear(&cache);
    assert_threads(before);
    assert_int_equal(atomic_load(&sum), 90);
}

static void the_number_of_threads_is_the_one_asked_for(void **state)
{
    (void)state;
    im_pool_cache cache = {.cores = 0};
    im_pool *all = NULL;
    for (int threads = 1; threads <= 2 * IM_POOL_CACHE_KEPT; threads++) {
        im_pool *pool = take(&cache, threads);
        assert_int_equal(im_pool_threads(pool), threads);
        im_pool_cache_put(&cache, pool);
    }
    im_pool *last = take(&cache, 2 * IM_POOL_CACHE_KEPT); /* the newest are kept */
    im_pool_cache_put(&cache, last);
    assert_ptr_equal(take(&cache, 2 * IM_POOL_CACHE_KEPT), last);
    im_pool_cache_put(&cache, last);
    all = take(&cache, 0);
    assert_true(im_pool_threads(all) >= 1);
    im_pool_cache_put(&cache, all);
    im_pool_cache_clear(&cache);
}

static void calls_at_once_have_pools_of_their_own(void **state)
{
    (void)state;
    enum { CALLS = IM_POOL_CACHE_KEPT + 2 };
    im_pool_cache cache = {.cores = 0};
    im_pool *out[CALLS];
    for (int i = 0; i < CALLS; i++) {
        out[i] = take(&cache, 2);
        for (int j = 0; j < i; j++)
            assert_ptr_not_equal(out[i], out[j]);
    }
    for (int i = 0; i < CALLS; i++)
        im_pool_cache_put(&cache, out[i]); /* the two too many end */
    im_pool_cache_clear(&cache);
}

static void a_refusal_leaves_the_cache_as_it_was(void **state)
{
    (void)state;
    imsat_error err;
    im_pool_cache cache = {.cores = 0};
    im_pool *pool = NULL;
    assert_refused(im_pool_cache_take(&cache, &pool, -3, &err), &err, IMSAT_EINVAL,
                   "threads is -3");
    assert_null(pool);
    im_pool_cache_put(&cache, NULL);
    im_pool_cache_clear(&cache);
}

typedef struct caller {
    im_pool_cache *cache;
    int wrong;
} caller;

static void *call_often(void *context)
{
    caller *c = context;
    for (int i = 0; i < 300; i++) {
        im_pool *pool = NULL;
        atomic_int sum = 0;
        if (im_pool_cache_take(c->cache, &pool, 2 + i % 2, NULL) != IMSAT_OK)
            return NULL;
        im_pool_run(pool, add, &sum, (size_t)(i % 5));
        const int n = i % 5;
        c->wrong += atomic_load(&sum) != n * (n - 1) / 2;
        im_pool_cache_put(c->cache, pool);
    }
    return NULL;
}

static void threads_may_share_a_cache(void **state)
{
    (void)state;
    enum { CALLERS = 6 };
    im_pool_cache cache = {.cores = 0};
    pthread_t thread[CALLERS];
    caller c[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        c[i] = (caller){&cache, 0};
        assert_int_equal(pthread_create(&thread[i], NULL, call_often, &c[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(thread[i], NULL);
        assert_int_equal(c[i].wrong, 0);
    }
    im_pool_cache_clear(&cache);
}

/* The child finds a pool whose threads are not there, and makes another. */
static void a_child_makes_pools_of_its_own(void **state)
{
    (void)state;
    if (!can_fork())
        skip();
    im_pool_cache cache = {.cores = 0};
    atomic_int sum = 0;
    im_pool *pool = take(&cache, 3);
    im_pool_run(pool, add, &sum, 10);
    im_pool_cache_put(&cache, pool);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        const int alone = process_threads();
        pool = take(&cache, 3);
        im_pool_run(pool, add, &sum, 10);
        im_pool_cache_put(&cache, pool);
        const int during = process_threads();
        im_pool_cache_clear(&cache);
        _exit(atomic_load(&sum) == 90 && alone == 1 && during == 3 ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    im_pool_cache_clear(&cache);
}

/* ThreadSanitizer starts a thread of its own with the first one of ours. */
static int start_a_thread(void **state)
{
    (void)state;
    atomic_int sum = 0;
    im_pool *pool = NULL;
    if (im_pool_new(&pool, 2, NULL) != IMSAT_OK)
        return -1;
    im_pool_run(pool, add, &sum, 2);
    im_pool_free(pool);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_is_kept_with_its_threads),
        cmocka_unit_test(the_number_of_threads_is_the_one_asked_for),
        cmocka_unit_test(calls_at_once_have_pools_of_their_own),
        cmocka_unit_test(a_refusal_leaves_the_cache_as_it_was),
        cmocka_unit_test(threads_may_share_a_cache),
        cmocka_unit_test(a_child_makes_pools_of_its_own),
    };
    return cmocka_run_group_tests_name("pool_cache", tests, start_a_thread, NULL);
}
