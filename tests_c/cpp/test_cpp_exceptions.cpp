/* What hooks throw, in C++, and where it arrives. */
#include "things.hpp"

using asyncpool::config;
using asyncpool::pool;
using asyncpool::try_later;

/* Makes things, or throws while `failing` says so. */
struct shop {
    std::atomic<int> failing{0}, asked{0};

    thing operator()()
    {
        asked++;
        if (failing > 0) {
            failing--;
            throw failure("nothing to be had");
        }
        return thing();
    }
};

/* What config::unhandled hears. */
struct heard {
    std::mutex mutex;
    std::vector<std::string> texts;

    auto hears()
    {
        return [this](std::exception_ptr thrown) {
            const std::lock_guard<std::mutex> guard(mutex);
            texts.push_back(failure_of([&] { std::rethrow_exception(thrown); }));
        };
    }
    std::size_t count()
    {
        const std::lock_guard<std::mutex> guard(mutex);
        return texts.size();
    }
};

TEST(what_a_factory_throws_arrives_as_the_same_object)
{
    {
        const auto thrown = std::make_exception_ptr(failure("as it is"));
        config<thing> c = things(1);
        c.factory = [=]() -> thing { std::rethrow_exception(thrown); };
        pool<thing> p(std::move(c));
        const auto address = [](auto &&f) -> const void * {
            try {
                f();
            } catch (const failure &e) {
                return &e;
            }
            return nullptr;
        };
        const void *const it = address([&] { std::rethrow_exception(thrown); });
        CHECK(it);
        CHECK_PTR(address([&] { p.acquire(); }), it);
        CHECK_PTR(address([&] { p.acquire(1s); }), it);
        CHECK_PTR(address([&] { p.acquire(0s); }), it);
        CHECK_PTR(address([&] { p.try_acquire(); }), it);
        CHECK_PTR(address([&] { p.use([](thing &) {}); }), it);
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
        CHECK_INT(p.stats().failed, 5);
    }
    nothing_is_left();
}

TEST(anything_can_be_thrown)
{
    {
        config<thing> c = things(1);
        c.factory = []() -> thing { throw 42; };
        pool<thing> p(std::move(c));
        try {
            p.acquire();
            CHECK(false);
        } catch (int number) {
            CHECK_INT(number, 42);
        }
        char text[64];
        void *resource;
        CHECK_STATUS(pool_acquire(p.native_handle(), &resource, 0), POOL_ERR_FACTORY); /* C hears of it, too */
        pool_last_error(nullptr, text, sizeof text);
        CHECK_STR(text, "an exception that is no std::exception");
    }
    nothing_is_left();
}

TEST(what_was_thrown_is_kept_by_nobody)
{
    {
        auto witness = std::make_shared<int>(1);
        struct with_memory {
            std::shared_ptr<int> memory;
        };
        config<thing> c = things(1);
        c.factory = [&]() -> thing { throw with_memory{witness}; };
        pool<thing> p(std::move(c));
        try {
            p.acquire();
            CHECK(false);
        } catch (const with_memory &e) {
            CHECK_INT(e.memory.use_count(), 2);
        }
        CHECK_INT(witness.use_count(), 1);
    }
    nothing_is_left();
}

TEST(the_constructor_throws_what_the_factory_throws)
{
    auto witness = std::make_shared<int>(1);
    {
        config<thing> c = things(4);
        int asked = 0, destroyed = 0;
        c.min_size = 3;
        c.factory = [&, witness] {
            if (++asked == 3)
                throw failure("the third");
            return thing();
        };
        c.destructor = [&](thing &) { destroyed++; };
        CHECK(failure_of([&] { pool<thing> p(std::move(c)); }) == "the third");
        CHECK_INT(destroyed, 2);
        CHECK_INT(witness.use_count(), 1);
    }
    {
        config<thing> c = things(4);
        c.min_size = 1;
        c.create_behind = true;
        c.create_retry = 1h;
        c.factory = []() -> thing { throw try_later(1h); };
        try {
            pool<thing> p(std::move(c));
            CHECK(false);
        } catch (const try_later &e) {
            CHECK(e.pause() == 1h);
        }
    }
    {
        config<thing> c = things(4);
        c.min_size = 1;
        c.lazy_min = true; /* makes nothing: nothing is thrown */
        c.healthcheck_interval = 1h;
        std::atomic<int> asked{0};
        c.factory = [&]() -> thing {
            asked++;
            throw failure("in a pass");
        };
        pool<thing> p(std::move(c));
        WAIT_FOR(asked > 0 && p.stats().failed > 0);
    }
    nothing_is_left();
}

TEST(patient_creation_hides_what_is_thrown_until_the_time_is_up)
{
    {
        shop s;
        config<thing> c = things(1);
        c.factory = [&] { return s(); };
        c.create_retry = 1ms;
        pool<thing> p(std::move(c));
        s.failing = 3;
        CHECK(p.acquire()->number > 0);
        CHECK_INT(s.asked.load(), 4);
        p.evict();
        s.failing = 1 << 30;
        CHECK(failure_of([&] { p.acquire(20ms); }) == "nothing to be had");
    }
    {
        shop s;
        s.failing = 1;
        config<thing> c = things(1);
        c.factory = [&] { return s(); };
        c.create_retry = 1h;
        pool<thing> p(std::move(c));
        pool_status_t first = POOL_OK;
        std::thread waiter([&] { first = status_of([&] { p.acquire(); }); });
        WAIT_FOR(p.stats().failed == 1);
        /* Others are told what it threw, although they have called no factory. */
        CHECK(failure_of([&] { p.acquire(1ms); }) == "nothing to be had");
        CHECK(failure_of([&] { p.acquire(1ms); }) == "nothing to be had");
        CHECK_INT(s.asked.load(), 1);
        p.close();
        waiter.join();
        CHECK_STATUS(first, POOL_ERR_CLOSED);
    }
    nothing_is_left();
}

TEST(a_factory_puts_creations_off)
{
    {
        int asked = 0;
        config<thing> c = things(1);
        c.factory = [&] {
            if (++asked < 3)
                throw try_later(0ms);
            return thing();
        };
        pool<thing> p(std::move(c));
        CHECK(p.acquire()->number > 0);
        CHECK_INT(asked, 3);
        CHECK_INT(p.stats().failed, 0);
    }
    {
        config<thing> c = things(1);
        c.factory = []() -> thing { throw try_later(std::chrono::milliseconds::max(), "too many connections"); };
        pool<thing> p(std::move(c));
        CHECK(!p.try_acquire());
        try {
            p.acquire(1ms);
            CHECK(false);
        } catch (const try_later &e) {
            CHECK(std::string(e.what()).find("too many connections") == 0);
        }
        CHECK(!p.try_acquire());
    }
    {
        config<thing> c = things(1);
        c.factory = []() -> thing { throw try_later(-1s); };
        pool<thing> p(std::move(c));
        CHECK(!p.try_acquire());
    }
    nothing_is_left();
}

TEST(a_creation_behind_fails_who_is_first)
{
    {
        shop s;
        s.failing = 2;
        config<thing> c = things(1);
        c.factory = [&] { return s(); };
        c.create_behind = true;
        pool<thing> p(std::move(c));
        CHECK(failure_of([&] { p.acquire(); }) == "nothing to be had");
        CHECK(failure_of([&] { p.acquire(1h); }) == "nothing to be had");
        CHECK(p.acquire()->number > 0);
    }
    WAIT_FOR(pool_debug_live() == 0); /* the thread that made it is on its way out */
    nothing_is_left();
}

TEST(an_exception_of_before_acquire_ends_the_acquire)
{
    {
        config<thing> c = things(2);
        heard h;
        bool throws = true;
        c.unhandled = h.hears();
        c.before_acquire = [&](thing &t) -> bool {
            return throws && t.is_broken ? throw failure("cannot tell") : true;
        };
        pool<thing> p(std::move(c));
        {
            auto one = p.acquire(), two = p.acquire();
            two->is_broken = true; /* is back first, and lent first */
        }
        CHECK(failure_of([&] { p.acquire(); }) == "cannot tell"); /* the other one is given back */
        CHECK_COUNTS(p.native_handle(), 1, 0, 0);
        CHECK_INT(p.stats().destroyed_rejected, 1);
        p.acquire()->is_broken = true;
        CHECK(failure_of([&] { p.try_acquire(); }) == "cannot tell"); /* a new one is */
        CHECK_COUNTS(p.native_handle(), 1, 0, 0);
        CHECK_INT(p.stats().destroyed, 2);
        CHECK_INT(h.count(), 0);
    }
    nothing_is_left();
}

TEST(an_exception_of_before_release_arrives_at_release)
{
    {
        config<thing> c = things(1);
        heard h;
        c.unhandled = h.hears();
        c.before_release = [](thing &) -> bool { throw failure("will not"); };
        pool<thing> p(std::move(c));
        auto lease = p.acquire();
        CHECK(failure_of([&] { lease.release(); }) == "will not");
        CHECK(!lease);
        CHECK(failure_of([&] { p.use([](thing &) {}); }) == "will not");
        CHECK_INT(h.count(), 0);
        {
            auto gone = p.acquire();
        }
        CHECK_INT(h.count(), 1);
        CHECK(failure_of([&] { p.use([](thing &) { throw failure("of the user"); }); }) == "of the user");
        CHECK_INT(h.count(), 2);
        CHECK_INT(p.stats().destroyed_refused, 4);
    }
    {
        config<thing> c = things(1); /* and nobody hears of it */
        c.before_release = [](thing &) -> bool { throw failure("will not"); };
        c.destructor = [](thing &) { throw failure("this neither"); };
        pool<thing> p(std::move(c));
        p.acquire();
    }
    nothing_is_left();
}

TEST(an_exception_of_the_destructor_arrives_at_who_destroys)
{
    {
        config<thing> c = things(4);
        heard h;
        bool refuses = false;
        c.unhandled = h.hears();
        c.destructor = [](thing &) { throw failure("will not end"); };
        c.before_acquire = [&](thing &) { return !refuses; };
        const auto idle = [](pool<thing> &p) { auto one = p.acquire(), two = p.acquire(); };
        pool<thing> p(std::move(c));
        CHECK(failure_of([&] { p.acquire().discard(); }) == "will not end");
        CHECK_INT(h.count(), 0);
        idle(p);
        CHECK(failure_of([&] { p.evict(); }) == "will not end"); /* the first of two */
        CHECK_INT(h.count(), 1);
        idle(p);
        CHECK(failure_of([&] { p.resize(0, 1); }) == "will not end");
        refuses = true;
        p.acquire(); /* is given another one */
        CHECK_INT(h.count(), 2);
        CHECK(failure_of([&] { p.drain(1h); }) == "will not end");
        CHECK_INT(h.count(), 2);
    }
    {
        heard h;
        {
            config<thing> c = things(4);
            c.unhandled = h.hears();
            c.destructor = [](thing &) { throw failure("will not end"); };
            pool<thing> p(c), q(c);
            p.acquire();
            CHECK(failure_of([&] { p.close(); }) == "will not end");
            CHECK_INT(h.count(), 0);
            q.acquire();
        }
        CHECK_INT(h.count(), 1);
    }
    nothing_is_left();
}

TEST(what_nobody_called_for_is_unhandled)
{
    {
        heard h;
        config<thing> c = things(1);
        c.unhandled = h.hears();
        c.min_size = 1;
        c.healthcheck_interval = 1ms;
        std::atomic<bool> thrown{false};
        c.healthcheck = [&](thing &) -> bool { return thrown.exchange(true) ? true : throw failure("sick"); };
        pool<thing> p(std::move(c));
        WAIT_FOR(p.stats().destroyed_dead == 1 && h.count() == 1);
        CHECK(h.texts[0] == "sick");
    }
    {
        heard h;
        config<thing> c = things(1);
        c.unhandled = h.hears();
        c.leak_after = 1ms;
        c.leaked = [](const asyncpool::lend &l) {
            CHECK(l.resource && l.id);
            throw failure("leaks");
        };
        pool<thing> p(std::move(c));
        auto lease = p.acquire();
        WAIT_FOR(h.count() == 1);
        CHECK(h.texts[0] == "leaks");
        CHECK_INT(p.stats().leaked, 1);
    }
    nothing_is_left();
}

TEST(calls_inside_of_hooks_have_exceptions_of_their_own)
{
    {
        pool<thing> *own = nullptr;
        config<thing> inner = things(1);
        inner.factory = []() -> thing { throw failure("inner"); };
        pool<thing> other(std::move(inner));
        config<thing> c = things(3);
        int depth = 0;
        c.factory = [&] {
            if (depth++ == 0) { /* its own pool, in its factory; and another */
                CHECK(failure_of([&] { own->acquire(); }) == "second");
                CHECK(failure_of([&] { other.acquire(); }) == "inner");
                throw failure("first");
            }
            if (depth == 2)
                throw failure("second");
            return thing();
        };
        pool<thing> p(std::move(c));
        own = &p;
        CHECK(failure_of([&] { p.acquire(); }) == "first");
        CHECK_INT(depth, 2);
        p.acquire();
    }
    nothing_is_left();
}

TEST(a_hook_may_destroy_its_pool)
{
    for (int hook = 0; hook < 5; hook++) {
        std::unique_ptr<pool<thing>> p;
        config<thing> c = things(2);
        bool now = false;
        const auto in = [&](int which) {
            if (now && which == hook) {
                p.reset();
                throw failure("after the end");
            }
            return true;
        };
        c.factory = [&] { return in(0), thing(); };
        c.before_acquire = [&](thing &) { return in(1); };
        c.before_release = [&](thing &) { return in(2); };
        c.destructor = [&](thing &) { in(3); };
        p = std::make_unique<pool<thing>>(std::move(c));
        auto lease = p->acquire();
        if (hook == 1)
            p->acquire();
        now = true;
        if (hook < 2)
            CHECK(failure_of([&] { p->acquire(); }) == "after the end");
        else if (hook == 4) /* an observer */
            CHECK(failure_of([&] {
                      auto o = p->observe([&](pool_event_kind_t) { p.reset(); });
                      lease.release();
                      CHECK(!p);
                      throw failure("after the end");
                  }) == "after the end");
        else
            CHECK(failure_of([&] { hook == 2 ? lease.release() : lease.discard(); }) == "after the end");
        CHECK(!p);
        lease = {};
        nothing_is_left();
    }
}

/* ---- threads that end in hooks ---- */

TEST(a_thread_that_ends_in_a_hook_goes_through)
{
    {
        config<thing> c = things(1);
        std::atomic<bool> ends{true};
        static int unwound;
        c.factory = [&] {
            struct witness {
                ~witness() { unwound++; }
            } w;
            if (ends.exchange(false))
                pthread_exit(nullptr);
            return thing();
        };
        pool<thing> p(std::move(c));
        check_join(check_thread(
            [](void *of) -> void * {
                struct witness {
                    ~witness() { unwound++; }
                } w;
                static_cast<pool<thing> *>(of)->acquire();
                CHECK(false);
                return nullptr;
            },
            &p));
        CHECK_INT(unwound, 2);
        CHECK(p.acquire()->number > 0);
        CHECK(failure_of([&] { p.use([](thing &) { throw failure("still"); }); }) == "still");
    }
    nothing_is_left();
}
