/*
 * What came back last is lent first (POOL_F_LIFO), by every way of lending. healthcheck/test_lifo_pass.c has passes.
 */
#include "check.h"

enum { MANY = 10000 }; /* more than a page of the registry has: each has its record, wherever it lies */

static int made;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = (void *)(uintptr_t)++made;
    return true;
}

static pool_t *new_pool(uint32_t flags, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_LIFO | flags;
    config.factory = make;
    config.max_size = max;
    made = 0;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static uintptr_t take(pool_t *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    return (uintptr_t)r;
}

static void give(pool_t *pool, uintptr_t id) { CHECK_STATUS(pool_release(pool, (void *)id), POOL_OK); }

/* Makes n resources idle: 1, 2, 3, ... in this order. */
static void stock(pool_t *pool, int n)
{
    for (int i = 1; i <= n; i++)
        CHECK_INT(take(pool), i);
    for (int i = 1; i <= n; i++)
        give(pool, (uintptr_t)i);
}

static void end(pool_t *pool)
{
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(p42_what_came_back_last_is_lent_first_by_every_way)
{
    pool_t *pool = new_pool(0, 5);
    void *r;
    stock(pool, 5);
    CHECK_STATUS(pool_try_acquire(pool, &r), POOL_OK);
    CHECK_INT((uintptr_t)r, 5);
    CHECK_INT((uintptr_t)pool_take(pool), 4);
    CHECK_STATUS(pool_acquire(pool, &r, 1000), POOL_OK);
    CHECK_INT((uintptr_t)r, 3);
    give(pool, 5);
    CHECK_INT(take(pool), 5);
    give(pool, 4);
    give(pool, 3);
    give(pool, 5);
    for (int i = 0; i < 5; i++)
        CHECK_INT(take(pool), ((int[]){5, 3, 4, 2, 1})[i]);
    for (uintptr_t id = 1; id <= 5; id++)
        give(pool, id);
    end(pool);
}

TEST(p42_who_is_alone_uses_one_of_many_and_does_not_enter_go)
{
    pool_t *pool = new_pool(0, 8);
    stock(pool, 8);
    uint64_t before = pool_debug_crossings();
    for (int round = 0; round < 100; round++) {
        void *r;
        CHECK_STATUS(pool_acquire(pool, &r, round % 2 ? 1000 : 0), POOL_OK);
        CHECK_INT((uintptr_t)r, 8);
        give(pool, 8);
    }
    CHECK_INT(pool_debug_crossings() - before, 0);
    end(pool);
}

TEST(p42_equal_words_come_and_go)
{
    pool_t *pool = new_pool(0, 4);
    for (int i = 0; i < 4; i++, made = 0) /* the factory makes 1 each time */
        CHECK_INT(take(pool), 1);
    for (int i = 0; i < 4; i++)
        give(pool, 1);
    for (int i = 0; i < 4; i++)
        CHECK_INT(take(pool), 1);
    CHECK_STATUS(pool_try_acquire(pool, &(void *){NULL}), POOL_EMPTY);
    for (int i = 0; i < 4; i++)
        give(pool, 1);
    CHECK_STATUS(pool_release(pool, (void *)1), POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, 4, 0, 0);
    end(pool);
}

/* A host that drives its ops has the same order. */
TEST(p42_a_host_that_hands_on_finds_the_last_one_first)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_LIFO | POOL_F_HOST_DRIVEN;
    config.max_size = 2;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_op_t ops[3];
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = true;
    for (uintptr_t id = 1; id <= 2; id++) {
        CHECK_STATUS(pool_op_acquire(pool, &ops[0], 0), POOL_OK);
        CHECK_INT(pool_op_next(&ops[0], NULL, &ask), POOL_ASK_CREATE);
        answer.resource = (void *)id;
        CHECK_INT(pool_op_next(&ops[0], &answer, &ask), POOL_ASK_DONE);
    }
    CHECK(pool_op_join(pool, &ops[0], 0) && pool_op_join(pool, &ops[1], 0));
    CHECK_PTR(pool_hand_on(pool, (void *)1), &ops[0]);
    CHECK_PTR(pool_hand_on(pool, (void *)2), &ops[1]);
    CHECK_STATUS(pool_op_cancel(&ops[0]), POOL_OK); /* what was kept for it is idle */
    CHECK_INT((uintptr_t)pool_op_take(&ops[1]), 2);
    give(pool, 2);
    CHECK_INT((uintptr_t)pool_take(pool), 2);
    CHECK_INT((uintptr_t)pool_take(pool), 1);
    give(pool, 2);
    give(pool, 1);
    end(pool);
}

TEST(p42_many_come_in_the_opposite_order_and_their_memory_comes_and_goes)
{
    pool_t *pool = new_pool(0, MANY);
    stock(pool, MANY);
    for (uintptr_t id = MANY; id > 0; id--)
        CHECK_INT(take(pool), id);
    for (uintptr_t id = MANY; id > 0; id--)
        give(pool, id);
    CHECK_INT(take(pool), 1);
    CHECK_INT(take(pool), 2);
    CHECK_STATUS(pool_close(pool), POOL_OK); /* the others go, from the oldest on */
    give(pool, 2);
    give(pool, 1);
    CHECK_COUNTS(pool, 0, 0, 0);
    end(pool);
}
