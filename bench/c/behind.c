/* What a caller waits for where a resource comes back while the factory blocks: 64 callers, 8 places, one resource that is
 * lent and given back after a tenth of a factory's second.
 *
 *     behind WHO        WHO makes what is missing: behind or callers; prints {"late_ms": from its return until the caller
 *                   that came first is lent something}
 */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <stdbool.h>

enum { THREADS = 64, PLACES = 8, FACTORY_US = 1000000 };

static atomic_uintptr_t made = 0x10000;
static atomic_int making;     /* factories at work */
static atomic_llong first_ns; /* when the caller that came first was lent something */

static bool make(pool_t *p, void **resource)
{
    (void)p;
    uintptr_t word = atomic_fetch_add(&made, 64);
    atomic_fetch_add(&making, 1);
    if (word > 0x10000)
        usleep(FACTORY_US);
    *resource = (void *)word;
    return true;
}

static void *use(void *pool)
{
    void *resource;
    if (pool_acquire(pool, &resource, 0) != POOL_OK)
        DIE("not served");
    int64_t now = now_ns();
    if (pool_release(pool, resource))
        DIE("it was not lent");
    return (void *)now;
}

static void *come_first(void *pool)
{
    atomic_store(&first_ns, (int64_t)use(pool));
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc != 2 || (strcmp(argv[1], "behind") && strcmp(argv[1], "callers")))
        DIE("usage: %s behind|callers", argv[0]);
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    void *first;
    config.factory = make;
    config.min_size = 1;
    config.max_size = PLACES;
    config.flags = strcmp(argv[1], "behind") ? 0 : POOL_F_CREATE_BEHIND;
    if (pool_create_ex(&config, &pool) || pool_acquire(pool, &first, 0))
        DIE("cannot make a pool");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, i ? use : come_first, pool))
            DIE("no thread");
        else
            while (i == 0 && atomic_load(&making) < 2) /* the first resource, and this one's */
                sched_yield();
    usleep(FACTORY_US / 10);
    int64_t back_ns = now_ns();
    if (pool_release(pool, first))
        DIE("it was not lent");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("{\"late_ms\":%.3f}\n", (double)(atomic_load(&first_ns) - back_ns) * 1e-6);
    return 0;
}
