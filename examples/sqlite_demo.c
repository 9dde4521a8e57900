/*
 * Many threads move money between the accounts of an SQLite database, through a few connections
 * that the pool lends them. Now and then a connection breaks, or a thread forgets to commit: the
 * hooks see to both. At the end the accounts are checked against what the threads did.
 *
 *     sqlite_demo --threads 64 --connections 8 --transactions 100000
 */
#include "live.h"

#include <errno.h>
#include <getopt.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ACCOUNTS 100
#define OPENING_BALANCE 1000
#define BUSY_TIMEOUT_MS 60000
#define ACQUIRE_TIMEOUT_MS 60000
#define MISHAP_EVERY 500 /* transactions; each kind of mishap once in so many */

typedef struct demo {
    live_t live;
    live_census census;
    char folder[200];
    char path[256];
    atomic_llong next;       /* number of the next transaction, from 0 */
    atomic_llong committed;  /* transfers that are in the database for good */
    atomic_llong forgotten;  /* transfers that a thread left open */
    atomic_llong rolled_back; /* open transfers that before_release found */
} demo;

enum { BEGIN, MOVE, RECORD, COMMIT, STATEMENTS };

static const char *const statement_text[STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [MOVE] = "UPDATE accounts SET balance = balance + ?1 WHERE id = ?2",
    [RECORD] = "INSERT INTO transfers (source, target, amount) VALUES (?1, ?2, ?3)",
    [COMMIT] = "COMMIT",
};

/* What the pool lends. The statements are prepared once: that is what makes lending worth while. */
typedef struct connection {
    sqlite3 *db;
    sqlite3_stmt *statement[STATEMENTS];
    atomic_bool in_use; /* to see that nobody else has it */
    enum fate { SOUND, BREAKS_IN_USE, BREAKS_IDLE } fate;
} connection;

/* ---- the hooks ---- */

static void close_connection(connection *c)
{
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(c->statement[i]);
    sqlite3_close(c->db);
    free(c);
}

/* NOMUTEX: SQLite does not guard the connection against two threads; the pool does. */
static bool open_connection(connection *c, const char *path)
{
    if (sqlite3_open_v2(path, &c->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) ||
        sqlite3_busy_timeout(c->db, BUSY_TIMEOUT_MS) ||
        sqlite3_exec(c->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL))
        return false;
    for (int i = 0; i < STATEMENTS; i++)
        if (sqlite3_prepare_v2(c->db, statement_text[i], -1, &c->statement[i], NULL))
            return false;
    return true;
}

static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    connection *c = calloc(1, sizeof *c);
    if (!c) {
        pool_set_error(pool, SQLITE_NOMEM, "out of memory");
        return false;
    }
    if (!open_connection(c, d->path)) {
        pool_set_error(pool, sqlite3_errcode(c->db), sqlite3_errmsg(c->db));
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

/* An idle connection is lent only if it is sound and outside any transaction. */
static bool before_acquire(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    connection *c = resource;
    if (c->fate == SOUND && sqlite3_get_autocommit(c->db))
        return true;
    atomic_fetch_add(&d->census.refused_by_acquire, 1);
    return false;
}

/* What comes back in an open transaction is rolled back, so that the next borrower starts clean. */
static bool before_release(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    connection *c = resource;
    if (c->fate == BREAKS_IN_USE) {
        atomic_fetch_add(&d->census.refused_by_release, 1);
        return false;
    }
    if (sqlite3_get_autocommit(c->db))
        return true;
    atomic_fetch_add(&d->rolled_back, 1);
    return sqlite3_exec(c->db, "ROLLBACK", NULL, NULL, NULL) == SQLITE_OK;
}

/* ---- the work ---- */

/* Runs a statement that gives no rows, with up to three numbers. */
static bool run(connection *c, int which, int a, int b, int n)
{
    sqlite3_stmt *s = c->statement[which];
    const int values[] = {a, b, n};
    for (int i = 0; i < sqlite3_bind_parameter_count(s); i++)
        sqlite3_bind_int(s, i + 1, values[i]);
    bool good = sqlite3_step(s) == SQLITE_DONE;
    sqlite3_reset(s);
    return good;
}

static void transfer(demo *d, connection *c, int64_t number, uint32_t random)
{
    int source = (int)(random % ACCOUNTS), amount = (int)(random >> 8) % 50 + 1;
    int target = (source + 1 + (int)(random >> 16) % (ACCOUNTS - 1)) % ACCOUNTS;
    bool forgets = number % MISHAP_EVERY == MISHAP_EVERY / 2;
    bool good = run(c, BEGIN, 0, 0, 0) && run(c, MOVE, -amount, source, 0) &&
                run(c, MOVE, amount, target, 0) && run(c, RECORD, source, target, amount);
    if (good && forgets) {
        atomic_fetch_add(&d->forgotten, 1);
        return;
    }
    if (good && run(c, COMMIT, 0, 0, 0))
        atomic_fetch_add(&d->committed, 1);
    else
        live_fail(&d->live, "transfer %lld: %s", (long long)number, sqlite3_errmsg(c->db));
}

/* An SQLite connection does not break by itself: it is marked, and the hooks take it for broken. */
static void break_connection(demo *d, connection *c, enum fate fate)
{
    c->fate = fate;
    atomic_fetch_add(fate == BREAKS_IDLE ? &d->census.broken_idle : &d->census.broken_in_use, 1);
}

static void worker(live_t *live, unsigned thread)
{
    demo *d = live->context;
    uint32_t random = thread * 2654435761u + 1;
    int64_t number;
    while (live_go_on(live) && (number = atomic_fetch_add(&d->next, 1)) < live->total) {
        random ^= random << 13; /* xorshift: the same transfers in every run */
        random ^= random >> 17;
        random ^= random << 5;

        void *resource;
        int64_t began_ns = live_now_ns();
        pool_status_t status = pool_acquire(live->pool, &resource, ACQUIRE_TIMEOUT_MS);
        live_waited(live, live_now_ns() - began_ns);
        if (status == POOL_ERR_CLOSED)
            return;
        if (status != POOL_OK) {
            live_fail_call(live, "cannot borrow a connection");
            return;
        }
        connection *c = resource;
        if (atomic_exchange(&c->in_use, true))
            live_fail(live, "a connection is lent to two threads at once");
        transfer(d, c, number, random);
        if (number % MISHAP_EVERY == 0)
            break_connection(d, c, number / MISHAP_EVERY % 2 ? BREAKS_IDLE : BREAKS_IN_USE);
        atomic_store(&c->in_use, false);
        if (pool_release(live->pool, c) != POOL_OK)
            live_fail_call(live, "cannot give a connection back");
        live_done(live);
    }
}

/* ---- the database before and after ---- */

static bool build_database(demo *d)
{
    sqlite3 *db;
    char *sql = sqlite3_mprintf(
        "PRAGMA journal_mode = WAL;"
        "CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);"
        "CREATE TABLE transfers (id INTEGER PRIMARY KEY, source INTEGER NOT NULL,"
        "                        target INTEGER NOT NULL, amount INTEGER NOT NULL);"
        "WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < %d)"
        "INSERT INTO accounts SELECT id, %d FROM n;",
        ACCOUNTS - 1, OPENING_BALANCE);
    bool good = sqlite3_open(d->path, &db) == SQLITE_OK &&
                sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
    if (!good)
        fprintf(stderr, "%s: %s\n", d->path, sqlite3_errmsg(db));
    sqlite3_free(sql);
    sqlite3_close(db);
    return good;
}

/* The one number that a query gives; -1 when it cannot be run. */
static int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s;
    int64_t answer = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        answer = sqlite3_column_int64(s, 0);
    sqlite3_finalize(s);
    return answer;
}

static bool check_database(demo *d)
{
    static const char wrong_accounts[] =
        "SELECT count(*) FROM accounts AS a WHERE balance <> %d"
        " + (SELECT total(amount) FROM transfers WHERE target = a.id)"
        " - (SELECT total(amount) FROM transfers WHERE source = a.id)";
    sqlite3 *db;
    if (sqlite3_open_v2(d->path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK) {
        sqlite3_close(db);
        return live_check(false, "the database can be opened again");
    }
    char sql[512];
    snprintf(sql, sizeof sql, wrong_accounts, OPENING_BALANCE);
    int64_t sum = ask(db, "SELECT sum(balance) FROM accounts"), wrong = ask(db, sql);
    int64_t rows = ask(db, "SELECT count(*) FROM transfers");
    int64_t committed = atomic_load(&d->committed), start = ACCOUNTS * OPENING_BALANCE;
    int64_t forgotten = atomic_load(&d->forgotten), rolled_back = atomic_load(&d->rolled_back);
    sqlite3_close(db);
    bool good = live_check(forgotten == rolled_back, "%s transfers left open, %s rolled back",
                           live_count(forgotten).s, live_count(rolled_back).s);
    good = live_check(rows == committed, "%s transfers committed, %s in the table",
                      live_count(committed).s, live_count(rows).s) && good;
    good = live_check(sum == start, "all accounts together: %s before, %s after",
                      live_count(start).s, live_count(sum).s) && good;
    return live_check(wrong == 0, "each of %d accounts agrees with its transfers", ACCOUNTS) &&
           good;
}

/* ---- the program ---- */

static bool make_folder(demo *d)
{
    const char *parent = getenv("TMPDIR");
    int n = snprintf(d->folder, sizeof d->folder, "%s/asyncpool-sqlite-XXXXXX",
                     parent && *parent ? parent : "/tmp");
    if (n >= (int)sizeof d->folder || !mkdtemp(d->folder)) {
        fprintf(stderr, "cannot make a temporary folder: %s\n",
                n >= (int)sizeof d->folder ? "TMPDIR is too long" : strerror(errno));
        return false;
    }
    snprintf(d->path, sizeof d->path, "%s/bank.db", d->folder);
    return true;
}

static void remove_folder(const demo *d)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char path[300];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(path, sizeof path, "%s%s", d->path, endings[i]);
        unlink(path);
    }
    if (rmdir(d->folder) != 0)
        fprintf(stderr, "cannot remove %s: %s\n", d->folder, strerror(errno));
}

static int demonstrate(demo *d, unsigned connections)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "sqlite";
    config.factory = factory;
    config.destructor = destructor;
    config.before_acquire = before_acquire;
    config.before_release = before_release;
    config.user_data = d;
    config.min_size = connections < 2 ? connections : 2;
    config.max_size = connections;
    if (pool_create_ex(&config, &d->live.pool) != POOL_OK) {
        live_fail_call(&d->live, "cannot create the pool");
        return live_exit_code(&d->live, false);
    }
    live_run(&d->live);
    pool_unref(d->live.pool);

    bool good = live_summary(&d->live);
    good = live_check_census(&d->census, connections) && good;
    good = check_database(d) && good;
    return live_exit_code(&d->live, good);
}

static void usage(FILE *to)
{
    fputs("Usage: sqlite_demo [--threads N] [--connections N] [--transactions N]\n"
          "Threads move money between the accounts of an SQLite database in a temporary folder,\n"
          "through connections lent by a pool. Exit code 0: all went right.\n\n"
          "  -t, --threads N        threads that want a connection (64)\n"
          "  -c, --connections N    connections at most (8)\n"
          "  -n, --transactions N   transactions in all (100000)\n"
          "  -h, --help             this text\n",
          to);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"threads", required_argument, NULL, 't'},
                                            {"connections", required_argument, NULL, 'c'},
                                            {"transactions", required_argument, NULL, 'n'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static demo d = {
        .live = {.unit = "transactions", .threads = 64, .total = 100000, .body = worker}};
    unsigned connections = 8;
    int option;
    d.live.context = &d;
    while ((option = getopt_long(argc, argv, "t:c:n:h", options, NULL)) != -1) {
        if (option == 't')
            d.live.threads = live_option("--threads", optarg, 1, 1000);
        else if (option == 'c')
            connections = live_option("--connections", optarg, 1, 1000);
        else if (option == 'n')
            d.live.total = live_option("--transactions", optarg, 1, 10000000);
        else {
            usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    if (optind < argc) {
        usage(stderr);
        return 2;
    }
    live_setup(&d.live);
    printf("%u threads share %u SQLite connections (SQLite %s, asyncpool %s)\n\n",
           d.live.threads, connections, sqlite3_libversion(), pool_version());
    if (!make_folder(&d))
        return 1;
    int code = build_database(&d) ? demonstrate(&d, connections) : 1;
    remove_folder(&d);
    return code;
}
