/* The circuit breaker from outside: its state, by hand and by strategy. */
#include "go.h"
#include "visit.h"

pool_circuit_state_t pool_state(const pool_t *pool)
{
    ap_pool_t *p = ap__pool_for("pool_state", pool);
    if (!p)
        return POOL_CIRCUIT_INACTIVE;
    ap__lock(p);
    uint32_t circuit = p->state.breaker.circuit;
    ap__unlock(p);
    return (pool_circuit_state_t)circuit;
}

static pool_status_t set_state(pool_t *pool, const char *function, pool_circuit_state_t to)
{
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    ap__lock(p);
    ap_change_t before = ap__change_begin(p);
    pool_status_t status = (pool_status_t)ap__go_set_circuit(p->core, to, ap__now());
    ap__change_end(p, before);
    return status < 0 ? ap__fail(status, function, pool_strerror(status)) : status;
}

pool_status_t pool_activate(pool_t *pool) { return set_state(pool, "pool_activate", POOL_CIRCUIT_ACTIVE); }

pool_status_t pool_deactivate(pool_t *pool) { return set_state(pool, "pool_deactivate", POOL_CIRCUIT_INACTIVE); }

pool_status_t pool_recover(pool_t *pool) { return set_state(pool, "pool_recover", POOL_CIRCUIT_RECOVERING); }

/* ---- strategies ---- */

/* Puts the callback in the place of the one before, at the end of a change, and waits until that one is not needed any
 * more. NULL: the host has no strategy of its own. */
static void swap_strategy(ap_pool_t *pool, ap_callback_t *callback, ap_change_t before)
{
    ap_callback_t *old = pool->strategy;
    pool->strategy = callback;
    pool->pub.strategy.internal = callback ? callback->strategy : NULL;
    if (callback)
        pool->pub.handler_flags |= POOL_F_STRATEGY_INTERNAL;
    else
        pool->pub.handler_flags &= (uint8_t)~POOL_F_STRATEGY_INTERNAL;
    ap__change_end(pool, before);
    if (!old || ap__forked)
        return;
    ap__lock(pool);
    bool last = ap__callback_remove(pool, old);
    ap__unlock(pool);
    if (last)
        ap__callback_free(old);
}

/* The host's strategy; NULL: none. After a failure the pool has the one that it had, and the callback is the
 * caller's. */
static pool_status_t set_strategy(ap_pool_t *pool, const char *function, ap_callback_t *callback)
{
    uint32_t asks = 0;
    if (callback)
        asks = POOL_ASKS_REPORTS | (callback->strategy->should_recover ? POOL_ASKS_SHOULD_RECOVER : 0);
    ap__lock(pool);
    ap_change_t before = ap__change_begin(pool);
    pool_status_t status = (pool_status_t)ap__go_set_strategy(pool->core, asks);
    if (status < 0) {
        ap__change_end(pool, before);
        return ap__fail(status, function, pool_strerror(status));
    }
    swap_strategy(pool, callback, before);
    return POOL_OK;
}

/* The built-in strategy. */
static pool_status_t set_threshold(ap_pool_t *pool, const char *function, uint32_t counts, uint32_t failures,
                                   uint32_t successes, int64_t open_for)
{
    ap__lock(pool);
    ap_change_t before = ap__change_begin(pool);
    pool_status_t status = (pool_status_t)ap__go_set_threshold(pool->core, counts, failures, successes, open_for);
    if (status < 0) {
        ap__change_end(pool, before);
        return ap__fail(status, function, pool_strerror(status));
    }
    swap_strategy(pool, NULL, before);
    return POOL_OK;
}

pool_status_t pool_set_strategy(pool_t *pool, pool_circuit_breaker_strategy_t *strategy)
{
    const char *function = "pool_set_strategy";
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, function, "the pool is host-driven: its host answers POOL_ASK_REPORT_...");
    if (!strategy)
        return set_strategy(p, function, NULL);
    if (!strategy->report_success || !strategy->report_failure)
        return ap__fail(POOL_ERR_INVALID, function, "a report of the strategy is NULL");
    ap_callback_t *callback = ap__callback_new();
    if (!callback)
        return ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
    callback->strategy = strategy;
    pool_status_t status = set_strategy(p, function, callback);
    if (status < 0)
        ap__callback_drop(callback);
    return status;
}

enum { COUNT_ALL = POOL_COUNT_CREATIONS | POOL_COUNT_RELEASES };

static pool_status_t threshold(pool_t *pool, const char *function, uint32_t counts, uint32_t failures, uint32_t open_ms,
                               uint32_t successes)
{
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (counts == 0 || counts & ~(uint32_t)COUNT_ALL)
        return ap__fail(POOL_ERR_INVALID, function,
                        "what is to be counted: POOL_COUNT_CREATIONS, POOL_COUNT_RELEASES or both");
    if (failures == 0)
        return set_strategy(p, function, NULL);
    return set_threshold(p, function, counts, failures, successes ? successes : 1, (int64_t)open_ms * 1000000);
}

pool_status_t pool_strategy_threshold(pool_t *pool, uint32_t failures, uint32_t open_ms, uint32_t successes)
{
    return threshold(pool, "pool_strategy_threshold", COUNT_ALL, failures, open_ms, successes);
}

pool_status_t pool_strategy_threshold_on(pool_t *pool, uint32_t what, uint32_t failures, uint32_t open_ms,
                                         uint32_t successes)
{
    return threshold(pool, "pool_strategy_threshold_on", what, failures, open_ms, successes);
}

/* A call of the strategy. */
typedef struct report {
    ap_visit_t visit; /* first */
    ap_pool_t *pool;
    pool_circuit_breaker_strategy_t *strategy;
    const ap_error_t *error;
} report;

/* Begins a call, if there is a strategy. */
static ap_callback_call_t enter(ap_pool_t *pool)
{
    ap_callback_call_t call = {.pool = pool};
    ap__lock(pool);
    call.callback = pool->strategy;
    if (call.callback)
        call.run = ap__callback_enter(call.callback);
    ap__unlock(pool);
    return call;
}

static bool make(ap_pool_t *pool, bool (*what)(ap_visit_t *visit), const ap_error_t *error)
{
    ap_callback_call_t call __attribute__((cleanup(ap__callback_end))) = enter(pool);
    if (!call.callback)
        return false;
    report r = {{.kind = AP_VISIT_CALLBACK, .of = call.callback, .run = call.run, .make = what},
                pool,
                call.callback->strategy,
                error};
    return ap__visit(&r.visit);
}

static bool success(ap_visit_t *visit)
{
    report *r = (report *)visit;
    r->strategy->report_success(&r->pool->pub, r->strategy->ctx);
    return true;
}

static pool_error_t why(const ap_error_t *error, const char *otherwise)
{
    return error->set ? (pool_error_t){error->code, error->message} : (pool_error_t){0, otherwise};
}

static bool failure(ap_visit_t *visit)
{
    report *r = (report *)visit;
    const pool_error_t told = why(r->error, "Resource validation failed");
    r->strategy->report_failure(&r->pool->pub, &told, r->strategy->ctx);
    return true;
}

static bool create_failure(ap_visit_t *visit)
{
    report *r = (report *)visit;
    const pool_error_t told = why(r->error, "Resource creation failed");
    if (r->strategy->report_create_failure)
        r->strategy->report_create_failure(&r->pool->pub, &told, r->strategy->ctx);
    return true;
}

static bool question(ap_visit_t *visit)
{
    report *r = (report *)visit;
    return r->strategy->should_recover && r->strategy->should_recover(&r->pool->pub, r->strategy->ctx);
}

void ap__report(ap_pool_t *pool, bool succeeded, const ap_error_t *error)
{
    make(pool, succeeded ? success : failure, error);
}

void ap__report_create_failure(ap_pool_t *pool, const ap_error_t *error) { make(pool, create_failure, error); }

bool ap__should_recover(ap_pool_t *pool) { return make(pool, question, NULL); }
