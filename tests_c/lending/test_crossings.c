/*
 * How often a call enters Go. What needs no decision needs no core: pool_debug_crossings() counts, for
 * each thread. Each case shows P02.
 */
#include "fixture.h"
#include "loop.h"
#include "watcher.h"

/* Runs a statement that must enter Go exactly n times. */
#define CROSSES(n, statement)                           \
    do {                                                \
        uint64_t before_ = pool_debug_crossings();      \
        statement;                                      \
        CHECK_INT(pool_debug_crossings() - before_, n); \
    } while (0)

/* A caller that waits in line on a thread of its own, and how often that entered Go: the first time counts
 * twice. */
typedef struct waiter {
    pool_t *pool;
    int64_t timeout_ms;
    fx_resource *got;
    pool_status_t status;
    uint64_t crossings;
} waiter;

static void *wait_in_line(void *arg)
{
    waiter *w = arg;
    w->got = fx_acquire(w->pool, w->timeout_ms, &w->status);
    w->crossings = pool_debug_crossings();
    return NULL;
}

/* Somebody waits, and gets what is given back: how often did each of the two enter Go? */
static void check_handover(pool_t *pool, uint64_t waiting, uint64_t giving)
{
    waiter w = {.pool = pool};
    fx_resource *r = fx_take(pool);
    pthread_t thread = check_thread(wait_in_line, &w);
    WAIT_FOR(pool_waiting_count(pool) == 1);
    CROSSES(giving, fx_give(pool, r));
    check_join(thread);
    CHECK_PTR(w.got, r);
    CHECK_INT(w.crossings, waiting ? waiting + 1 : 0);
    fx_give(pool, w.got);
}

TEST(an_idle_resource_is_lent_and_given_back_without_go)
{
    pool_t *pool = fx_pool(0, 1, 1);
    pool_status_t status;
    fx_resource *r = NULL;
    CROSSES(0, r = fx_take(pool));
    CROSSES(0, fx_give(pool, r));
    CROSSES(0, r = fx_try(pool, &status));
    CROSSES(0, fx_give(pool, r));
    CROSSES(0, r = pool_take(pool));
    CROSSES(0, CHECK_PTR(pool_take(pool), NULL));
    CROSSES(0, CHECK_STATUS(pool_release(pool, r), POOL_OK));
    CROSSES(0, CHECK_COUNTS(pool, 1, 0, 0));
    fx_finish(pool);
}

TEST(a_creation_enters_go_before_the_factory_and_after_it)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = NULL;
    CROSSES(2, r = fx_take(pool));
    CROSSES(0, fx_give(pool, r));
    fx_finish(pool);
}

TEST(a_place_is_handed_over_in_line_without_go)
{
    pool_t *pool = fx_pool(0, 1, 1);
    check_handover(pool, 0, 0);
    fx_finish(pool);
}

TEST(before_acquire_enters_go_when_it_says_no)
{
    pool_t *pool = fx_pool(FX_WITH_ACQUIRE, 1, 1);
    fx_resource *r = NULL;
    CROSSES(0, r = fx_take(pool));
    CROSSES(0, fx_give(pool, r));
    check_handover(pool, 0, 0);
    fx.script[FX_BEFORE_ACQUIRE] = fx_refuse;
    CROSSES(3, r = fx_take(pool)); /* with its no, and when it is destroyed and when another one is made */
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(before_release_enters_go_when_it_says_no)
{
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 1, 1);
    fx_resource *r = NULL;
    CROSSES(0, r = fx_take(pool));
    CROSSES(0, fx_give(pool, r));
    check_handover(pool, 0, 0);
    r = fx_take(pool);
    fx.script[FX_BEFORE_RELEASE] = fx_refuse;
    CROSSES(2, fx_give(pool, r)); /* with its no, and when it is destroyed */
    fx_finish(pool);
}

TEST(an_observed_release_needs_no_go)
{
    pool_t *pool = fx_pool(0, 1, 1);
    watcher w = {0};
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *r = NULL;
    CROSSES(0, r = fx_take(pool));
    CROSSES(0, fx_give(pool, r));
    check_handover(pool, 0, 0);
    CHECK_STATUS(watcher_del(&w), POOL_OK);
    fx_finish(pool);
}

TEST(a_caller_whose_time_is_up_needs_no_go)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    waiter w = {.pool = pool, .timeout_ms = 1};
    check_join(check_thread(wait_in_line, &w));
    CHECK_STATUS(w.status, POOL_ERR_TIMEOUT);
    CHECK_INT(w.crossings, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(a_loop_waits_is_served_and_leaves_without_go)
{
    pool_t *pool = fx_pool(0, 1, 1);
    told a = {0}, b = {0};
    fx_resource *r = fx_take(pool);
    CROSSES(0, loop_acquire(pool, &a, 0));
    CROSSES(0, fx_give(pool, r));
    CROSSES(0, loop_turn(pool));
    CHECK_TOLD_ONCE(&a, POOL_OK);
    CROSSES(0, loop_acquire(pool, &b, 0));
    CROSSES(0, CHECK_STATUS(pool_op_cancel(&b.op), POOL_OK));
    CROSSES(0, loop_turn(pool));
    CHECK_TOLD_ONCE(&b, POOL_ERR_CANCELLED);
    CROSSES(0, loop_give(&a));
    fx_finish(pool);
}

TEST(a_release_of_what_is_not_lent_is_refused_without_go)
{
    static const unsigned hooks[] = {0, FX_WITH_ACQUIRE | FX_WITH_RELEASE};
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++) {
        pool_t *pool = fx_pool(hooks[i], 1, 1);
        fx_resource *r = fx_take(pool);
        fx_give(pool, r);
        CROSSES(0, CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED));
        CROSSES(0, CHECK_STATUS(pool_release(pool, &i), POOL_ERR_NOT_OWNED));
        CHECK_COUNTS(pool, 1, 0, 0);
        fx_finish(pool);
    }
}

TEST(an_op_that_has_not_begun_is_cancelled_without_go)
{
    pool_t *pool = fx_pool(0, 1, 1);
    pool_op_t op;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CROSSES(0, CHECK_STATUS(pool_op_cancel(&op), POOL_OK));
    CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
    CROSSES(0, CHECK_STATUS(pool_op_cancel(&op), POOL_OK));
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    CROSSES(0, CHECK_STATUS(pool_op_cancel(&op), POOL_OK));
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}
