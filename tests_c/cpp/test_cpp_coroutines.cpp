/* co_await pool.acquire(reactor): on a loop of its own, which sleeps on the descriptor. */
#include "things.hpp"

#include <poll.h>

using asyncpool::config;
using asyncpool::pool;
using asyncpool::reactor;

#ifndef ASYNCPOOL_COROUTINES
#error "this is compiled as C++20 or later"
#endif

namespace
{

/* A coroutine that begins at once, and whose frame stays until its owner lets it go. */
class task
{
  public:
    struct promise_type {
        std::exception_ptr thrown;
        task get_return_object() { return task(std::coroutine_handle<promise_type>::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { thrown = std::current_exception(); }
    };

    task(task &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    task &operator=(task &&) = delete;
    ~task() { end(); }

    bool done() const { return handle.done(); }
    /* What it has thrown. */
    void result() const
    {
        if (handle.promise().thrown)
            std::rethrow_exception(handle.promise().thrown);
    }
    void end()
    {
        if (handle)
            std::exchange(handle, nullptr).destroy();
    }

  private:
    explicit task(std::coroutine_handle<promise_type> h) : handle(h) {}
    std::coroutine_handle<promise_type> handle;
};

/* Turns the loop until something is so. */
template <class F> void turn_until(const reactor &r, F &&is_so)
{
    while (!is_so()) {
        check_here(__FILE__, __LINE__);
        struct pollfd watched = {r.fd(), POLLIN, 0};
        const auto left = r.next_timeout();
        poll(&watched, 1, left ? static_cast<int>(left->count()) : 10);
        r.dispatch();
    }
}

task borrow(pool<thing> &p, const reactor &r, pool<thing>::lease &into) { into = co_await p.acquire(r); }

task borrow_in_time(pool<thing> &p, const reactor &r, std::chrono::nanoseconds time)
{
    const auto lease = co_await p.acquire(r, time);
    CHECK(lease);
}

} // namespace

TEST(a_coroutine_waits_for_a_lease)
{
    {
        const reactor r;
        pool<thing> p(things(1));
        asyncpool::lease<thing> first, second;
        {
            task one = borrow(p, r, first);
            CHECK(!one.done()); /* nothing is idle: the factory runs in dispatch */
            task two = borrow(p, r, second);
            turn_until(r, [&] { return one.done(); });
            CHECK(first && first.id() != 0 && !two.done());
            first.release();
            CHECK(!two.done()); /* never inline */
            turn_until(r, [&] { return two.done(); });
            CHECK(second);
        }
        second.release();
        task three = borrow(p, r, first); /* something is idle */
        CHECK(three.done() && first);
        first.discard();
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
    }
    nothing_is_left();
}

TEST(a_coroutine_hears_what_is_thrown)
{
    {
        const reactor r;
        config<thing> c = things(1);
        bool throws = true;
        c.factory = [&] { return throws ? throw failure("on a loop") : thing(); };
        pool<thing> p(std::move(c));
        asyncpool::lease<thing> lease;
        {
            task t = borrow(p, r, lease);
            turn_until(r, [&] { return t.done(); });
            CHECK(failure_of([&] { t.result(); }) == "on a loop");
        }
        throws = false;
        lease = p.acquire();
        {
            task t = borrow_in_time(p, r, 1ms), zero = borrow_in_time(p, r, 0ns), past = borrow_in_time(p, r, -1h);
            turn_until(r, [&] { return t.done() && zero.done() && past.done(); });
            CHECK_STATUS(status_of([&] { t.result(); }), POOL_ERR_TIMEOUT);
            CHECK_STATUS(status_of([&] { zero.result(); }), POOL_ERR_TIMEOUT);
            CHECK_STATUS(status_of([&] { past.result(); }), POOL_ERR_TIMEOUT);
        }
        {
            task waits = borrow(p, r, lease);
            p.close();
            turn_until(r, [&] { return waits.done(); });
            CHECK_STATUS(status_of([&] { waits.result(); }), POOL_ERR_CLOSED);
            task late = borrow(p, r, lease); /* is refused at once */
            CHECK(late.done());
            CHECK_STATUS(status_of([&] { late.result(); }), POOL_ERR_CLOSED);
        }
    }
    nothing_is_left();
}

TEST(what_hooks_throw_on_a_loop_is_unhandled)
{
    {
        const reactor r;
        config<thing> c = things(1);
        int unhandled = 0;
        c.unhandled = [&](std::exception_ptr) { unhandled++; };
        c.before_acquire = [](thing &) -> bool { throw failure("cannot tell"); };
        pool<thing> p(std::move(c));
        p.acquire();
        asyncpool::lease<thing> lease;
        task t = borrow(p, r, lease);
        turn_until(r, [&] { return t.done(); });
        CHECK(lease); /* a new one */
        CHECK_INT(unhandled, 1);
        CHECK_INT(p.stats().destroyed_rejected, 1);
    }
    nothing_is_left();
}

TEST(a_coroutine_that_goes_while_it_waits_leaves_the_line)
{
    {
        const reactor r;
        pool<thing> p(things(1));
        auto held = p.acquire();
        asyncpool::lease<thing> none, got;
        task gone = borrow(p, r, none);
        task next = borrow(p, r, got);
        CHECK_COUNTS(p.native_handle(), 0, 1, 2);
        gone.end();
        CHECK_COUNTS(p.native_handle(), 0, 1, 1);
        held.release();
        turn_until(r, [&] { return next.done(); });
        CHECK(got && !none);

        /* One that was promised its place already. */
        task promised = borrow(p, r, none);
        got.release();
        promised.end();
        turn_until(r, [&] { return p.snapshot().idle == 1 && p.snapshot().reserved == 0; });
        r.dispatch();
        CHECK(!none);
        /* And one that goes with its pool. */
        auto again = p.acquire();
        task last = borrow(p, r, none);
        {
            const pool<thing> ends(std::move(p));
        }
        last.end();
        r.dispatch();
    }
    nothing_is_left();
}

TEST(an_acquire_that_is_never_awaited_does_nothing)
{
    {
        const reactor r;
        pool<thing> p(things(1));
        {
            auto never = p.acquire(r);
        }
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
        CHECK_INT(p.stats().created, 0);
    }
    nothing_is_left();
}

/* Coroutines that are begun by threads, and go on on the loop's. */
TEST(threads_begin_coroutines_of_one_loop)
{
    {
        const reactor r;
        config<thing> c = things(4);
        c.on_reactor = true;
        pool<thing> p(std::move(c));
        p.attach(r);
        std::atomic<int> done{0};
        enum { THREADS = 8, EACH = 50 };
        struct detached {
            struct promise_type {
                detached get_return_object() { return {}; }
                std::suspend_never initial_suspend() noexcept { return {}; }
                std::suspend_never final_suspend() noexcept { return {}; }
                void return_void() {}
                void unhandled_exception() { std::terminate(); }
            };
        };
        const auto work = [](pool<thing> &from, const reactor &loop, std::atomic<int> &count) -> detached {
            {
                auto one = co_await from.acquire(loop);
                CHECK(one->number > 0);
            }
            auto two = co_await from.acquire(loop, 1h);
            two.release();
            count++;
        };
        std::vector<std::thread> threads;
        for (int i = 0; i < THREADS; i++)
            threads.emplace_back([&] {
                for (int k = 0; k < EACH; k++)
                    work(p, r, done);
            });
        turn_until(r, [&] { return done == THREADS * EACH; });
        for (std::thread &t : threads)
            t.join();
        CHECK(p.snapshot().active == 0 && p.snapshot().idle <= 4);
    }
    nothing_is_left();
}

TEST(a_reactor_is_moved)
{
    {
        reactor one;
        pool_reactor_t *handle = one.native_handle();
        reactor two(std::move(one));
        CHECK_PTR(two.native_handle(), handle);
        one = std::move(two);
        auto &self = one;
        one = std::move(self);
        CHECK_PTR(one.native_handle(), handle);
        pool<thing> p(things(1));
        p.attach(one);
        CHECK_INT(pool_fd(p.native_handle()), one.fd());
        CHECK(!one.next_timeout());
    }
    nothing_is_left();
}

/* ---- what nobody should do ---- */

TEST(a_coroutine_ends_others_that_wait)
{
    {
        const reactor r;
        pool<thing> p(things(1));
        auto held = p.acquire();
        std::vector<task> others;
        asyncpool::lease<thing> none;
        const auto ends_all = [](pool<thing> &from, const reactor &loop, std::vector<task> &all) -> task {
            auto lease = co_await from.acquire(loop);
            all.clear(); /* from inside of dispatch, those that are granted next among them */
            lease.release();
        };
        task t = ends_all(p, r, others);
        for (int i = 0; i < 10; i++)
            others.push_back(borrow(p, r, none));
        p.resize(0, 3); /* three of them go on in the same dispatch */
        held.release();
        turn_until(r, [&] { return t.done(); });
        turn_until(r, [&] { return p.snapshot().waiting == 0 && p.snapshot().active == (none ? 1u : 0u); });
    }
    nothing_is_left();
}

TEST(a_coroutine_ends_its_pool_and_its_reactor)
{
    {
        auto r = std::make_unique<reactor>();
        auto p = std::make_unique<pool<thing>>(things(2));
        const auto ends = [](std::unique_ptr<pool<thing>> &from, std::unique_ptr<reactor> &loop) -> task {
            auto lease = co_await from->acquire(*loop);
            from.reset();
            loop.reset();
            CHECK(lease->number > 0);
        };
        task t = ends(p, r);
        pool_reactor_t *handle = r->native_handle();
        while (p)
            CHECK_STATUS(pool_reactor_dispatch(handle), POOL_OK);
        CHECK(t.done() && !r);
    }
    nothing_is_left();
}

TEST(a_coroutine_goes_while_its_factory_runs)
{
    {
        const reactor r;
        std::vector<task> tasks;
        config<thing> c = things(1);
        c.factory = [&] {
            tasks.clear(); /* on the loop's thread, where that is allowed */
            return thing();
        };
        pool<thing> p(std::move(c));
        asyncpool::lease<thing> none;
        tasks.push_back(borrow(p, r, none));
        turn_until(r, [&] { return p.snapshot().idle == 1; });
        CHECK(!none && tasks.empty());
    }
    nothing_is_left();
}

TEST(a_coroutine_begins_again_and_again_in_its_own_callback)
{
    {
        const reactor r;
        config<thing> c = things(1);
        c.max_uses = 1; /* each waits for the factory */
        pool<thing> p(std::move(c));
        const auto many = [](pool<thing> &from, const reactor &loop) -> task {
            for (int i = 0; i < 2000; i++)
                co_await from.acquire(loop);
        };
        task one = many(p, r), two = many(p, r);
        turn_until(r, [&] { return one.done() && two.done(); });
        one.result();
        two.result();
        CHECK_INT(p.stats().lends, 4000);
    }
    nothing_is_left();
}
