/* What the controls of a pool's owner cost.
 *
 *     owners cycle WITH SECONDS    acquire and release by one thread: prints {"ns": ...}
 *     owners idle WITH             an idle resource: prints {"bytes": ...}, of resident memory
 *
 * WITH is what the pool has: nothing, ages (a lifetime with jitter, a number of uses and an idle timeout, all far away),
 * lifo (the same, and what came back last is lent first), all (the same, timed, and each was lent by lease). Statistics are
 * always on. */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <stdbool.h>

enum { PLACES = 64, RESOURCES = 100000, FAR_MS = 3600000 };

static uintptr_t made = 0x10000;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = (void *)(made += 64);
    return true;
}

static pool_t *make_pool(const char *with, uint32_t size)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.min_size = config.max_size = size;
    if (strcmp(with, "nothing")) {
        config.max_lifetime_ms = config.idle_timeout_ms = FAR_MS;
        config.lifetime_jitter_ms = FAR_MS / 10;
        config.max_uses = UINT32_MAX;
        config.healthcheck_interval_ms = FAR_MS;
        if (strcmp(with, "ages"))
            config.flags |= POOL_F_LIFO;
        if (!strcmp(with, "all"))
            config.flags |= POOL_F_TIMED;
    }
    pool_t *pool;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        DIE("cannot make a pool");
    return pool;
}

static double cycle(pool_t *pool, double seconds)
{
    int64_t begin = now_ns(), end = begin + (int64_t)(seconds * 1e9), now;
    uint64_t n = 0;
    do {
        for (int i = 0; i < 1000; i++) {
            void *resource;
            if (pool_acquire(pool, &resource, 0) || pool_release(pool, resource))
                DIE("a cycle failed");
        }
        n += 1000;
        now = now_ns();
    } while (now < end);
    return (double)(now - begin) / (double)n;
}

static pool_lease_t leases[RESOURCES];

static void lend_all(pool_t *pool)
{
    for (int i = 0; i < RESOURCES; i++)
        if (pool_acquire_lease(pool, &leases[i], 0))
            DIE("nothing is idle");
    for (int i = 0; i < RESOURCES; i++)
        if (pool_release_lease(pool, &leases[i]))
            DIE("it was not lent");
}

static double idle(const char *with)
{
    pool_unref(make_pool(with, 1));      /* what a process needs once is not of interest */
    memset(leases, 0xff, sizeof leases); /* nor are these */
    long before = proc_status_kb("VmRSS");
    pool_t *pool = make_pool(with, RESOURCES);
    if (!strcmp(with, "all"))
        lend_all(pool);
    return (double)(proc_status_kb("VmRSS") - before) * 1024 / RESOURCES;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "cycle"))
        printf("{\"ns\":%.2f}\n", cycle(make_pool(argv[2], PLACES), atof(argv[3])));
    else if (argc == 3 && !strcmp(argv[1], "idle"))
        printf("{\"bytes\":%.1f}\n", idle(argv[2]));
    else
        DIE("usage: %s cycle WITH SECONDS | idle WITH", argv[0]);
    return 0;
}
