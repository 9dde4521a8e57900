/*
 * Prints where every member of the public structs is and how large it is: what abi/layout.txt is
 * compared with. After a change that is meant:
 *
 *     cc -Iinclude tests_c/abi/layout.c -o layout && ./layout >abi/layout.txt
 */
#include <asyncpool/pool_api.h>
#include <stdio.h>

#define TYPE(type) printf("%s size %zu align %zu\n", #type, sizeof(type), _Alignof(type))
#define AT(type, member) \
    printf("%s.%s offset %zu size %zu\n", #type, #member, offsetof(type, member), sizeof(((type *)0)->member))

static void event(void)
{
    TYPE(pool_event_t);
    AT(pool_event_t, flags);
    AT(pool_event_t, ref_count);
    AT(pool_event_t, callback_count);
    AT(pool_event_t, reserved);
    AT(pool_event_t, callbacks);
    AT(pool_event_t, add_callback);
    AT(pool_event_t, del_callback);
    AT(pool_event_t, start);
    AT(pool_event_t, stop);
    AT(pool_event_t, dispose);
    AT(pool_event_t, info);
    TYPE(pool_event_callback_t);
    AT(pool_event_callback_t, callback);
    AT(pool_event_callback_t, dispose);
    AT(pool_event_callback_t, data);
}

static void pool(void)
{
    TYPE(pool_t);
    AT(pool_t, event);
    AT(pool_t, handler_flags);
    AT(pool_t, circuit_state);
    AT(pool_t, min_size);
    AT(pool_t, max_size);
    AT(pool_t, wrapper);
    AT(pool_t, factory);
    AT(pool_t, destructor);
    AT(pool_t, healthcheck);
    AT(pool_t, before_acquire);
    AT(pool_t, before_release);
    AT(pool_t, strategy);
    AT(pool_t, user_data);
}

static void handlers(void)
{
    TYPE(pool_fcall_t);
    AT(pool_fcall_t, invoke);
    AT(pool_fcall_t, dispose);
    AT(pool_fcall_t, data);
    TYPE(pool_circuit_breaker_strategy_t);
    AT(pool_circuit_breaker_strategy_t, report_success);
    AT(pool_circuit_breaker_strategy_t, report_failure);
    AT(pool_circuit_breaker_strategy_t, should_recover);
    AT(pool_circuit_breaker_strategy_t, ctx);
    AT(pool_circuit_breaker_strategy_t, report_create_failure);
    TYPE(pool_error_t);
    AT(pool_error_t, code);
    AT(pool_error_t, message);
}

static void config(void)
{
    TYPE(pool_config_t);
    AT(pool_config_t, struct_size);
    AT(pool_config_t, name);
    AT(pool_config_t, factory);
    AT(pool_config_t, destructor);
    AT(pool_config_t, healthcheck);
    AT(pool_config_t, before_acquire);
    AT(pool_config_t, before_release);
    AT(pool_config_t, user_data);
    AT(pool_config_t, min_size);
    AT(pool_config_t, max_size);
    AT(pool_config_t, healthcheck_interval_ms);
    AT(pool_config_t, flags);
    AT(pool_config_t, recovering_limit);
    AT(pool_config_t, asks);
    AT(pool_config_t, scheduler);
    AT(pool_config_t, factory_fcall);
    AT(pool_config_t, destructor_fcall);
    AT(pool_config_t, healthcheck_fcall);
    AT(pool_config_t, before_acquire_fcall);
    AT(pool_config_t, before_release_fcall);
    AT(pool_config_t, max_waiting);
    AT(pool_config_t, create_retry_ms);
    AT(pool_config_t, create_retry_max_ms);
    AT(pool_config_t, max_lifetime_ms);
    AT(pool_config_t, lifetime_jitter_ms);
    AT(pool_config_t, idle_timeout_ms);
    AT(pool_config_t, max_uses);
    AT(pool_config_t, check_after_ms);
    AT(pool_config_t, min_idle);
    AT(pool_config_t, leak_after_ms);
    AT(pool_config_t, leaked);
    AT(pool_config_t, leaked_fcall);
    TYPE(pool_snapshot_t);
    AT(pool_snapshot_t, struct_size);
    AT(pool_snapshot_t, idle);
    AT(pool_snapshot_t, active);
    AT(pool_snapshot_t, reserved);
    AT(pool_snapshot_t, waiting);
    AT(pool_snapshot_t, max);
    AT(pool_snapshot_t, state);
    AT(pool_snapshot_t, closed);
    TYPE(pool_stats_t);
    AT(pool_stats_t, struct_size);
    AT(pool_stats_t, lends);
    AT(pool_stats_t, waited);
    AT(pool_stats_t, timeouts);
    AT(pool_stats_t, unavailable);
    AT(pool_stats_t, overloaded);
    AT(pool_stats_t, cancelled);
    AT(pool_stats_t, created);
    AT(pool_stats_t, failed);
    AT(pool_stats_t, detached);
    AT(pool_stats_t, destroyed);
    AT(pool_stats_t, count);
    AT(pool_stats_t, making);
    AT(pool_stats_t, destroyed_rejected);
    AT(pool_stats_t, destroyed_refused);
    AT(pool_stats_t, destroyed_dead);
    AT(pool_stats_t, destroyed_lifetime);
    AT(pool_stats_t, destroyed_idle);
    AT(pool_stats_t, destroyed_uses);
    AT(pool_stats_t, destroyed_evicted);
    AT(pool_stats_t, destroyed_discarded);
    AT(pool_stats_t, destroyed_shrunk);
    AT(pool_stats_t, destroyed_closed);
    AT(pool_stats_t, leaked);
    AT(pool_stats_t, peak_active);
    AT(pool_stats_t, peak_waiting);
    AT(pool_stats_t, wait_us);
    AT(pool_stats_t, create_us);
    AT(pool_stats_t, hold_us);
    AT(pool_stats_t, wait_histogram);
    AT(pool_stats_t, create_histogram);
    AT(pool_stats_t, hold_histogram);
    TYPE(pool_resource_info_t);
    AT(pool_resource_info_t, struct_size);
    AT(pool_resource_info_t, age_ms);
    AT(pool_resource_info_t, idle_ms);
    AT(pool_resource_info_t, uses);
    AT(pool_resource_info_t, tag);
    TYPE(pool_lease_t);
    AT(pool_lease_t, resource);
    AT(pool_lease_t, id);
    TYPE(pool_lend_t);
    AT(pool_lend_t, struct_size);
    AT(pool_lend_t, resource);
    AT(pool_lend_t, ms);
    AT(pool_lend_t, uses);
    AT(pool_lend_t, thread);
    AT(pool_lend_t, tag);
    AT(pool_lend_t, lease);
}

static void op(void)
{
    TYPE(pool_op_t);
    AT(pool_op_t, opaque);
    AT(pool_op_t, data);
    TYPE(pool_scheduler_t);
    AT(pool_scheduler_t, suspend);
    AT(pool_scheduler_t, resume);
    AT(pool_scheduler_t, ctx);
    TYPE(pool_ask_t);
    AT(pool_ask_t, struct_size);
    AT(pool_ask_t, kind);
    AT(pool_ask_t, status);
    AT(pool_ask_t, resource);
    AT(pool_ask_t, until_ns);
    AT(pool_ask_t, ticket);
    AT(pool_ask_t, turn);
    AT(pool_ask_t, lease);
    AT(pool_ask_t, lend);
    TYPE(pool_answer_t);
    AT(pool_answer_t, struct_size);
    AT(pool_answer_t, ok);
    AT(pool_answer_t, resource);
    AT(pool_answer_t, now_ns);
    AT(pool_answer_t, later_ns);
}

static void table(void)
{
    TYPE(pool_api_t);
    AT(pool_api_t, struct_size);
    AT(pool_api_t, abi_version);
    AT(pool_api_t, reserved);
    AT(pool_api_t, create_internal);
    AT(pool_api_t, create);
    AT(pool_api_t, create_ex);
    AT(pool_api_t, new_object);
    AT(pool_api_t, acquire);
    AT(pool_api_t, try_acquire);
    AT(pool_api_t, release);
    AT(pool_api_t, close);
    AT(pool_api_t, is_closed);
    AT(pool_api_t, ref);
    AT(pool_api_t, unref);
    AT(pool_api_t, snapshot);
    AT(pool_api_t, state);
    AT(pool_api_t, activate);
    AT(pool_api_t, deactivate);
    AT(pool_api_t, recover);
    AT(pool_api_t, set_strategy);
    AT(pool_api_t, set_error);
    AT(pool_api_t, last_error);
    AT(pool_api_t, strerror);
    AT(pool_api_t, take);
    AT(pool_api_t, count);
    AT(pool_api_t, idle_count);
    AT(pool_api_t, active_count);
    AT(pool_api_t, waiting_count);
    AT(pool_api_t, debug_live);
    AT(pool_api_t, debug_crossings);
    AT(pool_api_t, strategy_threshold);
    AT(pool_api_t, status_name);
    AT(pool_api_t, version);
    AT(pool_api_t, op_acquire);
    AT(pool_api_t, op_try_acquire);
    AT(pool_api_t, op_release);
    AT(pool_api_t, op_close);
    AT(pool_api_t, op_fill);
    AT(pool_api_t, op_sweep);
    AT(pool_api_t, op_next);
    AT(pool_api_t, op_wait);
    AT(pool_api_t, op_until_ns);
    AT(pool_api_t, op_woken);
    AT(pool_api_t, op_join);
    AT(pool_api_t, op_take);
    AT(pool_api_t, hand_on);
    AT(pool_api_t, set_asks);
    AT(pool_api_t, op_cancel);
    AT(pool_api_t, acquire_async);
    AT(pool_api_t, fd);
    AT(pool_api_t, next_timeout);
    AT(pool_api_t, dispatch);
    AT(pool_api_t, reactor_create);
    AT(pool_api_t, reactor_unref);
    AT(pool_api_t, reactor_attach);
    AT(pool_api_t, reactor_acquire);
    AT(pool_api_t, reactor_fd);
    AT(pool_api_t, reactor_next_timeout);
    AT(pool_api_t, reactor_dispatch);
    AT(pool_api_t, register_wrapper);
    AT(pool_api_t, discard);
    AT(pool_api_t, detach);
    AT(pool_api_t, op_discard);
    AT(pool_api_t, op_detach);
    AT(pool_api_t, resize);
    AT(pool_api_t, op_resize);
    AT(pool_api_t, evict);
    AT(pool_api_t, op_evict);
    AT(pool_api_t, time_left_ms);
    AT(pool_api_t, strategy_threshold_on);
    AT(pool_api_t, drain);
    AT(pool_api_t, op_drain);
    AT(pool_api_t, stats);
    AT(pool_api_t, metrics);
    AT(pool_api_t, try_later);
    AT(pool_api_t, resource_info);
    AT(pool_api_t, describe);
    AT(pool_api_t, acquire_lease);
    AT(pool_api_t, try_acquire_lease);
    AT(pool_api_t, release_lease);
    AT(pool_api_t, discard_lease);
    AT(pool_api_t, detach_lease);
    AT(pool_api_t, op_release_lease);
    AT(pool_api_t, op_discard_lease);
    AT(pool_api_t, op_detach_lease);
    AT(pool_api_t, lends);
    AT(pool_api_t, tag);
    AT(pool_api_t, op_create_behind);
    AT(pool_api_t, creations_due);
    AT(pool_api_t, give);
    AT(pool_api_t, trim);
    AT(pool_api_t, op_trim);
}

int main(void)
{
    event();
    pool();
    handlers();
    config();
    op();
    table();
    TYPE(pool_status_t);
    TYPE(pool_circuit_state_t);
    TYPE(pool_event_kind_t);
    TYPE(pool_ask_kind_t);
    return 0;
}
