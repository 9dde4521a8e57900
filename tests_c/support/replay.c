#include "replay.h"

enum { HOUR_MS = 3600000, FIRST_UNIT_MS = 10 * CHECK_SLOWDOWN, MOST_LENT = 64 };

pool_t *replay_pool;

static const replay_world *world;
static const scenario *now_playing;
static replay_actor actors[SCENARIO_ACTORS];
static void *lent[MOST_LENT];
static int lent_count;
static atomic_int made, destroyed;
static atomic_bool winding_up; /* hooks answer themselves */
static const char *file;
static int line;

/* Pauses of creations: how long the next one is, and one that the scenario will let pass: not before, surely after. */
static int64_t pause_ms, pause_early_ns, pause_late_ns;
static uint32_t first_pause_ms;

#define FAIL(...) check_fail(file, line, __VA_ARGS__)
#define is scenario_is

/* ---- hooks ---- */

static bool hook(pool_t *pool, const char *name, void *resource)
{
    replay_actor *a = world->current();
    bool creates = is(name, "create");
    if (!a || winding_up)
        return !creates;
    if (!replay_pool)
        replay_pool = pool; /* it is being made */
    a->hook = name;
    a->hook_resource = resource;
    a->at = REPLAY_HOOK;
    world->stop(a);
    a->at = REPLAY_RUNNING;
    return a->ok;
}

static bool factory(pool_t *pool, void **resource)
{
    if (!hook(pool, "create", NULL)) {
        replay_actor *a = world->current();
        if (a && a->later && !winding_up)
            CHECK_STATUS(pool_try_later(pool, first_pause_ms), POOL_OK);
        return false;
    }
    *resource = world->current()->made;
    made++;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    destroyed++;
    hook(pool, "destroy", resource);
}

static bool before_acquire(pool_t *pool, void *r) { return hook(pool, "before_acquire", r); }
static bool before_release(pool_t *pool, void *r) { return hook(pool, "before_release", r); }

/* ---- calls ---- */

static pool_status_t create(uint32_t min)
{
    const scenario *s = now_playing;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = factory;
    config.destructor = s->asks_destroy ? destructor : NULL;
    config.before_acquire = s->asks_acquire ? before_acquire : NULL;
    config.before_release = s->asks_release ? before_release : NULL;
    config.max_size = s->max;
    config.flags |= s->lifo ? POOL_F_LIFO : 0;
    config.min_size = min;
    config.max_waiting = s->max_waiting;
    config.max_uses = s->max_uses;
    config.create_retry_ms = s->retries ? first_pause_ms : 0;
    config.scheduler = world->scheduler;
    return pool_create_ex(&config, &replay_pool);
}

void replay_call(replay_actor *a)
{
    a->resource = NULL;
    if (is(a->verb, "acquire"))
        a->status = pool_acquire(replay_pool, &a->resource, a->timeout_ms);
    else if (is(a->verb, "try"))
        a->status = pool_try_acquire(replay_pool, &a->resource);
    else if (is(a->verb, "release"))
        a->status = pool_release(replay_pool, a->given);
    else if (is(a->verb, "discard"))
        a->status = pool_discard(replay_pool, a->given);
    else if (is(a->verb, "detach"))
        a->status = pool_detach(replay_pool, a->given);
    else if (is(a->verb, "resize"))
        a->status = pool_resize(replay_pool, (uint32_t)(uintptr_t)a->given, a->most);
    else if (is(a->verb, "trim"))
        a->status = pool_trim(replay_pool, (uint32_t)(uintptr_t)a->given);
    else if (is(a->verb, "evict"))
        a->status = pool_evict(replay_pool);
    else if (is(a->verb, "drain"))
        a->status = pool_drain(replay_pool, a->timeout_ms);
    else if (is(a->verb, "close"))
        a->status = pool_close(replay_pool);
    else
        a->status = create(now_playing->min); /* fill */
}

static bool gives(const char *verb) { return is(verb, "release") || is(verb, "discard") || is(verb, "detach"); }

bool replay_begins(const scenario_step *step)
{
    return is(step->verb, "acquire") || is(step->verb, "try") || gives(step->verb) || is(step->verb, "close") ||
           is(step->verb, "fill") || is(step->verb, "resize") || is(step->verb, "evict") || is(step->verb, "trim") ||
           is(step->verb, "drain") || is(step->verb, "sweep");
}

bool replay_wakes(const scenario_step *step, int actor)
{
    const char *list = strstr(step->counts, " woken");
    for (list = list ? list + strlen(" woken") : NULL; list && list[0] == ' '; list += 2)
        if (list[1] == 'A' + actor)
            return list[2] == ' ' || list[2] == 0;
    return false;
}

void replay_give_up(replay_actor *a) { a->ok = !is(a->hook, "create"); }

/* ---- deadlines ---- */

/* Deadlines that pass do so in the order of the scenario; others are an hour away. */
static int64_t timeout_of(const scenario_step *step, int unit_ms)
{
    const scenario *s = now_playing;
    int late = 0;
    if (!step->timeout)
        return 0;
    for (const scenario_step *other = s->steps; other < s->steps + s->count; other++) {
        late += other->late;
        if (other <= step || other->actor != step->actor)
            continue;
        if (replay_begins(other))
            break;
        if (other->late)
            return (int64_t)unit_ms * late;
    }
    return HOUR_MS;
}

bool replay_too_slow(void)
{
    int64_t now = check_now_ns();
    if (pause_early_ns && now >= pause_early_ns)
        return true;
    for (replay_actor *a = actors; a < actors + SCENARIO_ACTORS; a++)
        if (a->early_ns && now >= a->early_ns)
            return true;
    return false;
}

static void let_deadline_pass(replay_actor *a)
{
    a->early_ns = 0;
    if (a->late_ns)
        WAIT_FOR(check_now_ns() > a->late_ns);
}

/* ---- pauses ---- */

/* One that passes does so soon; others take an hour. */
static uint32_t first_pause(const scenario *s, int unit_ms)
{
    bool timed[SCENARIO_ACTORS] = {false};
    for (const scenario_step *step = s->steps; step < s->steps + s->count; step++) {
        if (replay_begins(step))
            timed[step->actor] = step->timeout;
        else if (is(step->verb, "wake") && step->late && !timed[step->actor])
            return (uint32_t)unit_ms;
    }
    return HOUR_MS;
}

/* A creation has failed, or was put off, since then. Those that had begun before a pause count as one. The jitter is a
 * fifth. */
static void pause_begins(int64_t since_ns)
{
    if (pause_early_ns)
        return;
    pause_ms = pause_ms ? 2 * pause_ms : first_pause_ms;
    pause_early_ns = since_ns + pause_ms * 800000;
    pause_late_ns = check_now_ns() + (pause_ms * 6 / 5 + 2) * 1000000;
}

static void let_pause_end(void)
{
    pause_early_ns = 0;
    WAIT_FOR(check_now_ns() > pause_late_ns);
}

/* What an answer to the factory means. */
static void note_creation(const scenario_step *step, int64_t since_ns)
{
    if (is(step->verb, "made"))
        pause_ms = pause_early_ns = 0;
    else if (is(step->verb, "later") || (is(step->verb, "failed") && now_playing->retries))
        pause_begins(since_ns);
}

/* ---- seeing ---- */

/* "B: wait ticket 1" is "B: wait" here, "done OK 1 ticket 1 turn 1" is "done OK 1". */
static void without_numbers(const char *ask, char *text)
{
    *text = 0;
    const char *ticket = strstr(ask, " ticket ");
    scenario_append(text, "%.*s", ticket ? (int)(ticket - ask) : SCENARIO_LINE - 1, ask);
}

static void see_ask(const replay_actor *a, char *text)
{
    *text = 0;
    scenario_append(text, "%c: ", (char)('A' + a->index));
    if (a->at == REPLAY_WAIT)
        scenario_append(text, "wait");
    else if (a->at == REPLAY_HOOK && is(a->hook, "create"))
        scenario_append(text, "create");
    else if (a->at == REPLAY_HOOK)
        scenario_append(text, "%s %ju", a->hook, (uintmax_t)(uintptr_t)a->hook_resource);
    else
        scenario_append(text, "done %s", scenario_status(a->status));
    bool lends = is(a->verb, "acquire") || is(a->verb, "try");
    if (a->at == REPLAY_DONE && a->status == POOL_OK && lends)
        scenario_append(text, " %ju", (uintmax_t)(uintptr_t)a->resource);
}

static void see_counts(char *text)
{
    pool_snapshot_t s;
    const char *woken = " woken";
    scenario_counts(replay_pool, text, &s);
    for (replay_actor *a = actors; a < actors + SCENARIO_ACTORS; a++) {
        if (world->woken && a->at == REPLAY_WAIT && world->woken(a)) {
            scenario_append(text, "%s %c", woken, (char)('A' + a->index));
            woken = "";
        }
    }
    if (s.closed)
        scenario_append(text, " closed");
}

/* Is what is seen what the step says? false: no, but the machine was too slow for a deadline. */
static bool compare(const replay_actor *a, const scenario_step *step)
{
    char wanted[SCENARIO_LINE], ask[SCENARIO_LINE], counts[SCENARIO_LINE];
    bool settled = world->woken || !strstr(step->counts, " woken");
    without_numbers(step->ask, wanted);
    see_ask(a, ask);
    see_counts(counts);
    if (is(ask, wanted) && (!settled || is(counts, step->counts)))
        return true;
    if (replay_too_slow())
        return false;
    check_str(file, line, "the next ask", ask, wanted);
    check_str(file, line, "what was seen", counts, step->counts);
    return true;
}

/* ---- playing ---- */

static void note_outcome(replay_actor *a)
{
    a->busy = false;
    a->early_ns = a->late_ns = 0;
    if (a->status != POOL_OK)
        return;
    if (is(a->verb, "acquire") || is(a->verb, "try")) {
        CHECK(lent_count < MOST_LENT);
        lent[lent_count++] = a->resource;
    }
    destroyed += is(a->verb, "detach"); /* it is as good as that */
    for (int i = 0; i < lent_count && gives(a->verb); i++) {
        if (lent[i] == a->given) {
            lent[i] = lent[--lent_count];
            return;
        }
    }
}

static void act(replay_actor *a, const scenario_step *step, int unit_ms)
{
    int64_t since_ns = check_now_ns();
    if (step->late && a->timeout_ms == 0)
        let_pause_end();
    else if (step->late)
        let_deadline_pass(a);
    if (replay_begins(step)) {
        if (a->busy)
            FAIL("%c is busy", (char)('A' + a->index));
        strcpy(a->verb, step->verb);
        a->given = step->resource;
        a->most = step->most;
        a->timeout_ms = timeout_of(step, unit_ms);
        bool passes = a->timeout_ms && a->timeout_ms != HOUR_MS;
        a->early_ns = passes ? check_now_ns() + a->timeout_ms * 1000000 : 0;
        a->at = REPLAY_RUNNING;
        a->busy = true;
        world->begin(a, step);
        a->late_ns = passes ? check_now_ns() + (a->timeout_ms + 2) * 1000000 : 0;
    } else if (is(step->verb, "cancel")) {
        world->cancel(a);
    } else if (is(step->verb, "wake")) {
        world->go_on(a, step);
    } else {
        if (a->at != REPLAY_HOOK)
            FAIL("nothing was asked that \"%s\" answers", step->verb);
        a->ok = is(step->verb, "made") || is(step->verb, "yes");
        a->later = is(step->verb, "later");
        a->made = step->resource;
        world->go_on(a, step);
        note_creation(step, since_ns);
    }
}

/* The actor, wherever it is, comes to its end: the pool is closed. */
static void finish(replay_actor *a)
{
    while (a->at == REPLAY_HOOK) {
        replay_give_up(a);
        world->go_on(a, NULL);
    }
    if (a->at == REPLAY_WAIT) {
        CHECK(world->woken(a));
        world->go_on(a, NULL);
    }
    CHECK_INT(a->at, REPLAY_DONE);
}

static void end(const scenario *s)
{
    winding_up = true;
    CHECK_STATUS(pool_close(replay_pool), POOL_OK);
    for (replay_actor *a = actors; a < actors + SCENARIO_ACTORS; a++) {
        if (!a->busy)
            continue;
        if (world->finish)
            world->finish(a);
        else
            finish(a);
        note_outcome(a);
    }
    while (lent_count > 0)
        CHECK_STATUS(pool_release(replay_pool, lent[--lent_count]), POOL_OK);
    CHECK_COUNTS(replay_pool, 0, 0, 0);
    if (s->asks_destroy)
        check_int(file, line, "resources destroyed", destroyed, made);
    pool_unref(replay_pool);
    replay_pool = NULL;
    check_int(file, line, "pool_debug_live() after the scenario", pool_debug_live(), 0);
}

/* false: too slow, once more with longer timeouts. */
static bool play(const scenario *s, int unit_ms)
{
    now_playing = s;
    winding_up = false;
    made = destroyed = 0;
    pause_ms = pause_early_ns = pause_late_ns = 0;
    first_pause_ms = first_pause(s, unit_ms);
    memset(actors, 0, sizeof actors);
    for (int i = 0; i < SCENARIO_ACTORS; i++)
        actors[i].index = i;
    if (!is(s->steps[0].verb, "fill"))
        CHECK_STATUS(create(0), POOL_OK);
    bool in_time = true;
    for (int i = 0; i < s->count && in_time; i++) {
        replay_actor *a = &actors[s->steps[i].actor];
        line = s->steps[i].line;
        act(a, &s->steps[i], unit_ms);
        in_time = !replay_too_slow() && compare(a, &s->steps[i]);
        if (a->busy && a->at == REPLAY_DONE)
            note_outcome(a);
    }
    end(s);
    return in_time;
}

void replay(const replay_world *in, const char *name)
{
    scenario_file scenarios = scenario_load(name);
    int left_out = 0;
    world = in;
    file = scenarios.path;
    for (const scenario *s = scenarios.all; s < scenarios.all + scenarios.count; s++) {
        line = s->steps[0].line;
        if (replay_leaves_out(world, name, s)) {
            left_out++;
            continue;
        }
        for (int unit_ms = FIRST_UNIT_MS; !play(s, unit_ms); unit_ms *= 2)
            ;
    }
    check_int(file, line, "scenarios that are left out", left_out, replay_to_leave_out(world, name));
    printf("%d of %d scenarios replayed with %s\n", scenarios.count - left_out, scenarios.count, world->name);
    scenario_free(&scenarios);
}
