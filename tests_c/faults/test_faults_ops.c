/*
 * Faults in the scenarios, on pools whose host answers every ask: out of memory at each allocation, failure
 * of each hook. See faults/story.h. Each case shows P12.
 */
#include "story.h"

typedef struct host {
    pool_op_t op;
    pool_ask_t ask;
} host;

static host hosts[SCENARIO_ACTORS];
static replay_actor *running;

static const char *name_of(pool_ask_kind_t kind)
{
    return kind == POOL_ASK_CREATE           ? "create"
           : kind == POOL_ASK_BEFORE_ACQUIRE ? "before_acquire"
           : kind == POOL_ASK_BEFORE_RELEASE ? "before_release"
           : kind == POOL_ASK_HEALTHCHECK    ? "healthcheck"
                                             : "destroy";
}

static pool_answer_t answer_to(const pool_ask_t *ask)
{
    pool_circuit_breaker_strategy_t *s = &story_strategy;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_error_t error = {0, ""};
    answer.ok = true;
    if (ask->kind == POOL_ASK_REPORT_SUCCESS) {
        s->report_success(story_pool, s->ctx);
    } else if (ask->kind == POOL_ASK_REPORT_FAILURE) {
        s->report_failure(story_pool, &error, s->ctx);
    } else if (ask->kind == POOL_ASK_SHOULD_RECOVER) {
        answer.ok = s->should_recover(story_pool, s->ctx);
    } else {
        answer.resource = ask->resource;
        answer.ok = story_hook(name_of(ask->kind), &answer.resource);
    }
    return answer;
}

/* Answers what the scenario does not, until it is to answer, or the op waits or is done. */
static void heed(replay_actor *a)
{
    host *h = &hosts[a->index];
    for (;;) {
        if (h->ask.kind == POOL_ASK_DONE) {
            /* A line begins when all places are taken: there is room for all of them by then. */
            CHECK(h->ask.ticket == 0 || h->ask.status != POOL_ERR_NOMEM);
            a->status = h->ask.status;
            a->resource = h->ask.resource;
            a->at = REPLAY_DONE;
            return;
        }
        a->at = REPLAY_WAIT;
        if (h->ask.kind == POOL_ASK_WAIT)
            return;
        a->at = REPLAY_HOOK;
        a->hook = name_of(h->ask.kind);
        bool asks = h->ask.kind == POOL_ASK_CREATE || h->ask.kind == POOL_ASK_BEFORE_ACQUIRE ||
                    h->ask.kind == POOL_ASK_BEFORE_RELEASE;
        if (asks && story_stops(a->hook))
            return;
        pool_answer_t answer = answer_to(&h->ask);
        pool_op_next(&h->op, &answer, &h->ask);
    }
}

static void start(pool_op_t *op, const char *verb, void *given, uint32_t most, int64_t timeout_ms)
{
    pool_t *pool = story_pool;
    CHECK_STATUS(
        scenario_is(verb, "acquire")   ? pool_op_acquire(pool, op, timeout_ms)
        : scenario_is(verb, "try")     ? pool_op_try_acquire(pool, op)
        : scenario_is(verb, "release") ? pool_op_release(pool, op, given)
        : scenario_is(verb, "discard") ? pool_op_discard(pool, op, given)
        : scenario_is(verb, "detach")  ? pool_op_detach(pool, op, given)
        : scenario_is(verb, "evict")   ? pool_op_evict(pool, op)
        : scenario_is(verb, "trim")    ? pool_op_trim(pool, op, (uint32_t)(uintptr_t)given)
        : scenario_is(verb, "resize")  ? pool_op_resize(pool, op, (uint32_t)(uintptr_t)given, most)
        : scenario_is(verb, "drain")   ? pool_op_drain(pool, op, timeout_ms)
        : scenario_is(verb, "fill")    ? pool_op_fill(pool, op)
        : scenario_is(verb, "sweep")   ? pool_op_sweep(pool, op)
                                       : pool_op_close(pool, op),
        POOL_OK);
}

static void begin(replay_actor *a)
{
    host *h = &hosts[a->index];
    h->ask = (pool_ask_t)POOL_ASK_INIT;
    bool joins = a->index % 2 && scenario_is(a->verb, "acquire");
    if (joins && pool_op_join(story_pool, &h->op, a->timeout_ms)) {
        h->ask.kind = POOL_ASK_WAIT;
        h->ask.until_ns = pool_op_until_ns(&h->op);
    } else {
        if (!joins)
            start(&h->op, a->verb, a->given, a->most, a->timeout_ms);
        pool_op_next(&h->op, NULL, &h->ask);
    }
    heed(a);
}

static void go_on(replay_actor *a, bool late)
{
    host *h = &hosts[a->index];
    pool_answer_t answer = POOL_ANSWER_INIT;
    if (h->ask.kind != POOL_ASK_WAIT) {
        running = a; /* its hook hears the scenario's answer */
        answer = answer_to(&h->ask);
        running = NULL;
    } else if (h->ask.until_ns != INT64_MAX) {
        answer.now_ns = late ? h->ask.until_ns : h->ask.until_ns - 1;
    }
    pool_op_next(&h->op, &answer, &h->ask);
    heed(a);
}

static void cancel(replay_actor *a)
{
    host *h = &hosts[a->index];
    pool_status_t status = pool_op_cancel(&h->op);
    if (status != POOL_PENDING)
        CHECK_STATUS(status, POOL_OK);
    pool_op_next(&h->op, NULL, &h->ask);
    heed(a);
    CHECK_INT(a->at, REPLAY_DONE);
}

static bool woken(replay_actor *a) { return pool_op_wait(&hosts[a->index].op, 0) == POOL_OK; }

static void stop(replay_actor *a) { (void)a; } /* the answer is there already */

static replay_actor *current(void) { return running; }

static pool_status_t call(const char *verb, fx_resource *given, void **resource)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    start(&op, verb, given, 0, 0);
    pool_op_next(&op, NULL, &ask);
    while (ask.kind != POOL_ASK_DONE) {
        pool_answer_t answer = answer_to(&ask);
        pool_op_next(&op, &answer, &ask);
    }
    *resource = ask.resource;
    return ask.status;
}

static void configure(pool_config_t *config)
{
    config->flags = POOL_F_HOST_DRIVEN;
    config->asks =
        POOL_ASKS_DESTROY | (config->before_acquire ? POOL_ASKS_BEFORE_ACQUIRE : 0) |
        (config->before_release ? POOL_ASKS_BEFORE_RELEASE : 0) | (config->healthcheck ? POOL_ASKS_HEALTHCHECK : 0) |
        (story_full ? POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER : 0);
    config->factory = NULL;
    config->destructor = NULL;
    config->before_acquire = NULL;
    config->before_release = NULL;
    config->healthcheck = NULL;
}

static const story_world ops = {
    .configure = configure,
    .begin = begin,
    .go_on = go_on,
    .cancel = cancel,
    .woken = woken,
    .stop = stop,
    .current = current,
    .call = call,
};

TEST(acquire) { story_replay(&ops, "acquire.txt"); }
TEST(release) { story_replay(&ops, "release.txt"); }
TEST(waiters) { story_replay(&ops, "waiters.txt"); }
TEST(reservation) { story_replay(&ops, "reservation.txt"); }
TEST(timeout) { story_replay(&ops, "timeout.txt"); }
TEST(cancel) { story_replay(&ops, "cancel.txt"); }
TEST(close) { story_replay(&ops, "close.txt"); }
TEST(fill) { story_replay(&ops, "fill.txt"); }
TEST(ring) { story_replay(&ops, "ring.txt"); }
TEST(evict) { story_replay(&ops, "evict.txt"); }
TEST(trim) { story_replay(&ops, "trim.txt"); }
TEST(drain) { story_replay(&ops, "drain.txt"); }
TEST(takeout) { story_replay(&ops, "takeout.txt"); }
TEST(lifo) { story_replay(&ops, "lifo.txt"); }
TEST(ages) { story_replay(&ops, "ages.txt"); }
