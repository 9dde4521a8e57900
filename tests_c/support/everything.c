#include "everything.h"

static int word;
static atomic_int hooks;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    hooks++;
    *resource = &word;
    return true;
}

static void end(pool_t *pool, void *resource) { (void)pool, (void)resource, hooks++; }

static bool pass(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    hooks++;
    return true;
}

static bool refuse(pool_t *pool, void *resource)
{
    (void)resource;
    hooks++;
    pool_set_error(pool, 7, "a text that is copied");
    return false;
}

static void succeeded(pool_t *pool, void *ctx) { (void)pool, (void)ctx, hooks++; }
static void failed(pool_t *pool, const pool_error_t *e, void *ctx) { (void)pool, (void)e, (void)ctx, hooks++; }
static bool should_recover(pool_t *pool, void *ctx) { return pass(pool, ctx); }
static void seen(pool_event_t *e, pool_event_callback_t *o, pool_event_kind_t k) { (void)e, (void)o, (void)k, hooks++; }

static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op;
    hooks++;
    if (status == POOL_OK)
        CHECK_STATUS(pool_release(data, resource), POOL_OK);
}

pool_t *everything_pool(bool keeps, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.name = "of a small stack";
    config.factory = make;
    config.destructor = end;
    config.healthcheck = config.before_acquire = pass;
    config.before_release = keeps ? pass : refuse;
    config.min_size = 1;
    config.max_size = max;
    config.flags = POOL_F_REACTOR;
    config.healthcheck_interval_ms = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void borrow_and_give_back(pool_t *pool)
{
    void *r, *none;
    char text[64];
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_try_acquire(pool, &none), POOL_EMPTY);
    CHECK_STATUS(pool_acquire(pool, &none, 1), POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_TIMEOUT);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED);
}

static void use_a_loop(pool_t *pool)
{
    pool_op_t op, other;
    int before = hooks;
    CHECK_STATUS(pool_acquire_async(pool, &op, 1000, told, pool), POOL_PENDING);
    CHECK_STATUS(pool_acquire_async(pool, &other, 1000, told, pool), POOL_PENDING);
    CHECK_STATUS(pool_op_cancel(&other), POOL_OK);
    CHECK(pool_fd(pool) >= 0);
    WAIT_FOR(pool_next_timeout(pool) >= 0 && pool_dispatch(pool) == POOL_OK && hooks >= before + 8); /* a pass, too */
}

static void drive_ops(pool_t *pool)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = true;
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK);
    while (pool_op_next(&op, &answer, &ask) != POOL_ASK_DONE)
        ;
    CHECK_STATUS(pool_op_acquire(pool, &op, 1000), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_BEFORE_ACQUIRE);
    CHECK_STATUS(pool_op_cancel(&op), POOL_PENDING);
    while (pool_op_next(&op, NULL, &ask) != POOL_ASK_DONE)
        ;
}

static void move_the_breaker(pool_t *pool)
{
    pool_circuit_breaker_strategy_t strategy = {succeeded, failed, should_recover, NULL, NULL};
    void *r;
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    CHECK_STATUS(pool_deactivate(pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK); /* the strategy is asked, and this is its probe */
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_STATUS(pool_strategy_threshold(pool, 1, 1, 1), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    CHECK_STATUS(pool_activate(pool), POOL_OK);
}

void everything_do(bool keeps)
{
    pool_event_callback_t observer = {seen, NULL, NULL};
    pool_snapshot_t s = {.struct_size = sizeof s};
    char text[128];
    void *none;
    pool_t *pool = everything_pool(keeps, 1);
    borrow_and_give_back(pool);
    CHECK_STATUS(pool->event.add_callback(&pool->event, &observer), POOL_OK);
    borrow_and_give_back(pool);
    use_a_loop(pool);
    drive_ops(pool);
    move_the_breaker(pool);
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK(pool->event.info(&pool->event, text, sizeof text) > 0);
    CHECK_STATUS(pool->event.del_callback(&pool->event, &observer), POOL_OK);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &none, 0), POOL_ERR_CLOSED);
    pool_unref(pool);
}
