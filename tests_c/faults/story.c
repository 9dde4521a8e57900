#include "story_parts.h"

enum { HOUR_MS = 3600000 };

story_now story;
pool_t *_Atomic story_pool;
replay_actor story_actors[SCENARIO_ACTORS];
bool story_full;

#define EACH_ACTOR(a) (replay_actor *a = story_actors; a < story_actors + SCENARIO_ACTORS; a++)

static bool is_script(const char *verb, const char *name)
{
    return is(name, "create")    ? is(verb, "made") || is(verb, "failed")
           : is(name, "destroy") ? is(verb, "destroyed")
                                 : is(verb, "yes") || is(verb, "no");
}

static void settle(void)
{
    if (story.world->settle)
        story.world->settle();
    for
        EACH_ACTOR(a)
    if (a->busy && a->at == REPLAY_DONE)
        books_note(a);
}

/* ---- playing ---- */

/* A deadline that the scenario lets pass is near; others are far. */
static int64_t timeout_of(const scenario_step *step)
{
    if (!step->timeout)
        return 0;
    for (const scenario_step *s = step + 1; s < story.playing->steps + story.playing->count; s++) {
        if (s->actor == step->actor && replay_begins(s))
            break;
        if (s->actor == step->actor && s->late)
            return 1;
    }
    return HOUR_MS;
}

static void answer(replay_actor *a, bool ok)
{
    a->ok = ok;
    story.world->go_on(a, false);
    settle();
}

/* A pool with hooks is filled while it is made. */
static bool may_begin(const char *verb)
{
    if (story.world->call || !is(verb, "fill"))
        return story_pool != NULL;
    for
        EACH_ACTOR(other)
    if (other->busy)
        return false;
    return !story_pool;
}

static void begin(replay_actor *a, const scenario_step *step)
{
    while (a->busy && a->at == REPLAY_HOOK) /* the scenario has no answer for it any more */
        answer(a, true);
    if (a->busy || !may_begin(step->verb))
        return;
    strcpy(a->verb, step->verb);
    a->timeout_ms = timeout_of(step);
    a->late_ns = 0;
    a->resource = NULL;
    story.more[a->index].cancelled = false;
    story.more[a->index].number = 0;
    a->made = NULL;
    a->given = step->resource; /* or a size */
    a->most = step->most;
    if (books_gives(step->verb)) {
        int lent = books_lent();
        a->given = books_meant_by((int)(uintptr_t)step->resource);
        a->made = books_lent() < lent ? a->given : NULL; /* it was lent */
    }
    a->at = REPLAY_RUNNING;
    a->busy = true;
    story.world->begin(a);
    if (a->timeout_ms && a->timeout_ms != HOUR_MS)
        a->late_ns = check_now_ns() + (a->timeout_ms + 2) * 1000000;
}

static void act(replay_actor *a, const scenario_step *step)
{
    if (replay_begins(step)) {
        begin(a, step);
    } else if (is(step->verb, "cancel")) {
        if (a->busy && story.world->cancel && a->at != REPLAY_RUNNING) {
            story.more[a->index].cancelled = true;
            story.world->cancel(a);
        }
    } else if (is(step->verb, "wake")) {
        if (a->busy && a->at == REPLAY_WAIT)
            story.world->go_on(a, step->late);
    } else if (a->busy && a->at == REPLAY_HOOK && is_script(step->verb, a->hook)) {
        if (is(step->verb, "made"))
            story.more[a->index].number = (int)(uintptr_t)step->resource;
        a->ok = is(step->verb, "made") || is(step->verb, "yes");
        story.world->go_on(a, false);
    }
    settle();
}

static bool anybody_busy(void)
{
    for
        EACH_ACTOR(a)
    if (a->busy)
        return true;
    return false;
}

/* Nothing fails any more, and what is lent comes back: so everybody is served, or told why not. */
static void wind_up(void)
{
    story.winding_up = true;
    settle();
    while (anybody_busy()) {
        bool moved = books_lent() > 0;
        books_give_back();
        settle();
        for
            EACH_ACTOR(a)
            {
                bool goes_on = a->busy && a->at == REPLAY_WAIT && story.world->woken && story.world->woken(a);
                if (a->busy && a->at == REPLAY_HOOK)
                    answer(a, true);
                else if (goes_on)
                    story.world->go_on(a, false);
                else
                    continue;
                moved = true;
                settle();
            }
        if (!moved && anybody_busy() && books_lent() == 0)
            check_fail(__FILE__, __LINE__, "somebody is forgotten in line");
    }
    books_give_back();
}

static void end(void)
{
    void *nothing;
    wind_up();
    if (story_pool) {
        if (!pool_is_closed(story_pool))
            books_check_rest();
        CHECK_STATUS(story_ask("close", NULL, &nothing), POOL_OK);
        CHECK_COUNTS(story_pool, 0, 0, 0);
        pool_unref(story_pool);
        story_pool = NULL;
    }
    CHECK((uint32_t)atomic_load(&fx.peak) <= story.playing->max); /* I1 */
    CHECK_INT(atomic_load(&fx.created), atomic_load(&fx.destroyed));
    story_check_callbacks();
}

static void tell(const void *what)
{
    void *nothing;
    story.playing = what;
    memset(story_actors, 0, sizeof story_actors);
    memset(story.more, 0, sizeof story.more);
    for
        EACH_ACTOR(a)
    a->index = (int)(a - story_actors);
    story.winding_up = false;
    story.refused = 0;
    story_forget_callbacks();
    books_open();
    bool filled = !story.world->call && is(story.playing->steps[0].verb, "fill"); /* made by the story */
    if (!filled) {
        pool_t *pool;
        FAULT_EXPLAINS(story_create(story.world->call ? story.playing->min : 0, &pool));
        story_pool = pool;
        if (pool && story_full)
            story_add_callbacks(pool);
    }
    if (filled || story_pool)
        for (int i = 0; i < story.playing->count; i++)
            act(&story_actors[story.playing->steps[i].actor], &story.playing->steps[i]);
    if (story_pool && story_full && story.world->call) {
        pool_status_t status = story_ask("sweep", NULL, &nothing);
        if (status != POOL_ERR_CLOSED || !pool_is_closed(story_pool))
            FAULT_EXPLAINS(status);
    }
    fault_off();
    end();
    if (story.world->shut)
        story.world->shut();
}

void story_replay(const story_world *in, const char *file)
{
    scenario_file scenarios = scenario_load(file);
    story.world = in;
    story_take_hooks();
    for (const scenario *s = scenarios.all; s < scenarios.all + scenarios.count; s++) {
        for (int full = 0; full < 2; full++) {
            story_full = full;
            fault_loop(s->title, tell, s);
        }
    }
    scenario_free(&scenarios);
    fault_report();
}
