/*
 * A fork inside code of the host that the library has called, while other threads use the same pool. The child
 * inherits locks that threads hold which it does not have, and memory that they were changing: it must come back
 * from the call all the same, run nothing of the host's, and be answered FORKED. The parent goes on.
 *
 *     split_begin(pool);
 *     while (split_again()) {
 *         a hook calls split()
 *         split_end_child(status of the call that it was in);
 *     }
 *     split_finish();
 */
#ifndef ASYNCPOOL_SPLIT_H
#define ASYNCPOOL_SPLIT_H

#include "forked.h"

enum { RIVALS = 3, FORKS = 12 };

static struct {
    pool_t *pool;
    pthread_t rivals[RIVALS];
    pthread_t forker; /* whose hooks fork */
    atomic_bool stop, child;
    atomic_int forks;
} splitting;

/* Keeps the locks of the pool and of its reactor busy. */
static inline void *split_rival(void *pool)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    while (!atomic_load(&splitting.stop)) {
        CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
        CHECK(pool_fd(pool) >= 0);
    }
    return NULL;
}

static inline void split_begin(pool_t *pool)
{
    CHECK(pool != NULL);
    fx.quiet = true;
    forked_prepare(1);
    splitting.pool = pool;
    splitting.forker = pthread_self();
    for (int i = 0; i < RIVALS; i++)
        splitting.rivals[i] = check_thread(split_rival, pool);
}

/* Drops the pool's reference. */
static inline void split_finish(void)
{
    CHECK(splitting.forks >= 1);
    splitting.stop = true;
    for (int i = 0; i < RIVALS; i++)
        check_join(splitting.rivals[i]);
    memset(fx.script, 0, sizeof fx.script);
    pool_unref(splitting.pool);
    forked_finish();
}

static inline bool split_again(void) { return splitting.forks < FORKS && (splitting.forks == 0 || check_time_left()); }

/* What a hook does: the parent waits for the child, which uses the library and comes back from the hook. */
static inline void split(void)
{
    if (splitting.child)
        check_fail(__FILE__, __LINE__, "something of the host ran in the child");
    if (!pthread_equal(pthread_self(), splitting.forker))
        return;
    fflush(stdout);
    pid_t pid = fork();
    if (pid != 0) {
        splitting.forks++;
        forked_wait(pid);
        return;
    }
    alarm(CHECK_WATCHDOG_S / 2);
    splitting.child = true;
    forked_call_everything();
}

static inline bool split_in_hook(pool_t *pool, fx_resource *r, int call)
{
    (void)pool, (void)r, (void)call;
    split();
    return true;
}

/* The call in which it was forked has come back in the child. */
static inline void split_end_child(pool_status_t status)
{
    if (!splitting.child)
        return;
    CHECK_STATUS(status, POOL_ERR_FORKED);
    quick_exit(42);
}

/* The same for one that was done when it called the host: it may say so. */
static inline void split_end_child_late(pool_status_t status)
{
    split_end_child(status == POOL_OK ? POOL_ERR_FORKED : status);
}

#endif
