/*
 * What the extension with an event loop offers to whoever loads it. It serves one thread: that of the caller, whose jobs
 * it does while this thread is in turn() or close().
 */
#ifndef LOOPER_H
#define LOOPER_H

#include <asyncpool/pool_api.h>

#include <sys/queue.h>

/* Something to be done by a device. The caller's memory, until it is told. */
typedef struct job {
    int ms;                                              /* how long it takes; 0: until it is cancelled */
    void (*done)(struct job *job, pool_status_t status); /* told once, in turn() or close(); it may start others */
    /* the extension's */
    pool_op_t op;
    struct device *device; /* that works on it; NULL: it stands in line */
    pool_status_t status;  /* what it will be told */
    LIST_ENTRY(job) others;
} job_t;

typedef struct looper {
    /* Loads the pool library, NULL: as the system finds it, and makes room for so many devices. */
    pool_status_t (*open)(const char *library, uint32_t devices);
    /* Why that failed, in words. */
    const char *(*why)(void);
    /* Has a job done as soon as a device is free, and waits for one for so long at most; 0: for ever. POOL_OK: it will be
     * told POOL_OK, POOL_ERR_TIMEOUT, POOL_ERR_CANCELLED or POOL_ERR_CLOSED. Otherwise it is not told. */
    pool_status_t (*start)(job_t *job, int64_t patience_ms);
    /* A job that was started and is not done shall end: in line, or in the midst of it. */
    void (*cancel)(job_t *job);
    /* Sleeps until something happens, and does it. false: there is no job. */
    bool (*turn)(void);
    /* Takes no more jobs and goes on until all are done; after so many milliseconds they are told POOL_ERR_CLOSED, and it
     * answers POOL_ERR_TIMEOUT. Then nothing of the extension runs any more, and it can be unloaded. Not in done(). */
    pool_status_t (*close)(int64_t within_ms);
    /* Devices that there are. */
    int (*devices)(void);
} looper_t;

typedef const looper_t *(*looper_entry_fn)(void);

/* The only name that the extension exports. */
const looper_t *looper_entry(void);

#endif
