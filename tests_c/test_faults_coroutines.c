/*
 * Faults in the scenarios, on pools with a scheduler whose callers are coroutines. See faults/story.h.
 */
#include "coroutine.h"
#include "faults/story.h"

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
    CHECK(c != NULL);
    op->data = c;
    c->woken = false;
    c->actor->at = REPLAY_WAIT;
    co_yield();
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
    story_call(c->actor);
    c->actor->at = REPLAY_DONE;
}

static void begin(replay_actor *a)
{
    co_actor *c = &coroutines[a->index];
    c->actor = a;
    c->woken = false;
    co_start(&c->co, body, c);
    co_resume(&c->co);
}

static void go_on(replay_actor *a, bool late)
{
    if (late && a->late_ns)
        WAIT_FOR(check_now_ns() > a->late_ns);
    co_resume(&coroutines[a->index].co);
}

static void stop(replay_actor *a)
{
    (void)a;
    co_yield();
}

static bool woken(replay_actor *a) { return coroutines[a->index].woken; }

static const pool_scheduler_t scheduler = {suspend, resume, coroutines};

static void configure(pool_config_t *config) { config->scheduler = &scheduler; }

static const story_world world = {
    .configure = configure, .begin = begin, .go_on = go_on, .woken = woken, .stop = stop,
    .current = current,
};

TEST(acquire) { story_replay(&world, "acquire.txt"); }
TEST(release) { story_replay(&world, "release.txt"); }
TEST(waiters) { story_replay(&world, "waiters.txt"); }
TEST(reservation) { story_replay(&world, "reservation.txt"); }
TEST(timeout) { story_replay(&world, "timeout.txt"); }
TEST(cancel) { story_replay(&world, "cancel.txt"); }
TEST(close) { story_replay(&world, "close.txt"); }
TEST(fill) { story_replay(&world, "fill.txt"); }
TEST(ring) { story_replay(&world, "ring.txt"); }
