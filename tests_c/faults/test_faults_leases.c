/*
 * Faults while resources are borrowed by lease: whoever gets none has no memory for its id, or for what everybody needs
 * some for, and its place is free for the next. What gives back never fails. Each case shows P12.
 */
#include "fault.h"

enum { MAX = 20 };

static void none(const pool_lease_t *lease)
{
    CHECK_PTR(lease->resource, NULL);
    CHECK_INT(lease->id, 0);
}

static void stale(pool_t *pool, const pool_lease_t *lease)
{
    CHECK_STATUS(pool_release_lease(pool, lease), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_discard_lease(pool, lease), POOL_ERR_NOT_OWNED);
    CHECK_STATUS(pool_detach_lease(pool, lease), POOL_ERR_NOT_OWNED);
}

static int borrow(pool_t *pool, pool_lease_t *leases)
{
    int n = 0;
    for (int i = 0; i < MAX; i++) {
        pool_lease_t *lease = &leases[n];
        *lease = (pool_lease_t){lease, 1};
        if (FAULT_EXPLAINS(pool_acquire_lease(pool, lease, 0)) == POOL_OK) {
            CHECK_INT(atomic_exchange(&((fx_resource *)lease->resource)->owned, 1), 0);
            n++;
        } else {
            none(lease);
        }
    }
    return n;
}

static void give(pool_t *pool, const pool_lease_t *lease, int way)
{
    fx_resource *r = lease->resource;
    atomic_store(&r->owned, 0);
    switch (way) {
    case 0:
        CHECK_STATUS(pool_discard_lease(pool, lease), POOL_OK);
        break;
    case 1:
        CHECK_STATUS(pool_detach_lease(pool, lease), POOL_OK);
        fx.destroyed++;
        free(r);
        break;
    case 2:
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
        break;
    default:
        CHECK_STATUS(pool_release_lease(pool, lease), POOL_OK);
    }
    stale(pool, lease);
}

static void story(const void *what)
{
    pool_lease_t leases[MAX];
    pool_t *pool = fx_try_pool(what ? FX_WITH_ALL : 0, 2, MAX);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    for (int round = 0; round < 3; round++) {
        int n = borrow(pool, leases);
        if (n == MAX) {
            pool_lease_t lease;
            CHECK_STATUS(pool_try_acquire_lease(pool, &lease), POOL_EMPTY);
            none(&lease);
        }
        for (int i = 0; i < n; i++)
            give(pool, &leases[i], i % 5);
    }
    fault_off();
    fault_check_rest(pool);
    pool_unref(pool);
}

TEST(without_hooks)
{
    fault_hooks();
    fault_loop("leases", story, NULL);
    fault_report();
}

TEST(with_hooks)
{
    fault_hooks();
    fault_loop("leases, hooks", story, &fx);
    fault_report();
}

/* Ids of a second page, and of a third one, are wanted. */
static void in_pages(const void *unused)
{
    enum { MANY = 9000, EACH = 1000 };
    static fx_resource *got[MANY];
    (void)unused;
    int n = 0;
    pool_t *pool = fx_try_pool(0, 0, MANY);
    if (!pool) {
        FAULT_EXPLAINS(pool_last_error(NULL, NULL, 0));
        return;
    }
    for (int i = 0; i < MANY; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, 0, &status);
        if (FAULT_EXPLAINS(status) == POOL_OK)
            got[n++] = r;
    }
    for (int i = n - 1; i >= 0; i -= EACH) {
        pool_lease_t lease;
        fx_give(pool, got[i]);
        if (FAULT_EXPLAINS(pool_acquire_lease(pool, &lease, 0)) == POOL_OK) {
            CHECK_PTR(lease.resource, got[i]);
            CHECK_STATUS(pool_release_lease(pool, &lease), POOL_OK);
            stale(pool, &lease);
        } else {
            none(&lease);
        }
        got[i] = fx_take(pool);
    }
    for (int i = 0; i < n; i++)
        fx_give(pool, got[i]);
    CHECK_COUNTS(pool, (uint32_t)n, 0, 0);
    pool_unref(pool);
}

TEST(in_pages)
{
    fault_loop("leases in pages", in_pages, NULL);
    fault_report();
}
