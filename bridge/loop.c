/* What event loops call: reactors and pools as the host sees them. What they do is in reactor.c. */
#include "reactor.h"

static pool_reactor_t *valid(pool_reactor_t *reactor, const char *function)
{
    if (AP_UNLIKELY(ap__forked))
        ap__fail(POOL_ERR_FORKED, NULL, function);
    else if (ap__reactor(reactor))
        return reactor;
    else
        ap__fail(POOL_ERR_INVALID, function, "reactor is NULL or no reactor");
    return NULL;
}

/* The reactor that serves a pool, with a reference, since the pool may go while it is served. */
static pool_reactor_t *serving(pool_t *pool, const char *function)
{
    ap_pool_t *p = ap__forked ? NULL : ap__pool(pool);
    bool hosts = p && p->flags & POOL_F_HOST_DRIVEN;
    pool_reactor_t *reactor = p && !hosts ? ap__reactor_of(p) : NULL;
    if (reactor)
        return reactor;
    if (AP_UNLIKELY(ap__forked))
        ap__fail(POOL_ERR_FORKED, NULL, function);
    else if (!p)
        ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    else if (hosts)
        ap__fail(POOL_ERR_INVALID, function, AP_HOST_HAS_NO_LOOP);
    else
        ap__fail(POOL_ERR_NOMEM, function, pool_strerror(POOL_ERR_NOMEM));
    return NULL;
}

pool_reactor_t *pool_reactor_create(void)
{
    pool_reactor_t *reactor = ap__forked ? NULL : ap__reactor_new();
    if (!reactor)
        ap__fail(ap__forked ? POOL_ERR_FORKED : POOL_ERR_NOMEM, NULL, "pool_reactor_create");
    else
        atomic_store(&reactor->hosts, true);
    return reactor;
}

void pool_reactor_unref(pool_reactor_t *reactor)
{
    const char *function = "pool_reactor_unref";
    if (ap__forked || !reactor)
        return;
    if (!ap__reactor(reactor))
        ap__fail(POOL_ERR_INVALID, function, "reactor is no reactor: it was freed, or never was one");
    else if (!atomic_exchange(&reactor->hosts, false))
        ap__fail(POOL_ERR_INVALID, function,
                 "there is no reference left to give back: the reactor stays only for its pools and ops");
    else
        ap__reactor_unref(reactor);
}

pool_status_t pool_reactor_attach(pool_reactor_t *reactor, pool_t *pool)
{
    const char *function = "pool_reactor_attach";
    if (!valid(reactor, function))
        return ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID;
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (p->flags & POOL_F_HOST_DRIVEN)
        return ap__fail(POOL_ERR_INVALID, function, AP_HOST_HAS_NO_LOOP);
    ap__reactor_ref(reactor);
    ap__lock(p);
    pool_reactor_t *old = p->reactor;
    p->reactor = reactor;
    if (old && ap__reactor_forget(old, &p->sweep.timer))
        ap__reactor_wait(reactor, &p->sweep.timer, p->sweep.due.at_ns);
    if (old && ap__reactor_forget(old, &p->making.timer))
        ap__reactor_push(reactor, &p->making.timer);
    ap__unlock(p);
    if (old)
        ap__reactor_unref(old);
    return POOL_OK;
}

int pool_reactor_fd(pool_reactor_t *reactor)
{
    return valid(reactor, "pool_reactor_fd") ? ap__reactor_descriptor(reactor) : -1;
}

int64_t pool_reactor_next_timeout(pool_reactor_t *reactor)
{
    return valid(reactor, "pool_reactor_next_timeout") ? ap__reactor_next_timeout(reactor) : -1;
}

pool_status_t pool_reactor_dispatch(pool_reactor_t *reactor)
{
    if (!valid(reactor, "pool_reactor_dispatch"))
        return ap__forked ? POOL_ERR_FORKED : POOL_ERR_INVALID;
    ap__reactor_ref(reactor);
    return ap__reactor_dispatch(reactor);
}

int pool_fd(pool_t *pool)
{
    pool_reactor_t *reactor = serving(pool, "pool_fd");
    if (!reactor)
        return -1;
    int fd = ap__reactor_descriptor(reactor);
    ap__reactor_unref(reactor);
    return fd;
}

int64_t pool_next_timeout(pool_t *pool)
{
    pool_reactor_t *reactor = serving(pool, "pool_next_timeout");
    if (!reactor)
        return -1;
    int64_t timeout = ap__reactor_next_timeout(reactor);
    ap__reactor_unref(reactor);
    return timeout;
}

pool_status_t pool_dispatch(pool_t *pool)
{
    pool_reactor_t *reactor = serving(pool, "pool_dispatch");
    if (!reactor)
        return pool_last_error(NULL, NULL, 0);
    return ap__reactor_dispatch(reactor);
}
