/* Calling a hook: a C function where the flag bit says so, a callable otherwise, or nothing. */
#include "visit.h"

/* Where a hook is. */
typedef struct place {
    uint8_t bit;
    uint32_t asks;
    size_t function, callable; /* in pool_config_t */
    size_t either;             /* in struct pool_s */
} place;

static const place places[AP_HOOK_COUNT] = {
#define HOOK(NAME, name, asks)                                                                             \
    {POOL_F_##NAME##_INTERNAL, asks, offsetof(pool_config_t, name), offsetof(pool_config_t, name##_fcall), \
     offsetof(struct pool_s, name)},
    AP_HOOKS(HOOK)
#undef HOOK
};

#define EACH_HOOK(p) for (const place *p = places; p < places + AP_HOOK_COUNT; p++)

/* A C function of any type, which is cast to its own where it is called. */
typedef void (*any_function)(void);

static any_function function_at(const void *base, size_t offset)
{
    any_function function;
    memcpy(&function, (const char *)base + offset, sizeof function);
    return function;
}

static pool_fcall_t *callable_at(const void *base, size_t offset)
{
    pool_fcall_t *callable;
    memcpy(&callable, (const char *)base + offset, sizeof callable);
    return callable;
}

/* Not handler_flags: its strategy bit changes while hooks run. */
static uint8_t functions(const pool_t *pool) { return ((const ap_pool_t *)pool)->functions; }

/* ---- what a configuration has ---- */

uint8_t ap__hooks_functions(const pool_config_t *config)
{
    uint8_t bits = 0;
    EACH_HOOK (p)
        if (function_at(config, p->function))
            bits |= p->bit;
    return bits;
}

uint8_t ap__hooks_callables(const pool_config_t *config)
{
    uint8_t bits = 0;
    EACH_HOOK (p)
        if (callable_at(config, p->callable))
            bits |= p->bit;
    return bits;
}

bool ap__hooks_invocable(const pool_config_t *config)
{
    EACH_HOOK (p) {
        const pool_fcall_t *callable = callable_at(config, p->callable);
        if (callable && !callable->invoke)
            return false;
    }
    return !config->leaked_fcall || config->leaked_fcall->invoke;
}

uint32_t ap__hooks_asks(uint8_t hooks)
{
    uint32_t asks = 0;
    EACH_HOOK (p)
        if (hooks & p->bit)
            asks |= p->asks;
    return asks;
}

void ap__hooks_set(struct pool_s *pool, const pool_config_t *config)
{
    pool->handler_flags = ap__hooks_functions(config);
    EACH_HOOK (p) {
        bool function = pool->handler_flags & p->bit;
        memcpy((char *)pool + p->either, (const char *)config + (function ? p->function : p->callable),
               sizeof(any_function));
    }
    ap_pool_t *p = (ap_pool_t *)pool;
    p->leaked = config->leaked;
    p->leaked_fcall = config->leaked_fcall;
}

_Static_assert(sizeof(any_function) == sizeof(pool_fcall_t *),
               "a C function and a callable must share one word of struct pool_s");

/* ---- calling them ---- */

/* What a hook is called with. Its error is kept here while it runs: others may run meanwhile on this thread, and it
 * may come back on another. */
typedef struct hook {
    ap_visit_t visit; /* first */
    pool_t *pool;
    any_function function; /* NULL: it is a callable */
    pool_fcall_t *callable;
    void *resource;
    void **made;
    ap_error_t error;
} hook;

/* Finds the hook; false: the pool has none. */
static bool find(hook *h, pool_t *pool, ap_hook_t which)
{
    const place *p = &places[which];
    bool function = functions(pool) & p->bit;
    h->pool = pool;
    h->function = function ? function_at(pool, p->either) : NULL;
    h->callable = function ? NULL : callable_at(pool, p->either);
    return function || h->callable;
}

static bool call(hook *h, bool (*make)(ap_visit_t *visit), int64_t deadline_ns, void *resource, void **made)
{
    h->visit = (ap_visit_t){
        .kind = AP_VISIT_HOOK,
        .of = h->pool,
        .make = make,
        .error = &h->error,
        .deadline_ns = deadline_ns,
        .factory = made != NULL};
    h->resource = resource;
    h->made = made;
    h->error.set = false;
    bool ok = ap__visit(&h->visit);
    if (AP_UNLIKELY(h->error.set))
        ap__error_said((ap_pool_t *)h->pool, &h->error);
    return ok;
}

static bool factory(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    if (h->function)
        return ((pool_factory_fn)h->function)(h->pool, h->made);
    return h->callable->invoke(h->callable, h->pool, h->made);
}

bool ap__call_factory(pool_t *pool, int64_t deadline_ns, void **resource)
{
    hook h;
    return find(&h, pool, AP_HOOK_FACTORY) && call(&h, factory, deadline_ns, NULL, resource);
}

static bool destructor(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    if (h->function)
        ((pool_destructor_fn)h->function)(h->pool, h->resource);
    else
        h->callable->invoke(h->callable, h->pool, &h->resource);
    return true;
}

void ap__call_destructor(pool_t *pool, int64_t deadline_ns, void *resource)
{
    hook h;
    if (find(&h, pool, AP_HOOK_DESTRUCTOR))
        call(&h, destructor, deadline_ns, resource, NULL);
}

static bool leaked(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    if (h->function)
        ((pool_leaked_fn)h->function)(h->pool, h->resource);
    else
        h->callable->invoke(h->callable, h->pool, &h->resource);
    return true;
}

void ap__call_leaked(pool_t *pool, const pool_lend_t *lend)
{
    const ap_pool_t *p = (const ap_pool_t *)pool;
    hook h = {.pool = pool, .function = (any_function)p->leaked, .callable = p->leaked_fcall};
    if (h.function || h.callable)
        call(&h, leaked, AP_NEVER, (void *)lend, NULL);
}

/* The three types of checks are one. */
static AP_HOT bool check(ap_visit_t *visit)
{
    hook *h = (hook *)visit;
    if (h->function)
        return ((pool_healthcheck_fn)h->function)(h->pool, h->resource);
    return h->callable->invoke(h->callable, h->pool, &h->resource);
}

AP_HOT bool ap__call_check(pool_t *pool, int64_t deadline_ns, ap_hook_t which, void *resource)
{
    hook h;
    return !find(&h, pool, which) || call(&h, check, deadline_ns, resource, NULL);
}

/* ---- what a hook may ask about its caller ---- */

int64_t pool_time_left_ms(const pool_t *pool)
{
    const char *function = "pool_time_left_ms";
    const ap_pool_t *p = ap__pool_for(function, pool);
    if (!p)
        return INT64_MAX;
    if (p->flags & POOL_F_HOST_DRIVEN) {
        ap__fail(POOL_ERR_INVALID, function,
                 "the pool is host-driven and has no hooks: its host asks pool_op_until_ns() of its op");
        return INT64_MAX;
    }
    const ap_visit_t *hook = ap__hook_around(p);
    if (!hook || hook->deadline_ns == AP_NEVER)
        return INT64_MAX;
    int64_t left = hook->deadline_ns - ap__now();
    return left > 0 ? (left - 1) / 1000000 + 1 : 0;
}

/* ---- callables that are not needed any more ---- */

typedef struct disposal {
    ap_visit_t visit; /* first */
    pool_fcall_t *callable;
} disposal;

static bool make_disposal(ap_visit_t *visit)
{
    pool_fcall_t *callable = ((disposal *)visit)->callable;
    callable->dispose(callable);
    return true;
}

static void dispose(pool_fcall_t *callable)
{
    disposal d = {{.kind = AP_VISIT_OTHER, .make = make_disposal}, callable};
    if (callable && callable->dispose)
        ap__visit(&d.visit);
}

void ap__hooks_dispose_given(const pool_config_t *config)
{
    EACH_HOOK (p)
        dispose(callable_at(config, p->callable));
    dispose(config->leaked_fcall);
}

void ap__hooks_dispose(pool_t *pool)
{
    EACH_HOOK (p)
        if (!(functions(pool) & p->bit))
            dispose(callable_at(pool, p->either));
    dispose(((ap_pool_t *)pool)->leaked_fcall);
}
