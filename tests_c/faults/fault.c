#include "fault.h"
#include "heap.h"

enum { SEEDS = CHECK_SLOWDOWN > 1 ? 4 : 24, ONE_IN = 6 };

static const char *const names[FAULT_KINDS + 1] = {
    "no fault",       "allocation",     "adapter",     "descriptor", "thread",         "factory",
    "before_acquire", "before_release", "healthcheck", "report",     "should_recover", "any, by seed",
};

/* Relaxed: a fault must not order the threads that ask for it, or races between them went unnoticed. */
static struct {
    atomic_int kind, n;
    atomic_bool on, from_then_on;
    atomic_int calls[FAULT_KINDS], injected[FAULT_KINDS];
} run;

static int total[FAULT_KINDS], stories;

#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, value) atomic_store_explicit(&(x), (value), memory_order_relaxed)
#define ADD(x) atomic_fetch_add_explicit(&(x), 1, memory_order_relaxed)

static bool by_chance(unsigned seed, unsigned kind, unsigned call)
{
    uint64_t x = (((uint64_t)seed * 31 + kind) * 1009 + call) * 0x9e3779b97f4a7c15u;
    return (x ^ x >> 29) * 0xbf58476d1ce4e5b9u >> 32 < UINT32_MAX / ONE_IN;
}

bool fault_here(fault_kind kind)
{
    if (!LOAD(run.on))
        return false;
    int call = ADD(run.calls[kind]) + 1, n = LOAD(run.n), which = LOAD(run.kind);
    if (which == FAULT_ANY ? !by_chance((unsigned)n, kind, (unsigned)call)
                           : which != (int)kind || (LOAD(run.from_then_on) ? call < n : call != n))
        return false;
    ADD(run.injected[kind]);
    return true;
}

void fault_off(void) { STORE(run.on, false); }

int fault_injected(fault_kind kind) { return LOAD(run.injected[kind]); }

/* The library keeps the last pools that were freed for a while. Once it has as many as it keeps, one goes for
 * each that comes, so that the number of blocks tells whether one is left. */
static void fill_what_is_kept(void)
{
    enum { MORE_THAN_IS_KEPT = 100 };
    static bool filled;
    for (int i = 0; i < MORE_THAN_IS_KEPT && !filled; i++)
        pool_unref(fx_pool(0, 0, 1));
    filled = true;
}

int fault_once(const char *name, fault_story story, const void *what, fault_kind kind, int n, bool from_then_on)
{
    snprintf(check_about, sizeof check_about, "%s: %s %d%s", name, names[kind], n,
             from_then_on ? " and all after it" : "");
    for (int i = 0; i < FAULT_KINDS; i++) {
        STORE(run.calls[i], 0);
        STORE(run.injected[i], 0);
    }
    atomic_store(&fx.created, 0);
    atomic_store(&fx.destroyed, 0);
    atomic_store(&fx.peak, 0);
    fx.quiet = true;
    STORE(run.kind, (int)kind);
    STORE(run.n, n);
    STORE(run.from_then_on, from_then_on);
    fill_what_is_kept();
    int blocks = heap_blocks();
    STORE(run.on, true);
    story(what);
    STORE(run.on, false);
    CHECK_INT(pool_debug_live(), 0);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(heap_blocks(), blocks);
    int injected = 0;
    for (int i = 0; i < FAULT_KINDS; i++) {
        total[i] += fault_injected(i);
        injected += fault_injected(i);
    }
    check_about[0] = 0;
    return injected;
}

void fault_loop(const char *name, fault_story story, const void *what)
{
    fault_once(name, story, what, FAULT_NONE, 0, false);
    stories++;
    int calls[FAULT_KINDS];
    for (int kind = 0; kind < FAULT_KINDS; kind++)
        calls[kind] = LOAD(run.calls[kind]);
    CHECK(calls[FAULT_ALLOC] > 0); /* heap.c is at work: every story makes a pool */
    for (fault_kind kind = FAULT_ALLOC; kind < FAULT_KINDS; kind++)
        for (int more = 0; more < 2; more++)
            for (int n = 1; fault_once(name, story, what, kind, n, more) > 0 || n < calls[kind]; n++)
                ;
    for (int seed = 1; seed <= SEEDS && (seed == 1 || check_time_left()); seed++)
        fault_once(name, story, what, FAULT_ANY, seed, false);
}

void fault_report(void)
{
    int hooks = 0, all = 0;
    for (int kind = FAULT_FACTORY; kind < FAULT_KINDS; kind++)
        hooks += total[kind];
    printf("faults: %d allocations, %d hook calls", total[FAULT_ALLOC], hooks);
    if (total[FAULT_ADAPTER])
        printf(", %d calls of the adapter", total[FAULT_ADAPTER]);
    if (total[FAULT_DESCRIPTOR])
        printf(", %d descriptors", total[FAULT_DESCRIPTOR]);
    if (total[FAULT_THREAD])
        printf(", %d threads", total[FAULT_THREAD]);
    printf(" over %d scenarios\n", stories ? stories : 1);
    for (int kind = FAULT_ALLOC; kind < FAULT_KINDS; kind++)
        all += total[kind];
    CHECK(all > 0);
}

/* ---- hooks ---- */

bool fault_hook(fault_kind kind, pool_t *pool)
{
    CHECK(pool_count(pool) <= pool->max_size);
    if (!fault_here(kind))
        return true;
    pool_set_error(pool, 1000 + (int)kind, names[kind]);
    return false;
}

static bool factory(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return fault_hook(FAULT_FACTORY, pool);
}

static bool before_acquire(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return fault_hook(FAULT_BEFORE_ACQUIRE, pool);
}

static bool before_release(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return fault_hook(FAULT_BEFORE_RELEASE, pool);
}

static bool healthcheck(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return fault_hook(FAULT_HEALTHCHECK, pool);
}

void fault_hooks(void)
{
    fx.script[FX_FACTORY] = factory;
    fx.script[FX_BEFORE_ACQUIRE] = before_acquire;
    fx.script[FX_BEFORE_RELEASE] = before_release;
    fx.script[FX_HEALTHCHECK] = healthcheck;
}

/* ---- checks ---- */

pool_status_t fault_explains(const char *file, int line, const char *text, pool_status_t status)
{
    check_here(file, line);
    bool explained = status == POOL_OK;
    if (status == POOL_ERR_NOMEM)
        explained = fault_injected(FAULT_ALLOC) + fault_injected(FAULT_THREAD) > 0;
    else if (status == POOL_ERR_FACTORY)
        explained = fault_injected(FAULT_FACTORY) > 0;
    if (!explained)
        check_fail(file, line, "%s is %s, which no fault explains", text, pool_status_name(status));
    return status;
}

void fault_check_rest(pool_t *pool)
{
    enum { MOST = 64 };
    fx_resource *got[MOST];
    uint32_t max = pool->max_size;
    int others = fx_live() - (int)pool_count(pool); /* of other pools */
    CHECK(max <= MOST);
    CHECK_COUNTS(pool, pool_count(pool), 0, 0);
    CHECK(others == 0 || pool_debug_live() > 1);
    for (uint32_t i = 0; i < max; i++) {
        pool_status_t status;
        got[i] = fx_try(pool, &status);
        CHECK_STATUS(status, POOL_OK);
    }
    pool_status_t status;
    CHECK(!fx_try(pool, &status));
    CHECK_STATUS(status, POOL_EMPTY);
    CHECK_INT(fx_live() - others, max);
    for (uint32_t i = 0; i < max; i++)
        fx_give(pool, got[i]);
    CHECK_COUNTS(pool, max, 0, 0);
}
