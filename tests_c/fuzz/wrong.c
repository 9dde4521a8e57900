/* Calls that the header says are refused, each with its answer. */
#include "fuzz.h"

static void unused(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    (void)op, (void)resource, (void)data;
    fuzz_fail(__FILE__, __LINE__, "told %s of an op that was refused", pool_status_name(status));
}

static void wrong_acquire(pool_t *pool, uint8_t which)
{
    void *resource = &which;
    pool_op_t op = {.data = NULL};
    switch (which) {
    case 0:
        MUST_BE(pool_acquire(NULL, &resource, 1), POOL_ERR_INVALID);
        MUST(resource == NULL);
        break;
    case 1:
        MUST_BE(pool_acquire(pool, NULL, 1), POOL_ERR_INVALID);
        break;
    case 2:
        MUST_BE(pool_acquire(pool, &resource, INT64_MIN), POOL_ERR_INVALID);
        MUST(resource == NULL);
        break;
    case 3:
        MUST_BE(pool_try_acquire(NULL, &resource), POOL_ERR_INVALID);
        MUST_BE(pool_try_acquire(pool, NULL), POOL_ERR_INVALID);
        break;
    case 4:
        MUST_BE(pool_acquire_async(pool, &op, 0, NULL, NULL), POOL_ERR_INVALID);
        MUST_BE(pool_acquire_async(pool, NULL, 0, unused, NULL), POOL_ERR_INVALID);
        break;
    case 5:
        MUST_BE(pool_acquire_async(pool, &op, -1, unused, NULL), POOL_ERR_INVALID);
        MUST_BE(pool_acquire_async(NULL, &op, 0, unused, NULL), POOL_ERR_INVALID);
        break;
    default:
        MUST(pool_take(NULL) == NULL && pool_op_take(NULL) == NULL);
        MUST(pool_op_woken(NULL) == NULL && pool_hand_on(NULL, pool) == NULL);
        break;
    }
}

static void wrong_op(pool_t *pool, uint8_t which)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    memset(&op, 0, sizeof op);
    switch (which) {
    case 0:
        MUST_BE(pool_op_acquire(NULL, &op, 1), POOL_ERR_INVALID);
        MUST(pool_op_next(&op, NULL, &ask) == POOL_ASK_DONE);
        break;
    case 1:
        MUST_BE(pool_op_acquire(pool, &op, -5), POOL_ERR_INVALID);
        MUST_BE(pool_op_acquire(pool, NULL, 5), POOL_ERR_INVALID);
        MUST_BE(pool_op_drain(pool, &op, -5), POOL_ERR_INVALID);
        MUST_BE(pool_drain(NULL, 5), POOL_ERR_INVALID);
        break;
    case 2:
        MUST(pool_op_next(&op, NULL, &ask) == POOL_ASK_DONE && ask.status == POOL_ERR_INVALID);
        MUST_BE(pool_op_cancel(&op), POOL_ERR_INVALID);
        break;
    case 3:
        MUST(pool_op_next(NULL, NULL, &ask) == POOL_ASK_DONE && ask.status == POOL_ERR_INVALID);
        MUST_BE(pool_op_wait(NULL, 1), POOL_ERR_INVALID);
        break;
    case 4:
        MUST_BE(pool_op_wait(&op, 1), POOL_ERR_INVALID);
        MUST(pool_op_until_ns(&op) == INT64_MAX);
        break;
    case 5:
        MUST_BE(pool_op_release(NULL, &op, pool), POOL_ERR_INVALID);
        MUST_BE(pool_op_close(pool, NULL), POOL_ERR_INVALID);
        MUST_BE(pool_op_sweep(NULL, &op), POOL_ERR_INVALID);
        MUST_BE(pool_op_fill(pool, NULL), POOL_ERR_INVALID);
        break;
    case 6: /* nothing to be done, and then nothing to be cancelled */
        MUST_BE(pool_op_release(pool, &op, &op), POOL_OK);
        MUST(pool_op_next(&op, NULL, &ask) == POOL_ASK_DONE && ask.status == POOL_ERR_NOT_OWNED);
        MUST_BE(pool_op_cancel(&op), POOL_OK);
        break;
    default:
        MUST(!pool_op_join(NULL, &op, 1) && !pool_op_join(pool, NULL, 1));
        break;
    }
}

static void wrong_config(uint8_t which)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool = NULL;
    config.factory = hook_factory;
    switch (which) {
    case 0:
        config.max_size = 0;
        break;
    case 1:
        config.min_size = config.max_size + 1;
        break;
    case 2:
        config.struct_size = 4;
        break;
    case 3:
        config.flags = 1u << 31;
        break;
    case 4:
        config.asks = POOL_ASKS_DESTROY;
        break;
    case 5:
        config.factory = NULL;
        break;
    case 6:
        config.flags = 1u << 30;
        break;
    default:
        config.flags = POOL_F_HOST_DRIVEN;
        break; /* and a factory */
    }
    MUST_BE(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
    MUST(pool == NULL);
    char text[32];
    int code = 0;
    MUST_BE(pool_last_error(&code, text, sizeof text), POOL_ERR_INVALID);
    MUST(code == POOL_ERR_INVALID && memchr(text, 0, sizeof text));
}

static void wrong_other(world *w, uint8_t which)
{
    pool_t *pool = w->pool;
    pool_snapshot_t small = {.struct_size = sizeof(size_t)};
    pool_circuit_breaker_strategy_t half = {.report_success = strategies[0].report_success};
    switch (which) {
    case 0:
        MUST_BE(pool_release(NULL, &w), POOL_ERR_INVALID);
        MUST_BE(pool_release(pool, &w), POOL_ERR_NOT_OWNED);
        MUST_BE(pool_release(pool, NULL), POOL_ERR_NOT_OWNED);
        break;
    case 1:
        MUST_BE(pool_close(NULL), POOL_ERR_INVALID);
        MUST_BE(pool_snapshot(pool, NULL), POOL_ERR_INVALID);
        MUST_BE(pool_snapshot(pool, &small), POOL_ERR_INVALID);
        break;
    case 2:
        MUST_BE(pool_set_strategy(pool, &half), POOL_ERR_INVALID);
        MUST_BE(pool_strategy_threshold(NULL, 1, 1, 1), POOL_ERR_INVALID);
        break;
    case 3:
        MUST_BE(pool_reactor_attach(NULL, pool), POOL_ERR_INVALID);
        MUST_BE(pool_reactor_dispatch(NULL), POOL_ERR_INVALID);
        MUST_BE(pool_dispatch(NULL), POOL_ERR_INVALID);
        break;
    case 4:
        if (!w->host_driven)
            MUST_BE(pool_set_asks(pool, 0), POOL_ERR_INVALID);
        else
            MUST_BE(pool_set_asks(pool, POOL_ASKS_DESTROY), POOL_ERR_INVALID);
        break;
    case 5:
        MUST_BE(pool->event.add_callback(&pool->event, NULL), POOL_ERR_INVALID);
        MUST_BE(pool->event.del_callback(&pool->event, NULL), POOL_ERR_INVALID);
        break;
    case 6:
        MUST(pool_ref(NULL) == NULL && pool_is_closed(NULL) && pool_state(NULL) == POOL_CIRCUIT_INACTIVE);
        MUST(pool_count(NULL) + pool_idle_count(NULL) + pool_active_count(NULL) + pool_waiting_count(NULL) == 0);
        pool_unref(NULL);
        pool_reactor_unref(NULL);
        break;
    default:
        MUST(pool_strerror((pool_status_t)77) && pool_status_name((pool_status_t)-77));
        MUST(pool_api(99) == NULL && pool_api(POOL_ABI_VERSION) != NULL);
        break;
    }
}

void call_wrongly(lane *l, uint8_t which)
{
    uint8_t case_ = which >> 2 & 7;
    switch (which & 3) {
    case 0:
        wrong_acquire(l->world->pool, case_);
        break;
    case 1:
        wrong_op(l->world->pool, case_);
        break;
    case 2:
        wrong_config(case_);
        break;
    default:
        wrong_other(l->world, case_);
        break;
    }
}
