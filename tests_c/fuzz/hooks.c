/* The hooks of the pools, their resources, and strategies. */
#include "fuzz.h"

/*
 * What the n-th call of a hook does is said by pattern[n % 4]: a bit of it for each kind of hook makes those
 * fail, and the upper three bits say what else is done inside. After some calls all succeed: hooks that undo what
 * others do, such as a destructor that makes a new resource for each that is refused, would go on for ever.
 */
enum { WILD = 100 };

enum inside { NOTHING, TRY, SNAPSHOT, RELEASE, OPEN, RECOVER, CLOSE, DRAIN };

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
    case DRAIN: /* what the hook is called for is not back; while the clock stands, no deadline comes */
        if (!w->host_driven && w->concurrent) {
            atomic_store(&w->drained, true);
            MUST_BE(pool_drain(pool, 1), POOL_ERR_TIMEOUT);
        }
        break;
    default:
        break;
    }
    inside_hook = false;
}

/* What the input says, and has the hook do before. */
static bool said(world *w, pool_t *pool, hook which)
{
    unsigned call = atomic_fetch_add(&w->calls, 1);
    if (atomic_load(&w->gentle) || pool == w->other || call >= WILD)
        return true;
    uint8_t pattern = w->pattern[call & 3];
    if (atomic_load(&w->open) && which < HOOKS)
        hook_inside(w, pool, (enum inside)(pattern >> 5));
    bool ok = !(pattern & 1u << which % HOOKS);
    if (!ok && which < HOOKS)
        MUST_BE(pool_set_error(pool, (int)which, "the input says so"), w->host_driven ? POOL_ERR_INVALID : POOL_OK);
    return ok;
}

bool hook_outcome(pool_t *pool, hook which)
{
    world *w = pool->user_data;
    atomic_fetch_add(&w->inside, 1);
    bool ok = said(w, pool, which);
    atomic_fetch_sub(&w->inside, 1);
    return ok;
}

void hooks_be_gentle(world *w)
{
    atomic_store(&w->gentle, true);
    while (atomic_load(&w->inside) > 0) /* a pass may be in one that has not seen it */
        sched_yield();
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

static atomic_int *alive(world *w, const pool_t *pool) { return w->other && pool == w->other ? &w->others : &w->alive; }

void thing_let_go(thing *t) { atomic_fetch_sub(alive(t->pool->user_data, t->pool), 1); }

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

static bool check(pool_t *pool, void *resource, hook which)
{
    thing *t = thing_taken(resource);
    MUST(t->pool == pool);
    bool ok = hook_outcome(pool, which);
    thing_given(t);
    return ok;
}

bool hook_healthcheck(pool_t *pool, void *resource) { return check(pool, resource, HEALTHCHECK); }
bool hook_before_acquire(pool_t *pool, void *resource) { return check(pool, resource, BEFORE_ACQUIRE); }
bool hook_before_release(pool_t *pool, void *resource) { return check(pool, resource, BEFORE_RELEASE); }

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
        return check(pool, *resource, (hook)c->hook);
    }
}

static void dispose(pool_fcall_t *fcall) { atomic_fetch_add(&((callable *)fcall)->disposed, 1); }

pool_fcall_t *hook_callable(world *w, hook which)
{
    w->callable[which] = (callable){.fcall = {invoke, dispose, NULL}, .hook = which};
    return &w->callable[which].fcall;
}

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
    {report_success, report_failure, NULL, NULL, NULL},
    {report_success, report_failure, should_recover, NULL, NULL},
};
