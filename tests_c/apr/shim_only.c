/* Where examples/apr does what libaprutil does not, as its README says. */
#include "story.h"

#include <apr_general.h>
#include <sys/wait.h>
#include <unistd.h>

static thing_t *of(int number) { return &story.things[number - 1]; }

TEST(what_was_idle_longest_is_lent_first)
{
    CHECK_INT(story_begin(0, 3, 3, 0), APR_SUCCESS);
    for (int i = 0; i < 3; i++)
        take();
    for (int i = 3; i >= 1; i--)
        CHECK_INT(give(of(i)), APR_SUCCESS);
    for (int i = 3; i >= 1; i--)
        CHECK_PTR(take(), of(i));
    for (int i = 1; i <= 3; i++)
        CHECK_INT(give(of(i)), APR_SUCCESS);
    story_end();
}

TEST(what_is_not_lent_is_refused)
{
    thing_t foreign = {0};
    CHECK_INT(story_begin(1, 1, 1, apr_time_from_sec(3600)), APR_SUCCESS);
    CHECK_INT(give(of(1)), APR_EINVAL); /* nothing was lent yet */
    CHECK_INT(apr_reslist_invalidate(story.list, of(1)), APR_EINVAL);
    thing_t *thing = take();
    CHECK_INT(give(&foreign), APR_EINVAL);
    CHECK_INT(apr_reslist_invalidate(story.list, &foreign), APR_EINVAL);
    CHECK_INT(give(thing), APR_SUCCESS);
    CHECK_INT(give(thing), APR_EINVAL);
    CHECK_INT(apr_reslist_invalidate(story.list, thing), APR_EINVAL);
    CHECK_INT(story.ended, 0);
    story_end();
}

TEST(a_destroyed_list_lends_nothing_and_ends_what_comes_back)
{
    void *resource = NULL;
    CHECK_INT(story_begin(0, 2, 2, apr_time_from_sec(3600)), APR_SUCCESS);
    thing_t *a = take(), *b = take();
    CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
    CHECK_INT(apr_reslist_acquire(story.list, &resource), APR_EINVAL);
    CHECK_INT(apr_reslist_acquired_count(story.list), 2);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    CHECK_INT(give(a), APR_SUCCESS);
    CHECK(a->ended);
    CHECK_INT(apr_reslist_invalidate(story.list, b), APR_SUCCESS);
    CHECK(b->ended);
    CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
    story_end();
}

TEST(a_list_that_is_destroyed_before_its_first_use_lends_nothing)
{
    void *resource = NULL;
    CHECK_INT(story_begin(1, 2, 2, 0), APR_SUCCESS);
    CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
    CHECK_INT(apr_reslist_acquire(story.list, &resource), APR_EINVAL);
    CHECK(!resource);
    story_end();
}

static check_gate gate = CHECK_GATE_INIT;

static apr_status_t make_slowly(void **resource, void *params, apr_pool_t *pool)
{
    apr_status_t rv = story_make(resource, params, pool);
    if (story.made == 2)
        check_gate_pass(&gate);
    return rv;
}

static void *take_one(void *arg)
{
    *(thing_t **)arg = take();
    return NULL;
}

TEST(others_borrow_while_one_is_made)
{
    thing_t *second = NULL;
    CHECK_INT(story_begin(0, 0, 1, 0), APR_SUCCESS);
    CHECK_INT(apr_reslist_create(&story.list, 0, 2, 2, 0, make_slowly, story_unmake, &story, story.pool), APR_SUCCESS);
    thing_t *first = take();
    pthread_t maker = check_thread(take_one, &second);
    WAIT_FOR(check_gate_waiting(&gate) == 1);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(give(first), APR_SUCCESS);
        CHECK_PTR(take(), first);
    }
    check_gate_open(&gate);
    check_join(maker);
    CHECK_INT(give(first), APR_SUCCESS);
    CHECK_INT(give(second), APR_SUCCESS);
    story_end();
}

TEST(a_child_of_a_process_that_has_acquired_is_refused)
{
    int status;
    void *resource = NULL;
    CHECK_INT(story_begin(0, 2, 2, 0), APR_SUCCESS);
    thing_t *thing = take();
    pid_t child = fork();
    if (child == 0) {
        CHECK_INT(apr_reslist_acquire(story.list, &resource), APR_EINIT);
        CHECK_INT(give(thing), APR_EINIT);
        CHECK_INT(apr_reslist_invalidate(story.list, thing), APR_EINIT);
        CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
        CHECK_INT(apr_reslist_acquired_count(story.list), 0);
        CHECK_INT(apr_reslist_destroy(story.list), APR_EINIT);
        CHECK_INT(apr_reslist_create(&story.list, 1, 2, 2, 0, story_make, story_unmake, &story, story.pool),
                  APR_SUCCESS);
        CHECK_INT(apr_reslist_acquire(story.list, &resource), APR_EINIT);
        CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
        CHECK_INT(story.ended, 1); /* its own; never its parent's */
        apr_pool_destroy(story.pool);
        _exit(0);
    }
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK_INT(give(thing), APR_SUCCESS);
    story_end();
}

TEST(where_there_is_no_library_an_acquire_says_so)
{
    void *resource = NULL;
    setenv("ASYNCPOOL_LIBRARY", "/nowhere/libasyncpool.so.1", 1);
    CHECK_INT(story_begin(1, 1, 1, 0), APR_SUCCESS);
    for (int i = 0; i < 2; i++)
        CHECK_INT(apr_reslist_acquire(story.list, &resource), APR_EDSOOPEN);
    CHECK_INT(apr_reslist_acquired_count(story.list), 0);
    CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
    CHECK_INT(story.ended, 1);
    apr_pool_destroy(story.pool);
    apr_terminate();
}
