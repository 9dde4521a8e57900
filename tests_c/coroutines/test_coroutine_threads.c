/*
 * Coroutines and threads: resume comes from another thread, also before suspend; coroutines move
 * between threads while they wait or are inside a hook. Each case shows P03.
 */
#include "loop.h"
#include "scheduler.h"

static scheduler sched;

static pool_t *coroutine_pool(const pool_scheduler_t *hooks, unsigned with, uint32_t max)
{
    pool_config_t config = loop_config(with, 0, max);
    config.scheduler = hooks;
    fx.quiet = true;
    return loop_pool_of(&config);
}

/* ---- resume before suspend ---- */

typedef struct early {
    pool_t *pool;
    fx_resource *held;
    atomic_int suspended, resumed;
} early;

static void *give_held(void *arg)
{
    early *e = arg;
    fx_give(e->pool, e->held);
    return NULL;
}

/* Before it suspends, another thread gives back the place, to this very caller. */
static bool suspend_late(void *ctx, pool_op_t *op)
{
    early *e = ctx;
    e->suspended++;
    CHECK(op->data == NULL || e->suspended > 1);
    if (e->suspended == 1)
        check_join(check_thread(give_held, e));
    CHECK_INT(e->resumed, 1);
    CHECK_PTR(op->data, e);
    return true;
}

static void note_resume(void *ctx, pool_op_t *op)
{
    early *e = ctx;
    CHECK_PTR(op->data, NULL);
    op->data = e;
    e->resumed++;
}

TEST(a_resume_from_another_thread_before_suspend_is_not_lost)
{
    early e = {0};
    pool_scheduler_t hooks = {suspend_late, note_resume, &e};
    e.pool = coroutine_pool(&hooks, 0, 1);
    e.held = fx_take(e.pool);
    fx_resource *r = fx_take(e.pool);
    CHECK_INT(e.suspended, 1);
    CHECK_INT(e.resumed, 1);
    fx_give(e.pool, r);
    fx_finish(e.pool);
}

/* ---- a resume that takes its time ---- */

enum { LOANS = 3000 };

typedef struct slow {
    pool_t *pool;
    fx_resource *_Atomic held; /* what the other thread is to give back */
    atomic_int resuming;
} slow;

static void *give_all(void *arg)
{
    slow *l = arg;
    for (int i = 0; i < LOANS; i++) {
        fx_resource *r;
        WAIT_FOR((r = atomic_exchange(&l->held, NULL)) != NULL);
        fx_give(l->pool, r);
    }
    return NULL;
}

/* Comes back for no reason, again and again. */
static bool suspend_briefly(void *ctx, pool_op_t *op)
{
    static int times;
    (void)ctx, (void)op;
    if (++times % 512 == 0)
        sched_yield();
    return true;
}

static void resume_slowly(void *ctx, pool_op_t *op)
{
    slow *l = ctx;
    l->resuming++;
    sched_yield();
    op->data = l; /* the op is still there */
    l->resuming--;
}

TEST(a_caller_does_not_return_while_resume_runs_for_its_op)
{
    slow l = {0};
    pool_scheduler_t hooks = {suspend_briefly, resume_slowly, &l};
    l.pool = coroutine_pool(&hooks, 0, 1);
    pthread_t giver = check_thread(give_all, &l);
    for (int i = 0; i < LOANS; i++) {
        atomic_store(&l.held, fx_take(l.pool));
        fx_resource *r = fx_take(l.pool);
        CHECK_INT(l.resuming, 0);
        fx_give(l.pool, r);
    }
    check_join(giver);
    fx_finish(l.pool);
}

/* ---- a caller that never comes back ---- */

static bool end_thread(void *ctx, pool_op_t *op)
{
    (void)ctx;
    (void)op;
    pthread_exit(NULL);
}

static void no_resume(void *ctx, pool_op_t *op) { (void)ctx, (void)op; }

static void *take_for_ever(void *pool)
{
    fx_take(pool);
    return NULL;
}

TEST(a_caller_unwound_out_of_suspend_leaves_the_line)
{
    pool_scheduler_t hooks = {end_thread, no_resume, NULL};
    pool_t *pool = coroutine_pool(&hooks, 0, 1);
    fx_resource *r = fx_take(pool);
    check_join(check_thread(take_for_ever, pool));
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    fx_give(pool, fx_take(pool));
    fx_finish(pool);
}

/* ---- coroutines on two threads ---- */

enum { COROUTINES = 32, CYCLES = 20 };

typedef struct walker {
    pool_t *pool;
    int timeouts, moved;
} walker;

static atomic_int walking;

/* Reads its thread anew each time: a compiler may keep pthread_self() across a switch. */
static __attribute__((noinline)) pthread_t this_thread(void)
{
    __asm__ volatile("" ::: "memory");
    return pthread_self();
}

static void walk(void *arg)
{
    walker *w = arg;
    for (int i = 0; i < CYCLES; i++) {
        pthread_t before = this_thread();
        pool_status_t status;
        fx_resource *r = fx_acquire(w->pool, i % 5 ? 0 : 1, &status);
        w->moved += !pthread_equal(before, this_thread());
        if (!r) {
            CHECK_STATUS(status, POOL_ERR_TIMEOUT);
            /* the error is this thread's, not that of the thread where it began to wait */
            CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_TIMEOUT);
            w->timeouts++;
            continue;
        }
        scheduler_yield();
        fx_give(w->pool, r);
    }
    walking--;
}

static atomic_int whose_turn;

/* Two threads, turn about. */
static void *run_tasks(void *arg)
{
    int me = arg != NULL;
    while (walking) {
        if (whose_turn != me) {
            sched_yield();
            continue;
        }
        scheduler_turn(&sched);
        whose_turn = !me;
    }
    return NULL;
}

static bool yield_inside(pool_t *pool, fx_resource *r, int call)
{
    (void)pool;
    (void)r;
    (void)call;
    if (co_current)
        scheduler_yield();
    return true;
}

static void walkers(unsigned hooks)
{
    static walker w[COROUTINES];
    scheduler_init(&sched);
    pool_t *pool = coroutine_pool(&sched.hooks, hooks, 3);
    for (fx_hook hook = 0; hook < FX_HOOKS && hooks; hook++)
        fx.script[hook] = yield_inside;
    walking = COROUTINES;
    for (int i = 0; i < COROUTINES; i++) {
        w[i].pool = pool;
        scheduler_start(&sched, walk, &w[i]);
    }
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        threads[i] = check_thread(run_tasks, i ? &sched : NULL);
    for (int i = 0; i < 2; i++)
        check_join(threads[i]);
    scheduler_run(&sched);
    int moved = 0, timeouts = 0;
    for (int i = 0; i < COROUTINES; i++) {
        moved += w[i].moved;
        timeouts += w[i].timeouts;
    }
    printf("%d waits went on on another thread, %d timed out\n", moved, timeouts);
    CHECK(moved > 0);
    CHECK_INT(pool_active_count(pool), 0);
    CHECK_INT(pool_waiting_count(pool), 0);
    fx_finish(pool);
}

TEST(coroutines_move_between_threads_while_they_wait) { walkers(0); }

TEST(coroutines_move_between_threads_inside_hooks) { walkers(FX_WITH_ACQUIRE | FX_WITH_RELEASE); }

/* ---- a thread that is no coroutine gives back ---- */

typedef struct lender {
    pool_t *pool;
    atomic_int stop;
} lender;

static fx_resource *_Atomic handed;

/* Coroutines hand what they got to a thread, which releases it: all resumes come from there. */
static void *release_handed(void *arg)
{
    lender *l = arg;
    while (!l->stop) {
        fx_resource *r = atomic_exchange(&handed, NULL);
        if (r)
            fx_give(l->pool, r);
        else
            sched_yield();
    }
    return NULL;
}

static void take_and_hand_over(void *arg)
{
    lender *l = arg;
    for (int i = 0; i < CYCLES; i++) {
        fx_resource *r = fx_take(l->pool), *none = NULL;
        while (!atomic_compare_exchange_strong(&handed, &none, r)) {
            none = NULL;
            scheduler_yield();
        }
    }
}

TEST(every_resume_comes_from_another_thread)
{
    static lender l;
    scheduler_init(&sched);
    sched.others_resume = true;
    l.pool = coroutine_pool(&sched.hooks, 0, 1);
    pthread_t thread = check_thread(release_handed, &l);
    for (int i = 0; i < COROUTINES; i++)
        scheduler_start(&sched, take_and_hand_over, &l);
    scheduler_run(&sched);
    WAIT_FOR(pool_active_count(l.pool) == 0);
    l.stop = 1;
    check_join(thread);
    CHECK_INT(fx.created, 1);
    CHECK(sched.resumes > 0);
    fx_finish(l.pool);
}
