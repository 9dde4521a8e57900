/*
 * Tasks, each a thread, read their key from a Redis server over and over, through a few connections
 * that the pool lends them. The program starts the server itself, on a socket in a temporary
 * folder. Now and then a connection is cut: the hooks see to it, and the read is repeated on
 * another. At the end the server is asked how many reads it has answered.
 *
 *     redis_demo --tasks 100 --connections 20 --reads 1000
 */
#include "run.h"
#include "redis_server.h"

#include <stdio.h>
#include <sys/socket.h>

#define ACQUIRE_TIMEOUT_MS 60000
#define CUT_EVERY 500 /* reads between two cut connections */

typedef struct demo {
    run_t run;
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
    run_created(&d->run);
    *resource = c;
    return true;
}

static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    redisFree(resource);
    run_destroyed(&d->run);
}

/* The server may have gone away while the connection was idle: ask it. */
static bool before_acquire(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    bool alive = redis_is_alive(resource);
    if (!alive)
        atomic_fetch_add(&d->run.census.refused_by_acquire, 1);
    return alive;
}

/* hiredis never recovers a connection that had an error. */
static bool before_release(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    redisContext *c = resource;
    if (c->err)
        atomic_fetch_add(&d->run.census.refused_by_release, 1);
    return c->err == 0;
}

/* ---- the work ---- */

/* True when the read was answered; false when the connection was lost on the way. */
static bool read_key(demo *d, redisContext *c, unsigned task)
{
    int64_t attempt = atomic_fetch_add(&d->attempts, 1);
    bool cuts = attempt % CUT_EVERY == CUT_EVERY - 1;
    bool while_idle = attempt / CUT_EVERY % 2; /* every other one breaks after it was used */
    if (cuts && !while_idle)
        redis_cut(c->fd, &d->run.census.broken_in_use);
    redisReply *reply = redisCommand(c, "GET key:%u", task);
    bool answered = reply != NULL;
    if (answered)
        redis_check_reply(&d->run, reply, task);
    freeReplyObject(reply);
    if (!answered && !cuts)
        run_fail(&d->run, "GET key:%u: %s", task, c->errstr);
    if (cuts && while_idle)
        redis_cut(c->fd, &d->run.census.broken_idle);
    return answered;
}

static void task(void *context, unsigned number)
{
    demo *d = context;
    unsigned left = d->reads;
    while (left > 0 && run_go_on(&d->run)) {
        void *connection;
        int64_t began_ns = run_now_ns();
        if (!run_acquired(&d->run, began_ns, pool_acquire(d->run.pool, &connection, ACQUIRE_TIMEOUT_MS)))
            return;
        if (read_key(d, connection, number)) {
            atomic_fetch_add(&d->run.done, 1);
            left--;
        }
        run_released(&d->run, pool_release(d->run.pool, connection));
    }
}

/* ---- the program ---- */

static void demonstrate(demo *d)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "redis";
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
    run_threads(&d->run, task, d);
    pool_unref(d->run.pool);
    run_summary(&d->run);
    redis_server_check(&d->server, &d->run);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "reads", .resources = "connections", .workers = 100, .places = 20}, .reads = 1000};
    const run_option options[] = {{"tasks", 't', &d.run.workers, 1, 1000, "tasks, each a thread with a key of its own"},
                                  {"connections", 'c', &d.run.places, 1, 1000, "connections at most"},
                                  {"reads", 'n', &d.reads, 1, 100000, "reads of each task"},
                                  {0}};
    run_setup(argc, argv,
              "Tasks read keys from a Redis server that this program starts on a socket in a temporary folder, "
              "through connections lent by a pool.",
              options);
    d.run.total = (int64_t)d.run.workers * d.reads;
    if (redis_server_start(&d.server, &d.run)) {
        printf("%u tasks share %u Redis connections (Redis in process %d, asyncpool %s)\n\n", d.run.workers,
               d.run.places, (int)d.server.process, pool_version());
        demonstrate(&d);
    }
    redis_server_stop(&d.server);
    return run_result(&d.run);
}
