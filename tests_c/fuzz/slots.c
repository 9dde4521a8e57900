/* What a lane begins and goes on with later. */
#include "fuzz.h"

#include <poll.h>
#include <sched.h>

slot *lane_slot(lane *l, uint8_t first, slot_state state)
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

pool_op_t *fresh_op(void)
{
    pool_op_t *op = malloc(sizeof *op);
    MUST(op != NULL);
    memset(op, 0xa5, sizeof *op); /* whatever was there before */
    return op;
}

int64_t timeout_of(uint8_t arg)
{
    static const int64_t timeouts[4] = {0, 1, 5000, INT64_MAX};
    return timeouts[arg & 3];
}

/* --- async ---------------------------------------------------------------------------------------- */

static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    slot *s = data;
    lane *l = s->lane;
    MUST(op == s->op && op->data == s && atomic_load(&s->state) == ASYNC);
    MUST_BE_ONE_OF(status, BIT(POOL_OK) | BIT(POOL_ERR_CLOSED) | BIT(POOL_ERR_UNAVAILABLE) | BIT(POOL_ERR_FACTORY) |
                               (s->timed ? BIT(POOL_ERR_TIMEOUT) : 0) | (s->cancelled ? BIT(POOL_ERR_CANCELLED) : 0));
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
    world *w = l->world;
    slot *s = lane_slot(l, 0, FREE);
    if (!s)
        return;
    int64_t timeout = timeout_of(arg);
    *s = (slot){.op = fresh_op(), .lane = l, .timed = timeout != 0, .shared = arg & 4};
    pool_op_t *op = s->op;
    atomic_store(&s->state, ASYNC); /* another lane may tell it before the call has returned */
    pool_status_t status = arg & 4 ? pool_acquire_async(w->pool, op, timeout, told, s)
                                   : pool_reactor_acquire(l->reactor, w->pool, op, timeout, told, s);
    if (status == POOL_PENDING) {
        MUST(!w->host_driven);
        if (!w->concurrent)
            s->until = timeout == 1 || timeout == 5000 ? clock_now() + timeout * 1000000 : INT64_MAX;
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

/* A dispatch tells those whose time has come; their reactor counts in milliseconds. */
static void check_deadlines(lane *l)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&l->slots[i].state) == ASYNC && !l->slots[i].shared)
            MUST(clock_now() <= l->slots[i].until || clock_now() - l->slots[i].until < 2000000);
}

static void dispatch(lane *l, bool own)
{
    world *w = l->world;
    if (own) {
        MUST(pool_reactor_next_timeout(l->reactor) >= -1);
        MUST_BE(pool_reactor_dispatch(l->reactor), POOL_OK);
        if (!w->concurrent)
            check_deadlines(l);
    } else if (w->host_driven) {
        MUST(pool_fd(w->pool) == -1 && pool_next_timeout(w->pool) == -1);
        MUST_BE(pool_dispatch(w->pool), POOL_ERR_INVALID);
    } else {
        MUST(pool_fd(w->pool) >= 0 && pool_next_timeout(w->pool) >= -1);
        MUST_BE(pool_dispatch(w->pool), POOL_OK);
    }
}

/* --- all of them ---------------------------------------------------------------------------------- */

void lane_op_call(lane *l, uint8_t what, uint8_t arg)
{
    slot *op = lane_slot(l, arg >> 5, OP), *async = lane_slot(l, arg >> 5, ASYNC);
    if (what < 8) {
        op_begin(l, arg);
    } else if (what < 12) {
        async_begin(l, arg);
    } else if (what < 15) {
        dispatch(l, arg & 1);
    } else if (what < 16) {
        op_hand_on(l, arg);
    } else if (what < 17) {
        op_go_on_with_woken(l->world);
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
    } else if (what < 31 && op_waits(op)) {
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
    if (busy == 1 && atomic_load(&last->state) == OP && op_waits(last)) {
        MUST_BE_ONE_OF(pool_op_wait(last->op, INT64_MAX), BIT(POOL_OK) | BIT(POOL_ERR_TIMEOUT));
    } else if (busy == 1 && atomic_load(&last->state) == ASYNC && !last->shared) {
        struct pollfd watched = {.fd = pool_reactor_fd(l->reactor), .events = POLLIN};
        poll(&watched, 1, (int)pool_reactor_next_timeout(l->reactor));
    } else {
        sched_yield();
    }
}
