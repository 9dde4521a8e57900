/*
 * Handles that dangle: pools and reactors that are gone. They are refused for a while, whatever the host
 * allocates meanwhile (bridge/quarantine.c). Under the address sanitizer each case must end in its report instead.
 * Each case shows P07.
 */
#include "handles.h"
#include "loop.h"
#include "process.h"

#include <malloc.h>

enum { KEPT = 63 }; /* others that may end before a handle is forgotten, one less than the library keeps */

#ifdef __SANITIZE_ADDRESS__
#define CHILD "DANGLING_CHILD" /* set in the environment of a process that is to be reported about */

/* Runs the case in a process of its own, which must be ended with a report. In that process: false. */
static bool reported_instead(const char *name)
{
    char arguments[128], line[512];
    bool reported = false;
    if (getenv(CHILD))
        return false;
    snprintf(arguments, sizeof arguments, "%s 2>&1", name);
    FILE *child = process_again(CHILD, arguments);
    while (fgets(line, sizeof line, child))
        reported |= strstr(line, "heap-use-after-free") != NULL;
    CHECK(pclose(child) != 0);
    CHECK(reported);
    return true;
}
#else
static bool reported_instead(const char *name)
{
    (void)name;
    return false;
}
#endif

/* In a TEST, whose function is called test_ and the name of the case. */
#define REPORTED_INSTEAD reported_instead(__func__ + strlen("test_"))

static void nothing_at_all(void *handle)
{
    handles_no_pool(handle);
    handles_no_op(handle);
    handles_no_reactor(handle);
}

static pool_t *dead_pool(unsigned hooks, uint32_t min)
{
    pool_t *pool = fx_pool(hooks, min, 4);
    fx_finish(pool);
    return pool;
}

TEST(a_pool_that_is_gone_is_none)
{
    if (REPORTED_INSTEAD)
        return;
    for (unsigned hooks = 0; hooks <= FX_WITH_ALL; hooks++) {
        pool_t *dead = dead_pool(hooks, hooks % 3);
        nothing_at_all(dead);
        handles_dead_event(dead);
    }
}

/* The host's blocks of the same size do not get its memory. */
TEST(a_pool_that_is_gone_stays_none_while_the_host_allocates)
{
    enum { BLOCKS = 1000 };
    static void *blocks[BLOCKS];
    if (REPORTED_INSTEAD)
        return;
    pool_t *dead = dead_pool(FX_WITH_ALL, 1);
    for (int i = 0; i < BLOCKS; i++) {
        size_t size = 16 + (size_t)i * 2;
        blocks[i] = malloc(size);
        memset(blocks[i], 0, size);
    }
    nothing_at_all(dead);
    handles_dead_event(dead);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
}

TEST(a_pool_that_is_gone_stays_none_until_so_many_others_have_gone)
{
    if (REPORTED_INSTEAD)
        return;
    pool_t *dead = dead_pool(FX_WITH_ALL, 1);
    for (int i = 0; i < KEPT; i++) {
        pool_t *pool = fx_pool(0, 0, 1);
        CHECK(pool != dead);
        CHECK_PTR(pool_ref(dead), NULL);
        pool_unref(dead);
        CHECK_INT(pool->event.ref_count, 1);
        pool_unref(pool);
    }
    CHECK_STATUS(pool_close(dead), POOL_ERR_INVALID);
    handles_dead_event(dead);
}

TEST(what_a_consumer_reads_of_a_pool_that_is_gone_is_obviously_wrong)
{
    if (REPORTED_INSTEAD)
        return;
    volatile pool_t *dead = dead_pool(FX_WITH_ALL, 1);
    CHECK_PTR(dead->user_data, (void *)0xdbdbdbdbdbdbdbdb); /* no address on any processor */
    CHECK_PTR(dead->wrapper, dead->user_data);
    CHECK_INT(dead->max_size, 0xdbdbdbdb);
}

TEST(a_reactor_that_is_gone_is_none)
{
    if (REPORTED_INSTEAD)
        return;
    pool_reactor_t *alone = pool_reactor_create(), *attached = pool_reactor_create();
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_STATUS(pool_reactor_attach(attached, pool), POOL_OK);
    pool_reactor_unref(alone);
    pool_reactor_unref(attached); /* the pool has it still */
    nothing_at_all(alone);
    CHECK_INT(pool_next_timeout(pool), -1);
    fx_finish(pool);
    nothing_at_all(attached);
}

/* The last release frees the pool; the op that did it may still be asked. */
TEST(a_late_release_ends_the_pool_and_a_second_one_is_refused)
{
    if (REPORTED_INSTEAD)
        return;
    pool_op_t op;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    CHECK_STATUS(pool_op_release(pool, &op, r), POOL_OK);
    CHECK_INT(pool_op_next(&op, NULL, &ask), POOL_ASK_DESTROY);
    CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
    CHECK_INT(pool_debug_live(), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(pool_op_next(&op, &answer, &ask), POOL_ASK_DONE);
        CHECK_STATUS(ask.status, POOL_OK);
        CHECK_STATUS(pool_op_cancel(&op), POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_ERR_INVALID);
    }
    free(r); /* the test was its destructor */
}

/* ---- Keeping costs no more and no more ------------------------------------------------------ */

enum { AT_ONCE = 8 };
static pthread_barrier_t together;

static void *make_end_and_use_after_all(void *arg)
{
    for (int i = 0; i < 200; i++) {
        void *r;
        pool_t *pool = fx_pool(0, 1, 1);
        pthread_barrier_wait(&together);
        pool_unref(pool);
        pthread_barrier_wait(&together); /* so that no more than these end meanwhile */
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_ERR_INVALID);
        pool_unref(pool);
        CHECK_INT(pool->event.info(&pool->event, NULL, 0), strlen("Pool()"));
        pthread_barrier_wait(&together);
    }
    return arg;
}

TEST(threads_that_end_pools_are_refused_each_its_own)
{
    pthread_t threads[AT_ONCE];
    if (REPORTED_INSTEAD)
        return;
    fx.quiet = true;
    pthread_barrier_init(&together, NULL, AT_ONCE);
    for (int i = 0; i < AT_ONCE; i++)
        threads[i] = check_thread(make_end_and_use_after_all, NULL);
    for (int i = 0; i < AT_ONCE; i++)
        check_join(threads[i]);
}

TEST(what_is_kept_does_not_grow)
{
    enum { ROUNDS = 1000 };
    size_t before = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (i == ROUNDS / 2)
            before = mallinfo2().uordblks;
        pool_t *pool = fx_pool(0, 0, 1);
        CHECK(pool_fd(pool) >= 0); /* which gives it a reactor */
        fx_finish(pool);
    }
    size_t after = mallinfo2().uordblks;
    CHECK(after <= before + 4096); /* not a pool more */
}
