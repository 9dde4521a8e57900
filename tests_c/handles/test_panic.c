/*
 * A panic of the core. None is known, so the test makes one: it spoils an op in its memory, in a way that the core
 * calls a defect. Whoever waits hears of it, the pool answers INTERNAL from then on, and since its account is not
 * trusted, nothing that it holds is destroyed and its memory stays. Each case shows P13.
 */
#include "loop.h"

#include "../../bridge/internal.h"

#include <unistd.h>

static pool_t *pool; /* stays reachable, for the leak checker */

/* Makes the core panic, and checks what it says on standard error. */
static void spoil(void)
{
    enum { NO_STEP = 99 };
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    char text[256];
    int kept = dup(STDERR_FILENO);
    FILE *said = tmpfile();
    CHECK(said != NULL && kept >= 0);
    CHECK_STATUS(pool_op_try_acquire(pool, &op), POOL_OK);
    ((ap_op_t *)&op)->step = NO_STEP;
    CHECK(dup2(fileno(said), STDERR_FILENO) == STDERR_FILENO);
    pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask);
    CHECK(dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    CHECK_INT(kind, POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INTERNAL);
    CHECK_PTR(ask.resource, NULL);
    rewind(said);
    CHECK(fgets(text, sizeof text, said) != NULL);
    CHECK_STR(text, "asyncpool: defect: pool: op in step 99\n");
    fclose(said);
    close(kept);
}

static void check_internal(pool_status_t status)
{
    CHECK_STATUS(status, POOL_ERR_INTERNAL);
    CHECK_STATUS(pool_last_error(NULL, NULL, 0), POOL_ERR_INTERNAL);
}

/* Ends the test here, since at the end of all others no pool may be left. */
static _Noreturn void end_with_the_pool(void)
{
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    fflush(stdout);
    exit(0);
}

TEST(whoever_waits_hears_of_a_defect_and_the_pool_answers_nothing_else)
{
    fx_caller waiter;
    told on_loop = {0};
    pool_op_t parked;
    pool_ask_t ask = POOL_ASK_INIT;
    void *none = &none;
    pool = loop_pool(0, 0, 2);
    fx_resource *first = fx_take(pool), *second = fx_take(pool);
    fx_start_waiting(&waiter, pool, 0);
    loop_acquire(pool, &on_loop, 0);
    CHECK_STATUS(pool_op_acquire(pool, &parked, 0), POOL_OK);
    CHECK_INT(pool_op_next(&parked, NULL, &ask), POOL_ASK_WAIT);
    spoil();
    fx_join(&waiter);
    CHECK_STATUS(waiter.status, POOL_ERR_INTERNAL);
    loop_drain(pool);
    CHECK_TOLD_ONCE(&on_loop, POOL_ERR_INTERNAL);
    CHECK_STATUS(pool_op_cancel(&parked), POOL_ERR_INTERNAL);
    CHECK_INT(pool_op_next(&parked, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_ERR_INTERNAL);

    check_internal(pool_acquire(pool, &none, 0));
    CHECK_PTR(none, NULL);
    check_internal(pool_try_acquire(pool, &none));
    check_internal(pool_release(pool, first));
    check_internal(pool_activate(pool));
    check_internal(pool_deactivate(pool));
    check_internal(pool_recover(pool));
    check_internal(pool_set_strategy(pool, NULL));
    check_internal(pool_strategy_threshold(pool, 1, 1, 1));
    check_internal(pool_strategy_threshold_on(pool, POOL_COUNT_RELEASES, 1, 1, 1));
    CHECK_INT(pool_state(pool), POOL_CIRCUIT_ACTIVE);
    check_internal(pool_close(pool));
    CHECK_INT(fx.calls[FX_DESTRUCTOR], 0);
    CHECK(first->owned && second->owned);
    end_with_the_pool();
}

TEST(a_host_hears_of_it_in_one_call)
{
    pool_config_t config = POOL_CONFIG_INIT;
    void *none = &none;
    config.flags = POOL_F_HOST_DRIVEN;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_try_acquire(pool, &none), POOL_PENDING);
    spoil();
    check_internal(pool_try_acquire(pool, &none));
    check_internal(pool_set_asks(pool, 0));
    end_with_the_pool();
}
