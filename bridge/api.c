/* The table of functions for consumers that do not link the library. */
#include "internal.h"

static _Atomic pool_wrapper_fn wrapper;

pool_status_t pool_register_wrapper(pool_wrapper_fn constructor)
{
    AP_REFUSE_FORKED("pool_register_wrapper");
    atomic_store(&wrapper, constructor);
    return POOL_OK;
}

void *pool_new_object(pool_t *pool)
{
    const char *function = "pool_new_object";
    pool_wrapper_fn construct = atomic_load(&wrapper);
    if (ap__forked || !ap__pool(pool)) {
        ap__fail(ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID, function,
                 ap__forked ? pool_strerror(POOL_ERR_FORKED) : "pool is NULL or no pool");
        return NULL;
    }
    if (!construct) {
        ap__fail(POOL_ERR_UNAVAILABLE, function,
                 "no language binding has registered a constructor: pool_register_wrapper()");
        return NULL;
    }
    void *object = construct(pool);
    if (object)
        pool->wrapper = object;
    return object;
}

static const pool_api_t table = {
    .struct_size = sizeof table,
    .abi_version = POOL_ABI_VERSION,
    .create_internal = pool_create_internal,
    .create = pool_create,
    .create_ex = pool_create_ex,
    .new_object = pool_new_object,
    .acquire = pool_acquire,
    .try_acquire = pool_try_acquire,
    .release = pool_release,
    .close = pool_close,
    .is_closed = pool_is_closed,
    .ref = pool_ref,
    .unref = pool_unref,
    .snapshot = pool_snapshot,
    .state = pool_state,
    .activate = pool_activate,
    .deactivate = pool_deactivate,
    .recover = pool_recover,
    .set_strategy = pool_set_strategy,
    .set_error = pool_set_error,
    .last_error = pool_last_error,
    .strerror = pool_strerror,
    .take = pool_take,
    .count = pool_count,
    .idle_count = pool_idle_count,
    .active_count = pool_active_count,
    .waiting_count = pool_waiting_count,
    .debug_live = pool_debug_live,
    .debug_crossings = pool_debug_crossings,
    .strategy_threshold = pool_strategy_threshold,
    .status_name = pool_status_name,
    .version = pool_version,
    .op_acquire = pool_op_acquire,
    .op_try_acquire = pool_op_try_acquire,
    .op_release = pool_op_release,
    .op_close = pool_op_close,
    .op_fill = pool_op_fill,
    .op_sweep = pool_op_sweep,
    .op_next = pool_op_next,
    .op_wait = pool_op_wait,
    .op_until_ns = pool_op_until_ns,
    .op_woken = pool_op_woken,
    .op_join = pool_op_join,
    .op_take = pool_op_take,
    .hand_on = pool_hand_on,
    .set_asks = pool_set_asks,
    .op_cancel = pool_op_cancel,
    .acquire_async = pool_acquire_async,
    .fd = pool_fd,
    .next_timeout = pool_next_timeout,
    .dispatch = pool_dispatch,
    .reactor_create = pool_reactor_create,
    .reactor_unref = pool_reactor_unref,
    .reactor_attach = pool_reactor_attach,
    .reactor_acquire = pool_reactor_acquire,
    .reactor_fd = pool_reactor_fd,
    .reactor_next_timeout = pool_reactor_next_timeout,
    .reactor_dispatch = pool_reactor_dispatch,
    .register_wrapper = pool_register_wrapper,
    .discard = pool_discard,
    .detach = pool_detach,
    .op_discard = pool_op_discard,
    .op_detach = pool_op_detach,
    .resize = pool_resize,
    .op_resize = pool_op_resize,
    .evict = pool_evict,
    .op_evict = pool_op_evict,
    .time_left_ms = pool_time_left_ms,
    .strategy_threshold_on = pool_strategy_threshold_on,
    .drain = pool_drain,
    .op_drain = pool_op_drain,
    .stats = pool_stats,
    .metrics = pool_metrics,
    .try_later = pool_try_later,
    .resource_info = pool_resource_info,
    .describe = pool_describe,
    .acquire_lease = pool_acquire_lease,
    .try_acquire_lease = pool_try_acquire_lease,
    .release_lease = pool_release_lease,
    .discard_lease = pool_discard_lease,
    .detach_lease = pool_detach_lease,
    .op_release_lease = pool_op_release_lease,
    .op_discard_lease = pool_op_discard_lease,
    .op_detach_lease = pool_op_detach_lease,
    .lends = pool_lends,
    .tag = pool_tag,
    .op_create_behind = pool_op_create_behind,
    .creations_due = pool_creations_due,
    .give = pool_give,
    .trim = pool_trim,
    .op_trim = pool_op_trim,
};

const pool_api_t *pool_api(uint32_t abi_version)
{
    if (abi_version == POOL_ABI_VERSION)
        return &table;
    ap__fail(POOL_ERR_INVALID, "pool_api", "the caller was compiled for another ABI version");
    return NULL;
}
