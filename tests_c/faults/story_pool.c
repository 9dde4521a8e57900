/* The pools of stories: their hooks, which stop until the scenario answers, their callbacks, and the calls. */
#include "loop.h"
#include "story_parts.h"

static pool_config_t hooks; /* those of fixture.h */
static int observed, disposed;

/* ---- hooks ---- */

bool story_stops(const char *name)
{
    return is(name, "create") || (is(name, "before_acquire") && story.playing->asks_acquire) ||
           (is(name, "before_release") && story.playing->asks_release) ||
           (is(name, "destroy") && story.playing->asks_destroy);
}

/* One call of a hook: a fault, or what the scenario answers, or success. */
static bool decide(fault_kind kind, const char *name, pool_t *pool)
{
    replay_actor *a = story.world->current();
    bool ok = kind == FAULT_NONE || fault_hook(kind, pool);
    if (ok && a && !story.winding_up && story_stops(name)) {
        a->hook = name;
        a->at = REPLAY_HOOK;
        story.world->stop(a);
        a->at = REPLAY_RUNNING;
        ok = a->ok;
    }
    if (!ok && is(name, "create"))
        story.refused++;
    return ok;
}

static bool on_factory(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_FACTORY, "create", pool);
}

static bool on_destructor(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_NONE, "destroy", pool);
}

static bool on_before_acquire(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_BEFORE_ACQUIRE, "before_acquire", pool);
}

static bool on_before_release(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_BEFORE_RELEASE, "before_release", pool);
}

static bool on_healthcheck(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return fault_hook(FAULT_HEALTHCHECK, pool);
}

void story_take_hooks(void)
{
    hooks = loop_config(FX_WITH_ALL, 0, 1);
    fx.script[FX_FACTORY] = on_factory;
    fx.script[FX_DESTRUCTOR] = on_destructor;
    fx.script[FX_HEALTHCHECK] = on_healthcheck;
    fx.script[FX_BEFORE_ACQUIRE] = on_before_acquire;
    fx.script[FX_BEFORE_RELEASE] = on_before_release;
}

bool story_hook(const char *name, void **resource)
{
    if (is(name, "create"))
        return hooks.factory(story_pool, resource);
    if (is(name, "before_acquire"))
        return hooks.before_acquire(story_pool, *resource);
    if (is(name, "before_release"))
        return hooks.before_release(story_pool, *resource);
    if (is(name, "healthcheck"))
        return hooks.healthcheck(story_pool, *resource);
    hooks.destructor(story_pool, *resource);
    return true;
}

/* ---- the callbacks of a pool that has everything: one failure opens the breaker ---- */

static void move_breaker(pool_t *pool, bool success)
{
    if (success == !fault_here(FAULT_REPORT))
        pool_activate(pool);
    else
        pool_deactivate(pool);
}

static void report_success(pool_t *pool, void *ctx)
{
    (void)ctx;
    move_breaker(pool, true);
}

static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)ctx;
    CHECK(error != NULL && error->message != NULL);
    move_breaker(pool, false);
}

static bool should_recover(pool_t *pool, void *ctx)
{
    (void)ctx;
    return fault_hook(FAULT_SHOULD_RECOVER, pool);
}

pool_circuit_breaker_strategy_t story_strategy = {report_success, report_failure, should_recover, NULL, NULL};

static void observe(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event, (void)self, (void)kind;
}

static void dispose(pool_event_callback_t *self)
{
    (void)self;
    disposed++;
}

static pool_event_callback_t observer = {observe, dispose, NULL};

void story_add_callbacks(pool_t *pool)
{
    if (!story.world->call) /* a host answers for its strategy itself */
        FAULT_EXPLAINS(pool_set_strategy(pool, &story_strategy));
    observed += FAULT_EXPLAINS(pool->event.add_callback(&pool->event, &observer)) == POOL_OK;
}

void story_forget_callbacks(void) { observed = disposed = 0; }

void story_check_callbacks(void) { CHECK_INT(disposed, observed); }

/* ---- calls ---- */

pool_status_t story_create(uint32_t min, pool_t **pool)
{
    const scenario *s = story.playing;
    pool_config_t config = hooks;
    if (!story_full && !s->asks_acquire)
        config.before_acquire = NULL;
    if (!story_full && !s->asks_release)
        config.before_release = NULL;
    if (!story_full)
        config.healthcheck = NULL;
    config.max_size = s->max;
    config.flags |= s->lifo ? POOL_F_LIFO : 0;
    config.max_uses = s->max_uses;
    config.min_size = min;
    config.name = story_full ? "a pool with everything" : NULL;
    if (story.world->configure)
        story.world->configure(&config);
    return pool_create_ex(&config, pool);
}

void story_call(replay_actor *a)
{
    a->resource = NULL;
    if (is(a->verb, "acquire")) {
        a->status = pool_acquire(story_pool, &a->resource, a->timeout_ms);
    } else if (is(a->verb, "try")) {
        a->status = pool_try_acquire(story_pool, &a->resource);
    } else if (is(a->verb, "release")) {
        a->status = pool_release(story_pool, a->given);
    } else if (is(a->verb, "discard")) {
        a->status = pool_discard(story_pool, a->given);
    } else if (is(a->verb, "detach")) {
        a->status = pool_detach(story_pool, a->given);
    } else if (is(a->verb, "evict")) {
        a->status = pool_evict(story_pool);
    } else if (is(a->verb, "trim")) {
        a->status = pool_trim(story_pool, (uint32_t)(uintptr_t)a->given);
    } else if (is(a->verb, "resize")) {
        a->status = pool_resize(story_pool, (uint32_t)(uintptr_t)a->given, a->most);
    } else if (is(a->verb, "drain")) {
        a->status = pool_drain(story_pool, a->timeout_ms);
    } else if (is(a->verb, "close")) {
        a->status = pool_close(story_pool);
    } else { /* fill */
        pool_t *pool = NULL;
        a->status = story_create(story.playing->min, &pool);
        CHECK((a->status == POOL_OK) == (pool != NULL));
        story_pool = pool;
    }
}

pool_status_t story_ask(const char *verb, fx_resource *given, void **resource)
{
    *resource = NULL;
    if (story.world->call)
        return story.world->call(verb, given, resource);
    return is(verb, "try")       ? pool_try_acquire(story_pool, resource)
           : is(verb, "release") ? pool_release(story_pool, given)
                                 : pool_close(story_pool);
}
