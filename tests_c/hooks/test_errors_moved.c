/* What a hook says with pool_set_error() is its own, also when it runs in a coroutine: others run meanwhile on its thread,
 * and it comes back on another. */
#include "coroutine.h"
#include "fixture.h"

static pool_t *pool;

/* Its factory says one thing, waits, and fails. */
static bool speak_wait_and_fail(pool_t *p, fx_resource *r, int call)
{
    (void)r;
    if (call == 1)
        CHECK_STATUS(pool_set_error(p, 17, "the first"), POOL_OK);
    if (co_current)
        co_yield ();
    return false;
}

static void expect(int code, const char *text)
{
    pool_status_t status;
    int got;
    char message[64];
    CHECK_PTR(fx_acquire(pool, 0, &status), NULL);
    CHECK_STATUS(status, POOL_ERR_FACTORY);
    CHECK_STATUS(pool_last_error(&got, message, sizeof message), POOL_ERR_FACTORY);
    CHECK_INT(got, code);
    CHECK_STR(message, text);
}

static void expect_own(void *unused)
{
    (void)unused;
    expect(17, "the first");
}

static void expect_none(void *unused)
{
    (void)unused;
    expect(POOL_ERR_FACTORY, pool_strerror(POOL_ERR_FACTORY));
}

TEST(a_hook_that_fails_in_silence_does_not_take_the_error_of_one_that_waits)
{
    co first, second;
    fx.script[FX_FACTORY] = speak_wait_and_fail;
    pool = fx_pool(0, 0, 2);
    co_start(&first, expect_own, NULL);
    co_start(&second, expect_none, NULL);
    co_resume(&first);
    co_resume(&second);
    co_resume(&second); /* fails while the first waits */
    CHECK(second.done);
    co_resume(&first);
    CHECK(first.done);
    fx_finish(pool);
}

static void *go_on(void *flow)
{
    co_resume(flow);
    return NULL;
}

TEST(an_error_goes_with_its_hook_to_another_thread)
{
    co first, second;
    fx.script[FX_FACTORY] = speak_wait_and_fail;
    pool = fx_pool(0, 0, 2);
    co_start(&first, expect_own, NULL);
    co_start(&second, expect_none, NULL);
    co_resume(&first);
    co_resume(&second);
    check_join(check_thread(go_on, &first));
    CHECK(first.done);
    co_resume(&second); /* here, where the first one spoke */
    CHECK(second.done);
    fx_finish(pool);
}

/* A hook that runs within another of the same pool. */
static bool speak_around_another(pool_t *p, fx_resource *r, int call)
{
    pool_status_t status;
    (void)r;
    if (call == 2)
        return false;
    CHECK_STATUS(pool_set_error(p, 17, "the first"), POOL_OK);
    CHECK_PTR(fx_acquire(p, 0, &status), NULL);
    return false;
}

TEST(a_hook_within_a_hook_leaves_the_error_of_the_outer_one)
{
    fx.script[FX_FACTORY] = speak_around_another;
    pool = fx_pool(0, 0, 2);
    expect(17, "the first");
    fx_finish(pool);
}
