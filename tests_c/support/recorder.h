/*
 * A strategy that records what it is told, and what its tests share.
 */
#ifndef ASYNCPOOL_RECORDER_H
#define ASYNCPOOL_RECORDER_H

#include "fixture.h"

/* A strategy that counts what it is told and then does what the test wants. */
typedef struct recorder {
    pool_circuit_breaker_strategy_t strategy;
    atomic_int successes, failures, asked;
    int code;
    char message[256];
    atomic_bool yes;                                 /* what should_recover answers */
    void (*during)(pool_t *pool, struct recorder *); /* may be NULL; the end of each call */
} recorder;

static inline void run_during(recorder *self, pool_t *pool)
{
    if (self->during)
        self->during(pool, self);
}

static inline void record_success(pool_t *pool, void *ctx)
{
    recorder *self = ctx;
    atomic_fetch_add(&self->successes, 1);
    run_during(self, pool);
}

static inline void record_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    recorder *self = ctx;
    atomic_fetch_add(&self->failures, 1);
    self->code = error->code;
    snprintf(self->message, sizeof self->message, "%s", error->message);
    run_during(self, pool);
}

static inline bool record_question(pool_t *pool, void *ctx)
{
    recorder *self = ctx;
    atomic_fetch_add(&self->asked, 1);
    bool yes = atomic_load(&self->yes);
    run_during(self, pool);
    return yes;
}

static inline void attach(pool_t *pool, recorder *self, void (*during)(pool_t *, recorder *))
{
    memset(self, 0, sizeof *self);
    self->during = during;
    self->strategy = (pool_circuit_breaker_strategy_t){record_success, record_failure, record_question, self, NULL};
    CHECK_STATUS(pool_set_strategy(pool, &self->strategy), POOL_OK);
}

static inline void check_told(recorder *self, int successes, int failures, int asked)
{
    CHECK_INT(self->successes, successes);
    CHECK_INT(self->failures, failures);
    CHECK_INT(self->asked, asked);
}

static inline bool refuse(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    return false;
}

static inline bool refuse_every_second(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r;
    return call % 2 != 0;
}

static inline pool_status_t try_and_give(pool_t *pool)
{
    pool_status_t status;
    fx_resource *r = fx_try(pool, &status);
    if (r)
        fx_give(pool, r);
    return status;
}

#endif
