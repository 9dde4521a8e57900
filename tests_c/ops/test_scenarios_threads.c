/*
 * The scenarios of tests_go/testdata, played by threads that call pool_acquire() and its kin. A
 * thread that is woken goes on at once, so only stories in which that makes no difference can be
 * told. Each case shows P38.
 */
#include "baton.h"

static void call(replay_actor *a)
{
    replay_call(a);
    a->at = REPLAY_DONE;
}

/* Until the actor is done or in a hook, or waits as the scenario says; or until too much time has
 * passed for the scenario: somebody else may have left the line. */
static void settle(replay_actor *a, baton *b, const scenario_step *step)
{
    unsigned waiting = 0;
    bool waits = strstr(step->ask, ": wait") != NULL, closes = strstr(step->counts, " closed") != NULL;
    if (waits)
        CHECK_INT(sscanf(strstr(step->counts, "waiting"), "waiting %u", &waiting), 1);
    while (!baton_is_back(b)) {
        if (waits && pool_waiting_count(replay_pool) == waiting && pool_is_closed(replay_pool) == closes) {
            replay_at at = REPLAY_RUNNING; /* unless its deadline has just come */
            if (atomic_compare_exchange_strong(&a->at, &at, REPLAY_WAIT) || at == REPLAY_WAIT)
                return; /* it waits, or on: that it has looked in between cannot be seen */
        }
        if (replay_too_slow())
            return;
        baton_pause();
    }
}

static void begin(replay_actor *a, const scenario_step *step) { settle(a, baton_give(a, call), step); }

static void go_on(replay_actor *a, const scenario_step *step)
{
    baton *b = &batons[a->index];
    if (!scenario_is(step->verb, "wake")) /* a woken thread has gone on by itself */
        baton_set(b, true);
    settle(a, b, step);
}

static void cancel(replay_actor *a)
{
    if (!a->busy)
        return;
    CHECK_INT(a->at, REPLAY_WAIT);
    baton_cancel(a);
}

static void finish(replay_actor *a)
{
    baton *b = &batons[a->index];
    for (;;) {
        WAIT_FOR(baton_is_back(b));
        if (a->at != REPLAY_HOOK)
            return;
        replay_give_up(a);
        baton_set(b, true);
    }
}

/* Who is woken is the next to act, and alone, unless all that is left is to hear that the pool
 * closed. */
static const char *left_out(const scenario *s)
{
    for (int i = 0; i < s->count; i++) {
        const scenario_step *step = &s->steps[i], *before = i > 0 ? step - 1 : NULL;
        bool wakes = scenario_is(step->verb, "wake");
        bool woken = before && replay_wakes(before, step->actor);
        if (wakes && !woken && !step->late)
            return "a thread that waits cannot be made to look early";
        if (wakes && woken && step->late)
            return "a woken thread does not wait for its deadline";
        if (before && strstr(before->counts, " woken") && (!wakes || !woken))
            return "a woken thread goes on before the next action";
        const char *list = before ? strstr(before->counts, " woken ") : NULL;
        if (list && list[8] == ' ' && list[9] != 'c' && !strstr(step->ask, "done CLOSED"))
            return "threads woken together go on in any order";
    }
    return NULL;
}

static const replay_world threads = {
    .name = "threads",
    .left_out = left_out,
    .begin = begin,
    .go_on = go_on,
    .cancel = cancel,
    .stop = baton_stop,
    .current = baton_current,
    .finish = finish,
};

static void play(const char *name)
{
    replay(&threads, name);
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
TEST(resize) { play("resize.txt"); }
TEST(evict) { play("evict.txt"); }
TEST(trim) { play("trim.txt"); }
TEST(drain) { play("drain.txt"); }
TEST(patience) { play("patience.txt"); }
TEST(lifo) { play("lifo.txt"); }
TEST(ages) { play("ages.txt"); }
TEST(kept) { play("kept.txt"); }
TEST(leaks) { play("leaks.txt"); }
