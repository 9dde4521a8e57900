/* Waiting in a coroutine: the host's scheduler suspends it, and is told when it can go on. */
#include "visit.h"

typedef struct suspension {
    ap_visit_t visit; /* first */
    const pool_scheduler_t *scheduler;
    ap_op_t *op;
} suspension;

static bool suspend(ap_visit_t *visit)
{
    suspension *s = (suspension *)visit;
    return s->scheduler->suspend(s->scheduler->ctx, (pool_op_t *)s->op);
}

/* The outcome of a wait: false when the scheduler says that nothing can ever end it. */
bool ap__suspend(ap_op_t *op)
{
    suspension s = {{.kind = AP_VISIT_OTHER, .make = suspend}, &op->pool->scheduler, op};
    if (ap__woken(op))
        return true;
    pthread_t before = ap__self();
    bool resumed = ap__visit(&s.visit);
    if (AP_UNLIKELY(!pthread_equal(before, ap__self())))
        ap__callbacks_moved();
    return resumed || ap__woken(op);
}

int64_t pool_op_until_ns(const pool_op_t *op)
{
    const ap_op_t *o = ap__op((pool_op_t *)op);
    return o ? ap__until(o) : AP_NEVER;
}
