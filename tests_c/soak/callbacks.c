/*
 * The callbacks of a world's pool: a strategy that opens the breaker after some failures in a row and closes it
 * after a success or a few, and observers that come and go. Each observer that is in is a user of its world.
 */
#include "world.h"

static void succeeded(pool_t *pool, void *ctx)
{
    world *w = ctx;
    TALLY(reports);
    atomic_store(&w->failures, 0);
    if (pool_state(pool) == POOL_CIRCUIT_RECOVERING && dice_one_in(hooks_own_dice(), 3)) {
        TALLY(moves);
        pool_activate(pool);
    }
}

static void failed(pool_t *pool, const pool_error_t *error, void *ctx)
{
    world *w = ctx;
    TALLY(reports);
    if (!error || !error->message || (error->code != 0 && error->code != 500 && error->code != 503))
        soak_fail("%s: a failure is reported with a wrong error", world_text(w));
    if (atomic_fetch_add(&w->failures, 1) >= 4) {
        atomic_store(&w->failures, 0);
        TALLY(moves);
        pool_deactivate(pool);
    }
}

static bool may_probe(pool_t *pool, void *ctx)
{
    (void)pool;
    (void)ctx;
    return dice_one_in(hooks_own_dice(), 4);
}

pool_circuit_breaker_strategy_t callbacks_strategy(world *w)
{
    return (pool_circuit_breaker_strategy_t){succeeded, failed, may_probe, w, NULL};
}

void callbacks_set_strategy(world *w, site_strategy which)
{
    if (which == STRATEGY_THRESHOLD)
        pool_strategy_threshold(w->pool, 5, 10, 2);
    else if (w->site->kind->home != HOME_HOST)
        pool_set_strategy(w->pool, which == STRATEGY_OWN ? &w->strategy : NULL);
}

/* ---- observers ---- */

enum { OUT, MOVES, IN };

static void told(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    watcher *o = self->data;
    if (event != &o->world->pool->event || kind > POOL_EVENT_CLOSED)
        soak_fail("%s: an observer is told nonsense", world_text(o->world));
    TALLY(told);
}

static void let_go(pool_event_callback_t *self)
{
    watcher *o = self->data;
    world *w = o->world;
    atomic_store(&o->state, OUT);
    world_done_with(w);
}

void callbacks_watch(world *w, dice *d)
{
    watcher *o = &w->watchers[dice_below(d, WATCHERS)];
    pool_event_t *event = &w->pool->event;
    int state = OUT;
    if (atomic_compare_exchange_strong(&o->state, &state, MOVES)) {
        atomic_fetch_add(&w->users, 1);
        o->world = w;
        o->callback = (pool_event_callback_t){.callback = told, .dispose = let_go, .data = o};
        state = MOVES;
        if (event->add_callback(event, &o->callback) != POOL_OK)
            let_go(&o->callback); /* closed meanwhile */
        else
            atomic_compare_exchange_strong(&o->state, &state, IN); /* or it has been let go already */
    } else if (state == IN) {
        event->del_callback(event, &o->callback); /* or a close has let it go */
    }
}
