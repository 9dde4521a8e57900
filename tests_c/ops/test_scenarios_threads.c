/*
 * The scenarios of tests_go/testdata, played by threads that call pool_acquire() and its kin. A
 * thread that is woken goes on at once, so only stories in which that makes no difference can be
 * told.
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
    bool waits = strstr(step->ask, ": wait") != NULL;
    if (waits)
        CHECK_INT(sscanf(strstr(step->counts, "waiting"), "waiting %u", &waiting), 1);
    while (!baton_is_back(b)) {
        if (waits && pool_waiting_count(replay_pool) == waiting) {
            replay_at running = REPLAY_RUNNING; /* unless its deadline has just come */
            if (atomic_compare_exchange_strong(&a->at, &running, REPLAY_WAIT))
                return;
        }
        if (replay_too_slow())
            return;
        baton_pause();
    }
}

static void begin(replay_actor *a, const scenario_step *step)
{
    settle(a, baton_give(a, call), step);
}

static void go_on(replay_actor *a, const scenario_step *step)
{
    baton *b = &batons[a->index];
    if (!scenario_is(step->verb, "wake")) /* a woken thread has gone on by itself */
        baton_set(b, true);
    settle(a, b, step);
}

/* The thread is cancelled while it waits. Another takes its place. */
static void cancel(replay_actor *a)
{
    baton *b = &batons[a->index];
    if (!a->busy)
        return;
    CHECK_INT(a->at, REPLAY_WAIT);
    CHECK_INT(pthread_cancel(b->thread), 0);
    check_join(b->thread);
    b->started = b->turn = false;
    a->status = POOL_ERR_CANCELLED;
    a->at = REPLAY_DONE;
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
    .name = "threads", .left_out = left_out, .begin = begin, .go_on = go_on,
    .cancel = cancel, .stop = baton_stop, .current = baton_current, .finish = finish,
};

static void play(const char *name, const char *const *expected)
{
    replay(&threads, name, expected);
    baton_end();
}

TEST(acquire) { play("acquire.txt", NOTHING_LEFT_OUT); }
TEST(release) { play("release.txt", NOTHING_LEFT_OUT); }
TEST(waiters)
{
    play("waiters.txt",
         LEFT_OUT(
             "B80 strict order of arrival, also for those who come again: a woken thread "
             "goes on before the next action",
             "B85 several releases promise places in order, whoever runs first: a woken "
             "thread goes on before the next action",
             "DESIGN-4 going on too early is harmless and keeps the place in line: a "
             "thread that waits cannot be made to look early",
             "I4 nobody waits while a place is surplus: a woken thread goes on before the "
             "next action"));
}

TEST(reservation)
{
    play("reservation.txt",
         LEFT_OUT(
             "B86 try does not take a promised place: a woken thread goes on before the "
             "next action",
             "B87 a newcomer lines up although something is idle: a woken thread goes on "
             "before the next action",
             "B81 who releases cannot take the place back: a woken thread goes on before "
             "the next action",
             "B82 nor when the promise is to make one: a woken thread goes on before the "
             "next action",
             "B89 what is surplus stays available: a woken thread goes on before the next "
             "action",
             "B88 a promised resource counts as idle: a woken thread goes on before the "
             "next action",
             "I2 a promise is a place: idle if there is one, to make one otherwise: a "
             "woken thread goes on before the next action",
             "I2 after a refusal the next idle one is taken only if nobody was promised it"
             ": a woken thread goes on before the next action",
             "I2 what becomes idle is kept for who was promised a place: a woken thread "
             "goes on before the next action",
             "I2 of those who were promised a place the first gets what becomes idle first"
             ": a woken thread goes on before the next action",
             "I2 what was kept for one who leaves is kept for the next: a woken thread "
             "goes on before the next action",
             "I2 what was kept for one who leaves is the oldest again: a woken thread "
             "goes on before the next action",
             "I7 a close takes what was kept, and who comes for it is told: a woken thread "
             "goes on before the next action"));
}

TEST(timeout)
{
    play("timeout.txt",
         LEFT_OUT(
             "B99 the deadline is the first instant that is too late: a thread that waits "
             "cannot be made to look early",
             "B95 a deadline after the wake-up wins, and the next gets the place: a woken "
             "thread does not wait for its deadline",
             "B95 with nobody behind, the place is free again: a woken thread goes on "
             "before the next action",
             "B31 closed wins over a deadline: a woken thread does not wait for its "
             "deadline"));
}

TEST(cancel)
{
    play("cancel.txt",
         LEFT_OUT(
             "B92 a granted waiter that leaves hands the place on: a woken thread goes on "
             "before the next action",
             "B93 without a successor the resource is available again: a woken thread goes"
             " on before the next action",
             "B94 the right to make one is handed on too: a woken thread goes on before "
             "the next action",
             "B97 the first and the last of the line may leave as well: a woken thread "
             "goes on before the next action",
             "B41 leaving during a creation: nothing was made, and the next is woken: an "
             "op whose hook runs hears of a cancel when the hook is back",
             "I8 leaving during before_acquire destroys the resource, then hands the place"
             " on: an op whose hook runs hears of a cancel when the hook is back",
             "I8 leaving twice changes nothing more: a call is not left half-way",
             "I8 leaving while a refused resource is destroyed: an op whose hook runs "
             "hears of a cancel when the hook is back",
             "I8 leaving a release during before_release destroys the resource: a call is "
             "not left half-way",
             "I8 leaving a release while the resource is destroyed: a call is not left "
             "half-way",
             "I8 without a destructor leaving is done at once: a call is not left half-way",
             "I7 leaving a close half-way still destroys all that is idle: a call is not "
             "left half-way",
             "I8 leaving while a creation that outlived the pool is destroyed: an op whose"
             " hook runs hears of a cancel when the hook is back",
             "I8 leaving a fill: a pool with hooks is filled before anybody has it",
             "DESIGN-4 leaving what is done changes nothing: a call is not left half-way",
             "I8 a waiter that leaves after a close is cancelled, not closed: a woken "
             "thread goes on before the next action"));
}

TEST(close)
{
    play("close.txt",
         LEFT_OUT(
             "B106 after a close nothing is lent or made: a pool with hooks is filled "
             "before anybody has it",
             "B107 every waiter is told, and nothing is lent to them: a woken thread goes "
             "on before the next action",
             "B111 a resource that was promised is destroyed once, its waiter gets closed:"
             " a woken thread goes on before the next action",
             "B98 a close ends every promise, and hands none on: a woken thread goes on "
             "before the next action",
             "B98 nor does a promised waiter that is cancelled after the close: a woken "
             "thread goes on before the next action"));
}

TEST(fill)
{
    play("fill.txt",
         LEFT_OUT(
             "B19 the first failure ends it; what was made before stays until the pool "
             "goes: a pool with hooks is filled before anybody has it",
             "B22 a second fill makes only what is missing: a pool with hooks is filled "
             "before anybody has it",
             "I1 what is lent and what is being made counts towards min: a pool with hooks"
             " is filled before anybody has it",
             "I1 two fills at once make no more than min: a pool with hooks is filled "
             "before anybody has it",
             "I4 what a fill makes goes to who waits: a pool with hooks is filled before "
             "anybody has it",
             "I4 a place whose filling failed goes to who waits: a pool with hooks is "
             "filled before anybody has it",
             "I2 a fill takes no promised place: a pool with hooks is filled before "
             "anybody has it",
             "DESIGN-6 a close during a creation ends the fill: a pool with hooks is "
             "filled before anybody has it",
             "B36 a fill that is under way does not keep others from the rest: a pool with"
             " hooks is filled before anybody has it"));
}

TEST(ring)
{
    play("ring.txt",
         LEFT_OUT(
             "B12 growing while the queue lies across the end of its slots keeps the "
             "order: a pool with hooks is filled before anybody has it",
             "B12 growing while some are lent: a pool with hooks is filled before anybody "
             "has it",
             "B12 growing twice keeps the order: a pool with hooks is filled before "
             "anybody has it"));
}
