/*
 * Handles that are none: NULL, numbers, foreign memory, things of another kind, copies. What was freed
 * is in test_dangling.c. Each case shows P07.
 */
#define _GNU_SOURCE
#include "handles.h"

#include <sys/mman.h>
#include <unistd.h>

static void nothing_at_all(void *handle)
{
    handles_no_pool(handle);
    handles_no_op(handle);
    handles_no_reactor(handle);
}

TEST(null_and_small_numbers_are_no_handles)
{
    static const uintptr_t numbers[] = {0, 1, 2, 3, 8, 42, 64, 1000, 4095};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        nothing_at_all((void *)numbers[i]);
}

/* Memory that is not even looked at for writing: it cannot be written. */
static unsigned char *read_only(unsigned char (*fill)(size_t i), size_t size)
{
    unsigned char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    for (size_t i = 0; i < size; i++)
        memory[i] = fill(i);
    CHECK_INT(mprotect(memory, size, PROT_READ), 0);
    return memory;
}

static unsigned char zeros(size_t i) { return (void)i, 0; }
static unsigned char ones(size_t i) { return (void)i, 0xff; }
static unsigned char counts(size_t i) { return (unsigned char)i; }

static unsigned char noise(size_t i)
{
    static uint64_t state = 88172645463325252u;
    (void)i;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned char)state;
}

TEST(foreign_memory_is_no_handle_and_is_not_written)
{
    enum { SIZE = 64 << 10, STEP = 1021 };
    static unsigned char (*const fills[])(size_t) = {zeros, ones, counts, noise};
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        unsigned char *memory = read_only(fills[i], SIZE);
        for (size_t at = 0; at < SIZE / 2; at += STEP) /* aligned at first, and then in every way */
            nothing_at_all(memory + at);
        munmap(memory, SIZE);
    }
}

TEST(a_pool_a_reactor_and_an_op_are_not_each_other)
{
    pool_op_t op = {0}; /* all of it is looked at as if it were something else */
    pool_ask_t ask = POOL_ASK_INIT;
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 2);
    pool_t *full = fx_pool(0, 0, 1);
    pool_reactor_t *reactor = pool_reactor_create();
    fx_resource *r = fx_take(pool), *other = fx_take(full);
    CHECK_STATUS(pool_op_acquire(full, &op, 0), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_WAIT);
    handles_no_op(pool);
    handles_no_reactor(pool);
    handles_no_pool(reactor);
    handles_no_op(reactor);
    handles_no_pool(&op);
    handles_no_reactor(&op);
    CHECK_COUNTS(full, 0, 1, 1);
    fx_give(full, other);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DONE);
    CHECK_STATUS(ask.status, POOL_OK);
    CHECK_STATUS(pool_release(full, ask.resource), POOL_OK);
    fx_give(pool, r);
    pool_reactor_unref(reactor);
    pool_unref(full);
    fx_finish(pool);
}

/* Byte for byte a pool, but not where a pool is; and what is a few bytes away from one. */
TEST(a_copy_of_a_pool_and_an_address_beside_one_are_no_pools)
{
    static const ptrdiff_t beside[] = {1, 4, 8, 64, 128};
    pool_t *pool = fx_pool(FX_WITH_ALL, 2, 2), before = *pool;
    fx_resource *r = fx_take(pool);
    char *copy = calloc(2, sizeof *pool);
    memcpy(copy, pool, sizeof *pool);                             /* as much as a consumer knows of it */
    memcpy(copy + sizeof *pool, (char *)pool + sizeof *pool, 16); /* and where the magic number is */
    nothing_at_all(copy);
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        nothing_at_all((char *)pool + beside[i]);
    CHECK_INT(memcmp(pool, &before, sizeof before), 0);
    CHECK_COUNTS(pool, 1, 1, 0);
    free(copy);
    fx_give(pool, r);
    fx_finish(pool);
}
