/*
 * The scenarios of tests_go/testdata, played by coroutines on a pool that has a scheduler. Who is
 * woken is he for whom resume was called. Each case shows P38.
 */
#include "coroutine.h"
#include "replay.h"

typedef struct co_actor {
    co co; /* first: co_current is the actor */
    replay_actor *actor;
    bool woken;
} co_actor;

static co_actor coroutines[SCENARIO_ACTORS];

static replay_actor *current(void) { return co_current ? ((co_actor *)co_current)->actor : NULL; }

static bool suspend(void *ctx, pool_op_t *op)
{
    co_actor *c = (co_actor *)co_current;
    CHECK_PTR(ctx, coroutines);
    op->data = c;
    c->woken = false;
    c->actor->at = REPLAY_WAIT;
    co_yield ();
    c->actor->at = REPLAY_RUNNING;
    op->data = NULL;
    return true;
}

static void resume(void *ctx, pool_op_t *op)
{
    co_actor *c = op->data;
    CHECK_PTR(ctx, coroutines);
    CHECK(c != NULL && !c->woken);
    c->woken = true;
}

static void body(void *arg)
{
    co_actor *c = arg;
    replay_call(c->actor);
    c->actor->at = REPLAY_DONE;
}

static void begin(replay_actor *a, const scenario_step *step)
{
    co_actor *c = &coroutines[a->index];
    (void)step;
    c->actor = a;
    c->woken = false;
    co_start(&c->co, body, c);
    co_resume(&c->co);
}

static void go_on(replay_actor *a, const scenario_step *step)
{
    (void)step;
    co_resume(&coroutines[a->index].co);
}

static void stop(replay_actor *a)
{
    (void)a;
    co_yield ();
}

static bool woken(replay_actor *a) { return coroutines[a->index].woken; }

static const pool_scheduler_t scheduler = {suspend, resume, coroutines};
static const replay_world world = {
    .name = "coroutines",
    .begin = begin,
    .go_on = go_on,
    .woken = woken,
    .stop = stop,
    .current = current,
    .scheduler = &scheduler,
};

static void play(const char *name) { replay(&world, name); }

/* Shows B29. */
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
