/* Misuse that can be told is told: by a status, by the text of pool_last_error(), and with nothing changed. */
#include "fixture.h"

static int word;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &word;
    return true;
}

static bool pass(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

static void forget(void)
{
    CHECK_STATUS(pool_close(NULL), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool_close");
}

/* ---- references ----------------------------------------------------------------------------- */

TEST(a_reference_given_back_too_often_is_told_while_something_is_lent)
{
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    forget();
    pool_unref(pool);
    FX_SAID(POOL_ERR_INVALID, "pool_close"); /* that was the last one, and nothing is wrong with it */
    for (int i = 0; i < 3; i++) {
        pool_unref(pool);
        FX_SAID(POOL_ERR_INVALID, "no reference left");
        forget();
        pool->event.dispose(&pool->event);
        FX_SAID(POOL_ERR_INVALID, "no reference left");
        forget();
        CHECK_INT(pool_debug_live(), 1);
        CHECK_INT(pool->event.ref_count, 0);
    }
    CHECK_STATUS(pool_release(pool, r), POOL_OK); /* the last one who needs it, and it is gone */
    CHECK_INT(pool_debug_live(), 0);
}

TEST(a_reference_given_back_too_often_is_told_while_an_op_is_under_way)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    pool_unref(pool);
    forget();
    pool_unref(pool);
    FX_SAID(POOL_ERR_INVALID, "no reference left");
    CHECK_INT(pool_debug_live(), 1);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_INT(pool_debug_live(), 0);
}

static void give_back_inside(pool_t *pool, void *resource)
{
    (void)resource;
    pool_unref(pool);
    FX_SAID(POOL_ERR_INVALID, "no reference left");
}

TEST(a_reference_given_back_too_often_is_told_inside_the_last_destructor)
{
    pool_t *pool = pool_create_internal(make, give_back_inside, NULL, NULL, NULL, 1, 1, 0);
    CHECK(pool != NULL);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(a_reference_of_what_is_no_pool_is_told)
{
    static uint64_t memory[512];
    pool_t *const none[] = {(pool_t *)memory, (pool_t *)(uintptr_t)8};
    for (int i = 0; i < 2; i++) {
        pool_unref(none[i]);
        FX_SAID(POOL_ERR_INVALID, "pool_unref: pool is no pool");
        forget();
        CHECK_PTR(pool_ref(none[i]), NULL);
        FX_SAID(POOL_ERR_INVALID, "pool_ref: pool is no pool");
        forget();
    }
    pool_unref(NULL);
    CHECK_PTR(pool_ref(NULL), NULL);
    FX_SAID(POOL_ERR_INVALID, "pool_close");
}

/* A reactor's one reference: its pools and ops have others, which are not the host's to give back. */
TEST(a_reference_of_a_reactor_given_back_too_often_is_told_while_a_pool_is_attached)
{
    pool_t *pool = fx_pool(0, 0, 1);
    pool_reactor_t *reactor = pool_reactor_create();
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    forget();
    pool_reactor_unref(reactor);
    FX_SAID(POOL_ERR_INVALID, "pool_close"); /* nothing is wrong with that one */
    for (int i = 0; i < 3; i++) {
        pool_reactor_unref(reactor);
        FX_SAID(POOL_ERR_INVALID, "pool_reactor_unref: there is no reference left");
        forget();
        CHECK_STATUS(pool_dispatch(pool), POOL_OK); /* it serves the pool as before */
        CHECK_INT(pool_next_timeout(pool), -1);
    }
    fx_finish(pool);
}

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)resource;
    CHECK_STATUS(status, POOL_OK);
    for (int i = 0; i < 2; i++) { /* the op keeps it, and the dispatch */
        pool_reactor_unref(data);
        FX_SAID(POOL_ERR_INVALID, "pool_reactor_unref: there is no reference left");
        forget();
    }
}

TEST(a_reference_of_a_reactor_given_back_too_often_is_told_inside_a_callback)
{
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    pool_reactor_t *reactor = pool_reactor_create();
    pool_op_t op;
    CHECK_STATUS(pool_reactor_acquire(reactor, pool, &op, 0, acquired, reactor), POOL_PENDING);
    pool_reactor_unref(reactor);
    CHECK_STATUS(pool_reactor_dispatch(reactor), POOL_OK);
    CHECK_STATUS(pool_release(pool, &word), POOL_OK);
    pool_unref(pool);
}

/* ---- the wrong kind --------------------------------------------------------------------------- */

static void says(const char *words)
{
    FX_SAID(POOL_ERR_INVALID, words);
    forget();
}

TEST(functions_for_host_driven_pools_tell_others_what_to_use)
{
    pool_t *pool = fx_pool(0, 1, 1);
    fx_resource *r = fx_take(pool);
    forget();
    CHECK_PTR(pool_op_woken(pool), NULL);
    says("pool_op_woken: the pool is not host-driven: who waits there is told by pool_op_wait()");
    CHECK_PTR(pool_hand_on(pool, r), NULL);
    says("pool_hand_on: the pool is not host-driven: use pool_release()");
    CHECK_STATUS(pool_set_asks(pool, 0), POOL_ERR_INVALID);
    says("pool_set_asks: the pool is not host-driven: use pool_set_strategy()");
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

static void never(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)status, (void)resource, (void)data;
    check_fail(__FILE__, __LINE__, "a callback came");
}

static pool_t *host_driven(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_HOST_DRIVEN;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

TEST(functions_for_others_tell_host_driven_pools_what_to_use)
{
    static pool_circuit_breaker_strategy_t strategy;
    pool_t *pool = host_driven();
    pool_reactor_t *reactor = pool_reactor_create();
    pool_op_t op;
    void *r;
    forget();
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_ERR_INVALID);
    says("pool_op_acquire()");
    CHECK_STATUS(pool_close(pool), POOL_ERR_INVALID);
    says("pool_op_close()");
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_ERR_INVALID);
    says("POOL_ASK_REPORT_");
    CHECK_STATUS(pool_set_error(pool, 1, "text"), POOL_ERR_INVALID);
    says("pool_set_error: the pool is host-driven and has no hooks");
    CHECK(pool_time_left_ms(pool) == INT64_MAX);
    says("pool_time_left_ms: the pool is host-driven and has no hooks: its host asks pool_op_until_ns()");
    CHECK_STATUS(pool_acquire_async(pool, &op, 0, never, NULL), POOL_ERR_INVALID);
    says("pool_acquire_async: the pool is host-driven");
    CHECK_STATUS(pool_reactor_acquire(reactor, pool, &op, 0, never, NULL), POOL_ERR_INVALID);
    says("pool_reactor_acquire: the pool is host-driven");
    CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_ERR_INVALID);
    says("pool_reactor_attach: the pool is host-driven");
    CHECK_INT(pool_fd(pool), -1);
    says("pool_fd: the pool is host-driven");
    CHECK_INT(pool_next_timeout(pool), -1);
    says("pool_next_timeout: the pool is host-driven");
    CHECK_STATUS(pool_dispatch(pool), POOL_ERR_INVALID);
    says("pool_dispatch: the pool is host-driven");
    pool_reactor_unref(reactor);
    pool_unref(pool);
}

static void cancelled(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)resource;
    CHECK_STATUS(status, POOL_ERR_CANCELLED);
    *(bool *)data = true;
}

TEST(an_op_of_a_loop_tells_who_would_drive_it)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_op_t op;
    bool told = false;
    CHECK_STATUS(pool_acquire_async(pool, &op, 0, cancelled, &told), POOL_PENDING);
    forget();
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INVALID);
    says("pool_op_next: the op is async: its loop drives it");
    CHECK_PTR(pool_op_take(&op), NULL);
    says("pool_op_take: the op is async: its loop drives it");
    CHECK_STATUS(pool_op_wait(&op, 0), POOL_ERR_INVALID);
    says("pool_op_wait: the op is async: its loop drives it");
    CHECK_INT(pool_waiting_count(pool), 1);
    CHECK_INT(pool_op_until_ns(&op), INT64_MAX); /* a host may ask that */
    FX_SAID(POOL_ERR_INVALID, "pool_close");
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK); /* and that */
    CHECK_STATUS(pool_dispatch(pool), POOL_OK);
    CHECK(told);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(an_op_that_does_not_wait_and_an_ask_of_no_version_are_told)
{
    pool_t *pool = host_driven();
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT, empty = {0};
    pool_answer_t answer = {.ok = true, .resource = &word};
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    forget();
    CHECK_INT(pool_op_next(&op, NULL, &empty), POOL_ASK_DONE);
    says("pool_op_next: ask is NULL, or its struct_size that of no version");
    CHECK_INT(pool_op_next(&op, NULL, NULL), POOL_ASK_DONE);
    says("pool_op_next: ask is NULL, or its struct_size that of no version");
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_PTR(pool_op_take(&op), NULL);
    says("pool_op_take: the op's last ask was not POOL_ASK_WAIT");
    CHECK_STATUS(pool_op_wait(&op, 0), POOL_ERR_INVALID);
    says("pool_op_wait: the op's last ask was not POOL_ASK_WAIT");
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE); /* it was made, but who is to know? */
    CHECK_STATUS(ask.status, POOL_ERR_FACTORY);
    says("pool_op_next: the answer is of no version");
    CHECK_COUNTS(pool, 0, 0, 0);
    pool_unref(pool);
}

/* ---- intervals and healthchecks ------------------------------------------------------------- */

static pool_status_t create(pool_config_t config)
{
    pool_t *pool;
    pool_status_t status = pool_create_ex(&config, &pool);
    CHECK((pool != NULL) == (status == POOL_OK));
    pool_unref(pool);
    return status;
}

TEST(an_interval_in_which_nothing_would_run_makes_no_pool)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.healthcheck_interval_ms = 10;
    CHECK_STATUS(create(config), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "leave it out");
    config.flags = POOL_F_REACTOR;
    CHECK_STATUS(create(config), POOL_ERR_INVALID);
    CHECK_PTR(pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 10), NULL);
    FX_SAID(POOL_ERR_INVALID, "pool_create_internal: healthcheck_interval_ms");
    config.min_size = 1; /* each of the two is something to look after */
    CHECK_STATUS(create(config), POOL_OK);
    config.min_size = 0;
    config.healthcheck = pass;
    CHECK_STATUS(create(config), POOL_OK);
}

/* Shows E4. */
TEST(an_interval_of_a_host_driven_pool_makes_no_pool)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_HEALTHCHECK;
    config.min_size = 1;
    config.healthcheck_interval_ms = 10;
    CHECK_STATUS(create(config), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "pool_op_sweep()");
    config.healthcheck_interval_ms = 0;
    CHECK_STATUS(create(config), POOL_OK);
}

TEST(a_healthcheck_that_nothing_would_call_makes_a_pool_and_a_remark)
{
    int code = 1;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.healthcheck = pass;
    forget();
    CHECK_STATUS(create(config), POOL_OK);
    FX_SAID(POOL_OK, "pool_create_ex: healthcheck is never called");
    CHECK_STATUS(pool_last_error(&code, NULL, 0), POOL_OK);
    CHECK_INT(code, POOL_OK);
    pool_t *pool = pool_create_internal(make, NULL, pass, NULL, NULL, 0, 1, 0);
    FX_SAID(POOL_OK, "pool_create_internal: healthcheck is never called");
    pool_unref(pool);
    config.healthcheck_interval_ms = 1000;
    CHECK_STATUS(create(config), POOL_OK);
    FX_SAID(POOL_OK, "success"); /* the remark was about another pool */
    config.healthcheck = NULL;
    CHECK_STATUS(create(config), POOL_ERR_INVALID);
    FX_SAID(POOL_ERR_INVALID, "leave it out");
}
