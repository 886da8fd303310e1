/* SPDX-License-Identifier: MIT
 * Elements that come one by one. */
#include "core/pile.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

/* Elements of 12 bytes: pieces of 64 KiB, 128 KiB, ... do not hold a whole number of them. */
typedef struct element {
    uint32_t number, twice, thrice;
} element;

static imsat_status add(im_pile *pile, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        element *e = im_pile_next(pile);
        if (!e)
            return IMSAT_ENOMEM;
        const uint32_t n = (uint32_t)pile->count;
        *e = (element){n, 2 * n, 3 * n};
    }
    return IMSAT_OK;
}

static void assert_joined(size_t count)
{
    im_pile pile = {.size = sizeof(element)};
    assert_int_equal(add(&pile, count), IMSAT_OK);
    assert_int_equal(pile.count, count);
    element *all = im_pile_join(&pile);
    assert_non_null(all);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].number != i + 1 || all[i].thrice != 3 * (i + 1))
            fail_msg("element %u of %zu is %u", i, count, all[i].number);
    assert_int_equal(pile.count, 0);
    assert_int_equal(pile.piece_count, 0);
    assert_int_equal(add(&pile, 1), IMSAT_OK); /* it can be used again */
    im_pile_clear(&pile);
    im_free(all);
}

static void elements_keep_their_order(void **state)
{
    (void)state;
    const size_t first = (1 << 16) / sizeof(element), second = (1 << 17) / sizeof(element);
    assert_joined(0);
    assert_joined(1);
    assert_joined(first);
    assert_joined(first + 1);
    assert_joined(first + second);
    assert_joined(1000003);
}

/* Also where the element taken back was the first of its piece. */
static void the_last_element_is_taken_back(void **state)
{
    (void)state;
    const size_t first = (1 << 16) / sizeof(element);
    for (size_t count = first - 1; count <= first + 1; count++) {
        im_pile pile = {.size = sizeof(element)};
        assert_int_equal(add(&pile, count), IMSAT_OK);
        im_pile_undo(&pile);
        assert_int_equal(pile.count, count - 1);
        assert_int_equal(add(&pile, 2), IMSAT_OK);
        element *all = im_pile_join(&pile);
        assert_non_null(all);
        for (uint32_t i = 0; i < count + 1; i++)
            assert_int_equal(all[i].number, i + 1);
        im_free(all);
    }
}

/* An element that is larger than any piece has one for itself. */
static void elements_may_be_large(void **state)
{
    (void)state;
    enum { HUGE = (1 << 26) + 1, N = 3 };
    im_pile pile = {.size = HUGE};
    for (size_t i = 0; i < N; i++) {
        unsigned char *e = im_pile_next(&pile);
        assert_non_null(e);
        e[0] = e[HUGE - 1] = (unsigned char)(i + 1);
    }
    assert_int_equal(pile.piece_count, N);
    unsigned char *all = im_pile_join(&pile);
    assert_non_null(all);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(all[i * HUGE] + all[(i + 1) * HUGE - 1], 2 * (i + 1));
    im_free(all);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    im_pile pile = {.size = sizeof(element)};
    imsat_status st = add(&pile, *(size_t *)context);
    void *all = st == IMSAT_OK ? im_pile_join(&pile) : NULL;
    if (st == IMSAT_OK && !all) { /* as it was */
        assert_int_equal(pile.count, *(size_t *)context);
        st = IMSAT_ENOMEM;
    }
    im_pile_clear(&pile);
    im_free(all);
    strcpy(err->message, "no memory");
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    size_t count = 10000;
    assert_int_equal(fail_each(attempt, &count), 5); /* two pieces, their list, the array */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_keep_their_order),
        cmocka_unit_test(the_last_element_is_taken_back),
        cmocka_unit_test(elements_may_be_large),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
