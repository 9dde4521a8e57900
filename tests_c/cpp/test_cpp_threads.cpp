/* Threads in C++: 64 of them share 8 resources. */
#include "things.hpp"

using asyncpool::config;
using asyncpool::pool;

namespace
{

enum { THREADS = 64, PLACES = 8 };

/* A resource that says if two have it at once. */
struct guarded {
    thing counted;
    std::atomic_flag in_use = ATOMIC_FLAG_INIT;
    int plain = 0; /* a race of it is one of the pool */
    guarded() = default;
    guarded(guarded &&) = delete;

    void touch()
    {
        CHECK(!in_use.test_and_set());
        plain++;
        sched_yield();
        in_use.clear();
    }
};

template <class F> void in_threads(F body)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < THREADS; i++)
        threads.emplace_back([=] { body(i); });
    for (std::thread &t : threads)
        t.join();
}

config<guarded> guarded_things()
{
    config<guarded> c;
    c.factory = [] { return guarded(); };
    c.max_size = PLACES;
    return c;
}

} // namespace

TEST(sixty_four_threads_share_eight_resources)
{
    {
        config<guarded> c = guarded_things();
        c.before_acquire = [](guarded &) { return true; };
        c.before_release = [](guarded &g) { return g.plain % 16 != 0; };
        pool<guarded> p(std::move(c));
        std::atomic<int> done{0};
        in_threads([&](int number) {
            for (int i = 0; i < 200 && (i < 10 || check_time_left()); i++) {
                switch ((number + i) % 4) {
                case 0:
                    p.acquire()->touch();
                    break;
                case 1:
                    p.use([](guarded &g) { g.touch(); });
                    break;
                case 2: {
                    auto lease = p.acquire(1h);
                    lease->touch();
                    auto moved = std::move(lease);
                    moved.discard();
                    break;
                }
                default:
                    if (auto lease = p.try_acquire())
                        lease->touch();
                }
                done++;
            }
        });
        const pool_stats_t s = p.stats();
        CHECK_INT(s.created, s.destroyed + s.detached + s.count);
        CHECK(s.peak_active <= PLACES && done >= THREADS * 10);
        CHECK_COUNTS(p.native_handle(), s.count, 0, 0);
    }
    nothing_is_left();
}

/* Each thread's factory throws another number, and each hears its own, but where others were told. */
TEST(every_thread_hears_what_its_own_factory_throws)
{
    static thread_local int own;
    {
        config<guarded> c = guarded_things();
        c.factory = []() -> guarded { throw own; };
        pool<guarded> p(std::move(c));
        in_threads([&](int number) {
            for (int i = 0; i < 100 && (i < 10 || check_time_left()); i++) {
                own = number * 1000 + i;
                try {
                    p.acquire();
                    CHECK(false);
                } catch (int thrown) {
                    CHECK_INT(thrown, own);
                }
            }
        });
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
    }
    nothing_is_left();
}

TEST(a_crowd_hears_what_is_thrown_behind)
{
    {
        std::atomic<int> thrown{0};
        config<guarded> c = guarded_things();
        c.create_behind = true;
        c.factory = [&]() -> guarded { throw ++thrown; };
        pool<guarded> p(std::move(c));
        in_threads([&](int) {
            for (int i = 0; i < 20 && (i < 2 || check_time_left()); i++)
                try {
                    p.acquire();
                    CHECK(false);
                } catch (int number) {
                    CHECK(number > 0 && number <= thrown);
                }
        });
    }
    WAIT_FOR(pool_debug_live() == 0); /* one that makes may be on its way out */
    nothing_is_left();
}

TEST(a_pool_is_closed_while_hooks_throw)
{
    for (int round = 0; round < 20 && (round < 2 || check_time_left()); round++) {
        {
            config<guarded> c = guarded_things();
            std::atomic<unsigned> calls{0};
            const auto now_and_then = [&] {
                if (++calls % 3 == 0)
                    throw failure("now and then");
                return true;
            };
            std::atomic<int> unhandled{0};
            c.factory = [=] { return now_and_then(), guarded(); };
            c.before_acquire = [=](guarded &) { return now_and_then(); };
            c.before_release = [=](guarded &) { return now_and_then(); };
            c.destructor = [=](guarded &) { now_and_then(); };
            c.unhandled = [&](std::exception_ptr) { unhandled++; };
            pool<guarded> p(std::move(c));
            std::atomic<int> arrived{0};
            std::thread closer([&] {
                WAIT_FOR(arrived > 50);
                failure_of([&] { p.close(); });
            });
            in_threads([&](int) {
                for (pool_status_t status = POOL_OK; status != POOL_ERR_CLOSED;) {
                    status = status_of([&] {
                        if (!failure_of([&] { p.acquire()->touch(); }).empty())
                            arrived++;
                    });
                    CHECK(status == POOL_OK || status == POOL_ERR_CLOSED);
                }
            });
            closer.join();
            CHECK_COUNTS(p.native_handle(), 0, 0, 0);
        }
        nothing_is_left();
    }
}

TEST(strategies_and_observers_come_and_go)
{
    {
        pool<guarded> p(guarded_things());
        std::atomic<int> heard{0};
        std::atomic<bool> stop{false};
        std::thread changes([&] {
            for (int i = 0; i < 100 && (i < 5 || check_time_left()); i++) {
                asyncpool::strategy s;
                s.success = [&heard, own = std::make_shared<int>(i)] { heard += *own >= 0; };
                s.failure = [](int, const char *) {};
                p.set_strategy(std::move(s));
                auto o = p.observe([&heard, own = std::make_shared<int>(i)](pool_event_kind_t) { heard += *own >= 0; });
                const int before = heard;
                WAIT_FOR(heard > before);
            }
            stop = true;
        });
        in_threads([&](int) {
            while (!stop)
                p.acquire()->touch();
        });
        changes.join();
    }
    nothing_is_left();
}
