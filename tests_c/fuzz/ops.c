/* Ops that a lane drives itself, step by step. */
#include "fuzz.h"

/* Does what the ask says. */
static pool_answer_t answer_to(world *w, const pool_ask_t *ask)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    switch (ask->kind) {
    case POOL_ASK_CREATE:
        answer.ok = hook_factory(w->pool, &answer.resource);
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        answer.ok = hook_before_acquire(w->pool, ask->resource);
        break;
    case POOL_ASK_BEFORE_RELEASE:
        answer.ok = hook_before_release(w->pool, ask->resource);
        break;
    case POOL_ASK_HEALTHCHECK:
        answer.ok = hook_healthcheck(w->pool, ask->resource);
        break;
    case POOL_ASK_SHOULD_RECOVER:
        answer.ok = hook_outcome(w->pool, SHOULD_RECOVER);
        break;
    case POOL_ASK_DESTROY:
        hook_destructor(w->pool, ask->resource);
        break;
    default:
        break;
    }
    return answer;
}

static void end(slot *s)
{
    unsigned expected =
        BIT(POOL_OK) | BIT(POOL_ERR_CLOSED) | BIT(POOL_ERR_FACTORY) | (s->acquires ? BIT(POOL_ERR_UNAVAILABLE) : 0) |
        (s->timed ? BIT(POOL_ERR_TIMEOUT) : 0) | (s->tries ? BIT(POOL_EMPTY) : 0);
    MUST_BE_ONE_OF(s->ask.status, s->cancelled ? BIT(POOL_ERR_CANCELLED) : expected);
    pool_op_t *op = s->op;
    pool_status_t status = s->ask.status;
    void *resource = s->ask.resource;
    MUST(pool_op_next(op, NULL, &s->ask) == POOL_ASK_DONE && s->ask.status == status); /* and again */
    MUST((resource != NULL) == (s->acquires && status == POOL_OK));
    memset(op, 0xa5, sizeof *op);
    free(op);
    atomic_store(&s->state, FREE);
    if (resource)
        lane_keep(s->lane, resource);
}

/* Answers the ask that is out and hears the next one. What is to be destroyed is destroyed in any case. */
void op_next(slot *s, bool willing)
{
    world *w = s->lane->world;
    pool_answer_t answer = POOL_ANSWER_INIT;
    bool quiet = s->quiet;
    if (!quiet && (willing || s->ask.kind == POOL_ASK_DESTROY))
        answer = answer_to(w, &s->ask);
    s->quiet = false;
    s->returning = NULL;
    if (pool_op_next(s->op, quiet || !willing ? NULL : &answer, &s->ask) == POOL_ASK_DONE)
        end(s);
    else if (s->ask.kind == POOL_ASK_WAIT && !quiet && !w->concurrent) /* the first look is never too late */
        MUST(clock_now() < s->ask.until_ns);
}

void op_cancel(slot *s)
{
    thing *t = s->returning;
    if (!s->quiet && s->ask.kind == POOL_ASK_DESTROY)
        hook_destructor(s->lane->world->pool, s->ask.resource); /* the ask counts as answered */
    s->cancelled = true;
    pool_status_t status = pool_op_cancel(s->op);
    MUST_BE_ONE_OF(status, BIT(POOL_OK) | BIT(POOL_PENDING));
    s->quiet = true;
    if (status == POOL_OK)
        op_next(s, false);
    if (t) /* its release never began */
        lane_keep(s->lane, t);
}

/* Drives an op to its end. */
pool_status_t op_run(world *w, pool_op_t *op, void **resource)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_op_next(op, NULL, &ask);
    while (ask.kind != POOL_ASK_DONE) {
        MUST(ask.kind != POOL_ASK_WAIT);
        pool_answer_t answer = answer_to(w, &ask);
        pool_op_next(op, &answer, &ask);
    }
    *resource = ask.resource;
    return ask.status;
}

static pool_status_t begin_other(slot *s, uint8_t arg)
{
    world *w = s->lane->world;
    switch (arg & 3) {
    case 0:
        return pool_op_sweep(w->pool, s->op);
    case 1:
        return pool_op_close(w->pool, s->op);
    case 2:
        atomic_store(&w->drained, true);
        s->timed = timeout_of(arg >> 2) != 0;
        return pool_op_drain(w->pool, s->op, timeout_of(arg >> 2));
    default:
        return arg & 4 ? pool_op_trim(w->pool, s->op, arg >> 3) : pool_op_evict(w->pool, s->op);
    }
}

void op_begin(lane *l, uint8_t arg)
{
    world *w = l->world;
    slot *s = lane_slot(l, 0, FREE);
    if (!s)
        return;
    int64_t timeout = timeout_of(arg >> 3);
    *s = (slot){.op = fresh_op(), .ask = POOL_ASK_INIT, .quiet = true, .lane = l};
    s->acquires = (arg & 7) < 4;
    s->timed = s->acquires && timeout != 0;
    pool_status_t status = POOL_OK;
    switch (arg & 7) {
    case 0:
    case 1:
        status = pool_op_acquire(w->pool, s->op, timeout);
        break;
    case 2:
        s->quiet = !pool_op_join(w->pool, s->op, timeout);
        s->ask.kind = POOL_ASK_WAIT;
        break;
    case 3:
        s->tries = true;
        status = pool_op_try_acquire(w->pool, s->op);
        break;
    case 4:
        s->returning = lane_put_down(l, arg >> 3);
        if (!s->returning) {
            free(s->op);
            return;
        }
        status = pool_op_release(w->pool, s->op, thing_given(s->returning));
        break;
    case 5:
        status = pool_op_sweep(w->pool, s->op);
        break;
    case 6:
        status = pool_op_fill(w->pool, s->op);
        break;
    default:
        status = begin_other(s, arg >> 3);
        break;
    }
    MUST_BE(status, POOL_OK);
    atomic_store(&s->state, OP);
}

bool op_waits(const slot *s) { return !s->quiet && s->ask.kind == POOL_ASK_WAIT; }

void op_take(slot *s)
{
    void *resource = op_waits(s) ? pool_op_take(s->op) : NULL;
    if (!resource)
        return;
    MUST(pool_op_next(s->op, NULL, &s->ask) == POOL_ASK_DONE && s->ask.resource == resource);
    end(s);
}

/* The slot of an op that the pool names: one of those that wait. */
static slot *slot_of(world *w, const pool_op_t *op)
{
    for (int i = 0; i < LANES * SLOTS; i++) {
        slot *s = &w->lane[i / SLOTS].slots[i % SLOTS];
        if (atomic_load(&s->state) == OP && s->op == op) {
            MUST(op_waits(s));
            return s;
        }
    }
    fuzz_fail(__FILE__, __LINE__, "an op is woken that is none");
}

void op_hand_on(lane *l, uint8_t arg)
{
    world *w = l->world;
    thing *t = w->host_driven && !w->concurrent ? lane_put_down(l, arg) : NULL;
    if (!t)
        return;
    pool_op_t *op = pool_hand_on(w->pool, thing_given(t));
    if (op)
        op_next(slot_of(w, op), true);
    else
        release(w, thing_taken(t));
}

void op_go_on_with_woken(world *w)
{
    pool_op_t *op;
    while (w->host_driven && !w->concurrent && (op = pool_op_woken(w->pool)) != NULL)
        op_next(slot_of(w, op), true);
}
