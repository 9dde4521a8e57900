/* A fork inside what is seldom called: a release that a dispatch makes itself, a suspend that then gives up. */
#include "loop.h"
#include "split.h"

/* What a cancelled op was lent is given back by the dispatch; its owner is not told in the child. */
TEST(in_the_release_of_what_a_cancelled_op_was_lent)
{
    pool_config_t config = loop_config(FX_WITH_RELEASE, 1, 1);
    pool_t *pool = loop_pool_of(&config);
    split_begin(pool);
    fx.script[FX_BEFORE_RELEASE] = split_in_hook;
    while (split_again()) {
        told t = {0};
        loop_acquire(pool, &t, 0);
        CHECK_STATUS(pool_op_cancel(&t.op), POOL_OK);
        pool_status_t status = pool_dispatch(pool);
        CHECK_INT(t.times, splitting.child ? 0 : 1);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
        CHECK_TOLD_ONCE(&t, POOL_ERR_CANCELLED);
    }
    split_finish();
}

/* In the parent the resource comes back meanwhile. */
static fx_resource *held;
static pool_t *pool;

static bool give_up_in_child(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    split();
    if (splitting.child)
        return false;
    if (held)
        fx_give(pool, held);
    held = NULL;
    return true;
}

static void ignore(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

TEST(in_a_suspend_that_gives_up)
{
    pool_scheduler_t scheduler = {give_up_in_child, ignore, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &scheduler;
    pool = loop_pool_of(&config);
    split_begin(pool);
    while (split_again()) {
        void *r;
        held = fx_take(pool);
        pool_status_t status = pool_acquire(pool, &r, 0);
        split_end_child(status);
        CHECK_STATUS(status, POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    split_finish();
}
