#include "story.h"
#include "../loop.h"

enum { HOUR_MS = 3600000, MOST_HELD = 64, MOST_NUMBERS = 128 };

pool_t *_Atomic story_pool;
replay_actor story_actors[SCENARIO_ACTORS];
bool story_full;

static const story_world *world;
static const scenario *playing;
static pool_config_t hooks; /* those of fixture.h */
static bool barging;
static atomic_bool winding_up;
static atomic_int refused; /* creations that failed */

/* What is lent, and which resource the scenario knows by which number. */
static fx_resource *held[MOST_HELD], *numbered[MOST_NUMBERS];
static int held_count;
static struct {
    bool cancelled;
    int number;
} more[SCENARIO_ACTORS]; /* of each actor */

static int observed, disposed;
static bool observing;

#define is scenario_is
#define EACH_ACTOR(a) (replay_actor *a = story_actors; a < story_actors + SCENARIO_ACTORS; a++)

static bool is_script(const char *verb, const char *name)
{
    return is(name, "create") ? is(verb, "made") || is(verb, "failed")
           : is(name, "destroy") ? is(verb, "destroyed")
                                 : is(verb, "yes") || is(verb, "no");
}

/* ---- hooks ---- */

bool story_stops(const char *name)
{
    return is(name, "create") || (is(name, "before_acquire") && playing->asks_acquire) ||
           (is(name, "before_release") && playing->asks_release) ||
           (is(name, "destroy") && playing->asks_destroy);
}

/* One call of a hook: a fault, or what the scenario answers, or success. */
static bool decide(fault_kind kind, const char *name, pool_t *pool)
{
    replay_actor *a = world->current();
    bool ok = kind == FAULT_NONE || fault_hook(kind, pool);
    if (ok && a && !winding_up && story_stops(name)) {
        a->hook = name;
        a->at = REPLAY_HOOK;
        world->stop(a);
        a->at = REPLAY_RUNNING;
        ok = a->ok;
    }
    if (!ok && is(name, "create"))
        refused++;
    return ok;
}

static bool on_factory(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_FACTORY, "create", pool);
}

static bool on_destructor(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_NONE, "destroy", pool);
}

static bool on_before_acquire(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_BEFORE_ACQUIRE, "before_acquire", pool);
}

static bool on_before_release(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return decide(FAULT_BEFORE_RELEASE, "before_release", pool);
}

static bool on_healthcheck(pool_t *pool, fx_resource *r, int call)
{
    (void)r, (void)call;
    return fault_hook(FAULT_HEALTHCHECK, pool);
}

bool story_hook(const char *name, void **resource)
{
    if (is(name, "create"))
        return hooks.factory(story_pool, resource);
    if (is(name, "before_acquire"))
        return hooks.before_acquire(story_pool, *resource);
    if (is(name, "before_release"))
        return hooks.before_release(story_pool, *resource);
    if (is(name, "healthcheck"))
        return hooks.healthcheck(story_pool, *resource);
    hooks.destructor(story_pool, *resource);
    return true;
}

/* ---- the guests of a pool that has everything: one failure opens the breaker ---- */

static void move_breaker(pool_t *pool, bool success)
{
    if (success == !fault_here(FAULT_REPORT))
        pool_activate(pool);
    else
        pool_deactivate(pool);
}

static void report_success(pool_t *pool, void *ctx)
{
    (void)ctx;
    move_breaker(pool, true);
}

static void report_failure(pool_t *pool, const pool_error_t *error, void *ctx)
{
    (void)ctx;
    CHECK(error != NULL && error->message != NULL);
    move_breaker(pool, false);
}

static bool should_recover(pool_t *pool, void *ctx)
{
    (void)ctx;
    return fault_hook(FAULT_SHOULD_RECOVER, pool);
}

pool_circuit_breaker_strategy_t story_strategy = {report_success, report_failure, should_recover, NULL};

static void observe(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event, (void)self, (void)kind;
}

static void dispose(pool_event_callback_t *self)
{
    (void)self;
    disposed++;
}

static pool_event_callback_t observer = {observe, dispose, NULL};

static void invite_guests(pool_t *pool)
{
    if (!world->call) /* a host answers for its strategy itself */
        FAULT_EXPLAINS(pool_set_strategy(pool, &story_strategy));
    observing = FAULT_EXPLAINS(pool->event.add_callback(&pool->event, &observer)) == POOL_OK;
    observed += observing;
}

/* ---- calls ---- */

static pool_status_t create(uint32_t min, pool_t **pool)
{
    const scenario *s = playing;
    pool_config_t config = hooks;
    if (!story_full && !s->asks_acquire)
        config.before_acquire = NULL;
    if (!story_full && !s->asks_release)
        config.before_release = NULL;
    if (!story_full)
        config.healthcheck = NULL;
    config.max_size = s->max;
    config.min_size = min;
    config.name = story_full ? "a pool with everything" : NULL;
    if (world->configure)
        world->configure(&config);
    if (barging)
        config.flags |= POOL_F_BARGING;
    return pool_create_ex(&config, pool);
}

void story_call(replay_actor *a)
{
    a->resource = NULL;
    if (is(a->verb, "acquire")) {
        a->status = pool_acquire(story_pool, &a->resource, a->timeout_ms);
    } else if (is(a->verb, "try")) {
        a->status = pool_try_acquire(story_pool, &a->resource);
    } else if (is(a->verb, "release")) {
        a->status = pool_release(story_pool, a->given);
    } else if (is(a->verb, "close")) {
        a->status = pool_close(story_pool);
    } else { /* fill */
        pool_t *pool = NULL;
        a->status = create(playing->min, &pool);
        CHECK((a->status == POOL_OK) == (pool != NULL));
        story_pool = pool;
    }
}

/* A call of the test's own: no hook stops in it. */
static pool_status_t call(const char *verb, fx_resource *given, void **resource)
{
    *resource = NULL;
    if (world->call)
        return world->call(verb, given, resource);
    return is(verb, "try")       ? pool_try_acquire(story_pool, resource)
           : is(verb, "release") ? pool_release(story_pool, given)
                                 : pool_close(story_pool);
}

/* ---- the books ---- */

static bool lends(const replay_actor *a) { return is(a->verb, "acquire") || is(a->verb, "try"); }

/* Takes it from the books, before it is given back. */
static fx_resource *let_go(fx_resource *r)
{
    for (int i = 0; i < held_count; i++) {
        if (held[i] == r) {
            held[i] = held[--held_count];
            atomic_store(&r->owned, 0);
            for (int n = 0; n < MOST_NUMBERS; n++)
                if (numbered[n] == r)
                    numbered[n] = NULL;
            return r;
        }
    }
    return NULL;
}

/* What "release 7" means by now: 7 if it is lent, or else what is; a number that was never made is not. */
static void *meant_by(int number)
{
    static char foreign;
    bool known = false;
    for (int i = 0; i < playing->count; i++)
        known |= is(playing->steps[i].verb, "made") &&
                 (int)(uintptr_t)playing->steps[i].resource == number;
    if (number < MOST_NUMBERS && numbered[number])
        return let_go(numbered[number]);
    return known && held_count ? let_go(held[held_count - 1]) : (void *)&foreign;
}

static bool allowed(const replay_actor *a)
{
    const char *verb = a->verb;
    bool creates = lends(a) || is(verb, "fill");
    switch ((int)a->status) {
    case POOL_OK:
        return true;
    case POOL_EMPTY:
        return is(verb, "try");
    case POOL_ERR_CLOSED:
        return creates && pool_is_closed(story_pool);
    case POOL_ERR_UNAVAILABLE:
        return lends(a) && story_full;
    case POOL_ERR_TIMEOUT:
        return is(verb, "acquire") && a->timeout_ms > 0;
    case POOL_ERR_FACTORY:
        return creates && refused > 0;
    case POOL_ERR_CANCELLED:
        return more[a->index].cancelled;
    case POOL_ERR_NOT_OWNED:
        return is(verb, "release");
    case POOL_ERR_NOMEM:
        return creates && fault_injected(FAULT_ALLOC) > 0;
    }
    return false;
}

static void note_outcome(replay_actor *a)
{
    a->busy = false;
    if (!allowed(a))
        check_fail(__FILE__, __LINE__, "%c's %s answers %s", (char)('A' + a->index), a->verb,
                   pool_status_name(a->status));
    fx_resource *r = lends(a) ? a->resource : NULL;
    CHECK(!lends(a) || (a->status == POOL_OK) == (r != NULL));
    if (is(a->verb, "release")) /* what was lent is taken back, whatever fails */
        CHECK((a->status == POOL_ERR_NOT_OWNED) == !a->made);
    if (!r)
        return;
    CHECK(held_count < MOST_HELD);
    CHECK_INT(atomic_exchange(&r->owned, 1), 0);
    held[held_count++] = r;
    int number = more[a->index].number;
    if (number > 0 && number < MOST_NUMBERS)
        numbered[number] = r;
}

static void settle(void)
{
    if (world->settle)
        world->settle();
    for EACH_ACTOR (a)
        if (a->busy && a->at == REPLAY_DONE)
            note_outcome(a);
}

/* ---- playing ---- */

/* A deadline that the scenario lets pass is near; others are far. */
static int64_t timeout_of(const scenario_step *step)
{
    if (!step->timeout)
        return 0;
    for (const scenario_step *s = step + 1; s < playing->steps + playing->count; s++) {
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
    world->go_on(a, false);
    settle();
}

/* A pool with hooks is filled while it is made. */
static bool may_begin(const char *verb)
{
    if (world->call || !is(verb, "fill"))
        return story_pool != NULL;
    for EACH_ACTOR (other)
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
    more[a->index].cancelled = false;
    more[a->index].number = 0;
    a->made = NULL;
    if (is(step->verb, "release")) {
        int lent = held_count;
        a->given = meant_by((int)(uintptr_t)step->resource);
        a->made = held_count < lent ? a->given : NULL; /* it was lent */
    }
    a->at = REPLAY_RUNNING;
    a->busy = true;
    world->begin(a);
    if (a->timeout_ms && a->timeout_ms != HOUR_MS)
        a->late_ns = check_now_ns() + (a->timeout_ms + 2) * 1000000;
}

static void act(replay_actor *a, const scenario_step *step)
{
    if (replay_begins(step)) {
        begin(a, step);
    } else if (is(step->verb, "cancel")) {
        if (a->busy && world->cancel && a->at != REPLAY_RUNNING) {
            more[a->index].cancelled = true;
            world->cancel(a);
        }
    } else if (is(step->verb, "wake")) {
        if (a->busy && a->at == REPLAY_WAIT)
            world->go_on(a, step->late);
    } else if (a->busy && a->at == REPLAY_HOOK && is_script(step->verb, a->hook)) {
        if (is(step->verb, "made"))
            more[a->index].number = (int)(uintptr_t)step->resource;
        a->ok = is(step->verb, "made") || is(step->verb, "yes");
        world->go_on(a, false);
    }
    settle();
}

static bool anybody_busy(void)
{
    for EACH_ACTOR (a)
        if (a->busy)
            return true;
    return false;
}

static void give_back(fx_resource *r)
{
    void *nothing;
    CHECK_STATUS(call("release", let_go(r), &nothing), POOL_OK);
}

/* Nothing fails any more, and what is lent comes back: so everybody is served, or told why not. */
static void wind_up(void)
{
    winding_up = true;
    settle();
    while (anybody_busy()) {
        bool moved = held_count > 0;
        while (held_count > 0)
            give_back(held[0]);
        settle();
        for EACH_ACTOR (a) {
            bool goes_on = a->busy && a->at == REPLAY_WAIT && world->woken && world->woken(a);
            if (a->busy && a->at == REPLAY_HOOK)
                answer(a, true);
            else if (goes_on)
                world->go_on(a, false);
            else
                continue;
            moved = true;
            settle();
        }
        if (!moved && anybody_busy() && held_count == 0)
            check_fail(__FILE__, __LINE__, "somebody is forgotten in line");
    }
    while (held_count > 0)
        give_back(held[0]);
}

/* I4: exactly max can be borrowed, as far as anybody borrows so many. */
static void check_rest(void)
{
    pool_t *pool = story_pool;
    uint32_t max = playing->max < MOST_HELD ? playing->max : MOST_HELD / 2;
    void *got;
    if (story_full)
        CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_COUNTS(pool, fx_live(), 0, 0);
    for (uint32_t i = 0; i < max; i++) {
        CHECK_STATUS(call("try", NULL, &got), POOL_OK);
        held[held_count++] = got;
        CHECK_INT(atomic_exchange(&held[i]->owned, 1), 0);
    }
    if (max == playing->max)
        CHECK_STATUS(call("try", NULL, &got), POOL_EMPTY);
    CHECK_INT(fx_live(), max);
    while (held_count > 0)
        give_back(held[0]);
    if (story_full && world->call)
        CHECK_STATUS(call("sweep", NULL, &got), POOL_OK);
    CHECK_COUNTS(pool, max, 0, 0);
}

static void end(void)
{
    void *nothing;
    wind_up();
    if (story_pool) {
        if (!pool_is_closed(story_pool))
            check_rest();
        CHECK_STATUS(call("close", NULL, &nothing), POOL_OK);
        CHECK_COUNTS(story_pool, 0, 0, 0);
        pool_unref(story_pool);
        story_pool = NULL;
    }
    CHECK((uint32_t)atomic_load(&fx.peak) <= playing->max); /* I1 */
    CHECK_INT(atomic_load(&fx.created), atomic_load(&fx.destroyed));
    CHECK_INT(disposed, observed);
}

static void tell(const void *what)
{
    void *nothing;
    playing = what;
    memset(story_actors, 0, sizeof story_actors);
    memset(more, 0, sizeof more);
    memset(numbered, 0, sizeof numbered);
    for EACH_ACTOR (a)
        a->index = (int)(a - story_actors);
    winding_up = false;
    refused = observed = disposed = held_count = 0;
    bool filled = !world->call && is(playing->steps[0].verb, "fill"); /* made by the story */
    if (!filled) {
        pool_t *pool;
        FAULT_EXPLAINS(create(world->call ? playing->min : 0, &pool));
        story_pool = pool;
        if (pool && story_full)
            invite_guests(pool);
    }
    if (filled || story_pool)
        for (int i = 0; i < playing->count; i++)
            act(&story_actors[playing->steps[i].actor], &playing->steps[i]);
    if (story_pool && story_full && world->call) {
        pool_status_t status = call("sweep", NULL, &nothing);
        if (status != POOL_ERR_CLOSED || !pool_is_closed(story_pool))
            FAULT_EXPLAINS(status);
    }
    fault_off();
    end();
    if (world->shut)
        world->shut();
}

void story_replay(const story_world *in, const char *file)
{
    scenario_file scenarios = scenario_load(file);
    world = in;
    hooks = loop_config(FX_WITH_ALL, 0, 1);
    fx.script[FX_FACTORY] = on_factory;
    fx.script[FX_DESTRUCTOR] = on_destructor;
    fx.script[FX_HEALTHCHECK] = on_healthcheck;
    fx.script[FX_BEFORE_ACQUIRE] = on_before_acquire;
    fx.script[FX_BEFORE_RELEASE] = on_before_release;
    for (const scenario *s = scenarios.all; s < scenarios.all + scenarios.count; s++) {
        /* Who is called and has not come yet stands in line, so only those who tell can barge here. */
        for (int kind = 0; kind < (world->woken ? 3 : 2); kind++) {
            story_full = kind > 0;
            barging = kind > 1;
            fault_loop(s->title, tell, s);
        }
    }
    scenario_free(&scenarios);
    fault_report();
}
