/*
 * The scenarios of tests_go/testdata, played by coroutines on a pool that has a scheduler. Who is
 * woken is he for whom resume was called.
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
    co_yield();
}

static bool woken(replay_actor *a) { return coroutines[a->index].woken; }

static void finish(replay_actor *a)
{
    while (a->at == REPLAY_HOOK) {
        replay_give_up(a);
        co_resume(&coroutines[a->index].co);
    }
    if (a->at == REPLAY_WAIT) {
        CHECK(coroutines[a->index].woken);
        co_resume(&coroutines[a->index].co);
    }
    CHECK_INT(a->at, REPLAY_DONE);
}

static const char *left_out(const scenario *s)
{
    (void)s;
    return NULL;
}

static const pool_scheduler_t scheduler = {suspend, resume, coroutines};
static const replay_world world = {
    .name = "coroutines", .left_out = left_out, .begin = begin, .go_on = go_on, .woken = woken,
    .stop = stop, .current = current, .finish = finish, .scheduler = &scheduler,
};

static void play(const char *name, const char *const *expected) { replay(&world, name, expected); }

TEST(acquire) { play("acquire.txt", NOTHING_LEFT_OUT); }
TEST(release) { play("release.txt", NOTHING_LEFT_OUT); }
TEST(waiters) { play("waiters.txt", NOTHING_LEFT_OUT); }
TEST(reservation)
{
    play("reservation.txt",
         LEFT_OUT(
             "I2 what was kept for one who leaves is kept for the next: a call is not left "
             "half-way",
             "I2 what was kept for one who leaves is the oldest again: a call is not left "
             "half-way"));
}
TEST(timeout) { play("timeout.txt", NOTHING_LEFT_OUT); }
TEST(cancel)
{
    play("cancel.txt",
         LEFT_OUT(
             "B92 a granted waiter that leaves hands the place on: a call is not left "
             "half-way",
             "B93 without a successor the resource is available again: a call is not left "
             "half-way",
             "B94 the right to make one is handed on too: a call is not left half-way",
             "B97 who leaves the middle of the line leaves the order of the others: a call"
             " is not left half-way",
             "B97 the first and the last of the line may leave as well: a call is not left"
             " half-way",
             "B41 leaving during a creation: nothing was made, and the next is woken: a "
             "call is not left half-way",
             "I8 leaving during before_acquire destroys the resource, then hands the place"
             " on: a call is not left half-way",
             "I8 leaving twice changes nothing more: a call is not left half-way",
             "I8 leaving while a refused resource is destroyed: a call is not left half-"
             "way",
             "I8 leaving a release during before_release destroys the resource: a call is "
             "not left half-way",
             "I8 leaving a release while the resource is destroyed: a call is not left "
             "half-way",
             "I8 without a destructor leaving is done at once: a call is not left half-way",
             "I7 leaving a close half-way still destroys all that is idle: a call is not "
             "left half-way",
             "I8 leaving while a creation that outlived the pool is destroyed: a call is "
             "not left half-way",
             "I8 leaving a fill: a pool with hooks is filled before anybody has it",
             "DESIGN-4 leaving what is done changes nothing: a call is not left half-way",
             "I8 a waiter that leaves after a close is cancelled, not closed: a call is "
             "not left half-way"));
}

TEST(close)
{
    play("close.txt",
         LEFT_OUT(
             "B106 after a close nothing is lent or made: a pool with hooks is filled "
             "before anybody has it",
             "B98 nor does a promised waiter that is cancelled after the close: a call is "
             "not left half-way"));
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
