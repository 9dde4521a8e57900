/*
 * Words that a pool does not lend, given to every function that takes one back: the answer is NOT_OWNED, no hook
 * is called and nothing changes, here and in the pool that does lend it. Each case shows R37, P07.
 */
#include "check.h"

static int words[8];
static atomic_int hooks;
static void *next_word;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = next_word;
    return true;
}

static void end(pool_t *pool, void *resource) { (void)pool, (void)resource, hooks++; }

static bool keep(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    hooks++;
    return true;
}

static pool_t *new_pool(pool_before_release_fn before_release)
{
    pool_t *pool = pool_create_internal(make, end, NULL, NULL, before_release, 0, 4, 0);
    CHECK(pool != NULL);
    return pool;
}

static pool_t *new_driven_pool(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_HOST_DRIVEN;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void *lend(pool_t *pool, void *word)
{
    void *r;
    next_word = word;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_PTR(r, word);
    return r;
}

static void *lend_by_op(pool_t *pool, void *word)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = true;
    answer.resource = word;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    return ask.resource;
}

/* Every way to give a word back. */
static void not_owned(pool_t *pool, void *word)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_snapshot_t before = {.struct_size = sizeof before}, after = before;
    int called = hooks;
    CHECK_STATUS(pool_snapshot(pool, &before), POOL_OK);
    CHECK_STATUS(pool_release(pool, word), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_op_release(pool, &op, word), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_NOT_OWNED);
    CHECK_PTR(pool_hand_on(pool, word), NULL);
    CHECK_STATUS(pool_snapshot(pool, &after), POOL_OK);
    CHECK_INT(memcmp(&before, &after, sizeof after), 0);
    CHECK_INT(hooks, called);
}

static void end_pool(pool_t *pool, void *lent)
{
    if (lent)
        CHECK_STATUS(pool_release(pool, lent), POOL_OK);
    pool_unref(pool);
}

TEST(numbers_and_addresses_that_were_never_lent)
{
    pool_t *pools[] = {new_pool(NULL), new_pool(keep), new_driven_pool()};
    for (int i = 0; i < 3; i++) {
        for (int round = 0; round < 2; round++) { /* nothing was ever lent; and something is */
            not_owned(pools[i], NULL);
            not_owned(pools[i], pools[i]);
            not_owned(pools[i], &words[1]);
            not_owned(pools[i], (char *)&words[0] + 1);
            for (int bit = 0; bit < 64; bit++)
                not_owned(pools[i], (void *)((uintptr_t)1 << bit));
            if (round == 0)
                i < 2 ? lend(pools[i], &words[0]) : lend_by_op(pools[i], &words[0]);
        }
        if (i < 2)
            end_pool(pools[i], &words[0]);
    }
    CHECK_STATUS(pool_release(pools[2], &words[0]), POOL_OK);
    pool_unref(pools[2]);
}

TEST(what_another_pool_lends_keeps_or_has_destroyed)
{
    for (int hooked = 0; hooked < 2; hooked++) {
        pool_t *here = new_pool(hooked ? keep : NULL), *there = new_pool(NULL), *driven = new_driven_pool();
        void *own = lend(here, &words[0]), *lent = lend(there, &words[1]), *idle = lend(there, &words[2]);
        CHECK_STATUS(pool_release(there, idle), POOL_OK);
        void *asked = lend_by_op(driven, &words[3]);
        not_owned(here, lent);
        not_owned(here, idle);
        not_owned(here, asked);
        not_owned(driven, own);
        CHECK_COUNTS(there, 1, 1, 0);
        CHECK_STATUS(pool_close(there), POOL_OK); /* the idle one is destroyed */
        not_owned(here, lent);
        not_owned(here, idle);
        not_owned(there, idle);
        not_owned(there, own);
        end_pool(there, lent);
        not_owned(here, lent);
        CHECK_STATUS(pool_release(driven, asked), POOL_OK);
        pool_unref(driven);
        end_pool(here, own);
    }
}

TEST(one_word_that_two_pools_lend_is_each_ones_own)
{
    pool_t *a = new_pool(keep), *b = new_pool(NULL);
    void *word = lend(a, &words[0]);
    CHECK_PTR(lend(b, &words[0]), word);
    CHECK_STATUS(pool_release(a, word), POOL_OK);
    CHECK_COUNTS(a, 1, 0, 0);
    CHECK_COUNTS(b, 0, 1, 0);
    not_owned(a, word);
    CHECK_STATUS(pool_close(a), POOL_OK);
    CHECK_COUNTS(b, 0, 1, 0);
    end_pool(b, word);
    pool_unref(a);
}

static pool_t *busy;

static void give_back_inside(pool_t *pool, void *resource)
{
    (void)pool;
    not_owned(busy, resource);
}

static bool give_back_inside_and_refuse(pool_t *pool, void *resource)
{
    give_back_inside(pool, resource);
    return false;
}

TEST(what_is_in_a_hook_is_not_lent)
{
    busy = pool_create_internal(
        make, give_back_inside, NULL, give_back_inside_and_refuse, give_back_inside_and_refuse, 0, 4, 0);
    void *r = lend(busy, &words[0]);
    CHECK_STATUS(pool_release(busy, r), POOL_OK); /* checked, refused and destroyed */
    not_owned(busy, r);
    CHECK_COUNTS(busy, 0, 0, 0);
    end_pool(busy, NULL);
}

/* What a hook or a strategy says about another pool is not heard here. */
static bool refuse_for_another(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    CHECK_STATUS(pool_set_error(busy, 4711, "of another pool"), POOL_OK);
    return false;
}

static int told_code;

static void failed(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)pool, (void)ctx;
    told_code = error->code;
}

static void succeeded(pool_t *pool, void *ctx) { (void)pool, (void)ctx, told_code = -1; }

TEST(an_error_said_for_another_pool_is_not_reported)
{
    pool_circuit_breaker_strategy_t strategy = {succeeded, failed, NULL, NULL, NULL};
    pool_t *pool = new_pool(refuse_for_another);
    busy = new_pool(NULL);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    told_code = -2;
    CHECK_STATUS(pool_release(pool, lend(pool, &words[0])), POOL_OK);
    CHECK_INT(told_code, 0);
    pool_unref(pool);
    pool_unref(busy);
}
