/* The constructor of Async\Pool: what it is given is looked at, and the first resources are made. */
#include "internal.h"

#include "zend_exceptions.h"

#define MOST UINT32_MAX /* the library counts places in 32 bits */

void asyncpool_stop(pool_obj_t *obj)
{
    zend_long timer = obj->timer;
    obj->timer = 0;
    if (timer)
        asyncpool_timer_stop(timer);
}

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

/* The classes that a list names. False and an exception: what is no class of exceptions is in it. */
static bool classes_of(zval *list, zend_class_entry ***classes)
{
    zend_class_entry **ce = *classes = ecalloc(zend_hash_num_elements(Z_ARRVAL_P(list)) + 1, sizeof **classes);
    zval *name;
    ZEND_HASH_FOREACH_VAL (Z_ARRVAL_P(list), name) {
        ZVAL_DEREF(name);
        *ce = Z_TYPE_P(name) == IS_STRING ? zend_lookup_class(Z_STR_P(name)) : NULL;
        bool fits = *ce && (instanceof_function(*ce, zend_ce_throwable) || (*ce)->ce_flags & ZEND_ACC_INTERFACE);
        if (!fits && !EG(exception))
            zend_argument_value_error(9, "must be a list of classes of exceptions, %s given",
                                      Z_TYPE_P(name) == IS_STRING ? Z_STRVAL_P(name) : zend_zval_type_name(name));
        if (!fits)
            break;
        ce++;
    }
    ZEND_HASH_FOREACH_END();
    if (!EG(exception))
        return true;
    efree(*classes);
    *classes = NULL;
    return false;
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
    sizes_t sizes = {0, 10, 0};
    zval *discard_on = NULL;
    zend_class_entry **classes = NULL;
    ZEND_PARSE_PARAMETERS_START(1, 9)
    Z_PARAM_ZVAL(callables[ASYNCPOOL_FACTORY])
    Z_PARAM_OPTIONAL
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_DESTRUCTOR])
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_HEALTHCHECK])
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_BEFORE_ACQUIRE])
    Z_PARAM_ZVAL_OR_NULL(callables[ASYNCPOOL_BEFORE_RELEASE])
    Z_PARAM_LONG(sizes.min)
    Z_PARAM_LONG(sizes.max)
    Z_PARAM_LONG(sizes.interval)
    Z_PARAM_ARRAY(discard_on)
    ZEND_PARSE_PARAMETERS_END();

    if (!are_callable(callables))
        RETURN_THROWS();
    if (is_constructed(obj))
        RETURN_THROWS();
    asyncpool_hooks_t *hooks = NULL;
    if (!in_range(&sizes) || (discard_on && !classes_of(discard_on, &classes)))
        RETURN_THROWS();
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
    obj->hooks = hooks;
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
        obj->timer = asyncpool_timer_start(sizes.interval, asyncpool_ref(obj));
}
