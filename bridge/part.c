/*
 * A part of a pass of healthchecks, for event loops. Each part has an op of its own: between two parts nothing of the
 * pass is under way, so that a close finds nothing but a timer to forget, and what is idle is for everybody. See
 * pool/core/sweep.go for how the core is stopped.
 */
#include "internal.h"
#include "visit.h"

static void abandon(ap_op_t **unfinished)
{
    if (*unfinished)
        ap__abandon(*unfinished);
}

typedef struct part {
    ap_visit_t visit; /* first */
    int *most;        /* hooks that may still run */
} part;

_Static_assert((AP_FLAG_GOES_ON | AP_FLAG_NO_REFILL) <= UINT8_MAX, "ap_sweep_t.goes_on must hold both flags");

static bool sweep_part(ap_visit_t *visit)
{
    ap_pool_t *pool = (ap_pool_t *)visit->of;
    int *most = ((part *)visit)->most;
    const pool_answer_t nothing = POOL_ANSWER_INIT;
    ap_sweep_t *s = &pool->sweep;
    pool_ask_t ask = POOL_ASK_INIT;
    ap_op_t op;
    ap__op_init(&op, pool, AP_KIND_SWEEP, NULL, AP_NEVER);
    op.data = NULL;
    if (s->goes_on) {
        op.flags = s->goes_on;
        op.pass = s->pass;
        op.visits = s->visits;
        op.plan = s->plan;
    }
    s->goes_on = 0; /* unless this comes back */
    ap_op_t *unfinished __attribute__((cleanup(abandon))) = &op;
    bool stopped = false;
    uint32_t flags = 0; /* of the next part */
    for (ap__next(&op, &nothing, &ask); ask.kind != POOL_ASK_DONE;) {
        ap_error_t error = {.set = false};
        pool_answer_t answer = POOL_ANSWER_INIT;
        ap__answer(&op, &ask, &answer, &error);
        if (--*most <= 0 && !stopped) {
            stopped = true;
            bool failed = ask.kind == POOL_ASK_CREATE && !answer.ok;
            flags = AP_FLAG_GOES_ON | (failed ? AP_FLAG_NO_REFILL : op.flags & AP_FLAG_NO_REFILL);
            s->pass = op.pass;
            s->visits = op.visits;
            s->plan = op.plan;
            op.flags |= AP_FLAG_NO_REFILL;
            op.visits = op.plan = 0;
        }
        ap__next(&op, &answer, &ask);
    }
    unfinished = NULL;
    bool refills = !(flags & AP_FLAG_NO_REFILL) && pool_count(&pool->pub) < pool->pub.min_size;
    s->goes_on = stopped && (s->visits > 0 || s->plan > 0 || refills) ? (uint8_t)flags : 0;
    return true;
}

void ap__sweep_part(ap_pool_t *pool, int *most)
{
    part p = {{.kind = AP_VISIT_PASS, .of = pool, .make = sweep_part}, most};
    ap__visit(&p.visit);
}
