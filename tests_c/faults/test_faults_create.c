/*
 * Faults while a pool is made: with everything that can be configured, and of callables. Healthchecks on threads of
 * the library are in test_faults_schedule.c. Each case shows P12.
 */
#include "callables.h"
#include "fault.h"
#include "loop.h"

static void loop_over(const char *name, fault_story story)
{
    fault_loop(name, story, NULL);
    fault_report();
}

/* ---- everything at once ---- */

enum { OBSERVERS = 3 };

static pool_event_callback_t observers[OBSERVERS];
static int told_by[OBSERVERS], let_go[OBSERVERS];

static void observe(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event, (void)kind;
    told_by[self - observers]++;
}

static void dispose_of(pool_event_callback_t *self) { let_go[self - observers]++; }

static void passed(pool_t *pool, void *ctx)
{
    (void)ctx;
    if (fault_here(FAULT_REPORT))
        pool_deactivate(pool);
}

static void refused(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)pool, (void)ctx;
    CHECK(error != NULL);
    fault_here(FAULT_REPORT);
}

static bool may_probe(pool_t *pool, void *ctx)
{
    (void)ctx;
    return fault_hook(FAULT_SHOULD_RECOVER, pool);
}

static bool suspend(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    return false; /* a single flow: nobody could wake it */
}

static void resume(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

static void furnish(pool_t *pool, pool_circuit_breaker_strategy_t *strategy, bool *added)
{
    for (int i = 0; i < OBSERVERS; i++) {
        uint32_t before = pool->event.callback_count;
        added[i] = FAULT_EXPLAINS(pool->event.add_callback(&pool->event, &observers[i])) == POOL_OK;
        CHECK_INT(pool->event.callback_count, before + added[i]);
    }
    FAULT_EXPLAINS(pool_set_strategy(pool, strategy));
    if (added[1])
        CHECK_STATUS(pool->event.del_callback(&pool->event, &observers[1]), POOL_OK);
    CHECK_INT(let_go[1], added[1]);
}

/* Borrows one after the other, as far as faults let it, and gives all back. */
static void use(pool_t *pool, int n)
{
    fx_resource *got[8];
    int count = 0;
    CHECK(n <= 8);
    for (int i = 0; i < n; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        if (r)
            got[count++] = r;
        else if (status != POOL_ERR_UNAVAILABLE)
            FAULT_EXPLAINS(status);
    }
    while (count > 0)
        fx_give(pool, got[--count]);
}

static void everything(const void *unused)
{
    (void)unused;
    pool_circuit_breaker_strategy_t strategy = {passed, refused, may_probe, NULL, NULL};
    pool_scheduler_t scheduler = {suspend, resume, NULL};
    pool_config_t config = loop_config(FX_WITH_ALL, 3, 6);
    bool added[OBSERVERS] = {false};
    pool_t *pool;
    memset(told_by, 0, sizeof told_by);
    memset(let_go, 0, sizeof let_go);
    for (int i = 0; i < OBSERVERS; i++)
        observers[i] = (pool_event_callback_t){observe, dispose_of, NULL};
    config.name = "everything";
    config.flags = POOL_F_REACTOR | POOL_F_TIMED;
    config.healthcheck_interval_ms = 1;
    config.leak_after_ms = UINT32_MAX;
    config.scheduler = &scheduler;
    config.recovering_limit = 2;
    pool_status_t status = FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    CHECK((status == POOL_OK) == (pool != NULL));
    CHECK_INT(pool ? 0 : fx_live(), 0);
    if (!pool)
        return;
    furnish(pool, &strategy, added);
    use(pool, 5);
    int seen = atomic_load(&fx.calls[FX_HEALTHCHECK]);
    int fd = pool_fd(pool);
    /* A pass, unless there is nothing idle to look at. */
    while (pool_idle_count(pool) > 0 && atomic_load(&fx.calls[FX_HEALTHCHECK]) == seen) {
        if (fd >= 0) /* otherwise it looks again and again */
            loop_poll(fd, pool_next_timeout(pool));
        FAULT_EXPLAINS(pool_dispatch(pool));
    }
    fault_off();
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fault_check_rest(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    for (int i = 0; i < OBSERVERS; i++)
        CHECK(i == 1 || told_by[i] > 0 || !added[i]); /* at least of the close */
    pool_unref(pool);
    for (int i = 0; i < OBSERVERS; i++)
        CHECK_INT(let_go[i], added[i]); /* one that was not added is its owner's still */
}

TEST(a_pool_with_everything)
{
    fault_hooks();
    loop_config(0, 0, 1); /* makes a pool of its own once */
    loop_over("everything", everything);
}

/* ---- callables ---- */

static bool fails_at_will(pool_t *pool, int call)
{
    (void)call;
    return fault_hook(FAULT_FACTORY, pool);
}

static bool checks_at_will(pool_t *pool, int call)
{
    (void)call;
    return fault_hook(FAULT_BEFORE_RELEASE, pool);
}

static void of_callables(const void *unused)
{
    (void)unused;
    fresh_all();
    made = ended = 0;
    calls[FX_FACTORY].script = fails_at_will;
    calls[FX_BEFORE_RELEASE].script = checks_at_will;
    pool_t *pool = create(2, 12, 0);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        check_disposed(1);
        CHECK_INT(made, ended);
        return;
    }
    check_disposed(0);
    void *got[12];
    int count = 0;
    for (int i = 0; i < 12; i++)
        count += FAULT_EXPLAINS(pool_acquire(pool, &got[count], 0)) == POOL_OK;
    while (count > 0)
        give(pool, got[--count]);
    CHECK_COUNTS(pool, (uint32_t)(made - ended), 0, 0);
    pool_unref(pool);
    check_disposed(1);
    CHECK_INT(made, ended);
}

TEST(callables_are_disposed_of_once) { loop_over("callables", of_callables); }
