/* What the tracepoints tell of a step of the core: see trace.h. */
#include "internal.h"

#ifdef AP_TRACE

static bool destroys(uint8_t step)
{
    switch (step) {
    case AP_STEP_REJECT:
    case AP_STEP_UNWANTED:
    case AP_STEP_REMOVE:
    case AP_STEP_PURGE:
    case AP_STEP_BURY:
        return true;
    default:
        return false;
    }
}

void ap__trace_after(const ap_op_t *op, ap_traced_t before, const pool_answer_t *answer)
{
    ap_pool_t *pool = op->pool;
    if (before.step == AP_STEP_CREATE && !before.unheard && answer && answer->ok)
        AP_TRACE_CREATE(pool, answer->resource, POOL_OK);
    else if (before.step == AP_STEP_CREATE && !before.unheard)
        AP_TRACE_CREATE(pool, NULL, POOL_ERR_FACTORY);
    else if (destroys(before.step) && !before.unheard)
        AP_TRACE_DESTROY(pool, before.resource);
    if (op->step == AP_STEP_WAIT && before.step != AP_STEP_WAIT)
        AP_TRACE_WAIT(pool, op);
    bool begun = before.step != AP_STEP_BEGIN || op->status != POOL_ERR_CANCELLED; /* else it was no acquire yet */
    if (op->step != AP_STEP_DONE || !begun)
        return;
    switch (op->kind) {
    case AP_KIND_ACQUIRE:
    case AP_KIND_TRY:
        AP_TRACE_ACQUIRE(pool, op->resource, op->status);
        break;
    case AP_KIND_RELEASE:
    case AP_KIND_DISCARD:
    case AP_KIND_DETACH:
        AP_TRACE_RELEASE(pool, before.resource, op->status);
        break;
    default:
        break;
    }
}

#endif
