/*
 * asyncpool for consumers that must not link the library: everything goes through a table of function
 * pointers. Header only.
 *
 * An extension includes this, is built without -lasyncpool, and uses the macros. Somebody gives it the
 * table: the host, which links the library, by pool_api_register(pool_api(POOL_ABI_VERSION)) when it loads
 * the extension; or the extension itself, by pool_api_load(path), on first use.
 *
 * Loading the library starts the Go runtime, which does not survive fork(). A host that loads extensions
 * and then forks its workers must therefore load it in the worker: call pool_api_load() at the first use,
 * not when the extension is loaded.
 *
 * Before a table is registered every entry answers cleanly: pools are NULL, calls answer
 * POOL_ERR_UNAVAILABLE.
 *
 * Needs dlopen() for pool_api_load(): on older systems link with -ldl.
 */
#ifndef ASYNCPOOL_POOL_API_H
#define ASYNCPOOL_POOL_API_H

#include <asyncpool/pool.h>

#include <dlfcn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The table that a shared object uses: one for all its files, invisible to others. */
__attribute__((weak, visibility("hidden"))) const pool_api_t *pool_api_registered;

/* Uses a table from now on; NULL: none. False when it is of another ABI version, and nothing changed. */
static inline bool pool_api_register(const pool_api_t *api)
{
    if (api && (api->abi_version != POOL_ABI_VERSION || api->struct_size < sizeof(pool_api_t)))
        return false;
    __atomic_store_n(&pool_api_registered, api, __ATOMIC_RELEASE);
    return true;
}

/* The table in use, or NULL. */
static inline const pool_api_t *pool_api_current(void)
{
    return __atomic_load_n(&pool_api_registered, __ATOMIC_ACQUIRE);
}

/*
 * Opens the library, if no table is registered yet, and registers its table. path: the library's file or
 * name; NULL: "libasyncpool.so.1" as the system finds it. POOL_OK; POOL_ERR_UNAVAILABLE when it cannot be
 * opened (dlerror() says why); POOL_ERR_INVALID when it is no asyncpool of this ABI version. Safe to call
 * from several threads; the library stays loaded.
 */
static inline pool_status_t pool_api_load(const char *path)
{
    if (pool_api_current())
        return POOL_OK;
    void *library = dlopen(path ? path : "libasyncpool.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return POOL_ERR_UNAVAILABLE;
    const pool_api_t *(*get)(uint32_t);
    *(void **)&get = dlsym(library, "pool_api");
    if (get && pool_api_register(get(POOL_ABI_VERSION)) && pool_api_current())
        return POOL_OK;
    dlclose(library);
    return POOL_ERR_INVALID;
}

static inline pool_t *pool_api_create(pool_factory_fn factory, pool_destructor_fn destructor,
                                      pool_healthcheck_fn healthcheck,
                                      pool_before_acquire_fn before_acquire,
                                      pool_before_release_fn before_release, uint32_t min_size,
                                      uint32_t max_size, uint32_t healthcheck_interval_ms)
{
    const pool_api_t *api = pool_api_current();
    return api ? api->create_internal(factory, destructor, healthcheck, before_acquire, before_release,
                                      min_size, max_size, healthcheck_interval_ms)
               : NULL;
}

static inline void *pool_api_new_object(pool_t *pool)
{
    const pool_api_t *api = pool_api_current();
    return api ? api->new_object(pool) : NULL;
}

static inline pool_status_t pool_api_acquire(pool_t *pool, void **resource, int64_t timeout_ms)
{
    const pool_api_t *api = pool_api_current();
    if (api)
        return api->acquire(pool, resource, timeout_ms);
    if (resource)
        *resource = NULL;
    return POOL_ERR_UNAVAILABLE;
}

static inline pool_status_t pool_api_try_acquire(pool_t *pool, void **resource)
{
    const pool_api_t *api = pool_api_current();
    if (api)
        return api->try_acquire(pool, resource);
    if (resource)
        *resource = NULL;
    return POOL_ERR_UNAVAILABLE;
}

static inline pool_status_t pool_api_release(pool_t *pool, void *resource)
{
    const pool_api_t *api = pool_api_current();
    return api ? api->release(pool, resource) : POOL_ERR_UNAVAILABLE;
}

static inline pool_status_t pool_api_close(pool_t *pool)
{
    const pool_api_t *api = pool_api_current();
    return api ? api->close(pool) : POOL_ERR_UNAVAILABLE;
}

static inline void pool_api_unref(pool_t *pool)
{
    const pool_api_t *api = pool_api_current();
    if (api)
        api->unref(pool);
}

/* A pool of C functions; the arguments of pool_create_internal(). */
#define POOL_NEW(factory, destructor, healthcheck, before_acquire, before_release, min_size,       \
                 max_size, healthcheck_interval_ms)                                                \
    pool_api_create((factory), (destructor), (healthcheck), (before_acquire), (before_release),    \
                    (min_size), (max_size), (healthcheck_interval_ms))
/* The host's object for a pool, made by the wrapper constructor that its binding registered. */
#define POOL_NEW_OBJ(pool) pool_api_new_object(pool)
#define POOL_ACQUIRE(pool, result, timeout) pool_api_acquire((pool), (result), (timeout))
#define POOL_TRY_ACQUIRE(pool, result) pool_api_try_acquire((pool), (result))
#define POOL_RELEASE(pool, resource) pool_api_release((pool), (resource))
#define POOL_CLOSE(pool) pool_api_close(pool)
#define POOL_UNREF(pool) pool_api_unref(pool)

#ifdef __cplusplus
}
#endif

#endif
