/*
 * Replays the scenarios of tests_go/testdata through the C ABI, on pools whose host answers every
 * ask. The README there describes the format; tests_go replays the same files against the core.
 * Each case shows P38.
 */
#include "scenario.h"

#define HOUR_MS 3600000
#define PAUSE_MS (HOUR_MS / 2) /* before the deadlines, whatever the jitter */

enum { ACTORS = SCENARIO_ACTORS, MOST_LENT = 64 };

typedef struct actor {
    pool_op_t op;
    pool_ask_t ask;
    bool begun, busy, pending; /* pending: cancelled, and the ask that is due was not heard yet */
    bool lends, gives, keeps;  /* what it does: acquire or try; release, discard or detach; detach */
    void *given;
    int64_t until_ns; /* of its wait; 0 before the first */
} actor;

/* Where the replay is. */
static const char *file;
static int line_number;

/* The scenario it is in. */
static pool_t *pool;
static actor actors[ACTORS];
static void *lent[MOST_LENT];
static int lent_count, made, destroyed;
static bool pauses;
static int64_t clock_ns; /* what time it is for a pool that tells of leaks; 0: for others */

#define FAIL(...) check_fail(file, line_number, __VA_ARGS__)

#define is scenario_is

/* ---- the books ---- */

static void give_back(void *resource)
{
    for (int i = 0; i < lent_count; i++) {
        if (lent[i] == resource) {
            lent[i] = lent[--lent_count];
            return;
        }
    }
    FAIL("resource %ju was given back and is not lent", (uintmax_t)(uintptr_t)resource);
}

static void on_done(actor *a)
{
    a->busy = false;
    if (a->lends && a->ask.status == POOL_OK) {
        if (lent_count == MOST_LENT)
            FAIL("more than %d are lent", MOST_LENT);
        lent[lent_count++] = a->ask.resource;
    } else if (a->ask.resource) {
        FAIL("done, without a resource to lend, but with resource %p", a->ask.resource);
    } else if (a->gives && a->ask.status != POOL_ERR_NOT_OWNED) {
        give_back(a->given);
        destroyed += a->keeps; /* it is as good as that */
    }
}

/* ---- doing ---- */

static void next(actor *a, const pool_answer_t *answer)
{
    a->pending = false;
    pool_ask_kind_t kind = pool_op_next(&a->op, answer, &a->ask);
    if (kind != a->ask.kind)
        FAIL("pool_op_next() returns %d, the ask says %d", kind, a->ask.kind);
    if ((kind == POOL_ASK_CREATE || kind == POOL_ASK_WAIT) && a->ask.resource)
        FAIL("ask %d is about resource %p", kind, a->ask.resource);
    if (kind == POOL_ASK_DONE) {
        on_done(a);
    } else if (kind == POOL_ASK_DESTROY) {
        destroyed++;
    } else if (kind == POOL_ASK_WAIT) {
        if (a->until_ns && a->ask.until_ns != a->until_ns && !pauses)
            FAIL("the deadline moved");
        a->until_ns = a->ask.until_ns;
    }
}

static bool begin(actor *a, const char *verb, void *resource, uint32_t most, bool timeout, bool late)
{
    pool_op_t *op = &a->op;
    pool_status_t status;
    if (is(verb, "acquire"))
        status = pool_op_acquire(pool, op, timeout ? HOUR_MS : 0);
    else if (is(verb, "try"))
        status = pool_op_try_acquire(pool, op);
    else if (is(verb, "release"))
        status = pool_op_release(pool, op, resource);
    else if (is(verb, "discard"))
        status = pool_op_discard(pool, op, resource);
    else if (is(verb, "detach"))
        status = pool_op_detach(pool, op, resource);
    else if (is(verb, "resize"))
        status = pool_op_resize(pool, op, (uint32_t)(uintptr_t)resource, most);
    else if (is(verb, "drain"))
        status = pool_op_drain(pool, op, timeout ? HOUR_MS : 0);
    else if (is(verb, "trim"))
        status = pool_op_trim(pool, op, (uint32_t)(uintptr_t)resource);
    else if (is(verb, "evict"))
        status = pool_op_evict(pool, op);
    else if (is(verb, "make"))
        status = pool_op_create_behind(pool, op);
    else if (is(verb, "close"))
        status = pool_op_close(pool, op);
    else if (is(verb, "fill"))
        status = pool_op_fill(pool, op);
    else if (is(verb, "sweep"))
        status = pool_op_sweep(pool, op);
    else
        return false;
    check_status(file, line_number, verb, status, POOL_OK);
    a->ask = (pool_ask_t)POOL_ASK_INIT;
    a->begun = a->busy = true;
    a->lends = is(verb, "acquire") || is(verb, "try");
    a->gives = is(verb, "release") || is(verb, "discard") || is(verb, "detach");
    a->keeps = is(verb, "detach");
    a->given = resource;
    a->until_ns = 0;
    clock_ns += late ? 2 * (int64_t)HOUR_MS * 1000000 : 0;
    const pool_answer_t begun = {.struct_size = sizeof begun, .now_ns = clock_ns};
    next(a, clock_ns ? &begun : NULL);
    return true;
}

static void cancel(actor *a)
{
    bool was_busy = a->busy;
    pool_status_t status = pool_op_cancel(&a->op);
    a->pending = status == POOL_PENDING;
    if (a->pending)
        return;
    check_status(file, line_number, "pool_op_cancel", status, POOL_OK);
    if (pool_op_next(&a->op, NULL, &a->ask) != POOL_ASK_DONE)
        FAIL("pool_op_cancel() says that the op is done; the next ask is %d", a->ask.kind);
    if (was_busy)
        on_done(a);
}

/* The clock at an answer: one nanosecond before the deadline of a wait, or late. A pause begins now. */
static int64_t now(const actor *a, bool late)
{
    if (a->ask.kind == POOL_ASK_WAIT && (late || a->ask.until_ns != INT64_MAX))
        return late ? a->ask.until_ns : a->ask.until_ns - 1;
    return late ? INT64_MAX - 1 : pauses ? check_now_ns() : clock_ns ? clock_ns : 1;
}

static void answer(actor *a, const char *verb, void *resource, bool late)
{
    pool_ask_kind_t kind = a->ask.kind;
    bool ok = is(verb, "made") || is(verb, "yes");
    if (kind == POOL_ASK_LEAKED && (!a->ask.lend || a->ask.lend->resource != a->ask.resource || !a->ask.lend->ms))
        FAIL("the lend that is told is another, or not timed");
    bool fits = kind == POOL_ASK_CREATE    ? is(verb, "made") || is(verb, "failed") || is(verb, "later")
                : kind == POOL_ASK_DESTROY ? is(verb, "destroyed")
                : kind == POOL_ASK_WAIT    ? is(verb, "wake")
                : kind == POOL_ASK_LEAKED  ? is(verb, "heard")
                                           : is(verb, "yes") || is(verb, "no");
    if (!a->busy || a->pending || !fits)
        FAIL("nothing was asked that \"%s\" answers", verb);
    made += is(verb, "made");
    int64_t later_ns = is(verb, "later") ? (int64_t)PAUSE_MS * 1000000 : 0;
    pool_answer_t heard = {sizeof heard, ok, resource, now(a, late), later_ns};
    next(a, &heard);
}

/* ---- seeing ---- */

static void see_ask(char *text, const actor *a)
{
    uintmax_t word = (uintptr_t)a->ask.resource;
    if (a->pending)
        scenario_append(text, "pending");
    else if (a->ask.kind == POOL_ASK_CREATE)
        scenario_append(text, "create");
    else if (a->ask.kind == POOL_ASK_BEFORE_ACQUIRE)
        scenario_append(text, "before_acquire %ju", word);
    else if (a->ask.kind == POOL_ASK_BEFORE_RELEASE)
        scenario_append(text, "before_release %ju", word);
    else if (a->ask.kind == POOL_ASK_DESTROY)
        scenario_append(text, "destroy %ju", word);
    else if (a->ask.kind == POOL_ASK_LEAKED)
        scenario_append(text, "leaked %ju", word);
    else if (a->ask.kind == POOL_ASK_WAIT)
        scenario_append(text, "wait ticket %" PRIu64, a->ask.ticket);
    else
        scenario_append(text, "done %s", scenario_status(a->ask.status));
    if (a->busy)
        return;
    if (a->lends && a->ask.status == POOL_OK)
        scenario_append(text, " %ju", word);
    if (a->ask.ticket)
        scenario_append(text, " ticket %" PRIu64, a->ask.ticket);
    if (a->ask.turn)
        scenario_append(text, " turn %" PRIu64, a->ask.turn);
}

static void see(const actor *a, char *ask, char *counts)
{
    pool_snapshot_t s;
    const char *woken = " woken";
    *ask = 0;
    scenario_append(ask, "%c: ", (char)('A' + (a - actors)));
    see_ask(ask, a);
    scenario_counts(pool, counts, &s);
    for (actor *other = actors; other < actors + ACTORS; other++) {
        /* A wait that ends in the past only says whether the op can go on. */
        if (other->busy && !other->pending && other->ask.kind == POOL_ASK_WAIT &&
            pool_op_wait(&other->op, 0) == POOL_OK) {
            scenario_append(counts, "%s %c", woken, (char)('A' + (other - actors)));
            woken = "";
        }
    }
    if (s.closed)
        scenario_append(counts, " closed");
}

/* ---- replaying ---- */

static void act(actor *a, const scenario_step *step)
{
    if (is(step->verb, "cancel") && a->begun)
        cancel(a);
    else if (is(step->verb, "next") && a->pending)
        next(a, NULL);
    else if (a->busy || !begin(a, step->verb, step->resource, step->most, step->timeout, step->late))
        answer(a, step->verb, step->resource, step->late);
}

static void begin_pool(const scenario *s)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = s->max;
    config.min_size = s->min;
    config.max_waiting = s->max_waiting;
    config.max_uses = s->max_uses;
    config.min_idle = s->min_idle;
    config.create_retry_ms = s->retries ? PAUSE_MS : 0;
    config.leak_after_ms = s->asks_leaked ? HOUR_MS : 0;
    clock_ns = s->asks_leaked ? check_now_ns() : 0;
    pauses = s->pauses;
    config.flags = POOL_F_HOST_DRIVEN | (s->lifo ? POOL_F_LIFO : 0) | (s->behind ? POOL_F_CREATE_BEHIND : 0);
    config.asks = (s->asks_destroy ? POOL_ASKS_DESTROY : 0) | (s->asks_acquire ? POOL_ASKS_BEFORE_ACQUIRE : 0) |
                  (s->asks_release ? POOL_ASKS_BEFORE_RELEASE : 0) | (s->asks_leaked ? POOL_ASKS_LEAKED : 0);
    check_status(file, line_number, "pool_create_ex", pool_create_ex(&config, &pool), POOL_OK);
    memset(actors, 0, sizeof actors);
    lent_count = made = destroyed = 0;
}

/* Everybody leaves, the pool closes, what is lent comes back: nothing must be left then. */
static void end_pool(bool asks_destroy)
{
    actor *last = &actors[ACTORS - 1];
    for (actor *a = actors; a < actors + ACTORS; a++) {
        if (a->busy)
            cancel(a);
        while (a->busy)
            next(a, NULL);
    }
    for (begin(last, "close", NULL, 0, false, false); last->busy;)
        next(last, NULL);
    while (lent_count > 0)
        for (begin(last, "release", lent[0], 0, false, false); last->busy;)
            next(last, NULL);
    CHECK_COUNTS(pool, 0, 0, 0);
    if (asks_destroy)
        check_int(file, line_number, "resources destroyed", destroyed, made);
    pool_unref(pool);
    check_int(file, line_number, "pool_debug_live() after the scenario", pool_debug_live(), 0);
}

static void replay(const char *name)
{
    char ask[SCENARIO_LINE], counts[SCENARIO_LINE];
    scenario_file scenarios = scenario_load(name);
    file = scenarios.path;
    for (const scenario *s = scenarios.all; s < scenarios.all + scenarios.count; s++) {
        line_number = s->steps[0].line;
        begin_pool(s);
        for (const scenario_step *step = s->steps; step < s->steps + s->count; step++) {
            line_number = step->line;
            act(&actors[step->actor], step);
            see(&actors[step->actor], ask, counts);
            check_str(file, line_number, "the next ask", ask, step->ask);
            check_str(file, line_number, "what was seen", counts, step->counts);
        }
        end_pool(s->asks_destroy);
    }
    scenario_free(&scenarios);
}

TEST(acquire) { replay("acquire.txt"); }
TEST(release) { replay("release.txt"); }
TEST(waiters) { replay("waiters.txt"); }
TEST(reservation) { replay("reservation.txt"); }
TEST(timeout) { replay("timeout.txt"); }
TEST(cancel) { replay("cancel.txt"); }
TEST(close) { replay("close.txt"); }
TEST(fill) { replay("fill.txt"); }
TEST(ring) { replay("ring.txt"); }
TEST(takeout) { replay("takeout.txt"); }
TEST(resize) { replay("resize.txt"); }
TEST(evict) { replay("evict.txt"); }
TEST(trim) { replay("trim.txt"); }
TEST(behind) { replay("behind.txt"); }
TEST(drain) { replay("drain.txt"); }
TEST(patience) { replay("patience.txt"); }
TEST(lifo) { replay("lifo.txt"); }
TEST(ages) { replay("ages.txt"); }
TEST(kept) { replay("kept.txt"); }
TEST(leaks) { replay("leaks.txt"); }
