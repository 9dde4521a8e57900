/* Observers and strategies that are called within each other, ten thousand deep, and what the innermost may do. */
#include "watcher.h"

/* The thread sanitizer remembers 64 thousand frames of a thread, and a level is a dozen of them. */
enum { DEEP = CHECK_SLOWDOWN > 1 ? 1000 : 10000 };

#define STACK ((size_t)DEEP * 64 << 10) /* memory comes as it is used */

typedef struct level {
    watcher watch; /* first */
    pool_circuit_breaker_strategy_t strategy;
    pool_t *pool;
    fx_resource *lent;
    int reports;
} level;

static level levels[DEEP];
static void (*innermost)(level *l);

/* Gives the next pool's resource back, which calls that one's observer. */
static void go_deeper(level *l)
{
    level *next = l + 1;
    if (next < levels + DEEP)
        fx_give(next->pool, next->lent);
    else if (innermost)
        innermost(l);
}

static void go_deeper_when_available(watcher *self, pool_t *pool, pool_event_kind_t kind)
{
    (void)pool;
    if (kind == POOL_EVENT_AVAILABLE)
        go_deeper((level *)self);
}

static void report_success(pool_t *pool, void *ctx)
{
    (void)pool;
    level *l = ctx;
    l->reports++;
    go_deeper(l);
}

static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx) { (void)pool, (void)error, (void)ctx; }

static void make_levels(bool strategies)
{
    for (int i = 0; i < DEEP; i++) {
        level *l = &levels[i];
        l->pool = fx_pool(0, 0, 1);
        l->lent = fx_take(l->pool);
        l->watch.script = go_deeper_when_available;
        l->strategy = (pool_circuit_breaker_strategy_t){report_success, report_failure, NULL, l, NULL};
        if (strategies)
            CHECK_STATUS(pool_set_strategy(l->pool, &l->strategy), POOL_OK);
        else
            CHECK_STATUS(watcher_add(&l->watch, l->pool), POOL_OK);
    }
}

static void *give_first(void *unused)
{
    fx_give(levels[0].pool, levels[0].lent);
    return unused;
}

static void go_down(void)
{
    pthread_attr_t attr;
    pthread_t thread;
    CHECK_INT(pthread_attr_init(&attr), 0);
    CHECK_INT(pthread_attr_setstacksize(&attr, STACK), 0);
    CHECK_INT(pthread_create(&thread, &attr, give_first, NULL), 0);
    pthread_attr_destroy(&attr);
    check_join(thread);
}

static void end_levels(void)
{
    for (int i = 0; i < DEEP; i++)
        pool_unref(levels[i].pool);
    CHECK_INT(fx_live(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(ten_thousand_observers_are_called_within_each_other_and_each_may_go_afterwards)
{
    fx.quiet = true;
    make_levels(false);
    for (int round = 0; round < 3; round++) { /* what is remembered of calls is not used up */
        go_down();
        for (int i = 0; i < DEEP; i++) {
            CHECK_TOLD(&levels[i].watch, 1, 0);
            CHECK_COUNTS(levels[i].pool, 1, 0, 0);
            levels[i].lent = fx_take(levels[i].pool);
        }
    }
    for (int i = 0; i < DEEP; i++) {
        CHECK_STATUS(watcher_del(&levels[i].watch), POOL_OK); /* waits for nobody */
        CHECK_INT(levels[i].watch.disposed, 1);
        fx_give(levels[i].pool, levels[i].lent);
    }
    end_levels();
}

static void remove_itself(level *l) { CHECK_STATUS(watcher_del(&l->watch), POOL_OK); }

static void remove_the_outermost(level *l)
{
    (void)l;
    remove_itself(&levels[0]);
}

/* Whoever takes an observer away that runs around it does not wait for it. */
static void removed_within(void (*what)(level *l), level *removed)
{
    fx.quiet = true;
    make_levels(false);
    innermost = what;
    go_down();
    for (int i = 0; i < DEEP; i++)
        CHECK_INT(levels[i].watch.disposed, &levels[i] == removed);
    end_levels();
}

TEST(the_innermost_of_ten_thousand_observers_takes_itself_away) { removed_within(remove_itself, &levels[DEEP - 1]); }

TEST(the_innermost_of_ten_thousand_observers_takes_the_outermost_away)
{
    removed_within(remove_the_outermost, &levels[0]);
}

static void clear_itself(level *l) { CHECK_STATUS(pool_set_strategy(l->pool, NULL), POOL_OK); }

TEST(the_innermost_of_ten_thousand_strategies_takes_itself_away)
{
    fx.quiet = true;
    make_levels(true);
    innermost = clear_itself;
    go_down();
    for (int i = 0; i < DEEP; i++)
        CHECK_INT(levels[i].reports, 1);
    end_levels();
}

/* ---- one strategy, within itself ---- */

static fx_resource *lent[DEEP];
static int reports;

static void report_within(pool_t *pool, void *ctx)
{
    (void)ctx;
    if (++reports < DEEP)
        fx_give(pool, lent[reports]);
    else
        CHECK_STATUS(pool_set_strategy(pool, NULL), POOL_OK);
}

TEST(a_strategy_takes_itself_away_from_a_report_within_ten_thousand_of_its_reports)
{
    fx.quiet = true;
    pool_circuit_breaker_strategy_t strategy = {report_within, report_failure, NULL, NULL, NULL};
    levels[0].pool = fx_pool(0, 0, DEEP);
    CHECK_STATUS(pool_set_strategy(levels[0].pool, &strategy), POOL_OK);
    for (int i = 0; i < DEEP; i++)
        lent[i] = fx_take(levels[0].pool);
    levels[0].lent = lent[0];
    go_down();
    CHECK_INT(reports, DEEP);
    CHECK_COUNTS(levels[0].pool, DEEP, 0, 0);
    fx_finish(levels[0].pool);
}
