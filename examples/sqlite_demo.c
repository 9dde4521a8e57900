/*
 * Many threads move money between the accounts of an SQLite database, through a few connections
 * that the pool lends them. Now and then a connection breaks, or a thread forgets to commit: the
 * hooks see to both. At the end the accounts are checked against what the threads did.
 *
 *     sqlite_demo --threads 64 --connections 8 --transactions 100000
 */
#include "run.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 100
#define OPENING_BALANCE 1000
#define BUSY_TIMEOUT_MS 60000
#define ACQUIRE_TIMEOUT_MS 60000
#define MISHAP_EVERY 500 /* transactions; each kind of mishap once in so many */

typedef struct demo {
    run_t run;
    char folder[64];
    char path[96];
    atomic_llong next;        /* number of the next transaction, from 0 */
    atomic_llong committed;   /* transfers that are in the database for good */
    atomic_llong forgotten;   /* transfers that a thread left open */
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

/* An idle connection is lent only if it is sound and outside any transaction. */
static bool before_acquire(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    connection *c = resource;
    if (c->fate == SOUND && sqlite3_get_autocommit(c->db))
        return true;
    atomic_fetch_add(&d->run.census.refused_by_acquire, 1);
    return false;
}

/* What comes back in an open transaction is rolled back, so that the next borrower starts clean. */
static bool before_release(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    connection *c = resource;
    if (c->fate == BREAKS_IN_USE) {
        atomic_fetch_add(&d->run.census.refused_by_release, 1);
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
    bool good = run(c, BEGIN, 0, 0, 0) && run(c, MOVE, -amount, source, 0) && run(c, MOVE, amount, target, 0) &&
                run(c, RECORD, source, target, amount);
    if (good && forgets) {
        atomic_fetch_add(&d->forgotten, 1);
        return;
    }
    if (good && run(c, COMMIT, 0, 0, 0))
        atomic_fetch_add(&d->committed, 1);
    else
        run_fail(&d->run, "transfer %lld: %s", (long long)number, sqlite3_errmsg(c->db));
}

/* An SQLite connection does not break by itself: it is marked, and the hooks take it for broken. */
static void break_connection(demo *d, connection *c, enum fate fate)
{
    c->fate = fate;
    atomic_fetch_add(fate == BREAKS_IDLE ? &d->run.census.broken_idle : &d->run.census.broken_in_use, 1);
}

static void worker(void *context, unsigned thread)
{
    demo *d = context;
    uint32_t random = thread * 2654435761u + 1;
    int64_t number;
    while (run_go_on(&d->run) && (number = atomic_fetch_add(&d->next, 1)) < d->run.total) {
        random ^= random << 13; /* xorshift: the same transfers in every run */
        random ^= random >> 17;
        random ^= random << 5;

        void *resource;
        int64_t began_ns = run_now_ns();
        if (!run_acquired(&d->run, began_ns, pool_acquire(d->run.pool, &resource, ACQUIRE_TIMEOUT_MS)))
            return;
        connection *c = resource;
        if (atomic_exchange(&c->in_use, true))
            run_fail(&d->run, "a connection is lent to two threads at once");
        transfer(d, c, number, random);
        if (number % MISHAP_EVERY == 0)
            break_connection(d, c, number / MISHAP_EVERY % 2 ? BREAKS_IDLE : BREAKS_IN_USE);
        atomic_store(&c->in_use, false);
        run_released(&d->run, pool_release(d->run.pool, c));
        atomic_fetch_add(&d->run.done, 1);
    }
}

/* ---- the database before and after ---- */

static bool build_database(demo *d)
{
    if (!run_make_folder(d->folder, "sqlite"))
        return false;
    snprintf(d->path, sizeof d->path, "%s/bank.db", d->folder);
    sqlite3 *db;
    char *sql = sqlite3_mprintf(
        "PRAGMA journal_mode = WAL;"
        "CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);"
        "CREATE TABLE transfers (id INTEGER PRIMARY KEY, source INTEGER NOT NULL,"
        "                        target INTEGER NOT NULL, amount INTEGER NOT NULL);"
        "WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < %d)"
        "INSERT INTO accounts SELECT id, %d FROM n;",
        ACCOUNTS - 1, OPENING_BALANCE);
    bool good = sqlite3_open(d->path, &db) == SQLITE_OK && sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
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

static void check_database(demo *d)
{
    static const char wrong_accounts[] =
        "SELECT count(*) FROM accounts AS a WHERE balance <> %d"
        " + (SELECT total(amount) FROM transfers WHERE target = a.id)"
        " - (SELECT total(amount) FROM transfers WHERE source = a.id)";
    sqlite3 *db;
    char sql[512];
    snprintf(sql, sizeof sql, wrong_accounts, OPENING_BALANCE);
    sqlite3_open_v2(d->path, &db, SQLITE_OPEN_READWRITE, NULL); /* if it cannot be opened, no answer is right */
    int64_t sum = ask(db, "SELECT sum(balance) FROM accounts"), wrong = ask(db, sql);
    int64_t rows = ask(db, "SELECT count(*) FROM transfers");
    sqlite3_close(db);
    long long committed = d->committed, forgotten = d->forgotten, rolled_back = d->rolled_back;
    long long start = ACCOUNTS * OPENING_BALANCE;
    run_check(&d->run, forgotten == rolled_back, "%lld transfers left open, %lld rolled back", forgotten, rolled_back);
    run_check(&d->run, rows == committed, "%lld transfers committed, %lld in the table", committed, (long long)rows);
    run_check(&d->run, sum == start, "all accounts together: %lld before, %lld after", start, (long long)sum);
    run_check(&d->run, wrong == 0, "each of %d accounts agrees with its transfers", ACCOUNTS);
}

/* ---- the program ---- */

static void demonstrate(demo *d)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "sqlite";
    config.factory = factory;
    config.destructor = destructor;
    config.before_acquire = before_acquire;
    config.before_release = before_release;
    config.user_data = d;
    config.min_size = d->run.places < 2 ? d->run.places : 2;
    config.max_size = d->run.places;
    if (pool_create_ex(&config, &d->run.pool) != POOL_OK) {
        run_fail_call(&d->run, "cannot create the pool");
        return;
    }
    run_threads(&d->run, worker, d);
    pool_unref(d->run.pool);
    run_summary(&d->run);
    check_database(d);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "transactions", .resources = "connections", .workers = 64, .places = 8}};
    unsigned transactions = 100000;
    const run_option options[] = {{"threads", 't', &d.run.workers, 1, 1000, "threads that want a connection"},
                                  {"connections", 'c', &d.run.places, 1, 1000, "connections at most"},
                                  {"transactions", 'n', &transactions, 1, 10000000, "transactions in all"},
                                  {0}};
    run_setup(argc, argv,
              "Threads move money between the accounts of an SQLite database in a temporary folder, through "
              "connections lent by a pool.",
              options);
    d.run.total = transactions;
    printf("%u threads share %u SQLite connections (SQLite %s, asyncpool %s)\n\n", d.run.workers, d.run.places,
           sqlite3_libversion(), pool_version());
    if (build_database(&d))
        demonstrate(&d);
    else
        run_fail(&d.run, "cannot build the database");
    run_remove_folder(d.folder);
    return run_result(&d.run);
}
