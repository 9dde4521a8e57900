/* What nobody should do with a pool in C++, and somebody will. */
#include "things.hpp"

#include <climits>
#include <sys/wait.h>
#include <unistd.h>

using asyncpool::config;
using asyncpool::pool;

namespace
{

/* Moves throw while it says so. */
struct jumpy {
    static inline bool throws = false;
    thing counted;
    jumpy() = default;
    jumpy(jumpy &&other) : counted(std::move(other.counted))
    {
        if (throws)
            throw failure("will not be moved");
    }
};

} // namespace

TEST(a_move_that_throws_loses_what_is_detached_and_nothing_else)
{
    {
        config<jumpy> c;
        c.factory = [] { return jumpy(); };
        jumpy::throws = true; /* a factory's result is not moved */
        pool<jumpy> p(std::move(c));
        auto lease = p.acquire();
        CHECK(failure_of([&] { lease.detach(); }) == "will not be moved");
        CHECK(!lease);
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
        CHECK_INT(thing::alive.load(), 0);
        jumpy::throws = false;
        jumpy mine = p.acquire().detach();
        CHECK_INT(thing::alive.load(), 1);
    }
    nothing_is_left();
}

namespace
{

/* A resource that holds a lend of another one of its pool. */
struct link_of_chain {
    thing counted;
    asyncpool::lease<link_of_chain> next;
};

} // namespace

TEST(resources_hold_leases_of_their_own_pool)
{
    {
        config<link_of_chain> c;
        c.factory = [] { return link_of_chain(); };
        c.max_size = 100;
        pool<link_of_chain> p(std::move(c));
        auto first = p.acquire();
        link_of_chain *last = first.get();
        for (int i = 1; i < 100; i++) {
            last->next = p.acquire();
            last = last->next.get();
        }
        CHECK(!p.try_acquire());
        first.discard(); /* whose destructor releases the second, which stays with all behind it */
        CHECK_COUNTS(p.native_handle(), 1, 98, 0);
        auto second = p.acquire();
        p.close();
        second.release(); /* and now each destroys the next */
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
    }
    nothing_is_left();
}

TEST(hooks_use_their_own_pool)
{
    {
        pool<thing> *own = nullptr;
        config<thing> c = things(50);
        int depth = 0, ended = 0;
        c.factory = [&] {
            if (own && depth < 40) {
                depth++;
                own->acquire(); /* in the factory, 40 deep */
            }
            return thing();
        };
        c.before_release = [&](thing &) { return own->stats().lends > 0; };
        c.destructor = [&](thing &) {
            ended++;
            own->try_acquire();
        };
        pool<thing> p(std::move(c));
        own = &p;
        p.acquire();
        CHECK_INT(depth, 40);
        p.acquire().discard();
        CHECK_INT(ended, 1);
        const auto all = p.snapshot().idle;
        CHECK(all > 0);
        p.evict();
        CHECK(ended > static_cast<int>(all));
        /* While it closes a hook is told so; that is thrown at who closes. */
        p.acquire();
        CHECK_STATUS(status_of([&] { p.close(); }), POOL_ERR_CLOSED);
        CHECK_INT(p.snapshot().idle, 0);
    }
    nothing_is_left();
}

TEST(who_hears_of_the_unhandled_uses_the_pool)
{
    {
        pool<thing> *own = nullptr;
        config<thing> c = things(8);
        int heard = 0;
        c.unhandled = [&](std::exception_ptr) {
            if (heard++ < 3)
                own->acquire();
        };
        c.before_release = [](thing &) -> bool { throw failure("never"); };
        pool<thing> p(std::move(c));
        own = &p;
        p.acquire();
        CHECK_INT(heard, 4); /* one inside of the other */
    }
    nothing_is_left();
}

TEST(an_exception_owns_a_lease)
{
    {
        struct holder {
            std::shared_ptr<asyncpool::lease<thing>> held;
        };
        pool<thing> other(things(1));
        config<thing> c = things(1);
        c.factory = [&]() -> thing { throw holder{std::make_shared<asyncpool::lease<thing>>(other.acquire())}; };
        pool<thing> p(std::move(c));
        try {
            p.acquire();
            CHECK(false);
        } catch (const holder &h) {
            CHECK_COUNTS(other.native_handle(), 0, 1, 0);
            CHECK((**h.held).number > 0);
        }
        CHECK_COUNTS(other.native_handle(), 1, 0, 0);
    }
    nothing_is_left();
}

TEST(a_value_that_use_returns_goes_if_its_release_throws)
{
    {
        config<thing> c = things(1);
        c.before_release = [](thing &) -> bool { throw failure("will not"); };
        pool<thing> p(std::move(c));
        auto witness = std::make_shared<int>(1);
        CHECK(failure_of([&] { p.use([&](thing &) { return witness; }); }) == "will not");
        CHECK_INT(witness.use_count(), 1);
    }
    nothing_is_left();
}

namespace
{

struct ends_with_a_lease {
    asyncpool::lease<thing> held;
    ~ends_with_a_lease() { held.discard(); }
};

} // namespace

TEST(a_thread_keeps_a_lease_until_its_end)
{
    {
        pool<thing> p(things(1));
        std::thread([&] {
            static thread_local ends_with_a_lease kept;
            kept.held = p.acquire();
        }).join();
        CHECK_INT(p.stats().destroyed_discarded, 1);
    }
    nothing_is_left();
}

TEST(a_thread_that_is_cancelled_leaves_the_line)
{
    {
        pool<thing> p(things(1));
        auto lease = p.acquire();
        static std::atomic<int> unwound;
        const pthread_t waiter = check_thread(
            [](void *of) -> void * {
                struct witness {
                    ~witness() { unwound++; }
                } w;
                static_cast<pool<thing> *>(of)->acquire();
                return nullptr;
            },
            &p);
        WAIT_FOR(p.snapshot().waiting == 1);
        pthread_cancel(waiter);
        check_join(waiter);
        CHECK_INT(unwound.load(), 1);
        CHECK_COUNTS(p.native_handle(), 0, 1, 0);
        lease.release();
        p.acquire();
    }
    nothing_is_left();
}

TEST(a_child_of_a_fork_is_told)
{
    {
        pool<thing> p(things(2));
        auto lease = p.acquire();
        p.acquire();
        const pid_t child = fork();
        if (child == 0) {
            const bool told =
                status_of([&] { p.acquire(); }) == POOL_ERR_FORKED &&
                status_of([&] { p.try_acquire(); }) == POOL_ERR_FORKED &&
                status_of([&] { p.close(); }) == POOL_ERR_FORKED && status_of([&] { p.stats(); }) == POOL_ERR_FORKED &&
                status_of([&] { asyncpool::metrics(); }) == POOL_ERR_FORKED &&
                status_of([&] { pool<thing> q(things(1)); }) == POOL_ERR_FORKED &&
                status_of([&] { lease.release(); }) == POOL_ERR_FORKED && p.is_closed();
            {
                const pool<thing> gone(std::move(p));
            }
            _exit(told ? 0 : 1);
        }
        int status = 0;
        CHECK_INT(waitpid(child, &status, 0), child);
        CHECK_INT(status, 0);
        lease.release();
    }
    nothing_is_left();
}

TEST(static_objects_go_in_any_order)
{
    char self[PATH_MAX] = "";
    CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    const pid_t child = fork();
    if (child == 0) { /* with a program of its own: the library is loaded anew */
        execl(self, "test_cpp_hostile", "statics_of_a_program", nullptr);
        _exit(2);
    }
    int status = 0;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
}

TEST(statics_of_a_program)
{
    static asyncpool::lease<thing> outlives;
    static pool<thing> p(things(2));
    static asyncpool::lease<thing> goes_before = p.acquire();
    static asyncpool::observation o = p.observe([](pool_event_kind_t) {});
    outlives = p.acquire();
    CHECK_INT(p.snapshot().active, 2);
    fflush(nullptr);
    exit(0);
}
