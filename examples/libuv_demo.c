/*
 * The tasks of redis_demo without its threads: one thread and one libuv loop. Each task asks for a
 * connection, goes on when it gets one, sends its read, goes on when the answer comes, and gives
 * the connection back; meanwhile the loop serves the others. The connections are hiredis's
 * asynchronous ones. Now and then one is cut: the hooks see to it, and the read is repeated on
 * another.
 *
 *     libuv_demo --tasks 100 --connections 20 --reads 1000
 */
#include "run.h"
#include "redis_server.h"

#include <asyncpool/uv.h>

#include <async.h>
#include <adapters/libuv.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#define ACQUIRE_TIMEOUT_MS 60000
#define CHECK_EVERY_MS 50 /* the healthcheck */
#define CUT_EVERY 500     /* reads between two cut connections */

typedef struct demo demo;

/* What the pool lends. hiredis frees a connection that breaks; then context is NULL. */
typedef struct connection {
    redisAsyncContext *context;
} connection;

typedef struct task {
    demo *d;
    unsigned number, left; /* its key; reads to do */
    int64_t asked_ns;
    pool_op_t op;
    uv_timer_t pause;
    connection *connection; /* while it reads */
    bool cut_after;         /* its connection shall break while it is idle */
} task;

struct demo {
    run_t run;
    redis_server server;
    uv_loop_t loop;
    pool_uv_t watch;
    uv_timer_t tick;
    task *tasks;
    unsigned reads;                     /* of each task */
    unsigned running;                   /* tasks that have not ended */
    unsigned asking, most_asking;       /* tasks that want a connection or have one */
    unsigned in_flight, most_in_flight; /* reads sent and not answered */
    int64_t attempts;                   /* reads tried */
    int64_t elsewhere;                  /* hooks and callbacks on another thread than main's */
    unsigned checks;                    /* healthchecks */
    pthread_t thread;
};

static void here(demo *d) { d->elsewhere += !pthread_equal(d->thread, pthread_self()); }

/* ---- the hooks ---- */

static void on_disconnect(const redisAsyncContext *context, int status)
{
    (void)status;
    connection *c = context->data;
    if (c) /* the destructor has not been there */
        c->context = NULL;
}

/* Told once the connection is made, or could not be: then hiredis frees it, as when it breaks. */
static void on_connect(const redisAsyncContext *context, int status)
{
    if (status != REDIS_OK)
        on_disconnect(context, status);
}

/* Returns before the connection is made; what is sent until then waits inside hiredis. */
static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    here(d);
    connection *c = calloc(1, sizeof *c);
    redisAsyncContext *context = c ? redisAsyncConnectUnix(d->server.socket) : NULL;
    if (!context || context->err || redisLibuvAttach(context, &d->loop) != REDIS_OK) {
        pool_set_error(pool, context && context->err ? context->err : REDIS_ERR_OOM,
                       context && context->err ? context->errstr : "out of memory");
        if (context)
            redisAsyncFree(context);
        free(c);
        return false;
    }
    c->context = context;
    context->data = c;
    redisAsyncSetConnectCallback(context, on_connect);
    redisAsyncSetDisconnectCallback(context, on_disconnect);
    run_created(&d->run);
    *resource = c;
    return true;
}

/* May be called from inside a reply: hiredis then frees the context a little later. */
static void destructor(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    connection *c = resource;
    here(d);
    if (c->context) {
        c->context->data = NULL;
        redisAsyncFree(c->context);
    }
    free(c);
    run_destroyed(&d->run);
}

/* Nobody sends anything unasked on an idle connection, so what can be read is its end. */
static bool is_sound(const connection *c)
{
    char byte;
    return c->context && !c->context->err && recv(c->context->c.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

/* A question to the server would have to be waited for; the socket knows enough. */
static bool before_acquire(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    here(d);
    bool sound = is_sound(resource);
    if (!sound)
        atomic_fetch_add(&d->run.census.refused_by_acquire, 1);
    return sound;
}

static bool before_release(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    const connection *c = resource;
    here(d);
    bool sound = c->context && !c->context->err;
    if (!sound)
        atomic_fetch_add(&d->run.census.refused_by_release, 1);
    return sound;
}

/* POOL_F_REACTOR: the loop's thread runs it too. */
static bool healthcheck(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    here(d);
    d->checks++;
    bool sound = is_sound(resource);
    if (!sound)
        atomic_fetch_add(&d->run.census.refused_by_healthcheck, 1);
    return sound;
}

/* ---- a task: begin, acquired, answered, and again ---- */

static void begin(task *t);

static void end(task *t)
{
    demo *d = t->d;
    uv_close((uv_handle_t *)&t->pause, NULL);
    if (--d->running == 0)
        uv_close((uv_handle_t *)&d->tick, NULL);
}

static void give_back(task *t)
{
    demo *d = t->d;
    d->asking--;
    run_released(&d->run, pool_release(d->run.pool, t->connection));
    begin(t);
}

/* reply is NULL when the connection was lost on the way. */
static void answered(redisAsyncContext *context, void *reply, void *data)
{
    task *t = data;
    demo *d = t->d;
    here(d);
    (void)context;
    d->in_flight--;
    if (reply) {
        redis_check_reply(&d->run, reply, t->number);
        t->left--;
        atomic_fetch_add(&d->run.done, 1);
        if (t->cut_after)
            redis_cut(t->connection->context->c.fd, &d->run.census.broken_idle);
    }
    give_back(t);
}

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    task *t = data;
    demo *d = t->d;
    (void)op;
    here(d);
    if (!run_acquired(&d->run, t->asked_ns, status)) {
        d->asking--;
        end(t);
        return;
    }
    t->connection = resource;
    bool cuts = d->attempts % CUT_EVERY == CUT_EVERY - 1;
    t->cut_after = cuts && d->attempts / CUT_EVERY % 2; /* every other one */
    d->attempts++;
    redisAsyncContext *context = t->connection->context;
    if (cuts && !t->cut_after)
        redis_cut(context->c.fd, &d->run.census.broken_in_use);
    if (redisAsyncCommand(context, answered, t, "GET key:%u", t->number) != REDIS_OK) {
        run_fail(&d->run, "cannot send GET key:%u", t->number);
        give_back(t);
        return;
    }
    if (++d->in_flight > d->most_in_flight)
        d->most_in_flight = d->in_flight;
}

static void ask(task *t)
{
    demo *d = t->d;
    t->asked_ns = run_now_ns();
    pool_status_t status = pool_acquire_async(d->run.pool, &t->op, ACQUIRE_TIMEOUT_MS, acquired, t);
    if (status != POOL_PENDING) {
        if (status != POOL_ERR_CLOSED)
            run_fail_call(&d->run, "cannot ask for a connection");
        end(t);
        return;
    }
    if (++d->asking > d->most_asking)
        d->most_asking = d->asking;
}

static void paused(uv_timer_t *timer) { ask(timer->data); }

static void begin(task *t)
{
    unsigned pause = run_pause_ms(&t->d->run);
    if (t->left == 0 || atomic_load(&t->d->run.stopping))
        end(t);
    else if (pause > 0)
        uv_timer_start(&t->pause, paused, pause, 0);
    else
        ask(t);
}

/* ---- the program ---- */

static void on_tick(uv_timer_t *timer)
{
    demo *d = timer->data;
    run_tick(&d->run);
}

static void run(demo *d)
{
    d->running = d->run.workers;
    uv_timer_init(&d->loop, &d->tick);
    d->tick.data = d;
    uv_timer_start(&d->tick, on_tick, RUN_TICK_MS, RUN_TICK_MS);
    for (unsigned i = 0; i < d->run.workers; i++) {
        task *t = &d->tasks[i];
        *t = (task){.d = d, .number = i, .left = d->reads};
        uv_timer_init(&d->loop, &t->pause);
        t->pause.data = t;
    }
    /* Whoever does not end here has asked or pauses. */
    for (unsigned i = 0; i < d->run.workers; i++)
        begin(&d->tasks[i]);
    while (d->running > 0)
        uv_run(&d->loop, UV_RUN_ONCE);
}

static void check_thread(demo *d)
{
    unsigned least = d->run.workers > 1 && d->run.places > 1 ? 2 : 1;
    run_check(&d->run, d->most_in_flight >= least && d->most_in_flight <= d->run.places,
              "%u reads in flight at once, while %u tasks waited in line", d->most_in_flight,
              d->most_asking - d->most_in_flight);
    run_check(&d->run, d->elsewhere == 0,
              "every hook (%u healthchecks too) and every callback ran on the loop's thread", d->checks);
}

static void demonstrate(demo *d)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "redis";
    config.factory = factory;
    config.destructor = destructor;
    config.healthcheck = healthcheck;
    config.before_acquire = before_acquire;
    config.before_release = before_release;
    config.user_data = d;
    config.min_size = d->run.places < 2 ? d->run.places : 2;
    config.max_size = d->run.places;
    config.healthcheck_interval_ms = CHECK_EVERY_MS;
    config.flags = POOL_F_REACTOR;
    uv_loop_init(&d->loop);
    d->thread = pthread_self();
    d->tasks = calloc(d->run.workers, sizeof *d->tasks);
    if (!d->tasks || pool_create_ex(&config, &d->run.pool) != POOL_OK) {
        run_fail_call(&d->run, "cannot create the pool");
        return;
    }
    int error = pool_uv_init(&d->loop, &d->watch, d->run.pool);
    if (!error)
        error = pool_uv_start(&d->watch);
    run_begin(&d->run);
    if (error)
        run_fail(&d->run, "cannot watch the pool: %s", uv_strerror(error));
    else
        run(d);
    run_end(&d->run);
    pool_uv_close(&d->watch, NULL);
    pool_unref(d->run.pool);          /* the last reference: destroys what is idle */
    uv_run(&d->loop, UV_RUN_DEFAULT); /* until libuv has closed the handles */

    run_summary(&d->run);
    redis_server_check(&d->server, &d->run);
    check_thread(d);
    run_check(&d->run, uv_loop_close(&d->loop) == 0, "nothing is left on the loop");
    free(d->tasks);
}

int main(int argc, char **argv)
{
    static demo d = {.run = {.unit = "reads", .resources = "connections", .workers = 100, .places = 20}, .reads = 1000};
    const run_option options[] = {{"tasks", 't', &d.run.workers, 1, 10000, "tasks, each with a key of its own"},
                                  {"connections", 'c', &d.run.places, 1, 1000, "connections at most"},
                                  {"reads", 'n', &d.reads, 1, 100000, "reads of each task"},
                                  {0}};
    run_setup(argc, argv,
              "Tasks on one libuv loop, in one thread, read keys from a Redis server that this program starts on a "
              "socket in a temporary folder, through connections lent by a pool.",
              options);
    d.run.total = (int64_t)d.run.workers * d.reads;
    if (redis_server_start(&d.server, &d.run)) {
        printf("%u tasks on one thread share %u Redis connections (libuv %s, asyncpool %s)\n\n", d.run.workers,
               d.run.places, uv_version_string(), pool_version());
        demonstrate(&d);
    }
    redis_server_stop(&d.server);
    return run_result(&d.run);
}
