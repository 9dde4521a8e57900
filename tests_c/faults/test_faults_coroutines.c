/*
 * Faults in the scenarios, on pools with a scheduler whose callers are coroutines. See faults/story.h.
 * Each case shows P12.
 */
#include "worker.h"

typedef struct co_actor {
    worker w; /* first: co_current is the actor */
    bool woken;
} co_actor;

static co_actor coroutines[SCENARIO_ACTORS];

static bool suspend(void *ctx, pool_op_t *op)
{
    co_actor *c = (co_actor *)co_current;
    CHECK_PTR(ctx, coroutines);
    CHECK(c != NULL);
    op->data = c;
    c->woken = false;
    c->w.actor->at = REPLAY_WAIT;
    co_yield ();
    c->w.actor->at = REPLAY_RUNNING;
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

static void call(worker *w) { story_call(w->actor); }

static void begin(replay_actor *a)
{
    co_actor *c = &coroutines[a->index];
    c->woken = false;
    worker_begin(&c->w, a, call);
}

static void go_on(replay_actor *a, bool late)
{
    if (late && a->late_ns)
        WAIT_FOR(check_now_ns() > a->late_ns);
    co_resume(&coroutines[a->index].w.co);
}

static bool woken(replay_actor *a) { return coroutines[a->index].woken; }

static const pool_scheduler_t scheduler = {suspend, resume, coroutines};

static void configure(pool_config_t *config) { config->scheduler = &scheduler; }

static const story_world world = {
    .configure = configure,
    .begin = begin,
    .go_on = go_on,
    .woken = woken,
    .stop = worker_stop,
    .current = worker_current,
};

static void play(const char *name)
{
    story_replay(&world, name);
    for (co_actor *c = coroutines; c < coroutines + SCENARIO_ACTORS; c++)
        worker_end(&c->w);
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
TEST(drain) { play("drain.txt"); }
TEST(lifo) { play("lifo.txt"); }
TEST(ages) { play("ages.txt"); }
