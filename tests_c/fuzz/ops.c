/* What a lane begins and goes on with later: ops that it drives itself, and async acquires. */
#include "fuzz.h"

#include <poll.h>
#include <sched.h>

static slot *slot_in(lane *l, uint8_t first, slot_state state)
{
    for (int i = 0; i < SLOTS; i++) {
        slot *s = &l->slots[(first + i) % SLOTS];
        if (atomic_load(&s->state) == state)
            return s;
    }
    return NULL;
}

bool lane_is_busy(const lane *l)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&l->slots[i].state) != FREE)
            return true;
    return false;
}

/* --- ops ------------------------------------------------------------------------------------------ */

static pool_op_t *fresh_op(void)
{
    pool_op_t *op = malloc(sizeof *op);
    MUST(op != NULL);
    memset(op, 0xa5, sizeof *op); /* whatever was there before */
    return op;
}

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
    unsigned expected = BIT(POOL_OK) | BIT(POOL_ERR_CLOSED) | BIT(POOL_ERR_FACTORY) |
                        (s->acquires ? BIT(POOL_ERR_UNAVAILABLE) : 0) | (s->timed ? BIT(POOL_ERR_TIMEOUT) : 0) |
                        (s->tries ? BIT(POOL_EMPTY) : 0);
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
static void op_next(slot *s, bool willing)
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
}

static void op_cancel(slot *s)
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

static void op_begin(lane *l, uint8_t arg)
{
    static const int64_t timeouts[4] = {0, 1, 5000, INT64_MAX};
    world *w = l->world;
    slot *s = slot_in(l, 0, FREE);
    if (!s)
        return;
    int64_t timeout = timeouts[arg >> 3 & 3];
    *s = (slot){.op = fresh_op(), .ask = POOL_ASK_INIT, .quiet = true, .lane = l};
    s->acquires = (arg & 7) < 4;
    s->timed = s->acquires && timeout != 0;
    pool_status_t status = POOL_OK;
    switch (arg & 7) {
    case 0: case 1:
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
        status = arg & 8 ? pool_op_close(w->pool, s->op) : pool_op_sweep(w->pool, s->op);
        break;
    }
    MUST_BE(status, POOL_OK);
    atomic_store(&s->state, OP);
}

static bool waits(const slot *s) { return !s->quiet && s->ask.kind == POOL_ASK_WAIT; }

static void op_take(slot *s)
{
    void *resource = waits(s) ? pool_op_take(s->op) : NULL;
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
            MUST(waits(s));
            return s;
        }
    }
    fuzz_fail(__FILE__, __LINE__, "an op is woken that is none");
}

static void hand_on(lane *l, uint8_t arg)
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

static void go_on_with_woken(world *w)
{
    pool_op_t *op;
    while (w->host_driven && !w->concurrent && (op = pool_op_woken(w->pool)) != NULL)
        op_next(slot_of(w, op), true);
}

/* --- async ---------------------------------------------------------------------------------------- */

static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    slot *s = data;
    lane *l = s->lane;
    MUST(op == s->op && op->data == s && atomic_load(&s->state) == ASYNC);
    MUST_BE_ONE_OF(status, BIT(POOL_OK) | BIT(POOL_ERR_CLOSED) | BIT(POOL_ERR_UNAVAILABLE) | BIT(POOL_ERR_FACTORY) |
                               (s->timed ? BIT(POOL_ERR_TIMEOUT) : 0) |
                               (s->cancelled ? BIT(POOL_ERR_CANCELLED) : 0));
    MUST(!s->cancelled || status != POOL_OK);
    MUST((resource != NULL) == (status == POOL_OK));
    memset(op, 0xa5, sizeof *op);
    free(op);
    bool shared = s->shared;
    atomic_store(&s->state, FREE);
    if (status != POOL_OK)
        return;
    if (shared) /* this may be any thread */
        release(l->world, thing_taken(resource));
    else
        lane_keep(l, resource);
}

static void async_begin(lane *l, uint8_t arg)
{
    static const int64_t timeouts[4] = {0, 1, 5000, INT64_MAX};
    world *w = l->world;
    slot *s = slot_in(l, 0, FREE);
    if (!s)
        return;
    int64_t timeout = timeouts[arg & 3];
    *s = (slot){.op = fresh_op(), .lane = l, .timed = timeout != 0, .shared = arg & 4};
    pool_op_t *op = s->op;
    atomic_store(&s->state, ASYNC); /* another lane may tell it before the call has returned */
    pool_status_t status = arg & 4 ? pool_acquire_async(w->pool, op, timeout, told, s)
                                   : pool_reactor_acquire(l->reactor, w->pool, op, timeout, told, s);
    if (status == POOL_PENDING) {
        MUST(!w->host_driven);
        return;
    }
    MUST_BE_ONE_OF(status, w->host_driven ? BIT(POOL_ERR_INVALID) : BIT(POOL_ERR_CLOSED) | BIT(POOL_ERR_UNAVAILABLE));
    free(op);
    atomic_store(&s->state, FREE);
}

/* One that any lane may tell is not touched here, unless lanes take turns. */
static void async_cancel(slot *s)
{
    if (s->shared && s->lane->world->concurrent)
        return;
    s->cancelled = true;
    MUST_BE(pool_op_cancel(s->op), POOL_OK);
    MUST(atomic_load(&s->state) == ASYNC); /* never told from inside */
}

static void dispatch(lane *l, bool own)
{
    world *w = l->world;
    if (own) {
        MUST(pool_reactor_next_timeout(l->reactor) >= -1);
        MUST_BE(pool_reactor_dispatch(l->reactor), POOL_OK);
    } else {
        MUST(pool_fd(w->pool) >= 0 && pool_next_timeout(w->pool) >= -1);
        MUST_BE(pool_dispatch(w->pool), POOL_OK);
    }
}

/* --- all of them ---------------------------------------------------------------------------------- */

void lane_op_call(lane *l, uint8_t what, uint8_t arg)
{
    slot *op = slot_in(l, arg >> 5, OP), *async = slot_in(l, arg >> 5, ASYNC);
    if (what < 8) {
        op_begin(l, arg);
    } else if (what < 12) {
        async_begin(l, arg);
    } else if (what < 15) {
        dispatch(l, arg & 1);
    } else if (what < 16) {
        hand_on(l, arg);
    } else if (what < 17) {
        go_on_with_woken(l->world);
    } else if (what < 19) {
        if (async)
            async_cancel(async);
    } else if (!op) {
        return;
    } else if (what < 26) {
        op_next(op, true);
    } else if (what < 28) {
        op_next(op, false);
    } else if (what < 30) {
        op_take(op);
    } else if (what < 31 && waits(op)) {
        MUST_BE_ONE_OF(pool_op_wait(op->op, 1), BIT(POOL_OK) | BIT(POOL_ERR_TIMEOUT));
        MUST(pool_op_until_ns(op->op) > 1);
    } else {
        op_cancel(op);
    }
}

void lane_go_on(lane *l)
{
    lane_release_all(l);
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&l->slots[i].state) == OP)
            op_next(&l->slots[i], true);
    lane_release_all(l);
    dispatch(l, true);
    dispatch(l, false);
    lane_release_all(l);
}

void lane_wait(lane *l)
{
    int busy = 0;
    slot *last = NULL;
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&l->slots[i].state) != FREE) {
            busy++;
            last = &l->slots[i];
        }
    /* One that holds nothing else may sleep: somebody else will go on. */
    if (busy == 1 && atomic_load(&last->state) == OP && waits(last)) {
        MUST_BE_ONE_OF(pool_op_wait(last->op, INT64_MAX), BIT(POOL_OK) | BIT(POOL_ERR_TIMEOUT));
    } else if (busy == 1 && atomic_load(&last->state) == ASYNC && !last->shared) {
        struct pollfd watched = {.fd = pool_reactor_fd(l->reactor), .events = POLLIN};
        poll(&watched, 1, (int)pool_reactor_next_timeout(l->reactor));
    } else {
        sched_yield();
    }
}
