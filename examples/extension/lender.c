/*
 * The extension. It is built with the headers alone and does not link the pool library: it lends
 * through the macros of asyncpool/pool_api.h, which call the table that this file registers.
 */
#include "lender.h"

#include "connection.h"

#include <stdio.h>

static pool_t *pool;
static const char *library_path;
static bool lazy;

static bool init(const pool_api_t *api) { return pool_api_register(api); }

static void init_lazily(const char *library)
{
    library_path = library;
    lazy = true;
}

static pool_status_t open_pool(uint32_t places)
{
    /* The library starts threads when it is loaded, and those do not survive a fork. So not before
     * the first use, which is in the worker. */
    if (lazy) {
        pool_status_t status = pool_api_load(library_path);
        if (status != POOL_OK) {
            fprintf(stderr, "lender: %s\n", pool_api_error());
            return status;
        }
    }
    pool = connection_pool(places);
    return pool ? POOL_OK : pool_api_last_error(NULL, NULL, 0);
}

static pool_status_t use(connection_t *connection, int *jobs)
{
    *jobs = ++connection->jobs;
    return POOL_RELEASE(pool, connection);
}

static pool_status_t work(int64_t timeout_ms, int *jobs)
{
    void *connection;
    pool_status_t status = POOL_ACQUIRE(pool, &connection, timeout_ms);
    return status == POOL_OK ? use(connection, jobs) : status;
}

static pool_status_t try_work(int *jobs)
{
    void *connection;
    pool_status_t status = POOL_TRY_ACQUIRE(pool, &connection);
    return status == POOL_OK ? use(connection, jobs) : status;
}

static void *object(void) { return POOL_NEW_OBJ(pool); }

static pool_status_t close_pool(void)
{
    pool_status_t status = POOL_CLOSE(pool);
    POOL_UNREF(pool);
    pool = NULL;
    return status;
}

__attribute__((visibility("default"))) const lender_t *lender_entry(void)
{
    static const lender_t lender = {init, init_lazily, open_pool, work, try_work, object, close_pool, connection_count};
    return &lender;
}
