/* What the machine itself needs: no pool can be faster.
 *
 *     limits WHAT SECONDS            prints {"ns": ...}
 *
 *     mutex          pthread_mutex_lock() and unlock, nobody else about
 *     same_core      one thread wakes another with a futex, both on one core
 *     other_core     the same, each on a core of its own
 *     line           a cache line moves from one core to another, and is written there
 *     enter_go       the cheapest call of the library that always enters Go: pool_activate(), which also
 *                    takes the pool's lock and reads the clock */
#include "../peers/bench.h"
#include <asyncpool/pool.h>

static double timed(double seconds, void (*once)(void *), void *arg)
{
    for (int i = 0; i < 1000; i++)
        once(arg);
    int64_t begin = now_ns(), end = begin + (int64_t)(seconds * 1e9), now;
    uint64_t n = 0;
    do {
        for (int i = 0; i < 1000; i++)
            once(arg);
        n += 1000;
        now = now_ns();
    } while (now < end);
    return (double)(now - begin) / (double)n;
}

static void mutex_pair(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

static bool make_resource(pool_t *p, void **out)
{
    (void)p;
    *out = NULL;
    return true;
}
static void enter_go(void *pool)
{
    if (pool_activate(pool))
        DIE("pool_activate failed");
}

/* ---- hand-off: two threads take turns; turn says whose it is ---- */

static _Alignas(64) atomic_int turn;
static _Alignas(64) atomic_int stop; /* not on its line */
static uint64_t turns;
static int cpu[2];

static void *player(void *arg)
{
    int me = (int)(intptr_t)arg;
    pin_to(cpu[me]);
    while (!atomic_load(&stop)) {
        while (atomic_load(&turn) != me && !atomic_load(&stop))
            futex_wait(&turn, !me);
        if (me == 0)
            turns += 2; /* there and back */
        atomic_store(&turn, !me);
        futex_wake(&turn, 1);
    }
    return NULL;
}

/* The same without sleeping: each looks until it is its turn. */
static void *watcher(void *arg)
{
    int me = (int)(intptr_t)arg;
    pin_to(cpu[me]);
    while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != me)
            if (atomic_load_explicit(&stop, memory_order_relaxed))
                return NULL;
        if (me == 0)
            turns += 2;
        atomic_store_explicit(&turn, !me, memory_order_release);
    }
    return NULL;
}

static double hand_off(double seconds, bool other_core, void *(*body)(void *))
{
    cpu_set_t allowed;
    int n = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        DIE("no affinity");
    for (int i = 0; i < CPU_SETSIZE && n < 2; i++)
        if (CPU_ISSET(i, &allowed))
            cpu[n++] = i;
    if (other_core && n < 2)
        exit(77); /* cannot be measured here */
    if (!other_core)
        cpu[1] = cpu[0];
    pthread_t threads[2];
    int64_t begin = now_ns();
    for (intptr_t i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, body, (void *)i))
            DIE("cannot create a thread");
    usleep((useconds_t)(seconds * 1e6));
    atomic_store(&stop, 1);
    int64_t end = now_ns();
    for (int i = 0; i < 2; i++) { /* whoever sleeps must see it */
        atomic_store(&turn, i);
        futex_wake(&turn, 2);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return (double)(end - begin) / (double)turns;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        DIE("usage: %s mutex|same_core|other_core|line|enter_go SECONDS", argv[0]);
    double seconds = atof(argv[2]), ns;
    if (!strcmp(argv[1], "mutex")) {
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        ns = timed(seconds, mutex_pair, &mutex);
    } else if (!strcmp(argv[1], "enter_go")) {
        pool_t *pool = pool_create_internal(make_resource, NULL, NULL, NULL, NULL, 0, 1, 0);
        if (!pool)
            DIE("pool setup failed");
        ns = timed(seconds, enter_go, pool);
        pool_unref(pool);
    } else if (!strcmp(argv[1], "same_core") || !strcmp(argv[1], "other_core")) {
        ns = hand_off(seconds, argv[1][0] == 'o', player);
    } else if (!strcmp(argv[1], "line")) {
        ns = hand_off(seconds, true, watcher);
    } else {
        DIE("%s: what is that?", argv[1]);
    }
    printf("{\"ns\":%.2f}\n", ns);
    return 0;
}
