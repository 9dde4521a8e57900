/*
 * What the extension offers to whoever loads it: one function, which hands out the others. The host
 * knows this file and nothing else of the extension.
 */
#ifndef LENDER_H
#define LENDER_H

#include <asyncpool/pool_api.h>

typedef struct lender {
    /* Says where the pool library is. One of the two, before anything else:
     * the table, from a host that links the library; false if it is of another version; */
    bool (*init)(const pool_api_t *api);
    /* or the library's path, to be opened at the first open(): for a host that forks. */
    void (*init_lazily)(const char *library);

    /* Opens a pool of connections. */
    pool_status_t (*open)(uint32_t places);
    /* Borrows a connection, waiting for one at most so long, does a job with it and gives it back.
     * jobs: how many this connection has done by now. */
    pool_status_t (*work)(int64_t timeout_ms, int *jobs);
    /* The same without waiting: POOL_EMPTY if all connections are lent. */
    pool_status_t (*try_work)(int *jobs);
    /* The host's object for the pool, or NULL if it makes none. */
    void *(*object)(void);
    /* Closes the pool and gives it up. */
    pool_status_t (*close)(void);
    /* Connections that are open now. */
    int (*connections)(void);
} lender_t;

typedef const lender_t *(*lender_entry_fn)(void);

/* The only name that the extension exports. */
const lender_t *lender_entry(void);

#endif
