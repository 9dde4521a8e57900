/*
 * A fleet of processes shares what a server allows: so many clients, of all processes together. Each process could use
 * more than its part, and the load moves from one half of them to the other; the budget, kept in another Redis, moves the
 * connections along. Meanwhile processes are killed, and the budget's Redis loses all that it knows. At the end stands
 * what the server saw: it refused nobody, and no place was lost.
 *
 *     fleet build/examples/fleet_worker --processes 12 --places 40
 *
 * The processes run the programs that are named first, in turn: examples/fleet/worker.c is one, worker.php another. This
 * program starts both Redis servers itself, on sockets in temporary folders.
 */
#include "fleet/story.h"
#include "run.h"

#include <stdio.h>

/* Who opens a budget first makes it, and all others find the limit. */
static bool join(story *s)
{
    pool_budget_config_t config = POOL_BUDGET_CONFIG_INIT;
    config.address = s->redis.socket;
    config.key = "fleet";
    config.limit = s->run.places;
    config.lease_ms = s->lease_ms;
    bool joined = pool_budget_open(&config, &s->budget) == POOL_OK;
    if (!joined)
        run_fail(&s->run, "no budget: %s", pool_budget_error());
    return joined;
}

static void summary(story *s, bool ended_well, unsigned found)
{
    const crew *c = &s->crew;
    unsigned places = s->run.places, half = c->count / 2;
    int64_t refused = redis_server_says(&s->resource, "stats", "rejected_connections:");
    int64_t works = redis_server_says(&s->resource, "commandstats", "cmdstat_incr:calls=");
    puts("\nWhere the load went, and the places\n");
    for (unsigned i = 0; i < s->moved && !run_signal(); i++) {
        const move *m = &s->moves[i];
        printf("  %-26s  from %2u to %2u of %u places in %5.2f s, %4.1f heartbeats\n", m->what, m->before, m->after,
               places, (double)m->ms / 1000, 4.0 * (double)m->ms / s->lease_ms);
    }
    printf("\n%lld uses of a connection, %u processes killed; Redis lost all %u times, %u of them for longer than a "
           "lease\n",
           (long long)works, c->killed, s->emptied, s->away);
    if (s->minutes)
        printf("Redis stood still for a second %u times; the load has turned %u times, each after every process had "
               "used a\n"
               "connection since the last\n",
               s->still, s->turns);
    puts("\nChecks\n");
    run_check(&s->run, refused == 0, "%lld connections refused by the server", (long long)refused);
    run_check(&s->run, c->most <= places, "at most %u connections at once in %llu looks, %u allowed", c->most,
              c->samples, places);
    if (run_signal())
        return;
    bool all_moved = s->moved > 0;
    for (unsigned i = 0; i < s->moved; i++)
        all_moved = all_moved && s->moves[i].after == places - half;
    run_check(&s->run, all_moved, "the half with the load had %u of %u places, each time", places - half, places);
    run_check(&s->run, ended_well, "every process that was not killed has ended well");
    run_check(&s->run, found == places, "%u places lost: all leases have ended, and %u of %u can be taken",
              places - found, found, places);
}

static void play(story *s, char *const programs[], unsigned program_count)
{
    run_begin(&s->run);
    s->run.draw_ns = 0;
    if (!crew_start(&s->crew, s->run.workers, programs, program_count))
        return;
    if (s->minutes)
        story_soak(s);
    else
        story_play(s);
    bool ended_well = story_end(s);
    summary(s, ended_well, story_places(s));
}

/* What the acts need: one place for each process, and tasks enough in one half to use all others. */
static bool makes_sense(const story *s)
{
    unsigned half = s->run.workers / 2;
    return s->run.workers % 2 == 0 && s->run.places > s->run.workers && story_much(s->run.places, half) <= STORY_TASKS;
}

int main(int argc, char **argv)
{
    static story s = {.run = {.workers = 12, .places = 40, .happens = ""}, .lease_ms = 2000, .show_ms = 2500};
    unsigned quick = 0, program_count = 0;
    const run_option options[] = {
        {"processes", 'p', &s.run.workers, 2, CREW_MOST, "processes, half of them left"},
        {"places", 'n', &s.run.places, 2, 1000, "clients that the server allows"},
        {"lease", 'l', &s.lease_ms, 400, 60000, "milliseconds of a lease"},
        {"minutes", 'm', &s.minutes, 1, 10000, "a soak: a kill each second, for so long"},
        {"quick", 'q', &quick, 1, 1, "no longer than it takes"},
        {0}};
    char *programs[CREW_MOST];
    while (program_count + 1 < (unsigned)argc && program_count < CREW_MOST && argv[program_count + 1][0] != '-') {
        programs[program_count] = argv[program_count + 1];
        program_count++;
    }
    argv[program_count] = argv[0];
    run_setup(
        argc - (int)program_count, argv + program_count,
        "Processes share the clients that a Redis server allows by a budget in another, while their load moves, some "
        "are killed, and the budget is lost. They run the programs that are named before all options.",
        options);
    if (program_count == 0 || !makes_sense(&s)) {
        fputs(program_count
                  ? "an even number of processes, and more places than these, but at most 14 for each of one half\n"
                  : "which program shall they run? build/examples/fleet_worker, for example\n",
              stderr);
        return 2;
    }
    if (quick)
        s.show_ms = 0;
    s.resource.most_clients = s.run.places + 1; /* this program looks */
    s.crew = (crew){.run = &s.run, .resource = &s.resource, .budget = s.redis.socket, .lease_ms = s.lease_ms};
    if (redis_server_start(&s.resource, &s.run) && redis_server_start(&s.redis, &s.run) && join(&s)) {
        printf("%u processes share %u places (Redis servers in processes %d and %d, asyncpool %s)\n\n", s.run.workers,
               s.run.places, (int)s.resource.process, (int)s.redis.process, pool_version());
        play(&s, programs, program_count);
    }
    crew_end(&s.crew);
    pool_budget_close(s.budget);
    redis_server_stop(&s.redis);
    redis_server_stop(&s.resource);
    return run_result(&s.run);
}
