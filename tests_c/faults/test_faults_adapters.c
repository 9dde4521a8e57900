/*
 * Faults in the adapters: what their headers take from the system is failed, too, and what the library takes on
 * their behalf. asyncpool/uv.h has a program of its own. Each case shows P12.
 */
#define _GNU_SOURCE
#include "adapter.h"
#include "async.h"

/* ---- coroutines ---- */

enum { COROUTINES = 18, MAX = 3 }; /* more than the scheduler has room for at first */

static pool_t *pool;
static pool_ucontext_t scheduler;
static int ran;

static void borrow(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        pool_status_t status;
        fx_resource *r = fx_acquire(pool, i * 3600000, &status); /* without a deadline, and with one */
        FAULT_EXPLAINS(status);
        pool_ucontext_yield(&scheduler);
        if (r)
            fx_give(pool, r);
    }
    ran++;
}

static void coroutines(const void *unused)
{
    (void)unused;
    pages = heap = ran = 0;
    if (!pool_ucontext_init(&scheduler, 0)) {
        CHECK(fault_injected(FAULT_ADAPTER) > 0);
        CHECK_INT(heap, 0);
        return;
    }
    pool_config_t config = loop_config(FX_WITH_ALL, 1, MAX);
    config.scheduler = &scheduler.scheduler;
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    int spawned = 0;
    for (int i = 0; pool && i < COROUTINES; i++) {
        bool ok = pool_ucontext_spawn(&scheduler, borrow, NULL);
        CHECK(ok || fault_injected(FAULT_ADAPTER) > 0);
        spawned += ok;
        CHECK_INT(pages, spawned);
    }
    CHECK(pool_ucontext_run(&scheduler));
    CHECK_INT(ran, spawned); /* those that began do what they came for */
    fault_off();
    if (pool) {
        fault_check_rest(pool);
        pool_unref(pool);
    }
    CHECK(pool_ucontext_destroy(&scheduler));
    CHECK_INT(pages, 0);
    CHECK_INT(heap, 0);
}

TEST(ucontext)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("ucontext", coroutines, NULL);
    fault_report();
}

/* ---- epoll ---- */

static void with_epoll(const void *by_reactor)
{
    enum { OPS = 3 };
    int set = epoll_create1(EPOLL_CLOEXEC), begun = 0;
    epoll_data_t data = {.ptr = &pool};
    pool_epoll_t watch;
    told ops[OPS];
    CHECK(set >= 0);
    memset(ops, 0, sizeof ops);
    pool_config_t config = loop_config(FX_WITH_ALL, 0, 2);
    FAULT_EXPLAINS(pool_create_ex(&config, &pool));
    pool_reactor_t *reactor = by_reactor ? pool_reactor_create() : NULL;
    bool there = pool && (reactor || !by_reactor);
    if (there && by_reactor)
        CHECK_STATUS(pool_reactor_attach(reactor, pool), POOL_OK);
    int added = !there       ? -1
                : by_reactor ? pool_epoll_add_reactor(&watch, set, reactor, data)
                             : pool_epoll_add(&watch, set, pool, data);
    CHECK(added == 0 ||
          fault_injected(FAULT_ALLOC) + fault_injected(FAULT_ADAPTER) + fault_injected(FAULT_DESCRIPTOR) > 0);
    if (added == 0)
        begun = fault_begin_all(pool, ops, OPS);
    for (int i = 0; i < begun; i++) {
        while (!ops[i].times) {
            struct epoll_event event;
            check_here(__FILE__, __LINE__);
            epoll_wait(set, &event, 1, pool_epoll_timeout(&watch, -1));
            FAULT_EXPLAINS(pool_epoll_dispatch(&watch));
        }
        FAULT_EXPLAINS(ops[i].status);
    }
    fault_off();
    if (added == 0)
        pool_epoll_remove(&watch);
    if (pool) {
        CHECK_INT(pool->event.ref_count, 1); /* a watch that could not be added keeps nothing */
        fault_check_rest(pool);
        pool_unref(pool);
    }
    pool_reactor_unref(reactor);
    close(set);
}

TEST(epoll)
{
    fault_hooks();
    loop_config(0, 0, 1);
    fault_loop("epoll", with_epoll, NULL);
    fault_loop("epoll on a reactor", with_epoll, "");
    fault_report();
}

/* ---- the table, loaded ---- */

static const char *path;
static pool_t *hooks;

static void loaded(const void *unused)
{
    (void)unused;
    opened = 0;
    pool_api_register(NULL);
    pool_status_t status = pool_api_load(path);
    if (status != POOL_OK) {
        CHECK(status == POOL_ERR_UNAVAILABLE || status == POOL_ERR_INVALID);
        CHECK(fault_injected(FAULT_ADAPTER) > 0);
        CHECK_PTR(pool_api_current(), NULL);
        CHECK_INT(opened, 0);
    } else {
        CHECK_INT(opened, 1);
    }
    pool = POOL_NEW(hooks->factory.internal, hooks->destructor.internal, NULL, NULL, NULL, 1, MAX, 0);
    CHECK(pool || fault_injected(FAULT_ALLOC) + fault_injected(FAULT_FACTORY) > 0 || status != POOL_OK);
    for (int i = 0; pool && i < MAX; i++) {
        void *r;
        if (FAULT_EXPLAINS(POOL_ACQUIRE(pool, &r, 0)) == POOL_OK)
            CHECK_STATUS(POOL_RELEASE(pool, r), POOL_OK);
    }
    fault_off();
    CHECK_STATUS(pool_api_load(path), POOL_OK); /* the next attempt has better luck */
    CHECK_INT(opened, 1);
    if (pool) {
        fault_check_rest(pool);
        POOL_UNREF(pool);
    }
}

TEST(pool_api)
{
    Dl_info info;
    static struct pool_s table;
    CHECK(dladdr((void *)pool_version, &info) != 0);
    path = info.dli_fname;
    pool_t *made = fx_pool(0, 0, 1);
    table.factory = made->factory;
    table.destructor = made->destructor;
    hooks = &table;
    fx_finish(made);
    fault_hooks();
    fault_loop("pool_api_load()", loaded, NULL);
    fault_report();
}
