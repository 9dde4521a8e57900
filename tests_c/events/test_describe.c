/* A pool in one line: pool_describe(), which is what its event says as well. Each case shows B91. */
#include "edge.h"
#include "fixture.h"

static pool_t *named(const char *name)
{
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = name;
    config.flags = POOL_F_HOST_DRIVEN;
    config.max_size = 3;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    return pool;
}

static void check_text(pool_t *pool, const char *want)
{
    char text[256], same[256];
    CHECK_INT(pool_describe(pool, text, sizeof text), strlen(want));
    CHECK_STR(text, want);
    CHECK_INT(pool->event.info(&pool->event, same, sizeof same), strlen(want));
    CHECK_STR(same, want);
}

TEST(it_tells_the_name_and_what_is_so_now)
{
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = named("db");
    check_text(pool, "Pool(name=db, idle=0, active=0, reserved=0, waiting=0, max=3)");
    CHECK_STATUS(pool_op_close(pool, &op), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    check_text(pool, "Pool(name=db, idle=0, active=0, reserved=0, waiting=0, max=3)");
    pool_unref(pool);
    pool = named("100 %s, a=b)\n");
    check_text(pool, "Pool(name=100 %s, a=b)\n, idle=0, active=0, reserved=0, waiting=0, max=3)");
    pool_unref(pool);
    pool = named("");
    check_text(pool, "Pool(idle=0, active=0, reserved=0, waiting=0, max=3)");
    pool_unref(pool);
}

TEST(it_follows_what_happens_and_never_enters_go)
{
    pool_t *pool = fx_pool(0, 0, 2);
    fx_resource *r = fx_take(pool);
    uint64_t before = pool_debug_crossings();
    check_text(pool, "Pool(idle=0, active=1, reserved=0, waiting=0, max=2)");
    CHECK_INT(pool_debug_crossings() - before, 0);
    fx_give(pool, r);
    check_text(pool, "Pool(idle=1, active=0, reserved=0, waiting=0, max=2)");
    CHECK_STATUS(pool_resize(pool, 0, 7), POOL_OK);
    check_text(pool, "Pool(idle=1, active=0, reserved=0, waiting=0, max=7)");
    fx_finish(pool);
}

TEST(it_is_cut_as_snprintf_cuts)
{
    const char *whole = "Pool(name=db, idle=0, active=0, reserved=0, waiting=0, max=3)";
    size_t length = strlen(whole);
    pool_t *pool = named("db");
    CHECK_INT(pool_describe(pool, NULL, 0), length);
    for (size_t size = 1; size <= length + 8; size++) {
        char *buffer = edge_alloc(size);
        CHECK_INT(pool_describe(pool, buffer, size), length);
        size_t fits = size - 1 < length ? size - 1 : length;
        CHECK_INT(strlen(buffer), fits);
        CHECK(memcmp(buffer, whole, fits) == 0);
        edge_free(buffer, size);
    }
    char untouched = '#';
    CHECK_INT(pool_describe(pool, &untouched, 0), length);
    CHECK_INT(untouched, '#');
    pool_unref(pool);
}

TEST(what_is_no_pool_is_told_as_such_and_so_is_a_buffer_that_is_none)
{
    char text[32], why[128];
    pool_t *pool = named("db");
    CHECK_INT(pool_describe(NULL, text, sizeof text), strlen("Pool()"));
    CHECK_STR(text, "Pool()");
    CHECK_STATUS(pool_last_error(NULL, why, sizeof why), POOL_ERR_INVALID);
    CHECK_STR(why, "pool_describe: pool is NULL or no pool");
    CHECK_INT(pool_describe(NULL, NULL, 0), strlen("Pool()"));
    CHECK_INT(pool_describe(pool, NULL, 1), 0);
    CHECK_STATUS(pool_last_error(NULL, why, sizeof why), POOL_ERR_INVALID);
    CHECK_STR(why, "pool_describe: buffer is NULL, and size is not 0");
    CHECK_INT(pool->event.info(&pool->event, NULL, 1), 0);
    pool_unref(pool);
}

TEST(the_longest_text_fits_into_256_bytes)
{
    char name[80], text[256];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    pool_t *pool = named(name);
    size_t length = pool_describe(pool, text, sizeof text);
    CHECK_INT(strlen(text), length);
    CHECK(length + 4 * strlen("429496729") + strlen("429496729") < sizeof text); /* each number with ten digits */
    pool_unref(pool);
}

/* ---- from inside each hook ---- */

static int described;

static void describe_here(pool_t *pool)
{
    char text[256];
    size_t length = pool_describe(pool, text, sizeof text);
    CHECK_INT(strlen(text), length);
    CHECK(strncmp(text, "Pool(idle=", strlen("Pool(idle=")) == 0);
    described++;
}

static bool factory(pool_t *pool, void **resource)
{
    static int word;
    describe_here(pool);
    *resource = &word;
    return true;
}

static bool check(pool_t *pool, void *resource)
{
    (void)resource;
    describe_here(pool);
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    (void)resource;
    describe_here(pool);
}

TEST(hooks_may_ask_for_it)
{
    void *resource;
    pool_t *pool = pool_create_internal(factory, destructor, NULL, check, check, 0, 1, 0);
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, resource), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &resource, 0), POOL_OK);
    CHECK_STATUS(pool_discard(pool, resource), POOL_OK);
    pool_unref(pool);
    CHECK_INT(described, 4); /* factory, before_release, before_acquire, destructor */
}
