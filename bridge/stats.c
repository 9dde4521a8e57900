/* Reading the state of a pool. */
#include "internal.h"
#include "sizes.h"

/* All counts of one instant; zero for what is no pool, closed included in what is not. */
static bool read_state(const pool_t *pool, ap_state_t *copy)
{
    ap_pool_t *p = ap__forked ? NULL : ap__pool(pool);
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
    return read_state(pool, &s) ? s.idle + s.active : 0;
}

uint32_t pool_idle_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state(pool, &s) ? s.idle : 0;
}

uint32_t pool_active_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state(pool, &s) ? s.active : 0;
}

uint32_t pool_waiting_count(const pool_t *pool)
{
    ap_state_t s;
    return read_state(pool, &s) ? s.waiting : 0;
}

bool pool_is_closed(const pool_t *pool)
{
    ap_state_t s;
    return !read_state(pool, &s) || (s.gate & AP_GATE_CLOSED) != 0;
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
    if (!read_state(pool, &s))
        return ap__fail(POOL_ERR_INVALID, "pool_snapshot", "pool is NULL or no pool");
    const pool_snapshot_t known = {.idle = s.idle,
                                   .active = s.active,
                                   .reserved = s.reserved,
                                   .waiting = s.waiting,
                                   .max = s.max_size,
                                   .state = (pool_circuit_state_t)s.breaker.circuit,
                                   .closed = (s.gate & AP_GATE_CLOSED) != 0};
    ap__size_out(snapshot, snapshot->struct_size, &known, sizeof known);
    return POOL_OK;
}
