/* Waiting in a coroutine: the host's scheduler suspends it, and is told when it can go on. */
#include "internal.h"

/* The outcome of a wait: false when the scheduler says that nothing can ever end it. */
bool ap__suspend(ap_op_t *op)
{
    const pool_scheduler_t *scheduler = &op->pool->scheduler;
    if (ap__woken(op))
        return true;
    bool resumed = scheduler->suspend(scheduler->ctx, (pool_op_t *)op);
    return resumed || ap__woken(op);
}

int64_t pool_op_until_ns(const pool_op_t *op)
{
    const ap_op_t *o = ap__op((pool_op_t *)op);
    return o ? o->deadline : AP_NEVER;
}
