/*
 * R42: every pool function may be called from every hook. A cell of the matrix is one hook,
 * one call and one pool size; a case runs all cells of one hook and size. A cell that fails is told
 * by the message, a cell that hangs by the watchdog. Each case shows B72.
 */
#include "fixture.h"

typedef enum place { IN_FACTORY, IN_BEFORE_ACQUIRE, IN_BEFORE_RELEASE, IN_DESTRUCTOR, IN_CLOSE } place;

static const char *const place_names[] = {
    "factory", "before_acquire", "before_release", "destructor", "destructor of close"};
static const fx_hook hook_of[] = {FX_FACTORY, FX_BEFORE_ACQUIRE, FX_BEFORE_RELEASE, FX_DESTRUCTOR, FX_DESTRUCTOR};

typedef struct call call;

/* The cell that runs. */
static struct {
    char name[128];
    place place;
    const call *call;
    uint32_t max;
    bool armed;         /* the hook has not made its call yet */
    fx_resource *other; /* a lease that the hook may give back */
    pool_t *lender;     /* the pool that other belongs to */
} cell;

#define CELL_CHECK(condition)                                                          \
    do {                                                                               \
        check_here(cell.name, __LINE__);                                               \
        if (!(condition))                                                              \
            check_fail(__FILE__, __LINE__, "%s: not true: %s", cell.name, #condition); \
    } while (0)
#define CELL_STATUS(got, want) check_status(cell.name, __LINE__, #got, (got), (want))

static bool closed(void) { return cell.place == IN_CLOSE; }

/* The hook's resource takes one place; is there another one to lend from? */
static bool room(void) { return cell.max > 1 && !closed(); }

/* What a call from the hook that wants a resource must come to. */
static void check_borrowed(pool_t *pool, pool_status_t got, void *resource, pool_status_t busy)
{
    CELL_STATUS(got, closed() ? POOL_ERR_CLOSED : room() ? POOL_OK : busy);
    CELL_CHECK((resource != NULL) == room());
    if (room())
        CELL_STATUS(pool_release(pool, resource), POOL_OK);
}

static void call_acquire(pool_t *pool, fx_resource *r)
{
    (void)r;
    void *resource = cell.name;
    pool_status_t status = pool_acquire(pool, &resource, 50);
    check_borrowed(pool, status, resource, POOL_ERR_TIMEOUT);
}

static void call_try_acquire(pool_t *pool, fx_resource *r)
{
    (void)r;
    void *resource = cell.name;
    pool_status_t status = pool_try_acquire(pool, &resource);
    check_borrowed(pool, status, resource, POOL_EMPTY);
}

static void call_release_other(pool_t *pool, fx_resource *r)
{
    (void)r;
    fx_resource *other = cell.other;
    cell.other = NULL;
    if (cell.lender != pool)
        CELL_STATUS(pool_release(pool, other), POOL_ERR_NOT_OWNED);
    CELL_STATUS(pool_release(cell.lender, other), POOL_OK);
}

static void call_release_same(pool_t *pool, fx_resource *r) { CELL_STATUS(pool_release(pool, r), POOL_ERR_NOT_OWNED); }

static void call_close(pool_t *pool, fx_resource *r)
{
    (void)r;
    CELL_STATUS(pool_close(pool), POOL_OK);
    CELL_CHECK(pool_is_closed(pool));
    CELL_CHECK(pool_idle_count(pool) == 0);
}

static void call_counts(pool_t *pool, fx_resource *r)
{
    (void)r;
    pool_snapshot_t s = {.struct_size = sizeof s};
    CELL_STATUS(pool_snapshot(pool, &s), POOL_OK);
    CELL_CHECK(s.active == 1 && s.idle == 0 && s.waiting == 0 && s.reserved == 0);
    CELL_CHECK(s.max == cell.max && s.closed == closed() && s.state == POOL_CIRCUIT_ACTIVE);
    CELL_CHECK(pool_count(pool) == 1);
    CELL_CHECK(pool_active_count(pool) == 1);
    CELL_CHECK(pool_idle_count(pool) == 0);
    CELL_CHECK(pool_waiting_count(pool) == 0);
    CELL_CHECK(pool_is_closed(pool) == closed());
    CELL_CHECK(pool_debug_live() == 1);
}

static void call_ref(pool_t *pool, fx_resource *r)
{
    (void)r;
    CELL_CHECK(pool_ref(pool) == pool);
    pool_unref(pool);
    CELL_CHECK(pool_is_closed(pool) == closed());
}

static void call_op(pool_t *pool, fx_resource *r)
{
    (void)r;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    CELL_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CELL_CHECK(pool_op_next(&op, NULL, &ask) == (closed() ? POOL_ASK_DONE : room() ? POOL_ASK_CREATE : POOL_ASK_WAIT));
    CELL_STATUS(pool_op_cancel(&op), POOL_OK);
    CELL_CHECK(pool_op_next(&op, NULL, &ask) == POOL_ASK_DONE);
    CELL_STATUS(ask.status, closed() ? POOL_ERR_CLOSED : POOL_ERR_CANCELLED);
    CELL_CHECK(pool_active_count(pool) == 1 && pool_waiting_count(pool) == 0);
}

static void call_set_error(pool_t *pool, fx_resource *r)
{
    (void)r;
    CELL_STATUS(pool_set_error(pool, 7, "dropped, as the hook succeeds"), POOL_OK);
}

static void call_other_pool(pool_t *pool, fx_resource *r)
{
    (void)r;
    pool_t *inner = fx_pool(FX_WITH_ALL, 1, 1);
    CELL_CHECK(inner != pool);
    fx_give(inner, fx_take(inner));
    pool_unref(inner);
    CELL_CHECK(pool_is_closed(pool) == closed());
}

struct call {
    const char *name;
    void (*make)(pool_t *pool, fx_resource *r);
};

static const call calls[] = {
    {"acquire", call_acquire},
    {"try_acquire", call_try_acquire},
    {"release of another lease", call_release_other},
    {"release of the same resource", call_release_same},
    {"close", call_close},
    {"counts and snapshot", call_counts},
    {"ref and unref", call_ref},
    {"an op begun and cancelled", call_op},
    {"set_error", call_set_error},
    {"another pool", call_other_pool},
};

/* The hook under test, the first time it runs. */
static bool reenter(pool_t *pool, fx_resource *r, int count)
{
    (void)count;
    if (!cell.armed)
        return true;
    cell.armed = false;
    check_here(cell.name, __LINE__);
    cell.call->make(pool, r);
    return true;
}

/* Brings the hook to run by an ordinary call, which must end as if the hook had done nothing. */
static void enter(pool_t *pool)
{
    bool closes = cell.call->make == call_close;
    void *resource = NULL;
    switch (cell.place) {
    case IN_FACTORY:
        cell.armed = true;
        CELL_STATUS(pool_acquire(pool, &resource, 0), closes ? POOL_ERR_CLOSED : POOL_OK);
        CELL_CHECK((resource == NULL) == closes);
        break;
    case IN_BEFORE_ACQUIRE:
        CELL_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
        CELL_STATUS(pool_release(pool, resource), POOL_OK);
        cell.armed = true;
        CELL_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
        break;
    case IN_BEFORE_RELEASE:
    case IN_DESTRUCTOR:
        CELL_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
        cell.armed = true;
        CELL_STATUS(pool_release(pool, resource), POOL_OK);
        resource = NULL;
        break;
    case IN_CLOSE:
        CELL_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
        CELL_STATUS(pool_release(pool, resource), POOL_OK);
        cell.armed = true;
        CELL_STATUS(pool_close(pool), POOL_OK);
        resource = NULL;
        break;
    }
    CELL_CHECK(!cell.armed);
    if (resource)
        CELL_STATUS(pool_release(pool, resource), POOL_OK);
}

/* Nothing may be lost: max resources can be had, and not one more. */
static void check_all_places(pool_t *pool)
{
    void *lent[2], *none;
    if (pool_is_closed(pool))
        return;
    for (uint32_t i = 0; i < cell.max; i++)
        CELL_STATUS(pool_try_acquire(pool, &lent[i]), POOL_OK);
    CELL_STATUS(pool_try_acquire(pool, &none), POOL_EMPTY);
    for (uint32_t i = 0; i < cell.max; i++)
        CELL_STATUS(pool_release(pool, lent[i]), POOL_OK);
}

static void run_cell(place place, const call *call, uint32_t max)
{
    snprintf(cell.name, sizeof cell.name, "cell: %s calls %s, max %u", place_names[place], call->name, max);
    cell.place = place;
    cell.call = call;
    cell.max = max;

    pool_t *pool = fx_pool(FX_WITH_ACQUIRE | FX_WITH_RELEASE, 0, max), *second = NULL;
    if (call->make == call_release_other) {
        /* With one place, which the hook holds, the other lease can only be another pool's. */
        cell.lender = max > 1 ? pool : (second = fx_pool(0, 0, 1));
        cell.other = fx_take(cell.lender);
    }
    fx.script[FX_BEFORE_RELEASE] = place == IN_DESTRUCTOR ? fx_refuse : NULL;
    fx.script[hook_of[place]] = reenter;

    enter(pool);
    CELL_CHECK(cell.other == NULL);

    memset(fx.script, 0, sizeof fx.script);
    check_all_places(pool);
    pool_unref(second);
    pool_unref(pool);
    CELL_CHECK(fx_live() == 0);
    CELL_CHECK(pool_debug_live() == 0);
}

static void run_cells(place place, uint32_t max)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        run_cell(place, &calls[i], max);
}

TEST(r42_the_factory_may_call_everything_max_1) { run_cells(IN_FACTORY, 1); }
TEST(r42_the_factory_may_call_everything_max_2) { run_cells(IN_FACTORY, 2); }
TEST(r42_before_acquire_may_call_everything_max_1) { run_cells(IN_BEFORE_ACQUIRE, 1); }
TEST(r42_before_acquire_may_call_everything_max_2) { run_cells(IN_BEFORE_ACQUIRE, 2); }
TEST(r42_before_release_may_call_everything_max_1) { run_cells(IN_BEFORE_RELEASE, 1); }
TEST(r42_before_release_may_call_everything_max_2) { run_cells(IN_BEFORE_RELEASE, 2); }
TEST(r42_a_destructor_may_call_everything_max_1) { run_cells(IN_DESTRUCTOR, 1); }
TEST(r42_a_destructor_may_call_everything_max_2) { run_cells(IN_DESTRUCTOR, 2); }
TEST(r42_a_destructor_of_close_may_call_everything_max_1) { run_cells(IN_CLOSE, 1); }
TEST(r42_a_destructor_of_close_may_call_everything_max_2) { run_cells(IN_CLOSE, 2); }
