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
#define FORWARD(type, name, parameters, arguments, otherwise, library) \
    static type lazy_##name parameters                                 \
    {                                                                  \
        const pool_api_t *table = library;                             \
        if (UNEXPECTED(!POOL_API_HAS(table, name)))                    \
            return otherwise;                                          \
        type outcome = table->name arguments;                          \
        asyncpool_after_library();                                     \
        return outcome;                                                \
    }

FORWARD(pool_t *, create_internal,
        (pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck,
         pool_before_acquire_fn before_acquire, pool_before_release_fn before_release, uint32_t min, uint32_t max,
         uint32_t interval),
        (factory, destructor, healthcheck, before_acquire, before_release, min, max, interval), NULL, loaded())
FORWARD(pool_t *, create,
        (pool_fcall_t * factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck, pool_fcall_t *before_acquire,
         pool_fcall_t *before_release, uint32_t min, uint32_t max, uint32_t interval),
        (factory, destructor, healthcheck, before_acquire, before_release, min, max, interval),
        pool_api_no_pool_of(factory, destructor, healthcheck, before_acquire, before_release), loaded())
FORWARD(pool_status_t, create_ex, (const pool_config_t *config, pool_t **out), (config, out),
        pool_api_no_pool(config, out), loaded())
FORWARD(void *, new_object, (pool_t * pool), (pool), NULL, THERE)
FORWARD(pool_status_t, acquire, (pool_t * pool, void **resource, int64_t timeout_ms), (pool, resource, timeout_ms),
        pool_api_no_resource(resource), THERE)
FORWARD(pool_status_t, try_acquire, (pool_t * pool, void **resource), (pool, resource), pool_api_no_resource(resource),
        THERE)
FORWARD(pool_status_t, release, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, close, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(bool, is_closed, (const pool_t *pool), (pool), true, THERE)
FORWARD(pool_t *, ref, (pool_t * pool), (pool), NULL, THERE)
FORWARD(pool_status_t, snapshot, (const pool_t *pool, pool_snapshot_t *counts), (pool, counts), POOL_ERR_UNAVAILABLE,
        THERE)
FORWARD(pool_status_t, stats, (pool_t * pool, pool_stats_t *stats), (pool, stats), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(size_t, metrics, (char *buffer, size_t size), (buffer, size), pool_api_no_text(buffer, size), THERE)
FORWARD(size_t, describe, (const pool_t *pool, char *buffer, size_t size), (pool, buffer, size),
        pool_api_no_text(buffer, size), THERE)
FORWARD(pool_circuit_state_t, state, (const pool_t *pool), (pool), POOL_CIRCUIT_INACTIVE, THERE)
FORWARD(pool_status_t, activate, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, deactivate, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, recover, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, set_strategy, (pool_t * pool, pool_circuit_breaker_strategy_t *strategy), (pool, strategy),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, set_error, (pool_t * pool, int code, const char *message), (pool, code, message),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, last_error, (int *code, char *message, size_t size), (code, message, size),
        pool_api_no_error(code, message, size), THERE)
FORWARD(int64_t, time_left_ms, (const pool_t *pool), (pool), INT64_MAX, THERE)
FORWARD(pool_status_t, try_later, (pool_t * pool, uint32_t ms), (pool, ms), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(const char *, strerror, (pool_status_t status), (status), "the library is not loaded", THERE)

static pool_ask_kind_t lazy_no_ask(pool_ask_t *ask)
{
    if (ask && ask->struct_size >= sizeof *ask)
        *ask = (pool_ask_t){.struct_size = ask->struct_size, .status = POOL_ERR_UNAVAILABLE};
    return POOL_ASK_DONE;
}

FORWARD(void *, take, (pool_t * pool), (pool), NULL, THERE)
FORWARD(uint32_t, count, (const pool_t *pool), (pool), 0, THERE)
FORWARD(uint32_t, idle_count, (const pool_t *pool), (pool), 0, THERE)
FORWARD(uint32_t, active_count, (const pool_t *pool), (pool), 0, THERE)
FORWARD(uint32_t, waiting_count, (const pool_t *pool), (pool), 0, THERE)
FORWARD(uint32_t, debug_live, (void), (), 0, THERE)
FORWARD(uint64_t, debug_crossings, (void), (), 0, THERE)
FORWARD(pool_status_t, strategy_threshold, (pool_t * pool, uint32_t failures, uint32_t open_ms, uint32_t successes),
        (pool, failures, open_ms, successes), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, strategy_threshold_on,
        (pool_t * pool, uint32_t what, uint32_t failures, uint32_t open_ms, uint32_t successes),
        (pool, what, failures, open_ms, successes), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(const char *, status_name, (pool_status_t status), (status), "the library is not loaded", THERE)
FORWARD(const char *, version, (void), (), "the library is not loaded", THERE)
FORWARD(pool_status_t, op_acquire, (pool_t * pool, pool_op_t *op, int64_t timeout_ms), (pool, op, timeout_ms),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_try_acquire, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_release, (pool_t * pool, pool_op_t *op, void *resource), (pool, op, resource),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_close, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_fill, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_sweep, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_create_behind, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(uint32_t, creations_due, (const pool_t *pool), (pool), 0, THERE)
FORWARD(pool_status_t, give, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_ask_kind_t, op_next, (pool_op_t * op, const pool_answer_t *answer, pool_ask_t *ask), (op, answer, ask),
        lazy_no_ask(ask), THERE)
FORWARD(pool_status_t, op_wait, (pool_op_t * op, int64_t until_ns), (op, until_ns), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(int64_t, op_until_ns, (const pool_op_t *op), (op), INT64_MAX, THERE)
FORWARD(pool_op_t *, op_woken, (pool_t * pool), (pool), NULL, THERE)
FORWARD(bool, op_join, (pool_t * pool, pool_op_t *op, int64_t timeout_ms), (pool, op, timeout_ms), false, THERE)
FORWARD(void *, op_take, (pool_op_t * op), (op), NULL, THERE)
FORWARD(pool_op_t *, hand_on, (pool_t * pool, void *resource), (pool, resource), NULL, THERE)
FORWARD(pool_status_t, set_asks, (pool_t * pool, uint32_t asks), (pool, asks), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_cancel, (pool_op_t * op), (op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, acquire_async,
        (pool_t * pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback, void *data),
        (pool, op, timeout_ms, callback, data), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(int, fd, (pool_t * pool), (pool), -1, THERE)
FORWARD(int64_t, next_timeout, (pool_t * pool), (pool), -1, THERE)
FORWARD(pool_status_t, dispatch, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_reactor_t *, reactor_create, (void), (), NULL, loaded())
FORWARD(pool_status_t, reactor_attach, (pool_reactor_t * reactor, pool_t *pool), (reactor, pool), POOL_ERR_UNAVAILABLE,
        THERE)
FORWARD(pool_status_t, reactor_acquire,
        (pool_reactor_t * reactor, pool_t *pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback,
         void *data),
        (reactor, pool, op, timeout_ms, callback, data), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(int, reactor_fd, (pool_reactor_t * reactor), (reactor), -1, THERE)
FORWARD(int64_t, reactor_next_timeout, (pool_reactor_t * reactor), (reactor), -1, THERE)
FORWARD(pool_status_t, reactor_dispatch, (pool_reactor_t * reactor), (reactor), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, register_wrapper, (pool_wrapper_fn wrapper), (wrapper), POOL_ERR_UNAVAILABLE, loaded())
FORWARD(pool_status_t, discard, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, detach, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_discard, (pool_t * pool, pool_op_t *op, void *resource), (pool, op, resource),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_detach, (pool_t * pool, pool_op_t *op, void *resource), (pool, op, resource),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, resize, (pool_t * pool, uint32_t min_size, uint32_t max_size), (pool, min_size, max_size),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_resize, (pool_t * pool, pool_op_t *op, uint32_t min_size, uint32_t max_size),
        (pool, op, min_size, max_size), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, trim, (pool_t * pool, uint32_t keep_idle), (pool, keep_idle), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_trim, (pool_t * pool, pool_op_t *op, uint32_t keep_idle), (pool, op, keep_idle),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, evict, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_evict, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, drain, (pool_t * pool, int64_t timeout_ms), (pool, timeout_ms), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_drain, (pool_t * pool, pool_op_t *op, int64_t timeout_ms), (pool, op, timeout_ms),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, resource_info, (pool_t * pool, void *resource, pool_resource_info_t *info),
        (pool, resource, info), POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, acquire_lease, (pool_t * pool, pool_lease_t *lease, int64_t timeout_ms),
        (pool, lease, timeout_ms), pool_api_no_lease(lease), THERE)
FORWARD(pool_status_t, try_acquire_lease, (pool_t * pool, pool_lease_t *lease), (pool, lease), pool_api_no_lease(lease),
        THERE)
FORWARD(pool_status_t, release_lease, (pool_t * pool, const pool_lease_t *lease), (pool, lease), POOL_ERR_UNAVAILABLE,
        THERE)
FORWARD(pool_status_t, discard_lease, (pool_t * pool, const pool_lease_t *lease), (pool, lease), POOL_ERR_UNAVAILABLE,
        THERE)
FORWARD(pool_status_t, detach_lease, (pool_t * pool, const pool_lease_t *lease), (pool, lease), POOL_ERR_UNAVAILABLE,
        THERE)
FORWARD(pool_status_t, op_release_lease, (pool_t * pool, pool_op_t *op, const pool_lease_t *lease), (pool, op, lease),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_discard_lease, (pool_t * pool, pool_op_t *op, const pool_lease_t *lease), (pool, op, lease),
        POOL_ERR_UNAVAILABLE, THERE)
FORWARD(pool_status_t, op_detach_lease, (pool_t * pool, pool_op_t *op, const pool_lease_t *lease), (pool, op, lease),
        POOL_ERR_UNAVAILABLE, THERE)

FORWARD(uint32_t, lends, (pool_t * pool, pool_lend_t *lends, uint32_t n), (pool, lends, n), 0, THERE)

static void lazy_tag(const char *tag)
{
    if (POOL_API_HAS(asyncpool_lib.table, tag))
        asyncpool_lib.table->tag(tag);
    asyncpool_after_library();
}

static void lazy_reactor_unref(pool_reactor_t *reactor)
{
    if (POOL_API_HAS(asyncpool_lib.table, reactor_unref))
        asyncpool_lib.table->reactor_unref(reactor);
    asyncpool_after_library();
}

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
    .take = lazy_take,
    .count = lazy_count,
    .idle_count = lazy_idle_count,
    .active_count = lazy_active_count,
    .waiting_count = lazy_waiting_count,
    .debug_live = lazy_debug_live,
    .debug_crossings = lazy_debug_crossings,
    .strategy_threshold = lazy_strategy_threshold,
    .status_name = lazy_status_name,
    .version = lazy_version,
    .op_acquire = lazy_op_acquire,
    .op_try_acquire = lazy_op_try_acquire,
    .op_release = lazy_op_release,
    .op_close = lazy_op_close,
    .op_fill = lazy_op_fill,
    .op_sweep = lazy_op_sweep,
    .op_next = lazy_op_next,
    .op_wait = lazy_op_wait,
    .op_until_ns = lazy_op_until_ns,
    .op_woken = lazy_op_woken,
    .op_join = lazy_op_join,
    .op_take = lazy_op_take,
    .hand_on = lazy_hand_on,
    .set_asks = lazy_set_asks,
    .op_cancel = lazy_op_cancel,
    .acquire_async = lazy_acquire_async,
    .fd = lazy_fd,
    .next_timeout = lazy_next_timeout,
    .dispatch = lazy_dispatch,
    .reactor_create = lazy_reactor_create,
    .reactor_unref = lazy_reactor_unref,
    .reactor_attach = lazy_reactor_attach,
    .reactor_acquire = lazy_reactor_acquire,
    .reactor_fd = lazy_reactor_fd,
    .reactor_next_timeout = lazy_reactor_next_timeout,
    .reactor_dispatch = lazy_reactor_dispatch,
    .register_wrapper = lazy_register_wrapper,
    .discard = lazy_discard,
    .detach = lazy_detach,
    .op_discard = lazy_op_discard,
    .op_detach = lazy_op_detach,
    .resize = lazy_resize,
    .op_resize = lazy_op_resize,
    .evict = lazy_evict,
    .op_evict = lazy_op_evict,
    .time_left_ms = lazy_time_left_ms,
    .strategy_threshold_on = lazy_strategy_threshold_on,
    .drain = lazy_drain,
    .op_drain = lazy_op_drain,
    .stats = lazy_stats,
    .metrics = lazy_metrics,
    .try_later = lazy_try_later,
    .resource_info = lazy_resource_info,
    .describe = lazy_describe,
    .acquire_lease = lazy_acquire_lease,
    .try_acquire_lease = lazy_try_acquire_lease,
    .release_lease = lazy_release_lease,
    .discard_lease = lazy_discard_lease,
    .detach_lease = lazy_detach_lease,
    .op_release_lease = lazy_op_release_lease,
    .op_discard_lease = lazy_op_discard_lease,
    .op_detach_lease = lazy_op_detach_lease,
    .lends = lazy_lends,
    .tag = lazy_tag,
    .op_create_behind = lazy_op_create_behind,
    .creations_due = lazy_creations_due,
    .give = lazy_give,
    .trim = lazy_trim,
    .op_trim = lazy_op_trim,
};

PHP_ASYNCPOOL_API const pool_api_t *php_asyncpool_api(void) { return &table; }

PHP_ASYNCPOOL_API const pool_scheduler_t *php_asyncpool_scheduler(void) { return &asyncpool_scheduler; }

PHP_ASYNCPOOL_API zend_class_entry *php_asyncpool_ce(void) { return asyncpool_ce_pool; }

PHP_ASYNCPOOL_API pool_t *php_asyncpool_pool(zend_object *object)
{
    return object->ce == asyncpool_ce_pool ? asyncpool_obj(object)->pool : NULL;
}
