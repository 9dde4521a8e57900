/* Threads that call the library for the first time, all at once: how long the slowest waits for its answer.
 *
 *     first WHAT THREADS             prints {"ns": ...}
 *
 *     borrow         from one pool
 *     make           a pool each */
#include "../peers/bench.h"
#include <asyncpool/pool.h>

static pthread_barrier_t gate, done;
static pool_t *shared;

static bool make_resource(pool_t *p, void **out)
{
    (void)p;
    *out = NULL;
    return true;
}

static void *visit(void *took)
{
    void *r;
    pool_t *own = NULL;
    pthread_barrier_wait(&gate);
    int64_t begin = now_ns();
    if (shared ? pool_acquire(shared, &r, 0) != POOL_OK
               : !(own = pool_create_internal(make_resource, NULL, NULL, NULL, NULL, 0, 1, 0)))
        DIE("a first call failed");
    *(int64_t *)took = now_ns() - begin;
    pthread_barrier_wait(&done); /* nobody is served with what another one gives back */
    if (shared)
        pool_release(shared, r);
    pool_unref(own);
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[2]) : 0;
    if (n < 1)
        DIE("usage: %s borrow|make THREADS", argv[0]);
    if (!strcmp(argv[1], "borrow"))
        shared = pool_create_internal(make_resource, NULL, NULL, NULL, NULL, 0, (uint32_t)n, 0);
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    int64_t *took = calloc((size_t)n, sizeof *took), slowest = 0;
    if (!threads || !took)
        DIE("out of memory");
    pthread_barrier_init(&gate, NULL, (unsigned)n);
    pthread_barrier_init(&done, NULL, (unsigned)n);
    for (int i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, visit, &took[i]))
            DIE("cannot create a thread");
    for (int i = 0; i < n; i++) {
        pthread_join(threads[i], NULL);
        if (took[i] > slowest)
            slowest = took[i];
    }
    pool_unref(shared);
    printf("{\"ns\":%lld}\n", (long long)slowest);
    return 0;
}
