/* The connection of a budget to Redis: of redis_budget.h, and nobody else's. */
#ifndef ASYNCPOOL_REDIS_BUDGET_WIRE_H
#define ASYNCPOOL_REDIS_BUDGET_WIRE_H

#include <asyncpool/redis_budget.h>
#include <asyncpool/redis_budget_script.h>

#include <errno.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pool__budget_wire {
    redisContext *redis; /* NULL: there is none */
    char sha[41];        /* of the script */
} pool__budget_wire_t;

/* Why it failed. */
typedef char pool__budget_why_t[128];

static inline int64_t pool__budget_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static inline struct timeval pool__budget_timeval(int64_t ms)
{
    struct timeval t;
    t.tv_sec = (time_t)(ms / 1000);
    t.tv_usec = (suseconds_t)(ms % 1000 * 1000);
    return t;
}

/* Takes host, host:port, [IPv6], [IPv6]:port or IPv6 apart. */
static inline bool pool__budget_host(const char *address, char *host, size_t size, int *port)
{
    const char *end = address + strlen(address), *colon = strrchr(address, ':');
    *port = 6379;
    if (address[0] == '[') {
        address++;
        if (!(end = strchr(address, ']')) || (end[1] && end[1] != ':'))
            return false;
        colon = end[1] ? end + 1 : NULL;
    } else if (colon && colon == strchr(address, ':')) {
        end = colon;
    } else {
        colon = NULL;
    }
    if (colon) {
        char *rest;
        long number = strtol(colon + 1, &rest, 10);
        if (colon[1] < '0' || colon[1] > '9' || *rest || number < 1 || number > 65535)
            return false;
        *port = (int)number;
    }
    int length = snprintf(host, size, "%.*s", (int)(end - address), address);
    return length > 0 && (size_t)length < size;
}

static inline void pool__budget_disconnect(pool__budget_wire_t *wire)
{
    if (wire->redis)
        redisFree(wire->redis);
    wire->redis = NULL;
}

/* Limits the next call of the system to what is left. */
static inline bool pool__budget_in_time(pool__budget_wire_t *wire, int64_t until)
{
    int64_t left = until - pool__budget_now();
    return left > 0 && redisSetTimeout(wire->redis, pool__budget_timeval(left)) == REDIS_OK;
}

/*
 * Says a command, and has the whole answer until then, however slowly it comes: hiredis alone limits each part of it. And it
 * would be killed by SIGPIPE in a process that has not thought of that, where Redis has gone.
 */
static inline redisReply *pool__budget_exchange(pool__budget_wire_t *wire, int n, const char **words, int64_t until)
{
    char *text = NULL;
    void *reply = NULL;
    int length = redisFormatCommandArgv(&text, n, words, NULL);
    bool fine = length > 0;
    for (int said = 0; fine && said < length;) {
        fine = pool__budget_in_time(wire, until);
        ssize_t part = fine ? send(wire->redis->fd, text + said, (size_t)(length - said), MSG_NOSIGNAL) : 0;
        said += part > 0 ? (int)part : 0;
        fine = fine && (part >= 0 || errno == EINTR);
    }
    while (fine && !reply)
        fine = pool__budget_in_time(wire, until) && redisBufferRead(wire->redis) == REDIS_OK &&
               redisReaderGetReply(wire->redis->reader, &reply) == REDIS_OK;
    redisFreeCommand(text);
    return (redisReply *)reply;
}

/* Has the answer of a command that is no error; else NULL, and why. */
static inline redisReply *pool__budget_command(pool__budget_wire_t *wire, int n, const char **words, int64_t until,
                                               pool__budget_why_t why)
{
    redisReply *reply = pool__budget_exchange(wire, n, words, until);
    if (reply && reply->type != REDIS_REPLY_ERROR)
        return reply;
    if (reply) {
        snprintf(why, sizeof(pool__budget_why_t), "%s", reply->str);
        freeReplyObject(reply);
    } else {
        bool late = pool__budget_now() >= until;
        snprintf(why, sizeof(pool__budget_why_t), "%s",
                 late ? "Redis has not answered in time"
                      : "Redis has ended the connection, or does not speak its protocol");
        pool__budget_disconnect(wire); /* of no more use */
    }
    return NULL;
}

/* The script. */
typedef char pool__budget_script_t[sizeof POOL__BUDGET_SCRIPT_1 + sizeof POOL__BUDGET_SCRIPT_2];

static inline const char *pool__budget_script(pool__budget_script_t text)
{
    snprintf(text, sizeof(pool__budget_script_t), "%s%s", POOL__BUDGET_SCRIPT_1, POOL__BUDGET_SCRIPT_2);
    return text;
}

/* Connects, unless it is, and makes the script known. */
static inline bool pool__budget_connect(pool__budget_wire_t *wire, const pool_budget_config_t *c, int64_t until,
                                        pool__budget_why_t why)
{
    char host[256];
    int port;
    if (wire->redis)
        return true;
    int64_t left = until - pool__budget_now();
    if (left <= 0) {
        snprintf(why, sizeof(pool__budget_why_t), "no time is left to connect to Redis");
        return false;
    }
    if (c->address[0] == '/')
        wire->redis = redisConnectUnixWithTimeout(c->address, pool__budget_timeval(left));
    else if (pool__budget_host(c->address, host, sizeof host, &port))
        wire->redis = redisConnectWithTimeout(host, port, pool__budget_timeval(left));
    if (!wire->redis || wire->redis->err) {
        snprintf(why, sizeof(pool__budget_why_t), "%.60s: %.60s", c->address,
                 wire->redis ? wire->redis->errstr : "no memory");
        pool__budget_disconnect(wire);
        return false;
    }
    const char *auth[3] = {"AUTH", c->user ? c->user : c->password, c->password};
    pool__budget_script_t script;
    const char *load[3] = {"SCRIPT", "LOAD", pool__budget_script(script)};
    redisReply *reply = NULL;
    bool may = !c->password || (reply = pool__budget_command(wire, c->user ? 3 : 2, auth, until, why));
    if (reply)
        freeReplyObject(reply);
    reply = may ? pool__budget_command(wire, 3, load, until, why) : NULL;
    if (!reply) {
        pool__budget_disconnect(wire);
        return false;
    }
    snprintf(wire->sha, sizeof wire->sha, "%s", reply->type == REDIS_REPLY_STRING ? reply->str : "");
    freeReplyObject(reply);
    return true;
}

/* The script, with its keys and arguments; also where its scripts were flushed, or it was restarted. */
static inline redisReply *pool__budget_run(pool__budget_wire_t *wire, int n, const char **words, int64_t until,
                                           pool__budget_why_t why)
{
    words[0] = "EVALSHA";
    words[1] = wire->sha;
    redisReply *reply = pool__budget_command(wire, n, words, until, why);
    if (reply || strncmp(why, "NOSCRIPT", 8) != 0)
        return reply;
    pool__budget_script_t script;
    words[0] = "EVAL";
    words[1] = pool__budget_script(script);
    return pool__budget_command(wire, n, words, until, why);
}

#ifdef __cplusplus
}
#endif

#endif
