#include "story.h"
#include "table.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    TICK_MS = 20,
    PATIENCE_MS = 120000, /* until something is so that must become so */
    KILLS = 4,
    KILL_EVERY_MS = 1000,
    TURN_EVERY_MS = 5000,
    EMPTY_EVERY = 20, /* kills */
    STILL_EVERY = 7
};

pool_budget_info_t story_info(story *s)
{
    pool_budget_info_t info = {.struct_size = sizeof info};
    pool_budget_info(s->budget, &info);
    return info;
}

/* ---- waiting ---- */

static void tick(story *s)
{
    run_sleep_ms(TICK_MS);
    crew_look(&s->crew);
    table_draw(s, false);
    if (run_signal())
        atomic_store(&s->run.stopping, true);
}

static bool goes_on(story *s) { return !atomic_load(&s->run.stopping); }

static void show(story *s, int64_t ms)
{
    for (int64_t end = run_now_ns() + ms * INT64_C(1000000); goes_on(s) && run_now_ns() < end;)
        tick(s);
}

static void wait_until(story *s, bool (*is_so)(story *), const char *what)
{
    int64_t end = run_now_ns() + PATIENCE_MS * INT64_C(1000000);
    do {
        if (run_now_ns() > end)
            run_fail(&s->run, "it does not come to this: %s", what);
        tick(s);
    } while (goes_on(s) && !is_so(s));
}

/* ---- what is waited for ---- */

static unsigned half(const story *s) { return s->crew.count / 2; }
static unsigned on_the_left(const story *s) { return crew_has(&s->crew, 0, half(s)); }
static unsigned on_the_right(const story *s) { return crew_has(&s->crew, half(s), s->crew.count); }

/* What the other half may always have stays there: one each. */
static bool all_is_left(story *s) { return on_the_left(s) == s->run.places - half(s) && on_the_right(s) == half(s); }
static bool all_is_right(story *s) { return on_the_right(s) == s->run.places - half(s) && on_the_left(s) == half(s); }

static bool all_have_one(story *s)
{
    for (unsigned i = 0; i < s->crew.count; i++)
        if (!s->crew.of[i].has)
            return false;
    return true;
}

static bool all_worked(story *s) { return crew_all_worked(&s->crew); }
static bool leases_have_ended(story *s) { return story_info(s).expired; }
static bool something_is_leased(story *s)
{
    pool_budget_info_t info = story_info(s);
    return !info.expired && info.grace_ms == 0 && info.all > 0;
}

static bool nothing_is_leased(story *s) { return story_info(s).all == 0 && story_info(s).grace_ms == 0; }

/* ---- what happens ---- */

static void say(story *s, const char *what) { atomic_store(&s->run.happens, what); }

/* One half needs more than all there is, the others one each. */
static void load(story *s, bool left)
{
    unsigned much = story_much(s->run.places, half(s));
    for (unsigned i = 0; i < s->crew.count; i++)
        crew_tell(&s->crew, i, (i < half(s)) == left ? much : 1);
}

static void move_load(story *s, bool left, const char *what)
{
    move *m = &s->moves[s->moved++];
    int64_t began_ns = run_now_ns();
    m->what = what;
    m->before = left ? on_the_left(s) : on_the_right(s);
    say(s, what);
    load(s, left);
    wait_until(s, left ? all_is_left : all_is_right, what);
    m->ms = (run_now_ns() - began_ns) / 1000000;
    m->after = left ? on_the_left(s) : on_the_right(s);
    crew_forget_work(&s->crew);
    wait_until(s, all_worked, "each process works");
}

/* Away for longer than a lease, nobody holds one any more when it is back, and all are connected as before. */
static void lose_all(story *s, bool lastingly)
{
    if (!goes_on(s))
        return;
    redis_server_kill(&s->redis);
    if (lastingly) {
        wait_until(s, leases_have_ended, "a member knows that its leases have ended");
        show(s, s->lease_ms / 2); /* the others' end at another time */
    }
    if (!redis_server_up(&s->redis))
        run_fail(&s->run, "the budget's Redis does not come back");
    s->emptied++;
    s->away += lastingly;
}

void story_play(story *s)
{
    say(s, "all begin");
    for (unsigned i = 0; i < s->crew.count; i++)
        crew_tell(&s->crew, i, 2);
    wait_until(s, all_have_one, "each process has a connection");
    show(s, s->show_ms);
    move_load(s, true, "the left half is busy");
    show(s, s->show_ms);
    move_load(s, false, "the right half is busy");
    show(s, s->show_ms);
    say(s, "some are killed");
    for (unsigned i = 0; i < KILLS && goes_on(s); i++) {
        crew_replace(&s->crew, i % 2 ? i : s->crew.count - 1 - i);
        show(s, s->show_ms / KILLS);
    }
    wait_until(s, all_is_right, "all places are used again, and each process has one");
    say(s, "Redis has lost all");
    lose_all(s, false);
    show(s, s->show_ms / 2);
    move_load(s, true, "left again, Redis is empty");
    show(s, s->show_ms);
    say(s, "all are busy, Redis is away");
    for (unsigned i = half(s); i < s->crew.count; i++)
        crew_tell(&s->crew, i, story_much(s->run.places, half(s)));
    lose_all(s, true);
    wait_until(s, something_is_leased, "leases are granted again");
    show(s, s->show_ms / 2);
    move_load(s, false, "right again, Redis is back");
    show(s, s->show_ms / 2);
}

void story_soak(story *s)
{
    int64_t end = run_now_ns() + s->minutes * INT64_C(60000000000), turn = 0;
    bool left = false;
    say(s, "a kill each second");
    srand(1);
    while (goes_on(s) && run_now_ns() < end) {
        if (!turn || (run_now_ns() >= turn && crew_all_worked(&s->crew))) {
            turn = run_now_ns() + TURN_EVERY_MS * INT64_C(1000000);
            load(s, left = !left);
            crew_forget_work(&s->crew);
            s->turns++;
        }
        crew_replace(&s->crew, (unsigned)rand() % s->crew.count);
        bool still = s->crew.killed % STILL_EVERY == 0;
        if (s->crew.killed % EMPTY_EVERY == 0)
            lose_all(s, s->crew.killed % (3 * EMPTY_EVERY) == 0);
        if (still && s->redis.process) {
            kill(s->redis.process, SIGSTOP);
            s->still++;
        }
        show(s, KILL_EVERY_MS);
        if (still && s->redis.process)
            kill(s->redis.process, SIGCONT);
    }
    move_load(s, true, "the left half is busy");
    move_load(s, false, "the right half is busy");
}

/* ---- the end ---- */

bool story_end(story *s)
{
    say(s, "half are killed, half end");
    for (unsigned i = 0; i < s->crew.count; i += 2)
        crew_kill(&s->crew, i);
    return crew_end(&s->crew);
}

unsigned story_places(story *s)
{
    unsigned taken = 0;
    wait_until(s, nothing_is_leased, "the leases of who was killed end");
    while (goes_on(s) && taken < s->run.places && pool_budget_take(s->budget, NULL))
        taken++;
    for (unsigned i = 0; i < taken; i++)
        pool_budget_give(s->budget);
    table_draw(s, true);
    return taken;
}
