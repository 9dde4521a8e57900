/*
 * Observers and strategies whose calls change threads: a coroutine waits inside of them on one thread and goes on,
 * or ends, on another. Whose call it is decides who waits for whom when they are taken away.
 */
#include "coroutine.h"
#include "loop.h"
#include "process.h"
#include "recorder.h"
#include "watcher.h"

static pool_t *pool;
static fx_resource *lent[2];
static co flow;
static recorder strategy;
static watcher observer;
static check_gate gate = CHECK_GATE_INIT;

/* ---- one callback of the pool; as a strategy or as an observer ---- */

static bool observed;
static void (*called)(void); /* what the callback does when it is called */

static void report(pool_t *p, recorder *self)
{
    (void)p, (void)self;
    called();
}

static void event(watcher *self, pool_t *p, pool_event_kind_t kind)
{
    (void)self, (void)p;
    if (kind == POOL_EVENT_AVAILABLE)
        called();
}

static void begin(bool as_observer, void (*does)(void))
{
    fx.quiet = true;
    observed = as_observer;
    called = does;
    pool = fx_pool(0, 0, 2);
    for (int i = 0; i < 2; i++)
        lent[i] = fx_take(pool);
    observer.script = event;
    if (observed)
        CHECK_STATUS(watcher_add(&observer, pool), POOL_OK);
    else
        attach(pool, &strategy, report);
}

static void take_away(void)
{
    CHECK_STATUS(observed ? watcher_del(&observer) : pool_set_strategy(pool, NULL), POOL_OK);
}

/* ---- its calls ---- */

static void give(void *which) { fx_give(pool, lent[which != NULL]); }

static void *give_on_a_thread(void *which)
{
    give(which);
    return NULL;
}

static void *go_on(void *unused)
{
    co_resume(&flow);
    return unused;
}

static atomic_int calls, in_gate, out_of_gate, taken_away;

static void wait_at_gate(void)
{
    in_gate++;
    check_gate_pass(&gate);
    out_of_gate++;
}

/* Opens the gate when that thread sleeps, or does not and has come back already. */
static void *open_when_it_sleeps(void *tid)
{
    WAIT_FOR(process_sleeps(*(int *)tid) || taken_away);
    check_gate_open(&gate);
    return NULL;
}

/* Takes the callback away on this thread; its other call must have ended when this has. */
static void take_away_and_have_waited(void)
{
    int tid = process_tid();
    pthread_t opener = check_thread(open_when_it_sleeps, &tid);
    take_away();
    CHECK_INT(out_of_gate, 1);
    taken_away = 1;
    check_join(opener);
}

static void switch_the_first_then_wait(void)
{
    if (calls++ == 0)
        co_yield ();
    else
        wait_at_gate();
}

static void ended_elsewhere(bool as_observer)
{
    begin(as_observer, switch_the_first_then_wait);
    co_start(&flow, give, NULL);
    co_resume(&flow);                      /* inside of the call, on this thread */
    check_join(check_thread(go_on, NULL)); /* it has ended on another */
    CHECK(flow.done);
    pthread_t giver = check_thread(give_on_a_thread, pool);
    WAIT_FOR(in_gate == 1);
    take_away_and_have_waited();
    check_join(giver);
    fx_finish(pool);
}

TEST(a_strategy_whose_report_ended_on_another_thread_is_waited_for_in_the_next) { ended_elsewhere(false); }

TEST(an_observer_whose_call_ended_on_another_thread_is_waited_for_in_the_next) { ended_elsewhere(true); }

static void switch_then_take_away(void)
{
    co_yield ();
    take_away();
}

static void moved_removes_itself(bool as_observer)
{
    begin(as_observer, switch_then_take_away);
    co_start(&flow, give, NULL);
    co_resume(&flow);
    check_join(check_thread(go_on, NULL));
    CHECK(flow.done);
    CHECK_INT(observer.disposed, observed);
    fx_give(pool, lent[1]); /* told to nobody */
    fx_finish(pool);
}

TEST(a_report_that_moved_to_another_thread_takes_its_strategy_away) { moved_removes_itself(false); }

TEST(an_observer_that_moved_to_another_thread_takes_itself_away) { moved_removes_itself(true); }

/* A call that waits in a coroutine of this thread goes on only when this thread lets it. */
static void suspended_here(bool as_observer)
{
    begin(as_observer, co_yield );
    co_start(&flow, give, NULL);
    co_resume(&flow);
    CHECK_STATUS(observed ? watcher_del(&observer) : pool_set_strategy(pool, NULL), POOL_OK);
    CHECK_INT(observer.disposed, 0);
    co_resume(&flow);
    CHECK_INT(observer.disposed, observed);
    fx_give(pool, lent[1]);
    fx_finish(pool);
}

TEST(a_report_that_waits_in_a_coroutine_of_this_thread_is_not_waited_for) { suspended_here(false); }

TEST(an_observer_that_waits_in_a_coroutine_of_this_thread_is_not_waited_for) { suspended_here(true); }

/* ---- one that waits in the pool's own scheduler, and goes on elsewhere ---- */

static pool_t *inner;
static fx_resource *inner_lent;

static bool suspend(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    co_yield ();
    return true;
}

static void resume(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

/* The call borrows from a pool of coroutines, waits there, and then at the gate. */
static void borrow_then_wait(void)
{
    if (calls++ > 0)
        return;
    fx_resource *r = fx_take(inner);
    fx_give(inner, r);
    wait_at_gate();
}

static void moved_while_it_waited(bool as_observer)
{
    pool_config_t config = loop_config(0, 0, 1);
    config.scheduler = &(pool_scheduler_t){suspend, resume, NULL};
    begin(as_observer, borrow_then_wait);
    inner = loop_pool_of(&config);
    inner_lent = fx_take(inner);
    co_start(&flow, give, NULL);
    co_resume(&flow); /* inside of the call it waits for a place */
    fx_give(inner, inner_lent);
    pthread_t other = check_thread(go_on, NULL);
    WAIT_FOR(in_gate == 1);
    take_away_and_have_waited();
    check_join(other);
    pool_unref(inner);
    fx_give(pool, lent[1]);
    fx_finish(pool);
}

TEST(a_report_that_went_on_on_another_thread_is_waited_for_by_that_where_it_began) { moved_while_it_waited(false); }

TEST(an_observer_that_went_on_on_another_thread_is_waited_for_by_that_where_it_began) { moved_while_it_waited(true); }
