/* The pool of an input, and the end of it all. */
#include "fuzz.h"

#include <sched.h>

static void check_gone(world *w)
{
    pool_unref(w->other);
    for (int i = 0; i < LANES; i++)
        pool_reactor_unref(w->lane[i].reactor);
    while (w->concurrent && pool_debug_live() != 0) /* a thread of the library may be on its way out */
        sched_yield();
    MUST(pool_debug_live() == 0);
    MUST(atomic_load(&w->alive) == 0 && atomic_load(&w->others) == 0); /* I5 */
    for (int i = 0; i < OBSERVERS; i++)
        MUST(atomic_load(&w->observers[i].disposed) == w->observers[i].added);
    for (int i = 0; i < HOOKS; i++)
        MUST(atomic_load(&w->callable[i].disposed) == (w->callable[i].fcall.invoke ? 1 : 0));
}

static void open_other(world *w)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = hook_factory;
    config.destructor = hook_destructor;
    config.user_data = w;
    MUST_BE(pool_create_ex(&config, &w->other), POOL_OK);
}

/* The configuration that the head of an input says, see target.c, and what the world knows of it. */
static pool_config_t config_of(world *w, const uint8_t *head)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "fuzz";
    config.user_data = w;
    config.max_size = w->max = 1 + (head[0] & 3);
    config.min_size = (head[0] >> 2 & 3) % (w->max + 1);
    config.recovering_limit = head[1] >> 6;
    unsigned wanted = head[0] >> 4; /* which of the hooks that a pool may do without */
    w->host_driven = (head[1] & 0x1c) == 0x1c;
    w->callables = !w->host_driven && (head[1] & 4);
    w->healthchecks = wanted & 4;
    if (head[1] & 0x20 && !w->host_driven)
        config.flags |= POOL_F_REACTOR;
    if (head[6] & 8)
        config.flags |= POOL_F_TIMED;
    w->behind = head[6] & 16 && w->concurrent && !w->host_driven && !(config.flags & POOL_F_REACTOR);
    if (w->behind)
        config.flags |= POOL_F_CREATE_BEHIND;
    if (w->host_driven) {
        config.flags |= POOL_F_HOST_DRIVEN;
        config.asks = POOL_ASKS_DESTROY | (wanted & 1 ? POOL_ASKS_BEFORE_ACQUIRE : 0) |
                      (wanted & 2 ? POOL_ASKS_BEFORE_RELEASE : 0) | (wanted & 4 ? POOL_ASKS_HEALTHCHECK : 0) |
                      (wanted & 8 ? POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER : 0);
    } else if (w->callables) {
        config.factory_fcall = hook_callable(w, FACTORY);
        config.destructor_fcall = hook_callable(w, DESTRUCTOR);
        config.healthcheck_fcall = wanted & 4 ? hook_callable(w, HEALTHCHECK) : NULL;
        config.before_acquire_fcall = wanted & 1 ? hook_callable(w, BEFORE_ACQUIRE) : NULL;
        config.before_release_fcall = wanted & 2 ? hook_callable(w, BEFORE_RELEASE) : NULL;
    } else {
        config.factory = hook_factory;
        config.destructor = hook_destructor;
        config.healthcheck = wanted & 4 ? hook_healthcheck : NULL;
        config.before_acquire = wanted & 1 ? hook_before_acquire : NULL;
        config.before_release = wanted & 2 ? hook_before_release : NULL;
    }
    /* While the clock stands, nothing must happen on threads of the library. */
    if (!w->host_driven && w->healthchecks && (w->concurrent || head[1] & 0x20))
        config.healthcheck_interval_ms = 1;
    return config;
}

/* False: the first creation failed, and nothing is there. */
bool world_open(world *w, const uint8_t *head)
{
    for (int i = 0; i < LANES; i++) {
        w->lane[i].world = w;
        MUST((w->lane[i].reactor = pool_reactor_create()) != NULL);
        for (int j = 0; j < SLOTS; j++)
            w->lane[i].slots[j].lane = &w->lane[i];
    }
    memcpy(w->pattern, head + 2, sizeof w->pattern);
    if (head[6] & 2)
        open_other(w);
    pool_config_t config = config_of(w, head);
    pool_status_t status = pool_create_ex(&config, &w->pool);
    MUST_BE_ONE_OF(status, BIT(POOL_OK) | BIT(POOL_ERR_FACTORY));
    MUST((w->pool != NULL) == (status == POOL_OK));
    if (!w->pool) {
        check_gone(w);
        return false;
    }
    if (head[6] & 4 && !w->concurrent)
        MUST_BE(pool_reactor_attach(w->lane[0].reactor, w->pool), w->host_driven ? POOL_ERR_INVALID : POOL_OK);
    if (!w->host_driven && head[0] & 0x80)
        MUST_BE(pool_set_strategy(w->pool, &strategies[head[1] & 1]), POOL_OK);
    atomic_store(&w->open, true);
    return true;
}

static void check_counts(world *w)
{
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    MUST_BE(pool_snapshot(w->pool, &counts), POOL_OK);
    MUST(counts.waiting == 0 && counts.reserved == 0);
    if ((w->healthchecks && w->concurrent) || w->behind)
        return; /* a hook may run at this moment, on a thread of the library */
    MUST(counts.active == 0);
    MUST((int)counts.idle == atomic_load(&w->alive)); /* I2 */
    /* Nobody needs what is idle, but who drained may have left before the line did. */
    MUST(!counts.closed || counts.idle == 0 || atomic_load(&w->drained));
}

/* Exactly max can be had (I4). */
static void check_places(world *w)
{
    void *resource, *all[MOST];
    pool_op_t op;
    for (uint32_t i = 0; i < w->max; i++) {
        if (w->host_driven) {
            MUST_BE(pool_op_try_acquire(w->pool, &op), POOL_OK);
            MUST_BE(op_run(w, &op, &all[i]), POOL_OK);
        } else if ((w->healthchecks && w->concurrent) || w->behind) {
            pool_status_t status;
            do /* what failed was begun for somebody before */
                status = pool_acquire(w->pool, &all[i], 0);
            while (w->behind && status == POOL_ERR_FACTORY);
            MUST_BE(status, POOL_OK);
        } else {
            MUST_BE(pool_try_acquire(w->pool, &all[i]), POOL_OK);
        }
        thing_taken(all[i]);
    }
    MUST_BE_ONE_OF(pool_try_acquire(w->pool, &resource), BIT(POOL_EMPTY) | (w->host_driven ? BIT(POOL_PENDING) : 0));
    MUST(resource == NULL);
    for (uint32_t i = 0; i < w->max; i++)
        release(w, all[i]);
}

/* Everything was given back; nothing may be left. */
void world_close(world *w)
{
    hooks_be_gentle(w);
    check_counts(w);
    if (w->host_driven)
        MUST_BE(pool_set_asks(w->pool, 0), POOL_OK);
    else
        MUST_BE(pool_set_strategy(w->pool, NULL), POOL_OK);
    if (!pool_is_closed(w->pool)) {
        MUST_BE(pool_activate(w->pool), POOL_OK);
        check_places(w);
    }
    if (w->host_driven) {
        pool_op_t op;
        void *resource;
        MUST_BE(pool_op_close(w->pool, &op), POOL_OK);
        MUST_BE(op_run(w, &op, &resource), POOL_OK);
    }
    pool_unref(w->pool);
    check_gone(w);
}
