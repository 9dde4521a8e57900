#define _GNU_SOURCE 1 /* pipe2() */
#include "crew.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOOK_MS = 10, END_TRIES = 12000 };

extern char **environ;

/* ---- started, and ended ---- */

/*
 * In a process group of its own, so that Ctrl-C reaches this program only. It ends when its standard input does, so it
 * does also when this program is killed.
 */
static bool start(crew *c, member *m)
{
    char limit[16], lease[16];
    int ends[2];
    snprintf(limit, sizeof limit, "%u", c->run->places);
    snprintf(lease, sizeof lease, "%u", c->lease_ms);
    char *arguments[] = {(char *)m->program, c->resource->socket, (char *)c->budget, m->name, limit, lease, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        run_fail(c->run, "no pipe: %s", strerror(errno));
        return false;
    }
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[0], 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(&m->process, m->program, &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(ends[0]);
    m->tell = ends[1];
    if (error) {
        m->process = 0;
        close(m->tell);
        run_fail(c->run, "cannot start %s: %s", m->program, strerror(error));
    }
    return error == 0;
}

bool crew_start(crew *c, unsigned count, char *const programs[], unsigned program_count)
{
    for (unsigned i = 0; i < count; i++) {
        member *m = &c->of[i];
        m->program = programs[i % program_count];
        const char *end = strrchr(m->program, '.');
        snprintf(m->name, sizeof m->name, "%s-%u", end && strcmp(end, ".php") == 0 ? "php" : "c", i + 1);
        if (!start(c, m))
            return false;
        c->count++;
    }
    return true;
}

void crew_kill(crew *c, unsigned i)
{
    member *m = &c->of[i];
    if (!m->process)
        return;
    kill(m->process, SIGKILL);
    waitpid(m->process, NULL, 0);
    close(m->tell);
    m->process = 0;
    c->killed++;
}

void crew_replace(crew *c, unsigned i)
{
    crew_kill(c, i);
    if (start(c, &c->of[i]))
        crew_tell(c, i, c->of[i].busy);
}

bool crew_end(crew *c)
{
    bool good = true;
    for (unsigned i = 0; i < c->count; i++)
        if (c->of[i].process)
            close(c->of[i].tell);
    for (unsigned i = 0; i < c->count; i++) {
        member *m = &c->of[i];
        int status = 0;
        pid_t ended = m->process;
        for (int tries = 0; m->process && (ended = waitpid(m->process, &status, WNOHANG)) == 0; tries++) {
            if (tries == END_TRIES) {
                fprintf(stderr, "%s does not end\n", m->name);
                kill(m->process, SIGKILL);
            }
            run_sleep_ms(LOOK_MS);
        }
        good = good && ended == m->process && status == 0;
        m->process = 0;
    }
    return good;
}

void crew_tell(crew *c, unsigned i, unsigned busy)
{
    member *m = &c->of[i];
    m->busy = busy;
    if (m->process && dprintf(m->tell, "%u\n", busy) < 0)
        run_fail(c->run, "%s does not listen", m->name);
}

/* ---- seen at the server ---- */

void crew_look(crew *c)
{
    for (unsigned i = 0; i < c->count; i++) {
        member *m = &c->of[i];
        m->has = 0;
        if (m->process && waitpid(m->process, NULL, WNOHANG) != 0) {
            m->process = 0;
            close(m->tell);
            run_fail(c->run, "%s has ended by itself", m->name);
        }
    }
    redisReply *reply = redisCommand(c->resource->admin, "CLIENT LIST");
    if (!reply || reply->type != REDIS_REPLY_STRING) {
        run_fail(c->run, "the server does not say who is connected");
        freeReplyObject(reply);
        return;
    }
    unsigned lines = 0;
    for (char *line = strtok(reply->str, "\n"); line; line = strtok(NULL, "\n")) {
        const char *name = strstr(line, " name=");
        unsigned number = 0;
        if (name && sscanf(name, " name=%*[a-z]-%u", &number) == 1 && number >= 1 && number <= c->count)
            c->of[number - 1].has++;
        lines++;
    }
    freeReplyObject(reply);
    c->connected = lines - 1; /* this one is not one of them */
    c->most = c->connected > c->most ? c->connected : c->most;
    c->samples++;
}

unsigned crew_has(const crew *c, unsigned from, unsigned to)
{
    unsigned has = 0;
    while (from < to)
        has += c->of[from++].has;
    return has;
}

void crew_forget_work(crew *c)
{
    for (unsigned i = 0; i < c->count; i++)
        freeReplyObject(redisCommand(c->resource->admin, "DEL work:%s", c->of[i].name));
}

bool crew_all_worked(crew *c)
{
    bool all = true;
    for (unsigned i = 0; i < c->count && all; i++) {
        redisReply *reply = redisCommand(c->resource->admin, "EXISTS work:%s", c->of[i].name);
        all = reply && reply->type == REDIS_REPLY_INTEGER && reply->integer == 1;
        freeReplyObject(reply);
    }
    return all;
}
