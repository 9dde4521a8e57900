/*
 * Coroutines, all on one thread, add up the readings of weather stations from an SQLite database,
 * through a few connections that the pool lends them. They are written as if each were a thread:
 * pool_acquire() suspends the coroutine, not the thread. After each row a coroutine lets the others
 * go on, so that many queries are under way at once. At the end two coroutines get into a deadlock
 * on purpose.
 *
 *     ucontext_demo --coroutines 200 --connections 8 --queries 200
 */
#include "run.h"

#include <asyncpool/ucontext.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define STATIONS 50
#define READINGS 40 /* of each station; number i of station s is s * 1000 + i */
#define ACQUIRE_TIMEOUT_MS 60000

typedef struct demo {
    run_t run;
    pool_ucontext_t coroutines;
    char folder[64];
    char path[96];
    unsigned queries;                   /* of each coroutine */
    unsigned running;                   /* coroutines that have not ended */
    unsigned next;                      /* number for the next coroutine */
    unsigned in_flight, most_in_flight; /* queries */
} demo;

/* What the pool lends. */
typedef struct connection {
    sqlite3 *db;
    sqlite3_stmt *readings;
} connection;

/* ---- the hooks ---- */

static void close_connection(connection *c)
{
    sqlite3_finalize(c->readings);
    sqlite3_close(c->db);
    free(c);
}

/* A hook may suspend as well: this one sleeps as connecting over a network would. */
static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    connection *c = calloc(1, sizeof *c);
    pool_ucontext_sleep(&d->coroutines, 2);
    if (!c || sqlite3_open_v2(d->path, &c->db, SQLITE_OPEN_READONLY, NULL) ||
        sqlite3_prepare_v2(c->db, "SELECT value FROM readings WHERE station = ?", -1, &c->readings, NULL)) {
        pool_set_error(pool, SQLITE_ERROR, c ? sqlite3_errmsg(c->db) : "out of memory");
        if (c)
            close_connection(c);
        return false;
    }
    run_created(&d->run);
    *resource = c;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    close_connection(resource);
    run_destroyed(&d->run);
}

/* ---- the work ---- */

static void add_up(demo *d, connection *c, int station)
{
    int64_t sum = 0, expected = 0;
    for (int i = 0; i < READINGS; i++)
        expected += station * 1000 + i;
    if (++d->in_flight > d->most_in_flight)
        d->most_in_flight = d->in_flight;
    sqlite3_bind_int(c->readings, 1, station);
    while (sqlite3_step(c->readings) == SQLITE_ROW) {
        sum += sqlite3_column_int64(c->readings, 0);
        pool_ucontext_yield(&d->coroutines);
    }
    sqlite3_reset(c->readings);
    d->in_flight--;
    if (sum != expected)
        run_fail(&d->run, "station %d: the sum is %lld, expected %lld", station, (long long)sum, (long long)expected);
}

static void coroutine(void *argument)
{
    demo *d = argument;
    unsigned number = d->next++;
    for (unsigned i = 0; i < d->queries && !atomic_load(&d->run.stopping); i++) {
        void *connection;
        unsigned pause = run_pause_ms(&d->run);
        if (pause)
            pool_ucontext_sleep(&d->coroutines, pause);
        int64_t began_ns = run_now_ns();
        if (!run_acquired(&d->run, began_ns, pool_acquire(d->run.pool, &connection, ACQUIRE_TIMEOUT_MS)))
            break;
        add_up(d, connection, (int)((number + i) % STATIONS));
        run_released(&d->run, pool_release(d->run.pool, connection));
        atomic_fetch_add(&d->run.done, 1);
    }
    d->running--;
}

/* Draws, and looks for signals. */
static void watcher(void *argument)
{
    demo *d = argument;
    while (d->running > 0) {
        run_tick(&d->run);
        pool_ucontext_sleep(&d->coroutines, RUN_TICK_MS / 2);
    }
}

/* ---- the deadlock ---- */

typedef struct greedy {
    demo *d;
    pool_t *pool;
    unsigned ok, deadlocks; /* outcomes of the second acquire */
} greedy;

/* Holds one connection and wants another. */
static void take_two(void *argument)
{
    greedy *g = argument;
    void *first, *second;
    if (pool_acquire(g->pool, &first, 0) != POOL_OK)
        return;
    pool_ucontext_yield(&g->d->coroutines);
    pool_status_t status = pool_acquire(g->pool, &second, 0); /* for ever */
    if (status == POOL_OK) {
        g->ok++;
        pool_release(g->pool, second);
    } else if (status == POOL_ERR_DEADLOCK) {
        g->deadlocks++;
    }
    pool_release(g->pool, first);
}

/* ---- the program ---- */

static bool build_database(demo *d)
{
    if (!run_make_folder(d->folder, "ucontext"))
        return false;
    snprintf(d->path, sizeof d->path, "%s/weather.db", d->folder);
    sqlite3 *db;
    char *sql = sqlite3_mprintf(
        "CREATE TABLE readings (station INTEGER NOT NULL, value INTEGER NOT NULL);"
        "CREATE INDEX of_station ON readings (station);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
        "INSERT INTO readings SELECT i / %d, i / %d * 1000 + i %% %d FROM n;",
        STATIONS * READINGS - 1, READINGS, READINGS, READINGS);
    bool good = sqlite3_open(d->path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        fprintf(stderr, "%s: %s\n", d->path, sqlite3_errmsg(db));
    sqlite3_free(sql);
    sqlite3_close(db);
    return good;
}

static pool_t *make_pool(demo *d, unsigned connections)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.factory = factory;
    config.destructor = destructor;
    config.user_data = d;
    config.max_size = connections;
    config.scheduler = &d->coroutines.scheduler;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        run_fail_call(&d->run, "cannot create a pool");
    return pool;
}

static void check_deadlock(demo *d)
{
    greedy g = {d, make_pool(d, 2), 0, 0};
    bool spawned = g.pool && pool_ucontext_spawn(&d->coroutines, take_two, &g) &&
                   pool_ucontext_spawn(&d->coroutines, take_two, &g);
    pool_ucontext_run(&d->coroutines);
    pool_unref(g.pool);
    run_check(&d->run, spawned && g.ok == 1 && g.deadlocks == 1,
              "two coroutines hold what the other wants: %u told POOL_ERR_DEADLOCK, %u served", g.deadlocks, g.ok);
}

static void demonstrate(demo *d)
{
    d->run.pool = make_pool(d, d->run.places);
    if (!d->run.pool)
        return;
    run_begin(&d->run);
    bool spawned = pool_ucontext_spawn(&d->coroutines, watcher, d);
    for (; spawned && d->running < d->run.workers; d->running += spawned)
        spawned = pool_ucontext_spawn(&d->coroutines, coroutine, d);
    if (!spawned)
        run_fail(&d->run, "cannot make %u coroutines", d->run.workers);
    pool_ucontext_run(&d->coroutines);
    run_end(&d->run);
    pool_unref(d->run.pool);

    run_summary(&d->run);
    run_check(&d->run, d->most_in_flight <= d->run.places, "%u queries under way at once", d->most_in_flight);
    check_deadlock(d);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "queries", .resources = "connections", .workers = 200, .places = 8},
                     .queries = 200};
    const run_option options[] = {{"coroutines", 't', &d.run.workers, 1, 10000, "coroutines"},
                                  {"connections", 'c', &d.run.places, 2, 500, "connections at most"},
                                  {"queries", 'n', &d.queries, 1, 100000, "queries of each coroutine"},
                                  {0}};
    run_setup(argc, argv,
              "Coroutines on one thread query an SQLite database in a temporary folder, through connections lent by "
              "a pool.",
              options);
    d.run.total = (int64_t)d.run.workers * d.queries;
    printf("%u coroutines on one thread share %u SQLite connections (SQLite %s, asyncpool %s)\n\n", d.run.workers,
           d.run.places, sqlite3_libversion(), pool_version());
    if (build_database(&d) && pool_ucontext_init(&d.coroutines, 0)) {
        demonstrate(&d);
        pool_ucontext_destroy(&d.coroutines);
    } else {
        run_fail(&d.run, "cannot begin");
    }
    run_remove_folder(d.folder);
    return run_result(&d.run);
}
