/*
 * The answers of docs/guide/cookbook.md, each of which is called here: guide_cookbook.sh puts its blocks of C in
 * cookbook.h. A block that is not called is a function that is not used, which does not compile.
 */
#include <asyncpool/pool.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what) ((what) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #what), exit(1)))

/* ---- the client library of the service ---- */

typedef struct connection {
    bool broken;
    bool in_transaction;
    const char *password;
} connection;

static pthread_mutex_t db_lock = PTHREAD_MUTEX_INITIALIZER;
static int db_refuses; /* so many attempts to connect, because it is down */
static bool db_has_no_room;
static atomic_int db_open, db_attempts;
static int64_t db_given_ms;

static connection *db_connect(const char *host, const char *password)
{
    (void)host;
    db_attempts++;
    pthread_mutex_lock(&db_lock);
    bool refused = db_refuses > 0;
    db_refuses -= refused;
    pthread_mutex_unlock(&db_lock);
    if (refused)
        return NULL;
    connection *c = calloc(1, sizeof *c);
    c->password = password;
    db_open++;
    return c;
}

static connection *db_connect_within(const char *host, int64_t ms)
{
    db_given_ms = ms;
    return db_connect(host, "secret");
}

static bool db_is_full(void)
{
    bool full = db_has_no_room;
    db_has_no_room = false; /* by the next attempt somebody has left */
    return full;
}

static bool db_is_broken(connection *c) { return c->broken; }
static bool db_ping(connection *c) { return !c->broken; }
static bool db_in_transaction(connection *c) { return c->in_transaction; }

static bool db_query(connection *c, const char *sql)
{
    if (strcmp(sql, "DROP connection") == 0)
        c->broken = true;
    if (strcmp(sql, "ROLLBACK") == 0)
        c->in_transaction = c->broken;
    return !c->broken;
}

/* ---- the answers ---- */

#include "cookbook.h"

/* ---- what they do ---- */

static bool plain(pool_t *pool, void **resource)
{
    *resource = db_connect("db.example", "secret");
    if (!*resource)
        pool_set_error(pool, 7, "connection refused");
    return *resource != NULL;
}

static void disconnect(pool_t *pool, void *resource)
{
    (void)pool;
    free(resource);
    db_open--;
}

static pool_config_t config_of(pool_factory_fn factory)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "db";
    config.factory = factory;
    config.destructor = disconnect;
    config.max_size = 2;
    return config;
}

static pool_t *pool_of(const pool_config_t *config)
{
    pool_t *pool;
    CHECK(pool_create_ex(config, &pool) == POOL_OK);
    return pool;
}

static void *held(pool_t *pool)
{
    void *c;
    CHECK(pool_acquire(pool, &c, 60 * 1000) == POOL_OK);
    return c;
}

static pool_stats_t stats_of(pool_t *pool)
{
    pool_stats_t stats = {.struct_size = sizeof stats};
    CHECK(pool_stats(pool, &stats) == POOL_OK);
    return stats;
}

static void end(pool_t *pool)
{
    pool_unref(pool);
    CHECK(db_open == 0 && pool_debug_live() == 0);
}

static void connections(void)
{
    pool_config_t config = config_of(plain);
    config.before_release = clean;
    pool_t *pool = pool_of(&config);
    CHECK(query(pool, "SELECT 1") && db_open == 1);
    CHECK(!query(pool, "DROP connection") && db_open == 0 && stats_of(pool).destroyed_discarded == 1);

    connection *c = held(pool);
    c->in_transaction = true;
    CHECK(pool_release(pool, c) == POOL_OK && pool_idle_count(pool) == 1 && !c->in_transaction);
    c = held(pool);
    c->in_transaction = c->broken = true;
    CHECK(pool_release(pool, c) == POOL_OK && stats_of(pool).destroyed_refused == 1);

    CHECK(query_by_lease(pool, "SELECT 1") == POOL_ERR_NOT_OWNED && pool_active_count(pool) == 0);
    c = held(pool);
    CHECK(pool_detach(pool, c) == POOL_OK && pool_count(pool) == 0 && db_open == 1);
    disconnect(pool, c);
    end(pool);
}

static void idle_ones(void)
{
    pool_config_t config = config_of(plain);
    look_after_idle_ones(&config);
    config.check_after_ms = 60 * 60 * 1000;
    pool_t *pool = pool_of(&config);
    connection *c = held(pool);
    c->broken = true;
    CHECK(pool_release(pool, c) == POOL_OK && held(pool) == c); /* was in use just now */
    pool_discard(pool, c);
    end(pool);

    config.check_after_ms = 0;
    pool = pool_of(&config);
    c = held(pool);
    c->broken = true;
    pool_release(pool, c);
    c = held(pool);
    CHECK(!c->broken && stats_of(pool).destroyed_rejected == 1);
    pool_release(pool, c);
    end(pool);
}

static void contexts(void)
{
    server s = {.host = "db.example", .password = "old"};
    pool_config_t config = config_of(NULL);
    use_server(&config, &s);
    pool_t *pool = pool_of(&config);
    connection *c = held(pool);
    pool_release(pool, held(pool));
    change_password(pool, "new");
    CHECK(strcmp(c->password, "old") == 0 && pool_count(pool) == 1); /* the idle one has gone */
    pool_release(pool, c);
    CHECK(pool_count(pool) == 0);
    c = held(pool);
    CHECK(strcmp(c->password, "new") == 0);
    pool_release(pool, c);
    end(pool);
}

static void *wait_in_line(void *pool)
{
    pool_release(pool, held(pool));
    return NULL;
}

static void load(void)
{
    pool_config_t config = config_of(connect_in_time);
    config.max_size = 1;
    config.max_waiting = 1;
    pool_t *pool = pool_of(&config);
    void *c, *none;
    CHECK(acquire_within(pool, &c, 60 * 1000) == POOL_OK && db_given_ms == 3000);
    CHECK(acquire_within(pool, &none, 0) == POOL_EMPTY);
    CHECK(acquire_within(pool, &none, 1) == POOL_ERR_TIMEOUT);

    pthread_t waiter;
    CHECK(pthread_create(&waiter, NULL, wait_in_line, pool) == 0);
    while (pool_waiting_count(pool) == 0)
        sched_yield();
    CHECK(serve(pool) == 503 && stats_of(pool).overloaded == 1);
    pool_release(pool, c);
    pthread_join(waiter, NULL);
    CHECK(serve(pool) == 200);
    print_use(pool);
    CHECK(stats_of(pool).peak_active == 1 && stats_of(pool).peak_waiting == 1);

    pool_deactivate(pool);
    CHECK(pool_try_acquire(pool, &none) == POOL_ERR_UNAVAILABLE && serve(pool) == 500);
    pool_close(pool);
    CHECK(pool_try_acquire(pool, &none) == POOL_ERR_CLOSED);
    end(pool);
}

static void breathing(void)
{
    pool_config_t config = config_of(plain);
    breathe(&config);
    pool_t *pool = pool_of(&config);
    while (pool_idle_count(pool) < 2) /* a thread of the library makes them */
        sched_yield();
    connection *first = held(pool), *second = held(pool);
    while (pool_idle_count(pool) < 2)
        sched_yield();
    pool_release(pool, first);
    pool_release(pool, second);
    CHECK(held(pool) == second);
    pool_release(pool, second);
    CHECK(shut_down(pool));
    CHECK(db_open == 0);
}

static void patience(void)
{
    pool_config_t config = config_of(plain);
    be_patient(&config);
    config.create_retry_ms = 1;
    db_refuses = 3;
    pool_t *pool = pool_of(&config);
    pool_release(pool, held(pool)); /* has waited until the service was back */
    CHECK(db_refuses == 0);
    CHECK(shut_down(pool));
}

static void failures(void)
{
    pool_config_t config = config_of(plain);
    pool_t *pool = pool_of(&config);
    CHECK(fail_fast(pool) == POOL_OK);
    CHECK(pool_strategy_threshold(pool, 5, 60 * 60 * 1000, 1) == POOL_OK); /* this machine may be slow */
    db_refuses = 5;
    void *c;
    for (int i = 0; i < 5; i++)
        CHECK(pool_acquire(pool, &c, 1000) == POOL_ERR_FACTORY);
    char why[64];
    CHECK(pool_last_error(NULL, why, sizeof why) == POOL_ERR_FACTORY && strcmp(why, "connection refused") == 0);
    print_error(POOL_ERR_FACTORY);
    int before = db_attempts;
    CHECK(pool_acquire(pool, &c, 1000) == POOL_ERR_UNAVAILABLE && db_attempts == before);
    end(pool);

    config = config_of(connect_when_there_is_room);
    pool = pool_of(&config);
    db_refuses = 1;
    db_has_no_room = true;
    before = db_attempts;
    pool_release(pool, held(pool)); /* has waited on, and asked twice */
    CHECK(db_attempts == before + 2 && stats_of(pool).failed == 0);
    CHECK(shut_down(pool));
}

static void a_late_end(void)
{
    pool_config_t config = config_of(plain);
    pool_t *pool = pool_of(&config);
    connection *c = held(pool);
    CHECK(pool_drain(pool, 1) == POOL_ERR_TIMEOUT && db_open == 1);
    CHECK(pool_release(pool, c) == POOL_OK && db_open == 0);
    end(pool);
}

static void leaks(void)
{
    pool_config_t config = config_of(plain);
    find_leaks(&config);
    config.leak_after_ms = 1;
    pool_t *pool = pool_of(&config);
    void *c = orders(pool);
    pool_lend_t lend = {.struct_size = sizeof lend};
    CHECK(c && pool_lends(pool, &lend, 1) == 1 && strcmp(lend.tag, "orders") == 0 && lend.resource == c);
    while (stats_of(pool).leaked == 0) /* a thread of the library tells */
        sched_yield();
    pool_release(pool, c);

    char *text = metrics();
    CHECK(text && strstr(text, "asyncpool_leaked_total{pool=\"db\"} 1\n") && strstr(text, "# EOF"));
    free(text);
    pool_close(pool);
    end(pool);
}

int main(void)
{
    connections();
    idle_ones();
    contexts();
    load();
    breathing();
    patience();
    failures();
    a_late_end();
    leaks();
    CHECK(begin_worker());
    puts("all answers are right");
    return 0;
}
