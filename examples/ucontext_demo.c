/*
 * Coroutines, all on one thread, add up the readings of weather stations from an SQLite database,
 * through a few connections that the pool lends them. They are written as if each were a thread:
 * pool_acquire() suspends the coroutine, not the thread. After each row a coroutine lets the others
 * go on, so that many queries are under way at once. At the end two coroutines get into a deadlock
 * on purpose.
 *
 *     ucontext_demo --coroutines 200 --connections 8 --queries 200
 */
#include "live.h"

#include <asyncpool/ucontext.h>

#include <getopt.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATIONS 50
#define READINGS 40 /* of each station; number i of station s is s * 1000 + i */
#define ACQUIRE_TIMEOUT_MS 60000

typedef struct demo {
    live_t live;
    live_census census;
    pool_ucontext_t coroutines;
    char folder[64];
    char path[96];
    unsigned queries; /* of each coroutine */
    unsigned running; /* coroutines that have not ended */
    unsigned next;    /* number for the next coroutine */
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
        sqlite3_prepare_v2(c->db, "SELECT value FROM readings WHERE station = ?", -1, &c->readings,
                           NULL)) {
        pool_set_error(pool, SQLITE_ERROR, c ? sqlite3_errmsg(c->db) : "out of memory");
        if (c)
            close_connection(c);
        return false;
    }
    live_census_created(&d->census);
    *resource = c;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    close_connection(resource);
    live_census_destroyed(&d->census);
}

/* ---- the work ---- */

static void add_up(demo *d, connection *c, int station)
{
    int64_t sum = 0, expected = 0;
    for (int i = 0; i < READINGS; i++)
        expected += station * 1000 + i;
    if (++d->in_flight > d->most_in_flight)
        d->most_in_flight = d->in_flight;
    live_in_flight(&d->live, d->in_flight);
    sqlite3_bind_int(c->readings, 1, station);
    while (sqlite3_step(c->readings) == SQLITE_ROW) {
        sum += sqlite3_column_int64(c->readings, 0);
        pool_ucontext_yield(&d->coroutines);
    }
    sqlite3_reset(c->readings);
    d->in_flight--;
    if (sum != expected)
        live_fail(&d->live, "station %d: the sum is %lld, expected %lld", station, (long long)sum,
                  (long long)expected);
}

static void coroutine(void *argument)
{
    demo *d = argument;
    unsigned number = d->next++;
    for (unsigned i = 0; i < d->queries && !atomic_load(&d->live.stopping); i++) {
        void *connection;
        unsigned pause = live_pause_ms(&d->live);
        if (pause)
            pool_ucontext_sleep(&d->coroutines, pause);
        int64_t began_ns = live_now_ns();
        pool_status_t status = pool_acquire(d->live.pool, &connection, ACQUIRE_TIMEOUT_MS);
        live_waited(&d->live, live_now_ns() - began_ns);
        if (status == POOL_ERR_CLOSED)
            break;
        if (status != POOL_OK) {
            live_fail_call(&d->live, "cannot borrow a connection");
            break;
        }
        add_up(d, connection, (int)((number + i) % STATIONS));
        if (pool_release(d->live.pool, connection) != POOL_OK)
            live_fail_call(&d->live, "cannot give a connection back");
        live_done(&d->live);
    }
    d->running--;
}

/* Draws, and looks for signals. */
static void watcher(void *argument)
{
    demo *d = argument;
    while (d->running > 0) {
        if (live_tick(&d->live))
            pool_close(d->live.pool); /* who waits is told so */
        pool_ucontext_sleep(&d->coroutines, LIVE_TICK_MS / 2);
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
    strcpy(d->folder, "/tmp/asyncpool-ucontext-XXXXXX");
    if (!mkdtemp(d->folder)) {
        perror("cannot make a temporary folder");
        d->folder[0] = 0;
        return false;
    }
    snprintf(d->path, sizeof d->path, "%s/weather.db", d->folder);
    sqlite3 *db;
    char *sql = sqlite3_mprintf(
        "CREATE TABLE readings (station INTEGER NOT NULL, value INTEGER NOT NULL);"
        "CREATE INDEX of_station ON readings (station);"
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
        "INSERT INTO readings SELECT i / %d, i / %d * 1000 + i %% %d FROM n;",
        STATIONS * READINGS - 1, READINGS, READINGS, READINGS);
    bool good = sqlite3_open(d->path, &db) == SQLITE_OK &&
                sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
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
        live_fail_call(&d->live, "cannot create a pool");
    return pool;
}

static bool check_deadlock(demo *d)
{
    greedy g = {d, make_pool(d, 2), 0, 0};
    bool spawned = g.pool && pool_ucontext_spawn(&d->coroutines, take_two, &g) &&
                   pool_ucontext_spawn(&d->coroutines, take_two, &g);
    pool_ucontext_run(&d->coroutines);
    pool_unref(g.pool);
    return live_check(spawned && g.ok == 1 && g.deadlocks == 1,
                      "two coroutines hold what the other wants: %u told POOL_ERR_DEADLOCK, %u "
                      "served", g.deadlocks, g.ok);
}

static int demonstrate(demo *d, unsigned connections)
{
    d->live.pool = make_pool(d, connections);
    if (!d->live.pool)
        return live_exit_code(&d->live, false);
    if (live_begin(&d->live)) {
        bool spawned = pool_ucontext_spawn(&d->coroutines, watcher, d);
        for (; spawned && d->running < d->live.threads; d->running += spawned)
            spawned = pool_ucontext_spawn(&d->coroutines, coroutine, d);
        if (!spawned)
            live_fail(&d->live, "cannot make %u coroutines", d->live.threads);
        pool_ucontext_run(&d->coroutines);
        live_end(&d->live);
    }
    pool_unref(d->live.pool);

    bool good = live_summary(&d->live);
    good = live_check(d->most_in_flight <= connections, "%u queries under way at once",
                      d->most_in_flight) && good;
    good = check_deadlock(d) && good;
    unsigned created = atomic_load(&d->census.created), peak = atomic_load(&d->census.peak);
    unsigned destroyed = atomic_load(&d->census.destroyed);
    good = live_check(created == destroyed && peak <= connections, "%u connections created, %u "
                      "destroyed, at most %u open at once", created, destroyed, peak) && good;
    return live_exit_code(&d->live, good);
}

static void usage(FILE *to)
{
    fputs("Usage: ucontext_demo [--coroutines N] [--connections N] [--queries N]\n"
          "Coroutines on one thread query an SQLite database in a temporary folder, through\n"
          "connections lent by a pool. Exit code 0: all went right.\n\n"
          "  -t, --coroutines N    coroutines (200)\n"
          "  -c, --connections N   connections at most (8)\n"
          "  -n, --queries N       queries of each coroutine (200)\n"
          "  -h, --help            this text\n",
          to);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"coroutines", required_argument, NULL, 't'},
                                            {"connections", required_argument, NULL, 'c'},
                                            {"queries", required_argument, NULL, 'n'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static demo d = {.live = {.unit = "queries", .threads = 200}, .queries = 200};
    unsigned connections = 8;
    int option;
    while ((option = getopt_long(argc, argv, "t:c:n:h", options, NULL)) != -1) {
        if (option == 't')
            d.live.threads = live_option("--coroutines", optarg, 1, 10000);
        else if (option == 'c')
            connections = live_option("--connections", optarg, 2, 500);
        else if (option == 'n')
            d.queries = live_option("--queries", optarg, 1, 100000);
        else {
            usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    if (optind < argc) {
        usage(stderr);
        return 2;
    }
    d.live.total = (int64_t)d.live.threads * d.queries;
    live_setup(&d.live);
    printf("%u coroutines on one thread share %u SQLite connections (SQLite %s, asyncpool %s)\n\n",
           d.live.threads, connections, sqlite3_libversion(), pool_version());
    int code = 1;
    if (build_database(&d) && pool_ucontext_init(&d.coroutines, 0)) {
        code = demonstrate(&d, connections);
        pool_ucontext_destroy(&d.coroutines);
    }
    unlink(d.path);
    if (d.folder[0] && rmdir(d.folder) != 0)
        perror(d.folder);
    return code;
}
