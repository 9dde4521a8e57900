/* The pool of an input, its hooks and its resources, and the end of it all. */
#include "fuzz.h"

#include <sched.h>

/*
 * What the n-th call of a hook does is said by pattern[n % 4]: a bit of it for each kind of hook makes those
 * fail, and the upper three bits say what else is done inside. After some calls all succeed: hooks that undo what
 * others do, such as a destructor that makes a new resource for each that is refused, would go on for ever.
 */
enum { WILD = 100 };

enum inside { NOTHING, TRY, SNAPSHOT, RELEASE, OPEN, RECOVER, CLOSE };

static _Thread_local bool inside_hook; /* those inside do nothing more */

static void hook_inside(world *w, pool_t *pool, enum inside what)
{
    void *resource;
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    if (inside_hook)
        return;
    inside_hook = true;
    switch (what) {
    case TRY:
        if (pool_try_acquire(pool, &resource) == POOL_OK)
            release(w, thing_taken(resource));
        break;
    case SNAPSHOT:
        MUST_BE(pool_snapshot(pool, &counts), POOL_OK);
        MUST(counts.active > 0);
        break;
    case RELEASE: /* another lane's, which is this one's too while they take turns */
        if (!w->concurrent && w->lane[0].holds > 0)
            lane_release(&w->lane[0], 0);
        break;
    case OPEN:
        MUST_BE_ONE_OF(pool_deactivate(pool), BIT(POOL_OK) | BIT(POOL_ERR_CLOSED));
        break;
    case RECOVER:
        MUST_BE_ONE_OF(pool_recover(pool), BIT(POOL_OK) | BIT(POOL_ERR_CLOSED));
        break;
    case CLOSE:
        if (!w->host_driven)
            MUST_BE(pool_close(pool), POOL_OK);
        break;
    default:
        break;
    }
    inside_hook = false;
}

bool hook_outcome(pool_t *pool, hook which)
{
    world *w = pool->user_data;
    unsigned call = atomic_fetch_add(&w->calls, 1);
    if (w->gentle || pool == w->other || call >= WILD)
        return true;
    uint8_t pattern = w->pattern[call & 3];
    if (atomic_load(&w->open) && which < HOOKS)
        hook_inside(w, pool, (enum inside)(pattern >> 5));
    bool ok = !(pattern & 1u << which % HOOKS);
    if (!ok && which < HOOKS)
        MUST_BE(pool_set_error(pool, (int)which, "the input says so"), POOL_OK);
    return ok;
}

/* --- resources ----------------------------------------------------------------------------------- */

thing *thing_taken(void *resource)
{
    thing *t = resource;
    MUST(t != NULL);
    MUST(atomic_exchange(&t->owned, 1) == 0); /* I3: nobody else has it */
    return t;
}

void *thing_given(thing *t)
{
    MUST(atomic_exchange(&t->owned, 0) == 1);
    return t;
}

static atomic_int *alive(world *w, const pool_t *pool)
{
    return w->other && pool == w->other ? &w->others : &w->alive;
}

bool hook_factory(pool_t *pool, void **resource)
{
    world *w = pool->user_data;
    MUST(atomic_fetch_add(alive(w, pool), 1) < (int)pool->max_size); /* I1 */
    if (!hook_outcome(pool, FACTORY)) {
        atomic_fetch_sub(alive(w, pool), 1);
        return false;
    }
    thing *t = calloc(1, sizeof *t);
    MUST(t != NULL);
    t->pool = pool;
    *resource = t;
    return true;
}

void hook_destructor(pool_t *pool, void *resource)
{
    world *w = pool->user_data;
    thing *t = thing_taken(resource);
    MUST(t->pool == pool);
    hook_outcome(pool, DESTRUCTOR);
    free(t); /* twice is what the sanitizer finds */
    atomic_fetch_sub(alive(w, pool), 1);
}

bool hook_check(pool_t *pool, void *resource, hook which)
{
    thing *t = thing_taken(resource);
    MUST(t->pool == pool);
    bool ok = hook_outcome(pool, which);
    thing_given(t);
    return ok;
}

static bool healthcheck(pool_t *pool, void *resource) { return hook_check(pool, resource, HEALTHCHECK); }
static bool before_acquire(pool_t *pool, void *resource) { return hook_check(pool, resource, BEFORE_ACQUIRE); }
static bool before_release(pool_t *pool, void *resource) { return hook_check(pool, resource, BEFORE_RELEASE); }

static bool invoke(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    callable *c = (callable *)fcall;
    MUST(atomic_load(&c->disposed) == 0);
    switch (c->hook) {
    case FACTORY:
        return hook_factory(pool, resource);
    case DESTRUCTOR:
        hook_destructor(pool, *resource);
        return true;
    default:
        return hook_check(pool, *resource, (hook)c->hook);
    }
}

static void dispose(pool_fcall_t *fcall) { atomic_fetch_add(&((callable *)fcall)->disposed, 1); }

/* --- strategies ---------------------------------------------------------------------------------- */

static void report_success(pool_t *pool, void *ctx)
{
    (void)ctx;
    if (!hook_outcome(pool, REPORT_SUCCESS))
        MUST_BE_ONE_OF(pool_activate(pool), BIT(POOL_OK) | BIT(POOL_ERR_CLOSED));
}

static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)ctx;
    MUST(error && error->message);
    if (!hook_outcome(pool, REPORT_FAILURE))
        MUST_BE_ONE_OF(pool_deactivate(pool), BIT(POOL_OK) | BIT(POOL_ERR_CLOSED));
}

static bool should_recover(pool_t *pool, void *ctx)
{
    (void)ctx;
    return hook_outcome(pool, SHOULD_RECOVER);
}

pool_circuit_breaker_strategy_t strategies[2] = {
    {report_success, report_failure, NULL, NULL},
    {report_success, report_failure, should_recover, NULL},
};

/* --- the pool ------------------------------------------------------------------------------------ */

static pool_fcall_t *fcall(world *w, hook which)
{
    w->callable[which] = (callable){.fcall = {invoke, dispose, NULL}, .hook = which};
    return &w->callable[which].fcall;
}

static void check_gone(world *w)
{
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

/* The head of an input: see target.c. False: the first creation failed, and nothing is there. */
bool world_open(world *w, const uint8_t *head)
{
    for (int i = 0; i < LANES; i++) {
        w->lane[i].world = w;
        MUST((w->lane[i].reactor = pool_reactor_create()) != NULL);
        for (int j = 0; j < SLOTS; j++)
            w->lane[i].slots[j].lane = &w->lane[i];
    }
    static const uint32_t limits[4] = {0, 1, 0, 1000000};
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "fuzz";
    config.user_data = w;
    config.max_size = w->max = 1 + (head[0] & 3);
    config.min_size = (head[0] >> 2 & 3) % (w->max + 1);
    config.recovering_limit = head[1] >> 6;
    unsigned wanted = head[0] >> 4; /* which of the hooks that a pool may do without */
    if (head[1] & 3) {
        config.flags |= POOL_F_BARGING;
        config.barging_limit_us = limits[head[1] & 3];
    }
    w->host_driven = (head[1] & 0x1c) == 0x1c;
    w->callables = !w->host_driven && (head[1] & 4);
    w->healthchecks = wanted & 4;
    if (head[1] & 0x20)
        config.flags |= POOL_F_REACTOR;
    if (w->host_driven) {
        config.flags |= POOL_F_HOST_DRIVEN;
        config.asks = POOL_ASKS_DESTROY | (wanted & 1 ? POOL_ASKS_BEFORE_ACQUIRE : 0) |
                      (wanted & 2 ? POOL_ASKS_BEFORE_RELEASE : 0) | (wanted & 4 ? POOL_ASKS_HEALTHCHECK : 0) |
                      (wanted & 8 ? POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER : 0);
    } else if (w->callables) {
        config.factory_fcall = fcall(w, FACTORY);
        config.destructor_fcall = fcall(w, DESTRUCTOR);
        config.healthcheck_fcall = wanted & 4 ? fcall(w, HEALTHCHECK) : NULL;
        config.before_acquire_fcall = wanted & 1 ? fcall(w, BEFORE_ACQUIRE) : NULL;
        config.before_release_fcall = wanted & 2 ? fcall(w, BEFORE_RELEASE) : NULL;
    } else {
        config.factory = hook_factory;
        config.destructor = hook_destructor;
        config.healthcheck = wanted & 4 ? healthcheck : NULL;
        config.before_acquire = wanted & 1 ? before_acquire : NULL;
        config.before_release = wanted & 2 ? before_release : NULL;
    }
    /* While the clock stands, nothing must happen on threads of the library. */
    if (!w->host_driven && w->healthchecks && (w->concurrent || head[1] & 0x20))
        config.healthcheck_interval_ms = 1;
    memcpy(w->pattern, head + 2, sizeof w->pattern);
    pool_status_t status = pool_create_ex(&config, &w->pool);
    MUST_BE_ONE_OF(status, BIT(POOL_OK) | BIT(POOL_ERR_FACTORY));
    MUST((w->pool != NULL) == (status == POOL_OK));
    if (!w->pool) {
        check_gone(w);
        return false;
    }
    if (head[6] & 2) {
        config = (pool_config_t)POOL_CONFIG_INIT;
        config.factory = hook_factory;
        config.destructor = hook_destructor;
        config.user_data = w;
        MUST_BE(pool_create_ex(&config, &w->other), POOL_OK);
    }
    if (head[6] & 4 && !w->concurrent)
        MUST_BE(pool_reactor_attach(w->lane[0].reactor, w->pool), POOL_OK);
    if (!w->host_driven && wanted & 8)
        MUST_BE(pool_set_strategy(w->pool, &strategies[head[1] & 1]), POOL_OK);
    atomic_store(&w->open, true);
    return true;
}

static void check_counts(world *w)
{
    pool_snapshot_t counts = {.struct_size = sizeof counts};
    MUST_BE(pool_snapshot(w->pool, &counts), POOL_OK);
    MUST(counts.waiting == 0 && counts.reserved == 0);
    if (w->healthchecks && w->concurrent)
        return; /* one may run at this moment */
    MUST(counts.active == 0);
    MUST((int)counts.idle == atomic_load(&w->alive)); /* I2 */
    MUST(!counts.closed || counts.idle == 0);
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
        } else if (w->healthchecks && w->concurrent) {
            MUST_BE(pool_acquire(w->pool, &all[i], 0), POOL_OK);
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
    w->gentle = true;
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
    pool_unref(w->other);
    check_gone(w);
}
