/* What is constructed and destructed besides: min, smax, ttl, invalidating. */
#include "story.h"

static const apr_interval_time_t ttl = apr_time_from_sec(3600);

static void take_all(int n)
{
    for (int i = 0; i < n; i++)
        take();
}

static void give_all(int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(give(&story.things[i]), APR_SUCCESS);
}

/* Only their number: which is lent depends on the order in which they are. */
static void tell(const char *what)
{
    say("%s: %d made, %d ended, %d lent", what, story.made, story.ended, apr_reslist_acquired_count(story.list));
}

TEST(without_a_ttl_nothing_is_ever_too_old)
{
    CHECK_INT(story_begin(0, 0, 4, 0), APR_SUCCESS);
    take_all(4);
    give_all(4);
    later(ttl);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    take_all(4);
    give_all(4);
    CHECK_INT(story.made, 4);
    CHECK_INT(story.ended, 0);
    story_end();
}

TEST(what_was_idle_for_the_ttl_is_not_lent_again)
{
    CHECK_INT(story_begin(1, 1, 1, ttl), APR_SUCCESS);
    later(ttl - apr_time_from_sec(60));
    CHECK_INT(give(take()), APR_SUCCESS); /* from now on */
    later(ttl - apr_time_from_sec(60));
    thing_t *thing = take();
    CHECK_INT(thing->number, 1);
    later(2 * ttl); /* while it is lent its time stands still */
    CHECK_INT(give(thing), APR_SUCCESS);
    CHECK_INT(give(take()), APR_SUCCESS);
    later(ttl);
    thing = take();
    CHECK_INT(thing->number, 2);
    CHECK_INT(give(thing), APR_SUCCESS);
    later(ttl);
    CHECK_INT(give(take()), APR_SUCCESS);
    story_end();
}

TEST(min_resources_that_nobody_wanted_for_the_ttl_are_not_lent)
{
    CHECK_INT(story_begin(2, 2, 2, ttl), APR_SUCCESS);
    later(ttl);
    thing_t *thing = take();
    CHECK(thing->number > 2);
    tell("after the ttl");
    CHECK_INT(give(thing), APR_SUCCESS);
    story.quiet = true; /* how many there were in the end depends on when the list has looked */
    story_end();
}

TEST(maintenance_ends_what_is_too_old_above_smax)
{
    CHECK_INT(story_begin(0, 2, 6, ttl), APR_SUCCESS);
    take_all(6);
    give_all(3);
    later(ttl / 2);
    for (int i = 3; i < 6; i++)
        CHECK_INT(give(&story.things[i]), APR_SUCCESS);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    tell("none is too old");
    later(ttl / 2);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    tell("three are");
    CHECK_INT(story.ended, 3);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    later(ttl / 2);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    tell("the others are, and smax of them stay");
    CHECK_INT(story.ended, 4);
    story_end();
}

TEST(a_release_ends_what_is_too_old_above_smax)
{
    CHECK_INT(story_begin(0, 1, 4, ttl), APR_SUCCESS);
    take_all(4);
    give_all(3);
    later(ttl);
    tell("three are idle and too old");
    CHECK_INT(give(&story.things[3]), APR_SUCCESS);
    tell("the fourth comes back");
    CHECK_INT(story.ended, 3);
    CHECK_INT(take()->number, 4);
    CHECK_INT(give(&story.things[3]), APR_SUCCESS);
    story_end();
}

TEST(a_release_looks_again_when_the_next_one_is_too_old)
{
    CHECK_INT(story_begin(0, 1, 6, ttl), APR_SUCCESS);
    take_all(6);
    give_all(2);
    later(ttl / 2);
    CHECK_INT(give(&story.things[2]), APR_SUCCESS);
    CHECK_INT(give(&story.things[3]), APR_SUCCESS);
    later(ttl / 2);
    CHECK_INT(give(&story.things[4]), APR_SUCCESS);
    tell("two were too old");
    CHECK_INT(story.ended, 2);
    later(ttl / 2);
    CHECK_INT(give(&story.things[5]), APR_SUCCESS);
    tell("two more were");
    CHECK_INT(story.ended, 4);
    story_end();
}

/* The i-th is one of the many that story has, each another one: a sum of 1 to i. */
static thing_t *scattered(int i) { return &story.things[i * (i + 1) / 2 % STORY_THINGS]; }

static apr_status_t make_scattered(void **resource, void *params, apr_pool_t *pool)
{
    (void)params, (void)pool;
    *resource = scattered(story.made++);
    return APR_SUCCESS;
}

TEST(the_time_of_each_of_many_counts)
{
    enum { N = 500 };
    story.quiet = true;
    CHECK_INT(story_begin(0, 0, 1, 0), APR_SUCCESS);
    CHECK_INT(apr_reslist_create(&story.list, 0, N, N, ttl, make_scattered, story_unmake, &story, story.pool),
              APR_SUCCESS);
    take_all(N);
    for (int i = 0; i < N; i++)
        if (i % 7 < 3)
            CHECK_INT(apr_reslist_invalidate(story.list, scattered(i)), APR_SUCCESS);
    int left = N - story.ended;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++)
            if (i % 7 >= 3)
                CHECK_INT(give(scattered(i)), APR_SUCCESS);
        later(round ? ttl : ttl - apr_time_from_sec(60));
        take_all(round ? 1 : left);
        tell(round ? "all are too old" : "none is too old");
        CHECK_INT(story.ended, round ? N : N - left);
    }
    CHECK_INT(give(scattered(story.made - 1)), APR_SUCCESS);
    story_end();
}

TEST(a_release_makes_what_is_missing_to_min_idle_ones)
{
    CHECK_INT(story_begin(2, 3, 5, 0), APR_SUCCESS);
    take_all(4);
    tell("four lent");
    CHECK_INT(give(&story.things[0]), APR_SUCCESS);
    tell("one back"); /* one idle: another is made, which is the fifth */
    CHECK_INT(story.made, 5);
    take_all(2);
    CHECK_INT(give(&story.things[1]), APR_SUCCESS);
    tell("no place is left for more");
    for (int i = 0; i < 5; i++)
        if (i != 1)
            CHECK_INT(give(&story.things[i]), APR_SUCCESS);
    tell("all back");
    story_end();
}

TEST(maintenance_makes_what_is_missing_to_min_idle_ones)
{
    CHECK_INT(story_begin(2, 3, 5, ttl), APR_SUCCESS);
    take_all(2);
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    tell("two lent, two idle");
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    CHECK_INT(story.made, 4);
    thing_t *third = take();
    CHECK_INT(apr_reslist_maintain(story.list), APR_SUCCESS);
    tell("three lent, two idle");
    story.quiet = true; /* which was the third depends on the order */
    CHECK_INT(apr_reslist_invalidate(story.list, third), APR_SUCCESS);
    for (int i = 0; i < 2; i++)
        CHECK_INT(apr_reslist_invalidate(story.list, &story.things[i]), APR_SUCCESS);
    story_end();
}

TEST(upkeep_tells_why_a_constructor_has_failed)
{
    CHECK_INT(story_begin(1, 2, 4, 0), APR_SUCCESS);
    thing_t *thing = take();
    story.make_fails = APR_OS_START_USERERR + 9;
    story.until_failure = 0;
    say("maintain: %d", apr_reslist_maintain(story.list));
    CHECK_INT(apr_reslist_invalidate(story.list, thing), APR_SUCCESS);
    CHECK_INT(apr_reslist_acquired_count(story.list), 0);
    story.until_failure = 0;
    say("maintain: %d", apr_reslist_maintain(story.list));
    say("maintain: %d", apr_reslist_maintain(story.list));
    thing_t *other = take();
    thing = take();
    CHECK_INT(apr_reslist_invalidate(story.list, other), APR_SUCCESS);
    say("back: %d", give(thing));
    story_end();
}

TEST(an_invalid_resource_ends_and_its_place_is_free)
{
    CHECK_INT(story_begin(0, 1, 1, ttl), APR_SUCCESS);
    for (int i = 1; i <= 3; i++) {
        thing_t *thing = take();
        CHECK_INT(thing->number, i);
        CHECK_INT(apr_reslist_invalidate(story.list, thing), APR_SUCCESS);
        CHECK(thing->ended);
        tell("invalidated");
    }
    story_end();
}

TEST(what_a_destructor_answers_is_told)
{
    CHECK_INT(story_begin(0, 0, 3, ttl), APR_SUCCESS);
    take_all(3);
    story.end_fails = APR_OS_START_USERERR + 11;
    say("invalidate: %d", apr_reslist_invalidate(story.list, &story.things[0]));
    CHECK_INT(give(&story.things[1]), APR_SUCCESS);
    later(ttl);
    say("maintain: %d", apr_reslist_maintain(story.list));
    later(ttl);
    say("release: %d", give(&story.things[2]));
    say("destroy: %d", apr_reslist_destroy(story.list));
    story_end();
}
