#include "handles.h"
#include "golden.h"
#include "watcher.h"

static pool_t *bad;     /* the handle that is none */
static pool_t *witness; /* a pool that nothing happens to */
static pool_op_t op;

#define INVALID(call) CHECK_STATUS(call, POOL_ERR_INVALID)

static void told(pool_op_t *o, pool_status_t status, void *resource, void *data)
{
    (void)o, (void)status, (void)resource, (void)data;
    check_fail(__FILE__, __LINE__, "a callback came");
}

static void acquire(void)
{
    void *r = &r;
    INVALID(pool_acquire(bad, &r, 0));
    CHECK_PTR(r, NULL);
}

static void try_acquire(void)
{
    void *r = &r;
    INVALID(pool_try_acquire(bad, &r));
    CHECK_PTR(r, NULL);
}

static void snapshot(void)
{
    pool_snapshot_t s = {.struct_size = sizeof s, .idle = 77};
    INVALID(pool_snapshot(bad, &s));
    CHECK_INT(s.idle, 77);
}

static void stats(void)
{
    pool_stats_t s = {.struct_size = sizeof s, .lends = 77};
    INVALID(pool_stats(bad, &s));
    CHECK_INT(s.lends, 77);
}

static void resource_info(void)
{
    pool_resource_info_t i = {.struct_size = sizeof i, .uses = 77};
    INVALID(pool_resource_info(bad, NULL, &i));
    CHECK_INT(i.uses, 77);
}

static void lends(void)
{
    pool_lend_t l = {.struct_size = sizeof l, .uses = 77};
    CHECK_INT(pool_lends(bad, &l, 1), 0);
    INVALID(pool_last_error(NULL, NULL, 0));
    CHECK_INT(l.uses, 77);
}

/* An op whose beginning failed is done, and says why. */
static void check_done(void)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    INVALID(ask.status);
    CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
}

static void op_acquire(void) { INVALID(pool_op_acquire(bad, &op, 0)), check_done(); }
static void op_try_acquire(void) { INVALID(pool_op_try_acquire(bad, &op)), check_done(); }
static void op_release(void) { INVALID(pool_op_release(bad, &op, &op)), check_done(); }
static void op_close(void) { INVALID(pool_op_close(bad, &op)), check_done(); }
static void op_fill(void) { INVALID(pool_op_fill(bad, &op)), check_done(); }
static void op_sweep(void) { INVALID(pool_op_sweep(bad, &op)), check_done(); }
static void op_create_behind(void) { INVALID(pool_op_create_behind(bad, &op)), check_done(); }
static void creations_due(void) { CHECK_INT(pool_creations_due(bad), 0); }

static void op_join(void)
{
    CHECK(!pool_op_join(bad, &op, 0));
    check_done();
}

static void acquire_async(void) { INVALID(pool_acquire_async(bad, &op, 0, told, NULL)); }
static void activate(void) { INVALID(pool_activate(bad)); }
static void active_count(void) { CHECK_INT(pool_active_count(bad), 0); }
static void close_(void) { INVALID(pool_close(bad)); }
static void count(void) { CHECK_INT(pool_count(bad), 0); }
static void deactivate(void) { INVALID(pool_deactivate(bad)); }
static void dispatch(void) { INVALID(pool_dispatch(bad)); }
static void fd(void) { CHECK_INT(pool_fd(bad), -1); }
static void hand_on(void) { CHECK_PTR(pool_hand_on(bad, &op), NULL); }
static void idle_count(void) { CHECK_INT(pool_idle_count(bad), 0); }
static void is_closed(void) { CHECK(pool_is_closed(bad)); }
static void new_object(void) { CHECK_PTR(pool_new_object(bad), NULL); }
static void next_timeout(void) { CHECK_INT(pool_next_timeout(bad), -1); }
static void op_woken(void) { CHECK_PTR(pool_op_woken(bad), NULL); }
static void recover(void) { INVALID(pool_recover(bad)); }
static void ref(void) { CHECK_PTR(pool_ref(bad), NULL); }
static void discard(void) { INVALID(pool_discard(bad, &op)); }
static void describe(void)
{
    char text[8] = "before";
    CHECK_INT(pool_describe(bad, text, sizeof text), strlen("Pool()"));
    CHECK_STR(text, "Pool()");
    INVALID(pool_last_error(NULL, NULL, 0));
}

static void detach(void) { INVALID(pool_detach(bad, &op)); }
static void op_discard(void) { INVALID(pool_op_discard(bad, &op, &op)), check_done(); }
static void op_detach(void) { INVALID(pool_op_detach(bad, &op, &op)), check_done(); }
static void resize(void) { INVALID(pool_resize(bad, 0, 1)); }
static void op_resize(void) { INVALID(pool_op_resize(bad, &op, 0, 1)), check_done(); }
static void trim(void) { INVALID(pool_trim(bad, 0)); }
static void op_trim(void) { INVALID(pool_op_trim(bad, &op, 0)), check_done(); }
static void evict(void) { INVALID(pool_evict(bad)); }
static void op_evict(void) { INVALID(pool_op_evict(bad, &op)), check_done(); }
static void drain(void) { INVALID(pool_drain(bad, 0)); }
static void op_drain(void) { INVALID(pool_op_drain(bad, &op, 0)), check_done(); }

static void acquire_lease(void)
{
    pool_lease_t lease = {&lease, 1};
    INVALID(pool_acquire_lease(bad, &lease, 0));
    CHECK_INT(lease.id, 0);
}

static void try_acquire_lease(void)
{
    pool_lease_t lease = {&lease, 1};
    INVALID(pool_try_acquire_lease(bad, &lease));
    CHECK_INT(lease.id, 0);
}

static const pool_lease_t a_lease = {NULL, 1};
static void release_lease(void) { INVALID(pool_release_lease(bad, &a_lease)); }
static void discard_lease(void) { INVALID(pool_discard_lease(bad, &a_lease)); }
static void detach_lease(void) { INVALID(pool_detach_lease(bad, &a_lease)); }
static void op_release_lease(void) { INVALID(pool_op_release_lease(bad, &op, &a_lease)), check_done(); }
static void op_discard_lease(void) { INVALID(pool_op_discard_lease(bad, &op, &a_lease)), check_done(); }
static void op_detach_lease(void) { INVALID(pool_op_detach_lease(bad, &op, &a_lease)), check_done(); }

static void give(void) { INVALID(pool_give(bad, &op)); }
static void release(void) { INVALID(pool_release(bad, &op)); }
static void set_asks(void) { INVALID(pool_set_asks(bad, 0)); }
static void set_error(void) { INVALID(pool_set_error(bad, 1, "text")); }
static void set_strategy(void) { INVALID(pool_set_strategy(bad, NULL)); }
static void state(void) { CHECK_INT(pool_state(bad), POOL_CIRCUIT_INACTIVE); }
static void threshold(void) { INVALID(pool_strategy_threshold(bad, 1, 1, 1)); }
static void threshold_on(void) { INVALID(pool_strategy_threshold_on(bad, POOL_COUNT_CREATIONS, 1, 1, 1)); }
static void take(void) { CHECK_PTR(pool_take(bad), NULL); }
static void try_later(void) { INVALID(pool_try_later(bad, 1)); }
static void time_left(void) { CHECK(pool_time_left_ms(bad) == INT64_MAX); }
static void unref(void) { pool_unref(bad); }
static void waiting_count(void) { CHECK_INT(pool_waiting_count(bad), 0); }

/* Ops that are none: the handle is taken for one. */
static pool_op_t *bad_op(void) { return (pool_op_t *)bad; }

static void op_cancel(void)
{
    if (bad) /* NULL is fine */
        INVALID(pool_op_cancel(bad_op()));
}

static void op_next(void)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(bad_op(), NULL, &ask), POOL_ASK_DONE);
    INVALID(ask.status);
}

static void op_take(void) { CHECK_PTR(pool_op_take(bad_op()), NULL); }
static void op_until_ns(void) { CHECK_INT(pool_op_until_ns(bad_op()), INT64_MAX); }
static void op_wait(void) { INVALID(pool_op_wait(bad_op(), INT64_MAX)); }

static pool_reactor_t *bad_reactor(void) { return (pool_reactor_t *)bad; }

static void reactor_acquire(void) { INVALID(pool_reactor_acquire(bad_reactor(), witness, &op, 0, told, NULL)); }

static void reactor_attach(void) { INVALID(pool_reactor_attach(bad_reactor(), witness)); }
static void reactor_dispatch(void) { INVALID(pool_reactor_dispatch(bad_reactor())); }
static void reactor_fd(void) { CHECK_INT(pool_reactor_fd(bad_reactor()), -1); }
static void reactor_next_timeout(void) { CHECK_INT(pool_reactor_next_timeout(bad_reactor()), -1); }
static void reactor_unref(void) { pool_reactor_unref(bad_reactor()); }

/* A good reactor, and no pool to go with it. */
static void with_a_reactor(void)
{
    pool_reactor_t *reactor = pool_reactor_create();
    INVALID(pool_reactor_attach(reactor, bad));
    INVALID(pool_reactor_acquire(reactor, bad, &op, 0, told, NULL));
    pool_reactor_unref(reactor);
}

enum takes { NO_HANDLE, POOL, OP, REACTOR };

static const struct {
    const char *name;
    enum takes takes;
    void (*call)(void);
} functions[] = {
    {"pool_abi_version", NO_HANDLE, NULL},
    {"pool_acquire", POOL, acquire},
    {"pool_acquire_async", POOL, acquire_async},
    {"pool_acquire_lease", POOL, acquire_lease},
    {"pool_activate", POOL, activate},
    {"pool_active_count", POOL, active_count},
    {"pool_api", NO_HANDLE, NULL},
    {"pool_close", POOL, close_},
    {"pool_count", POOL, count},
    {"pool_create", NO_HANDLE, NULL},
    {"pool_create_ex", NO_HANDLE, NULL},
    {"pool_create_internal", NO_HANDLE, NULL},
    {"pool_creations_due", POOL, creations_due},
    {"pool_deactivate", POOL, deactivate},
    {"pool_debug_crossings", NO_HANDLE, NULL},
    {"pool_debug_live", NO_HANDLE, NULL},
    {"pool_describe", POOL, describe},
    {"pool_detach", POOL, detach},
    {"pool_detach_lease", POOL, detach_lease},
    {"pool_discard", POOL, discard},
    {"pool_discard_lease", POOL, discard_lease},
    {"pool_dispatch", POOL, dispatch},
    {"pool_drain", POOL, drain},
    {"pool_evict", POOL, evict},
    {"pool_fd", POOL, fd},
    {"pool_give", POOL, give},
    {"pool_hand_on", POOL, hand_on},
    {"pool_idle_count", POOL, idle_count},
    {"pool_is_closed", POOL, is_closed},
    {"pool_last_error", NO_HANDLE, NULL},
    {"pool_lends", POOL, lends},
    {"pool_metrics", NO_HANDLE, NULL},
    {"pool_new_object", POOL, new_object},
    {"pool_next_timeout", POOL, next_timeout},
    {"pool_op_acquire", POOL, op_acquire},
    {"pool_op_cancel", OP, op_cancel},
    {"pool_op_close", POOL, op_close},
    {"pool_op_create_behind", POOL, op_create_behind},
    {"pool_op_detach", POOL, op_detach},
    {"pool_op_detach_lease", POOL, op_detach_lease},
    {"pool_op_discard", POOL, op_discard},
    {"pool_op_discard_lease", POOL, op_discard_lease},
    {"pool_op_drain", POOL, op_drain},
    {"pool_op_evict", POOL, op_evict},
    {"pool_op_fill", POOL, op_fill},
    {"pool_op_join", POOL, op_join},
    {"pool_op_next", OP, op_next},
    {"pool_op_release", POOL, op_release},
    {"pool_op_release_lease", POOL, op_release_lease},
    {"pool_op_resize", POOL, op_resize},
    {"pool_op_sweep", POOL, op_sweep},
    {"pool_op_take", OP, op_take},
    {"pool_op_trim", POOL, op_trim},
    {"pool_op_try_acquire", POOL, op_try_acquire},
    {"pool_op_until_ns", OP, op_until_ns},
    {"pool_op_wait", OP, op_wait},
    {"pool_op_woken", POOL, op_woken},
    {"pool_reactor_acquire", REACTOR, reactor_acquire},
    {"pool_reactor_attach", REACTOR, reactor_attach},
    {"pool_reactor_create", NO_HANDLE, NULL},
    {"pool_reactor_dispatch", REACTOR, reactor_dispatch},
    {"pool_reactor_fd", REACTOR, reactor_fd},
    {"pool_reactor_next_timeout", REACTOR, reactor_next_timeout},
    {"pool_reactor_unref", REACTOR, reactor_unref},
    {"pool_recover", POOL, recover},
    {"pool_ref", POOL, ref},
    {"pool_register_wrapper", NO_HANDLE, NULL},
    {"pool_release", POOL, release},
    {"pool_release_lease", POOL, release_lease},
    {"pool_resize", POOL, resize},
    {"pool_resource_info", POOL, resource_info},
    {"pool_set_asks", POOL, set_asks},
    {"pool_set_error", POOL, set_error},
    {"pool_set_strategy", POOL, set_strategy},
    {"pool_snapshot", POOL, snapshot},
    {"pool_state", POOL, state},
    {"pool_stats", POOL, stats},
    {"pool_status_name", NO_HANDLE, NULL},
    {"pool_strategy_threshold", POOL, threshold},
    {"pool_strategy_threshold_on", POOL, threshold_on},
    {"pool_strerror", NO_HANDLE, NULL},
    {"pool_tag", NO_HANDLE, NULL},
    {"pool_take", POOL, take},
    {"pool_time_left_ms", POOL, time_left},
    {"pool_trim", POOL, trim},
    {"pool_try_acquire", POOL, try_acquire},
    {"pool_try_acquire_lease", POOL, try_acquire_lease},
    {"pool_try_later", POOL, try_later},
    {"pool_unref", POOL, unref},
    {"pool_version", NO_HANDLE, NULL},
    {"pool_waiting_count", POOL, waiting_count},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* NULL is what these let be; everything else tells why, whatever it answers. */
static bool null_is_fine(void (*call)(void))
{
    return call == ref || call == unref || call == reactor_unref || call == op_cancel;
}

static const char *name(int i) { return functions[i].name; }

static bool make(pool_t *pool, void **resource)
{
    (void)pool, (void)resource;
    check_fail(__FILE__, __LINE__, "a factory ran");
}

static void call_those_that_take(enum takes what, void *handle)
{
    golden_check(name, FUNCTIONS);
    bad = handle;
    witness = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    int hooks = fx_calls();
    uint32_t live = pool_debug_live();
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].takes != what)
            continue;
        CHECK_STATUS(pool_release(witness, &op), POOL_ERR_NOT_OWNED); /* another error before */
        functions[i].call();
        CHECK_STATUS(pool_last_error(NULL, NULL, 0),
                     !handle && null_is_fine(functions[i].call) ? POOL_ERR_NOT_OWNED : POOL_ERR_INVALID);
    }
    if (what == POOL)
        with_a_reactor();
    CHECK_INT(fx_calls(), hooks);
    CHECK_INT(pool_debug_live(), live);
    CHECK_INT(witness->event.ref_count, 1);
    CHECK_COUNTS(witness, 0, 0, 0);
    pool_unref(witness);
}

void handles_no_pool(void *handle) { call_those_that_take(POOL, handle); }
void handles_no_op(void *handle) { call_those_that_take(OP, handle); }
void handles_no_reactor(void *handle) { call_those_that_take(REACTOR, handle); }

void handles_dead_event(void *handle)
{
    watcher w = {0};
    char text[16];
    pool_event_t *event = handle;
    INVALID(watcher_add(&w, handle));
    INVALID(watcher_del(&w));
    event->start(event);
    event->stop(event);
    event->dispose(event);
    CHECK_INT(event->info(event, text, sizeof text), strlen("Pool()"));
    CHECK_STR(text, "Pool()");
    CHECK_INT(w.disposed, 0);
}
