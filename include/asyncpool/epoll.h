/**
 * @file
 * @brief asyncpool on plain epoll: @ref pool_on_epoll.
 */
/**
 * @defgroup pool_on_epoll asyncpool on plain epoll
 *
 * Header only.
 *
 *     pool_epoll_t watch;
 *     pool_epoll_add(&watch, set, pool, data);
 *     pool_acquire_async(pool, &op, 5000, acquired, task);
 *     for (;;) {
 *         int n = epoll_wait(set, events, 64, pool_epoll_timeout(&watch, -1));
 *         for (int i = 0; i < n; i++)
 *             if (events[i].data.ptr != data.ptr)
 *                 ...
 *         pool_epoll_dispatch(&watch);    ... acquired() is called from here ...
 *     }
 *     pool_epoll_remove(&watch);
 *
 * A watch serves one pool, or one reactor with many pools. pool_epoll_dispatch() after each epoll_wait()
 * costs little when there is nothing to do, so the loop need not find out whether the pool's descriptor was
 * among the events; it only has to pass over it.
 *
 * All functions are for the thread that runs the loop, also from inside hooks and callbacks, and never block unless
 * their text says otherwise.
 * @{
 */
#ifndef ASYNCPOOL_EPOLL_H
#define ASYNCPOOL_EPOLL_H

#include <asyncpool/pool.h>
#include <errno.h>
#include <limits.h>
#include <sys/epoll.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief A watch, in the caller's memory. */
typedef struct pool_epoll_s {
    pool_t *pool;            /**< one of the two is set */
    pool_reactor_t *reactor; /**< one of the two is set */
    int set;                 /**< the descriptor of the epoll set */
    int fd;                  /**< the descriptor of the pool or the reactor */
} pool_epoll_t;

static inline int pool__epoll_add(pool_epoll_t *watch, int set, int fd, epoll_data_t data)
{
    struct epoll_event event;
    event.events = EPOLLIN;
    event.data = data;
    watch->set = set;
    watch->fd = fd;
    if (fd < 0) {
        errno = EINVAL;
        return -1;
    }
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event);
}

/**
 * @brief Add a pool to an epoll set.
 *
 * @param[out] watch  the watch.
 * @param      set    the descriptor of the set.
 * @param      pool   the pool; the watch takes a reference.
 * @param      data   what epoll_wait() tells with the pool's descriptor, in the host's own
 *                    convention.
 * @return 0; -1 with errno of epoll_ctl(), or EINVAL when there is no descriptor (pool_last_error()
 *         says why). After an error there is nothing to remove.
 * @par Ownership
 * The watch stays the caller's; pool_epoll_remove() gives the reference back.
 * @since 1.0
 */
static inline int pool_epoll_add(pool_epoll_t *watch, int set, pool_t *pool, epoll_data_t data)
{
    int result = pool__epoll_add(watch, set, pool_fd(pool), data);
    watch->pool = result == 0 ? pool_ref(pool) : NULL;
    watch->reactor = NULL;
    return result;
}

/**
 * @brief Add a reactor, for all pools attached to it, to an epoll set.
 *
 * @param[out] watch    the watch.
 * @param      set      the descriptor of the set.
 * @param      reactor  the reactor; borrowed until the watch is removed.
 * @param      data     what epoll_wait() tells with the reactor's descriptor.
 * @return As pool_epoll_add().
 * @par Ownership
 * The watch stays the caller's.
 * @since 1.0
 */
static inline int pool_epoll_add_reactor(pool_epoll_t *watch, int set, pool_reactor_t *reactor, epoll_data_t data)
{
    watch->pool = NULL;
    watch->reactor = reactor;
    return pool__epoll_add(watch, set, pool_reactor_fd(reactor), data);
}

/**
 * @brief The last argument of epoll_wait().
 *
 * @param watch      a watch that was added.
 * @param others_ms  how long the loop may sleep for all else; negative: until there is an event.
 * @return The smaller of the two times in milliseconds; -1: none. With several watches, hand the
 *         answer of one to the next.
 * @since 1.0
 */
static inline int pool_epoll_timeout(const pool_epoll_t *watch, int others_ms)
{
    int64_t ms = watch->pool ? pool_next_timeout(watch->pool) : pool_reactor_next_timeout(watch->reactor);
    if (ms < 0 || (others_ms >= 0 && others_ms < ms))
        return others_ms < 0 ? -1 : others_ms;
    return ms > INT_MAX ? INT_MAX : (int)ms;
}

/**
 * @brief Do what is to be done by now, if anything is.
 *
 * To be called after each epoll_wait(), whatever it answered.
 *
 * @param watch  a watch that was added; it may be removed from inside.
 * @return As pool_dispatch().
 * @par Threading
 * Hooks and callbacks run on the loop's thread.
 * @par Blocking
 * For what the hooks and callbacks take.
 * @since 1.0
 */
static inline pool_status_t pool_epoll_dispatch(const pool_epoll_t *watch)
{
    if (pool_epoll_timeout(watch, -1) != 0)
        return POOL_OK;
    return watch->pool ? pool_dispatch(watch->pool) : pool_reactor_dispatch(watch->reactor);
}

/**
 * @brief Take a pool or a reactor out of its epoll set.
 *
 * @param watch  a watch that was added.
 * @par Ownership
 * The reference to the pool is given back; was it the last one, the pool closes, and its
 * destructors run before this returns.
 * @par Blocking
 * For what the destructors take, if it had the last reference.
 * @since 1.0
 */
static inline void pool_epoll_remove(pool_epoll_t *watch)
{
    pool_t *pool = watch->pool;
    epoll_ctl(watch->set, EPOLL_CTL_DEL, watch->fd, NULL);
    watch->pool = NULL;
    watch->reactor = NULL;
    pool_unref(pool);
}

/** @} */

#ifdef __cplusplus
}
#endif

#endif
