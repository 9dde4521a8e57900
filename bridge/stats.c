/* Reading the state of a pool. */
#include "internal.h"
#include "sizes.h"

/* All counts of one instant; false: it is no pool, which is told. */
static bool read_state(const char *function, const pool_t *pool, ap_state_t *copy)
{
    ap_pool_t *p = ap__pool_for(function, pool);
    if (!p)
        return false;
    ap__lock(p);
    copy->gate = p->state.gate;
    copy->idle = p->state.idle;
    copy->active = p->state.active;
    copy->reserved = p->state.reserved;
    copy->waiting = p->state.waiting;
    copy->max_size = p->state.max_size;
    copy->breaker.circuit = p->state.breaker.circuit;
    ap__unlock(p);
    return true;
}

uint32_t pool_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state("pool_count", pool, &s) ? s.idle + s.active : 0;
}

uint32_t pool_idle_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state("pool_idle_count", pool, &s) ? s.idle : 0;
}

uint32_t pool_active_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state("pool_active_count", pool, &s) ? s.active : 0;
}

uint32_t pool_waiting_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state("pool_waiting_count", pool, &s) ? s.waiting : 0;
}

bool pool_is_closed(const pool_t *pool)
{
    ap_state_t s;
    return !read_state("pool_is_closed", pool, &s) || (s.gate & (AP_GATE_CLOSED | AP_GATE_DRAINING)) != 0;
}

pool_status_t pool_snapshot(const pool_t *pool, pool_snapshot_t *snapshot)
{
    enum { FIRST = 40 }; /* up to closed */
    ap_state_t s;
    AP_REFUSE_FORKED("pool_snapshot");
    if (!snapshot)
        return ap__fail(POOL_ERR_INVALID, "pool_snapshot", "snapshot is NULL");
    if (!ap__size_is_one(snapshot->struct_size, FIRST))
        return ap__fail(POOL_ERR_INVALID, "pool_snapshot",
                        "snapshot.struct_size is too small or no size at all: set it to sizeof(pool_snapshot_t)");
    if (!read_state("pool_snapshot", pool, &s))
        return POOL_ERR_INVALID;
    const pool_snapshot_t known = {.idle = s.idle,
                                   .active = s.active,
                                   .reserved = s.reserved,
                                   .waiting = s.waiting,
                                   .max = s.max_size,
                                   .state = (pool_circuit_state_t)s.breaker.circuit,
                                   .closed = (s.gate & (AP_GATE_CLOSED | AP_GATE_DRAINING)) != 0};
    ap__size_out(snapshot, snapshot->struct_size, &known, sizeof known);
    return POOL_OK;
}
