/* Sites and worlds: made, entered, left, replaced. */
#include "actor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const site_kind kinds[SITES] = {
    /* name, home, min, max, flags, interval_ms, probes, hooks, strategy */
    {"one", HOME_ANY, 0, 1, 0, 0, 0, false, STRATEGY_NONE},
    {"one-hooks", HOME_ANY, 0, 1, 0, 0, 0, true, STRATEGY_NONE},
    {"small", HOME_ANY, 1, 4, 0, 20, 2, true, STRATEGY_THRESHOLD},
    {"small-own", HOME_ANY, 0, 4, 0, 0, 1, true, STRATEGY_OWN},
    {"large", HOME_ANY, 8, 48, POOL_F_TIMED, 50, 4, true, STRATEGY_THRESHOLD},
    {"large-fast", HOME_ANY, 0, 48, 0, 0, 0, false, STRATEGY_NONE},
    {"fast", HOME_ANY, 2, 8, 0, 0, 0, false, STRATEGY_NONE},
    {"behind", HOME_ANY, 0, 6, POOL_F_CREATE_BEHIND, 0, 1, true, STRATEGY_THRESHOLD},
    {"behind-fast", HOME_ANY, 2, 4, POOL_F_CREATE_BEHIND | POOL_F_LAZY_MIN | POOL_F_LIFO, 20, 0, false, STRATEGY_NONE},
    {"attached", HOME_ATTACHED, 0, 8, POOL_F_REACTOR, 20, 1, true, STRATEGY_OWN},
    {"attached-fast", HOME_ATTACHED, 1, 3, 0, 30, 0, false, STRATEGY_NONE},
    {"own-fd", HOME_OWN_FD, 0, 4, POOL_F_REACTOR, 30, 1, true, STRATEGY_THRESHOLD},
    {"own-fd-behind", HOME_OWN_FD, 0, 4, POOL_F_REACTOR | POOL_F_CREATE_BEHIND, 0, 1, true, STRATEGY_THRESHOLD},
    {"coroutines", HOME_COROUTINES, 0, 6, 0, 0, 0, true, STRATEGY_NONE},
    {"coroutines-fast", HOME_COROUTINES, 0, 2, 0, 25, 0, false, STRATEGY_NONE},
    {"host", HOME_HOST, 0, 5, POOL_F_HOST_DRIVEN, 0, 2, true, STRATEGY_NONE},
    {"host-fast", HOME_HOST, 0, 3, POOL_F_HOST_DRIVEN, 0, 0, false, STRATEGY_THRESHOLD},
};

site sites[SITES];
atomic_int worlds_alive;
atomic_bool world_calm;
static atomic_ullong numbers;

void worlds_begin(void)
{
    for (int i = 0; i < SITES; i++) {
        sites[i].kind = &kinds[i];
        sites[i].number = i;
        pthread_mutex_init(&sites[i].lock, NULL);
    }
}

site *site_of(site_home home, unsigned number)
{
    unsigned found = 0;
    for (int i = 0; i < SITES; i++)
        found += kinds[i].home == home;
    for (int i = 0, left = (int)(number % found); i < SITES; i++)
        if (kinds[i].home == home && left-- == 0)
            return &sites[i];
    return NULL;
}

site *site_for_threads(dice *d)
{
    for (;;) {
        site *s = &sites[dice_below(d, SITES)];
        if (s->kind->home != HOME_HOST)
            return s;
    }
}

const char *world_text(world *w)
{
    static _Thread_local char text[96];
    snprintf(text, sizeof text, "pool %s #%" PRIu64, w->site->kind->name, w->number);
    return text;
}

/* Who is the last to have to do with a world sees that it has left nothing. */
void world_done_with(world *w)
{
    if (atomic_fetch_sub(&w->users, 1) > 1)
        return;
    if (w->created != w->destroyed || w->live != 0 || w->lent != 0)
        soak_fail("%s is gone: %lu created, %lu destroyed, %d live, %d lent", world_text(w), w->created, w->destroyed,
                  w->live, w->lent);
    free(w);
    atomic_fetch_sub(&worlds_alive, 1);
}

static world *begin(site *s)
{
    world *w = calloc(1, sizeof *w);
    if (!w)
        soak_fail("out of memory");
    w->site = s;
    w->number = atomic_fetch_add(&numbers, 1) + 1;
    w->seen_ns = soak_now_ns();
    atomic_store(&w->users, s->kind->home == HOME_HOST ? 1 : 2); /* the site, and the callable's owner */
    atomic_fetch_add(&worlds_alive, 1);
    pool_config_t config = hooks_config(w);
    pool_status_t status = pool_create_ex(&config, &w->pool);
    if (status != POOL_OK) {
        if (status != POOL_ERR_FACTORY)
            soak_fail("%s: creation answers %s", world_text(w), pool_status_name(status));
        TALLY(pools_failed);
        world_done_with(w);
        return NULL;
    }
    TALLY(pools);
    if (s->reactor && pool_reactor_attach(s->reactor, w->pool) != POOL_OK)
        soak_fail("%s: no reactor", world_text(w));
    callbacks_set_strategy(w, s->kind->strategy);
    return w;
}

void world_close(world *w)
{
    pool_op_t op;
    void *nothing;
    if (w->site->kind->home != HOME_HOST)
        pool_close(w->pool);
    else if (pool_op_close(w->pool, &op) == POOL_OK)
        drive(w, &op, false, &nothing);
    if (!pool_is_closed(w->pool))
        soak_fail("%s is open after a close", world_text(w));
}

static void put(site *s, world *w, bool close_old)
{
    pthread_mutex_lock(&s->lock);
    world *old = s->current;
    s->current = w;
    pthread_mutex_unlock(&s->lock);
    if (!old)
        return;
    /* A host-driven pool has nobody who destroys when its last reference goes; and nobody dispatches a pool that has left
     * its site, for those who still stand in line there. */
    if (close_old || s->kind->home == HOME_HOST || site_makes_in_dispatch(s))
        world_close(old);
    world_leave(old);
}

bool site_replace(site *s, bool close_old)
{
    world *w = begin(s);
    if (w)
        put(s, w, close_old);
    return w != NULL;
}

void site_clear(site *s) { put(s, NULL, true); }

world *world_stay(world *w)
{
    pool_ref(w->pool);
    atomic_fetch_add(&w->users, 1);
    return w;
}

world *site_enter(site *s)
{
    pthread_mutex_lock(&s->lock);
    world *w = s->current ? world_stay(s->current) : NULL;
    pthread_mutex_unlock(&s->lock);
    return w;
}

void world_leave(world *w)
{
    pool_unref(w->pool);
    world_done_with(w);
}

void world_lent(world *w, void *resource)
{
    hooks_lent(w, resource);
    int lent = atomic_fetch_add(&w->lent, 1) + 1;
    if (lent > (int)w->site->kind->max)
        soak_fail("%s: %d lent at once", world_text(w), lent);
    atomic_fetch_add(&w->lends, 1);
}

void world_let_go(world *w, void *resource)
{
    hooks_returned(w, resource);
    atomic_fetch_sub(&w->lent, 1);
    TALLY(cycles);
}

void world_give(world *w, void *resource)
{
    world_let_go(w, resource);
    pool_status_t status = pool_release(w->pool, resource);
    if (status != POOL_OK)
        soak_fail("%s: release answers %s", world_text(w), pool_status_name(status));
}

void world_outcome(world *w, pool_status_t status)
{
    switch ((int)status) {
    case POOL_OK:
        break;
    case POOL_EMPTY:
        TALLY(empty);
        break;
    case POOL_ERR_TIMEOUT:
        TALLY(timeouts);
        break;
    case POOL_ERR_FACTORY:
        TALLY(factory_failures);
        break;
    case POOL_ERR_UNAVAILABLE:
        TALLY(unavailable);
        break;
    case POOL_ERR_CLOSED:
        TALLY(closed);
        break;
    case POOL_ERR_CANCELLED:
        TALLY(cancelled_ops);
        break;
    default:
        soak_fail("%s: an acquire answers %s", world_text(w), pool_status_name(status));
    }
}

void world_waited(world *w, pool_status_t status, int64_t began_ns, int64_t timeout_ms)
{
    int64_t took = soak_now_ns() - began_ns;
    if (took > 100000)
        TALLY(waits);
    if (timeout_ms > 0 && took > timeout_ms * 1000000 + soak.stall * INT64_C(1000000000))
        soak_fail("%s: an acquire with %" PRId64 " ms took %" PRId64 " ms", world_text(w), timeout_ms, took / 1000000);
    if (status == POOL_ERR_TIMEOUT && (timeout_ms == 0 || took < timeout_ms * 1000000))
        soak_fail("%s: an acquire with %" PRId64 " ms timed out after %" PRId64 " us", world_text(w), timeout_ms,
                  took / 1000);
    world_outcome(w, status);
}
