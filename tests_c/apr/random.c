/* Calls at random. Without a ttl the order of what is idle makes no difference to the numbers. */
#include "story.h"

enum { STEPS = 400, HELD = 8 };

static unsigned state;

static unsigned below(unsigned n)
{
    state = state * 1103515245 + 12345;
    return (state >> 16) % n;
}

static thing_t *held[HELD];
static int n;

static thing_t *any(void)
{
    int i = (int)below((unsigned)n);
    thing_t *thing = held[i];
    held[i] = held[--n];
    return thing;
}

static apr_status_t step(int hmax)
{
    void *resource = NULL;
    apr_status_t rv;
    story.until_failure = below(4) == 0 ? (int)below(3) : -1;
    story.make_fails = APR_OS_START_USERERR + 1 + (int)below(3);
    story.end_fails = below(4) == 0 ? APR_OS_START_USERERR + 10 : APR_SUCCESS;
    switch (below(8)) {
    case 0:
        return n ? apr_reslist_invalidate(story.list, any()) : APR_SUCCESS;
    case 1:
        return apr_reslist_maintain(story.list);
    case 2:
    case 3:
    case 4:
        return n ? apr_reslist_release(story.list, any()) : APR_SUCCESS;
    default:
        if (n == hmax)
            return APR_SUCCESS;
        rv = apr_reslist_acquire(story.list, &resource);
        if (rv == APR_SUCCESS)
            held[n++] = resource;
        return rv;
    }
}

static void play(int min, int smax, int hmax)
{
    story.until_failure = -1;
    CHECK_INT(story_begin(min, smax, hmax, 0), APR_SUCCESS);
    for (int i = 0; i < STEPS; i++) {
        apr_status_t rv = step(hmax);
        CHECK_INT(apr_reslist_acquired_count(story.list), n);
        say("%d: %d; %d made, %d ended, %d lent", i, rv, story.made, story.ended, n);
    }
    story.end_fails = APR_SUCCESS;
    story.until_failure = -1;
    while (n > 0)
        CHECK_INT(apr_reslist_release(story.list, any()), APR_SUCCESS);
    CHECK_INT(apr_reslist_destroy(story.list), APR_SUCCESS);
    CHECK_INT(story.made, story.ended);
}

TEST(calls_at_random_answer_the_same)
{
    story.quiet = true;
    for (state = 1; state <= 20; state++)
        for (int hmax = 1; hmax <= HELD; hmax += 1 + (int)state % 3) {
            unsigned seed = state;
            int smax = (int)below((unsigned)hmax + 1), min = (int)below((unsigned)smax + 1);
            say("%d %d %d", min, smax, hmax);
            play(min, smax, hmax);
            story.made = story.ended = 0;
            state = seed;
        }
    story_end();
}
