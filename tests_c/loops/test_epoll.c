/* The watch of asyncpool/epoll.h. */
#include "fixture.h"

#include <asyncpool/epoll.h>

#include <unistd.h>

typedef struct told {
    int calls;
    pool_status_t status;
    void *resource;
} told;

static void tell(pool_op_t *op, pool_status_t status, void *resource, void *data)
{
    told *t = data;
    (void)op;
    t->calls++;
    t->status = status;
    t->resource = resource;
}

/* One turn of a loop with nothing else to do; true: a descriptor was readable, with this number. */
static bool turn(int set, const pool_epoll_t *watch, uint64_t number)
{
    struct epoll_event event;
    int n = epoll_wait(set, &event, 1, pool_epoll_timeout(watch, -1));
    CHECK_STATUS(pool_epoll_dispatch(watch), POOL_OK);
    CHECK(n < 1 || event.data.u64 == number);
    return n == 1;
}

TEST(the_descriptor_wakes_the_loop_and_dispatch_tells)
{
    int set = epoll_create1(0);
    pool_t *pool = fx_pool(0, 0, 1);
    pool_epoll_t watch;
    pool_op_t op;
    told t = {0};
    CHECK_INT(pool_epoll_add(&watch, set, pool, (epoll_data_t){.u64 = 7}), 0);
    CHECK_STATUS(pool_acquire_async(pool, &op, 0, tell, &t), POOL_PENDING);
    CHECK(turn(set, &watch, 7));
    CHECK_INT(t.calls, 1);
    CHECK_STATUS(t.status, POOL_OK);
    CHECK_STATUS(pool_release(pool, t.resource), POOL_OK);
    pool_epoll_remove(&watch);
    close(set);
    fx_finish(pool);
}

TEST(a_deadline_ends_the_sleep_of_the_loop)
{
    int set = epoll_create1(0);
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_epoll_t watch;
    pool_op_t op;
    told t = {0};
    CHECK_INT(pool_epoll_add(&watch, set, pool, (epoll_data_t){.u64 = 0}), 0);
    CHECK_STATUS(pool_acquire_async(pool, &op, 20, tell, &t), POOL_PENDING);
    WAIT_FOR((turn(set, &watch, 0), t.calls > 0));
    CHECK_INT(t.calls, 1);
    CHECK_STATUS(t.status, POOL_ERR_TIMEOUT);
    pool_epoll_remove(&watch);
    close(set);
    fx_give(pool, r);
    fx_finish(pool);
}

TEST(the_timeout_is_the_smaller_of_the_two)
{
    int set = epoll_create1(0);
    pool_t *pool = fx_pool(0, 0, 1);
    fx_resource *r = fx_take(pool);
    pool_epoll_t watch;
    pool_op_t op;
    told t = {0};
    CHECK_INT(pool_epoll_add(&watch, set, pool, (epoll_data_t){.u64 = 0}), 0);
    CHECK_INT(pool_epoll_timeout(&watch, -1), -1);
    CHECK_INT(pool_epoll_timeout(&watch, 0), 0);
    CHECK_INT(pool_epoll_timeout(&watch, 1000), 1000);
    CHECK_STATUS(pool_acquire_async(pool, &op, 60000, tell, &t), POOL_PENDING);
    CHECK(pool_epoll_timeout(&watch, -1) > 30000 && pool_epoll_timeout(&watch, -1) <= 60001);
    CHECK_INT(pool_epoll_timeout(&watch, 1000), 1000);
    CHECK(pool_epoll_timeout(&watch, 600000) <= 60001);
    fx_give(pool, r);
    CHECK_INT(pool_epoll_timeout(&watch, 1000), 0);
    WAIT_FOR((turn(set, &watch, 0), t.calls > 0));
    CHECK_STATUS(pool_release(pool, t.resource), POOL_OK);
    pool_epoll_remove(&watch);
    close(set);
    fx_finish(pool);
}

TEST(one_watch_serves_the_pools_of_a_reactor)
{
    int set = epoll_create1(0);
    pool_reactor_t *reactor = pool_reactor_create();
    pool_t *a = fx_pool(0, 0, 1), *b = fx_pool(0, 0, 1);
    pool_epoll_t watch;
    pool_op_t op[2];
    told t[2] = {{0}};
    CHECK_STATUS(pool_reactor_attach(reactor, a), POOL_OK);
    CHECK_STATUS(pool_reactor_attach(reactor, b), POOL_OK);
    CHECK_INT(pool_epoll_add_reactor(&watch, set, reactor, (epoll_data_t){.u64 = 3}), 0);
    CHECK_STATUS(pool_acquire_async(a, &op[0], 0, tell, &t[0]), POOL_PENDING);
    CHECK_STATUS(pool_acquire_async(b, &op[1], 0, tell, &t[1]), POOL_PENDING);
    WAIT_FOR((turn(set, &watch, 3), t[0].calls > 0 && t[1].calls > 0));
    CHECK_STATUS(pool_release(a, t[0].resource), POOL_OK);
    CHECK_STATUS(pool_release(b, t[1].resource), POOL_OK);
    pool_epoll_remove(&watch);
    pool_reactor_unref(reactor);
    close(set);
    pool_unref(a);
    fx_finish(b);
}

TEST(a_watch_keeps_its_pool_until_it_is_removed)
{
    int set = epoll_create1(0);
    pool_t *pool = fx_pool(0, 1, 1);
    pool_epoll_t watch;
    CHECK_INT(pool_epoll_add(&watch, set, pool, (epoll_data_t){.u64 = 0}), 0);
    pool_unref(pool);
    CHECK_INT(pool_debug_live(), 1);
    CHECK_INT(fx.destroyed, 0);
    pool_epoll_remove(&watch);
    CHECK_INT(fx.destroyed, 1);
    CHECK_INT(pool_debug_live(), 0);
    close(set);
}

TEST(what_cannot_be_added_says_why)
{
    int set = epoll_create1(0);
    pool_epoll_t watch, again;
    CHECK_INT(pool_epoll_add(&watch, set, NULL, (epoll_data_t){.u64 = 0}), -1);
    CHECK_INT(errno, EINVAL);
    pool_t *pool = fx_pool(0, 0, 1);
    CHECK_INT(pool_epoll_add(&watch, set, pool, (epoll_data_t){.u64 = 0}), 0);
    CHECK_INT(pool_epoll_add(&again, set, pool, (epoll_data_t){.u64 = 0}), -1);
    CHECK_INT(errno, EEXIST);
    pool_epoll_remove(&watch);
    close(set);
    fx_finish(pool);
}
