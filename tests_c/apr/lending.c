/* Creating, acquiring and releasing. */
#include "story.h"

TEST(bad_sizes_are_refused_and_nothing_is_made)
{
    for (int min = -1; min <= 2; min++)
        for (int smax = -1; smax <= 2; smax++)
            for (int hmax = -1; hmax <= 2; hmax++)
                for (int ttl = -1; ttl <= 1; ttl++) {
                    apr_status_t rv = story_begin(min, smax, hmax, ttl);
                    say("%d %d %d %d: %d, %d made", min, smax, hmax, ttl, rv, story.made);
                    if (rv == APR_SUCCESS)
                        CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
                }
    story_end();
}

TEST(a_list_begins_with_min_resources)
{
    CHECK_INT(story_begin(3, 4, 5, 0), APR_SUCCESS);
    CHECK_INT(story.made, 3);
    CHECK_INT(apr_reslist_acquired_count(story.list), 0);
    for (int i = 0; i < 3; i++)
        take();
    CHECK_INT(story.made, 3);
    CHECK_INT(apr_reslist_acquired_count(story.list), 3);
    say("and no more than those");
    take();
    for (int i = 0; i < 4; i++)
        say("back: %d", give(&story.things[i]));
    CHECK_INT(apr_reslist_acquired_count(story.list), 0);
    story_end();
}

TEST(a_constructor_that_fails_fails_the_creation_of_the_list)
{
    story.make_fails = APR_OS_START_USERERR + 7;
    for (story.until_failure = 0; story.until_failure < 3;) {
        int successes = story.until_failure;
        say("%d: %d", successes, story_begin(3, 3, 3, 0));
        CHECK(!story.list);
        CHECK_INT(story.made, story.ended);
        story.until_failure = successes + 1;
    }
    story_end();
}

TEST(a_constructor_that_fails_tells_its_caller_why)
{
    static const apr_status_t statuses[] = {APR_EGENERAL, APR_OS_START_USERERR + 7, 111, 1, -5, -4711};
    void *resource = &story;
    CHECK_INT(story_begin(0, 1, 1, 0), APR_SUCCESS);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        story.until_failure = 0;
        story.make_fails = statuses[i];
        apr_status_t rv = apr_reslist_acquire(story.list, &resource);
        say("%d, %d lent", rv, apr_reslist_acquired_count(story.list));
        CHECK_INT(rv, statuses[i]);
        CHECK_PTR(resource, &story);
    }
    give(take()); /* the place is still there */
    story_end();
}

TEST(hmax_are_lent_and_then_time_is_up)
{
    void *resource = NULL;
    CHECK_INT(story_begin(0, 2, 2, 0), APR_SUCCESS);
    thing_t *a = take(), *b = take();
    for (int timeout = 1; timeout <= 1001; timeout += 1000) {
        apr_reslist_timeout_set(story.list, timeout);
        apr_status_t rv = apr_reslist_acquire(story.list, &resource);
        say("%d: %d", timeout, APR_STATUS_IS_TIMEUP(rv));
        CHECK(APR_STATUS_IS_TIMEUP(rv));
        CHECK(!resource);
    }
    CHECK_INT(give(a), APR_SUCCESS);
    CHECK_PTR(take(), a); /* the others are lent */
    CHECK_INT(give(b), APR_SUCCESS);
    CHECK_INT(give(a), APR_SUCCESS);
    story_end();
}

TEST(what_comes_back_is_lent_again)
{
    CHECK_INT(story_begin(0, 1, 4, 0), APR_SUCCESS);
    for (int i = 0; i < 100; i++)
        CHECK_INT(give(take()), APR_SUCCESS);
    CHECK_INT(story.made, 1);
    story_end();
}

static apr_status_t make_null(void **resource, void *params, apr_pool_t *pool)
{
    (void)params, (void)pool;
    story.made++;
    *resource = NULL;
    return APR_SUCCESS;
}

static apr_status_t unmake_null(void *resource, void *params, apr_pool_t *pool)
{
    (void)params, (void)pool;
    CHECK_PTR(resource, NULL);
    story.ended++;
    return APR_SUCCESS;
}

/* They are told apart by number alone, with their time and without one. */
TEST(several_resources_may_be_the_same_word)
{
    for (int ttl = 0; ttl <= 1; ttl++) {
        void *resource[3] = {&story, &story, &story};
        CHECK_INT(story_begin(0, 0, 1, 0), APR_SUCCESS);
        CHECK_INT(apr_reslist_create(&story.list, 1, 3, 3, apr_time_from_sec(ttl * 3600), make_null, unmake_null,
                                     &story, story.pool),
                  APR_SUCCESS);
        for (int i = 0; i < 3; i++) {
            CHECK_INT(apr_reslist_acquire(story.list, &resource[i]), APR_SUCCESS);
            CHECK_PTR(resource[i], NULL);
        }
        CHECK_INT(apr_reslist_invalidate(story.list, NULL), APR_SUCCESS);
        CHECK_INT(apr_reslist_release(story.list, NULL), APR_SUCCESS);
        say("%d lent, %d made, %d ended", apr_reslist_acquired_count(story.list), story.made, story.ended);
        CHECK_INT(apr_reslist_release(story.list, NULL), APR_SUCCESS);
        later(apr_time_from_sec(3600));
        CHECK_INT(apr_reslist_acquire(story.list, &resource[0]), APR_SUCCESS);
        say("an hour later: %d made, %d ended", story.made, story.ended);
        CHECK_INT(apr_reslist_release(story.list, resource[0]), APR_SUCCESS);
    }
    story_end();
}
