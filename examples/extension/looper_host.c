/*
 * A host that does not link the pool library, and loads an extension with an event loop, twice: it says why that does not
 * work, or has it do jobs, and unloads it.
 *
 *     looper_host EXTENSION [LIBRARY]
 *
 * LIBRARY is where libasyncpool.so is; otherwise it is found as the system finds libraries. The exit code is 3 where it
 * cannot be loaded.
 */
#include "looper.h"

#include <stdlib.h>
#include <sys/wait.h>

enum { DEVICES = 2, JOBS = 40, ENDLESS = 0 };

static const looper_t *looper;
static const char *extension_path, *library_path;

static void check(bool good, const char *what)
{
    printf("%s %s\n", good ? "ok  " : "FAIL", what);
    if (!good)
        exit(1);
}

/* ---- jobs, and what they were told ---- */

typedef struct told {
    job_t job;
    bool done;
    pool_status_t status;
} told_t;

static void done(job_t *job, pool_status_t status)
{
    told_t *t = (told_t *)job;
    check(!t->done, "a job is told once");
    t->done = true;
    t->status = status;
}

/* Starts it, to wait for a device for so long. */
static void start(told_t *t, int ms, int64_t patience_ms)
{
    *t = (told_t){.job = {.ms = ms, .done = done}};
    check(looper->start(&t->job, patience_ms) == POOL_OK, "a job is started");
}

static pool_status_t outcome(told_t *t)
{
    while (!t->done && looper->turn())
        ;
    check(t->done, "a job is told");
    return t->status;
}

/* ---- loading ---- */

static void *load(void)
{
    looper_entry_fn entry;
    void *extension = dlopen(extension_path, RTLD_NOW | RTLD_LOCAL);
    if (!extension) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    *(void **)&entry = dlsym(extension, "looper_entry");
    check(entry != NULL, "the extension is loaded");
    looper = entry();
    pool_status_t status = looper->open(library_path, DEVICES);
    if (status != POOL_OK) {
        fprintf(stderr, "looper: status %d: %s\n", status, looper->why());
        exit(3);
    }
    return extension;
}

static void unload(void *extension)
{
    check(looper->devices() == 0, "no device is left");
    dlclose(extension);
    check(!dlopen(extension_path, RTLD_NOW | RTLD_NOLOAD), "the extension is unloaded");
}

/* A process that was forked with the library in it has none of the library's threads. */
static void be_refused_in_a_child(void)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        bool refused = looper->open(library_path, DEVICES) == POOL_ERR_FORKED;
        printf("     a forked child is told: %s\n", looper->why());
        fflush(stdout);
        _exit(refused ? 0 : 1);
    }
    check(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a forked child is refused");
}

/* ---- what the extension does ---- */

static void lend(void)
{
    static told_t jobs[JOBS];
    for (int i = 0; i < JOBS; i++)
        start(&jobs[i], 1 + i % 3, 0);
    for (int i = 0; i < JOBS; i++)
        check(outcome(&jobs[i]) == POOL_OK && looper->devices() <= DEVICES, "a job is done");
}

static void let_go(void)
{
    told_t first, second, third, impatient, cancelled;
    start(&first, ENDLESS, 0);
    start(&second, ENDLESS, 0);
    start(&impatient, 1, 2);
    start(&cancelled, 1, 0);
    start(&third, 1, 0);
    check(outcome(&impatient) == POOL_ERR_TIMEOUT, "who waits for too long is told so");
    looper->cancel(&cancelled.job);
    check(outcome(&cancelled) == POOL_ERR_CANCELLED, "a job is cancelled in line");
    looper->cancel(&first.job);
    check(outcome(&first) == POOL_ERR_CANCELLED, "a job is cancelled in the midst of it");
    check(outcome(&third) == POOL_OK, "its device goes to the next in line");
    looper->cancel(&second.job);
    check(outcome(&second) == POOL_ERR_CANCELLED, "and so does the other");
}

static void drain(void)
{
    static told_t jobs[JOBS];
    for (int i = 0; i < JOBS; i++)
        start(&jobs[i], 1, 0);
    check(looper->close(600000) == POOL_OK, "a close waits for all jobs, with time enough");
    for (int i = 0; i < JOBS; i++)
        check(jobs[i].done && jobs[i].status == POOL_OK, "each was done");
}

static void cut_off(void)
{
    told_t working[DEVICES], in_line;
    for (int i = 0; i < DEVICES; i++)
        start(&working[i], ENDLESS, 0);
    start(&in_line, 1, 0);
    check(looper->close(2) == POOL_ERR_TIMEOUT, "a close ends what does not end by itself");
    for (int i = 0; i < DEVICES; i++)
        check(working[i].done && working[i].status == POOL_ERR_CLOSED, "who had a device is told");
    check(in_line.done && in_line.status == POOL_ERR_CLOSED, "and so is who stood in line");
    check(looper->start(&in_line.job, 0) == POOL_ERR_INVALID && looper->close(1) == POOL_ERR_INVALID,
          "nothing goes on after a close");
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s EXTENSION [LIBRARY]\n", argv[0]);
        return 2;
    }
    extension_path = argv[1];
    library_path = argv[2];
    void *extension = load();
    lend();
    let_go();
    drain();
    unload(extension);
    extension = load(); /* the library is still there, and is found again */
    cut_off();
    be_refused_in_a_child();
    unload(extension);
    return 0;
}
