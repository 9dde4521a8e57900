/* Strategies and observers in C++. */
#include "things.hpp"

using asyncpool::config;
using asyncpool::pool;
using asyncpool::strategy;

TEST(the_breaker_is_moved_by_hand)
{
    {
        pool<thing> p(things(1));
        CHECK_INT(p.state(), POOL_CIRCUIT_ACTIVE);
        p.deactivate();
        CHECK_INT(p.state(), POOL_CIRCUIT_INACTIVE);
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_UNAVAILABLE);
        p.recover();
        CHECK_INT(p.state(), POOL_CIRCUIT_RECOVERING);
        auto probe = p.acquire();
        p.activate();
        CHECK_INT(p.state(), POOL_CIRCUIT_ACTIVE);
    }
    nothing_is_left();
}

TEST(the_threshold_counts_what_it_is_told_to)
{
    {
        config<thing> c = things(1);
        c.factory = []() -> thing { throw failure("down"); };
        pool<thing> p(std::move(c));
        p.set_threshold(2, 1h);
        CHECK(failure_of([&] { p.acquire(); }) == "down");
        CHECK_INT(p.state(), POOL_CIRCUIT_ACTIVE);
        CHECK(failure_of([&] { p.acquire(); }) == "down");
        CHECK_INT(p.state(), POOL_CIRCUIT_INACTIVE);
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_UNAVAILABLE);
        p.activate();
        p.set_threshold(1, 1h, 1, POOL_COUNT_RELEASES);
        CHECK(failure_of([&] { p.acquire(); }) == "down");
        CHECK_INT(p.state(), POOL_CIRCUIT_ACTIVE);
    }
    nothing_is_left();
}

TEST(a_strategy_hears_of_all_and_why)
{
    {
        config<thing> c = things(1);
        std::string why, unhandled;
        int successes = 0, failures = 0, asked = 0, code = 0;
        enum { MAKES, THROWS } factory = MAKES;
        enum { KEEPS, REFUSES, SAYS_WHY, RELEASE_THROWS } release = KEEPS;
        c.factory = [&] { return factory == MAKES ? thing() : throw failure("cannot make"); };
        c.before_release = [&](const asyncpool::hook &h, thing &) -> bool {
            if (release == SAYS_WHY)
                h.refuse(7, "a reason");
            if (release == RELEASE_THROWS)
                throw failure("a thrown reason");
            return release == KEEPS;
        };
        c.unhandled = [&](std::exception_ptr e) { unhandled = failure_of([&] { std::rethrow_exception(e); }); };
        pool<thing> p(std::move(c));
        strategy s;
        s.success = [&] { successes++; };
        s.failure = [&](int said, const char *message) {
            failures++;
            code = said;
            why = message;
        };
        s.should_recover = [&] { return ++asked > 1; };
        s.create_failure = [&](std::exception_ptr e) { why = failure_of([&] { std::rethrow_exception(e); }); };
        p.set_strategy(s);

        p.acquire().release();
        CHECK_INT(successes, 1);
        release = REFUSES;
        p.acquire().release();
        CHECK(failures == 1 && code == 0 && why == "Resource validation failed");
        release = SAYS_WHY;
        p.acquire().release();
        CHECK(failures == 2 && code == 7 && why == "a reason");
        release = RELEASE_THROWS;
        CHECK(failure_of([&] { p.acquire().release(); }) == "a thrown reason");
        CHECK(failures == 3 && why == "a thrown reason");
        release = KEEPS;
        factory = THROWS;
        CHECK(failure_of([&] { p.acquire(); }) == "cannot make");
        CHECK(why == "cannot make");
        factory = MAKES;
        p.deactivate();
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_UNAVAILABLE);
        p.acquire();
        CHECK_INT(asked, 2);
        p.activate();

        /* One that throws. */
        s.success = [] { throw failure("report"); };
        s.should_recover = []() -> bool { throw failure("undecided"); };
        p.set_strategy(s);
        p.acquire().release();
        CHECK(unhandled == "report");
        p.deactivate();
        CHECK(failure_of([&] { p.acquire(); }) == "undecided");
        p.set_strategy(nullptr);
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_UNAVAILABLE);
    }
    nothing_is_left();
}

TEST(a_strategy_hears_what_is_thrown_behind)
{
    {
        config<thing> c = things(1);
        c.create_behind = true;
        c.factory = []() -> thing { throw failure("behind"); };
        pool<thing> p(std::move(c));
        std::string why;
        strategy s;
        s.success = [] {};
        s.failure = [](int, const char *) {};
        s.create_failure = [&](std::exception_ptr e) { why = failure_of([&] { std::rethrow_exception(e); }); };
        p.set_strategy(s);
        CHECK(failure_of([&] { p.acquire(); }) == "behind");
        CHECK(why == "behind");
    }
    WAIT_FOR(pool_debug_live() == 0); /* the thread of the factory is on its way out */
    nothing_is_left();
}

TEST(a_strategy_replaces_itself)
{
    {
        pool<thing> p(things(1));
        int first = 0, second = 0;
        strategy s, t;
        t.failure = s.failure = [](int, const char *) {};
        t.success = [&] { second++; };
        s.success = [&] {
            p.set_strategy(t);
            first++;
        };
        p.set_strategy(s);
        p.acquire().release();
        p.acquire().release();
        CHECK(first == 1 && second == 1);
    }
    nothing_is_left();
}

TEST(an_observer_hears_until_it_goes)
{
    asyncpool::observation late;
    {
        pool<thing> p(things(1));
        int available = 0, closed = 0;
        auto hears = [&](pool_event_kind_t kind) { (kind == POOL_EVENT_CLOSED ? closed : available)++; };
        {
            auto o = p.observe(hears);
            p.acquire();
            CHECK_INT(available, 1);
            asyncpool::observation moved(std::move(o));
            p.acquire();
            CHECK_INT(available, 2);
            o = std::move(moved);
            auto &self = o;
            o = std::move(self);
            p.acquire();
            CHECK_INT(available, 3);
        }
        p.acquire();
        CHECK_INT(available, 3);
        late = p.observe(hears);
        p.close();
        CHECK_INT(closed, 1);
        CHECK_STATUS(status_of([&] { (void)p.observe(hears); }), POOL_ERR_CLOSED);
    }
    CHECK_INT(pool_debug_live(), 1);
    late = {};
    nothing_is_left();
}

TEST(an_observer_ends_itself)
{
    {
        pool<thing> p(things(1));
        asyncpool::observation o;
        auto witness = std::make_shared<int>(0);
        o = p.observe([&, witness](pool_event_kind_t) {
            o = {};
            ++*witness;
        });
        p.acquire();
        p.acquire();
        CHECK_INT(*witness, 1);
        CHECK_INT(witness.use_count(), 1);
    }
    nothing_is_left();
}

TEST(what_an_observer_throws_is_unhandled)
{
    {
        config<thing> c = things(1);
        int unhandled = 0;
        c.unhandled = [&](std::exception_ptr) { unhandled++; };
        pool<thing> p(std::move(c));
        auto o = p.observe([](pool_event_kind_t) { throw failure("no"); });
        p.acquire().release();
        CHECK_INT(unhandled, 1);
    }
    nothing_is_left();
}
