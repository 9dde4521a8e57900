/* What a service meets that goes away under 64 threads on 8 places with patient creation, and comes back.
 *
 *     outage SECONDS       prints {"begun": creations begun meanwhile, "above": of these, more than the pauses allow,
 *                          "failed": acquires that failed, "back_ms": from its return to the first lend}
 *
 * Every caller would wait for 30 s longer than that. At the beginning all connections are dead: who has one notices, and
 * discards it. */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <stdbool.h>

enum { THREADS = 64, PLACES = 8, RETRY_MS = 50 };

static pool_t *pool;
static uintptr_t made = 0x10000;
static atomic_bool down, over;
static atomic_uintptr_t alive; /* what was made since the service came back is more */
static atomic_long begun, failed;
static atomic_llong first_ns; /* of the lends after its return */
static int64_t deadline_ms;

static bool make(pool_t *p, void **resource)
{
    (void)p;
    if (atomic_load(&down)) {
        atomic_fetch_add(&begun, 1);
        return false;
    }
    *resource = (void *)__atomic_add_fetch(&made, 64, __ATOMIC_SEQ_CST);
    return true;
}

static void *use(void *unused)
{
    while (!atomic_load(&over)) {
        void *resource;
        if (pool_acquire(pool, &resource, deadline_ms) != POOL_OK) {
            atomic_fetch_add(&failed, 1);
            continue;
        }
        bool dead = atomic_load(&down) || (uintptr_t)resource <= atomic_load(&alive);
        long long none = 0;
        if (!dead && atomic_load(&alive))
            atomic_compare_exchange_strong(&first_ns, &none, now_ns());
        usleep(1000);
        if (dead ? pool_discard(pool, resource) : pool_release(pool, resource))
            DIE("it was not lent");
    }
    return unused;
}

/* Creations that the pauses allow: those begun before the first failure, and one after each pause, a fifth short. */
static long allowed(double seconds)
{
    long n = PLACES;
    double pause = RETRY_MS * 1e-3;
    for (double at = 0; at <= seconds; pause = pause > 16 * RETRY_MS * 1e-3 ? 32 * RETRY_MS * 1e-3 : 2 * pause) {
        at += 0.8 * pause;
        n++;
    }
    return n;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        DIE("usage: %s SECONDS", argv[0]);
    double seconds = atof(argv[1]);
    deadline_ms = (int64_t)(seconds * 1000) + 30000;
    pool_config_t config = POOL_CONFIG_INIT;
    config.factory = make;
    config.min_size = config.max_size = PLACES;
    config.create_retry_ms = RETRY_MS;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        DIE("cannot make a pool");
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, use, NULL))
            DIE("no thread");
    usleep(200000);
    int64_t gone_ns = now_ns();
    atomic_store(&down, true);
    usleep((useconds_t)(seconds * 1e6));
    atomic_store(&alive, __atomic_load_n(&made, __ATOMIC_SEQ_CST));
    atomic_store(&down, false);
    int64_t back_ns = now_ns();
    while (!atomic_load(&first_ns) && !atomic_load(&failed))
        usleep(1000);
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    long most = allowed((double)(back_ns - gone_ns) * 1e-9), n = atomic_load(&begun);
    printf("{\"begun\":%ld,\"above\":%ld,\"failed\":%ld,\"back_ms\":%.1f}\n", n, n > most ? n - most : 0,
           atomic_load(&failed), (double)(atomic_load(&first_ns) - back_ns) * 1e-6);
    return 0;
}
