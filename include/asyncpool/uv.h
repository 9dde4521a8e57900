/**
 * @file
 * @brief asyncpool on libuv: @ref pool_on_libuv.
 */
/**
 * @defgroup pool_on_libuv asyncpool on libuv
 *
 * Header only; needs `<uv.h>` (libuv 1.x) and nothing else.
 *
 *     pool_uv_t watch;
 *     pool_uv_init(loop, &watch, pool);
 *     pool_uv_start(&watch);
 *     pool_acquire_async(pool, &op, 5000, acquired, task);
 *     uv_run(loop, UV_RUN_DEFAULT);    ... acquired() is called from here ...
 *     pool_uv_close(&watch, NULL);
 *
 * A watch serves one pool, or one reactor with many pools: it calls pool_dispatch() on the loop's thread when
 * the descriptor is readable and when time is up. How long the loop may sleep is asked anew before each
 * sleep, so nobody has to tell the watch about a new acquire. What it costs is one call of
 * pool_next_timeout() for each turn of the loop.
 *
 * A started watch keeps uv_run() going, as every libuv handle does, until it is stopped or closed;
 * pool_uv_unref() changes that. Its timer never does: a deadline or a healthcheck that is due some day does
 * not keep a loop alive by itself.
 *
 * All functions are for the loop's thread, also from inside hooks and callbacks, and never block unless their text says
 * otherwise. They answer 0 or a libuv error code.
 * @{
 */
#ifndef ASYNCPOOL_UV_H
#define ASYNCPOOL_UV_H

#include <asyncpool/pool.h>
#include <uv.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pool_uv_s pool_uv_t;
/** The watch is closed: its memory may be used again. */
typedef void (*pool_uv_close_fn)(pool_uv_t *watch);

/** @brief A watch, in the caller's memory, at one address from pool_uv_init() until it is closed. */
struct pool_uv_s {
    void *data; /**< the host's */
    /** @cond */
    /* The rest is the watch's. */
    pool_t *pool; /* one of the two is set */
    pool_reactor_t *reactor;
    uv_poll_t readable;
    uv_timer_t timer;
    uv_prepare_t before_sleep;
    unsigned open; /* handles that libuv has not closed yet */
    pool_uv_close_fn closed;
    /** @endcond */
};

static inline void pool__uv_dispatch(pool_uv_t *watch)
{
    if (watch->pool)
        pool_dispatch(watch->pool);
    else
        pool_reactor_dispatch(watch->reactor);
}

/* Also after an error of the descriptor: libuv has stopped watching it then, and time goes on. */
static inline void pool__uv_readable(uv_poll_t *handle, int status, int events)
{
    (void)status;
    (void)events;
    pool__uv_dispatch((pool_uv_t *)handle->data);
}

static inline void pool__uv_due(uv_timer_t *handle) { pool__uv_dispatch((pool_uv_t *)handle->data); }

static inline void pool__uv_before_sleep(uv_prepare_t *handle)
{
    pool_uv_t *watch = (pool_uv_t *)handle->data;
    int64_t ms = watch->pool ? pool_next_timeout(watch->pool) : pool_reactor_next_timeout(watch->reactor);
    if (ms < 0)
        uv_timer_stop(&watch->timer);
    else
        uv_timer_start(&watch->timer, pool__uv_due, (uint64_t)ms, 0);
}

static inline int pool__uv_init(uv_loop_t *loop, pool_uv_t *watch, int fd)
{
    if (fd < 0)
        return UV_EINVAL;
    int error = uv_poll_init(loop, &watch->readable, fd);
    if (error)
        return error;
    uv_timer_init(loop, &watch->timer);
    uv_prepare_init(loop, &watch->before_sleep);
    uv_unref((uv_handle_t *)&watch->timer);
    uv_unref((uv_handle_t *)&watch->before_sleep);
    watch->readable.data = watch->timer.data = watch->before_sleep.data = watch;
    watch->open = 3;
    watch->closed = NULL;
    return 0;
}

/**
 * @brief Make a watch for a pool.
 *
 * It does nothing before pool_uv_start(). One loop can have one watch for a pool.
 *
 * @param      loop   the loop; it must outlive the watch.
 * @param[out] watch  the watch; data is left as it is.
 * @param      pool   the pool; the watch takes a reference.
 * @return 0; UV_EINVAL when there is no descriptor (pool_last_error() says why); UV_EEXIST when
 *         this loop watches the pool already; what uv_poll_init() answers. After an error there is
 *         nothing to close.
 * @par Ownership
 * The watch stays the caller's; pool_uv_close() gives the reference back.
 * @since 1.0
 */
static inline int pool_uv_init(uv_loop_t *loop, pool_uv_t *watch, pool_t *pool)
{
    int error = pool__uv_init(loop, watch, pool_fd(pool));
    watch->pool = error ? NULL : pool_ref(pool);
    watch->reactor = NULL;
    return error;
}

/**
 * @brief Make a watch for a reactor: for all pools attached to it.
 *
 * @param      loop     the loop; it must outlive the watch.
 * @param[out] watch    the watch; data is left as it is.
 * @param      reactor  the reactor; borrowed until the watch is closed.
 * @return As pool_uv_init().
 * @par Ownership
 * The watch stays the caller's.
 * @since 1.0
 */
static inline int pool_uv_init_reactor(uv_loop_t *loop, pool_uv_t *watch, pool_reactor_t *reactor)
{
    watch->pool = NULL;
    watch->reactor = reactor;
    return pool__uv_init(loop, watch, pool_reactor_fd(reactor));
}

/**
 * @brief Begin, or go on, to dispatch.
 *
 * @param watch  a watch that is not closing; one that is started already is left as it is.
 * @return 0, or what uv_poll_start() answers.
 * @since 1.0
 */
static inline int pool_uv_start(pool_uv_t *watch)
{
    int error = uv_poll_start(&watch->readable, UV_READABLE, pool__uv_readable);
    return error ? error : uv_prepare_start(&watch->before_sleep, pool__uv_before_sleep);
}

/**
 * @brief Dispatch no more, until it is started again.
 *
 * Ops that are out stay where they are; their callbacks wait for the next start.
 *
 * @param watch  a watch that is not closing.
 * @since 1.0
 */
static inline void pool_uv_stop(pool_uv_t *watch)
{
    uv_prepare_stop(&watch->before_sleep);
    uv_timer_stop(&watch->timer);
    uv_poll_stop(&watch->readable);
}

/**
 * @brief Let uv_run() return although this watch is started.
 *
 * For a host whose other handles say how long the loop shall run. When nothing else is left, callbacks that
 * have not come by then wait for the next uv_run().
 *
 * @param watch  a watch that is not closing.
 * @since 1.0
 */
static inline void pool_uv_unref(pool_uv_t *watch) { uv_unref((uv_handle_t *)&watch->readable); }

/**
 * @brief Undo pool_uv_unref().
 *
 * @param watch  a watch that is not closing.
 * @since 1.0
 */
static inline void pool_uv_ref(pool_uv_t *watch) { uv_ref((uv_handle_t *)&watch->readable); }

static inline void pool__uv_closed(uv_handle_t *handle)
{
    pool_uv_t *watch = (pool_uv_t *)handle->data;
    if (--watch->open == 0 && watch->closed)
        watch->closed(watch);
}

/**
 * @brief Stop a watch and give its handles back to libuv.
 *
 * The reference to the pool is given back at once; was it the last one, the pool closes, and its
 * destructors run before this returns.
 *
 * @param watch   a watch; closing it twice is an error of the caller, as with uv_close().
 * @param closed  called from the loop when the watch's memory is free again; may be NULL.
 * @par Ownership
 * The watch is libuv's until closed is called.
 * @par Blocking
 * For what the destructors take, if it had the last reference.
 * @since 1.0
 */
static inline void pool_uv_close(pool_uv_t *watch, pool_uv_close_fn closed)
{
    pool_t *pool = watch->pool;
    watch->closed = closed;
    uv_close((uv_handle_t *)&watch->before_sleep, pool__uv_closed);
    uv_close((uv_handle_t *)&watch->timer, pool__uv_closed);
    uv_close((uv_handle_t *)&watch->readable, pool__uv_closed);
    watch->pool = NULL;
    watch->reactor = NULL;
    pool_unref(pool);
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif
