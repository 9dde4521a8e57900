#include "forked.h"
#include "golden.h"

forked_world forked;

/* The leak checker asks this at exit. A child lacks the threads that held, when it was forked, what
 * it would take for lost. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) { return getpid() != forked.parent; }

__attribute__((constructor)) static void remember_parent(void) { forked.parent = getpid(); }

static pool_t *other; /* of the parked op */
static fx_resource *other_lent;
static pool_op_t fresh; /* not begun */
static int hooks_before;

static bool interval_factory(pool_t *pool, void **resource)
{
    (void)pool;
    static int number;
    *resource = &number;
    return true;
}

static bool healthy(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return true;
}

static pool_t *busy; /* has a healthcheck running on a thread of the library */
static pool_reactor_t *reactor;

void forked_prepare(uint32_t interval_ms)
{
    pool_ask_t ask = POOL_ASK_INIT;
    forked.pool = fx_pool(FX_WITH_ALL, 1, 2);
    forked.lent = fx_take(forked.pool);
    fx_give(forked.pool, fx_take(forked.pool)); /* one lent, one idle */
    CHECK_STATUS(watcher_add(&forked.seen, forked.pool), POOL_OK);
    other = fx_pool(0, 0, 1);
    other_lent = fx_take(other);
    CHECK_STATUS(pool_op_acquire(other, &forked.op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&forked.op, NULL, &ask), POOL_ASK_WAIT);
    reactor = pool_reactor_create();
    CHECK(reactor != NULL);
    if (interval_ms) {
        busy = pool_create_internal(interval_factory, NULL, healthy, NULL, NULL, 1, 1, interval_ms);
        CHECK(busy != NULL);
    }
}

void forked_finish(void)
{
    CHECK_INT(getpid(), forked.parent);
    CHECK_STATUS(pool_op_cancel(&forked.op), POOL_OK);
    fx_give(other, other_lent);
    pool_unref(other);
    fx_give(forked.pool, forked.lent);
    fx_give(forked.pool, fx_take(forked.pool));
    CHECK_STATUS(watcher_del(&forked.seen), POOL_OK);
    pool_unref(busy);
    busy = NULL;
    pool_reactor_unref(reactor);
    reactor = NULL;
    fx_finish(forked.pool);
}

/* ---- One call of each function -------------------------------------------------------------- */

#define FORKED(call) CHECK_STATUS(call, POOL_ERR_FORKED)

static bool make_nothing(pool_t *pool, void **resource)
{
    (void)pool, (void)resource;
    check_fail(__FILE__, __LINE__, "a factory ran in the child");
}

static int disposed;

static bool invoke_nothing(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    (void)fcall;
    return make_nothing(pool, resource);
}

static void dispose(pool_fcall_t *fcall)
{
    (void)fcall;
    disposed++;
}

static void create_internal(void)
{
    CHECK_PTR(pool_create_internal(make_nothing, NULL, NULL, NULL, NULL, 1, 1, 0), NULL);
    FORKED(pool_last_error(NULL, NULL, 0));
}

static void create(void)
{
    pool_fcall_t f = {invoke_nothing, dispose, NULL};
    disposed = 0;
    CHECK_PTR(pool_create(&f, &f, NULL, NULL, NULL, 1, 1, 0), NULL);
    CHECK_INT(disposed, 2); /* the callables are the pool's, also when the creation fails */
}

static void create_ex(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = (pool_t *)&config;
    config.factory = make_nothing;
    FORKED(pool_create_ex(&config, &pool));
    CHECK_PTR(pool, NULL);
}

static void acquire(void)
{
    void *r = &r;
    FORKED(pool_acquire(forked.pool, &r, 0));
    CHECK_PTR(r, NULL);
}

static void try_acquire(void)
{
    void *r = &r;
    FORKED(pool_try_acquire(forked.pool, &r));
    CHECK_PTR(r, NULL);
}

static void release(void) { FORKED(pool_release(forked.pool, forked.lent)); }
static void close_(void) { FORKED(pool_close(forked.pool)); }
static void discard(void) { FORKED(pool_discard(forked.pool, forked.lent)); }
static void detach(void) { FORKED(pool_detach(forked.pool, forked.lent)); }
static void op_discard(void) { FORKED(pool_op_discard(forked.pool, &fresh, forked.lent)); }
static void op_detach(void) { FORKED(pool_op_detach(forked.pool, &fresh, forked.lent)); }
static void resize(void) { FORKED(pool_resize(forked.pool, 0, 1)); }
static void op_resize(void) { FORKED(pool_op_resize(forked.pool, &fresh, 0, 1)); }
static void trim(void) { FORKED(pool_trim(forked.pool, 0)); }
static void op_trim(void) { FORKED(pool_op_trim(forked.pool, &fresh, 0)); }
static void evict(void) { FORKED(pool_evict(forked.pool)); }
static void op_evict(void) { FORKED(pool_op_evict(forked.pool, &fresh)); }
static void drain(void) { FORKED(pool_drain(forked.pool, 0)); }
static void op_drain(void) { FORKED(pool_op_drain(forked.pool, &fresh, 0)); }

static void acquire_lease(void)
{
    pool_lease_t lease = {&lease, 1};
    FORKED(pool_acquire_lease(forked.pool, &lease, 0));
    CHECK_PTR(lease.resource, NULL);
    CHECK_INT(lease.id, 0);
}

static void try_acquire_lease(void)
{
    pool_lease_t lease = {&lease, 1};
    FORKED(pool_try_acquire_lease(forked.pool, &lease));
    CHECK_PTR(lease.resource, NULL);
    CHECK_INT(lease.id, 0);
}

static const pool_lease_t a_lease = {NULL, 1};
static void release_lease(void) { FORKED(pool_release_lease(forked.pool, &a_lease)); }
static void discard_lease(void) { FORKED(pool_discard_lease(forked.pool, &a_lease)); }
static void detach_lease(void) { FORKED(pool_detach_lease(forked.pool, &a_lease)); }
static void op_release_lease(void) { FORKED(pool_op_release_lease(forked.pool, &fresh, &a_lease)); }
static void op_discard_lease(void) { FORKED(pool_op_discard_lease(forked.pool, &fresh, &a_lease)); }
static void op_detach_lease(void) { FORKED(pool_op_detach_lease(forked.pool, &fresh, &a_lease)); }

static void is_closed(void) { pool_is_closed(forked.pool); }
static void ref(void) { pool_ref(forked.pool); }
static void unref(void) { pool_unref(forked.pool), pool_unref(forked.pool); }
static void count(void) { CHECK_INT(pool_count(forked.pool), 0); }
static void idle_count(void) { CHECK_INT(pool_idle_count(forked.pool), 0); }
static void active_count(void) { CHECK_INT(pool_active_count(forked.pool), 0); }
static void waiting_count(void) { CHECK_INT(pool_waiting_count(other), 0); }
static void debug_crossings(void) { CHECK_INT(pool_debug_crossings(), 0); }
static void debug_live(void) { CHECK_INT(pool_debug_live(), 0); }

static void snapshot(void)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    FORKED(pool_snapshot(forked.pool, &s));
}

static void resource_info(void)
{
    pool_resource_info_t i = {.struct_size = sizeof i};
    FORKED(pool_resource_info(forked.pool, NULL, &i));
}

static void lends(void)
{
    pool_lend_t l = {.struct_size = sizeof l};
    CHECK_INT(pool_lends(forked.pool, &l, 1), 0);
    FORKED(pool_last_error(NULL, NULL, 0));
}

static void tag(void) { pool_tag("tag"); }
static void state(void) { pool_state(forked.pool); }
static void activate(void) { FORKED(pool_activate(forked.pool)); }
static void deactivate(void) { FORKED(pool_deactivate(forked.pool)); }
static void recover(void) { FORKED(pool_recover(forked.pool)); }
static void set_strategy(void) { FORKED(pool_set_strategy(forked.pool, NULL)); }
static void threshold(void) { FORKED(pool_strategy_threshold(forked.pool, 1, 1, 1)); }
static void threshold_on(void) { FORKED(pool_strategy_threshold_on(forked.pool, POOL_COUNT_RELEASES, 1, 1, 1)); }
static void set_error(void) { FORKED(pool_set_error(forked.pool, 1, "text")); }

static void stats(void)
{
    pool_stats_t s = {.struct_size = sizeof s};
    FORKED(pool_stats(forked.pool, &s));
}

static void metrics(void)
{
    char text[8] = "before";
    CHECK_INT(pool_metrics(text, sizeof text), 0);
    CHECK_STR(text, "");
    FORKED(pool_last_error(NULL, NULL, 0));
}

static void try_later(void) { FORKED(pool_try_later(forked.pool, 1)); }
static void describe(void)
{
    char text[8] = "before";
    CHECK_INT(pool_describe(forked.pool, text, sizeof text), strlen("Pool()"));
    CHECK_STR(text, "Pool()");
    FORKED(pool_last_error(NULL, NULL, 0));
    CHECK_INT(pool_describe(forked.pool, NULL, 1), 0);
    FORKED(pool_last_error(NULL, NULL, 0));
}

static void time_left(void) { CHECK(pool_time_left_ms(forked.pool) == INT64_MAX); }

static void last_error(void)
{
    int code = 0;
    char text[128];
    FORKED(pool_close(forked.pool));
    FORKED(pool_last_error(&code, text, sizeof text));
    CHECK_INT(code, POOL_ERR_FORKED);
    CHECK(strstr(text, pool_strerror(POOL_ERR_FORKED)) != NULL);
}

static void strerror_(void) { CHECK_STR(pool_strerror(POOL_OK), "success"); }
static void status_name(void) { CHECK_STR(pool_status_name(POOL_OK), "POOL_OK"); }
static void version(void) { CHECK_STR(pool_version(), POOL_VERSION); }
static void abi_version(void) { CHECK_INT(pool_abi_version(), POOL_ABI_VERSION); }
static void op_acquire(void) { FORKED(pool_op_acquire(forked.pool, &fresh, 0)); }
static void op_try_acquire(void) { FORKED(pool_op_try_acquire(forked.pool, &fresh)); }
static void give(void) { FORKED(pool_give(forked.pool, forked.lent)); }
static void op_release(void) { FORKED(pool_op_release(forked.pool, &fresh, forked.lent)); }
static void op_close(void) { FORKED(pool_op_close(forked.pool, &fresh)); }
static void op_fill(void) { FORKED(pool_op_fill(forked.pool, &fresh)); }
static void op_sweep(void) { FORKED(pool_op_sweep(forked.pool, &fresh)); }
static void op_create_behind(void) { FORKED(pool_op_create_behind(forked.pool, &fresh)); }
static void creations_due(void) { CHECK_INT(pool_creations_due(forked.pool), 0); }

static void op_next(void)
{
    pool_ask_t ask = POOL_ASK_INIT;
    CHECK_INT(pool_op_next(&forked.op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_FORKED);
    CHECK_PTR(ask.resource, NULL);
}

static void op_wait(void) { FORKED(pool_op_wait(&forked.op, INT64_MAX)); }
static void op_woken(void) { CHECK_PTR(pool_op_woken(forked.pool), NULL); }
static void op_join(void) { CHECK(!pool_op_join(forked.pool, &forked.op, 1)); }
static void op_take(void) { CHECK_PTR(pool_op_take(&forked.op), NULL); }
static void hand_on(void) { CHECK_PTR(pool_hand_on(forked.pool, &forked), NULL); }
static void set_asks(void) { FORKED(pool_set_asks(forked.pool, 0)); }
static void take(void) { CHECK_PTR(pool_take(forked.pool), NULL); }
static void op_cancel(void) { FORKED(pool_op_cancel(&forked.op)); }
static void register_wrapper(void) { FORKED(pool_register_wrapper(NULL)); }
static void new_object(void) { CHECK_PTR(pool_new_object(forked.pool), NULL); }

static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)status, (void)resource, (void)data;
    check_fail(__FILE__, __LINE__, "a callback came in the child");
}

static void acquire_async(void) { FORKED(pool_acquire_async(forked.pool, &fresh, 0, told, NULL)); }

static void dispatch(void) { FORKED(pool_dispatch(forked.pool)); }
static void fd(void) { CHECK_INT(pool_fd(forked.pool), -1); }
static void next_timeout(void) { CHECK_INT(pool_next_timeout(forked.pool), -1); }
static void op_until_ns(void) { CHECK_INT(pool_op_until_ns(&forked.op), INT64_MAX); }

static void reactor_acquire(void) { FORKED(pool_reactor_acquire(reactor, forked.pool, &fresh, 0, told, NULL)); }

static void reactor_attach(void) { FORKED(pool_reactor_attach(reactor, forked.pool)); }
static void reactor_create(void) { CHECK_PTR(pool_reactor_create(), NULL); }
static void reactor_dispatch(void) { FORKED(pool_reactor_dispatch(reactor)); }
static void reactor_fd(void) { CHECK_INT(pool_reactor_fd(reactor), -1); }
static void reactor_next_timeout(void) { CHECK_INT(pool_reactor_next_timeout(reactor), -1); }
static void reactor_unref(void) { pool_reactor_unref(reactor); }

static void api(void)
{
    void *r;
    const pool_api_t *table = pool_api(POOL_ABI_VERSION);
    if (!table) /* allowed: the entries would be of no use */
        return;
    CHECK_PTR(table->create_internal(make_nothing, NULL, NULL, NULL, NULL, 1, 1, 0), NULL);
    FORKED(table->acquire(forked.pool, &r, 0));
    FORKED(table->release(forked.pool, forked.lent));
    FORKED(table->close(forked.pool));
    table->unref(forked.pool);
}

static void handlers(void)
{
    pool_event_t *event = &forked.pool->event;
    watcher w = {0};
    char text[128];
    FORKED(watcher_add(&w, forked.pool));
    FORKED(watcher_del(&forked.seen));
    event->start(event);
    event->stop(event);
    int length = event->info(event, text, sizeof text);
    CHECK_INT(length, strlen(text));
    event->dispose(event);
    CHECK_INT(w.disposed + forked.seen.disposed, 0);
}

static const struct {
    const char *name;
    void (*call)(void);
} functions[] = {
    {"pool_abi_version", abi_version},
    {"pool_acquire", acquire},
    {"pool_acquire_async", acquire_async},
    {"pool_acquire_lease", acquire_lease},
    {"pool_activate", activate},
    {"pool_active_count", active_count},
    {"pool_api", api},
    {"pool_close", close_},
    {"pool_count", count},
    {"pool_create", create},
    {"pool_create_ex", create_ex},
    {"pool_create_internal", create_internal},
    {"pool_creations_due", creations_due},
    {"pool_deactivate", deactivate},
    {"pool_debug_crossings", debug_crossings},
    {"pool_debug_live", debug_live},
    {"pool_describe", describe},
    {"pool_detach", detach},
    {"pool_detach_lease", detach_lease},
    {"pool_discard", discard},
    {"pool_discard_lease", discard_lease},
    {"pool_dispatch", dispatch},
    {"pool_drain", drain},
    {"pool_evict", evict},
    {"pool_fd", fd},
    {"pool_give", give},
    {"pool_hand_on", hand_on},
    {"pool_idle_count", idle_count},
    {"pool_is_closed", is_closed},
    {"pool_last_error", last_error},
    {"pool_lends", lends},
    {"pool_metrics", metrics},
    {"pool_new_object", new_object},
    {"pool_next_timeout", next_timeout},
    {"pool_op_acquire", op_acquire},
    {"pool_op_cancel", op_cancel},
    {"pool_op_close", op_close},
    {"pool_op_create_behind", op_create_behind},
    {"pool_op_detach", op_detach},
    {"pool_op_detach_lease", op_detach_lease},
    {"pool_op_discard", op_discard},
    {"pool_op_discard_lease", op_discard_lease},
    {"pool_op_drain", op_drain},
    {"pool_op_evict", op_evict},
    {"pool_op_fill", op_fill},
    {"pool_op_join", op_join},
    {"pool_op_next", op_next},
    {"pool_op_release", op_release},
    {"pool_op_release_lease", op_release_lease},
    {"pool_op_resize", op_resize},
    {"pool_op_sweep", op_sweep},
    {"pool_op_take", op_take},
    {"pool_op_trim", op_trim},
    {"pool_op_try_acquire", op_try_acquire},
    {"pool_op_until_ns", op_until_ns},
    {"pool_op_wait", op_wait},
    {"pool_op_woken", op_woken},
    {"pool_reactor_acquire", reactor_acquire},
    {"pool_reactor_attach", reactor_attach},
    {"pool_reactor_create", reactor_create},
    {"pool_reactor_dispatch", reactor_dispatch},
    {"pool_reactor_fd", reactor_fd},
    {"pool_reactor_next_timeout", reactor_next_timeout},
    {"pool_reactor_unref", reactor_unref},
    {"pool_recover", recover},
    {"pool_ref", ref},
    {"pool_register_wrapper", register_wrapper},
    {"pool_release", release},
    {"pool_release_lease", release_lease},
    {"pool_resize", resize},
    {"pool_resource_info", resource_info},
    {"pool_set_asks", set_asks},
    {"pool_set_error", set_error},
    {"pool_set_strategy", set_strategy},
    {"pool_snapshot", snapshot},
    {"pool_state", state},
    {"pool_stats", stats},
    {"pool_status_name", status_name},
    {"pool_strategy_threshold", threshold},
    {"pool_strategy_threshold_on", threshold_on},
    {"pool_strerror", strerror_},
    {"pool_tag", tag},
    {"pool_take", take},
    {"pool_time_left_ms", time_left},
    {"pool_trim", trim},
    {"pool_try_acquire", try_acquire},
    {"pool_try_acquire_lease", try_acquire_lease},
    {"pool_try_later", try_later},
    {"pool_unref", unref},
    {"pool_version", version},
    {"pool_waiting_count", waiting_count},
    {"the event's handlers", handlers},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const char *name(int i) { return functions[i].name; }

void forked_call_everything(void)
{
    CHECK(getpid() != forked.parent);
    hooks_before = fx_calls();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < FUNCTIONS; i++) {
            snprintf(check_about, sizeof check_about, "%s", functions[i].name);
            functions[i].call();
            *check_about = 0;
        }
    }
    CHECK_INT(fx_calls(), hooks_before);
    CHECK_INT(forked.seen.told[POOL_EVENT_CLOSED], 0);
}

void forked_wait(pid_t child)
{
    int status = 0;
    CHECK(child > 0);
    CHECK_INT(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 42)
        check_fail(__FILE__, __LINE__, "the child ended with status %#x", status);
}

void forked_child(void (*body)(void))
{
    golden_check(name, FUNCTIONS - 1); /* the handlers are no exported function */
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHECK_WATCHDOG_S / 2); /* an alarm is not inherited */
        body();
        exit(42);
    }
    forked_wait(child);
}
