/* How long another thread waits at most while a loop moves very many deadlines on.
 *
 *     lock_timers OPS                prints {"ns": ...}
 *
 * OPS async ops wait, with deadlines that come at nearly one time two seconds from now; the wheel takes them from slot
 * to slot on the way there. Another thread begins an op every 50 µs, which takes the pool's lock and the reactor's, and
 * the longest of these calls is told. No deadline comes while it does. */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <poll.h>

enum { AHEAD_MS = 2000, SPREAD_MS = 60, MOST = 100000 };

static pool_t *pool;
static atomic_bool over;
static int64_t longest;

static bool make_resource(pool_t *p, void **out)
{
    (void)p;
    *out = NULL;
    return true;
}
static void acquired(pool_op_t *op, pool_status_t status, void *r, void *data)
{
    (void)op;
    (void)r;
    (void)data;
    if (!over)
        DIE("an op that should wait has ended: %s", pool_strerror(status));
}
static void *other(void *unused)
{
    (void)unused;
    static pool_op_t ops[MOST];
    for (int i = 0; i < MOST && !over; i++) {
        int64_t begin = now_ns();
        if (pool_acquire_async(pool, &ops[i], 3600000, acquired, NULL) != POOL_PENDING)
            DIE("an op did not wait");
        int64_t took = now_ns() - begin;
        if (took > longest)
            longest = took;
        usleep(50);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400000;
    pool_op_t *ops = calloc((size_t)n, sizeof *ops);
    pool = pool_create_internal(make_resource, NULL, NULL, NULL, NULL, 1, 1, 0);
    void *r;
    if (!pool || !ops || pool_acquire(pool, &r, 0))
        DIE("pool setup failed");
    struct pollfd watched = {.fd = pool_fd(pool), .events = POLLIN};
    int64_t end = now_ns() + AHEAD_MS * INT64_C(1000000);
    for (int i = 0; i < n; i++) {
        int64_t left_ms = (end - now_ns()) / 1000000 + 10 + i % SPREAD_MS;
        if (left_ms < 1 || pool_acquire_async(pool, &ops[i], left_ms, acquired, NULL) != POOL_PENDING)
            DIE("op %d did not wait", i);
    }
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int64_t left; (left = end - now_ns()) > 0;) {
        int64_t ms = pool_next_timeout(pool);
        poll(&watched, 1, ms < 0 || ms > left / 1000000 ? (int)(left / 1000000) : (int)ms);
        if (now_ns() < end)
            pool_dispatch(pool);
    }
    over = true;
    pthread_join(thread, NULL);
    printf("{\"ns\":%lld}\n", (long long)longest);
    fflush(stdout);
    _exit(0);
}
