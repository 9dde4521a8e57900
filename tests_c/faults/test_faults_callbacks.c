/* Faults while observers and strategies come and go: whoever is not registered changes nothing.
 * Each case shows P12. */
#include "fault.h"

enum { OBSERVERS = 5, ROUNDS = 6 };

typedef struct strategy {
    pool_circuit_breaker_strategy_t s; /* first */
    int reports;
    bool swaps; /* its reports put the other one in its place */
} strategy;

static strategy strategies[2];
static strategy *present; /* which of them is registered */
static pool_event_callback_t observers[OBSERVERS];
static bool inside[OBSERVERS];
static int told_by[OBSERVERS], let_go[OBSERVERS], times_in[OBSERVERS];

/* ---- observers ---- */

static void add(pool_t *pool, int i)
{
    uint32_t before = pool->event.callback_count;
    if (FAULT_EXPLAINS(pool->event.add_callback(&pool->event, &observers[i])) == POOL_OK) {
        inside[i] = true;
        times_in[i]++;
    }
    CHECK_INT(pool->event.callback_count, before + inside[i]);
}

static void drop(pool_t *pool, int i)
{
    CHECK_STATUS(pool->event.del_callback(&pool->event, &observers[i]), POOL_OK);
    inside[i] = false;
    CHECK_INT(let_go[i], times_in[i]);
}

/* The first one changes its neighbours while it is told. */
static void observe(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    pool_t *pool = (pool_t *)event;
    int i = (int)(self - observers);
    CHECK(inside[i]);
    told_by[i]++;
    if (i != 0 || kind != POOL_EVENT_AVAILABLE)
        return;
    if (inside[1])
        drop(pool, 1);
    else
        add(pool, 1);
}

static void dispose(pool_event_callback_t *self) { let_go[self - observers]++; }

/* Borrows and gives back; answers what the acquire answered. */
static pool_status_t borrow(pool_t *pool)
{
    pool_status_t status;
    fx_resource *r = fx_acquire(pool, 0, &status);
    if (r)
        fx_give(pool, r);
    return status;
}

static void observed(const void *unused)
{
    (void)unused;
    memset(inside, 0, sizeof inside);
    memset(told_by, 0, sizeof told_by);
    memset(let_go, 0, sizeof let_go);
    memset(times_in, 0, sizeof times_in);
    pool_t *pool = fx_try_pool(FX_WITH_RELEASE, 0, 2);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    for (int i = 0; i < OBSERVERS; i++) {
        observers[i] = (pool_event_callback_t){observe, dispose, NULL};
        add(pool, i);
    }
    FAULT_EXPLAINS(borrow(pool));
    if (inside[3])
        drop(pool, 3);
    for (int i = 2; i < OBSERVERS; i++) /* those that are there are refused */
        if (!inside[i])
            add(pool, i);
    FAULT_EXPLAINS(borrow(pool));
    fault_off();
    fault_check_rest(pool);
    memset(told_by, 0, sizeof told_by);
    FAULT_EXPLAINS(borrow(pool));
    for (int i = 0; i < OBSERVERS; i++)
        CHECK(i == 1 || told_by[i] == inside[i]); /* each that is there is told once */
    pool_unref(pool);
    for (int i = 0; i < OBSERVERS; i++)
        CHECK_INT(let_go[i], times_in[i]);
}

TEST(observers)
{
    fault_hooks();
    fault_loop("observers", observed, NULL);
    fault_report();
}

/* ---- strategies ---- */

static void put(pool_t *pool, strategy *s)
{
    if (FAULT_EXPLAINS(pool_set_strategy(pool, &s->s)) == POOL_OK)
        present = s;
}

static void reported(pool_t *pool, strategy *s)
{
    CHECK_PTR(s, present);
    s->reports++;
    if (s->swaps)
        put(pool, &strategies[s == strategies]);
    if (fault_here(FAULT_REPORT))
        pool_deactivate(pool);
}

static void passed(pool_t *pool, void *ctx) { reported(pool, ctx); }

static void refused(pool_t *pool, const pool_error_t *error, void *ctx)
{
    CHECK(error->code == 1000 + FAULT_BEFORE_RELEASE);
    reported(pool, ctx);
}

static bool may_probe(pool_t *pool, void *ctx)
{
    CHECK_PTR(ctx, present);
    return fault_hook(FAULT_SHOULD_RECOVER, pool);
}

static void swapped(const void *swaps)
{
    present = NULL;
    pool_t *pool = fx_try_pool(FX_WITH_RELEASE, 0, 2);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    for (int i = 0; i < 2; i++)
        strategies[i] = (strategy){{passed, refused, may_probe, &strategies[i], NULL}, 0, swaps != NULL};
    for (int round = 0; round < ROUNDS; round++) {
        put(pool, &strategies[round % 2]);
        int before = strategies[0].reports + strategies[1].reports;
        strategy *asked = present;
        pool_status_t status = borrow(pool);
        if (status != POOL_ERR_UNAVAILABLE)
            FAULT_EXPLAINS(status);
        CHECK_INT(strategies[0].reports + strategies[1].reports, before + (status == POOL_OK && asked));
    }
    fault_off();
    CHECK_STATUS(pool_activate(pool), POOL_OK);
    fault_check_rest(pool);
    pool_unref(pool);
}

TEST(strategies)
{
    fault_hooks();
    fault_loop("strategies", swapped, NULL);
    fault_loop("strategies that replace themselves", swapped, "");
    fault_report();
}

/* ---- the built-in one, whose counts are moved by what fails ---- */

static void built_in(const void *unused)
{
    (void)unused;
    pool_t *pool = fx_try_pool(FX_WITH_ALL, 1, 3);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    CHECK_STATUS(pool_strategy_threshold(pool, 2, 1, 2), POOL_OK);
    for (int round = 0; round < ROUNDS; round++) {
        pool_status_t status = borrow(pool);
        if (status != POOL_ERR_UNAVAILABLE)
            FAULT_EXPLAINS(status);
        else
            CHECK(fault_injected(FAULT_FACTORY) + fault_injected(FAULT_BEFORE_RELEASE) >= 2);
    }
    fault_off();
    while (pool_state(pool) != POOL_CIRCUIT_ACTIVE) { /* it recovers by itself, a millisecond after it opened */
        pool_status_t status = borrow(pool);
        CHECK(status == POOL_OK || status == POOL_ERR_UNAVAILABLE);
    }
    fault_check_rest(pool);
    pool_unref(pool);
}

TEST(the_built_in_strategy)
{
    fault_hooks();
    fault_loop("threshold", built_in, NULL);
    fault_report();
}
