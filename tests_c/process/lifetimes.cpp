/*
 * Static objects that hold pools, made before main() and destroyed after it, in a program that links the library;
 * with threads that wait in line meanwhile, and functions that run before and after all of them.
 */
#include <asyncpool/pool.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>

#define REQUIRE(condition)                                                            \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
            _exit(1);                                                                 \
        }                                                                             \
    } while (0)

namespace
{

std::atomic<int> resources, steps;

bool make(pool_t *, void **resource)
{
    *resource = new int(++resources);
    return true;
}

void end(pool_t *, void *resource)
{
    resources--;
    delete static_cast<int *>(resource);
}

bool pass(pool_t *, void *) { return true; }

pool_t *create(uint32_t min, uint32_t interval_ms)
{
    pool_t *pool = pool_create_internal(make, end, pass, pass, pass, min, 2, interval_ms);
    REQUIRE(pool != nullptr);
    return pool;
}

struct lease {
    explicit lease(pool_t *from) : pool(pool_ref(from))
    {
        REQUIRE(pool_acquire(pool, &resource, 60000) == POOL_OK); /* soon, but the machine may be busy */
    }
    ~lease()
    {
        REQUIRE(pool_release(pool, resource) == POOL_OK);
        pool_unref(pool);
    }
    pool_t *pool;
    void *resource;
};

/* The first static object: the last to go. */
struct conclusion {
    ~conclusion()
    {
        REQUIRE(steps == 3);
        while (pool_debug_live() != 0) /* until those who waited have gone */
            std::this_thread::yield();
        REQUIRE(resources == 0);
        steps++;
    }
} conclusion;

struct owner {
    owner() : pool(create(1, 1)) {}
    ~owner()
    {
        {
            lease late(pool);
        }
        REQUIRE(pool_close(pool) == POOL_OK);
        pool_unref(pool);
        steps++;
    }
    pool_t *pool;
} owner;

lease two[] = {lease(owner.pool), lease(owner.pool)};

/* A thread of an object: told to end, and waited for, by its destructor. */
struct worker {
    worker() : pool(create(0, 0)), thread([this] { work(); }) {}
    ~worker()
    {
        stop = true;
        thread.join();
        pool_unref(pool);
        steps++;
    }
    void work()
    {
        while (!stop)
            lease now(pool);
    }
    pool_t *pool;
    std::atomic<bool> stop{false};
    std::thread thread;
} worker;

struct at_the_end_of_main {
    ~at_the_end_of_main()
    {
        lease now(worker.pool);
        steps++;
    }
    int touched = 0;
};

void use_one()
{
    pool_t *pool = create(1, 1);
    {
        lease now(pool);
    }
    pool_unref(pool);
}

__attribute__((constructor)) void before_all() { use_one(); }

__attribute__((destructor)) void after_all()
{
    REQUIRE(steps == 4);
    use_one();
    _exit(42);
}

} // namespace

int main()
{
    thread_local at_the_end_of_main object;
    object.touched++;
    alarm(280 * CHECK_SLOWDOWN);
    for (int i = 0; i < 3; i++)
        std::thread([] {
            void *resource;
            pool_status_t status = pool_acquire(owner.pool, &resource, 0);
            REQUIRE(status == POOL_OK || status == POOL_ERR_CLOSED); /* the static leases end, or the pool does */
            if (status == POOL_OK)
                REQUIRE(pool_release(owner.pool, resource) == POOL_OK);
        }).detach();
    while (pool_waiting_count(owner.pool) < 3)
        std::this_thread::yield();
    return 0;
}
