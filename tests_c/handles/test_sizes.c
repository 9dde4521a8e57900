/*
 * Structs of callers of any version, and of none: every struct_size, with memory that ends exactly there, and
 * numbers at the ends of their ranges. Each case shows P07.
 */
#include "edge.h"
#include "fixture.h"

#include <limits.h>

/* What the first versions of the structs reached to: numbers, since the structs grow. */
enum { FIRST = 72, FIRST_SNAPSHOT = 40, FIRST_ASK = 48, FIRST_ANSWER = 32, LARGEST = 4096 };

/* Can a version of a struct have this size? */
static bool possible(size_t size, size_t first)
{
    return size >= first && size <= LARGEST && size % sizeof(void *) == 0;
}

static atomic_int made;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &made;
    made++;
    return true;
}

static pool_config_t good_config(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.min_size = 1;
    return config;
}

/* With so many bytes of a configuration; the rest of what it claims to be is zero, but for the one at dirty. */
static pool_status_t create_with(size_t claimed, size_t dirty)
{
    pool_config_t config = good_config();
    size_t there = claimed < sizeof claimed ? sizeof claimed : claimed;
    char *given = edge_alloc(there);
    memcpy(given, &config, there < sizeof config ? there : sizeof config);
    memcpy(given, &claimed, sizeof claimed);
    if (dirty)
        given[dirty] = 1;
    pool_t *pool = (pool_t *)&config;
    made = 0;
    pool_status_t status = pool_create_ex((pool_config_t *)given, &pool);
    CHECK((pool != NULL) == (status == POOL_OK));
    CHECK_INT(made, status == POOL_OK);
    pool_unref(pool);
    edge_free(given, there);
    return status;
}

/* Shows P05. */
TEST(every_size_of_a_configuration_is_taken_or_refused_and_not_read_behind)
{
    for (size_t size = 0; size <= LARGEST; size++) {
        CHECK_STATUS(create_with(size, 0), possible(size, FIRST) ? POOL_OK : POOL_ERR_INVALID);
        if (possible(size, FIRST) && size > sizeof(pool_config_t)) {
            CHECK_STATUS(create_with(size, sizeof(pool_config_t)), POOL_ERR_INVALID);
            CHECK_STATUS(create_with(size, size - 1), POOL_ERR_INVALID);
        }
    }
}

/* The struct is not believed to go on as far as it says. */
TEST(a_size_that_is_none_is_refused_unread)
{
    static const size_t sizes[] = {LARGEST + 8, 1 << 16, INT32_MAX, UINT32_MAX, SIZE_MAX / 2, SIZE_MAX - 7, SIZE_MAX};
    pool_config_t config = good_config(), *given = edge_alloc(sizeof config);
    pool_snapshot_t *s = edge_alloc(sizeof *s);
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pool_t *out = pool;
        *given = config;
        given->struct_size = sizes[i];
        CHECK_STATUS(pool_create_ex(given, &out), POOL_ERR_INVALID);
        CHECK_PTR(out, NULL);
        s->struct_size = sizes[i];
        CHECK_STATUS(pool_snapshot(pool, s), POOL_ERR_INVALID);
        CHECK_INT(s->max, 0); /* nothing was written */
    }
    edge_free(given, sizeof *given);
    edge_free(s, sizeof *s);
    pool_unref(pool);
}

TEST(every_size_of_a_snapshot_is_filled_or_refused_and_not_written_behind)
{
    pool_t *pool = fx_pool(0, 1, 3);
    for (size_t size = 0; size <= LARGEST; size++) {
        size_t there = size < sizeof size ? sizeof size : size;
        unsigned char *given = edge_alloc(there);
        memset(given, 0x5a, (there + 7) / 8 * 8);
        memcpy(given, &size, sizeof size);
        bool taken = possible(size, FIRST_SNAPSHOT);
        CHECK_STATUS(pool_snapshot(pool, (pool_snapshot_t *)given), taken ? POOL_OK : POOL_ERR_INVALID);
        for (size_t i = sizeof size; i < (there + 7) / 8 * 8; i++) { /* unchanged, or zero where unknown */
            if (!taken || i >= size)
                CHECK_INT(given[i], 0x5a);
            else if (i >= sizeof(pool_snapshot_t))
                CHECK_INT(given[i], 0);
        }
        if (taken)
            CHECK_INT(((pool_snapshot_t *)given)->max, 3);
        edge_free(given, there);
    }
    fx_finish(pool);
}

/* An ask of a size that is none cannot be answered, so the op stays where it is. */
TEST(every_size_of_an_ask_is_filled_or_moves_nothing_and_is_not_written_behind)
{
    pool_op_t op;
    pool_t *pool = fx_pool(0, 0, 1);
    for (size_t size = 0; size <= LARGEST + 8; size++) {
        size_t there = size < sizeof size ? sizeof size : size;
        unsigned char *given = edge_alloc(there);
        pool_ask_t *ask = (pool_ask_t *)given;
        CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
        memset(given, 0x5a, (there + 7) / 8 * 8);
        memcpy(given, &size, sizeof size);
        if (!possible(size, FIRST_ASK)) {
            CHECK_INT(pool_op_next(&op, NULL, ask), POOL_ASK_DONE);
            CHECK_COUNTS(pool, 0, 0, 0);
            for (size_t i = sizeof size; i < there; i++)
                CHECK_INT(given[i], 0x5a);
        } else {
            CHECK_INT(pool_op_next(&op, NULL, ask), POOL_ASK_CREATE);
            CHECK_INT(ask->struct_size, size);
            CHECK_INT(ask->kind, POOL_ASK_CREATE);
            for (size_t i = sizeof *ask; i < size; i++) /* nothing is known here that a newer header has */
                CHECK_INT(given[i], 0);
            CHECK_INT(pool_op_next(&op, NULL, ask), POOL_ASK_DONE);
            CHECK_STATUS(ask->status, POOL_ERR_FACTORY);
        }
        edge_free(given, there);
    }
    fx_finish(pool);
}

/* One answer, of a struct of that size with a byte set; was it heard? */
static bool answered(pool_t *pool, size_t size, size_t dirty)
{
    static int resource;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    const pool_answer_t good = {sizeof good, true, &resource, 0, 0};
    size_t there = size < sizeof size ? sizeof size : size > LARGEST ? sizeof good : size;
    char *given = edge_alloc(there);
    memcpy(given, &good, there < sizeof good ? there : sizeof good);
    memcpy(given, &size, sizeof size);
    if (dirty)
        given[dirty] = 1;
    CHECK_STATUS(pool_op_acquire(pool, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_CREATE);
    CHECK_INT(pool_op_next(&op, (pool_answer_t *)given, &ask), POOL_ASK_DONE);
    edge_free(given, there);
    if (ask.status == POOL_ERR_FACTORY)
        return false;
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_PTR(ask.resource, &resource);
    CHECK_STATUS(pool_op_release(pool, &op, &resource), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(pool_op_sweep(pool, &op), POOL_OK); /* finds it dead */
    for (int kind = pool_op_next(&op, NULL, &ask); kind != POOL_ASK_DONE;)
        kind = pool_op_next(&op, NULL, &ask);
    return true;
}

TEST(every_size_of_an_answer_is_heard_or_a_failure_and_not_read_behind)
{
    static const size_t none[] = {LARGEST + 8, INT32_MAX, UINT32_MAX, SIZE_MAX - 7, SIZE_MAX};
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_HOST_DRIVEN;
    config.asks = POOL_ASKS_HEALTHCHECK;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    for (size_t size = 0; size <= LARGEST; size++) {
        CHECK_INT(answered(pool, size, 0), possible(size, FIRST_ANSWER));
        if (possible(size, FIRST_ANSWER) && size > sizeof(pool_answer_t))
            CHECK(!answered(pool, size, sizeof(pool_answer_t)) && !answered(pool, size, size - 1));
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CHECK(!answered(pool, none[i], 0));
    CHECK_COUNTS(pool, 0, 0, 0);
    pool_unref(pool);
}

/* ---- Numbers ---------------------------------------------------------------------------------- */

TEST(flags_and_asks_that_are_unknown_are_refused_bit_by_bit)
{
    const uint32_t flags =
        POOL_F_HOST_DRIVEN | POOL_F_REACTOR | POOL_F_LIFO | POOL_F_CREATE_BEHIND | POOL_F_LAZY_MIN | POOL_F_TIMED;
    const uint32_t asks = POOL_ASKS_DESTROY | POOL_ASKS_HEALTHCHECK | POOL_ASKS_BEFORE_ACQUIRE |
                          POOL_ASKS_BEFORE_RELEASE | POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER | POOL_ASKS_LEAKED;
    const uint32_t of_a_strategy = POOL_ASKS_REPORTS | POOL_ASKS_SHOULD_RECOVER;
    for (int bit = 0; bit < 32; bit++) {
        uint32_t one = (uint32_t)1 << bit;
        pool_config_t config = good_config(), driven = POOL_CONFIG_INIT;
        pool_t *pool;
        driven.flags = POOL_F_HOST_DRIVEN;
        driven.asks = one;
        CHECK_STATUS(pool_create_ex(&driven, &pool), one & asks ? POOL_OK : POOL_ERR_INVALID);
        pool_unref(pool);
        driven.asks = 0;
        CHECK_STATUS(pool_create_ex(&driven, &pool), POOL_OK);
        CHECK_STATUS(pool_set_asks(pool, one), one & of_a_strategy ? POOL_OK : POOL_ERR_INVALID);
        pool_unref(pool);
        config.asks = one; /* of no use to a pool with handlers */
        CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
        config.asks = 0;
        config.flags = one;
        if (one & flags)
            continue;
        CHECK_STATUS(pool_create_ex(&config, &pool), POOL_ERR_INVALID);
        CHECK_PTR(pool, NULL);
    }
}

TEST(timeouts_and_deadlines_at_the_ends_of_their_range)
{
    static const int64_t negative[] = {-1, INT32_MIN, INT64_MIN + 1, INT64_MIN};
    static const int64_t huge[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX / 1000000, INT64_MAX / 1000000 + 1};
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    for (int i = 0; i < 4; i++) {
        void *none;
        CHECK_STATUS(pool_acquire(pool, &none, negative[i]), POOL_ERR_INVALID);
        CHECK_STATUS(pool_op_acquire(pool, &op, negative[i]), POOL_ERR_INVALID);
        CHECK(!pool_op_join(pool, &op, negative[i]));
        CHECK_STATUS(pool_op_acquire(pool, &op, huge[i]), POOL_OK);
        CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
        CHECK(ask.until_ns > INT64_MAX / 2 && pool_op_until_ns(&op) == ask.until_ns);
        CHECK_STATUS(pool_op_wait(&op, negative[i]), POOL_ERR_TIMEOUT); /* long past */
        CHECK_STATUS(pool_op_wait(&op, 0), POOL_ERR_TIMEOUT);
        CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
    }
    CHECK_COUNTS(pool, 0, 1, 0);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(sizes_and_times_may_be_as_large_as_their_type)
{
    pool_config_t config = good_config();
    pool_t *pool;
    config.max_size = UINT32_MAX;
    config.healthcheck_interval_ms = UINT32_MAX;
    config.recovering_limit = UINT32_MAX;
    config.flags = POOL_F_REACTOR;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_strategy_threshold(pool, UINT32_MAX, UINT32_MAX, UINT32_MAX), POOL_OK);
    CHECK_STATUS(pool_recover(pool), POOL_OK);
    for (int i = 0; i < 100; i++) {
        void *r;
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    }
    for (int i = 0; i < 100; i++)
        CHECK_STATUS(pool_release(pool, &made), POOL_OK);
    CHECK_COUNTS(pool, 100, 0, 0);
    pool_unref(pool);
}

/* Read as far as 63 bytes and no further. */
TEST(a_name_needs_no_end)
{
    pool_config_t config = good_config();
    pool_t *pool;
    char *name = edge_alloc(64);
    memset(name, 'n', 64);
    config.name = name + 1; /* 63 bytes, and then nothing */
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    char text[128];
    void *r;
    CHECK_STATUS(pool_close(pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_ERR_CLOSED);
    CHECK_STATUS(pool_last_error(NULL, text, sizeof text), POOL_ERR_CLOSED);
    CHECK(memcmp(text, name + 1, 63) == 0 && text[63] == ':');
    pool_unref(pool);
    edge_free(name, 64);
}

/* ---- Pointers --------------------------------------------------------------------------------- */

TEST(out_pointers_that_are_null_or_the_same)
{
    pool_config_t config = good_config();
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(NULL, &pool), POOL_ERR_INVALID);
    CHECK_STATUS(pool_create_ex(&config, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_create_ex(NULL, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, NULL, 0), POOL_ERR_INVALID);
    CHECK_STATUS(pool_try_acquire(pool, NULL), POOL_ERR_INVALID);
    CHECK_STATUS(pool_snapshot(pool, NULL), POOL_ERR_INVALID);
    CHECK_INT(pool_op_next(NULL, NULL, NULL), POOL_ASK_DONE);
    CHECK_STATUS(pool_op_acquire(pool, NULL, 0), POOL_ERR_INVALID);
    CHECK(!pool_op_join(pool, NULL, 0));
    CHECK_COUNTS(pool, 1, 0, 0);

    union {
        int code;
        char text[64];
    } both; /* the text is written last */
    CHECK_STATUS(pool_last_error(&both.code, both.text, sizeof both.text), POOL_ERR_INVALID);
    CHECK(strnlen(both.text, sizeof both.text) < sizeof both.text);

    pool_t *kept = pool; /* the handle's own place is written over with the resource, as asked */
    CHECK_STATUS(pool_acquire(pool, (void **)&pool, 0), POOL_OK);
    CHECK_PTR(pool, (void *)&made);
    CHECK_STATUS(pool_release(kept, pool), POOL_OK);
    pool_unref(kept);
}
