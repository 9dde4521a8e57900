/* The methods of Async\Pool. */
#include "internal.h"

#include "zend_exceptions.h"
#include "zend_interfaces.h"
#include "pool_arginfo.h"

#define MOST UINT32_MAX /* the library counts places in 32 bits */

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

static void stop(pool_obj_t *obj)
{
    zend_long timer = obj->timer;
    obj->timer = 0;
    if (timer)
        asyncpool_timer_stop(timer);
}

/* ---- making one ---- */

typedef struct sizes {
    zend_long min, max, interval;
} sizes_t;

static bool in_range(const sizes_t *s)
{
    if (s->min < 0)
        zend_argument_value_error(6, "must be >= 0");
    else if (s->max < 1)
        zend_argument_value_error(7, "must be >= 1");
    else if (s->min > s->max)
        zend_argument_value_error(6, "must be <= max");
    else if (s->interval < 0)
        zend_argument_value_error(8, "must be >= 0");
    else if (s->max > MOST)
        zend_argument_value_error(7, "must be <= %u", MOST);
    else if (s->interval > MOST)
        zend_argument_value_error(8, "must be <= %u", MOST);
    return !EG(exception);
}

/* As for a function written in PHP; what the engine says of its own functions would not name the type. What is
 * deprecated is told when a closure is made of it. */
static bool are_callable(zval *callables[ASYNCPOOL_HOOKS])
{
    for (int i = 0; i < ASYNCPOOL_HOOKS; i++) {
        if (callables[i] && !zend_is_callable(callables[i], IS_CALLABLE_SUPPRESS_DEPRECATIONS, NULL)) {
            zend_argument_type_error((uint32_t)i + 1, "must be of type %scallable, %s given", i > 0 ? "?" : "",
                                     zend_zval_type_name(callables[i]));
            return false;
        }
    }
    return true;
}

/* Destroys what was made, also after an exit. What the caller is thrown stays that. */
static void give_up(pool_obj_t *obj)
{
    asyncpool_stash_t stash = asyncpool_stash();
    asyncpool_dispose(obj);
    asyncpool_unstash(stash, true);
}

/* The library makes the first resources, with its frames below the factory. */
static void make(pool_obj_t *obj, const sizes_t *sizes)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = NULL;
    config.min_size = (uint32_t)sizes->min;
    config.max_size = (uint32_t)sizes->max;
    config.scheduler = &asyncpool_scheduler;
    config.factory_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_FACTORY);
    config.destructor_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_DESTRUCTOR);
    config.healthcheck_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_HEALTHCHECK);
    config.before_acquire_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_BEFORE_ACQUIRE);
    config.before_release_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_BEFORE_RELEASE);
    obj->filling = true;
    pool_status_t status = asyncpool_lib.pool_create_ex(&config, &pool);
    obj->filling = false;
    if (pool && obj->pool) /* a reference that the first call of a hook has taken */
        asyncpool_lib.pool_unref(pool);
    if (pool)
        obj->pool = pool;
    asyncpool_after_library();
    if (pool) {
        pool->wrapper = &obj->std;
        return;
    }
    if (!EG(exception))
        asyncpool_throw_status(status);
    if (obj->pool)
        give_up(obj);
}

PHP_METHOD(Async_Pool, __construct)
{
    pool_obj_t *obj = self(execute_data);
    zval *callables[ASYNCPOOL_HOOKS] = {NULL};
    sizes_t sizes = {0, 10, 0};
    ZEND_PARSE_PARAMETERS_START(1, 8)
        Z_PARAM_ZVAL(callables[ASYNCPOOL_FACTORY])
        Z_PARAM_OPTIONAL
        Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_DESTRUCTOR])
        Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_HEALTHCHECK])
        Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_BEFORE_ACQUIRE])
        Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_BEFORE_RELEASE])
        Z_PARAM_LONG(sizes.min)
        Z_PARAM_LONG(sizes.max)
        Z_PARAM_LONG(sizes.interval)
    ZEND_PARSE_PARAMETERS_END();

    if (!are_callable(callables))
        RETURN_THROWS();
    if (obj->constructed) {
        zend_throw_exception(asyncpool_ce_pool_exception, "Pool is already initialized", 0);
        RETURN_THROWS();
    }
    if (!in_range(&sizes) || !asyncpool_load_or_throw() || !(obj->hooks = asyncpool_hooks_new(obj, callables)))
        RETURN_THROWS();
    obj->constructed = true;
    make(obj, &sizes);
    if (EG(exception)) {
        obj->constructed = obj->pool != NULL;
        if (!obj->pool) {
            asyncpool_hooks_release(obj->hooks);
            obj->hooks = NULL;
        }
        RETURN_THROWS();
    }
    bool sweeps = asyncpool_has(obj->hooks, ASYNCPOOL_HEALTHCHECK) || sizes.min > 0;
    if (sizes.interval > 0 && sweeps && !asyncpool_lib.pool_is_closed(obj->pool))
        obj->timer = asyncpool_timer_start(sizes.interval, asyncpool_view(obj));
}

PHP_METHOD(Async_Pool, __clone) { ZEND_PARSE_PARAMETERS_NONE(); }

PHP_METHOD(Async_Pool, __destruct)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    stop(obj);
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
    if (ready(obj) && lends_to_php(obj))
        asyncpool_acquire(obj, timeout, return_value);
}

PHP_METHOD(Async_Pool, tryAcquire)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    if (obj->constructed && lends_to_php(obj))
        asyncpool_try_acquire(obj, return_value);
}

PHP_METHOD(Async_Pool, release)
{
    pool_obj_t *obj = self(execute_data);
    zval *resource;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_ZVAL(resource)
    ZEND_PARSE_PARAMETERS_END();
    if (ready(obj) && lends_to_php(obj))
        asyncpool_release(obj, resource);
}

PHP_METHOD(Async_Pool, close)
{
    pool_obj_t *obj = self(execute_data);
    ZEND_PARSE_PARAMETERS_NONE();
    stop(obj);
    if (asyncpool_is_foreign(obj)) {
        asyncpool_lib.pool_close(obj->pool);
        asyncpool_after_library();
    } else if (obj->pool) {
        asyncpool_close(obj);
    }
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
