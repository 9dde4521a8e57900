/*
 * A host that links the pool library and loads an extension that does not: it gives the
 * extension the table, and says how an object for a pool is made.
 *
 *     host EXTENSION
 */
#include "lender.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, PLACES = 2, JOBS = 2000 };

static const lender_t *lender;

static void check(bool good, const char *what)
{
    printf("%s %s\n", good ? "ok  " : "FAIL", what);
    if (!good)
        exit(1);
}

/* What the host's language makes of a pool: here a struct, elsewhere an object of its class. */
static struct host_object {
    pool_t *pool;
} the_object;

static void *make_object(pool_t *pool)
{
    the_object.pool = pool;
    return &the_object;
}

static void *work(void *arg)
{
    int jobs, *done = arg;
    for (int i = 0; i < JOBS; i++) {
        pool_status_t status = i % 2 ? lender->work(10000, &jobs) : lender->try_work(&jobs);
        if (status == POOL_EMPTY)
            status = lender->work(10000, &jobs);
        if (status == POOL_OK)
            ++*done;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s EXTENSION\n", argv[0]);
        return 2;
    }
    void *extension = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!extension) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    lender_entry_fn entry;
    *(void **)&entry = dlsym(extension, "lender_entry");
    check(entry != NULL, "the extension is loaded");
    lender = entry();

    int jobs;
    check(lender->open(PLACES) == POOL_ERR_UNAVAILABLE && lender->object() == NULL &&
              lender->work(1, &jobs) == POOL_ERR_UNAVAILABLE && lender->try_work(&jobs) == POOL_ERR_UNAVAILABLE &&
              lender->close() == POOL_ERR_UNAVAILABLE,
          "without the table it says that nothing is available");
    pool_api_t other = *pool_api(POOL_ABI_VERSION);
    other.abi_version++;
    check(!lender->init(&other), "it refuses the table of another version");

    check(lender->init(pool_api(POOL_ABI_VERSION)), "it takes the table");
    check(lender->open(0) == POOL_ERR_INVALID, "it hears why a pool is refused");
    check(lender->open(PLACES) == POOL_OK, "it opens a pool");
    check(lender->object() == NULL, "no object before the host says how");
    check(pool_register_wrapper(make_object) == POOL_OK && lender->object() == &the_object &&
              the_object.pool->wrapper == &the_object && the_object.pool->max_size == PLACES,
          "the host makes its object for the extension's pool");

    pthread_t threads[THREADS];
    int done[THREADS] = {0}, all = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, &done[i]) != 0)
            return 2;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += done[i];
    }
    printf("     %d threads did %d jobs with at most %d connections\n", THREADS, all, PLACES);
    check(all == THREADS * JOBS, "every job was done");
    check(lender->connections() <= PLACES, "never more connections than places");

    check(lender->close() == POOL_OK && lender->connections() == 0 && pool_debug_live() == 0, "nothing is left");
    return 0;
}
