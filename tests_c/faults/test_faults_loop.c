/*
 * Faults in the scenarios, on pools whose callers are event loops: acquires are async, and what is to be done
 * is done in a dispatch. Each loop is a coroutine, so that a hook can stop inside a dispatch while other loops
 * go on. Every other actor has a reactor of its own; the rest share the pool's. See faults/story.h.
 * Each case shows P12.
 */
#include "worker.h"
#include "loop.h"

typedef struct loop_actor {
    worker w; /* first: co_current is the actor */
    pool_op_t op;
    pool_reactor_t *reactor; /* NULL: the pool's, or none was to be had */
    bool told;
} loop_actor;

static loop_actor loops[SCENARIO_ACTORS];

static bool has_reactor(const replay_actor *a) { return a->index % 2 == 0; }

static void tell(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    replay_actor *a = data;
    loop_actor *l = &loops[a->index];
    CHECK_PTR(op, &l->op);
    CHECK(!l->told);
    l->told = true;
    a->status = status;
    a->resource = resource;
}

static void dispatch(loop_actor *l)
{
    if (l->reactor)
        CHECK_STATUS(pool_reactor_dispatch(l->reactor), POOL_OK);
    else
        FAULT_EXPLAINS(pool_dispatch(story_pool));
}

/* Without a descriptor it has to ask. */
static bool readable(loop_actor *l)
{
    int fd = l->reactor ? pool_reactor_fd(l->reactor) : pool_fd(story_pool);
    return fd >= 0 ? loop_readable(fd)
                   : 0 == (l->reactor ? pool_reactor_next_timeout(l->reactor) : pool_next_timeout(story_pool));
}

static void acquire(loop_actor *l)
{
    replay_actor *a = l->w.actor;
    l->told = false;
    a->resource = NULL;
    if (has_reactor(a) && !l->reactor)
        l->reactor = pool_reactor_create();
    if (has_reactor(a) && !l->reactor) {
        a->status = pool_last_error(NULL, NULL, 0);
        CHECK_STATUS(a->status, POOL_ERR_NOMEM);
        return;
    }
    a->status = l->reactor ? pool_reactor_acquire(l->reactor, story_pool, &l->op, a->timeout_ms, tell, a)
                           : pool_acquire_async(story_pool, &l->op, a->timeout_ms, tell, a);
    if (a->status != POOL_PENDING)
        return;
    while (!l->told) {
        if (readable(l) && !l->told)
            dispatch(l);
        if (l->told)
            break;
        a->at = REPLAY_WAIT;
        co_yield ();
        a->at = REPLAY_RUNNING;
        dispatch(l);
    }
}

static void call(worker *w)
{
    if (scenario_is(w->actor->verb, "acquire"))
        acquire((loop_actor *)w);
    else
        story_call(w->actor);
}

static void begin(replay_actor *a) { worker_begin(&loops[a->index].w, a, call); }

static void go_on(replay_actor *a, bool late)
{
    if (late && a->late_ns)
        WAIT_FOR(check_now_ns() > a->late_ns);
    co_resume(&loops[a->index].w.co);
}

/* The next dispatch tells. */
static void cancel(replay_actor *a)
{
    loop_actor *l = &loops[a->index];
    if (!scenario_is(a->verb, "acquire") || l->told)
        return;
    CHECK_STATUS(pool_op_cancel(&l->op), POOL_OK);
    go_on(a, false);
}

/* It is in a hook of another's op as long as that one's dispatch is. */
static bool woken(replay_actor *a) { return loops[a->index].told || readable(&loops[a->index]); }

static void shut(void)
{
    for (loop_actor *l = loops; l < loops + SCENARIO_ACTORS; l++) {
        pool_reactor_unref(l->reactor);
        l->reactor = NULL;
    }
}

static const story_world world = {
    .begin = begin,
    .go_on = go_on,
    .cancel = cancel,
    .woken = woken,
    .stop = worker_stop,
    .current = worker_current,
    .shut = shut,
};

static void play(const char *name)
{
    story_replay(&world, name);
    for (loop_actor *l = loops; l < loops + SCENARIO_ACTORS; l++)
        worker_end(&l->w);
}

TEST(acquire) { play("acquire.txt"); }
TEST(release) { play("release.txt"); }
TEST(waiters) { play("waiters.txt"); }
TEST(reservation) { play("reservation.txt"); }
TEST(timeout) { play("timeout.txt"); }
TEST(cancel) { play("cancel.txt"); }
TEST(close) { play("close.txt"); }
TEST(fill) { play("fill.txt"); }
TEST(ring) { play("ring.txt"); }
TEST(takeout) { play("takeout.txt"); }
TEST(evict) { play("evict.txt"); }
TEST(trim) { play("trim.txt"); }
TEST(lifo) { play("lifo.txt"); }
TEST(ages) { play("ages.txt"); }
