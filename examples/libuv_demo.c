/*
 * The tasks of redis_demo without its threads: one thread and one libuv loop. Each task asks for a
 * connection, goes on when it gets one, sends its read, goes on when the answer comes, and gives
 * the connection back; meanwhile the loop serves the others. The connections are hiredis's
 * asynchronous ones. Now and then one is cut: the hooks see to it, and the read is repeated on
 * another.
 *
 *     libuv_demo --tasks 100 --connections 20 --reads 1000
 */
#include "live.h"
#include "redis_server.h"

#include <asyncpool/uv.h>

#include <async.h>
#include <adapters/libuv.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    live_t live;
    live_census census;
    redis_server server;
    uv_loop_t loop;
    pool_uv_t watch;
    uv_timer_t tick;
    task *tasks;
    unsigned reads;                   /* of each task */
    unsigned running;                 /* tasks that have not ended */
    unsigned asking, most_asking;     /* tasks that want a connection or have one */
    unsigned in_flight, most_in_flight; /* reads sent and not answered */
    int64_t attempts;                 /* reads tried */
    int64_t elsewhere;                /* hooks and callbacks on another thread than main's */
    unsigned checks;                  /* healthchecks */
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
    live_census_created(&d->census);
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
    live_census_destroyed(&d->census);
}

/* Nobody sends anything unasked on an idle connection, so what can be read is its end. */
static bool is_sound(const connection *c)
{
    char byte;
    return c->context && !c->context->err &&
           recv(c->context->c.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

/* A question to the server would have to be waited for; the socket knows enough. */
static bool before_acquire(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    here(d);
    bool sound = is_sound(resource);
    if (!sound)
        atomic_fetch_add(&d->census.refused_by_acquire, 1);
    return sound;
}

static bool before_release(pool_t *pool, void *resource)
{
    demo *d = pool->user_data;
    const connection *c = resource;
    here(d);
    bool sound = c->context && !c->context->err;
    if (!sound)
        atomic_fetch_add(&d->census.refused_by_release, 1);
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
        atomic_fetch_add(&d->census.refused_by_healthcheck, 1);
    return sound;
}

/* ---- a task: begin, acquired, answered, and again ---- */

static void begin(task *t);

/* Cuts the connection as a network would: neither hiredis nor the pool is told. */
static void cut(connection *c, atomic_uint *count)
{
    shutdown(c->context->c.fd, SHUT_RDWR);
    atomic_fetch_add(count, 1);
}

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
    if (pool_release(d->live.pool, t->connection) != POOL_OK)
        live_fail_call(&d->live, "cannot give a connection back");
    begin(t);
}

/* reply is NULL when the connection was lost on the way. */
static void answered(redisAsyncContext *context, void *reply_, void *data)
{
    task *t = data;
    demo *d = t->d;
    const redisReply *reply = reply_;
    char expected[32];
    here(d);
    (void)context;
    d->in_flight--;
    snprintf(expected, sizeof expected, "value:%u", t->number);
    if (reply && (reply->type != REDIS_REPLY_STRING || strcmp(reply->str, expected) != 0))
        live_fail(&d->live, "key:%u is \"%s\", expected \"%s\"", t->number,
                  reply->str ? reply->str : "(none)", expected);
    if (reply) {
        t->left--;
        live_done(&d->live);
        if (t->cut_after)
            cut(t->connection, &d->census.broken_idle);
    }
    give_back(t);
}

static void acquired(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    task *t = data;
    demo *d = t->d;
    (void)op;
    here(d);
    live_waited(&d->live, live_now_ns() - t->asked_ns);
    if (status != POOL_OK) {
        if (status != POOL_ERR_CLOSED)
            live_fail_call(&d->live, "cannot borrow a connection");
        d->asking--;
        end(t);
        return;
    }
    t->connection = resource;
    bool cuts = d->attempts % CUT_EVERY == CUT_EVERY - 1;
    t->cut_after = cuts && d->attempts / CUT_EVERY % 2; /* every other one */
    d->attempts++;
    if (cuts && !t->cut_after)
        cut(t->connection, &d->census.broken_in_use);
    redisAsyncContext *context = t->connection->context;
    if (redisAsyncCommand(context, answered, t, "GET key:%u", t->number) != REDIS_OK) {
        live_fail(&d->live, "cannot send GET key:%u", t->number);
        give_back(t);
        return;
    }
    if (++d->in_flight > d->most_in_flight)
        d->most_in_flight = d->in_flight;
    live_in_flight(&d->live, d->in_flight);
}

static void ask(task *t)
{
    demo *d = t->d;
    t->asked_ns = live_now_ns();
    pool_status_t status =
        pool_acquire_async(d->live.pool, &t->op, ACQUIRE_TIMEOUT_MS, acquired, t);
    if (status != POOL_PENDING) {
        if (status != POOL_ERR_CLOSED)
            live_fail_call(&d->live, "cannot ask for a connection");
        end(t);
        return;
    }
    if (++d->asking > d->most_asking)
        d->most_asking = d->asking;
}

static void paused(uv_timer_t *timer) { ask(timer->data); }

static void begin(task *t)
{
    unsigned pause = live_pause_ms(&t->d->live);
    if (t->left == 0 || atomic_load(&t->d->live.stopping))
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
    if (live_tick(&d->live))
        pool_close(d->live.pool); /* who waits is told so */
}

static void run(demo *d)
{
    d->running = d->live.threads;
    uv_timer_init(&d->loop, &d->tick);
    d->tick.data = d;
    uv_timer_start(&d->tick, on_tick, LIVE_TICK_MS, LIVE_TICK_MS);
    for (unsigned i = 0; i < d->live.threads; i++) {
        task *t = &d->tasks[i];
        *t = (task){.d = d, .number = i, .left = d->reads};
        uv_timer_init(&d->loop, &t->pause);
        t->pause.data = t;
    }
    /* Whoever does not end here has asked or pauses. */
    for (unsigned i = 0; i < d->live.threads; i++)
        begin(&d->tasks[i]);
    while (d->running > 0)
        uv_run(&d->loop, UV_RUN_ONCE);
}

static bool check_thread(const demo *d, unsigned connections)
{
    unsigned least = d->live.threads > 1 && connections > 1 ? 2 : 1;
    bool good = live_check(d->most_in_flight >= least && d->most_in_flight <= connections,
                           "%u reads in flight at once, while %u tasks waited in line",
                           d->most_in_flight, d->most_asking - d->most_in_flight);
    return live_check(d->elsewhere == 0, "every hook (%u healthchecks too) and every callback ran "
                      "on the loop's thread", d->checks) && good;
}

static int demonstrate(demo *d, unsigned connections)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = "redis";
    config.factory = factory;
    config.destructor = destructor;
    config.healthcheck = healthcheck;
    config.before_acquire = before_acquire;
    config.before_release = before_release;
    config.user_data = d;
    config.min_size = connections < 2 ? connections : 2;
    config.max_size = connections;
    config.healthcheck_interval_ms = CHECK_EVERY_MS;
    config.flags = POOL_F_REACTOR;
    uv_loop_init(&d->loop);
    d->thread = pthread_self();
    d->tasks = calloc(d->live.threads, sizeof *d->tasks);
    if (!d->tasks || pool_create_ex(&config, &d->live.pool) != POOL_OK) {
        live_fail_call(&d->live, "cannot create the pool");
        return live_exit_code(&d->live, false);
    }
    int error = pool_uv_init(&d->loop, &d->watch, d->live.pool);
    if (!error)
        error = pool_uv_start(&d->watch);
    if (error)
        live_fail(&d->live, "cannot watch the pool: %s", uv_strerror(error));
    else if (live_begin(&d->live)) {
        run(d);
        live_end(&d->live);
    }
    pool_uv_close(&d->watch, NULL);
    pool_unref(d->live.pool); /* the last reference: destroys what is idle */
    uv_run(&d->loop, UV_RUN_DEFAULT); /* until libuv has closed the handles */

    bool good = live_summary(&d->live);
    good = live_check_census(&d->census, connections) && good;
    good = redis_server_check(&d->server, atomic_load(&d->live.done)) && good;
    good = check_thread(d, connections) && good;
    good = live_check(uv_loop_close(&d->loop) == 0, "nothing is left on the loop") && good;
    free(d->tasks);
    return live_exit_code(&d->live, good);
}

static void usage(FILE *to)
{
    fputs("Usage: libuv_demo [--tasks N] [--connections N] [--reads N]\n"
          "Tasks on one libuv loop, in one thread, read keys from a Redis server that this\n"
          "program starts on a socket in a temporary folder, through connections lent by a pool.\n"
          "Exit code 0: all went right.\n\n"
          "  -t, --tasks N         tasks, each with a key of its own (100)\n"
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
    static demo d = {.live = {.unit = "reads", .threads = 100, .waits_in = "the line"},
                     .reads = 1000};
    unsigned connections = 20;
    int option;
    while ((option = getopt_long(argc, argv, "t:c:n:h", options, NULL)) != -1) {
        if (option == 't')
            d.live.threads = live_option("--tasks", optarg, 1, 10000);
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
    d.live.total = (int64_t)d.live.threads * d.reads;
    live_setup(&d.live);
    int code = 1;
    if (redis_server_start(&d.server, d.live.threads)) {
        printf("%u tasks on one thread share %u Redis connections (libuv %s, asyncpool %s)\n\n",
               d.live.threads, connections, uv_version_string(), pool_version());
        code = demonstrate(&d, connections);
    } else if (live_signal())
        code = 128 + live_signal();
    redis_server_stop(&d.server);
    return code;
}
