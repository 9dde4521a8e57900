#include "redis_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define START_TRIES 1200 /* PINGs to wait for the server, 50 ms apart */
#define STOP_TRIES 6000  /* looks whether it has ended, 10 ms apart */

extern char **environ;

redisContext *redis_connect(const char *path)
{
    const struct timeval limit = {.tv_sec = 60};
    redisContext *c = redisConnectUnixWithTimeout(path, limit);
    if (c && !c->err)
        redisSetTimeout(c, limit); /* the first one is for connecting only */
    return c;
}

bool redis_is_alive(redisContext *c)
{
    redisReply *reply = redisCommand(c, "PING");
    bool alive = reply && reply->type == REDIS_REPLY_STATUS && strcmp(reply->str, "PONG") == 0;
    freeReplyObject(reply);
    return alive;
}

static bool server_has_ended(redis_server *s)
{
    if (s->process && waitpid(s->process, NULL, WNOHANG) == s->process)
        s->process = 0;
    return s->process == 0;
}

/*
 * Spawned, not forked: a forked child must not use the pool. In a process group of its own, so that
 * Ctrl-C reaches this program only, which then stops the server in its turn.
 */
static bool spawn_server(redis_server *s)
{
    char most_clients[16];
    snprintf(most_clients, sizeof most_clients, "%u", s->most_clients ? s->most_clients : 10000);
    char *arguments[] = {
        "redis-server", "--port",      "0",  "--unixsocket", s->socket, "--save",       "",           "--appendonly",
        "no",           "--daemonize", "no", "--dir",        s->folder, "--maxclients", most_clients, NULL};
    static const char *const places[] = {"redis-server", "/usr/bin/redis-server"};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, s->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = ENOENT;
    for (size_t i = 0; i < sizeof places / sizeof *places && error == ENOENT; i++)
        error = posix_spawnp(&s->process, places[i], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) {
        s->process = 0;
        if (error == ENOENT)
            fputs("redis-server is not installed. On Debian and Ubuntu:\n\n"
                  "    apt-get install redis-server\n",
                  stderr);
        else
            fprintf(stderr, "cannot start redis-server: %s\n", strerror(error));
    }
    return error == 0;
}

static void print_log(const redis_server *s)
{
    char line[512];
    FILE *log = fopen(s->log, "r");
    while (log && fgets(line, sizeof line, log))
        fputs(line, stderr);
    if (log)
        fclose(log);
}

static bool wait_for_server(redis_server *s)
{
    for (int i = 0; i < START_TRIES && !run_signal() && !server_has_ended(s); i++) {
        s->admin = redis_connect(s->socket);
        if (s->admin && !s->admin->err && redis_is_alive(s->admin))
            return true;
        redisFree(s->admin);
        s->admin = NULL;
        run_sleep_ms(50);
    }
    if (!run_signal()) {
        fputs("redis-server did not get ready; it said:\n\n", stderr);
        print_log(s);
    }
    return false;
}

static bool fill_keys(redis_server *s, unsigned keys)
{
    for (unsigned i = 0; i < keys; i++) {
        redisReply *reply = redisCommand(s->admin, "SET key:%u value:%u", i, i);
        bool good = reply && reply->type == REDIS_REPLY_STATUS;
        if (!good)
            fprintf(stderr, "SET key:%u: %s\n", i, reply ? reply->str : s->admin->errstr);
        freeReplyObject(reply);
        if (!good)
            return false;
    }
    return true;
}

bool redis_server_up(redis_server *s) { return spawn_server(s) && wait_for_server(s); }

void redis_server_kill(redis_server *s)
{
    redisFree(s->admin);
    s->admin = NULL;
    if (s->process) {
        kill(s->process, SIGKILL);
        waitpid(s->process, NULL, 0);
        s->process = 0;
    }
}

bool redis_server_start(redis_server *s, run_t *run)
{
    bool ready = run_make_folder(s->folder, "redis");
    snprintf(s->socket, sizeof s->socket, "%s/redis.sock", s->folder);
    snprintf(s->log, sizeof s->log, "%s/redis.log", s->folder);
    ready = ready && redis_server_up(s) && fill_keys(s, run->workers);
    if (!ready && !run_signal())
        atomic_store(&run->failed, true);
    return ready;
}

void redis_server_stop(redis_server *s)
{
    redisFree(s->admin);
    s->admin = NULL;
    if (s->process)
        kill(s->process, SIGTERM);
    for (int i = 0; i < STOP_TRIES && !server_has_ended(s); i++)
        run_sleep_ms(10);
    if (s->process)
        redis_server_kill(s);
    run_remove_folder(s->folder);
}

int64_t redis_server_says(redis_server *s, const char *section, const char *field)
{
    int64_t number = -1;
    redisReply *reply = redisCommand(s->admin, "INFO %s", section);
    if (reply && reply->type == REDIS_REPLY_STRING) {
        const char *at = strstr(reply->str, field);
        if (at)
            number = atoll(at + strlen(field));
    }
    freeReplyObject(reply);
    return number;
}

void redis_server_check(redis_server *s, run_t *run)
{
    int64_t done = run->done, answered = redis_server_says(s, "commandstats", "cmdstat_get:calls=");
    int64_t clients = redis_server_says(s, "clients", "connected_clients:");
    /* It may notice a moment later that a connection was closed. */
    for (int i = 0; i < STOP_TRIES && clients > 1; i++) {
        run_sleep_ms(10);
        clients = redis_server_says(s, "clients", "connected_clients:");
    }
    run_check(run, answered == done, "%lld reads done, the server answered %lld", (long long)done, (long long)answered);
    run_check(run, clients == 1, "the server has %lld connections left besides this program's own",
              (long long)clients - 1);
}

void redis_check_reply(run_t *run, const redisReply *reply, unsigned key)
{
    char expected[32];
    snprintf(expected, sizeof expected, "value:%u", key);
    if (reply->type != REDIS_REPLY_STRING || strcmp(reply->str, expected) != 0)
        run_fail(run, "key:%u is \"%s\", expected \"%s\"", key, reply->str ? reply->str : "(none)", expected);
}

void redis_cut(int fd, atomic_uint *count)
{
    shutdown(fd, SHUT_RDWR);
    atomic_fetch_add(count, 1);
}
