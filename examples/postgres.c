/*
 * Threads query a PostgreSQL server through a few connections that the pool lends them, while the server is restarted,
 * its sessions are killed, it crashes and is away for a while, and it stands still. The program starts the server
 * itself, in a temporary folder. At the end stands what the callers saw of all that: nobody fails who could have waited
 * for the server to come back, lost are only the queries that were running, and the server meets a few attempts to
 * connect, not all who want to.
 *
 *     postgres --threads 32 --connections 8 --away 3000 --still 3000
 */
#include "postgres/account.h"
#include "postgres/server.h"
#include "postgres/troubles.h"
#include "live.h"
#include "run.h"

#include <pthread.h>
#include <stdio.h>

enum {
    DEADLINE_MS = 20000,
    HURRIED_DEADLINE_MS = 250,
    HURRIED_EVERY = 8,  /* one caller of so many */
    CONNECT_MS = 5000,  /* to connect at most, if the caller has that long */
    CHECK_MS = 1000,    /* for the server to answer a healthcheck */
    INTERVAL_MS = 1000, /* between two healthchecks */
    LIFETIME_MS = 3000, /* of a connection at most, and half of it at least */
    OPEN_MS = 1000,     /* of the breaker, before a probe */
    PAUSE_MS = 50       /* of a caller that was sent away, and of all in a lull, so that some connections are idle */
};

typedef struct demo {
    run_t run;
    pg_server server;
    account account;
    trouble_times times;
    atomic_bool over; /* callers shall go home */
} demo;

/* ---- the hooks ---- */

/*
 * Who waits for the connection does so until its deadline: it makes no sense to go on connecting for longer. That its
 * time is over says nothing of the server, so it is no failure, and who is next in line may try at once.
 */
static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    int64_t left_ms = pool_time_left_ms(pool), began_ns = run_now_ns();
    char reason[128];
    connection *c = connection_open(d->server.folder, left_ms < CONNECT_MS ? left_ms : CONNECT_MS, reason);
    if (!c) {
        pool_set_error(pool, 0, reason);
        if (pool_time_left_ms(pool) > 0)
            account_note(&d->account.refused, began_ns, run_now_ns());
        else if (pool_try_later(pool, 0) == POOL_OK)
            atomic_fetch_add(&d->account.given_up, 1);
        return false;
    }
    run_created(&d->run);
    *resource = c;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    connection_close(resource);
    run_destroyed(&d->run);
}

/* What was ended while it was idle has been told so: cheap enough to look at each time. */
static bool before_acquire(pool_t *pool, void *resource)
{
    (void)pool;
    connection *c = resource;
    c->lent_ns = run_now_ns();
    return connection_is_quiet(c);
}

/* It may also have gone without a word, as when a cable is pulled. */
static bool healthcheck(pool_t *pool, void *resource)
{
    (void)pool;
    return connection_is_quiet(resource) && connection_answers(resource, CHECK_MS);
}

/* ---- the work ---- */

/* A query that has no answer is lost: the server may have done it or not. Its connection is known to be broken. */
static void query(demo *d, connection *c, unsigned number)
{
    char worker[16];
    const char *const values[] = {worker};
    snprintf(worker, sizeof worker, "%u", number + 1);
    atomic_fetch_add(&d->account.running, 1);
    PGresult *result = PQexecParams(c->pg, "SELECT work($1)", 1, NULL, values, NULL, NULL, 0);
    atomic_fetch_sub(&d->account.running, 1);
    bool answered = PQresultStatus(result) == PGRES_TUPLES_OK;
    if (!answered && connection_survives(result))
        run_fail(&d->run, "a query failed: %s", PQerrorMessage(c->pg));
    PQclear(result);
    if (answered) {
        atomic_fetch_add(&d->run.done, 1);
        run_released(&d->run, pool_release(d->run.pool, c));
    } else {
        account_note(&d->account.lost, c->lent_ns, run_now_ns());
        run_released(&d->run, pool_discard(d->run.pool, c));
    }
}

static void caller(void *context, unsigned number)
{
    demo *d = context;
    unsigned kind = number % HURRIED_EVERY == HURRIED_EVERY - 1 ? HURRIED : PATIENT;
    while (run_go_on(&d->run) && !atomic_load(&d->over)) {
        void *connection;
        int64_t began_ns = run_now_ns();
        pool_status_t status = pool_acquire(d->run.pool, &connection, d->account.deadline_ms[kind]);
        account_acquire(&d->account, kind, status, run_now_ns() - began_ns);
        live_waited(&d->run, run_now_ns() - began_ns);
        if (status == POOL_OK)
            query(d, connection, number);
        if (status != POOL_OK || run_pause_ms(&d->run) > 0)
            run_sleep_ms(PAUSE_MS);
    }
}

static void *crowd(void *context)
{
    demo *d = context;
    run_threads(&d->run, caller, d);
    return NULL;
}

/* ---- the program ---- */

/*
 * Callers wait a failure out, and the server meets one of them after each pause. The breaker is for what is not worth
 * waiting for: an outage that is longer than their deadline, in which they would stand in line for nothing. It counts
 * creations: eight connections that end under their queries say nothing of a server that lets in who connects. Before
 * it opens so many must fail as can be tried in that time: who finds a place at once, then one after each pause.
 */
static bool make_pool(demo *d)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "postgres";
    config.factory = factory;
    config.destructor = destructor;
    config.healthcheck = healthcheck;
    config.before_acquire = before_acquire;
    config.user_data = d;
    config.max_size = d->run.places;
    config.healthcheck_interval_ms = INTERVAL_MS;
    config.create_retry_ms = RETRY_MS;
    config.create_retry_max_ms = RETRY_MAX_MS;
    config.max_lifetime_ms = LIFETIME_MS;
    config.lifetime_jitter_ms = LIFETIME_MS / 2;
    unsigned hopeless = d->run.places + account_pauses(DEADLINE_MS * INT64_C(1000000)) + 1;
    bool made = pool_create_ex(&config, &d->run.pool) == POOL_OK &&
                pool_strategy_threshold_on(d->run.pool, POOL_COUNT_CREATIONS, hopeless, OPEN_MS, 1) == POOL_OK;
    if (!made)
        run_fail_call(&d->run, "cannot create the pool");
    return made;
}

static void check_server(demo *d)
{
    int64_t counted = pg_server_number(&d->server, &d->run, "SELECT sum(times) FROM done");
    long long done = d->run.done, lost = d->account.lost.count;
    run_check(&d->run, counted >= done && counted <= done + lost,
              "%lld queries answered and %lld lost, the server has done %lld", done, lost, (long long)counted);
}

static void demonstrate(demo *d)
{
    pthread_t thread;
    pool_stats_t stats = {.struct_size = sizeof stats};
    if (make_pool(d)) {
        if (pthread_create(&thread, NULL, crowd, d) != 0) {
            run_fail(&d->run, "cannot start a thread");
        } else {
            troubles_play(&d->times, &d->server, &d->account, &d->run);
            atomic_store(&d->over, true);
            pthread_join(thread, NULL);
            pool_close(d->run.pool);
            pool_stats(d->run.pool, &stats);
        }
    }
    pool_unref(d->run.pool);
    if (d->run.ended_ns) {
        account_show(&d->account, &d->run, &stats);
        run_summary(&d->run);
        if (!atomic_load(&d->run.stopping)) {
            account_check(&d->account, &d->run, &stats);
            check_server(d);
        }
    }
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "queries", .resources = "connections", .workers = 32, .places = 8},
                     .account = {.deadline_ms = {DEADLINE_MS, HURRIED_DEADLINE_MS}},
                     .times = {.calm_ms = 2000, .away_ms = 3000, .still_ms = 3000}};
    unsigned quick = 0;
    const run_option options[] = {
        {"threads", 't', &d.run.workers, 1, 1000, "threads that want a connection"},
        {"connections", 'c', &d.run.places, 1, 32, "connections at most"},
        {"away", 'a', &d.times.away_ms, 1, 600000, "milliseconds that it is away: 40000, and the breaker opens"},
        {"still", 's', &d.times.still_ms, 1, 600000, "milliseconds that it stands still"},
        {"quick", 'q', &quick, 1, 1, "all of that within a few seconds"},
        {0}};
    run_setup(argc, argv,
              "Threads query a PostgreSQL server that this program starts on a socket in a temporary folder, "
              "through connections lent by a pool, while it is restarted, its sessions are killed, it is away for "
              "a while, and stands still.",
              options);
    if (quick)
        d.times = (trouble_times){.calm_ms = 700, .away_ms = 500, .still_ms = 500};
    puts("starting a PostgreSQL server");
    fflush(stdout);
    if (pg_server_start(&d.server, &d.run)) {
        printf("%u threads share %u connections (PostgreSQL in process %d, asyncpool %s)\n\n", d.run.workers,
               d.run.places, (int)d.server.process, pool_version());
        demonstrate(&d);
    }
    pg_server_stop(&d.server);
    return run_result(&d.run);
}
