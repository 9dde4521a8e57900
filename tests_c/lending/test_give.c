/*
 * pool_give(): takes back what takes no decision, and otherwise leaves all as it is. What must come then is an op that its
 * caller drives, so no hook runs inside of the call.
 */
#include "check.h"

static int made, asked, destroyed;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = (void *)(uintptr_t)++made;
    return true;
}

static void destroy(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    destroyed++;
}

static bool agree(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    asked++;
    return true;
}

static pool_t *new_pool(pool_config_t config)
{
    pool_t *pool;
    config.factory = make;
    config.destructor = destroy;
    made = asked = destroyed = 0;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void *take(pool_t *pool)
{
    void *resource;
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
    return resource;
}

/* It takes an op, nothing has changed, and the op gives it back. */
static void check_left_to_op(pool_t *pool, void *resource, pool_ask_kind_t first)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = POOL_ANSWER_INIT;
    yes.ok = true;
    int gone = destroyed;
    uint32_t active = pool_active_count(pool);
    CHECK_STATUS(pool_give(pool, resource), POOL_PENDING);
    CHECK_STATUS(pool_give(pool, resource), POOL_PENDING);
    CHECK_INT(pool_active_count(pool), active);
    CHECK_INT(asked, 0);
    CHECK_INT(destroyed, gone);
    CHECK_STATUS(pool_op_release(pool, &op, resource), POOL_OK);
    pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask);
    CHECK_INT(kind, first);
    while (kind != POOL_ASK_DONE)
        kind = pool_op_next(&op, &yes, &ask);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_INT(pool_active_count(pool), active - 1);
    CHECK_STATUS(pool_give(pool, resource), POOL_ERR_NOT_OWNED);
}

static void finish(pool_t *pool)
{
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 0);
}

TEST(what_takes_no_decision_is_taken_back)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 2;
    pool_t *pool = new_pool(config);
    void *one = take(pool), *two = take(pool);
    CHECK_STATUS(pool_give(pool, one), POOL_OK);
    CHECK_COUNTS(pool, 1, 1, 0);
    CHECK_STATUS(pool_give(pool, one), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_give(pool, &two), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_give(pool, two), POOL_OK);
    CHECK_PTR(pool_take(pool), one); /* the oldest, as ever */
    CHECK_STATUS(pool_give(pool, one), POOL_OK);
    CHECK_COUNTS(pool, 2, 0, 0);
    finish(pool);
}

TEST(a_hook_is_not_asked_by_it)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 1;
    config.before_release = agree;
    pool_t *pool = new_pool(config);
    check_left_to_op(pool, take(pool), POOL_ASK_BEFORE_RELEASE);
    finish(pool);
}

static void hears(pool_t *pool, void *ctx) { (void)pool, (void)ctx; }
static void hears_of_failure(pool_t *pool, const pool_error_t *error, void *ctx) { (void)pool, (void)error, (void)ctx; }
static bool recovers(pool_t *pool, void *ctx) { return (void)pool, (void)ctx, true; }

TEST(a_strategy_is_not_told_by_it)
{
    pool_circuit_breaker_strategy_t strategy = {hears, hears_of_failure, recovers, NULL, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 1;
    pool_t *pool = new_pool(config);
    CHECK_STATUS(pool_set_strategy(pool, &strategy), POOL_OK);
    check_left_to_op(pool, take(pool), POOL_ASK_REPORT_SUCCESS);
    finish(pool);
}

TEST(a_closed_pool_destroys_nothing_in_it)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 1;
    pool_t *pool = new_pool(config);
    void *one = take(pool);
    CHECK_STATUS(pool_close(pool), POOL_OK);
    check_left_to_op(pool, one, POOL_ASK_DESTROY);
    finish(pool);
}

TEST(what_was_evicted_is_left_to_an_op)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 1;
    pool_t *pool = new_pool(config);
    void *one = take(pool);
    CHECK_STATUS(pool_evict(pool), POOL_OK);
    check_left_to_op(pool, one, POOL_ASK_DESTROY);
    finish(pool);
}

TEST(what_is_worn_is_left_to_an_op_and_before_it_is_taken_back)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 1;
    config.max_uses = 2;
    pool_t *pool = new_pool(config);
    void *one = take(pool);
    CHECK_STATUS(pool_give(pool, one), POOL_OK);
    CHECK_PTR(pool_take(pool), one);
    check_left_to_op(pool, one, POOL_ASK_DESTROY);
    finish(pool);
}

static int resumed;

static bool never_suspends(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    return false;
}

static void resume(void *ctx, pool_op_t *op)
{
    (void)ctx, (void)op;
    resumed++;
}

TEST(who_stands_in_line_is_served)
{
    const pool_scheduler_t scheduler = {never_suspends, resume, NULL};
    pool_config_t config = POOL_CONFIG_INIT;
    config.max_size = 1;
    config.scheduler = &scheduler;
    pool_t *pool = new_pool(config);
    pool_op_t first = {.data = NULL}, second = {.data = NULL};
    void *one = take(pool);
    CHECK(pool_op_join(pool, &first, 0));
    CHECK(pool_op_join(pool, &second, 0));
    CHECK_STATUS(pool_give(pool, one), POOL_OK);
    CHECK_INT(resumed, 1);
    CHECK_PTR(pool_op_take(&second), NULL);
    CHECK_PTR(pool_op_take(&first), one);
    CHECK_STATUS(pool_give(pool, one), POOL_OK);
    CHECK_INT(resumed, 2);
    CHECK_PTR(pool_op_take(&second), one);
    CHECK_STATUS(pool_give(pool, one), POOL_OK);
    CHECK_COUNTS(pool, 1, 0, 0);
    finish(pool);
}

TEST(a_host_driven_pool_with_a_line_has_its_host_drive)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    pool_op_t op, waiter;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = {sizeof answer, true, &op, 0, 0};
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK(!pool_op_join(pool, &op, 0));
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_STATUS(pool_give(pool, &op), POOL_OK);
    CHECK_PTR(pool_take(pool), &op);
    CHECK(pool_op_join(pool, &waiter, 0));
    CHECK_STATUS(pool_give(pool, &op), POOL_PENDING);
    CHECK_PTR(pool_hand_on(pool, &op), &waiter);
    CHECK_PTR(pool_op_take(&waiter), &op);
    CHECK_STATUS(pool_give(pool, &op), POOL_OK);
    pool_op_t close;
    CHECK_STATUS(pool_op_close(pool, &close), POOL_OK);
    while (pool_op_next(&close, NULL, &ask) != POOL_ASK_DONE)
        ;
    finish(pool);
}
