/* What a pool of PHP callables does, operation by operation. */
#include "internal.h"

#include "zend_exceptions.h"

static void lend(void *resource, zval *result)
{
    ZVAL_COPY(result, &((asyncpool_entry_t *)resource)->value);
}

void asyncpool_acquire(pool_obj_t *obj, zend_long timeout_ms, zval *result)
{
    void *resource = asyncpool_lib.pool_take(obj->pool);
    if (EXPECTED(resource)) {
        lend(resource, result);
        return;
    }
    pool_status_t status = obj->pool ? POOL_OK : POOL_ERR_CLOSED;
    asyncpool_op_t *op = asyncpool_op(obj, true);
    if (obj->pool && asyncpool_lib.pool_op_join(obj->pool, &op->op, timeout_ms))
        resource = asyncpool_queue(obj, op, &status);
    else
        resource = asyncpool_run(obj, op, &status);
    if (resource)
        lend(resource, result);
    else if (!EG(exception))
        asyncpool_throw_status(status);
}

void asyncpool_try_acquire(pool_obj_t *obj, zval *result)
{
    void *resource = asyncpool_lib.pool_take(obj->pool);
    if (!resource && obj->pool) {
        asyncpool_op_t *op = asyncpool_op(obj, true);
        pool_status_t status = asyncpool_lib.pool_op_try_acquire(obj->pool, &op->op);
        resource = asyncpool_run(obj, op, &status);
        if (EG(exception))
            return;
        if (!resource && status != POOL_EMPTY && status != POOL_ERR_CLOSED && status != POOL_ERR_UNAVAILABLE)
            asyncpool_throw_status(status);
    }
    if (resource)
        lend(resource, result);
}

/* Takes back what was lent by a pool that is gone. */
static void release_late(pool_obj_t *obj, asyncpool_entry_t *entry)
{
    asyncpool_store_remove(&obj->store, entry);
    zend_object *refusal = asyncpool_refusal(obj, &entry->value);
    if (!EG(exception))
        asyncpool_report(obj, refusal);
    if (refusal)
        OBJ_RELEASE(refusal);
    zend_object *error = EG(exception) && !asyncpool_unwinding() ? asyncpool_catch() : NULL;
    if (!EG(exception))
        asyncpool_destroy(obj, &entry->value);
    if (error && EG(exception))
        EG(exception) = asyncpool_chain(error, EG(exception));
    else if (error)
        zend_throw_exception_internal(error);
    zval_ptr_dtor(&entry->value);
    efree(entry);
}

static pool_status_t give_back(pool_obj_t *obj, asyncpool_entry_t *entry)
{
    bool asks = obj->strategy || asyncpool_has(obj->hooks, ASYNCPOOL_BEFORE_RELEASE) ||
                asyncpool_lib.pool_is_closed(obj->pool);
    if (!asks) {
        pool_status_t status = asyncpool_lib.pool_release(obj->pool, entry);
        asyncpool_wake();
        return status;
    }
    asyncpool_op_t *op = asyncpool_op(obj, false);
    pool_status_t status = asyncpool_lib.pool_op_release(obj->pool, &op->op, entry);
    asyncpool_run(obj, op, &status);
    return status;
}

void asyncpool_release(pool_obj_t *obj, zval *resource)
{
    pool_status_t status = POOL_ERR_NOT_OWNED;
    asyncpool_entry_t *entry = asyncpool_store_find(&obj->store, resource, NULL);
    while (entry && status == POOL_ERR_NOT_OWNED) {
        asyncpool_entry_t *next = asyncpool_store_find(&obj->store, resource, entry);
        if (!obj->pool) {
            release_late(obj, entry);
            return;
        }
        status = give_back(obj, entry);
        if (EG(exception))
            return;
        entry = next;
    }
    if (status != POOL_OK && status != POOL_ERR_CLOSED) /* destroyed by a destruction of the pool meanwhile */
        asyncpool_throw_status(status);
}

/* Nobody is there to be told of errors: what hooks throw is dropped, and the next pass tries again. */
void asyncpool_sweep(pool_obj_t *obj)
{
    asyncpool_op_t *op = asyncpool_op(obj, true);
    pool_status_t status = asyncpool_lib.pool_op_sweep(obj->pool, &op->op);
    asyncpool_run(obj, op, &status);
    if (EG(exception) && !asyncpool_unwinding())
        zend_clear_exception();
}

void asyncpool_close(pool_obj_t *obj)
{
    asyncpool_op_t *op = asyncpool_op(obj, false);
    pool_status_t status = asyncpool_lib.pool_op_close(obj->pool, &op->op);
    asyncpool_run(obj, op, &status);
    if (status == POOL_ERR_FORKED && !EG(exception))
        asyncpool_throw_status(status);
}

void asyncpool_dispose(pool_obj_t *obj)
{
    if (!obj->pool)
        return;
    zend_object *error = asyncpool_abandon_all(obj, false);
    if (!EG(exception)) {
        asyncpool_op_t *op = asyncpool_op(obj, false);
        pool_status_t status = asyncpool_lib.pool_op_close(obj->pool, &op->op);
        asyncpool_run(obj, op, &status);
    }
    if (asyncpool_unwinding()) { /* exit in a destructor: the rest follows without hooks, when the object goes */
        if (error)
            OBJ_RELEASE(error);
        return;
    }
    if (EG(exception))
        error = asyncpool_chain(error, asyncpool_catch());
    asyncpool_entry_t *entry;
    ZEND_HASH_FOREACH_PTR(&obj->store.by_key, entry) {
        for (; entry; entry = entry->same)
            asyncpool_forget(obj, entry);
    } ZEND_HASH_FOREACH_END();
    obj->pool->wrapper = NULL;
    if (obj->strategy)
        asyncpool_lib.pool_set_strategy(obj->pool, NULL);
    asyncpool_lib.pool_unref(obj->pool);
    obj->pool = NULL;
    if (error)
        zend_throw_exception_internal(error);
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
    GC_ADDREF(&obj->std);
    asyncpool_guarded(body, &report);
    OBJ_RELEASE(&obj->std);
    return report.recovers;
}

static void report_success(pool_t *pool, void *ctx) { call(tell, ctx, NULL); }
static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx) { call(tell, ctx, error); }
static bool should_recover(pool_t *pool, void *ctx) { return call(ask, ctx, NULL); }

void asyncpool_set_strategy(pool_obj_t *obj, zend_object *strategy)
{
    zend_object *before = obj->strategy;
    obj->strategy = strategy;
    if (strategy)
        GC_ADDREF(strategy);
    obj->reports = (pool_circuit_breaker_strategy_t){report_success, report_failure, should_recover, obj};
    if (obj->pool)
        asyncpool_lib.pool_set_strategy(obj->pool, strategy ? &obj->reports : NULL);
    if (before)
        asyncpool_strategy_let_go(obj, before);
}
