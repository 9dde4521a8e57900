#include "timed.h"

static void enter(timed *state, const char *hook)
{
    atomic_fetch_add(&state->in_hook, 1);
    if (atomic_load(&state->over))
        check_fail(__FILE__, __LINE__, "%s after close has returned", hook);
}

static void leave(timed *state) { atomic_fetch_sub(&state->in_hook, 1); }

static void use(timed_resource *r)
{
    if (atomic_exchange(&r->used, 1))
        check_fail(__FILE__, __LINE__, "resource %d is used twice at a time", r->id);
}

static bool factory(pool_t *pool, void **resource)
{
    timed *state = pool->user_data;
    enter(state, "factory");
    int call = atomic_fetch_add(&state->creations, 1) + 1;
    bool ok = !state->factory || state->factory(pool, state, NULL, call);
    if (ok) {
        timed_resource *r = calloc(1, sizeof *r);
        r->id = atomic_fetch_add(&state->made, 1) + 1;
        *resource = r;
    }
    leave(state);
    return ok;
}

static void destructor(pool_t *pool, void *resource)
{
    timed *state = pool->user_data;
    enter(state, "destructor");
    use(resource); /* for good */
    int call = atomic_fetch_add(&state->destructions, 1) + 1;
    if (state->destructor)
        state->destructor(pool, state, resource, call);
    free(resource);
    leave(state);
    atomic_fetch_add(&state->ended, 1); /* the last touch of state */
}

static bool healthcheck(pool_t *pool, void *resource)
{
    timed *state = pool->user_data;
    timed_resource *r = resource;
    enter(state, "healthcheck");
    use(r);
    int call = atomic_fetch_add(&state->checks, 1) + 1;
    bool ok = !state->healthcheck || state->healthcheck(pool, state, r, call);
    atomic_store(&r->used, 0);
    leave(state);
    return ok;
}

pool_status_t timed_try_pool(timed *state, uint32_t min, uint32_t max, uint32_t interval_ms, uint32_t flags,
                             pool_t **out)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = factory;
    config.destructor = destructor;
    config.healthcheck = healthcheck;
    config.user_data = state;
    config.min_size = min;
    config.max_size = max;
    config.healthcheck_interval_ms = interval_ms;
    config.flags = flags;
    return pool_create_ex(&config, out);
}

pool_t *timed_pool(timed *state, uint32_t min, uint32_t max, uint32_t interval_ms, uint32_t flags)
{
    pool_t *pool;
    CHECK_STATUS(timed_try_pool(state, min, max, interval_ms, flags, &pool), POOL_OK);
    return pool;
}

timed_resource *timed_take(pool_t *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    use(r);
    return r;
}

void timed_give(pool_t *pool, timed_resource *r)
{
    atomic_store(&r->used, 0);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
}

void timed_close(timed *state, pool_t *pool)
{
    CHECK_STATUS(pool_close(pool), POOL_OK);
    atomic_store(&state->over, true);
    CHECK_INT(state->in_hook, 0);
}

void timed_end(timed *state, pool_t *pool)
{
    timed_close(state, pool);
    CHECK_COUNTS(pool, 0, 0, 0);
    pool_unref(pool);
    CHECK_INT(state->ended, state->made);
}

pool_t *timed_clock(timed *state) { return timed_pool(state, 1, 1, 1, 0); }

void timed_passes(timed *clock, int n)
{
    int end = atomic_load(&clock->checks) + n;
    WAIT_FOR(atomic_load(&clock->checks) >= end);
}
