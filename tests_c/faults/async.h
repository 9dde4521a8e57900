/* For stories about event loops: an async acquire that begins or is refused, and what it gets goes back. */
#ifndef ASYNCPOOL_ASYNC_H
#define ASYNCPOOL_ASYNC_H

#include "loop.h"
#include "fault.h"

/* Who may not begin is told so at once, and never again. */
static inline bool fault_begin(pool_reactor_t *reactor, pool_t *pool, told *t)
{
    pool_status_t status = loop_begin(reactor, pool, t, 0);
    if (status != POOL_PENDING)
        FAULT_EXPLAINS(status);
    CHECK_INT(t->times, 0);
    return status == POOL_PENDING;
}

/* For told.then, too. */
static inline void fault_give_back(told *t)
{
    if (t->got)
        loop_give(t);
}

/* Begins n on the pool, which give back at once; answers how many began, as the first of ops. */
static inline int fault_begin_all(pool_t *pool, told *ops, int n)
{
    int begun = 0;
    for (int i = 0; i < n; i++) {
        ops[begun].then = fault_give_back;
        begun += fault_begin(NULL, pool, &ops[begun]);
    }
    return begun;
}

#endif
