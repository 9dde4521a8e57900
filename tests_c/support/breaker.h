/*
 * What the tests of the circuit breaker share.
 */
#ifndef ASYNCPOOL_BREAKER_H
#define ASYNCPOOL_BREAKER_H

#include "fixture.h"

/* A fixture pool with what fx_pool() has no argument for; its hooks stand in the table of any. */
static inline pool_t *pool_with(unsigned hooks, uint32_t min, uint32_t max, uint32_t probes, uint32_t interval)
{
    pool_t *model = fx_pool(FX_WITH_ALL, 0, 1), *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = model->factory.internal;
    config.destructor = model->destructor.internal;
    config.healthcheck = hooks & FX_WITH_HEALTHCHECK ? model->healthcheck.internal : NULL;
    config.before_acquire = hooks & FX_WITH_ACQUIRE ? model->before_acquire.internal : NULL;
    config.before_release = hooks & FX_WITH_RELEASE ? model->before_release.internal : NULL;
    config.min_size = min;
    config.max_size = max;
    config.recovering_limit = probes;
    config.healthcheck_interval_ms = interval;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    pool_unref(model);
    return pool;
}

static inline void check_state(pool_t *pool, pool_circuit_state_t want)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CHECK_INT(s.state, want);
    CHECK_INT(pool_state(pool), want);
}

static inline pool_status_t go_to(pool_t *pool, pool_circuit_state_t state)
{
    switch (state) {
    case POOL_CIRCUIT_ACTIVE:
        return pool_activate(pool);
    case POOL_CIRCUIT_INACTIVE:
        return pool_deactivate(pool);
    default:
        return pool_recover(pool);
    }
}

/* A newcomer is sent away, and at once: waiting for ever would end in the watchdog. */
static inline void check_refused(pool_t *pool)
{
    pool_status_t status;
    fx_try(pool, &status);
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
    fx_acquire(pool, 0, &status);
    CHECK_STATUS(status, POOL_ERR_UNAVAILABLE);
}

/* RECOVERING with one probe at a time, and its slot is free. */
static inline void check_slot_free(pool_t *pool)
{
    pool_status_t status;
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_RECOVERING);
    fx_resource *r = fx_try(pool, &status);
    CHECK_STATUS(status, POOL_OK);
    check_refused(pool);
    fx_give(pool, r);
}

/* A caller in line that this thread drives, so that it runs only when told to. */
static inline void park_op(pool_t *pool, pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_STATUS(pool_op_acquire(pool, op, 0), POOL_OK);
    CHECK_INT(pool_op_next(op, NULL, &ask), POOL_ASK_WAIT);
}

static inline pool_status_t finish_op(pool_op_t *op, void **resource)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    CHECK_INT(pool_op_next(op, &answer, &ask), POOL_ASK_DONE);
    *resource = ask.resource;
    return ask.status;
}

#endif
