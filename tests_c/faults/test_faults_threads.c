/*
 * Faults in the scenarios, on pools whose callers are threads. See faults/story.h.
 * Each case shows P12.
 */
#include "baton.h"
#include "story.h"

static void call(replay_actor *a)
{
    story_call(a);
    a->at = REPLAY_DONE;
}

/* Until each thread is done, in a hook or in line without a promise. */
static void settle(void)
{
    for (;;) {
        check_here(__FILE__, __LINE__);
        uint32_t running = 0;
        for (replay_actor *a = story_actors; a < story_actors + SCENARIO_ACTORS; a++)
            running += a->busy && batons[a->index].started && !baton_is_back(&batons[a->index]);
        if (running == 0)
            return;
        if (story_pool) {
            pool_snapshot_t s = {.struct_size = sizeof s};
            CHECK_STATUS(pool_snapshot(story_pool, &s), POOL_OK);
            if (s.waiting == running && s.reserved == 0)
                break;
        }
        baton_pause();
    }
    for (replay_actor *a = story_actors; a < story_actors + SCENARIO_ACTORS; a++) {
        replay_at before = REPLAY_RUNNING; /* unless its deadline has just come */
        if (a->busy && !baton_is_back(&batons[a->index]))
            atomic_compare_exchange_strong(&a->at, &before, REPLAY_WAIT);
    }
}

static void begin(replay_actor *a)
{
    baton_give(a, call);
    settle();
}

/* One that waits goes on by itself. */
static void go_on(replay_actor *a, bool late)
{
    baton *b = &batons[a->index];
    if (a->at == REPLAY_HOOK)
        baton_set(b, true);
    else if (late && a->late_ns)
        WAIT_FOR(baton_is_back(b) || check_now_ns() > a->late_ns);
    settle();
}

static void cancel(replay_actor *a)
{
    if (a->at == REPLAY_WAIT && !baton_is_back(&batons[a->index]))
        baton_cancel(a);
}

static const story_world world = {
    .begin = begin,
    .go_on = go_on,
    .cancel = cancel,
    .stop = baton_stop,
    .current = baton_current,
    .settle = settle,
};

static void play(const char *name)
{
    story_replay(&world, name);
    baton_end();
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
