#define _GNU_SOURCE 1 /* strverscmp() */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 32 };

extern char **environ;

/* Debian and Fedora keep them out of PATH. */
bool process_find(pg_server *s)
{
    static const char *const patterns[] = {"/usr/lib/postgresql/*/bin/initdb", "/usr/pgsql-*/bin/initdb",
                                           "/usr/bin/initdb", "/usr/local/bin/initdb", "/usr/local/pgsql/bin/initdb"};
    const char *newest = "";
    glob_t found = {0};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        glob(patterns[i], i > 0 ? GLOB_APPEND : 0, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (access(found.gl_pathv[i], X_OK) == 0 && strverscmp(found.gl_pathv[i], newest) > 0)
            newest = found.gl_pathv[i];
    if (*newest)
        snprintf(s->programs, sizeof s->programs, "%.*s", (int)(strrchr(newest, '/') - newest), newest);
    else
        fputs("PostgreSQL is not installed. On Debian and Ubuntu:\n\n"
              "    apt-get install postgresql\n",
              stderr);
    globfree(&found);
    return s->programs[0] != 0;
}

bool process_give_folder(pg_server *s)
{
    if (geteuid() != 0)
        return true;
    const struct passwd *user = getpwnam("postgres");
    if (!user)
        user = getpwnam("nobody");
    if (!user) {
        fputs(
            "PostgreSQL does not run as root, and there is no user postgres or nobody: start this program as another\n"
            "user.\n",
            stderr);
        return false;
    }
    s->user = user->pw_uid;
    s->group = user->pw_gid;
    if (chown(s->folder, s->user, s->group) != 0) {
        perror(s->folder);
        return false;
    }
    return true;
}

/*
 * Spawned, not forked: a forked child must not use the pool. In a process group of its own, so that Ctrl-C reaches this
 * program only, which then stops the server in its turn. setpriv, of util-linux, changes the user.
 */
bool process_start(const pg_server *s, char *const arguments[], pid_t *process)
{
    char program[320], user[32], group[32];
    char *all[MOST_ARGUMENTS] = {"setpriv", "--pdeathsig", "QUIT"};
    int n = 3;
    snprintf(program, sizeof program, "%s/%s", s->programs, arguments[0]);
    snprintf(user, sizeof user, "--reuid=%u", (unsigned)s->user);
    snprintf(group, sizeof group, "--regid=%u", (unsigned)s->group);
    if (s->user) {
        all[n++] = user;
        all[n++] = group;
        all[n++] = "--clear-groups";
    }
    all[n++] = program;
    for (int i = 1; arguments[i]; i++)
        all[n++] = arguments[i];

    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, s->log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawn_file_actions_addchdir_np(&files, s->folder); /* this program's may be none of that user's */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(process, all[0], &files, &attributes, all, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) {
        *process = 0;
        fprintf(stderr, "cannot start setpriv (of util-linux), which starts %s: %s\n", program, strerror(error));
    }
    return error == 0;
}

bool process_has_ended(pid_t *process, int *code)
{
    int status = 0;
    if (*process && waitpid(*process, &status, WNOHANG) == *process) {
        *process = 0;
        if (code)
            *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return *process == 0;
}

unsigned process_children(pid_t process, pid_t *children, unsigned room)
{
    char path[64];
    unsigned n = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *file = fopen(path, "r");
    for (int child; file && n < room && fscanf(file, "%d", &child) == 1; n++)
        children[n] = child;
    if (file)
        fclose(file);
    return n;
}
