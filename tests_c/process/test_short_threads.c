/*
 * 10,000 threads that each enter Go once and are gone: the runtime's part of a thread is given back with it, so
 * memory, threads and descriptors stay what they were after the first ones.
 * Each case shows R45, P15, P19.
 */
#include "fixture.h"
#include "process.h"

enum { ALL = 10000, WARM = 1000, BATCH = 100, MOST_THREADS = 48, MOST_KB = 2048 };

static pool_t *pool;

static void *visit(void *arg)
{
    CHECK_INT(pool_debug_crossings(), 0); /* the thread is new, */
    fx_give(pool, fx_take(pool));
    CHECK_STATUS(pool_activate(pool), POOL_OK); /* the breaker is the core's */
    CHECK(pool_debug_crossings() > 0);          /* so it has been in Go */
    return arg;
}

static void one_after_the_other(int n)
{
    for (int i = 0; i < n; i++)
        check_join(check_thread(visit, NULL));
}

static void in_batches(int n)
{
    pthread_t threads[BATCH];
    for (int done = 0; done < n; done += BATCH) {
        for (int i = 0; i < BATCH; i++)
            threads[i] = check_thread(visit, NULL);
        for (int i = 0; i < BATCH; i++)
            check_join(threads[i]);
    }
}

static void stay_flat(void (*visits)(int n))
{
    fx.quiet = true;
    pool = fx_pool(FX_WITH_ACQUIRE, 1, BATCH);
    visits(WARM);
    long kb = process_resident_kb();
    int descriptors = process_descriptors(), visited = WARM;
    /* All of them, but for a sanitizer's on a slow machine: those take a hundred times as long. */
    while (visited < ALL && (CHECK_SLOWDOWN == 1 || check_time_left())) {
        visits(WARM);
        visited += WARM;
    }
    WAIT_FOR(process_threads() <= MOST_THREADS); /* one that was joined may need a moment to be gone */
    long grown = process_resident_kb() - kb;
    printf("%d threads: %ld KB more than after the first %d, %d threads now\n", visited, grown, WARM,
           process_threads());
    CHECK_INT(process_descriptors(), descriptors);
    CHECK(!PROCESS_MEMORY_TELLS || grown < MOST_KB * CHECK_SLOWDOWN);
    CHECK_INT(fx.calls[FX_BEFORE_ACQUIRE] + fx.created - 1, visited);
    fx_finish(pool);
}

TEST(ten_thousand_threads_one_after_the_other) { stay_flat(one_after_the_other); }
TEST(ten_thousand_threads_in_batches) { stay_flat(in_batches); }
