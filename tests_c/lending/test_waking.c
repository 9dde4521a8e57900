/*
 * Many are woken at once: by a close, or when the breaker opens. One thread sees that through, in steps; whoever comes
 * meanwhile, for whatever, takes a step at most and goes.
 */
#include "loop.h"

enum { MANY = 1000, STEP = 64 };

static _Thread_local int heard_here;
static _Thread_local bool opens;
static atomic_int heard;
static atomic_bool begun, may_go_on;

static bool never(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    CHECK(false); /* the host waits in its own way */
    return false;
}

/* The thread that opens the breaker stays in its first one. */
static void tell(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    heard_here++;
    heard++;
    if (opens && heard_here == 1) {
        begun = true;
        WAIT_FOR(may_go_on);
    }
}

static void *open_breaker(void *pool)
{
    opens = true;
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    return NULL;
}

typedef struct crowd {
    pool_t *pool;
    fx_resource *held;
    pool_op_t ops[MANY];
    pthread_t opener;
} crowd;

/* All of them in line, and sent away by a thread that stands still on its way. */
static void begin(crowd *c)
{
    static const pool_scheduler_t hooks = {never, tell, NULL};
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &hooks;
    c->pool = loop_pool_of(&config);
    c->held = fx_take(c->pool);
    for (int i = 0; i < MANY; i++) {
        c->ops[i].data = NULL;
        CHECK(pool_op_join(c->pool, &c->ops[i], 0));
    }
    c->opener = check_thread(open_breaker, c->pool);
    WAIT_FOR(begun);
}

static void end(crowd *c, int all)
{
    may_go_on = true;
    check_join(c->opener);
    CHECK_INT(heard, all); /* each of them once */
    for (int i = 0; i < MANY; i++) {
        pool_ask_t ask = POOL_ASK_INIT;
        CHECK_INT(pool_op_next(&c->ops[i], NULL, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, POOL_ERR_UNAVAILABLE);
    }
}

TEST(who_comes_while_many_are_woken_goes_after_one_step)
{
    static crowd c;
    begin(&c);
    void *resource;
    CHECK_STATUS(pool_try_acquire(c.pool, &resource), POOL_ERR_UNAVAILABLE);
    CHECK(heard_here <= STEP);
    heard_here = 0;
    CHECK_STATUS(pool_activate(c.pool), POOL_OK);
    CHECK(heard_here <= STEP);
    heard_here = 0;
    fx_give(c.pool, c.held);
    CHECK(heard_here <= STEP);
    CHECK(heard < MANY); /* so there were more than enough to be kept by */
    end(&c, MANY);
    fx_finish(c.pool);
}

TEST(who_is_granted_a_place_while_many_are_woken_is_told_too)
{
    static crowd c;
    begin(&c);
    CHECK_STATUS(pool_activate(c.pool), POOL_OK);
    pool_op_t late = {.data = NULL};
    CHECK(pool_op_join(c.pool, &late, 0));
    fx_give(c.pool, c.held);
    end(&c, MANY + 1);
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(&late, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    fx_give(c.pool, ask.resource);
    fx_finish(c.pool);
}
