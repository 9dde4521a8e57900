/*
 * The scenarios of tests_go/testdata, played by event loops: each actor is a thread with a reactor,
 * acquires are async, and a drain is an op that the loop goes on with. Who is woken is he whose descriptor is
 * readable, or whose op has been woken. Each case shows P38.
 */
#include "baton.h"
#include "loop.h"

typedef struct loop_actor {
    pool_op_t op;
    pool_reactor_t *reactor;
    bool told, begun;
    pool_ask_t ask; /* of a drain */
} loop_actor;

static loop_actor loops[SCENARIO_ACTORS];

static bool drains(const replay_actor *a) { return scenario_is(a->verb, "drain"); }

/* Is there something to do? A deadline that was cleared may make the descriptor readable for nothing, when its time
 * comes: that of a scenario before this one, on a slow machine. */
static bool readable(replay_actor *a)
{
    pool_reactor_t *reactor = loops[a->index].reactor;
    if (drains(a))
        return pool_op_wait(&loops[a->index].op, 1) == POOL_OK;
    return loop_readable(pool_reactor_fd(reactor)) && pool_reactor_next_timeout(reactor) == 0;
}

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

static void dispatch(replay_actor *a)
{
    loop_actor *l = &loops[a->index];
    CHECK_STATUS(pool_reactor_dispatch(l->reactor), POOL_OK);
    a->at = l->told ? REPLAY_DONE : REPLAY_WAIT;
}

/* One turn of the loop, if the descriptor says that there is something to do. */
static void acquire(replay_actor *a)
{
    loop_actor *l = &loops[a->index];
    l->told = false;
    a->status = pool_reactor_acquire(l->reactor, replay_pool, &l->op, a->timeout_ms, tell, a);
    l->begun = a->status == POOL_PENDING;
    if (!l->begun)
        a->at = REPLAY_DONE;
    else if (readable(a))
        dispatch(a);
    else
        a->at = REPLAY_WAIT;
}

/* One turn of a drain: it destroys what there is to destroy. */
static void drain_on(replay_actor *a)
{
    loop_actor *l = &loops[a->index];
    while (pool_op_next(&l->op, NULL, &l->ask) == POOL_ASK_DESTROY)
        replay_pool->destructor.internal(replay_pool, l->ask.resource);
    a->status = l->ask.status;
    a->at = l->ask.kind == POOL_ASK_DONE ? REPLAY_DONE : REPLAY_WAIT;
}

static void drain(replay_actor *a)
{
    loop_actor *l = &loops[a->index];
    l->ask = (pool_ask_t)POOL_ASK_INIT;
    CHECK_STATUS(pool_op_drain(replay_pool, &l->op, a->timeout_ms), POOL_OK);
    drain_on(a);
}

static void call_off_drain(replay_actor *a)
{
    CHECK_STATUS(pool_op_cancel(&loops[a->index].op), POOL_OK);
    drain_on(a);
}

static void call(replay_actor *a)
{
    replay_call(a);
    a->at = REPLAY_DONE;
}

static void call_off(replay_actor *a)
{
    loop_actor *l = &loops[a->index];
    if (l->begun)
        CHECK_STATUS(pool_op_cancel(&l->op), POOL_OK);
    dispatch(a);
}

static void turn(replay_actor *a, void (*body)(replay_actor *))
{
    loop_actor *l = &loops[a->index];
    if (!l->reactor)
        l->reactor = pool_reactor_create();
    baton_await(baton_give(a, body), false);
}

static void begin(replay_actor *a, const scenario_step *step)
{
    (void)step;
    turn(a, scenario_is(a->verb, "acquire") ? acquire : drains(a) ? drain : call);
}

static void go_on(replay_actor *a, const scenario_step *step)
{
    (void)step;
    turn(a, a->at == REPLAY_HOOK ? batons[a->index].body : drains(a) ? drain_on : dispatch);
}

static void cancel(replay_actor *a) { turn(a, drains(a) ? call_off_drain : call_off); }

/* A blocking caller keeps what before_acquire passed while the pool closed; an async one is told
 * CLOSED. A pool that is drained says that it is closed, and serves who stands in line. */
static const char *left_out(const scenario *s)
{
    const char *verb[SCENARIO_ACTORS] = {NULL};
    bool drained = false;
    for (const scenario_step *step = s->steps; step < s->steps + s->count; step++) {
        if (replay_begins(step))
            verb[step->actor] = step->verb;
        drained |= scenario_is(step->verb, "drain");
        if (!drained && scenario_is(verb[step->actor], "acquire") && strstr(step->counts, " closed") &&
            strstr(step->ask, "done OK"))
            return "an async op is told CLOSED after a close, whatever it got";
    }
    return NULL;
}

static const replay_world loop = {
    .name = "loops",
    .left_out = left_out,
    .begin = begin,
    .go_on = go_on,
    .cancel = cancel,
    .woken = readable,
    .stop = baton_stop,
    .current = baton_current,
};

static void play(const char *name)
{
    replay(&loop, name);
    baton_end();
    for (loop_actor *l = loops; l < loops + SCENARIO_ACTORS; l++)
        pool_reactor_unref(l->reactor);
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
TEST(resize) { play("resize.txt"); }
TEST(evict) { play("evict.txt"); }
TEST(trim) { play("trim.txt"); }
TEST(drain) { play("drain.txt"); }
TEST(patience) { play("patience.txt"); }
TEST(lifo) { play("lifo.txt"); }
TEST(ages) { play("ages.txt"); }
TEST(kept) { play("kept.txt"); }
TEST(leaks) { play("leaks.txt"); }
