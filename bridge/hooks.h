/*
 * The hooks of a pool, all in one list: a C function or a callable each, or nothing. See hooks.c.
 */
#ifndef ASYNCPOOL_HOOKS_H
#define ASYNCPOOL_HOOKS_H

#include "../include/asyncpool/pool.h"

/*
 * X(NAME, name, ASKS): the bit of the hook is POOL_F_NAME_INTERNAL. It is the member of that name in pool_config_t,
 * with _fcall behind the name for a callable, and in struct pool_s, which is frozen: another one would lie in ap_pool. A
 * pool that has it asks ASKS (POOL_ASKS_...); a creation is always asked for.
 */
#define AP_HOOKS(X)                                             \
    X(FACTORY, factory, 0)                                      \
    X(DESTRUCTOR, destructor, POOL_ASKS_DESTROY)                \
    X(HEALTHCHECK, healthcheck, POOL_ASKS_HEALTHCHECK)          \
    X(BEFORE_ACQUIRE, before_acquire, POOL_ASKS_BEFORE_ACQUIRE) \
    X(BEFORE_RELEASE, before_release, POOL_ASKS_BEFORE_RELEASE)

typedef enum ap_hook {
#define HOOK(NAME, name, asks) AP_HOOK_##NAME,
    AP_HOOKS(HOOK)
#undef HOOK
        AP_HOOK_COUNT
} ap_hook_t;

#pragma GCC visibility push(hidden)

/* The POOL_F_..._INTERNAL bits of the hooks that a configuration gives as C functions, and as callables. */
uint8_t ap__hooks_functions(const pool_config_t *config);
uint8_t ap__hooks_callables(const pool_config_t *config);
/* Can all callables of a configuration be invoked? */
bool ap__hooks_invocable(const pool_config_t *config);
/* POOL_ASKS_... of a pool that has the hooks of these bits. */
uint32_t ap__hooks_asks(uint8_t hooks);
/* Gives a pool the hooks of its configuration. */
void ap__hooks_set(struct pool_s *pool, const pool_config_t *config);
/* Disposes of the callables of a configuration that made no pool, and of those of a pool. */
void ap__hooks_dispose_given(const pool_config_t *config);
void ap__hooks_dispose(pool_t *pool);

/* These call a hook, for a caller with this deadline. A pool without a factory makes nothing; without another hook
 * nothing is refused. */
bool ap__call_factory(pool_t *pool, int64_t deadline_ns, void **resource);
void ap__call_destructor(pool_t *pool, int64_t deadline_ns, void *resource);
/* Hears of a leak. */
void ap__call_leaked(pool_t *pool, const pool_lend_t *lend);
/* One of those that say yes or no about a resource. */
bool ap__call_check(pool_t *pool, int64_t deadline_ns, ap_hook_t check, void *resource);

#pragma GCC visibility pop

#endif
