/* A host that drives ops: the loop over pool_op_next() with the hooks of the worlds. */
#include "actor.h"

bool drive_answer(world *w, const pool_ask_t *ask, pool_answer_t *answer, dice *d)
{
    *answer = (pool_answer_t)POOL_ANSWER_INIT;
    switch (ask->kind) {
    case POOL_ASK_CREATE:
        answer->ok = hooks_factory(w->pool, &answer->resource);
        break;
    case POOL_ASK_DESTROY:
        hooks_destructor(w->pool, ask->resource);
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        answer->ok = hooks_before_acquire(w->pool, ask->resource);
        break;
    case POOL_ASK_BEFORE_RELEASE:
        answer->ok = hooks_before_release(w->pool, ask->resource);
        break;
    case POOL_ASK_HEALTHCHECK:
        answer->ok = hooks_healthcheck(w->pool, ask->resource);
        break;
    case POOL_ASK_REPORT_SUCCESS:
    case POOL_ASK_REPORT_FAILURE:
        TALLY(reports);
        break;
    case POOL_ASK_SHOULD_RECOVER:
        answer->ok = dice_one_in(d, 2);
        break;
    default:
        return false;
    }
    return true;
}

pool_status_t drive(world *w, pool_op_t *op, bool give_up, void **resource)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer;
    pool_ask_kind_t kind = pool_op_next(op, NULL, &ask);
    while (kind != POOL_ASK_DONE) {
        if (kind == POOL_ASK_WAIT && give_up) {
            if (pool_op_cancel(op) == POOL_OK) {
                *resource = NULL;
                return POOL_ERR_CANCELLED;
            }
            kind = pool_op_next(op, NULL, &ask);
            continue;
        }
        if (!drive_answer(w, &ask, &answer, &hooks_dice)) {
            if (kind != POOL_ASK_WAIT)
                soak_fail("%s: ask %d", world_text(w), (int)kind);
            pool_op_wait(op, ask.until_ns);
        }
        kind = pool_op_next(op, &answer, &ask);
    }
    *resource = ask.resource;
    return ask.status;
}

pool_status_t drive_try(world *w, void **resource)
{
    pool_op_t op;
    pool_status_t status = pool_try_acquire(w->pool, resource);
    if (status != POOL_PENDING || (status = pool_op_try_acquire(w->pool, &op)) != POOL_OK)
        return status;
    return drive(w, &op, false, resource);
}

void drive_release(world *w, void *resource)
{
    pool_op_t op;
    void *nothing;
    pool_status_t status = pool_release(w->pool, resource);
    if (status == POOL_PENDING && (status = pool_op_release(w->pool, &op, resource)) == POOL_OK)
        status = drive(w, &op, false, &nothing);
    if (status != POOL_OK)
        soak_fail("%s: release answers %s", world_text(w), pool_status_name(status));
}
