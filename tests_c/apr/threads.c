/* Threads at a list, and those that wait. */
#include "story.h"

enum { THREADS = 8, PLACES = 3, CYCLES = 1000 };

static atomic_int lent, most;

static void *work(void *seed)
{
    unsigned random = (unsigned)(uintptr_t)seed;
    for (int i = 0; i < CYCLES / CHECK_SLOWDOWN; i++) {
        thing_t *thing = take();
        int now = atomic_fetch_add(&lent, 1) + 1;
        for (int seen = most; now > seen && !atomic_compare_exchange_weak(&most, &seen, now);)
            ;
        random = random * 1103515245 + 12345;
        if (random >> 16 & 1)
            sched_yield();
        atomic_fetch_sub(&lent, 1);
        if ((random >> 17 & 31) == 0)
            CHECK_INT(apr_reslist_invalidate(story.list, thing), APR_SUCCESS);
        else
            CHECK_INT(give(thing), APR_SUCCESS);
        if ((random >> 22 & 63) == 0)
            CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    }
    return NULL;
}

static void crowd(int min, int smax, apr_interval_time_t ttl)
{
    pthread_t threads[THREADS];
    lent = most = 0;
    CHECK_INT(story_begin(min, smax, PLACES, ttl), APR_SUCCESS);
    for (uintptr_t i = 0; i < THREADS; i++)
        threads[i] = check_thread(work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        check_join(threads[i]);
    CHECK(most <= PLACES);
    CHECK_INT(apr_reslist_acquired_count(story.list), 0);
    CHECK(story.made - story.ended <= PLACES);
    CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
    CHECK_INT(story.made, story.ended);
    story.made = story.ended = 0;
    say("%d %d %d: all are back", min, smax, (int)ttl);
}

TEST(a_crowd_shares_hmax_resources)
{
    story.quiet = true;
    crowd(0, PLACES, 0);
    crowd(1, 2, 0);
    crowd(1, 2, 1000);
    crowd(PLACES, PLACES, 1);
    story_end();
}

static void *take_one(void *arg)
{
    thing_t **got = arg;
    *got = take();
    return NULL;
}

/* A thread that may wait already, or not yet, gets what comes. */
TEST(who_waits_gets_what_comes_back)
{
    thing_t *got = NULL;
    CHECK_INT(story_begin(0, 1, 1, 0), APR_SUCCESS);
    thing_t *thing = take();
    pthread_t waiter = check_thread(take_one, &got);
    CHECK_INT(give(thing), APR_SUCCESS);
    check_join(waiter);
    CHECK_PTR(got, thing);
    CHECK_INT(give(got), APR_SUCCESS);
    story_end();
}

TEST(who_waits_makes_another_after_an_invalidation)
{
    thing_t *got = NULL;
    CHECK_INT(story_begin(0, 1, 1, 0), APR_SUCCESS);
    apr_reslist_timeout_set(story.list, apr_time_from_sec(3600));
    thing_t *thing = take();
    pthread_t waiter = check_thread(take_one, &got);
    CHECK_INT(apr_reslist_invalidate(story.list, thing), APR_SUCCESS);
    check_join(waiter);
    CHECK_INT(got->number, 2);
    CHECK_INT(give(got), APR_SUCCESS);
    story_end();
}
