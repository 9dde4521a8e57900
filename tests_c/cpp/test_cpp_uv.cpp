/* co_await pool.acquire(reactor) on a libuv loop. */
#include "things.hpp"

#include <asyncpool/uv.h>

using asyncpool::config;
using asyncpool::pool;
using asyncpool::reactor;

namespace
{

struct detached {
    struct promise_type {
        detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

/* A loop that watches a reactor, until the last task is done. */
struct world {
    uv_loop_t loop;
    pool_uv_t watch;
    reactor r;
    int tasks = 0, failed = 0;

    world()
    {
        CHECK_INT(uv_loop_init(&loop), 0);
        CHECK_INT(pool_uv_init_reactor(&loop, &watch, r.native_handle()), 0);
        CHECK_INT(pool_uv_start(&watch), 0);
    }
    ~world()
    {
        CHECK_INT(uv_run(&loop, UV_RUN_DEFAULT), 0);
        CHECK_INT(uv_loop_close(&loop), 0);
    }
    void end_task()
    {
        if (--tasks == 0)
            pool_uv_close(&watch, nullptr);
    }
};

/* Holds what it has borrowed for some turns of the loop. */
struct turns {
    uv_loop_t *loop;
    int left;
    uv_idle_t handle;
    std::coroutine_handle<> waiting;

    bool await_ready() const { return left == 0; }
    void await_suspend(std::coroutine_handle<> c)
    {
        waiting = c;
        uv_idle_init(loop, &handle);
        handle.data = this;
        uv_idle_start(&handle, [](uv_idle_t *h) {
            if (--static_cast<turns *>(h->data)->left > 0)
                return;
            uv_idle_stop(h);
            uv_close(reinterpret_cast<uv_handle_t *>(h),
                     [](uv_handle_t *closed) { static_cast<turns *>(closed->data)->waiting.resume(); });
        });
    }
    void await_resume() const {}
};

detached work(world &w, pool<thing> &p, int number)
{
    w.tasks++;
    for (int i = 0; i < 5; i++) {
        auto lease = co_await p.acquire(w.r, 1h);
        CHECK(lease->number > 0 && p.snapshot().active <= 3);
        co_await turns{&w.loop, (number + i) % 3, {}, {}};
        if (number % 7 == 0)
            lease.discard();
    }
    w.end_task();
}

} // namespace

TEST(a_hundred_coroutines_share_three_resources)
{
    {
        config<thing> c = things(3);
        c.on_reactor = true;
        pool<thing> p(std::move(c));
        {
            world w;
            p.attach(w.r);
            for (int i = 0; i < 100; i++)
                work(w, p, i);
        }
        CHECK_INT(p.stats().lends, 500);
        CHECK(p.stats().peak_active <= 3);
    }
    nothing_is_left();
}

TEST(exceptions_and_deadlines_come_on_the_loop)
{
    {
        config<thing> c = things(1);
        int asked = 0;
        c.factory = [&] { return ++asked == 1 ? throw failure("the first") : thing(); };
        pool<thing> p(std::move(c));
        {
            world w;
            const auto fails = [](world &on, pool<thing> &from) -> detached {
                on.tasks++;
                try {
                    co_await from.acquire(on.r);
                } catch (const failure &e) {
                    on.failed += std::string(e.what()) == "the first";
                }
                const auto held = co_await from.acquire(on.r);
                try {
                    co_await from.acquire(on.r, 5ms);
                } catch (const asyncpool::error &e) {
                    on.failed += e.status() == POOL_ERR_TIMEOUT;
                }
                on.end_task();
            };
            fails(w, p);
            while (w.tasks > 0)
                uv_run(&w.loop, UV_RUN_ONCE);
            CHECK_INT(w.failed, 2);
        }
    }
    nothing_is_left();
}
