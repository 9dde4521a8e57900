/*
 * Tasks, each a thread, read their key from a Redis server over and over, through a few connections
 * that the pool lends them. The program starts the server itself, on a socket in a temporary
 * folder. Now and then a connection is cut: the hooks see to it, and the read is repeated on
 * another. At the end the server is asked how many reads it has answered.
 *
 *     redis_demo --tasks 100 --connections 20 --reads 1000
 */
#include "live.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <hiredis.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define ACQUIRE_TIMEOUT_MS 3000
#define START_TRIES 100 /* PINGs to wait for the server, 50 ms apart */
#define STOP_TRIES 300  /* looks whether it has ended, 10 ms apart */
#define CUT_EVERY 500   /* reads between two cut connections */

extern char **environ;

typedef struct demo {
    live_t live;
    live_census census;
    unsigned reads; /* of each task */
    char folder[64];
    char socket[96];
    char log[96];
    pid_t server;                 /* 0: not running */
    redisContext *admin;          /* the program's own connection, beside the pool */
    atomic_llong attempts; /* reads tried */
} demo;

/* ---- the hooks ---- */

/* As hiredis does: NULL when memory is short, otherwise the context's err tells. */
static redisContext *connect_to(const char *path)
{
    const struct timeval limit = {.tv_sec = 2};
    redisContext *c = redisConnectUnixWithTimeout(path, limit);
    if (c && !c->err)
        redisSetTimeout(c, limit); /* the first one is for connecting only */
    return c;
}

static bool is_alive(redisContext *c)
{
    redisReply *reply = redisCommand(c, "PING");
    bool alive = reply && reply->type == REDIS_REPLY_STATUS && strcmp(reply->str, "PONG") == 0;
    freeReplyObject(reply);
    return alive;
}

static bool factory(pool_t *pool, void **resource)
{
    demo *d = pool->user_data;
    redisContext *c = connect_to(d->socket);
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
    bool alive = is_alive(resource);
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

/* ---- the server ---- */

static bool server_has_ended(demo *d)
{
    if (d->server && waitpid(d->server, NULL, WNOHANG) == d->server)
        d->server = 0;
    return d->server == 0;
}

static void stop_server(demo *d)
{
    redisFree(d->admin);
    d->admin = NULL;
    if (d->server)
        kill(d->server, SIGTERM);
    for (int i = 0; i < STOP_TRIES && !server_has_ended(d); i++)
        live_sleep_ms(10);
    if (d->server) {
        kill(d->server, SIGKILL);
        waitpid(d->server, NULL, 0);
        d->server = 0;
    }
}

/*
 * Spawned, not forked: a forked child must not use the pool. In a process group of its own, so that
 * Ctrl-C reaches this program only, which then stops the server in its turn.
 */
static bool spawn_server(demo *d)
{
    char *arguments[] = {"redis-server", "--port", "0", "--unixsocket", d->socket, "--save", "",
                         "--appendonly", "no", "--daemonize", "no", "--dir", d->folder, NULL};
    static const char *const places[] = {"redis-server", "/usr/bin/redis-server"};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, d->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = ENOENT;
    for (size_t i = 0; i < sizeof places / sizeof *places && error == ENOENT; i++)
        error = posix_spawnp(&d->server, places[i], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) {
        d->server = 0;
        if (error == ENOENT)
            fputs("redis-server is not installed. On Debian and Ubuntu:\n\n"
                  "    apt-get install redis-server\n",
                  stderr);
        else
            fprintf(stderr, "cannot start redis-server: %s\n", strerror(error));
    }
    return error == 0;
}

static void print_log(const demo *d)
{
    char line[512];
    FILE *log = fopen(d->log, "r");
    while (log && fgets(line, sizeof line, log))
        fputs(line, stderr);
    if (log)
        fclose(log);
}

static bool wait_for_server(demo *d)
{
    for (int i = 0; i < START_TRIES && !live_signal() && !server_has_ended(d); i++) {
        d->admin = connect_to(d->socket);
        if (d->admin && !d->admin->err && is_alive(d->admin))
            return true;
        redisFree(d->admin);
        d->admin = NULL;
        live_sleep_ms(50);
    }
    if (!live_signal()) {
        fputs("redis-server did not get ready; it said:\n\n", stderr);
        print_log(d);
    }
    return false;
}

static bool fill_keys(demo *d)
{
    for (unsigned i = 0; i < d->live.threads; i++) {
        redisReply *reply = redisCommand(d->admin, "SET key:%u value:%u", i, i);
        bool good = reply && reply->type == REDIS_REPLY_STATUS;
        if (!good)
            fprintf(stderr, "SET key:%u: %s\n", i, reply ? reply->str : d->admin->errstr);
        freeReplyObject(reply);
        if (!good)
            return false;
    }
    return true;
}

/* A number from the server's INFO; -1 when it is not there. */
static int64_t server_says(demo *d, const char *section, const char *field)
{
    int64_t number = -1;
    redisReply *reply = redisCommand(d->admin, "INFO %s", section);
    if (reply && reply->type == REDIS_REPLY_STRING) {
        const char *at = strstr(reply->str, field);
        if (at)
            number = atoll(at + strlen(field));
    }
    freeReplyObject(reply);
    return number;
}

static bool check_server(demo *d)
{
    int64_t done = atomic_load(&d->live.done);
    int64_t answered = server_says(d, "commandstats", "cmdstat_get:calls=");
    int64_t clients = server_says(d, "clients", "connected_clients:");
    if (answered < 0 || clients < 1)
        return live_check(false, "the server can be asked what it did");
    /* It may notice a moment later that a connection was closed. */
    for (int i = 0; i < STOP_TRIES && clients > 1; i++) {
        live_sleep_ms(10);
        clients = server_says(d, "clients", "connected_clients:");
    }
    bool good = live_check(answered == done, "%s reads done, the server answered %s",
                           live_count(done).s, live_count(answered).s);
    return live_check(clients == 1, "the server has %s connections left besides this program's own",
                      live_count(clients - 1).s) && good;
}

/* ---- the program ---- */

static bool make_folder(demo *d)
{
    /* Not in TMPDIR: the path of a socket may be 107 bytes long at most. */
    strcpy(d->folder, "/tmp/asyncpool-redis-XXXXXX");
    if (!mkdtemp(d->folder)) {
        fprintf(stderr, "cannot make a temporary folder: %s\n", strerror(errno));
        return false;
    }
    snprintf(d->socket, sizeof d->socket, "%s/redis.sock", d->folder);
    snprintf(d->log, sizeof d->log, "%s/redis.log", d->folder);
    return true;
}

static void remove_folder(const demo *d)
{
    unlink(d->socket);
    unlink(d->log);
    if (rmdir(d->folder) != 0)
        fprintf(stderr, "cannot remove %s: %s\n", d->folder, strerror(errno));
}

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
    good = check_server(d) && good;
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
    if (!make_folder(&d))
        return 1;
    int code = 1;
    if (spawn_server(&d) && wait_for_server(&d) && fill_keys(&d)) {
        printf("%u tasks share %u Redis connections (Redis in process %d, asyncpool %s)\n\n",
               d.live.threads, connections, (int)d.server, pool_version());
        code = demonstrate(&d, connections);
    } else if (live_signal())
        code = 128 + live_signal();
    stop_server(&d);
    remove_folder(&d);
    return code;
}
