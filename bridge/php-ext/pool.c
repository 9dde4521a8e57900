/* The methods of Async\Pool. */
#include "lane.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "pool_arginfo.h"

zend_class_entry *asyncpool_ce_pool;

void asyncpool_pool_register(void)
{
    asyncpool_ce_pool = register_class_Async_Pool(zend_ce_countable, asyncpool_ce_breaker);
    asyncpool_object_register(asyncpool_ce_pool);
}

static pool_obj_t *self(zend_execute_data *execute_data) { return asyncpool_obj(Z_OBJ(EX(This))); }

/* False and an exception where there is no pool. */
static bool ready(const pool_obj_t *obj)
{
    if (EXPECTED(obj->constructed))
        return true;
    zend_throw_exception(asyncpool_ce_pool_exception, "Pool is not initialized", 0);
    return false;
}

/* The same where PHP cannot hold what the pool lends. Nothing has been taken by then. */
static bool lends_to_php(const pool_obj_t *obj)
{
    if (EXPECTED(!asyncpool_is_foreign(obj)))
        return true;
    zend_throw_exception(asyncpool_ce_pool_exception,
                         "Pool lends what PHP cannot hold: only the extension that made it can lend it", 0);
    return false;
}

PHP_METHOD(Async_Pool, __clone) { ZEND_PARSE_PARAMETERS_NONE(); }

PHP_METHOD(Async_Pool, __destruct)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_maintenance_end(obj);
    if (obj->hooks)
        asyncpool_dispose(obj);
}

/* ---- lending ---- */

PHP_METHOD(Async_Pool, acquire)
{
    pool_obj_t *obj = self(execute_data);
    zend_long timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (timeout < 0) {
        zend_argument_value_error(1, "must be >= 0");
        RETURN_THROWS();
    }
    if (!asyncpool_lane_take(obj, return_value) && ready(obj) && lends_to_php(obj))
        asyncpool_acquire(obj, timeout, return_value);
}

PHP_METHOD(Async_Pool, tryAcquire)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (!asyncpool_lane_take(obj, return_value) && obj->constructed && lends_to_php(obj))
        asyncpool_try_acquire(obj, return_value);
}

PHP_METHOD(Async_Pool, release)
{
    pool_obj_t *obj = self(execute_data);
    zval *resource;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ZVAL(resource)
    ZEND_PARSE_PARAMETERS_END();
    if (!asyncpool_lane_give(obj, resource) && ready(obj) && lends_to_php(obj))
        asyncpool_release(obj, resource);
}

PHP_METHOD(Async_Pool, discard)
{
    pool_obj_t *obj = self(execute_data);
    zval *resource;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ZVAL(resource)
    ZEND_PARSE_PARAMETERS_END();
    if (ready(obj) && lends_to_php(obj))
        asyncpool_discard(obj, resource);
}

PHP_METHOD(Async_Pool, detach)
{
    pool_obj_t *obj = self(execute_data);
    zval *resource;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_ZVAL(resource)
    ZEND_PARSE_PARAMETERS_END();
    if (ready(obj) && lends_to_php(obj))
        asyncpool_detach(obj, resource);
}

PHP_METHOD(Async_Pool, with)
{
    pool_obj_t *obj = self(execute_data);
    zend_fcall_info use;
    zend_fcall_info_cache cache;
    zend_long timeout = 0;
    ZEND_PARSE_PARAMETERS_START(1, 2)
    Z_PARAM_FUNC(use, cache)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (timeout < 0) {
        zend_argument_value_error(2, "must be >= 0");
        RETURN_THROWS();
    }
    use.retval = return_value;
    if (ready(obj) && lends_to_php(obj))
        asyncpool_with(obj, &use, &cache, timeout);
    if (Z_ISREF_P(return_value))
        zend_unwrap_reference(return_value);
}

PHP_METHOD(Async_Pool, close)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_maintenance_end(obj);
    if (asyncpool_is_foreign(obj)) {
        asyncpool_lib.pool_close(obj->pool);
        asyncpool_after_library();
    } else if (obj->pool) {
        asyncpool_close(obj);
    }
}

PHP_METHOD(Async_Pool, drain)
{
    pool_obj_t *obj = self(execute_data);
    zend_long timeout = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(timeout)
    ZEND_PARSE_PARAMETERS_END();
    if (timeout < 0) {
        zend_argument_value_error(1, "must be >= 0");
        RETURN_THROWS();
    }
    asyncpool_maintenance_end(obj);
    if (obj->pool)
        asyncpool_drain(obj, timeout);
}

PHP_METHOD(Async_Pool, evict)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (ready(obj))
        asyncpool_evict(obj);
}

PHP_METHOD(Async_Pool, resize)
{
    pool_obj_t *obj = self(execute_data);
    zend_long min, max;
    ZEND_PARSE_PARAMETERS_START(2, 2)
    Z_PARAM_LONG(min)
    Z_PARAM_LONG(max)
    ZEND_PARSE_PARAMETERS_END();
    if (!asyncpool_options_check_resize(min, max) || !ready(obj))
        RETURN_THROWS();
    asyncpool_resize(obj, min, max);
}

PHP_METHOD(Async_Pool, trim)
{
    pool_obj_t *obj = self(execute_data);
    zend_long keep_idle = 0;
    ZEND_PARSE_PARAMETERS_START(0, 1)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(keep_idle)
    ZEND_PARSE_PARAMETERS_END();
    if (!asyncpool_options_check_trim(keep_idle) || !ready(obj))
        RETURN_THROWS();
    asyncpool_trim(obj, keep_idle);
}

PHP_METHOD(Async_Pool, isClosed)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_BOOL(!obj->pool || asyncpool_lib.pool_is_closed(obj->pool));
}

/* ---- counts ---- */

PHP_METHOD(Async_Pool, count)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(obj->pool ? asyncpool_lib.pool_count(obj->pool) : 0);
}

PHP_METHOD(Async_Pool, idleCount)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(obj->pool ? asyncpool_lib.pool_idle_count(obj->pool) : 0);
}

PHP_METHOD(Async_Pool, activeCount)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(obj->pool ? asyncpool_lib.pool_active_count(obj->pool) : 0);
}

PHP_METHOD(Async_Pool, waitingCount)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    RETURN_LONG(obj->pool ? asyncpool_lib.pool_waiting_count(obj->pool) : 0);
}

PHP_METHOD(Async_Pool, stats)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (ready(obj))
        asyncpool_stats(obj, return_value);
}

PHP_METHOD(Async_Pool, lends)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    asyncpool_lends(obj, return_value);
}

PHP_METHOD(Async_Pool, __debugInfo)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    array_init(return_value);
    add_assoc_long(return_value, "idle", obj->pool ? asyncpool_lib.pool_idle_count(obj->pool) : 0);
    add_assoc_long(return_value, "active", obj->pool ? asyncpool_lib.pool_active_count(obj->pool) : 0);
    add_assoc_bool(return_value, "closed", !obj->pool || asyncpool_lib.pool_is_closed(obj->pool));
}

/* ---- the circuit breaker ---- */

PHP_METHOD(Async_Pool, setCircuitBreakerStrategy)
{
    pool_obj_t *obj = self(execute_data);
    zend_object *strategy;
    ZEND_PARSE_PARAMETERS_START(1, 1)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(strategy, asyncpool_ce_strategy)
    ZEND_PARSE_PARAMETERS_END();
    if (!ready(obj))
        RETURN_THROWS();
    if (asyncpool_is_foreign(obj)) { /* its releases may come on any thread */
        zend_throw_exception(asyncpool_ce_pool_exception, "Only a pool made in PHP can have a strategy in PHP", 0);
        RETURN_THROWS();
    }
    asyncpool_set_strategy(obj, strategy);
}

PHP_METHOD(Async_Pool, setThreshold)
{
    pool_obj_t *obj = self(execute_data);
    zend_long failures, open_ms, successes = 1;
    ZEND_PARSE_PARAMETERS_START(2, 3)
    Z_PARAM_LONG(failures)
    Z_PARAM_LONG(open_ms)
    Z_PARAM_OPTIONAL
    Z_PARAM_LONG(successes)
    ZEND_PARSE_PARAMETERS_END();
    if (asyncpool_options_check_threshold(failures, open_ms, successes) && ready(obj))
        asyncpool_set_threshold(obj, failures, open_ms, successes);
}

PHP_METHOD(Async_Pool, getState)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (ready(obj))
        RETURN_OBJ(asyncpool_breaker_state(asyncpool_lib.pool_state(obj->pool)));
}

/* Moves the breaker. A closed pool has none to move. */
static void move(pool_obj_t *obj, pool_status_t (*to)(pool_t *))
{
    pool_status_t status = to(obj->pool);
    asyncpool_after_library();
    if (status == POOL_ERR_FORKED)
        asyncpool_throw_status(status);
}

PHP_METHOD(Async_Pool, activate)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (ready(obj))
        move(obj, asyncpool_lib.pool_activate);
}

PHP_METHOD(Async_Pool, deactivate)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (ready(obj))
        move(obj, asyncpool_lib.pool_deactivate);
}

PHP_METHOD(Async_Pool, recover)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (ready(obj))
        move(obj, asyncpool_lib.pool_recover);
}
