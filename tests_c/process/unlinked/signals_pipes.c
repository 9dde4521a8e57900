/* SIGPIPE of a write to a pipe that nobody reads. */
#include "signals_host.h"

#include <errno.h>
#include <sys/wait.h>

static int broken_write(void)
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    close(ends[0]);
    int error = write(ends[1], "x", 1) < 0 ? errno : 0;
    close(ends[1]);
    return error;
}

static void write_it(void) { REQUIRE(broken_write() == EPIPE); }

static void die_on_this_thread(void)
{
    load();
    write_it();
}

static void die_in_a_hook(void)
{
    load();
    in_hook = write_it;
    use();
}

static void die_on_a_thread(void)
{
    load();
    on_a_thread(write_it);
}

void a_broken_pipe_kills(void)
{
    static void (*const ways[])(void) = {die_on_this_thread, die_in_a_hook, die_on_a_thread};
    for (int i = 0; i < 3; i++) {
        int status = in_a_child(ways[i]);
        REQUIRE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
    }
}

void a_broken_pipe_is_ignored(void)
{
    struct sigaction now;
    signal(SIGPIPE, SIG_IGN);
    load();
    everywhere(write_it);
    REQUIRE(sigaction(SIGPIPE, NULL, &now) == 0 && now.sa_handler == SIG_IGN); /* programs inherit that */
}

static void write_and_count(void)
{
    int before = calls;
    write_it();
    REQUIRE(calls == before + 1);
}

void a_broken_pipe_is_handled(void)
{
    handle(SIGPIPE, count, 0);
    load();
    everywhere(write_and_count);
    handle(SIGPIPE, count, SA_ONSTACK);
    everywhere(write_and_count);
}
