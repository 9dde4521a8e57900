/*
 * Tasks, each a thread, read their key from a Redis server over and over, through a few connections
 * that the pool lends them. The program starts the server itself, on a socket in a temporary
 * folder. Now and then a connection is cut: the hooks see to it, and the read is repeated on
 * another. At the end the server is asked how many reads it has answered.
 *
 *     redis_demo --tasks 100 --connections 20 --reads 1000
 */
#include "live.h"
#include "redis_server.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define ACQUIRE_TIMEOUT_MS 60000
#define CUT_EVERY 500 /* reads between two cut connections */

typedef struct demo {
    live_t live;
    live_census census;
    unsigned reads; /* of each task */
    redis_server server;
    atomic_llong attempts; /* reads tried */
} demo;

/* ---- the hooks ---- */

static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    redisContext *c = redis_connect(d->server.socket);
    if (!c || c->err) {
        pool_set_error(pool, c ? c->err : REDIS_ERR_OOM, c ? c->errstr : "out of memory");
        redisFree(c);
        return false;
    }
    live_census_created(&d->census);
    *resource = c;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    redisFree(resource);
    live_census_destroyed(&d->census);
}

/* The server may have gone away while the connection was idle: ask it. */
static bool before_acquire(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    bool alive = redis_is_alive(resource);
    if (!alive)
        atomic_fetch_add(&d->census.refused_by_acquire, 1);
    return alive;
}

/* hiredis never recovers a connection that had an error. */
static bool before_release(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    redisContext *c = resource;
    if (c->err)
        atomic_fetch_add(&d->census.refused_by_release, 1);
    return c->err == 0;
}

/* ---- the work ---- */

/* Cuts the connection as a network would: neither hiredis nor the pool is told. */
static void cut(redisContext *c, atomic_uint *count)
{
    shutdown(c->fd, SHUT_RDWR);
    atomic_fetch_add(count, 1);
}

/* True when the read was answered; false when the connection was lost on the way. */
static bool read_key(demo *d, redisContext *c, unsigned task)
{
    int64_t attempt = atomic_fetch_add(&d->attempts, 1);
    bool cuts = attempt % CUT_EVERY == CUT_EVERY - 1;
    bool while_idle = attempt / CUT_EVERY % 2; /* every other one breaks after it was used */
    char expected[32];
    snprintf(expected, sizeof expected, "value:%u", task);
    if (cuts && !while_idle)
        cut(c, &d->census.broken_in_use);
    redisReply *reply = redisCommand(c, "GET key:%u", task);
    bool answered = reply != NULL;
    if (answered && (reply->type != REDIS_REPLY_STRING || strcmp(reply->str, expected) != 0))
        live_fail(&d->live, "key:%u is \"%s\", expected \"%s\"", task,
                  reply->str ? reply->str : "(none)", expected);
    freeReplyObject(reply);
    if (!answered && !cuts)
        live_fail(&d->live, "GET key:%u: %s", task, c->errstr);
    if (cuts && while_idle)
        cut(c, &d->census.broken_idle);
    return answered;
}

static void task(live_t *live, unsigned number)
{
    demo *d = live->context;
    unsigned left = d->reads;
    while (left > 0 && live_go_on(live)) {
        void *connection;
        int64_t began_ns = live_now_ns();
        pool_status_t status = pool_acquire(live->pool, &connection, ACQUIRE_TIMEOUT_MS);
        live_waited(live, live_now_ns() - began_ns);
        if (status == POOL_ERR_CLOSED)
            return;
        if (status != POOL_OK) {
            live_fail_call(live, "cannot borrow a connection");
            return;
        }
        bool answered = read_key(d, connection, number);
        if (pool_release(live->pool, connection) != POOL_OK)
            live_fail_call(live, "cannot give a connection back");
        if (answered) {
            live_done(live);
            left--;
        }
    }
}

/* ---- the program ---- */

static int demonstrate(demo *d, unsigned connections)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "redis";
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
    good = redis_server_check(&d->server, atomic_load(&d->live.done)) && good;
    return live_exit_code(&d->live, good);
}

static void usage(FILE *to)
{
    fputs("Usage: redis_demo [--tasks N] [--connections N] [--reads N]\n"
          "Tasks read keys from a Redis server that this program starts on a socket in a\n"
          "temporary folder, through connections lent by a pool. Exit code 0: all went right.\n\n"
          "  -t, --tasks N         tasks, each a thread with a key of its own (100)\n"
          "  -c, --connections N   connections at most (20)\n"
          "  -n, --reads N         reads of each task (1000)\n"
          "  -h, --help            this text\n",
          to);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"tasks", required_argument, NULL, 't'},
                                            {"connections", required_argument, NULL, 'c'},
                                            {"reads", required_argument, NULL, 'n'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    static demo d = {.live = {.unit = "reads", .threads = 100, .body = task}, .reads = 1000};
    unsigned connections = 20;
    int option;
    while ((option = getopt_long(argc, argv, "t:c:n:h", options, NULL)) != -1) {
        if (option == 't')
            d.live.threads = live_option("--tasks", optarg, 1, 1000);
        else if (option == 'c')
            connections = live_option("--connections", optarg, 1, 1000);
        else if (option == 'n')
            d.reads = live_option("--reads", optarg, 1, 100000);
        else {
            usage(option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 2;
        }
    }
    if (optind < argc) {
        usage(stderr);
        return 2;
    }
    d.live.context = &d;
    d.live.total = (int64_t)d.live.threads * d.reads;
    live_setup(&d.live);
    int code = 1;
    if (redis_server_start(&d.server, d.live.threads)) {
        printf("%u tasks share %u Redis connections (Redis in process %d, asyncpool %s)\n\n",
               d.live.threads, connections, (int)d.server.process, pool_version());
        code = demonstrate(&d, connections);
    } else if (live_signal())
        code = 128 + live_signal();
    redis_server_stop(&d.server);
    return code;
}
