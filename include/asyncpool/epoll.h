/*
 * asyncpool on plain epoll. Header only.
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
 * All functions are for the thread that runs the loop.
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

/* In the caller's memory. */
typedef struct pool_epoll_s {
    pool_t *pool; /* one of the two is set */
    pool_reactor_t *reactor;
    int set;
    int fd;
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
 * pool_epoll_add - add a pool to an epoll set.
 *
 * @watch       out: the watch.
 * @set         the descriptor of the set.
 * @pool        the pool; the watch takes a reference.
 * @data        what epoll_wait() tells with the pool's descriptor, in the host's own convention.
 *
 * Ownership:   the watch stays the caller's; pool_epoll_remove() gives the reference back.
 * Threading:   the loop's thread.
 * Re-entrancy: may be called from hooks and callbacks.
 * Blocking:    never.
 * Returns:     0; -1 with errno of epoll_ctl(), or EINVAL when there is no descriptor (pool_last_error() says
 *              why). After an error there is nothing to remove.
 * Since:       1.0
 */
static inline int pool_epoll_add(pool_epoll_t *watch, int set, pool_t *pool, epoll_data_t data)
{
    int result = pool__epoll_add(watch, set, pool_fd(pool), data);
    watch->pool = result == 0 ? pool_ref(pool) : NULL;
    watch->reactor = NULL;
    return result;
}

/**
 * pool_epoll_add_reactor - add a reactor, for all pools attached to it, to an epoll set.
 *
 * @watch       out: the watch.
 * @set         the descriptor of the set.
 * @reactor     the reactor; borrowed until the watch is removed.
 * @data        what epoll_wait() tells with the reactor's descriptor.
 *
 * Ownership:   the watch stays the caller's.
 * Threading:   the loop's thread.
 * Re-entrancy: may be called from hooks and callbacks.
 * Blocking:    never.
 * Returns:     as pool_epoll_add().
 * Since:       1.0
 */
static inline int pool_epoll_add_reactor(pool_epoll_t *watch, int set, pool_reactor_t *reactor,
                                         epoll_data_t data)
{
    watch->pool = NULL;
    watch->reactor = reactor;
    return pool__epoll_add(watch, set, pool_reactor_fd(reactor), data);
}

/**
 * pool_epoll_timeout - the last argument of epoll_wait().
 *
 * @watch       a watch that was added.
 * @others_ms   how long the loop may sleep for all else; negative: until there is an event.
 *
 * Ownership:   none.
 * Threading:   the loop's thread.
 * Re-entrancy: may be called from hooks and callbacks.
 * Blocking:    never.
 * Returns:     the smaller of the two times in milliseconds; -1: none. With several watches, hand the answer
 *              of one to the next.
 * Since:       1.0
 */
static inline int pool_epoll_timeout(const pool_epoll_t *watch, int others_ms)
{
    int64_t ms = watch->pool ? pool_next_timeout(watch->pool)
                             : pool_reactor_next_timeout(watch->reactor);
    if (ms < 0 || (others_ms >= 0 && others_ms < ms))
        return others_ms < 0 ? -1 : others_ms;
    return ms > INT_MAX ? INT_MAX : (int)ms;
}

/**
 * pool_epoll_dispatch - do what is to be done by now, if anything is.
 *
 * To be called after each epoll_wait(), whatever it answered.
 *
 * @watch       a watch that was added; it may be removed from inside.
 *
 * Ownership:   none.
 * Threading:   the loop's thread; hooks and callbacks run on it.
 * Re-entrancy: may be called from hooks and callbacks.
 * Blocking:    for what the hooks and callbacks take.
 * Returns:     as pool_dispatch().
 * Since:       1.0
 */
static inline pool_status_t pool_epoll_dispatch(const pool_epoll_t *watch)
{
    if (pool_epoll_timeout(watch, -1) != 0)
        return POOL_OK;
    return watch->pool ? pool_dispatch(watch->pool) : pool_reactor_dispatch(watch->reactor);
}

/**
 * pool_epoll_remove - take a pool or a reactor out of its epoll set.
 *
 * @watch       a watch that was added.
 *
 * Ownership:   the reference to the pool is given back; was it the last one, the pool closes, and its
 *              destructors run before this returns.
 * Threading:   the loop's thread.
 * Re-entrancy: may be called from hooks and callbacks.
 * Blocking:    for what the destructors take, if it had the last reference.
 * Returns:     nothing.
 * Since:       1.0
 */
static inline void pool_epoll_remove(pool_epoll_t *watch)
{
    pool_t *pool = watch->pool;
    epoll_ctl(watch->set, EPOLL_CTL_DEL, watch->fd, NULL);
    watch->pool = NULL;
    watch->reactor = NULL;
    pool_unref(pool);
}

#ifdef __cplusplus
}
#endif

#endif
