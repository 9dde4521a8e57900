/* What a lane does in one call. */
#include "fuzz.h"

enum { ACQUIRED = BIT(POOL_OK) | BIT(POOL_ERR_CLOSED) | BIT(POOL_ERR_UNAVAILABLE) | BIT(POOL_ERR_FACTORY) };
enum { MOVED = BIT(POOL_OK) | BIT(POOL_ERR_CLOSED) };

/* --- what a lane holds --------------------------------------------------------------------------- */

void release(world *w, thing *t)
{
    pool_status_t status = pool_release(t->pool, thing_given(t));
    if (!w->host_driven || status != POOL_PENDING) {
        MUST_BE(status, POOL_OK);
        return;
    }
    pool_op_t op;
    void *nothing;
    MUST_BE(pool_op_release(w->pool, &op, t), POOL_OK);
    MUST_BE(op_run(w, &op, &nothing), POOL_OK);
}

void lane_keep(lane *l, void *resource)
{
    thing *t = thing_taken(resource);
    MUST(t->pool == l->world->pool);
    if (l->holds == HELD)
        release(l->world, t);
    else
        l->held[l->holds++] = t;
}

thing *lane_put_down(lane *l, int which)
{
    if (l->holds == 0)
        return NULL;
    which %= l->holds;
    thing *t = l->held[which];
    l->held[which] = l->held[--l->holds];
    return t;
}

void lane_release(lane *l, int which)
{
    thing *t = lane_put_down(l, which);
    if (t)
        release(l->world, t);
}

/* It is not lent again: discarded, or the lane's own from now on, which destroys it. */
static void take_out(lane *l, int which, bool keeps)
{
    thing *t = lane_put_down(l, which);
    if (!t)
        return;
    world *w = l->world;
    pool_t *pool = t->pool;
    void *given = thing_given(t);
    if (keeps)
        thing_let_go(t); /* before: the pool may make another one as soon as it does not have this one */
    if (w->host_driven && pool == w->pool) {
        pool_op_t op;
        void *nothing;
        MUST_BE(keeps ? pool_op_detach(pool, &op, given) : pool_op_discard(pool, &op, given), POOL_OK);
        MUST_BE(op_run(w, &op, &nothing), POOL_OK);
    } else {
        MUST_BE(keeps ? pool_detach(pool, given) : pool_discard(pool, given), POOL_OK);
    }
    if (keeps)
        free(thing_taken(given));
}

void lane_release_all(lane *l)
{
    while (l->holds > 0)
        lane_release(l, 0);
}

/* --- lending ------------------------------------------------------------------------------------- */

static void got(lane *l, pool_status_t status, unsigned expected, void *resource)
{
    MUST_BE_ONE_OF(status, expected);
    if (status == POOL_OK)
        lane_keep(l, resource);
    else
        MUST(resource == NULL);
}

static void try(lane *l)
{
    world *w = l->world;
    void *resource = w;
    pool_status_t status = pool_try_acquire(w->pool, &resource);
    got(l, status, ACQUIRED | BIT(POOL_EMPTY) | (w->host_driven ? BIT(POOL_PENDING) : 0), resource);
}

/* Would an acquire wait? Only those know who take turns. */
static bool would_wait(world *w)
{
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    MUST_BE(pool_snapshot(w->pool, &counts), POOL_OK);
    return !counts.closed && (counts.active + counts.reserved == counts.max || counts.waiting > 0);
}

/* A lane that waits here for ever has nothing that another might wait for. */
static void acquire(lane *l, int64_t timeout_ms)
{
    world *w = l->world;
    void *resource = w;
    if (!w->concurrent && would_wait(w))
        return;
    if (w->concurrent && lane_is_busy(l))
        timeout_ms = 1;
    if (w->concurrent && timeout_ms != 1)
        lane_release_all(l);
    pool_status_t status = pool_acquire(w->pool, &resource, timeout_ms);
    got(l, status, w->host_driven ? BIT(POOL_ERR_INVALID) : ACQUIRED | (timeout_ms ? BIT(POOL_ERR_TIMEOUT) : 0),
        resource);
}

static void take(lane *l)
{
    void *resource = pool_take(l->world->pool);
    if (resource)
        lane_keep(l, resource);
}

static void release_of_other(lane *l)
{
    world *w = l->world;
    void *resource;
    if (!w->other || pool_try_acquire(w->other, &resource) != POOL_OK)
        return;
    MUST_BE(pool_release(w->pool, resource), POOL_ERR_NOT_OWNED);
    release(w, thing_taken(resource));
}

/* What was given back is not lent any more, as long as nobody comes in between. */
static void release_twice(lane *l, int which)
{
    thing *t = lane_put_down(l, which);
    if (!t)
        return;
    release(l->world, t);
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    MUST_BE(pool_snapshot(l->world->pool, &counts), POOL_OK);
    if (!l->world->concurrent && counts.active == 0)
        MUST_BE(pool_release(l->world->pool, t), POOL_ERR_NOT_OWNED);
}

/* --- the pool as a whole ------------------------------------------------------------------------- */

static void evict(world *w) { MUST_BE_ONE_OF(pool_evict(w->pool), w->host_driven ? BIT(POOL_ERR_INVALID) : MOVED); }

/* A lane that drains for ever has nothing that this would wait for. While lanes take turns nobody else has. */
static void drain(lane *l, int64_t timeout_ms)
{
    world *w = l->world;
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    if (w->host_driven) {
        MUST_BE(pool_drain(w->pool, timeout_ms), POOL_ERR_INVALID);
        return;
    }
    MUST_BE(pool_snapshot(w->pool, &counts), POOL_OK);
    if (!w->concurrent && counts.active + counts.reserved + counts.waiting > 0)
        return;
    if (w->concurrent && lane_is_busy(l))
        timeout_ms = 1;
    if (w->concurrent && timeout_ms != 1)
        lane_release_all(l);
    atomic_store(&w->drained, true);
    MUST_BE_ONE_OF(pool_drain(w->pool, timeout_ms), BIT(POOL_OK) | (timeout_ms ? BIT(POOL_ERR_TIMEOUT) : 0));
    MUST(pool_is_closed(w->pool));
}

/* --- observers and counts ------------------------------------------------------------------------- */

static void observed(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    MUST(atomic_load(&((observer *)self)->added) > atomic_load(&((observer *)self)->disposed));
    MUST(kind == POOL_EVENT_AVAILABLE || (kind == POOL_EVENT_CLOSED && pool_is_closed((pool_t *)event)));
}

static void disposed(pool_event_callback_t *self) { atomic_fetch_add(&((observer *)self)->disposed, 1); }

/* Each lane has an observer of its own: one that is let go must not be added before it is gone. */
static void add_observer(lane *l)
{
    world *w = l->world;
    observer *o = &w->observers[l - w->lane];
    if (atomic_load(&o->added) != atomic_load(&o->disposed)) {
        MUST_BE_ONE_OF(w->pool->event.add_callback(&w->pool->event, &o->callback),
                       BIT(POOL_ERR_INVALID) | BIT(POOL_ERR_CLOSED));
        return;
    }
    o->callback = (pool_event_callback_t){observed, disposed, NULL};
    atomic_fetch_add(&o->added, 1);
    pool_status_t status = w->pool->event.add_callback(&w->pool->event, &o->callback);
    MUST_BE_ONE_OF(status, MOVED);
    if (status != POOL_OK)
        atomic_fetch_sub(&o->added, 1);
}

static void remove_observer(lane *l)
{
    world *w = l->world;
    observer *o = &w->observers[l - w->lane];
    bool there = atomic_load(&o->added) != atomic_load(&o->disposed);
    MUST_BE(w->pool->event.del_callback(&w->pool->event, &o->callback), there ? POOL_OK : POOL_ERR_INVALID);
}

static void look_at_lends(lane *l)
{
    world *w = l->world;
    pool_lend_t lends[1 + 3];
    lends[0].struct_size = sizeof lends[0];
    size_t told = pool_lends(w->pool, lends, w->max);
    MUST(told >= (size_t)l->holds && told <= w->max);
    for (size_t i = 0; i < told; i++)
        MUST(lends[i].resource != NULL);
}

static void look(lane *l)
{
    world *w = l->world;
    char text[8 + 128];
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    MUST_BE(pool_snapshot(w->pool, &counts), POOL_OK);
    MUST(counts.max == w->max && counts.idle + counts.active <= w->max);
    MUST(counts.active + counts.reserved <= w->max);
    MUST(counts.state <= POOL_CIRCUIT_RECOVERING);
    MUST(!counts.closed || counts.waiting == 0 || atomic_load(&w->drained));
    MUST((uint32_t)l->holds <= counts.active);
    MUST(pool_count(w->pool) <= w->max && pool_idle_count(w->pool) <= w->max);
    MUST(pool_active_count(w->pool) >= (uint32_t)l->holds && pool_waiting_count(w->pool) <= LANES * (SLOTS + 1));
    MUST(w->pool->event.info(&w->pool->event, text, sizeof text) > 0);
    look_at_lends(l);
}

/* --- all of them ---------------------------------------------------------------------------------- */

static void move_clock(world *w, uint8_t arg)
{
    static const int64_t spans[8] = {1, 999, 1000, 999000, 1000000, 5000000, 1000000000, 31000000000};
    if (!w->concurrent)
        clock_add(spans[arg & 7]);
}

static void set_strategy(world *w, uint8_t arg)
{
    unsigned expected = w->host_driven ? BIT(POOL_ERR_INVALID) : BIT(POOL_OK);
    MUST_BE_ONE_OF(pool_set_strategy(w->pool, arg % 3 == 2 ? NULL : &strategies[arg % 3]), expected);
    if (w->host_driven)
        MUST_BE(pool_set_asks(w->pool, (arg & 1 ? POOL_ASKS_REPORTS : 0) | (arg & 2 ? POOL_ASKS_SHOULD_RECOVER : 0)),
                POOL_OK);
}

void lane_call(lane *l, uint8_t what, uint8_t arg)
{
    world *w = l->world;
    switch (what) {
    case 0:
    case 1:
    case 2:
        try(l);
        break;
    case 3:
    case 4:
    case 5:
        acquire(l, timeout_of(arg));
        break;
    case 6:
        take(l);
        break;
    case 7:
    case 8:
    case 9:
        lane_release(l, arg);
        break;
    case 10:
        if (arg & 4)
            take_out(l, arg >> 3, arg & 2);
        else
            lane_release(l, arg);
        break;
    case 11: /* what another lane got, if that is not a race */
        lane_release(w->concurrent ? l : &w->lane[arg % LANES], arg >> 2);
        break;
    case 12:
        release_of_other(l);
        break;
    case 13:
        release_twice(l, arg);
        break;
    case 14:
        lane_release_all(l);
        break;
    case 15:
        if (arg & 1)
            MUST_BE(pool_close(w->pool), w->host_driven ? POOL_ERR_INVALID : POOL_OK);
        else if (arg & 2)
            drain(l, timeout_of(arg >> 2));
        else if (arg & 4)
            evict(w);
        else
            MUST_BE_ONE_OF(pool_trim(w->pool, arg >> 3), w->host_driven ? BIT(POOL_ERR_INVALID) : MOVED);
        break;
    case 16:
        MUST(pool_ref(w->pool) == w->pool);
        pool_unref(w->pool);
        break;
    case 17:
        MUST_BE_ONE_OF(pool_activate(w->pool), MOVED);
        break;
    case 18:
        MUST_BE_ONE_OF(pool_deactivate(w->pool), MOVED);
        break;
    case 19:
        MUST_BE_ONE_OF(pool_recover(w->pool), MOVED);
        break;
    case 20:
        set_strategy(w, arg);
        break;
    case 21:
        MUST_BE(pool_strategy_threshold(w->pool, arg & 3, arg >> 2 & 3, arg >> 4 & 3), POOL_OK);
        break;
    case 22:
        add_observer(l);
        break;
    case 23:
        remove_observer(l);
        break;
    case 24:
        look(l);
        break;
    case 25:
    case 26:
        call_wrongly(l, arg);
        break;
    default:
        move_clock(w, arg);
        break;
    }
}
