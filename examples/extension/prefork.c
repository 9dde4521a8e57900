/*
 * A server that loads its extensions and then forks its workers, as many do. It does not link
 * the pool library, and nobody loads it before the fork: each worker does, at its first use.
 *
 *     prefork EXTENSION [LIBRARY]
 *
 * LIBRARY is where libasyncpool.so is; otherwise the environment variable ASYNCPOOL_LIBRARY says
 * so, otherwise it is found as the system finds libraries.
 */
#include "lender.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, THREADS = 4, PLACES = 2, JOBS = 500 };

static const lender_t *lender;

static void *work(void *arg)
{
    int jobs, *done = arg;
    for (int i = 0; i < JOBS; i++)
        if (lender->work(10000, &jobs) == POOL_OK)
            ++*done;
    return NULL;
}

/* What a worker does with the pool. True if all went well. */
static bool serve(void)
{
    pthread_t threads[THREADS];
    int done[THREADS] = {0}, all = 0;
    pool_status_t status = lender->open(PLACES); /* starts the library */
    if (status != POOL_OK) {
        const char *why = dlerror();
        fprintf(stderr, "worker %d: status %d: %s\n", (int)getpid(), status, why ? why : "");
        return false;
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, &done[i]) != 0)
            return false;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += done[i];
    }
    bool closed = lender->close() == POOL_OK && lender->connections() == 0;
    printf("process %d: %d jobs done, %s\n", (int)getpid(), all, closed ? "closed" : "NOT CLOSED");
    fflush(stdout);
    return closed && all == THREADS * JOBS;
}

static int count_threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));)
        count += entry->d_name[0] != '.';
    if (tasks)
        closedir(tasks);
    return count;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: %s EXTENSION [LIBRARY]\n", argv[0]);
        return 2;
    }
    int threads_before = count_threads();
    void *extension = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!extension) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    lender_entry_fn entry;
    *(void **)&entry = dlsym(extension, "lender_entry");
    if (!entry)
        return 2;
    lender = entry();
    lender->init_lazily(argc == 3 ? argv[2] : getenv("ASYNCPOOL_LIBRARY"));
    if (count_threads() != threads_before) {
        fprintf(stderr, "loading the extension started threads\n");
        return 1;
    }

    pid_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        if (workers[i] < 0)
            return 2;
        if (workers[i] == 0)
            exit(serve() ? 0 : 1);
    }
    bool good = serve(); /* the master may, now that all workers are there */
    for (int i = 0; i < WORKERS; i++) {
        int status;
        if (waitpid(workers[i], &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            fprintf(stderr, "worker %d ended with status %#x\n", (int)workers[i], status);
            good = false;
        }
    }
    printf("%s\n", good ? "all workers did their jobs" : "FAILED");
    return good ? 0 : 1;
}
