/* The constructor of Async\Pool: what it is given is looked at, and the first resources are made. */
#include "internal.h"

#include "zend_exceptions.h"

/* As for a function written in PHP; what the engine says of its own functions would not name the type. What is
 * deprecated is told when a closure is made of it. */
static bool are_callable(zval *callables[ASYNCPOOL_HOOKS])
{
    const uint32_t numbers[ASYNCPOOL_HOOKS] = {1, 2, 3, 4, 5, 15};
    for (int i = 0; i < ASYNCPOOL_HOOKS; i++) {
        if (callables[i] && !zend_is_callable(callables[i], IS_CALLABLE_SUPPRESS_DEPRECATIONS, NULL)) {
            zend_argument_type_error(numbers[i], "must be of type %scallable, %s given", i > 0 ? "?" : "",
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
static void make(pool_obj_t *obj)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = NULL;
    asyncpool_options_configure(&obj->options, &config);
    config.scheduler = &asyncpool_scheduler;
    config.factory_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_FACTORY);
    config.destructor_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_DESTRUCTOR);
    config.healthcheck_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_HEALTHCHECK);
    config.before_acquire_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_BEFORE_ACQUIRE);
    config.before_release_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_BEFORE_RELEASE);
    config.leaked_fcall = asyncpool_hooks_fcall(obj->hooks, ASYNCPOOL_ON_LEAK);
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
        if (obj->options.min_idle == 0 && !obj->budget) /* which each operation has beat */
            obj->lane = obj->pool;                      /* none, if it was destructed already */
        return;
    }
    if (!EG(exception))
        asyncpool_throw_status(status);
    if (obj->pool)
        give_up(obj);
}

/* Then there is an exception. */
static bool is_constructed(const pool_obj_t *obj)
{
    if (obj->constructed)
        zend_throw_exception(asyncpool_ce_pool_exception, "Pool is already initialized", 0);
    return obj->constructed;
}

PHP_METHOD(Async_Pool, __construct)
{
    pool_obj_t *obj = asyncpool_obj(Z_OBJ_P(ZEND_THIS));
    zval *callables[ASYNCPOOL_HOOKS] = {NULL};
    asyncpool_options_t o = {.max = 10};
    zval *discard_on = NULL;
    zend_object *budget = NULL;
    zend_class_entry **classes = NULL;
    ZEND_PARSE_PARAMETERS_START(1, 25)
    Z_PARAM_ZVAL(callables[ASYNCPOOL_FACTORY])
    Z_PARAM_OPTIONAL
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_DESTRUCTOR])
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_HEALTHCHECK])
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_BEFORE_ACQUIRE])
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_BEFORE_RELEASE])
    Z_PARAM_LONG(o.min)
    Z_PARAM_LONG(o.max)
    Z_PARAM_LONG(o.interval)
    Z_PARAM_LONG(o.max_lifetime)
    Z_PARAM_LONG(o.lifetime_jitter)
    Z_PARAM_LONG(o.idle_timeout)
    Z_PARAM_LONG(o.max_uses)
    Z_PARAM_LONG(o.check_after)
    Z_PARAM_LONG(o.leak_after)
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_ON_LEAK])
    Z_PARAM_LONG(o.max_waiting)
    Z_PARAM_LONG(o.create_retry)
    Z_PARAM_LONG(o.create_retry_max)
    Z_PARAM_BOOL(o.lifo)
    Z_PARAM_BOOL(o.lazy_min)
    Z_PARAM_BOOL(o.create_behind)
    Z_PARAM_ARRAY(discard_on)
    Z_PARAM_LONG(o.min_idle)
    Z_PARAM_BOOL(o.timed)
    Z_PARAM_OBJ_OF_CLASS_OR_NULL(budget, asyncpool_ce_budget)
    ZEND_PARSE_PARAMETERS_END();

    if (!are_callable(callables) || is_constructed(obj) ||
        !asyncpool_options_check(&o, callables[ASYNCPOOL_BEFORE_ACQUIRE], callables[ASYNCPOOL_ON_LEAK]) ||
        (discard_on && !asyncpool_options_of_classes(discard_on, &classes)))
        RETURN_THROWS();
    asyncpool_hooks_t *hooks = NULL;
    bool fine = asyncpool_load_or_throw() && (hooks = asyncpool_hooks_new(obj, callables));
    if (fine && is_constructed(obj)) { /* by an error handler that was told of a deprecated callable */
        asyncpool_hooks_release(hooks);
        fine = false;
    }
    if (!fine) {
        if (classes)
            efree(classes);
        RETURN_THROWS();
    }
    obj->discard_on = classes;
    obj->options = o;
    obj->notes = o.timed || o.leak_after > 0;
    obj->hooks = hooks;
    obj->budget = budget;
    if (budget)
        GC_ADDREF(budget);
    obj->constructed = true;
    make(obj);
    if (EG(exception)) {
        obj->constructed = obj->pool != NULL;
        if (!obj->pool) {
            asyncpool_hooks_release(obj->hooks);
            obj->hooks = NULL;
            if (budget)
                OBJ_RELEASE(budget);
            obj->budget = NULL;
        }
        RETURN_THROWS();
    }
    if (asyncpool_lib.pool_is_closed(obj->pool))
        return;
    if (o.create_behind)
        asyncpool_makers_join(obj);
    asyncpool_maintenance_begin(obj, o.min, o.min_idle > 0 || (o.lazy_min && o.min > 0));
}
