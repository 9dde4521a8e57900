/**
 * @file
 * @brief asyncpool for consumers that must not link the library: @ref pool_unlinked.
 */
/**
 * @defgroup pool_unlinked asyncpool for consumers that must not link the library
 *
 * Everything goes through a table of function pointers. Header only.
 *
 * An extension includes this, is built without -lasyncpool, and calls pool_api_NAME() where others call
 * pool_NAME(), or the macros at the end. Somebody gives it the table: the host, which links the library, by
 * pool_api_register(pool_api(POOL_ABI_VERSION)) when it loads the extension; or the extension itself, by
 * pool_api_load(path), on first use. pool_api_error() says in words why that failed.
 *
 * With POOL_API_NAMES defined before this is included, the names of pool.h stand for these calls: pool_acquire() is
 * pool_api_acquire() then, also in the adapters (uv.h, epoll.h, ucontext.h) that are included after it.
 *
 * Loading the library starts the Go runtime, which does not survive fork(). A host that loads extensions
 * and then forks its workers must therefore load it in the worker: call pool_api_load() at the first use,
 * not when the extension is loaded.
 *
 * Before a table is registered every call answers cleanly: pools are NULL, counts 0, and what has a status is
 * POOL_ERR_UNAVAILABLE; callables are disposed of. So does one that the table of an older library does not have.
 *
 * Needs dlopen() and pthread_create(): on older systems link with -ldl and -pthread.
 * @{
 */
#ifndef ASYNCPOOL_POOL_API_H
#define ASYNCPOOL_POOL_API_H

#include <asyncpool/pool.h>
#include <asyncpool/pool_api_check.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @cond */
/* The table that a shared object uses: one for all its files, invisible to others. */
__attribute__((weak, visibility("hidden"))) const pool_api_t *pool_api_registered;
/** @endcond */

/* ---- which table ---- */

/**
 * @brief Use a table from now on.
 *
 * It may be shorter than this header's, or longer.
 *
 * @param api  the table; NULL: none.
 * @return true; false when it is of another ABI version or none at all, and nothing changed: pool_api_error() says so.
 * @since 1.0
 */
static inline bool pool_api_register(const pool_api_t *api)
{
    if (api && api->struct_size < offsetof(pool_api_t, create_internal)) {
        snprintf(pool_api_text, sizeof pool_api_text, "this is no table of asyncpool: it says that it has no entry");
        return false;
    }
    if (api && api->abi_version != POOL_ABI_VERSION) {
        snprintf(pool_api_text, sizeof pool_api_text,
                 "the table is of ABI version %u, and this was compiled for version %u: one of the two has to be "
                 "replaced",
                 (unsigned)api->abi_version, (unsigned)POOL_ABI_VERSION);
        return false;
    }
    __atomic_store_n(&pool_api_registered, api, __ATOMIC_RELEASE);
    return true;
}

/**
 * @brief The table in use.
 *
 * @return The table, or NULL.
 * @since 1.0
 */
static inline const pool_api_t *pool_api_current(void)
{
    return __atomic_load_n(&pool_api_registered, __ATOMIC_ACQUIRE);
}

/** Does a table (NULL: none) have the entry? One of an older library may be shorter than this header's. */
#define POOL_API_HAS(api, entry) \
    ((api) && (api)->struct_size >= offsetof(pool_api_t, entry) + sizeof((api)->entry) && (api)->entry)

/* ---- loading ---- */

/** @cond */
/* What to do where dlopen() has failed for this reason. */
static inline const char *pool_api_advice(const char *file, const char *why)
{
#ifndef __GLIBC__
    (void)file, (void)why;
    return "it is built for glibc, and this program runs on another C library";
#else
    if (strstr(why, "static TLS"))
        return "too much thread-local storage was loaded before it: load it earlier, or start the process with "
               "GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4096";
    if (strchr(file, '/') && access(file, F_OK) == 0)
        return "the file is there: is it readable, whole, for this processor, and not mounted noexec?";
    return "give the path of the file, or set LD_LIBRARY_PATH, or run ldconfig";
#endif
}

/* POOL_OK; POOL_ERR_FORKED where the library of this table was loaded before a fork, of which this process is the child:
 * then its calls say so, and pool_release() says it before it looks at its arguments. */
static inline pool_status_t pool_api_not_forked(const pool_api_t *api)
{
    if (!POOL_API_HAS(api, release) || api->release(NULL, NULL) != POOL_ERR_FORKED)
        return POOL_OK;
    snprintf(pool_api_text, sizeof pool_api_text,
             "the library was loaded before fork(), and its threads are not in the child: load it in the child, at the "
             "first use, and not in the parent before");
    return POOL_ERR_FORKED;
}
/** @endcond */

/**
 * @brief Open the library, if no table is registered yet, and register its table.
 *
 * Safe to call from several threads; the library stays loaded.
 *
 * @param path  the library's file or name; NULL: "libasyncpool.so.1" as the system finds it.
 * @return POOL_OK; POOL_ERR_UNAVAILABLE when it cannot be opened, or pool_api_check() says that it would end the
 *         process; POOL_ERR_INVALID when it is no asyncpool of this ABI version; POOL_ERR_FORKED when this is the child of
 *         a process that had loaded it, whoever did; pool_api_error() says why.
 * @since 1.0
 */
static inline pool_status_t pool_api_load(const char *path)
{
    const char *file = path ? path : "libasyncpool.so.1";
    if (pool_api_current())
        return pool_api_not_forked(pool_api_current());
    /* One that is there already has started its runtime. */
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!library && pool_api_check() != POOL_OK) {
        char why[sizeof pool_api_text];
        memcpy(why, pool_api_text, sizeof why);
        snprintf(pool_api_text, sizeof pool_api_text, "%.100s is not loaded: %.380s", file, why);
        return POOL_ERR_UNAVAILABLE;
    }
    if (!library && !(library = dlopen(file, RTLD_NOW | RTLD_LOCAL))) {
        const char *error = dlerror(), *why = error ? error : "for no reason that is told";
        snprintf(pool_api_text, sizeof pool_api_text, "%.90s cannot be opened: %.200s (%.170s)", file, why,
                 pool_api_advice(file, why));
        return POOL_ERR_UNAVAILABLE;
    }
    const pool_api_t *(*get)(uint32_t);
    uint32_t (*version)(void);
    *(void **)&get = dlsym(library, "pool_api");
    *(void **)&version = dlsym(library, "pool_abi_version");
    const pool_api_t *api = get ? get(POOL_ABI_VERSION) : NULL;
    if (api && pool_api_not_forked(api) != POOL_OK) {
        dlclose(library);
        return POOL_ERR_FORKED;
    }
    if (api && pool_api_register(api))
        return POOL_OK;
    if (get && version)
        snprintf(
            pool_api_text, sizeof pool_api_text,
            "%.200s is an asyncpool of ABI version %u, and this was compiled for version %u: one of the two has to "
            "be replaced",
            file, (unsigned)version(), (unsigned)POOL_ABI_VERSION);
    else
        snprintf(pool_api_text, sizeof pool_api_text, "%.300s is no asyncpool: it has no pool_api()", file);
    dlclose(library);
    return POOL_ERR_INVALID;
}

/** @cond */
/*
 * ---- the calls: pool_api_NAME() is pool_NAME() of pool.h, through the table ----
 *
 * CALL(type, name, (parameters), (arguments), what it answers where there is no table, or none with this entry)
 */

#define POOL_API_CALL(type, name, parameters, arguments, otherwise)                             \
    static inline type pool_api_##name parameters                                               \
    {                                                                                           \
        const pool_api_t *pool_api_table = pool_api_current();                                  \
        return POOL_API_HAS(pool_api_table, name) ? pool_api_table->name arguments : otherwise; \
    }

#define POOL_API_NO_TABLE "asyncpool is not loaded, or older than this call: pool_api_load(), pool_api_register()"

static inline pool_status_t pool_api_no_resource(void **resource)
{
    if (resource)
        *resource = NULL;
    return POOL_ERR_UNAVAILABLE;
}

static inline pool_status_t pool_api_no_lease(pool_lease_t *lease)
{
    if (lease) {
        lease->resource = NULL;
        lease->id = 0;
    }
    return POOL_ERR_UNAVAILABLE;
}

/* Callables are disposed of, as wherever a creation fails. */
static inline void pool_api_dispose(pool_fcall_t *fcall)
{
    if (fcall && fcall->dispose)
        fcall->dispose(fcall);
}

static inline pool_t *pool_api_no_pool_of(pool_fcall_t *factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck,
                                          pool_fcall_t *before_acquire, pool_fcall_t *before_release)
{
    pool_api_dispose(factory);
    pool_api_dispose(destructor);
    pool_api_dispose(healthcheck);
    pool_api_dispose(before_acquire);
    pool_api_dispose(before_release);
    return NULL;
}

static inline pool_status_t pool_api_no_pool(const pool_config_t *config, pool_t **out)
{
    pool_config_t known; /* of the configuration, which may be an older caller's */
    memset(&known, 0, sizeof known);
    if (config && config->struct_size <= 4096) /* else it is none */
        memcpy(&known, config, config->struct_size < sizeof known ? config->struct_size : sizeof known);
    pool_api_no_pool_of(known.factory_fcall, known.destructor_fcall, known.healthcheck_fcall,
                        known.before_acquire_fcall, known.before_release_fcall);
    pool_api_dispose(known.leaked_fcall);
    if (out)
        *out = NULL;
    return POOL_ERR_UNAVAILABLE;
}

static inline pool_ask_kind_t pool_api_no_ask(pool_ask_t *ask)
{
    if (ask) {
        const pool_ask_t none = POOL_ASK_INIT;
        *ask = none;
        ask->status = POOL_ERR_UNAVAILABLE;
    }
    return POOL_ASK_DONE;
}

static inline pool_status_t pool_api_no_error(int *code, char *message, size_t size)
{
    if (code)
        *code = POOL_ERR_UNAVAILABLE;
    if (message && size > 0)
        snprintf(message, size, "%s", POOL_API_NO_TABLE);
    return POOL_ERR_UNAVAILABLE;
}

static inline size_t pool_api_no_text(char *buffer, size_t size)
{
    if (buffer && size > 0)
        *buffer = 0;
    return 0;
}

POOL_API_CALL(pool_t *, create_internal,
              (pool_factory_fn factory, pool_destructor_fn destructor, pool_healthcheck_fn healthcheck,
               pool_before_acquire_fn before_acquire, pool_before_release_fn before_release, uint32_t min_size,
               uint32_t max_size, uint32_t healthcheck_interval_ms),
              (factory, destructor, healthcheck, before_acquire, before_release, min_size, max_size,
               healthcheck_interval_ms),
              NULL)
POOL_API_CALL(
    pool_t *, create,
    (pool_fcall_t * factory, pool_fcall_t *destructor, pool_fcall_t *healthcheck, pool_fcall_t *before_acquire,
     pool_fcall_t *before_release, uint32_t min_size, uint32_t max_size, uint32_t healthcheck_interval_ms),
    (factory, destructor, healthcheck, before_acquire, before_release, min_size, max_size, healthcheck_interval_ms),
    pool_api_no_pool_of(factory, destructor, healthcheck, before_acquire, before_release))
POOL_API_CALL(pool_status_t, create_ex, (const pool_config_t *config, pool_t **out), (config, out),
              pool_api_no_pool(config, out))
POOL_API_CALL(pool_t *, ref, (pool_t * pool), (pool), NULL)
POOL_API_CALL(pool_status_t, acquire, (pool_t * pool, void **resource, int64_t timeout_ms),
              (pool, resource, timeout_ms), pool_api_no_resource(resource))
POOL_API_CALL(pool_status_t, try_acquire, (pool_t * pool, void **resource), (pool, resource),
              pool_api_no_resource(resource))
POOL_API_CALL(void *, take, (pool_t * pool), (pool), NULL)
POOL_API_CALL(pool_status_t, release, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, close, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(bool, is_closed, (const pool_t *pool), (pool), true)
POOL_API_CALL(uint32_t, count, (const pool_t *pool), (pool), 0)
POOL_API_CALL(uint32_t, idle_count, (const pool_t *pool), (pool), 0)
POOL_API_CALL(uint32_t, active_count, (const pool_t *pool), (pool), 0)
POOL_API_CALL(uint32_t, waiting_count, (const pool_t *pool), (pool), 0)
POOL_API_CALL(pool_status_t, snapshot, (const pool_t *pool, pool_snapshot_t *snapshot), (pool, snapshot),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, stats, (pool_t * pool, pool_stats_t *stats), (pool, stats), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, resource_info, (pool_t * pool, void *resource, pool_resource_info_t *info),
              (pool, resource, info), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(size_t, metrics, (char *buffer, size_t size), (buffer, size), pool_api_no_text(buffer, size))
POOL_API_CALL(size_t, describe, (const pool_t *pool, char *buffer, size_t size), (pool, buffer, size),
              pool_api_no_text(buffer, size))
POOL_API_CALL(uint32_t, lends, (pool_t * pool, pool_lend_t *lends, uint32_t n), (pool, lends, n), 0)
POOL_API_CALL(uint32_t, debug_live, (void), (), 0)
POOL_API_CALL(uint64_t, debug_crossings, (void), (), 0)
POOL_API_CALL(pool_circuit_state_t, state, (const pool_t *pool), (pool), POOL_CIRCUIT_INACTIVE)
POOL_API_CALL(pool_status_t, activate, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, deactivate, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, recover, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, set_strategy, (pool_t * pool, pool_circuit_breaker_strategy_t *strategy), (pool, strategy),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, strategy_threshold,
              (pool_t * pool, uint32_t failures, uint32_t open_ms, uint32_t successes),
              (pool, failures, open_ms, successes), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, strategy_threshold_on,
              (pool_t * pool, uint32_t what, uint32_t failures, uint32_t open_ms, uint32_t successes),
              (pool, what, failures, open_ms, successes), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, set_error, (pool_t * pool, int code, const char *message), (pool, code, message),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(int64_t, time_left_ms, (const pool_t *pool), (pool), INT64_MAX)
POOL_API_CALL(pool_status_t, try_later, (pool_t * pool, uint32_t ms), (pool, ms), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, last_error, (int *code, char *message, size_t size), (code, message, size),
              pool_api_no_error(code, message, size))
POOL_API_CALL(const char *, strerror, (pool_status_t status), (status), POOL_API_NO_TABLE)
POOL_API_CALL(const char *, status_name, (pool_status_t status), (status), POOL_API_NO_TABLE)
POOL_API_CALL(const char *, version, (void), (), POOL_API_NO_TABLE)
POOL_API_CALL(pool_status_t, op_acquire, (pool_t * pool, pool_op_t *op, int64_t timeout_ms), (pool, op, timeout_ms),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_try_acquire, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_release, (pool_t * pool, pool_op_t *op, void *resource), (pool, op, resource),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_close, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_fill, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_sweep, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_create_behind, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(uint32_t, creations_due, (const pool_t *pool), (pool), 0)
POOL_API_CALL(pool_status_t, give, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_ask_kind_t, op_next, (pool_op_t * op, const pool_answer_t *answer, pool_ask_t *ask),
              (op, answer, ask), pool_api_no_ask(ask))
POOL_API_CALL(pool_status_t, op_wait, (pool_op_t * op, int64_t until_ns), (op, until_ns), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(int64_t, op_until_ns, (const pool_op_t *op), (op), INT64_MAX)
POOL_API_CALL(pool_op_t *, op_woken, (pool_t * pool), (pool), NULL)
POOL_API_CALL(bool, op_join, (pool_t * pool, pool_op_t *op, int64_t timeout_ms), (pool, op, timeout_ms), false)
POOL_API_CALL(void *, op_take, (pool_op_t * op), (op), NULL)
POOL_API_CALL(pool_op_t *, hand_on, (pool_t * pool, void *resource), (pool, resource), NULL)
POOL_API_CALL(pool_status_t, set_asks, (pool_t * pool, uint32_t asks), (pool, asks), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_cancel, (pool_op_t * op), (op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, acquire_async,
              (pool_t * pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback, void *data),
              (pool, op, timeout_ms, callback, data), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(int, fd, (pool_t * pool), (pool), -1)
POOL_API_CALL(int64_t, next_timeout, (pool_t * pool), (pool), -1)
POOL_API_CALL(pool_status_t, dispatch, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_reactor_t *, reactor_create, (void), (), NULL)
POOL_API_CALL(pool_status_t, reactor_attach, (pool_reactor_t * reactor, pool_t *pool), (reactor, pool),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, reactor_acquire,
              (pool_reactor_t * reactor, pool_t *pool, pool_op_t *op, int64_t timeout_ms, pool_acquired_fn callback,
               void *data),
              (reactor, pool, op, timeout_ms, callback, data), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(int, reactor_fd, (pool_reactor_t * reactor), (reactor), -1)
POOL_API_CALL(int64_t, reactor_next_timeout, (pool_reactor_t * reactor), (reactor), -1)
POOL_API_CALL(pool_status_t, reactor_dispatch, (pool_reactor_t * reactor), (reactor), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, register_wrapper, (pool_wrapper_fn wrapper), (wrapper), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(void *, new_object, (pool_t * pool), (pool), NULL)
POOL_API_CALL(pool_status_t, discard, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, detach, (pool_t * pool, void *resource), (pool, resource), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_discard, (pool_t * pool, pool_op_t *op, void *resource), (pool, op, resource),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_detach, (pool_t * pool, pool_op_t *op, void *resource), (pool, op, resource),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, trim, (pool_t * pool, uint32_t keep_idle), (pool, keep_idle), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_trim, (pool_t * pool, pool_op_t *op, uint32_t keep_idle), (pool, op, keep_idle),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, resize, (pool_t * pool, uint32_t min_size, uint32_t max_size), (pool, min_size, max_size),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_resize, (pool_t * pool, pool_op_t *op, uint32_t min_size, uint32_t max_size),
              (pool, op, min_size, max_size), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, evict, (pool_t * pool), (pool), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_evict, (pool_t * pool, pool_op_t *op), (pool, op), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, drain, (pool_t * pool, int64_t timeout_ms), (pool, timeout_ms), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_drain, (pool_t * pool, pool_op_t *op, int64_t timeout_ms), (pool, op, timeout_ms),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, acquire_lease, (pool_t * pool, pool_lease_t *lease, int64_t timeout_ms),
              (pool, lease, timeout_ms), pool_api_no_lease(lease))
POOL_API_CALL(pool_status_t, try_acquire_lease, (pool_t * pool, pool_lease_t *lease), (pool, lease),
              pool_api_no_lease(lease))
POOL_API_CALL(pool_status_t, release_lease, (pool_t * pool, const pool_lease_t *lease), (pool, lease),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, discard_lease, (pool_t * pool, const pool_lease_t *lease), (pool, lease),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, detach_lease, (pool_t * pool, const pool_lease_t *lease), (pool, lease),
              POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_release_lease, (pool_t * pool, pool_op_t *op, const pool_lease_t *lease),
              (pool, op, lease), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_discard_lease, (pool_t * pool, pool_op_t *op, const pool_lease_t *lease),
              (pool, op, lease), POOL_ERR_UNAVAILABLE)
POOL_API_CALL(pool_status_t, op_detach_lease, (pool_t * pool, pool_op_t *op, const pool_lease_t *lease),
              (pool, op, lease), POOL_ERR_UNAVAILABLE)

#undef POOL_API_CALL

static inline void pool_api_unref(pool_t *pool)
{
    const pool_api_t *api = pool_api_current();
    if (POOL_API_HAS(api, unref))
        api->unref(pool);
}

static inline void pool_api_tag(const char *tag)
{
    const pool_api_t *api = pool_api_current();
    if (POOL_API_HAS(api, tag))
        api->tag(tag);
}

static inline void pool_api_reactor_unref(pool_reactor_t *reactor)
{
    const pool_api_t *api = pool_api_current();
    if (POOL_API_HAS(api, reactor_unref))
        api->reactor_unref(reactor);
}

/** @endcond */

/**
 * @brief The ABI of the library whose table is in use.
 *
 * @return Its version; 0: none.
 * @since 1.0
 */
static inline uint32_t pool_api_abi_version(void)
{
    const pool_api_t *api = pool_api_current();
    return api ? api->abi_version : 0;
}

/** A pool of C functions; the arguments of pool_create_internal(). */
#define POOL_NEW(factory, destructor, healthcheck, before_acquire, before_release, min_size, max_size,               \
                 healthcheck_interval_ms)                                                                            \
    pool_api_create_internal((factory), (destructor), (healthcheck), (before_acquire), (before_release), (min_size), \
                             (max_size), (healthcheck_interval_ms))
/** The host's object for a pool, made by the wrapper constructor that its binding registered. */
#define POOL_NEW_OBJ(pool) pool_api_new_object(pool)
/** pool_acquire(), through the table. */
#define POOL_ACQUIRE(pool, result, timeout) pool_api_acquire((pool), (result), (timeout))
/** pool_try_acquire(), through the table. */
#define POOL_TRY_ACQUIRE(pool, result) pool_api_try_acquire((pool), (result))
/** pool_release(), through the table. */
#define POOL_RELEASE(pool, resource) pool_api_release((pool), (resource))
/** pool_close(), through the table. */
#define POOL_CLOSE(pool) pool_api_close(pool)
/** pool_unref(), through the table. */
#define POOL_UNREF(pool) pool_api_unref(pool)

/** @} */

#ifdef __cplusplus
}
#endif

/* ---- the names of pool.h ---- */

#ifdef POOL_API_NAMES
#define pool_abi_version pool_api_abi_version
#define pool_create_internal pool_api_create_internal
#define pool_create pool_api_create
#define pool_create_ex pool_api_create_ex
#define pool_ref pool_api_ref
#define pool_unref pool_api_unref
#define pool_acquire pool_api_acquire
#define pool_try_acquire pool_api_try_acquire
#define pool_take pool_api_take
#define pool_give pool_api_give
#define pool_release pool_api_release
#define pool_close pool_api_close
#define pool_is_closed pool_api_is_closed
#define pool_count pool_api_count
#define pool_idle_count pool_api_idle_count
#define pool_active_count pool_api_active_count
#define pool_waiting_count pool_api_waiting_count
#define pool_snapshot pool_api_snapshot
#define pool_stats pool_api_stats
#define pool_metrics pool_api_metrics
#define pool_resource_info pool_api_resource_info
#define pool_describe pool_api_describe
#define pool_lends pool_api_lends
#define pool_tag pool_api_tag
#define pool_debug_live pool_api_debug_live
#define pool_debug_crossings pool_api_debug_crossings
#define pool_state pool_api_state
#define pool_activate pool_api_activate
#define pool_deactivate pool_api_deactivate
#define pool_recover pool_api_recover
#define pool_set_strategy pool_api_set_strategy
#define pool_strategy_threshold pool_api_strategy_threshold
#define pool_strategy_threshold_on pool_api_strategy_threshold_on
#define pool_set_error pool_api_set_error
#define pool_time_left_ms pool_api_time_left_ms
#define pool_try_later pool_api_try_later
#define pool_last_error pool_api_last_error
#define pool_strerror pool_api_strerror
#define pool_status_name pool_api_status_name
#define pool_version pool_api_version
#define pool_op_acquire pool_api_op_acquire
#define pool_op_try_acquire pool_api_op_try_acquire
#define pool_op_release pool_api_op_release
#define pool_op_close pool_api_op_close
#define pool_op_fill pool_api_op_fill
#define pool_op_sweep pool_api_op_sweep
#define pool_op_create_behind pool_api_op_create_behind
#define pool_creations_due pool_api_creations_due
#define pool_op_next pool_api_op_next
#define pool_op_wait pool_api_op_wait
#define pool_op_until_ns pool_api_op_until_ns
#define pool_op_woken pool_api_op_woken
#define pool_op_join pool_api_op_join
#define pool_op_take pool_api_op_take
#define pool_hand_on pool_api_hand_on
#define pool_set_asks pool_api_set_asks
#define pool_op_cancel pool_api_op_cancel
#define pool_acquire_async pool_api_acquire_async
#define pool_fd pool_api_fd
#define pool_next_timeout pool_api_next_timeout
#define pool_dispatch pool_api_dispatch
#define pool_reactor_create pool_api_reactor_create
#define pool_reactor_unref pool_api_reactor_unref
#define pool_reactor_attach pool_api_reactor_attach
#define pool_reactor_acquire pool_api_reactor_acquire
#define pool_reactor_fd pool_api_reactor_fd
#define pool_reactor_next_timeout pool_api_reactor_next_timeout
#define pool_reactor_dispatch pool_api_reactor_dispatch
#define pool_register_wrapper pool_api_register_wrapper
#define pool_new_object pool_api_new_object
#define pool_discard pool_api_discard
#define pool_detach pool_api_detach
#define pool_op_discard pool_api_op_discard
#define pool_op_detach pool_api_op_detach
#define pool_resize pool_api_resize
#define pool_op_resize pool_api_op_resize
#define pool_evict pool_api_evict
#define pool_trim pool_api_trim
#define pool_op_trim pool_api_op_trim
#define pool_op_evict pool_api_op_evict
#define pool_drain pool_api_drain
#define pool_op_drain pool_api_op_drain
#define pool_acquire_lease pool_api_acquire_lease
#define pool_try_acquire_lease pool_api_try_acquire_lease
#define pool_release_lease pool_api_release_lease
#define pool_discard_lease pool_api_discard_lease
#define pool_detach_lease pool_api_detach_lease
#define pool_op_release_lease pool_api_op_release_lease
#define pool_op_discard_lease pool_api_op_discard_lease
#define pool_op_detach_lease pool_api_op_detach_lease
#endif

#endif
