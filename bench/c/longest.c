/* How long a thread waits at most for what another does under the lock, while the pool grows large.
 *
 *     longest WHAT SIZE      prints {"ns": ...}
 *
 *     nothing  one thread lends and takes back, SIZE times
 *     grow     one thread makes resources, from half of SIZE to SIZE of them
 *     shrink   one thread has them destroyed, down to half of SIZE again
 *     evict    one thread evicts SIZE idle resources
 *     turn     one thread moves the breaker, with SIZE resources lent
 *     dismiss  one thread opens the breaker, with SIZE ops of a loop in line
 *
 * Another thread acquires and releases meanwhile; the longest of its cycles counts, but for those in which it was
 * taken off its processor itself. From a cycle's time is taken what the first thread waited for a processor meanwhile,
 * as the kernel counts it: it may have had the lock then. Where the kernel does not count, that stays in.
 */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>

static pool_t *pool;
static _Atomic uintptr_t made = 0x10000;
static atomic_bool over;
static atomic_bool destroys;
static int64_t longest;

static bool make_resource(pool_t *p, void **out)
{
    (void)p;
    *out = (void *)atomic_fetch_add(&made, 64);
    return true;
}

static bool keep(pool_t *p, void *resource)
{
    (void)p, (void)resource;
    return !atomic_load_explicit(&destroys, memory_order_relaxed);
}

static long preempted(void)
{
    struct rusage u;
    getrusage(RUSAGE_THREAD, &u);
    return u.ru_nivcsw;
}

/* How long the main thread has waited for a processor until now; 0: the kernel does not say. */
static int64_t waited_ns(int schedstat)
{
    char text[64];
    ssize_t length = schedstat < 0 ? -1 : pread(schedstat, text, sizeof text - 1, 0);
    long long ns = 0;
    text[length < 0 ? 0 : length] = '\0';
    return sscanf(text, "%*s %lld", &ns) == 1 ? ns : 0;
}

static void *cycle(void *unused)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", (int)getpid());
    int schedstat = open(path, O_RDONLY | O_CLOEXEC);
    long before = preempted();
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        void *r;
        int64_t waited = waited_ns(schedstat), begin = now_ns();
        if (pool_try_acquire(pool, &r) == POOL_OK && pool_release(pool, r) != POOL_OK)
            DIE("release failed");
        int64_t took = now_ns() - begin - (waited_ns(schedstat) - waited);
        if (took <= longest)
            continue;
        long now = preempted();
        if (now == before)
            longest = took;
        before = now;
    }
    return unused;
}

static void told(pool_op_t *op, pool_status_t status, void *resource, void *left)
{
    (void)op, (void)resource;
    if (status != POOL_ERR_UNAVAILABLE)
        DIE("not sent away");
    --*(uint32_t *)left;
}

static void dismiss(uint32_t size)
{
    pool_op_t *ops = malloc(size * sizeof *ops);
    if (!ops)
        DIE("no memory");
    for (int i = 0; i < 2; i++) {
        uint32_t left = size;
        for (uint32_t n = 0; n < size; n++)
            if (pool_acquire_async(pool, &ops[n], 1000000, told, &left) != POOL_PENDING)
                DIE("not in line");
        if (pool_deactivate(pool))
            DIE("no opening");
        while (left > 0)
            if (pool_dispatch(pool))
                DIE("dispatch failed");
        if (pool_activate(pool))
            DIE("no turn");
    }
    free(ops);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        DIE("usage: longest nothing|grow|shrink|evict|turn|dismiss SIZE");
    bool grows = !strcmp(argv[1], "grow"), shrinks = !strcmp(argv[1], "shrink");
    bool dismisses = !strcmp(argv[1], "dismiss"), nothing = !strcmp(argv[1], "nothing");
    uint32_t size = (uint32_t)atol(argv[2]);
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make_resource;
    config.before_release = shrinks ? keep : NULL;
    config.max_size = dismisses ? 1 : size + 1;
    if (pool_create_ex(&config, &pool))
        DIE("pool setup failed");
    void **lent = malloc(size * sizeof *lent);
    if (!lent)
        DIE("no memory");
    uint32_t first = dismisses || nothing ? 1 : grows ? size / 2 : size;
    for (uint32_t i = 0; i < first; i++)
        if (pool_acquire(pool, &lent[i], 0))
            DIE("acquire failed");
    atomic_store(&destroys, shrinks);
    bool evicts = !strcmp(argv[1], "evict");
    for (uint32_t i = 0; evicts && i < size; i++)
        if (pool_release(pool, lent[i]))
            DIE("release failed");
    pthread_t thread;
    if (pthread_create(&thread, NULL, cycle, NULL))
        DIE("no thread");
    if (grows) {
        for (uint32_t i = first; i < size; i++)
            if (pool_acquire(pool, &lent[i], 0))
                DIE("acquire failed");
    } else if (shrinks) {
        for (uint32_t i = size / 2; i < size; i++)
            if (pool_release(pool, lent[i]))
                DIE("release failed");
    } else if (nothing) {
        for (uint32_t i = 0; i < size; i++)
            if (pool_release(pool, lent[0]) || pool_acquire(pool, &lent[0], 0))
                DIE("no cycle");
    } else if (evicts) {
        if (pool_evict(pool))
            DIE("no evict");
    } else if (dismisses) {
        dismiss(size);
    } else if (!strcmp(argv[1], "turn")) {
        for (int i = 0; i < 1000; i++)
            if (pool_deactivate(pool) || pool_recover(pool) || pool_activate(pool))
                DIE("no turn");
    } else {
        DIE("longest knows no %s", argv[1]);
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
    printf("{\"ns\": %lld}\n", (long long)longest);
    fflush(stdout);
    _Exit(0);
}
