#include "story.h"

#include <apr_general.h>
#include <apr_time.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/time.h>

struct story story = {.until_failure = -1};

static apr_time_t ahead;

apr_time_t apr_time_now(void)
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return now.tv_sec * APR_USEC_PER_SEC + now.tv_usec + ahead;
}

void later(apr_interval_time_t time) { ahead += time; }

void say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout); /* before a fork, and before a check fails */
}

/* ---- resources ---- */

static void enter(const void *params, const apr_pool_t *pool)
{
    CHECK(params == &story && pool == story.pool);
    CHECK_INT(story.inside++, 0); /* the pool is for one thread at a time */
    sched_yield();
}

apr_status_t story_make(void **resource, void *params, apr_pool_t *pool)
{
    enter(params, pool);
    if (story.until_failure >= 0 && story.until_failure-- == 0) {
        story.inside--;
        say("a construction fails");
        return story.make_fails;
    }
    CHECK(story.made < STORY_THINGS);
    thing_t *thing = &story.things[story.made++];
    *thing = (thing_t){story.made, false};
    *resource = thing;
    if (!story.quiet)
        say("%d is made", thing->number);
    story.inside--;
    return APR_SUCCESS;
}

apr_status_t story_unmake(void *resource, void *params, apr_pool_t *pool)
{
    thing_t *thing = resource;
    enter(params, pool);
    CHECK(!thing->ended);
    thing->ended = true;
    story.ended++;
    if (!story.quiet)
        say("%d ends", thing->number);
    story.inside--;
    return story.end_fails;
}

thing_t *take(void)
{
    void *resource = NULL;
    CHECK_INT(apr_reslist_acquire(story.list, &resource), APR_SUCCESS);
    thing_t *thing = resource;
    CHECK(thing && !thing->ended);
    return thing;
}

apr_status_t give(thing_t *thing) { return apr_reslist_release(story.list, thing); }

/* ---- from the beginning to the end ---- */

static void check_whose_list_it_is(void)
{
    Dl_info info;
    CHECK(dladdr((void *)apr_reslist_create, &info) != 0);
    CHECK_INT(strstr(info.dli_fname, "asyncpool") != NULL, STORY_SHIM);
}

apr_status_t story_begin(int min, int smax, int hmax, apr_interval_time_t ttl)
{
    if (!story.pool) {
        check_whose_list_it_is();
        CHECK_INT(apr_initialize(), APR_SUCCESS);
        CHECK_INT(apr_pool_create(&story.pool, NULL), APR_SUCCESS);
    }
    return apr_reslist_create(&story.list, min, smax, hmax, ttl, story_make, story_unmake, &story, story.pool);
}

void story_end(void)
{
    if (story.made - story.ended > 1) { /* in one order or another */
        story.quiet = true;
        say("%d end", story.made - story.ended);
    }
    apr_pool_destroy(story.pool);
    CHECK_INT(story.ended, story.made);
    apr_terminate();
    /* main() looks then whether a pool is left. */
    if (STORY_SHIM && story.made > 0)
        CHECK_INT(pool_api_load(getenv("ASYNCPOOL_LIBRARY")), POOL_OK);
}
