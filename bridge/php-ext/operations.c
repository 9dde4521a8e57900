/* Twin: bridge/php/src/Internal/Operations.php. */

/* What a pool of PHP callables does, operation by operation. */
#include "internal.h"

#include "zend_exceptions.h"

typedef pool_status_t (*begin_t)(pool_t *pool, pool_op_t *op, void *resource);

/* In the order of the twin. */
static bool lease(pool_obj_t *obj, zend_long timeout_ms, pool_lease_t *lease, zval *result);
static void bound(pool_obj_t *obj, asyncpool_op_t *op, zend_long timeout_ms);
static void give_back(pool_obj_t *obj, begin_t begin, zval *resource);
static asyncpool_entry_t *begin_end(pool_obj_t *obj, asyncpool_op_t **op, begin_t begin, zval *resource,
                                    pool_status_t *status);
static asyncpool_entry_t *begin_end_of(pool_obj_t *obj, asyncpool_op_t **op, begin_t begin, zval *resource, bool withs,
                                       pool_status_t *status);
static bool may_be_lent(const pool_obj_t *obj, const asyncpool_entry_t *entry);
static void end(pool_obj_t *obj, const pool_lease_t *lease, bool discards, zval *resource);
static void end_late(pool_obj_t *obj, begin_t begin, zval *resource, bool must_be_lent);
static void check(pool_status_t status);
static pool_status_t close_pool(pool_obj_t *obj);
static void or_throw(pool_status_t status);
static zend_object *end_all(pool_obj_t *obj);
/* The strategy, for C code that releases. */
static void report_success(pool_t *pool, void *ctx);
static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx);
static bool should_recover(pool_t *pool, void *ctx);

void asyncpool_acquire(pool_obj_t *obj, zend_long timeout_ms, zval *result)
{
    if (!asyncpool_budget_beat(obj))
        return;
    pool_status_t status = obj->pool ? POOL_OK : POOL_ERR_CLOSED;
    asyncpool_op_t *op = asyncpool_op(obj, true);
    bound(obj, op, timeout_ms);
    if (obj->pool && asyncpool_lib.pool_op_join(obj->pool, &op->op, timeout_ms))
        asyncpool_queue(obj, op, &status, result);
    else
        asyncpool_run(obj, op, &status, result);
    if (status != POOL_OK && !EG(exception))
        asyncpool_throw_status(status);
}

void asyncpool_try_acquire(pool_obj_t *obj, zval *result)
{
    if (!asyncpool_budget_beat(obj) || !obj->pool)
        return;
    asyncpool_op_t *op = asyncpool_op(obj, true);
    pool_status_t status = asyncpool_lib.pool_op_try_acquire(obj->pool, &op->op);
    asyncpool_run(obj, op, &status, result);
    if (status != POOL_OK && status != POOL_EMPTY && status != POOL_ERR_CLOSED && status != POOL_ERR_UNAVAILABLE &&
        !EG(exception))
        asyncpool_throw_status(status);
}

void asyncpool_release(pool_obj_t *obj, zval *resource)
{
    give_back(obj, asyncpool_lib.pool_op_release, resource);
    asyncpool_budget_beat(obj);
}

void asyncpool_discard(pool_obj_t *obj, zval *resource)
{
    give_back(obj, asyncpool_lib.pool_op_discard, resource);
    asyncpool_budget_beat(obj);
}

void asyncpool_detach(pool_obj_t *obj, zval *resource) { give_back(obj, asyncpool_lib.pool_op_detach, resource); }

/* By lease: if the call gives it back itself, it may be lent to another by then. After an exit nothing runs, as in PHP
 * code. */
void asyncpool_with(pool_obj_t *obj, zend_fcall_info *use, zend_fcall_info_cache *cache, zend_long timeout_ms)
{
    pool_lease_t lent = {0};
    zval resource;
    ZVAL_UNDEF(&resource);
    if (!lease(obj, timeout_ms, &lent, &resource))
        return;
    use->params = &resource;
    use->param_count = 1;
    zend_call_function(use, cache);
    if (!EG(exception) || !zend_is_unwind_exit(EG(exception))) {
        bool discards = EG(exception) && asyncpool_is_to_discard(obj);
        asyncpool_stash_t stash = asyncpool_stash();
        end(obj, &lent, discards, &resource);
        asyncpool_budget_beat(obj);
        asyncpool_unstash(stash, false);
    }
    zval_ptr_dtor(&resource);
}

/* False and an exception: nothing is lent. */
static bool lease(pool_obj_t *obj, zend_long timeout_ms, pool_lease_t *lease, zval *result)
{
    if (!asyncpool_budget_beat(obj))
        return false;
    asyncpool_op_t *op = asyncpool_op(obj, true);
    bound(obj, op, timeout_ms);
    pool_status_t status = asyncpool_lib.pool_op_acquire(obj->pool, &op->op, timeout_ms);
    if (!obj->pool)
        status = POOL_ERR_CLOSED;
    op->lease = lease;
    asyncpool_run(obj, op, &status, result);
    if (status != POOL_OK && !EG(exception))
        asyncpool_throw_status(status);
    return Z_TYPE_P(result) != IS_UNDEF;
}

/* Lets a budget know how long the caller waits; 0: for ever. */
static void bound(pool_obj_t *obj, asyncpool_op_t *op, zend_long timeout_ms)
{
    if (UNEXPECTED(obj->budget) && timeout_ms > 0)
        op->until_ns = asyncpool_in(timeout_ms);
}

/* Ends the lend of a value in the given way. */
static void give_back(pool_obj_t *obj, begin_t begin, zval *resource)
{
    if (!obj->pool) {
        end_late(obj, begin, resource, true);
        return;
    }
    asyncpool_op_t *op = NULL;
    pool_status_t status = POOL_ERR_NOT_OWNED;
    asyncpool_entry_t *entry = begin_end(obj, &op, begin, resource, &status);
    if (op)
        asyncpool_run(obj, op, &status, NULL);
    else
        asyncpool_wake(obj);
    if (status == POOL_OK && begin == asyncpool_lib.pool_op_detach) {
        asyncpool_store_remove(&obj->store, entry);
        zval_ptr_dtor(&entry->value);
        efree(entry);
    }
    check(status);
}

/* Begins to end the lend of one that is lent, of those with this value: that one. *op: if something is to be asked or
 * decided. What with() has it ends itself, so that comes last. No PHP code runs before one is found. */
static asyncpool_entry_t *begin_end(pool_obj_t *obj, asyncpool_op_t **op, begin_t begin, zval *resource,
                                    pool_status_t *status)
{
    asyncpool_entry_t *begun = begin_end_of(obj, op, begin, resource, false, status);
    return *status == POOL_ERR_NOT_OWNED ? begin_end_of(obj, op, begin, resource, true, status) : begun;
}

static asyncpool_entry_t *begin_end_of(pool_obj_t *obj, asyncpool_op_t **op, begin_t begin, zval *resource, bool withs,
                                       pool_status_t *status)
{
    asyncpool_entry_t *entry = asyncpool_store_find(&obj->store, resource, NULL), *begun = NULL;
    while (entry && *status == POOL_ERR_NOT_OWNED && may_be_lent(obj, entry)) {
        asyncpool_entry_t *next = asyncpool_store_find(&obj->store, resource, entry);
        uint8_t lent = entry->lent;
        if (withs || lent != ASYNCPOOL_LENT_WITH) {
            asyncpool_store_mark(&obj->store, entry, ASYNCPOOL_KEPT);
            *status = begin == asyncpool_lib.pool_op_release ? asyncpool_lib.pool_give(obj->pool, entry) : POOL_PENDING;
            if (*status == POOL_PENDING) {
                *op = *op ? *op : asyncpool_op(obj, false);
                *status = begin(obj->pool, &(*op)->op, entry);
            }
            if (lent && *status != POOL_OK && *status != POOL_ERR_NOT_OWNED)
                asyncpool_store_mark(&obj->store, entry, lent);
            begun = entry;
        }
        entry = next;
    }
    return begun;
}

/* What PHP code has is marked. C code may have handed it what it had borrowed: then something more is lent. */
static bool may_be_lent(const pool_obj_t *obj, const asyncpool_entry_t *entry)
{
    return entry->lent || asyncpool_lib.pool_active_count(obj->pool) > obj->store.lent;
}

/* Ends this lend, and no other; the value is that of the resource. */
static void end(pool_obj_t *obj, const pool_lease_t *lease, bool discards, zval *resource)
{
    begin_t begin = discards ? asyncpool_lib.pool_op_discard : asyncpool_lib.pool_op_release;
    pool_status_t status;
    if (!obj->pool) {
        end_late(obj, begin, resource, false);
        return;
    }
    asyncpool_op_t *op = asyncpool_op(obj, false);
    if (lease->id == 0) /* there was no memory for one */
        status = begin(obj->pool, &op->op, lease->resource);
    else if (discards)
        status = asyncpool_lib.pool_op_discard_lease(obj->pool, &op->op, lease);
    else
        status = asyncpool_lib.pool_op_release_lease(obj->pool, &op->op, lease);
    op->returned = lease->resource;
    asyncpool_run(obj, op, &status, NULL);
    if (status != POOL_ERR_NOT_OWNED)
        check(status);
}

/* Ends the lend of what was lent by a pool that is gone. In a child of a fork it is the parent's, and no hook may touch
 * it. */
static void end_late(pool_obj_t *obj, begin_t begin, zval *resource, bool must_be_lent)
{
    asyncpool_entry_t *entry = asyncpool_store_find(&obj->store, resource, NULL);
    zend_object *error = NULL;
    if (asyncpool_lib.pool_release(NULL, entry) == POOL_ERR_FORKED) {
        check(POOL_ERR_FORKED);
        return;
    }
    if (!entry) {
        if (must_be_lent)
            check(POOL_ERR_NOT_OWNED);
        return;
    }
    asyncpool_store_remove(&obj->store, entry);
    if (begin == asyncpool_lib.pool_op_release) {
        zend_object *refusal = asyncpool_refusal(obj, &entry->value);
        if (!EG(exception))
            asyncpool_report(obj, refusal);
        if (refusal)
            OBJ_RELEASE(refusal);
        error = asyncpool_catch(NULL);
    }
    if (begin != asyncpool_lib.pool_op_detach && !EG(exception))
        asyncpool_destroy(obj, &entry->value);
    if (error && EG(exception))
        EG(exception) = asyncpool_chain(error, EG(exception));
    else if (error)
        zend_throw_exception_internal(error);
    zval_ptr_dtor(&entry->value);
    efree(entry);
    if (begin != asyncpool_lib.pool_op_detach)
        asyncpool_budget_give(obj);
}

/* Throws if a lend did not end. Closed: it was destroyed by a destruction of the pool meanwhile. */
static void check(pool_status_t status)
{
    if (status != POOL_OK && status != POOL_ERR_CLOSED && !EG(exception))
        asyncpool_throw_status(status);
}

/* Nobody is there to be told of errors: what hooks throw is dropped, and the next pass tries again. */
void asyncpool_sweep(pool_obj_t *obj)
{
    asyncpool_maintenance_come(obj);
    asyncpool_op_t *op = asyncpool_op(obj, true);
    pool_status_t status = asyncpool_lib.pool_op_sweep(obj->pool, &op->op);
    asyncpool_run(obj, op, &status, NULL);
    asyncpool_drop();
}

void asyncpool_close(pool_obj_t *obj)
{
    pool_status_t status = close_pool(obj);
    if (status == POOL_ERR_FORKED && !EG(exception))
        asyncpool_throw_status(status);
}

void asyncpool_evict(pool_obj_t *obj)
{
    pool_status_t status = obj->pool ? POOL_OK : POOL_ERR_CLOSED;
    if (asyncpool_is_foreign(obj)) {
        status = asyncpool_lib.pool_evict(obj->pool);
        asyncpool_after_library();
    } else if (obj->pool) {
        asyncpool_op_t *op = asyncpool_op(obj, false);
        status = asyncpool_lib.pool_op_evict(obj->pool, &op->op);
        asyncpool_run(obj, op, &status, NULL);
    }
    or_throw(status);
}

void asyncpool_trim(pool_obj_t *obj, zend_long keep_idle)
{
    pool_status_t status = obj->pool ? POOL_OK : POOL_ERR_CLOSED;
    if (asyncpool_is_foreign(obj)) {
        status = asyncpool_lib.pool_trim(obj->pool, (uint32_t)keep_idle);
        asyncpool_after_library();
    } else if (obj->pool) {
        asyncpool_op_t *op = asyncpool_op(obj, false);
        status = asyncpool_lib.pool_op_trim(obj->pool, &op->op, (uint32_t)keep_idle);
        asyncpool_run(obj, op, &status, NULL);
    }
    or_throw(status);
}

void asyncpool_resize(pool_obj_t *obj, zend_long min, zend_long max)
{
    pool_status_t status = obj->pool ? POOL_OK : POOL_ERR_CLOSED;
    if (asyncpool_is_foreign(obj)) {
        status = asyncpool_lib.pool_resize(obj->pool, (uint32_t)min, (uint32_t)max);
        asyncpool_after_library();
    } else if (obj->pool) {
        asyncpool_op_t *op = asyncpool_op(obj, false);
        status = asyncpool_lib.pool_op_resize(obj->pool, &op->op, (uint32_t)min, (uint32_t)max);
        asyncpool_run(obj, op, &status, NULL);
    }
    or_throw(status);
    if (!EG(exception) && obj->hooks && obj->pool && !asyncpool_lib.pool_is_closed(obj->pool))
        asyncpool_maintenance_resized(obj, min);
}

void asyncpool_drain(pool_obj_t *obj, zend_long timeout_ms)
{
    pool_status_t status;
    if (asyncpool_is_foreign(obj)) {
        status = asyncpool_lib.pool_drain(obj->pool, timeout_ms);
        asyncpool_after_library();
    } else {
        asyncpool_op_t *op = asyncpool_op(obj, false);
        status = asyncpool_lib.pool_op_drain(obj->pool, &op->op, timeout_ms);
        asyncpool_run(obj, op, &status, NULL);
    }
    if (status != POOL_ERR_CLOSED)
        or_throw(status);
}

/* Who is first in line is told if it fails, and nobody else is there to be told. */
void asyncpool_make_one(pool_obj_t *obj)
{
    asyncpool_makers_come(obj);
    asyncpool_op_t *op = asyncpool_op(obj, false);
    op->behind = true;
    pool_status_t status = asyncpool_lib.pool_op_create_behind(obj->pool, &op->op);
    asyncpool_run(obj, op, &status, NULL);
    asyncpool_drop();
}

static pool_status_t close_pool(pool_obj_t *obj)
{
    asyncpool_op_t *op = asyncpool_op(obj, false);
    pool_status_t status = asyncpool_lib.pool_op_close(obj->pool, &op->op);
    asyncpool_run(obj, op, &status, NULL);
    return status;
}

static void or_throw(pool_status_t status)
{
    if (status != POOL_OK && !EG(exception))
        asyncpool_throw_status(status);
}

void asyncpool_set_strategy(pool_obj_t *obj, zend_object *strategy)
{
    zend_object *before = obj->strategy;
    obj->strategy = strategy;
    if (strategy)
        GC_ADDREF(strategy);
    obj->reports = (pool_circuit_breaker_strategy_t){report_success, report_failure, should_recover, obj, NULL};
    if (obj->pool)
        asyncpool_lib.pool_set_strategy(obj->pool, strategy ? &obj->reports : NULL);
    if (before)
        asyncpool_strategy_let_go(obj, before);
}

void asyncpool_set_threshold(pool_obj_t *obj, zend_long failures, zend_long open_ms, zend_long successes)
{
    if (obj->hooks)
        asyncpool_set_strategy(obj, NULL);
    if (!obj->pool || EG(exception))
        return;
    pool_status_t status =
        asyncpool_lib.pool_strategy_threshold(obj->pool, (uint32_t)failures, (uint32_t)open_ms, (uint32_t)successes);
    asyncpool_after_library();
    or_throw(status);
}

void asyncpool_dispose(pool_obj_t *obj)
{
    if (!obj->pool || obj->ending) /* or a hook of its end destructs it */
        return;
    obj->ending = true;
    zend_object *error = end_all(obj);
    obj->ending = false;
    if (!asyncpool_unwinding())
        asyncpool_forget(obj);
    if (error && EG(exception))
        OBJ_RELEASE(error);
    else if (error)
        zend_throw_exception_internal(error);
}

/* Twice: while the pool closes, what it has lent may come back. An exit leaves the rest to the end of the object. */
static zend_object *end_all(pool_obj_t *obj)
{
    zend_object *error = asyncpool_abandon_all(obj, false);
    if (!EG(exception))
        close_pool(obj);
    error = asyncpool_catch(error);
    if (!EG(exception)) {
        zend_object *later = asyncpool_abandon_all(obj, false);
        if (later)
            error = asyncpool_chain(error, later);
    }
    return error;
}

/* ---- the strategy, for C code that releases ---- */

typedef struct report {
    pool_obj_t *obj;
    const pool_error_t *error; /* NULL: success */
    bool recovers;
} report_t;

static void tell(void *argument)
{
    report_t *report = argument;
    if (!report->error) {
        asyncpool_report(report->obj, NULL);
        return;
    }
    zend_object *exception = asyncpool_exception(report->error->message);
    asyncpool_report(report->obj, exception);
    OBJ_RELEASE(exception);
}

static void ask(void *argument)
{
    report_t *report = argument;
    report->recovers = asyncpool_should_recover(report->obj);
}

/* The strategy may let the object go, which C code does not keep. */
static bool call(void (*body)(void *), pool_obj_t *obj, const pool_error_t *error)
{
    report_t report = {.obj = obj, .error = error};
    asyncpool_guarded(body, &report, &obj->std);
    return report.recovers;
}

static void report_success(pool_t *pool, void *ctx) { call(tell, ctx, NULL); }
static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx) { call(tell, ctx, error); }
static bool should_recover(pool_t *pool, void *ctx) { return call(ask, ctx, NULL); }
