/* Options, hooks and errors in C++, right and wrong. */
#include "things.hpp"

#include <climits>

using asyncpool::config;
using asyncpool::hook;
using asyncpool::hook_function;
using asyncpool::pool;

/* The status of a pool with an option that is wrong. */
template <class Change> static pool_status_t made_with(Change change)
{
    config<thing> c = things(4);
    change(c);
    return status_of([&] { pool<thing> p(std::move(c)); });
}

TEST(a_config_that_is_wrong_makes_no_pool)
{
    CHECK_STATUS(made_with([](auto &) {}), POOL_OK);
    CHECK_STATUS(made_with([](auto &c) { c.factory = nullptr; }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.factory = static_cast<thing (*)()>(nullptr); }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.factory = std::function<thing()>(); }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.max_size = 0; }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.min_size = 5; }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.min_idle = 5; }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.lifetime_jitter = 1ms; }), POOL_ERR_INVALID);
    CHECK_STATUS(made_with([](auto &c) { c.leaked = [](const asyncpool::lend &) {}; }), POOL_ERR_INVALID);
    std::chrono::milliseconds config<thing>::*const times[] = {
        &config<thing>::healthcheck_interval, &config<thing>::create_retry,    &config<thing>::create_retry_max,
        &config<thing>::max_lifetime,         &config<thing>::lifetime_jitter, &config<thing>::idle_timeout,
        &config<thing>::check_after,          &config<thing>::leak_after};
    for (auto time : times) {
        CHECK_STATUS(made_with([=](auto &c) { c.*time = -1ms; }), POOL_ERR_INVALID);
        CHECK_STATUS(made_with([=](auto &c) { c.*time = std::chrono::milliseconds(UINT_MAX) + 1ms; }),
                     POOL_ERR_INVALID);
    }
    nothing_is_left();
}

TEST(every_option_arrives)
{
    {
        config<thing> c = things(4);
        c.name = "all of it";
        c.min_size = 2;
        c.healthcheck = [](thing &) { return true; };
        c.healthcheck_interval = 1h;
        c.before_acquire = [](thing &) { return true; };
        c.recovering_limit = 2;
        c.max_waiting = 7;
        c.create_retry = 1s;
        c.create_retry_max = 1min;
        c.max_lifetime = 1h;
        c.lifetime_jitter = 1min;
        c.idle_timeout = 1h;
        c.check_after = 1s;
        c.max_uses = 1;
        c.leak_after = 1h;
        c.lifo = c.timed = true;
        pool<thing> p(std::move(c));
        CHECK_INT(p.snapshot().idle, 2);
        CHECK_INT(p.native_handle()->min_size, 2);
        CHECK_INT(p.snapshot().max, 4);
        CHECK(p.describe().find("all of it") != std::string::npos);
        auto lease = p.acquire();
        CHECK_INT(lease.info().uses, 1);
        lease.release();
        CHECK_INT(p.stats().destroyed_uses, 1);
    }
    {
        config<thing> c = things(4);
        c.min_size = 3;
        c.lazy_min = c.create_behind = c.on_reactor = true;
        pool<thing> p(std::move(c));
        CHECK(!p.try_acquire()); /* nothing was made, and nobody dispatches */
        CHECK_INT(p.snapshot().idle, 0);
    }
    {
        config<thing> c = things(2);
        c.lifo = true;
        pool<thing> p(std::move(c));
        auto one = p.acquire(), two = p.acquire();
        thing *last = two.get();
        one.release();
        two.release();
        CHECK_PTR(p.acquire().get(), last);
    }
    {
        config<thing> c = things(1);
        c.max_waiting = 1;
        pool<thing> p(std::move(c));
        auto lease = p.acquire();
        std::thread waiter([&] { p.acquire(); });
        WAIT_FOR(p.snapshot().waiting == 1);
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_OVERLOADED);
        lease.release();
        waiter.join();
    }
    nothing_is_left();
}

static thing make_thing() { return thing(); }

TEST(a_hook_is_whatever_can_be_called)
{
    {
        config<thing> c;
        struct functor {
            std::unique_ptr<int> only_movable;
            int calls = 0;
            bool operator()(thing &) { return ++calls > 0 && *only_movable == 4; }
        };
        static bool asked;
        c.factory = make_thing;
        c.before_acquire = functor{std::make_unique<int>(4), 0};
        c.before_release = [](const hook &h, thing &t) {
            asked = true;
            CHECK(h.native_handle() && !h.time_left());
            return t.number > 0;
        };
        const config<thing> kept = std::move(c);
        pool<thing> p(kept), q(kept);
        p.acquire();
        p.acquire();
        q.acquire();
        CHECK(asked);
        CHECK_INT(p.stats().lends, 2);
        CHECK_INT(p.stats().destroyed, 0);
    }
    {
        int (*none)() = nullptr;
        CHECK(!hook_function<int()>(none) && !hook_function<int()>(std::function<int()>()) && !hook_function<int()>());
        hook_function<void(int &)> ignores_the_answer = [](int &i) { return ++i; };
        int i = 1;
        ignores_the_answer(hook(nullptr), i);
        CHECK_INT(i, 2);
        hook_function<bool(int &)> generic = [](auto &...all) { return sizeof...(all) == 1; };
        hook_function<bool(int &)> only_movable = [own = std::make_unique<int>(2)](const hook &, int &n) {
            return n == *own;
        };
        const hook_function<bool(int &)> copy = only_movable;
        CHECK(copy(hook(nullptr), i) && only_movable(hook(nullptr), i));
        CHECK(generic(hook(nullptr), i)); /* without the hook, if it can be called without it */
    }
    nothing_is_left();
}

TEST(a_hook_knows_the_time_and_the_age)
{
    {
        config<thing> c = things(1);
        bool knows_deadline = false, knows_none = false;
        std::uint64_t uses = 0;
        c.max_uses = 10;
        c.factory = [&](const hook &h) {
            const auto left = h.time_left();
            knows_deadline |= left && *left > 0s && *left <= 1h;
            knows_none |= !left;
            CHECK_STATUS(status_of([&] { h.info(); }), POOL_ERR_NOT_OWNED);
            return thing();
        };
        c.before_release = [&](const hook &h, thing &) {
            uses = h.info().uses;
            return false;
        };
        pool<thing> p(std::move(c));
        p.acquire(1h);
        p.acquire();
        CHECK(knows_deadline && knows_none);
        CHECK_INT(uses, 1);
    }
    nothing_is_left();
}

TEST(a_pool_that_was_moved_from_is_refused)
{
    {
        pool<thing> p(things(1));
        pool<thing> q(std::move(p));
        const asyncpool::reactor r;
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.acquire(1s); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.try_acquire(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.use([](thing &) {}); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.attach(r); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.evict(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.trim(0); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.resize(0, 1); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.close(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.drain(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.drain(1s); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.snapshot(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.stats(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.lends(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.activate(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.deactivate(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.recover(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.set_threshold(1, 1s); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.set_strategy(nullptr); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { p.set_strategy(asyncpool::strategy{}); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { (void)p.observe([](pool_event_kind_t) {}); }), POOL_ERR_INVALID);
        CHECK(p.is_closed() && p.describe() == "Pool()" && p.state() == POOL_CIRCUIT_INACTIVE);
        CHECK_STATUS(status_of([&] { q.set_strategy(asyncpool::strategy{}); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { (void)q.observe(nullptr); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { q.set_threshold(1, -1s); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { q.set_threshold(1, 1s, 1, 0); }), POOL_ERR_INVALID);
        asyncpool::reactor moved;
        asyncpool::reactor to(std::move(moved));
        CHECK_STATUS(status_of([&] { moved.dispatch(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { moved.fd(); }), POOL_ERR_INVALID);
        CHECK_STATUS(status_of([&] { q.attach(moved); }), POOL_ERR_INVALID);
    }
    nothing_is_left();
}

TEST(a_status_is_an_error_code)
{
    const std::error_code code = POOL_ERR_TIMEOUT;
    CHECK_STR(code.category().name(), "asyncpool");
    CHECK_STR(code.message().c_str(), pool_strerror(POOL_ERR_TIMEOUT));
    CHECK(code == POOL_ERR_TIMEOUT && code != POOL_ERR_CLOSED && code == std::errc::timed_out);
    CHECK(!std::error_code(POOL_OK));
    CHECK(std::error_code(POOL_ERR_INVALID) == std::errc::invalid_argument);
    CHECK(std::error_code(POOL_ERR_NOMEM) == std::errc::not_enough_memory);
    CHECK(std::error_code(POOL_ERR_CANCELLED) == std::errc::operation_canceled);
    CHECK(std::error_code(POOL_ERR_OVERLOADED) == std::errc::resource_unavailable_try_again);
    CHECK(std::error_code(POOL_EMPTY) == std::errc::resource_unavailable_try_again);
    CHECK(std::error_code(POOL_ERR_DEADLOCK) == std::errc::resource_deadlock_would_occur);
    CHECK(std::error_code(POOL_ERR_CLOSED).default_error_condition().category() == asyncpool::category());
    try {
        pool<thing> p(things(1));
        p.close();
        p.acquire();
        CHECK(false);
    } catch (const std::system_error &e) {
        CHECK(e.code() == POOL_ERR_CLOSED);
        CHECK_STR(e.what(), "the pool is closed");
    }
    try {
        config<thing> c = things(1);
        c.name = "db";
        pool<thing> p(std::move(c));
        auto lease = p.acquire();
        p.acquire(1ms);
        CHECK(false);
    } catch (const asyncpool::error &e) {
        CHECK_STATUS(e.status(), POOL_ERR_TIMEOUT);
        CHECK_STR(e.what(), "db: timed out waiting for a resource");
    }
    CHECK_STR(asyncpool::error(POOL_ERR_INVALID, "because").what(), "because: invalid argument");
    const asyncpool::try_later later(5s, "too many connections");
    CHECK_STATUS(later.status(), POOL_ERR_FACTORY);
    CHECK_INT(later.pause().count(), 5000);
    nothing_is_left();
}
