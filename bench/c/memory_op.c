/* What an async op that waits costs in memory: its own size, which is the caller's, and what the library
 * takes besides on the heap.
 *
 *     memory_op                      prints {"bytes": ..., "heap": ...} */
#include "../peers/bench.h"
#include <asyncpool/pool.h>
#include <malloc.h>

enum { OPS = 100000 };

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
    DIE("an op that should wait has ended: %s", pool_strerror(status));
}
static double heap(void)
{
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

int main(void)
{
    pool_t *pool = pool_create_internal(make_resource, NULL, NULL, NULL, NULL, 1, 1, 0);
    pool_op_t *ops = calloc(OPS, sizeof *ops), one;
    void *r;
    if (!pool || !ops || pool_acquire(pool, &r, 0))
        DIE("pool setup failed");
    /* The pool's loop is made with the first. */
    if (pool_acquire_async(pool, &one, 0, acquired, NULL) != POOL_PENDING)
        DIE("the first op did not wait");
    double before = heap();
    for (int i = 0; i < OPS; i++) /* with a deadline, as a caller would */
        if (pool_acquire_async(pool, &ops[i], 3600000 + i, acquired, NULL) != POOL_PENDING)
            DIE("op %d did not wait", i);
    double more = (heap() - before) / OPS;
    if (pool_waiting_count(pool) != OPS + 1)
        DIE("%u ops wait", pool_waiting_count(pool));
    printf("{\"bytes\":%.1f,\"heap\":%.1f}\n", (double)sizeof *ops + more, more);
    return 0;
}
