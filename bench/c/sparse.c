/* What does a cycle cost a program that makes one now and then?
 *
 *     sparse WITH PAUSE_US SECONDS    prints {"ns": inside the two calls, "cpu_ns": processor time of the whole process,
 *                                     "switches": its voluntary context switches} a cycle
 *     sparse quiet SECONDS            prints {"switches": ...} a minute, while one resource is lent and nothing is done
 *
 * WITH is what the pool has: nothing, acquire, release, hooks (both), everything (both, an observer and the built-in
 * strategy). In a loop a call into Go is quick; here the Go runtime has gone to sleep in between, and wakes up. */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <sys/resource.h>

static bool make(pool_t *pool, void **resource) { return *resource = pool, true; }
static bool fine(pool_t *pool, void *resource) { return pool && resource; }

static long heard;
static void hear(pool_event_t *event, pool_event_callback_t *self, pool_event_kind_t kind)
{
    (void)event, (void)self, (void)kind;
    heard++;
}
static void dispose(pool_event_callback_t *self) { (void)self; }
static pool_event_callback_t observer = {.callback = hear, .dispose = dispose};

static pool_t *make_pool(const char *with, uint32_t interval_ms)
{
    bool everything = !strcmp(with, "everything"), hooks = everything || !strcmp(with, "hooks");
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    if (hooks || !strcmp(with, "acquire"))
        config.before_acquire = fine;
    if (hooks || !strcmp(with, "release"))
        config.before_release = fine;
    if (interval_ms)
        config.healthcheck = fine;
    config.healthcheck_interval_ms = interval_ms;
    config.max_size = 8;
    pool_t *pool;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        DIE("cannot make a pool");
    if (everything && (pool->event.add_callback(&pool->event, &observer) != POOL_OK ||
                       pool_strategy_threshold(pool, 3, 1000, 1) != POOL_OK))
        DIE("cannot set it up");
    return pool;
}

static void cycle(pool_t *pool)
{
    void *resource;
    if (pool_acquire(pool, &resource, 0) != POOL_OK || pool_release(pool, resource) != POOL_OK)
        DIE("a cycle failed");
}

static struct rusage used(void)
{
    struct rusage u;
    if (getrusage(RUSAGE_SELF, &u))
        DIE("no usage");
    return u;
}

static double cpu_ns(const struct rusage *from, const struct rusage *to)
{
    int64_t s = to->ru_utime.tv_sec - from->ru_utime.tv_sec + to->ru_stime.tv_sec - from->ru_stime.tv_sec;
    int64_t us = to->ru_utime.tv_usec - from->ru_utime.tv_usec + to->ru_stime.tv_usec - from->ru_stime.tv_usec;
    return (double)s * 1e9 + (double)us * 1e3;
}

static int quiet(double seconds)
{
    pool_t *pool = make_pool("hooks", 30000);
    cycle(pool);
    void *resource;
    if (pool_acquire(pool, &resource, 0) != POOL_OK)
        DIE("an acquire failed");
    usleep(500000); /* what the beginning has set off comes to its end */
    struct rusage from = used();
    usleep((useconds_t)(seconds * 1e6));
    struct rusage to = used();
    long switches = to.ru_nvcsw - from.ru_nvcsw - 1; /* this thread's own sleep */
    printf("{\"switches\":%.2f}\n", (double)switches * 60 / seconds);
    pool_release(pool, resource);
    pool_unref(pool);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "quiet"))
        return quiet(atof(argv[2]));
    if (argc != 4)
        DIE("usage: %s WITH PAUSE_US SECONDS | quiet SECONDS", argv[0]);
    pool_t *pool = make_pool(argv[1], 0);
    useconds_t pause = (useconds_t)atoi(argv[2]);
    int64_t end = now_ns() + (int64_t)(atof(argv[3]) * 1e9), inside = 0;
    long cycles = 0;
    for (int i = 0; i < 10; i++, usleep(pause))
        cycle(pool);
    struct rusage from = used();
    for (; now_ns() < end; cycles++) {
        int64_t begin = now_ns();
        cycle(pool);
        inside += now_ns() - begin;
        usleep(pause);
    }
    struct rusage to = used();
    printf("{\"ns\":%.1f,\"cpu_ns\":%.1f,\"switches\":%.3f,\"cycles\":%ld}\n", (double)inside / (double)cycles,
           cpu_ns(&from, &to) / (double)cycles, (double)(to.ru_nvcsw - from.ru_nvcsw) / (double)cycles, cycles);
    pool_unref(pool);
    return 0;
}
