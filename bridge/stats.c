/* Reading the state of a pool, and what has happened in it. */
#include "internal.h"
#include "sizes.h"

#include <stdio.h>

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

/* What is between the members is zero, too. */
static void take_snapshot(const ap_state_t *st, pool_snapshot_t *snapshot)
{
    memset(snapshot, 0, sizeof *snapshot);
    snapshot->struct_size = sizeof *snapshot;
    snapshot->idle = st->idle;
    snapshot->active = st->active;
    snapshot->reserved = st->reserved;
    snapshot->waiting = st->waiting;
    snapshot->max = st->max_size;
    snapshot->state = (pool_circuit_state_t)st->breaker.circuit;
    snapshot->closed = (st->gate & (AP_GATE_CLOSED | AP_GATE_DRAINING)) != 0;
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
    pool_snapshot_t known;
    take_snapshot(&s, &known);
    ap__size_out(snapshot, snapshot->struct_size, &known, sizeof known);
    return POOL_OK;
}

size_t pool_describe(const pool_t *pool, char *buffer, size_t size)
{
    const char *function = "pool_describe";
    ap_state_t s;
    if (!buffer && size > 0) {
        ap__fail_handle(function, "buffer is NULL, and size is not 0");
        return 0;
    }
    if (size == 0)
        buffer = NULL;
    if (!read_state(function, pool, &s))
        return (size_t)snprintf(buffer, size, "Pool()");
    const char *name = ((const ap_pool_t *)pool)->name, *is = *name ? "name=" : "", *then = *name ? ", " : "";
    return (size_t)snprintf(buffer, size, "Pool(%s%s%sidle=%u, active=%u, reserved=%u, waiting=%u, max=%u)", is, name,
                            then, s.idle, s.active, s.reserved, s.waiting, s.max_size);
}

static void copy_spans(const ap_spans_t *spans, uint64_t *us, uint64_t histogram[AP_BUCKETS])
{
    *us = spans->ns / 1000;
    memcpy(histogram, spans->histogram, sizeof spans->histogram);
}

void ap__stats_read(ap_pool_t *pool, pool_stats_t *stats, pool_snapshot_t *moment)
{
    ap__lock(pool);
    const ap_state_t *st = &pool->state;
    const ap_counts_t *n = &st->counts;
    const uint64_t *gone = n->gone;
    *stats = (pool_stats_t){
        .struct_size = sizeof *stats,
        .lends = n->lends + st->queue.taken,
        .waited = n->waited,
        .timeouts = n->timeouts,
        .unavailable = n->unavailable,
        .overloaded = n->overloaded,
        .cancelled = n->cancelled,
        .created = n->created,
        .failed = n->failed,
        .detached = gone[AP_WHY_DETACHED],
        .count = st->registry.live,
        .making = st->idle + st->active - st->registry.live,
        .destroyed_rejected = gone[AP_WHY_REJECTED],
        .destroyed_refused = gone[AP_WHY_REFUSED],
        .destroyed_dead = gone[AP_WHY_DEAD],
        .destroyed_lifetime = gone[AP_WHY_LIFETIME],
        .destroyed_idle = gone[AP_WHY_IDLE],
        .destroyed_uses = gone[AP_WHY_USES],
        .destroyed_evicted = gone[AP_WHY_EVICTED],
        .destroyed_discarded = gone[AP_WHY_DISCARDED],
        .destroyed_shrunk = gone[AP_WHY_SHRUNK],
        .destroyed_closed = gone[AP_WHY_CLOSED],
        .leaked = n->leaked,
        .peak_active = st->peak_active,
        .peak_waiting = st->peak_waiting};
    copy_spans(&pool->times.waits, &stats->wait_us, stats->wait_histogram);
    copy_spans(&pool->times.holds, &stats->hold_us, stats->hold_histogram);
    copy_spans(&pool->times.creations, &stats->create_us, stats->create_histogram);
    for (int why = 0; why < AP_WHY_DETACHED; why++) /* it is the last, and the others are destructions */
        stats->destroyed += gone[why];
    take_snapshot(st, moment);
    ap__unlock(pool);
}

pool_status_t pool_stats(pool_t *pool, pool_stats_t *stats)
{
    enum { FIRST = 984 }; /* up to hold_histogram */
    const char *function = "pool_stats";
    AP_REFUSE_FORKED(function);
    if (!stats)
        return ap__fail(POOL_ERR_INVALID, function, "stats is NULL");
    if (!ap__size_is_one(stats->struct_size, FIRST))
        return ap__fail(POOL_ERR_INVALID, function,
                        "stats.struct_size is too small or no size at all: set it to sizeof(pool_stats_t)");
    ap_pool_t *p = ap__pool_for(function, pool);
    if (!p)
        return POOL_ERR_INVALID;
    pool_stats_t known;
    pool_snapshot_t moment;
    ap__stats_read(p, &known, &moment);
    ap__size_out(stats, stats->struct_size, &known, sizeof known);
    return POOL_OK;
}
