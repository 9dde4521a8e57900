#include "invariants.h"

#include "actor.h"

#include <stdio.h>

static atomic_uint most_waiting;

unsigned invariants_most_waiting(void) { return atomic_load(&most_waiting); }

static pool_snapshot_t snapshot_of(world *w)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    pool_status_t status = pool_snapshot(w->pool, &s);
    if (status != POOL_OK)
        soak_fail("%s: a snapshot answers %s", world_text(w), pool_status_name(status));
    return s;
}

/* What holds at every instant. */
static void check(world *w, const pool_snapshot_t *s)
{
    const site_kind *k = w->site->kind;
    TALLY(samples);
    if (s->max != k->max || (uint64_t)s->idle + s->active > s->max || (uint64_t)s->active + s->reserved > s->max)
        soak_fail("%s: idle %u, active %u, reserved %u of %u", world_text(w), s->idle, s->active, s->reserved, s->max);
    if (atomic_load(&w->live) > (int)k->max || atomic_load(&w->lent) > (int)k->max)
        soak_fail("%s: %d live, %d lent of %u", world_text(w), w->live, w->lent, k->max);
    if ((s->closed || s->state == POOL_CIRCUIT_INACTIVE) && s->waiting > 0)
        soak_fail("%s: %u wait, though it lends nothing", world_text(w), s->waiting);
    /* Where others make what callers wait for, a place is of use to them as soon as something is idle. */
    bool of_use = !(k->flags & POOL_F_CREATE_BEHIND) || s->idle > s->reserved;
    if (of_use && s->waiting > 0 && s->state == POOL_CIRCUIT_ACTIVE && s->active + s->reserved < s->max)
        soak_fail("%s: %u wait while a place is free: active %u, reserved %u of %u", world_text(w), s->waiting,
                  s->active, s->reserved, s->max);
}

void invariants_check(world *w)
{
    pool_snapshot_t s = snapshot_of(w);
    check(w, &s);
}

static void watch(world *w, const pool_snapshot_t *s)
{
    int64_t now = soak_now_ns();
    unsigned long lends = atomic_load(&w->lends);
    if (s->waiting + s->reserved == 0 || s->closed || lends != w->seen_lends) {
        w->seen_lends = lends;
        w->seen_ns = now;
    } else if (now - w->seen_ns > soak.stall * INT64_C(1000000000)) {
        soak_fail("%s: nothing was lent for %u s, %u wait, and %u were promised a place", world_text(w), soak.stall,
                  s->waiting, s->reserved);
    }
}

void invariants_sample(void)
{
    for (int i = 0; i < SITES; i++) {
        world *w = site_enter(&sites[i]);
        if (!w)
            continue;
        pool_snapshot_t s = snapshot_of(w);
        check(w, &s);
        watch(w, &s);
        if (s.waiting > atomic_load(&most_waiting))
            atomic_store(&most_waiting, s.waiting);
        world_leave(w);
    }
}

void invariants_wait(bool (*condition)(void *), void *arg, const char *what)
{
    int64_t began = soak_now_ns();
    while (!condition(arg)) {
        if (soak_now_ns() - began > soak.stall * INT64_C(1000000000))
            soak_fail("after %u s still not: %s", soak.stall, what);
        soak_nap_us(100);
    }
}

/* A healthcheck may be looking at one. */
static bool nothing_is_active(void *arg)
{
    world *w = arg;
    pool_snapshot_t s = snapshot_of(w);
    return s.active == 0 && s.idle == w->created - w->destroyed && (int)s.idle == w->live;
}

typedef struct attempt {
    world *w;
    void *resource;
    pool_status_t status;
} attempt;

static void answered(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op;
    attempt *a = data;
    a->resource = resource;
    a->status = status;
}

static bool dispatched(void *arg)
{
    attempt *a = arg;
    return pool_dispatch(a->w->pool) == POOL_OK && a->status != POOL_PENDING;
}

/* The loop that would make it rests: this thread is the loop. */
static pool_status_t acquire_and_dispatch(attempt *a)
{
    pool_op_t op;
    a->status = pool_acquire_async(a->w->pool, &op, 0, answered, a);
    if (a->status == POOL_PENDING)
        invariants_wait(dispatched, a, "what is made in a dispatch is lent");
    return a->status;
}

static bool lends_one(void *arg)
{
    attempt *a = arg;
    bool behind = a->w->site->kind->flags & POOL_F_CREATE_BEHIND; /* a try makes none there */
    pool_status_t status = site_makes_in_dispatch(a->w->site) ? acquire_and_dispatch(a)
                           : behind                           ? pool_acquire(a->w->pool, &a->resource, 0)
                                                              : drive_try(a->w, &a->resource);
    if (status != POOL_OK && (status != POOL_EMPTY || a->w->site->kind->interval_ms == 0))
        soak_fail("%s: at rest an acquire answers %s", world_text(a->w), pool_status_name(status));
    return status == POOL_OK;
}

/* Exactly max can be lent. */
static void lend_all(world *w)
{
    void *all[MOST_PLACES];
    uint32_t max = w->site->kind->max;
    for (uint32_t i = 0; i < max; i++) {
        attempt a = {w, NULL, POOL_OK};
        invariants_wait(lends_one, &a, "a pool at rest lends all it has");
        all[i] = a.resource;
        world_lent(w, all[i]);
        TALLY(quiet_lent);
    }
    void *more;
    pool_status_t status = drive_try(w, &more);
    if (status != POOL_EMPTY || (uint32_t)w->live != max)
        soak_fail("%s: with all lent a try answers %s, and %d are alive", world_text(w), pool_status_name(status),
                  w->live);
    for (uint32_t i = 0; i < max; i++) {
        world_let_go(w, all[i]);
        drive_release(w, all[i]);
    }
}

static bool only_the_sites_are_left(void *arg)
{
    return atomic_load(&worlds_alive) == *(int *)arg && (int)pool_debug_live() == *(int *)arg;
}

void invariants_at_rest(void)
{
    atomic_store(&world_calm, true);
    for (int i = 0; i < SITES; i++) {
        site *s = &sites[i];
        atomic_store(&s->down, false);
        world *w = site_enter(s);
        bool there = w && !pool_is_closed(w->pool);
        if (w && !there)
            world_leave(w);
        if (!there) {
            site_replace(s, true);
            w = site_enter(s);
        }
        invariants_check(w);
        pool_snapshot_t counts = snapshot_of(w);
        if (counts.waiting > 0 || counts.reserved > 0 || w->lent > 0)
            soak_fail("%s: everybody rests, but %u wait, %u are promised, %d are lent", world_text(w), counts.waiting,
                      counts.reserved, w->lent);
        invariants_wait(nothing_is_active, w, "a pool at rest has nothing active, and its account is right");
        pool_activate(w->pool);
        lend_all(w);
        world_leave(w);
    }
    int want = SITES;
    invariants_wait(only_the_sites_are_left, &want, "pools that were closed are gone");
    atomic_store(&world_calm, false);
}

void invariants_at_end(void)
{
    int want = 0;
    for (int i = 0; i < SITES; i++)
        site_clear(&sites[i]);
    invariants_wait(only_the_sites_are_left, &want, "no pool is left");
    if (TALLIED(created) != TALLIED(destroyed))
        soak_fail("%llu resources were created, %llu destroyed", TALLIED(created), TALLIED(destroyed));
}

void invariants_print(void)
{
    for (int i = 0; i < SITES; i++) {
        site *s = &sites[i];
        if (pthread_mutex_trylock(&s->lock) != 0)
            continue; /* whoever fails may be in there */
        world *w = s->current;
        pool_snapshot_t c = {.struct_size = sizeof c};
        if (w && pool_snapshot(w->pool, &c) == POOL_OK)
            fprintf(stderr,
                    "  %-18s #%-6" PRIu64 " max %u: idle %u, active %u, reserved %u, waiting %u, "
                    "breaker %d%s%s; %lu lent so far, %d now, %d live\n",
                    s->kind->name, w->number, c.max, c.idle, c.active, c.reserved, c.waiting, (int)c.state,
                    c.closed ? ", closed" : "", s->down ? ", service down" : "", w->lends, w->lent, w->live);
        if (w)
            hooks_print_holders(w);
        pthread_mutex_unlock(&s->lock);
    }
    fprintf(stderr, "  %d worlds, %u pools alive\n", worlds_alive, pool_debug_live());
}
