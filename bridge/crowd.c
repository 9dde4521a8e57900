/*
 * Where places change hands faster than threads do, a thread that has handed its place to a sleeper and goes on is
 * soon in line again, behind all the others, and every cycle costs a sleep and a wake-up from then on. One that lets
 * those run whom it has just woken, before it stands in line, finds the line shorter, or gone. Order is not touched by
 * it: it stands nowhere in line meanwhile.
 *
 * Only who would have to wait anyway does that: pool_acquire(), never a release, and never on a thread that runs a
 * loop. And it must not cost a time slice that goes to somebody else: when the processor is shared with other work a
 * yield takes milliseconds. What a yield took is held against what the pool has done meanwhile. If that was little,
 * nobody of this pool yields for a while, twice as long each time.
 */
#include "crowd.h"
#include "places.h"

#include <sched.h>

enum {
    PACE_NS = 20000,    /* hand-overs that are less apart are a crowd's */
    TURNS = 4,          /* a thread yields no more often than this before it stands in line */
    LONG_NS = 1000000,  /* a yield that takes longer was more than a turn of this pool's threads */
    PAUSE_NS = 4000000, /* if the pool did little during a long yield, nobody yields for this time, */
    LONGEST = 1024      /* twice as long after each further one, up to this many times that time */
};

static __thread const ap_pool_t *handed_over;
static __thread bool loop; /* it has dispatched: others wait for it, whatever it does between two turns */

void ap__crowd_is_loop(void) { loop = true; }

void ap__crowd_hand_over(ap_pool_t *pool)
{
    const ap_op_t *next = pool->state.ready.head;
    bool threads = !loop && !pool->scheduler.suspend && !(pool->flags & POOL_F_HOST_DRIVEN);
    bool thread = threads && !next->own.reactor && (next->flags & AP_FLAG_RESERVED);
    int64_t now = thread ? ap__now() : 0;
    handed_over = thread && now - pool->handed_over_ns < PACE_NS ? pool : NULL;
    pool->handed_over_ns = now;
}

AP_HOT bool ap__crowd_handed_over(const ap_pool_t *pool) { return handed_over == pool; }

/* It would stand in line, and not be answered at once. */
static bool would_wait(const ap_state_t *st)
{
    return st->active + (uint64_t)st->reserved >= st->max_size && !ap__overloaded(st) &&
           !(st->gate & (AP_GATE_CLOSED | AP_GATE_DRAINING | AP_GATE_BROKEN | AP_GATE_BREAKER));
}

/* How often the pool has lent, but for multiples of 2^32. */
static uint32_t lends(const ap_pool_t *pool) { return (uint32_t)pool->state.counts.lends + pool->state.queue.taken; }

/* A yield took so long, and meanwhile the pool has lent so often. */
static void judge(ap_pool_t *pool, int64_t now, int64_t took_ns, uint32_t lent)
{
    if (took_ns < LONG_NS || (int64_t)lent * PACE_NS >= took_ns) {
        pool->yield_pause = 0;
        return;
    }
    uint32_t pause = pool->yield_pause ? pool->yield_pause * 2 : 1;
    pool->yield_pause = pause < LONGEST ? pause : LONGEST;
    pool->yield_again_ns = now + (int64_t)pool->yield_pause * PAUSE_NS;
}

void ap__crowd_let_run(ap_pool_t *pool)
{
    handed_over = NULL;
    int64_t now = ap__now();
    if (now < pool->yield_again_ns)
        return;
    pool->state.ops++; /* the pool stays meanwhile */
    for (int i = 0; i < TURNS && would_wait(&pool->state) && now >= pool->yield_again_ns; i++) {
        uint32_t before = lends(pool);
        ap__unlock(pool);
        int64_t start = ap__now(); /* what the lock took is no part of it, and in a crowd that is milliseconds */
        sched_yield();
        now = ap__now();
        ap__lock(pool);
        judge(pool, now, now - start, lends(pool) - before);
    }
    pool->state.ops--;
}
