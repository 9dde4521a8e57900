/*
 * Taking out (P50 to P52): what is lent comes back and is not lent again, or is the pool's no more.
 */
#include "breaker.h"
#include "watcher.h"

/* The pool has it, or nobody: a fixture resource that this test holds no more. */
static void discard(pool_t *pool, fx_resource *r)
{
    atomic_store(&r->owned, 0);
    CHECK_STATUS(pool_discard(pool, r), POOL_OK);
}

static void detach(pool_t *pool, fx_resource *r)
{
    CHECK_STATUS(pool_detach(pool, r), POOL_OK);
    CHECK_INT(r->destroyed, 0);
    atomic_store(&r->owned, 0);
}

/* What the owner of a detached resource does with it in the end; fx_finish() counts. */
static void destroy(fx_resource *r)
{
    CHECK_INT(atomic_exchange(&r->destroyed, 1), 0);
    fx.destroyed++;
    free(r);
}

/* ---- discarding ---- */

static atomic_int successes, failures;
static void succeeded(pool_t *pool, void *ctx) { (void)pool, (void)ctx, successes++; }
static void failed(pool_t *pool, const pool_error_t *e, void *ctx) { (void)pool, (void)e, (void)ctx, failures++; }

TEST(p50_a_discard_calls_the_destructor_and_nothing_else)
{
    pool_circuit_breaker_strategy_t strategy = {succeeded, failed, NULL, NULL, NULL};
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_log_clear();
    discard(pool, r);
    CHECK_STR(fx_log(), "destructor(1)");
    CHECK_INT(successes + failures, 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_log_clear();
    CHECK_STATUS(pool_discard(pool, r), POOL_ERR_NOT_OWNED);
    CHECK_STR(fx_log(), "");
    CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
    fx_give(pool, fx_take(pool));
    CHECK_INT(fx.created, 2);
    fx_finish(pool);
}

TEST(p50_the_last_thing_lent_is_discarded_and_the_pool_is_gone)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    discard(pool, r);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(fx_live(), 0);
}

static bool still_active(pool_t *pool, fx_resource *r, int call)
{
    (void)r;
    if (call == 1)
        CHECK_COUNTS(pool, 0, 1, 1);
    return true;
}

TEST(p50_the_place_goes_to_the_first_in_line_once_it_is_destroyed)
{
    fx_caller callers[2];
    pool_t *pool = fx_pool(FX_WITH_RELEASE, 0, 1);
    fx_resource *r = fx_take(pool);
    fx_start_waiting(&callers[0], pool, 0);
    fx.script[FX_DESTRUCTOR] = still_active;
    discard(pool, r);
    fx_join(&callers[0]);
    CHECK_STATUS(callers[0].status, POOL_OK);
    CHECK_INT(callers[0].got->id, 2);
    fx_start_waiting(&callers[1], pool, 0);
    detach(pool, callers[0].got);
    fx_join(&callers[1]);
    CHECK_INT(callers[1].got->id, 3);
    destroy(callers[0].got);
    fx_give(pool, callers[1].got);
    fx_finish(pool);
}

static void *leave(void *arg)
{
    fx_resource *r = fx_take(arg);
    atomic_store(&r->owned, 0);
    pool_discard(arg, r);
    return NULL;
}

static fx_resource *left;

static bool end_thread(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    left = r;
    if (call == 1)
        pthread_exit(NULL);
    return true;
}

TEST(p50_a_destructor_that_never_returns_gives_the_place_on)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx.script[FX_DESTRUCTOR] = end_thread;
    check_join(check_thread(leave, pool));
    fx.destroyed++; /* what the destructor did not come to */
    free(left);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_give(pool, fx_take(pool));
    fx_finish(pool);
}

/* ---- detaching ---- */

TEST(p51_a_detached_resource_is_its_holders_and_no_hook_hears_of_it)
{
    pool_circuit_breaker_strategy_t strategy = {succeeded, failed, NULL, NULL, NULL};
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 1);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    fx_resource *r = fx_take(pool);
    fx_log_clear();
    detach(pool, r);
    CHECK_STR(fx_log(), "");
    CHECK_INT(successes + failures, 0);
    CHECK_COUNTS(pool, 0, 0, 0);
    fx_give(pool, fx_take(pool)); /* another one */
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
    CHECK_INT(r->destroyed, 0);
    destroy(r);
    fx_finish(pool);
}

TEST(p51_the_last_thing_lent_is_detached_and_the_pool_is_gone)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_unref(pool);
    detach(pool, r);
    CHECK_INT(pool_debug_live(), 0);
    destroy(r);
    CHECK_INT(fx_live(), 0);
}

TEST(p51_a_pass_makes_again_what_min_size_lacks)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t made = POOL_ANSWER_INIT;
    pool_op_t op;
    pool_t *pool = fx_pool(FX_WITH_HEALTHCHECK, 1, 2);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    detach(pool, one);
    discard(pool, two);
    destroy(one);
    CHECK_COUNTS(pool, 0, 0, 0); /* nothing else makes it */
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    made.ok = pool->factory.internal(pool, &made.resource);
    CHECK_INT(pool_op_next(&op, &made, &ask), POOL_ASK_DONE);
    CHECK_COUNTS(pool, 1, 0, 0);
    fx_finish(pool);
}

static bool one_word(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = NULL;
    return true;
}

/* Shows B10. */
TEST(p51_of_equal_words_one_is_detached)
{
    void *r;
    pool_t *pool = pool_create_internal(one_word, NULL, NULL, NULL, NULL, 0, 3, 0);
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_detach(pool, NULL), POOL_OK);
    CHECK_COUNTS(pool, 0, 2, 0);
    CHECK_STATUS(pool_discard(pool, NULL), POOL_OK);
    CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    CHECK_STATUS(pool_detach(pool, NULL), POOL_ERR_NOT_OWNED);
    pool_unref(pool);
}

/* ---- both ---- */

TEST(p50_p51_a_probe_that_is_taken_out_makes_room_for_the_next)
{
    pool_t *pool = pool_with(FX_WITH_RELEASE, 0, 3, 1, 0);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 1, 2), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    discard(pool, fx_take(pool));
    check_state(pool, POOL_CIRCUIT_RECOVERING); /* no failure */
    fx_give(pool, fx_take(pool));
    fx_resource *r = fx_take(pool);
    detach(pool, r);
    check_state(pool, POOL_CIRCUIT_RECOVERING); /* no success */
    destroy(r);
    fx_give(pool, fx_take(pool));
    check_state(pool, POOL_CIRCUIT_ACTIVE);
    fx_finish(pool);
}

TEST(p50_p51_observers_are_told_of_the_place)
{
    watcher w = {.script = NULL};
    pool_t *pool = fx_pool(0, 0, 2);
    CHECK_STATUS(watcher_add(&w, pool), POOL_OK);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    discard(pool, one);
    CHECK_INT(w.told[POOL_EVENT_AVAILABLE], 1);
    detach(pool, two);
    CHECK_INT(w.told[POOL_EVENT_AVAILABLE], 2);
    destroy(two);
    fx_finish(pool);
    CHECK_INT(w.disposed, 1);
}

/* Each hook, on its own resource and on one that is lent. */
static fx_resource *held;
static atomic_int refused;

static bool take_out_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)call;
    if (r) {
        CHECK_STATUS(pool_discard(pool, r), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(pool_detach(pool, r), POOL_ERR_NOT_OWNED);
        refused++;
    }
    fx_resource *other = held;
    held = NULL;
    if (other)
        discard(pool, other);
    return true;
}

TEST(p52_hooks_take_out_what_is_lent_and_not_their_own)
{
    for (int hook = 0; hook < FX_HOOKS; hook++) {
        pool_t *pool = fx_pool(FX_WITH_ALL, 0, 3);
        fx_resource *own = fx_take(pool);
        held = fx_take(pool);
        fx.script[hook] = take_out_inside;
        refused = 0;
        fx_resource *made = fx_take(pool);
        fx_give(pool, own);
        own = fx_take(pool);
        discard(pool, own);
        if (hook != FX_HEALTHCHECK) {
            CHECK_PTR(held, NULL);
            CHECK(hook == FX_FACTORY || refused > 0);
        } else {
            fx_give(pool, held);
        }
        fx.script[hook] = NULL;
        fx_give(pool, made);
        fx_finish(pool);
    }
}

/* Shows P07. */
TEST(p52_what_is_not_lent_is_refused_with_a_reason)
{
    int foreign = 0;
    pool_t *pool = fx_pool(0, 1, 2), *other = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_status_t (*const calls[])(pool_t *, void *) = {pool_discard, pool_detach};
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(calls[i](pool, &foreign), POOL_ERR_NOT_OWNED);
        FX_SAID(POOL_ERR_NOT_OWNED, "not lent by this pool");
        CHECK_STATUS(calls[i](pool, NULL), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(calls[i](other, r), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(calls[i](NULL, r), POOL_ERR_INVALID);
        FX_SAID(POOL_ERR_INVALID, "pool is NULL or no pool");
    }
    fx_give(pool, r);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(calls[i](pool, r), POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, 1, 0, 0);
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 1;
    pool_t *host;
    CHECK_STATUS(pool_create_ex(&config, &host), POOL_OK);
    CHECK_STATUS(pool_discard(host, r), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_discard()");
    CHECK_STATUS(pool_detach(host, r), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "use pool_op_detach()");
    pool_unref(host);
    pool_unref(other);
    fx_finish(pool);
}

TEST(p50_p51_ops_ask_for_the_destruction_alone)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_op_t op;
    pool_t *pool = fx_pool(FX_WITH_ALL, 0, 2);
    fx_resource *one = fx_take(pool), *two = fx_take(pool);
    CHECK_STATUS(pool_op_discard(pool, &op, one), POOL_OK);
    CHECK_COUNTS(pool, 0, 2, 0); /* nothing has happened yet */
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
    CHECK_PTR(ask.resource, one);
    pool->destructor.internal(pool, ask.resource);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, NULL);
    CHECK_STATUS(pool_op_detach(pool, &op, two), POOL_OK);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    CHECK_COUNTS(pool, 0, 1, 0); /* it is lent as before */
    CHECK_STATUS(pool_op_detach(pool, &op, two), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, NULL);
    destroy(two);
    fx_finish(pool);
}
