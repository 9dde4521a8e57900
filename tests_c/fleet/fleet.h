/* A Redis of a test's own, members of a budget in it, and pools that take places of theirs. */
#ifndef TESTS_FLEET_H
#define TESTS_FLEET_H

#include "check.h"

#include <asyncpool/redis_budget.h>
#include <spawn.h>
#include <sys/wait.h>

enum { LEASE_MS = 1000 * (CHECK_SLOWDOWN > 4 ? 4 : CHECK_SLOWDOWN) };

extern char **environ;
static char folder[] = "/tmp/asyncpool-budget-XXXXXX", path[64];
static pid_t server;

static inline redisReply *redis(const char *command)
{
    redisContext *c = redisConnectUnix(path);
    redisReply *reply = c && !c->err ? redisCommand(c, command) : NULL;
    if (c)
        redisFree(c);
    return reply;
}

static inline bool answers(void)
{
    redisReply *reply = redis("PING");
    bool there = reply != NULL;
    if (reply)
        freeReplyObject(reply);
    return there;
}

/* Starts it, with nothing in it; it dies with the test. */
static inline void start(void)
{
    if (!path[0])
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

static inline void kill_server(void)
{
    if (server) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    server = 0;
}

static inline void stop(void)
{
    kill_server();
    unlink(path);
    rmdir(folder);
}

static inline pool_budget_config_t config(void)
{
    pool_budget_config_t c = POOL_BUDGET_CONFIG_INIT;
    c.address = path;
    c.key = "b";
    c.limit = 2;
    c.lease_ms = LEASE_MS;
    return c;
}

static inline pool_budget_t *opened(const pool_budget_config_t *c)
{
    pool_budget_t *b;
    if (pool_budget_open(c, &b) != POOL_OK)
        check_fail(__FILE__, __LINE__, "%s", pool_budget_error());
    return b;
}

static inline pool_budget_info_t info(pool_budget_t *b)
{
    pool_budget_info_t i = {.struct_size = sizeof i};
    CHECK_STATUS(pool_budget_info(b, &i), POOL_OK);
    return i;
}

static inline bool make(pool_t *pool, void **resource)
{
    *resource = pool;
    return pool_budget_take(pool->user_data, pool);
}

static inline void unmake(pool_t *pool, void *resource)
{
    (void)resource;
    pool_budget_give(pool->user_data);
}

static inline pool_t *pool_of(pool_budget_t *b)
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

static inline void done(pool_budget_t *b, pool_t *pool)
{
    CHECK_STATUS(pool_close(pool), POOL_OK);
    pool_unref(pool);
    pool_budget_close(b);
}

/* Says a command to Redis that has to be done. */
static inline void redis_does(const char *command)
{
    redisReply *reply = redis(command);
    CHECK(reply != NULL);
    if (reply->type == REDIS_REPLY_ERROR)
        check_fail(__FILE__, __LINE__, "%s: %s", command, reply->str);
    freeReplyObject(reply);
}

#endif
