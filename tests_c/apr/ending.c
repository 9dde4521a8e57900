/* Destroying the list or its pool, and the order of that. */
#include "story.h"

TEST(a_list_that_is_destroyed_ends_what_is_idle)
{
    CHECK_INT(story_begin(1, 3, 3, 0), APR_SUCCESS);
    thing_t *thing = take();
    CHECK_INT(give(thing), APR_SUCCESS);
    say("destroy: %d", apr_reslist_destroy(story.list));
    CHECK_INT(story.ended, 1);
    story_end(); /* and its pool does not do it again */
}

TEST(a_list_that_was_never_used_ends_what_it_has_made)
{
    CHECK_INT(story_begin(1, 3, 3, 0), APR_SUCCESS);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    story.end_fails = APR_OS_START_USERERR + 3;
    say("destroy: %d", apr_reslist_destroy(story.list));
    CHECK_INT(story.ended, 1);
    story_end();
}

TEST(a_list_ends_with_its_pool)
{
    CHECK_INT(story_begin(0, 3, 3, 0), APR_SUCCESS);
    CHECK_INT(give(take()), APR_SUCCESS);
    apr_pool_clear(story.pool);
    CHECK_INT(story.ended, 1);
    say("the pool is cleared");
    CHECK_INT(story_begin(1, 3, 3, 0), APR_SUCCESS);
    story_end();
}

TEST(every_destructor_is_called_though_each_fails)
{
    CHECK_INT(story_begin(0, 3, 3, 0), APR_SUCCESS);
    story.quiet = true; /* they end in another order */
    for (int i = 0; i < 3; i++)
        take();
    for (int i = 0; i < 3; i++)
        CHECK_INT(give(&story.things[i]), APR_SUCCESS);
    story.end_fails = APR_OS_START_USERERR + 3;
    say("destroy: %d", apr_reslist_destroy(story.list));
    CHECK_INT(story.ended, 3);
    story_end();
}

static apr_status_t say_it(void *what)
{
    say("%s", (const char *)what);
    return APR_SUCCESS;
}

/* Ends a pool that has cleanups from before and after the list, and a child. */
static void end_in_order(int orders, const apr_uint32_t *order)
{
    apr_pool_t *child;
    CHECK_INT(story_begin(0, 1, 1, 0), APR_SUCCESS);
    apr_pool_destroy(story.pool);
    CHECK_INT(apr_pool_create(&story.pool, NULL), APR_SUCCESS);
    CHECK_INT(apr_pool_create(&child, story.pool), APR_SUCCESS);
    apr_pool_cleanup_register(child, "the child's cleanup", say_it, apr_pool_cleanup_null);
    apr_pool_pre_cleanup_register(story.pool, "a pre-cleanup from before", say_it);
    apr_pool_cleanup_register(story.pool, "a cleanup from before", say_it, apr_pool_cleanup_null);
    CHECK_INT(story_begin(1, 1, 1, 0), APR_SUCCESS);
    apr_pool_cleanup_register(story.pool, "a cleanup from between", say_it, apr_pool_cleanup_null);
    for (int i = 0; i < orders; i++)
        apr_reslist_cleanup_order_set(story.list, order[i]);
    apr_pool_pre_cleanup_register(story.pool, "a pre-cleanup from after", say_it);
    apr_pool_cleanup_register(story.pool, "a cleanup from after", say_it, apr_pool_cleanup_null);
    CHECK_INT(give(take()), APR_SUCCESS);
    story_end();
}

TEST(a_list_ends_at_the_pools_cleanup) { end_in_order(0, NULL); }

TEST(a_list_ends_at_the_pools_cleanup_as_ordered)
{
    end_in_order(1, (const apr_uint32_t[]){APR_RESLIST_CLEANUP_DEFAULT});
}

TEST(a_list_ends_first_as_ordered) { end_in_order(1, (const apr_uint32_t[]){APR_RESLIST_CLEANUP_FIRST}); }

TEST(the_last_order_counts)
{
    end_in_order(
        3, (const apr_uint32_t[]){APR_RESLIST_CLEANUP_FIRST, APR_RESLIST_CLEANUP_FIRST, APR_RESLIST_CLEANUP_DEFAULT});
}

TEST(a_list_that_is_to_end_first_can_be_destroyed)
{
    CHECK_INT(story_begin(1, 1, 1, 0), APR_SUCCESS);
    apr_reslist_cleanup_order_set(story.list, APR_RESLIST_CLEANUP_FIRST);
    CHECK_INT(give(take()), APR_SUCCESS);
    say("destroy: %d", apr_reslist_destroy(story.list));
    CHECK_INT(story.ended, 1);
    story_end();
}
