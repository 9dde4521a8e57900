/*
 * The table for other extensions. It can be had when an extension is loaded, before the library is: each function
 * goes on to the library's, which the first one that makes a pool loads. What PHP code does inside a call of the
 * library - an exception, a fatal error, a wake-up - goes on when the call has returned.
 */
#include "internal.h"

/* The library's table; NULL: it cannot be loaded. */
static const pool_api_t *loaded(void)
{
    zend_string *why = asyncpool_load();
    if (UNEXPECTED(why))
        zend_string_release(why);
    return asyncpool_lib.table;
}

#define THERE asyncpool_lib.table
/* lazy_NAME(parameters): the function of the table, or another answer where there is no library. */
#define FORWARD(type, name, parameters, arguments, otherwise, library)                             \
    static type lazy_##name parameters                                                                    \
    {                                                                                              \
        const pool_api_t *table = library;                                                         \
        if (UNEXPECTED(!table))                                                                    \
            return otherwise;                                                                      \
        type answer = table->name arguments;                                                       \
        asyncpool_after_library();                                                                 \
        return answer;                                                                             \
    }

FORWARD(pool_t *, create_internal,
        (pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck,
         pool_before_acquire_fn before_acquire, pool_before_release_fn before_release, uint32_t min,
         uint32_t max, uint32_t interval),
        (factory, destructor, healthcheck, before_acquire, before_release, min, max, interval), NULL, loaded())
FORWARD(pool_t *, create,
        (pool_fcall_t * factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck,
         pool_fcall_t *before_acquire, pool_fcall_t *before_release, uint32_t min, uint32_t max, uint32_t interval),
        (factory, destructor, healthcheck, before_acquire, before_release, min, max, interval), NULL, loaded())
FORWARD(pool_status_t, create_ex, (const pool_config_t *config, pool_t **out), (config, out),
        POOL_ERR_UNAVAILABLE, loaded())
FORWARD(void *, new_object, (pool_t * pool), (pool), NULL, THERE)
FORWARD(pool_status_t, acquire, (pool_t * pool, void **resource, int64_t timeout_ms), (pool, resource, timeout_ms),
        (*resource = NULL, POOL_ERR_UNAVAILABLE), THERE)
FORWARD(pool_status_t, try_acquire, (pool_t * pool, void **resource), (pool, resource),
        (*resource = NULL, POOL_ERR_UNAVAILABLE), THERE)
FORWARD(pool_status_t, release, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, close, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(bool, is_closed, (const pool_t *pool), (pool), true, THERE)
FORWARD(pool_t *, ref, (pool_t * pool), (pool), NULL, THERE)
FORWARD(pool_status_t, snapshot, (const pool_t *pool, pool_snapshot_t *counts), (pool, counts),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_circuit_state_t, state, (const pool_t *pool), (pool), POOL_CIRCUIT_INACTIVE, THERE)
FORWARD(pool_status_t, activate, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, deactivate, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, recover, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, set_strategy, (pool_t * pool, pool_circuit_breaker_strategy_t *strategy), (pool, strategy),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, set_error, (pool_t * pool, int code, const char *message), (pool, code, message),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, last_error, (int *code, char *message, size_t size), (code, message, size),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(const char *, strerror, (pool_status_t status), (status), "the library is not loaded", THERE)

static void lazy_unref(pool_t *pool)
{
    if (asyncpool_lib.table)
        asyncpool_lib.table->unref(pool);
    asyncpool_after_library();
}

static const pool_api_t table = {
    .struct_size = sizeof table,
    .abi_version = POOL_ABI_VERSION,
    .create_internal = lazy_create_internal,
    .create = lazy_create,
    .create_ex = lazy_create_ex,
    .new_object = lazy_new_object,
    .acquire = lazy_acquire,
    .try_acquire = lazy_try_acquire,
    .release = lazy_release,
    .close = lazy_close,
    .is_closed = lazy_is_closed,
    .ref = lazy_ref,
    .unref = lazy_unref,
    .snapshot = lazy_snapshot,
    .state = lazy_state,
    .activate = lazy_activate,
    .deactivate = lazy_deactivate,
    .recover = lazy_recover,
    .set_strategy = lazy_set_strategy,
    .set_error = lazy_set_error,
    .last_error = lazy_last_error,
    .strerror = lazy_strerror,
};

PHP_ASYNCPOOL_API const pool_api_t *php_asyncpool_api(void) { return &table; }

PHP_ASYNCPOOL_API const pool_scheduler_t *php_asyncpool_scheduler(void) { return &asyncpool_scheduler; }

PHP_ASYNCPOOL_API zend_class_entry *php_asyncpool_ce(void) { return asyncpool_ce_pool; }

PHP_ASYNCPOOL_API pool_t *php_asyncpool_pool(zend_object *object)
{
    return object->ce == asyncpool_ce_pool ? asyncpool_obj(object)->pool : NULL;
}
