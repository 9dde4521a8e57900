/*
 * Callables for the tests: one for each place of a pool. They make things, check what they are
 * given, and count how often they are invoked and disposed of.
 */
#ifndef ASYNCPOOL_CALLABLES_H
#define ASYNCPOOL_CALLABLES_H

#include "fixture.h"

enum { RESOURCES = 64 };

/* A callable that knows for which place it is meant. */
typedef struct callable {
    pool_fcall_t fcall; /* first: the library hands this back */
    fx_hook hook;
    atomic_int invoked, disposed;
    bool (*script)(pool_t *pool, int call); /* NULL: succeed */
} callable;

static callable calls[FX_HOOKS];
static int things[RESOURCES];
static atomic_int made, ended;
static pool_t *expected; /* the pool whose hooks run; NULL while it is created */
static char trace[256];  /* one letter for each hook call, upper case: by callable */
static bool traced;

static inline void note(fx_hook hook, bool by_callable)
{
    if (!traced)
        return;
    size_t n = strlen(trace);
    CHECK(n < sizeof trace - 1);
    trace[n] = (by_callable ? "FDHAR" : "fdhar")[hook];
}

static inline bool is_thing(const void *resource)
{
    return (const int *)resource >= things && (const int *)resource < things + RESOURCES;
}

static inline bool make(pool_t *pool, void **resource)
{
    (void)pool;
    CHECK(made < RESOURCES);
    *resource = &things[made++];
    return true;
}

static inline bool invoke(pool_fcall_t *fcall, pool_t *pool, void **resource)
{
    callable *c = (callable *)fcall;
    CHECK(c >= calls && c < calls + FX_HOOKS);
    CHECK_PTR(fcall->data, c);
    CHECK_INT(c->disposed, 0);
    CHECK(!expected || pool == expected);
    CHECK(resource != NULL);
    note(c->hook, true);
    int call = ++c->invoked;
    if (c->hook != FX_FACTORY)
        CHECK(is_thing(*resource));
    if (c->script && !c->script(pool, call))
        return false;
    if (c->hook == FX_FACTORY)
        return make(pool, resource);
    if (c->hook == FX_DESTRUCTOR)
        ended++;
    return true;
}

static inline void dispose(pool_fcall_t *fcall) { ((callable *)fcall)->disposed++; }

static inline pool_fcall_t *fresh(fx_hook hook)
{
    callable *c = &calls[hook];
    memset(c, 0, sizeof *c);
    c->hook = hook;
    c->fcall = (pool_fcall_t){invoke, dispose, c};
    return &c->fcall;
}

static inline void check_disposed(int each)
{
    for (int i = 0; i < FX_HOOKS; i++)
        CHECK_INT(calls[i].disposed, each);
}

static inline void fresh_all(void)
{
    for (int i = 0; i < FX_HOOKS; i++)
        fresh(i);
}

/* pool_create() with the callables of all five places. */
static inline pool_t *create(uint32_t min, uint32_t max, uint32_t interval_ms)
{
    return pool_create(&calls[FX_FACTORY].fcall, &calls[FX_DESTRUCTOR].fcall, &calls[FX_HEALTHCHECK].fcall,
                       &calls[FX_BEFORE_ACQUIRE].fcall, &calls[FX_BEFORE_RELEASE].fcall, min, max, interval_ms);
}

static inline void *take(pool_t *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK(is_thing(r));
    return r;
}

static inline void give(pool_t *pool, void *r) { CHECK_STATUS(pool_release(pool, r), POOL_OK); }

#endif
