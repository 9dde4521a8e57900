/*
 * Ops that a host drives itself on a pool with a scheduler: resume tells it, and has the op until it returns. So no
 * function that ends the op comes back before, whoever was told and from which thread it goes on.
 */
#include "loop.h"

enum { ROUNDS = 100, DAWDLES = 50 };

static pool_t *pool;
static fx_resource *held;
static atomic_bool heard, inside;

static bool never(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    CHECK(false); /* the host waits in its own way */
    return false;
}

/* Its last look at the op is long after the host has heard. */
static void tell(void *ctx, pool_op_t *op)
{
    (void)ctx;
    inside = true;
    heard = true;
    for (int i = 0; i < DAWDLES; i++)
        sched_yield();
    CHECK_PTR(op->data, &held);
    inside = false;
}

static void *give(void *unused)
{
    (void)unused;
    fx_give(pool, held);
    return NULL;
}

/* Waits with an op, is told, and ends it in this way; nobody uses its memory any more then. */
static void be_told(void (*end)(pool_op_t *op))
{
    const pool_scheduler_t hooks = {never, tell, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &hooks;
    pool = loop_pool_of(&config);
    held = fx_take(pool);
    for (int i = 0; i < ROUNDS; i++) {
        pool_op_t op = {.data = &held};
        heard = false;
        CHECK(pool_op_join(pool, &op, 0));
        pthread_t giver = check_thread(give, NULL);
        WAIT_FOR(heard);
        end(&op);
        CHECK(!inside);
        memset(&op, 0xdb, sizeof op);
        check_join(giver);
        for (size_t k = 0; k < sizeof op; k++)
            CHECK_INT(((unsigned char *)&op)[k], 0xdb);
    }
    fx_give(pool, held);
    fx_finish(pool);
}

static void take(pool_op_t *op)
{
    held = pool_op_take(op);
    CHECK(held != NULL);
}

static void next(pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    held = ask.resource;
}

static void cancel(pool_op_t *op)
{
    CHECK_STATUS(pool_op_cancel(op), POOL_OK);
    held = fx_take(pool);
}

TEST(an_op_that_is_taken_is_resume_s_no_more) { be_told(take); }

TEST(an_op_that_goes_on_is_resume_s_no_more) { be_told(next); }

TEST(an_op_that_is_cancelled_is_resume_s_no_more) { be_told(cancel); }
