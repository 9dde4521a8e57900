/* What waits and creations take: see times.h. */
#include "internal.h"

/* 0: below a microsecond; i: from 2^(i-1) microseconds to 2^i; the last: all above. */
static unsigned bucket(uint64_t us)
{
    unsigned bits = us ? 64 - (unsigned)__builtin_clzll(us) : 0;
    return bits < AP_BUCKETS ? bits : AP_BUCKETS - 1;
}

void ap__spans_add(ap_spans_t *spans, int64_t ns, uint32_t weight)
{
    uint64_t took = ns > 0 ? (uint64_t)ns : 0; /* the clock of a host may go back */
    spans->ns += took * weight;
    spans->histogram[bucket(took / 1000)] += weight;
}

static void add(ap_spans_t *spans, int64_t ns) { ap__spans_add(spans, ns, 1); }

void ap__times_note(ap_op_t *op, uint8_t from, bool made, int64_t now)
{
    uint8_t to = op->step;
    bool done = to == AP_STEP_DONE, lent = done && op->status == POOL_OK && op->kind <= AP_KIND_TRY;
    bool waits = from == AP_STEP_WAIT && (lent || !done); /* it leaves the line, and not for nothing */
    bool begins = to == AP_STEP_WAIT || to == AP_STEP_CREATE;
    ap_times_t *times = &op->pool->times;
    if (from == AP_STEP_WAIT && to == AP_STEP_WAIT)
        return;
    if (now == 0 && (waits || begins || (from == AP_STEP_CREATE && made)))
        now = ap__now();
    if (waits)
        op->own.waited += now - op->own.since; /* it may stand in line more than once */
    if (from == AP_STEP_CREATE && made)
        add(&times->creations, now - op->own.since);
    if (begins)
        op->own.since = now;
    if (lent && op->ticket != 0)
        add(&times->waits, op->own.waited);
}
