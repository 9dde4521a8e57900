/*
 * A budget that processes share, in a Redis of the test's own. Two members in one process are as good as two processes.
 */
#include "check.h"

#include <asyncpool/redis_budget.h>
#include <spawn.h>
#include <sys/wait.h>

enum { LEASE_MS = 400 * (CHECK_SLOWDOWN > 4 ? 4 : CHECK_SLOWDOWN) };

extern char **environ;
static char folder[] = "/tmp/asyncpool-budget-XXXXXX", path[64];
static pid_t server;

static redisReply *redis(const char *command)
{
    redisContext *c = redisConnectUnix(path);
    redisReply *reply = c && !c->err ? redisCommand(c, command) : NULL;
    if (c)
        redisFree(c);
    return reply;
}

static bool answers(void)
{
    redisReply *reply = redis("PING");
    bool there = reply != NULL;
    if (reply)
        freeReplyObject(reply);
    return there;
}

/* Starts it; it dies with the test. */
static void start(void)
{
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/redis", folder);
    char *arguments[] = {
        "setpriv", "--pdeathsig",  "KILL", "redis-server", "--port", "0",         "--unixsocket", path, "--save",
        "",        "--appendonly", "no",   "--dir",        folder,   "--logfile", "/dev/null",    NULL};
    if (access("/usr/bin/redis-server", X_OK) != 0) {
        printf("skipped: redis-server is not installed\n");
        exit(77);
    }
    CHECK_INT(posix_spawnp(&server, "setpriv", NULL, NULL, arguments, environ), 0);
    WAIT_FOR(answers());
}

static void stop(void)
{
    if (server) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    unlink(path);
    rmdir(folder);
}

static pool_budget_config_t config(void)
{
    pool_budget_config_t c = POOL_BUDGET_CONFIG_INIT;
    c.address = path;
    c.key = "b";
    c.limit = 2;
    c.lease_ms = LEASE_MS;
    return c;
}

static pool_budget_t *opened(const pool_budget_config_t *c)
{
    pool_budget_t *b;
    if (pool_budget_open(c, &b) != POOL_OK)
        check_fail(__FILE__, __LINE__, "%s", pool_budget_error());
    return b;
}

static pool_budget_info_t info(pool_budget_t *b)
{
    pool_budget_info_t i = {.struct_size = sizeof i};
    CHECK_STATUS(pool_budget_info(b, &i), POOL_OK);
    return i;
}

static bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return pool_budget_take(pool->user_data, pool);
}

static void unmake(pool_t *pool, void *resource)
{
    (void)resource;
    pool_budget_give(pool->user_data);
}

static pool_t *pool_of(pool_budget_t *b)
{
    pool_config_t c = POOL_CONFIG_INIT;
    c.factory = make;
    c.destructor = unmake;
    c.max_size = 4;
    c.user_data = b;
    pool_t *pool;
    CHECK_STATUS(pool_create_ex(&c, &pool), POOL_OK);
    CHECK_STATUS(pool_budget_attach(b, pool), POOL_OK);
    return pool;
}

static void done(pool_budget_t *b, pool_t *pool)
{
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
    pool_budget_close(b);
}

static void *wants_one(void *pool)
{
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    return NULL;
}

TEST(what_is_idle_goes_to_who_needs_it)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c), *b = opened(&c);
    pool_t *p = pool_of(a), *q = pool_of(b);
    void *r, *s;
    CHECK_STATUS(pool_acquire(p, &r, 0), POOL_OK);
    CHECK_STATUS(pool_acquire(p, &s, 0), POOL_OK);
    CHECK_INT(info(a).used, 2);
    pthread_t other = check_thread(wants_one, q);
    WAIT_FOR(info(b).place == 1);
    CHECK_STATUS(pool_release(p, r), POOL_OK);
    check_join(other); /* it has been served */
    CHECK_INT(info(a).used, 1);
    CHECK_INT(pool_count(p), 1);
    CHECK_STATUS(pool_release(p, s), POOL_OK);
    done(a, p);
    done(b, q);
    stop();
}

TEST(who_dies_gives_its_share_back)
{
    start();
    int tell[2];
    CHECK_INT(pipe(tell), 0);
    pid_t child = fork(); /* it has no pool: the library is loaded, and does not survive a fork */
    if (!child) {
        pool_budget_config_t c = config();
        pool_budget_t *b;
        if (pool_budget_open(&c, &b) != POOL_OK)
            _exit(1);
        while (!pool_budget_take(b, NULL) || !pool_budget_take(b, NULL))
            usleep(1000);
        _exit(write(tell[1], "x", 1) == 1 ? (pause(), 0) : 1);
    }
    char byte;
    CHECK_INT(read(tell[0], &byte, 1), 1);
    pool_budget_config_t c = config();
    pool_budget_t *b = opened(&c);
    CHECK_INT(info(b).all, 2);
    CHECK(!pool_budget_take(b, NULL));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    WAIT_FOR(pool_budget_take(b, NULL));
    pool_budget_give(b);
    pool_budget_close(b);
    stop();
}

TEST(a_forked_child_is_a_member_with_nothing_from_its_first_call_on)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *b = opened(&c);
    WAIT_FOR(pool_budget_take(b, NULL));
    pid_t child = fork();
    if (!child) {
        pool_budget_info_t i = {.struct_size = sizeof i};
        _exit(pool_budget_info(b, &i) == POOL_OK && i.used == 0 && i.leases == 0 ? 0 : 1);
    }
    int status;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
    CHECK_INT(info(b).used, 1);
    pool_budget_give(b);
    pool_budget_close(b);
    stop();
}

TEST(a_redis_that_has_lost_all_grants_nothing_for_a_lease)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c), *b = opened(&c);
    WAIT_FOR(pool_budget_take(a, NULL));
    WAIT_FOR(pool_budget_take(a, NULL));
    for (int i = 0; i < 3; i++) {
        redisReply *reply = redis("FLUSHALL");
        CHECK(reply != NULL);
        freeReplyObject(reply);
        do
            CHECK(!pool_budget_take(b, NULL));
        while (info(b).grace_ms > 0 || info(b).all != 2);
    }
    pool_budget_give(a);
    WAIT_FOR(pool_budget_take(b, NULL));
    pool_budget_close(a);
    pool_budget_close(b);
    stop();
}

TEST(the_smallest_limit_holds)
{
    start();
    pool_budget_config_t c = config();
    pool_budget_t *a = opened(&c);
    c.limit = 1;
    pool_budget_t *b = opened(&c);
    WAIT_FOR(info(a).limit == 1);
    WAIT_FOR(pool_budget_take(a, NULL));
    CHECK(!pool_budget_take(b, NULL));
    CHECK(!pool_budget_take(a, NULL));
    pool_budget_close(b);
    WAIT_FOR(pool_budget_take(a, NULL));
    pool_budget_close(a);
    stop();
}

TEST(without_redis_nothing_new_is_taken_and_what_is_idle_is_given_up_if_that_is_wished)
{
    start();
    pool_budget_config_t c = config();
    c.flags = POOL_BUDGET_F_AWAY_MIN;
    pool_budget_t *b = opened(&c);
    pool_t *pool = pool_of(b);
    void *r;
    CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    CHECK_INT(pool_count(pool), 1);
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    server = 0;
    WAIT_FOR(info(b).expired);
    CHECK(info(b).error[0] != 0);
    CHECK(!pool_budget_take(b, NULL));
    WAIT_FOR(pool_count(pool) == 0);
    done(b, pool);
    stop();
}

static void refused(const pool_budget_config_t *c, pool_status_t status, const char *why)
{
    pool_budget_t *b = (pool_budget_t *)&b;
    CHECK_STATUS(pool_budget_open(c, &b), status);
    CHECK_PTR(b, NULL);
    if (!strstr(pool_budget_error(), why))
        check_fail(__FILE__, __LINE__, "it says \"%s\", not \"%s\"", pool_budget_error(), why);
}

TEST(what_makes_no_budget_is_refused_in_words)
{
    start();
    pool_budget_config_t c = config();
    c.limit = 0;
    refused(&c, POOL_ERR_INVALID, "limit must be at least 1");
    c = config();
    c.share_min = 3;
    refused(&c, POOL_ERR_INVALID, "share_min at most limit");
    c = config();
    c.key = "";
    refused(&c, POOL_ERR_INVALID, "address and key are required");
    c = config();
    c.timeout_ms = LEASE_MS;
    refused(&c, POOL_ERR_INVALID, "at most a quarter");
    c = config();
    c.address = "/nowhere/redis";
    refused(&c, POOL_ERR_UNAVAILABLE, "/nowhere/redis: ");
    c = config();
    c.password = "wrong";
    refused(&c, POOL_ERR_UNAVAILABLE, "AUTH");
    redisReply *reply = redis("SET {b} text");
    CHECK(reply != NULL);
    freeReplyObject(reply);
    c = config();
    refused(&c, POOL_ERR_INVALID, "WRONGTYPE");
    refused(NULL, POOL_ERR_INVALID, "config");
    CHECK_STATUS(pool_budget_info(NULL, NULL), POOL_ERR_INVALID);
    pool_budget_give(NULL);
    pool_budget_close(NULL);
    stop();
}
