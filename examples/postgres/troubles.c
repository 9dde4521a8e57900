#include "troubles.h"

#include <signal.h>

/* Lets time pass; false: the run is to stop. */
static bool pass(run_t *run, unsigned ms)
{
    int64_t until_ns = run_now_ns() + ms * INT64_C(1000000);
    while (run_now_ns() < until_ns && !atomic_load(&run->stopping))
        run_sleep_ms(10);
    return !atomic_load(&run->stopping);
}

static bool calm(run_t *run, const trouble_times *times)
{
    atomic_store(&run->happens, "all is well");
    return pass(run, times->calm_ms);
}

static trouble *begin(account *a, run_t *run, const char *name, bool breaks)
{
    trouble *t = &a->troubles[a->trouble_count++];
    atomic_store(&run->happens, name);
    *t = (trouble){.name = name, .breaks = breaks, .running = atomic_load(&a->running), .began_ns = run_now_ns()};
    return t;
}

static bool end(trouble *t)
{
    t->back_ns = run_now_ns();
    if (!t->broken_ns)
        t->broken_ns = t->back_ns;
    return true;
}

static bool restart(pg_server *s, account *a, run_t *run)
{
    trouble *t = begin(a, run, "restarted", true);
    bool down = pg_server_down(s, run, SIGINT);
    t->broken_ns = run_now_ns();
    bool up = down && pg_server_up(s, run);
    return end(t) && up;
}

static bool kill_sessions(pg_server *s, account *a, run_t *run)
{
    trouble *t = begin(a, run, "sessions killed", true);
    bool killed = pg_server_kill_sessions(s, run);
    return end(t) && killed;
}

static bool stay_away(pg_server *s, account *a, run_t *run, unsigned ms)
{
    trouble *t = begin(a, run, "away", true);
    bool down = pg_server_down(s, run, SIGQUIT);
    t->broken_ns = run_now_ns();
    bool up = down && pass(run, ms) && pg_server_up(s, run);
    return end(t) && up;
}

static bool stand_still(pg_server *s, account *a, run_t *run, unsigned ms)
{
    trouble *t = begin(a, run, "standing still", false);
    bool still = pg_server_freeze(s, run);
    bool whole = still && pass(run, ms);
    pg_server_thaw(s);
    return end(t) && whole;
}

void troubles_play(const trouble_times *times, pg_server *s, account *a, run_t *run)
{
    bool all = calm(run, times) && restart(s, a, run) && calm(run, times) && kill_sessions(s, a, run) &&
               calm(run, times) && stay_away(s, a, run, times->away_ms) && calm(run, times) &&
               stand_still(s, a, run, times->still_ms) && calm(run, times);
    if (!all && !atomic_load(&run->stopping) && !run_signal())
        run_fail(run, "the troubles were cut short");
}
