/* Leases and what they hold, in C++. */
#include "things.hpp"

#include <cmath>
#include <new>
#include <set>

using asyncpool::config;
using asyncpool::pool;

/* Allocations of the whole program. */
static std::atomic<int> allocations{0};

__attribute__((noinline)) void *operator new(std::size_t size)
{
    allocations++;
    if (void *memory = malloc(size ? size : 1))
        return memory;
    throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void *memory) noexcept { free(memory); }
__attribute__((noinline)) void operator delete(void *memory, std::size_t) noexcept { free(memory); }

TEST(a_lease_gives_back_when_it_goes)
{
    {
        pool<thing> p(things(1));
        int number;
        {
            auto lease = p.acquire();
            CHECK_COUNTS(p.native_handle(), 0, 1, 0);
            CHECK(lease && lease.id() != 0);
            CHECK_PTR(lease.get(), &*lease);
            number = lease->number;
        }
        CHECK_COUNTS(p.native_handle(), 1, 0, 0);
        CHECK_INT(p.acquire(1s)->number, number);
        CHECK_INT(p.try_acquire()->number, number);
    }
    nothing_is_left();
}

TEST(acquiring_and_giving_back_allocate_nothing)
{
    {
        config<thing> c = things(2);
        c.before_acquire = [](thing &) { return true; };
        c.before_release = [](thing &) { return true; };
        pool<thing> p(std::move(c));
        {
            auto first = p.acquire(), second = p.acquire();
        }
        const int before = allocations;
        for (int i = 0; i < 100; i++) {
            auto waiting = p.acquire(1s);
            auto lease = p.acquire();
            lease.release();
            CHECK_INT(p.use([](thing &t) { return t.number > 0; }), 1);
        }
        CHECK_INT(allocations - before, 0);
    }
    nothing_is_left();
}

TEST(equal_values_are_different_resources)
{
    {
        config<int> c;
        c.factory = [] { return 7; };
        c.max_size = 3;
        pool<int> p(std::move(c));
        auto one = p.acquire(), two = p.acquire(), three = p.acquire();
        CHECK_INT((std::set<int *>{one.get(), two.get(), three.get()}.size()), 3);
        CHECK(!p.try_acquire());
        *two = 8;
        int *kept = two.get();
        two.release();
        CHECK_INT(*one + *three, 14);
        auto again = p.acquire();
        CHECK_PTR(again.get(), kept);
        CHECK_INT(*again, 8);
    }
    nothing_is_left();
}

TEST(a_lease_that_has_ended_is_refused)
{
    {
        pool<thing> p(things(1));
        auto lease = p.acquire();
        lease.release();
        CHECK(!lease && !lease.get() && lease.id() == 0);
        auto next = p.acquire();
        CHECK_STATUS(status_of([&] { lease.release(); }), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(status_of([&] { lease.discard(); }), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(status_of([&] { lease.detach(); }), POOL_ERR_NOT_OWNED);
        CHECK_STATUS(status_of([&] { lease.info(); }), POOL_ERR_NOT_OWNED);
        CHECK_COUNTS(p.native_handle(), 0, 1, 0);
        CHECK_STATUS(status_of([&] { asyncpool::lease<thing>().release(); }), POOL_ERR_NOT_OWNED);
    }
    nothing_is_left();
}

TEST(a_lease_is_moved)
{
    {
        pool<thing> p(things(2));
        auto one = p.acquire();
        thing *resource = one.get();
        auto two = std::move(one);
        CHECK(!one);
        CHECK_PTR(two.get(), resource);
        CHECK_STATUS(status_of([&] { one.release(); }), POOL_ERR_NOT_OWNED);

        auto &self = two;
        two = std::move(self);
        CHECK_PTR(two.get(), resource);
        CHECK_COUNTS(p.native_handle(), 0, 1, 0);

        auto other = p.acquire();
        thing *others = other.get();
        two = std::move(other); /* gives back what it had */
        CHECK_PTR(two.get(), others);
        CHECK_COUNTS(p.native_handle(), 1, 1, 0);
        two.swap(one);
        CHECK(!two);
        CHECK_PTR(one.get(), others);
        one = {};
        CHECK_COUNTS(p.native_handle(), 2, 0, 0);
        static_assert(std::is_nothrow_move_constructible_v<pool<thing>::lease>);
        static_assert(std::is_nothrow_move_assignable_v<pool<thing>::lease>);
        static_assert(!std::is_copy_constructible_v<pool<thing>::lease>);
    }
    nothing_is_left();
}

TEST(what_is_detached_is_the_callers)
{
    {
        config<std::unique_ptr<thing>> c;
        int destroyed = 0;
        c.factory = [] { return std::make_unique<thing>(); };
        c.destructor = [&](std::unique_ptr<thing> &) { destroyed++; };
        c.max_size = 1;
        pool<std::unique_ptr<thing>> p(std::move(c));
        auto lease = p.acquire();
        const int number = (*lease)->number;
        std::unique_ptr<thing> mine = lease.detach();
        CHECK(!lease);
        CHECK_INT(mine->number, number);
        CHECK_COUNTS(p.native_handle(), 0, 0, 0);
        CHECK_INT(p.stats().detached, 1);
        p.acquire().discard();
        CHECK_INT(destroyed, 1);
        CHECK_INT(p.stats().destroyed_discarded, 1);
        CHECK_INT(thing::alive.load(), 1);
    }
    nothing_is_left();
}

TEST(a_lease_outlives_its_pool)
{
    {
        int destroyed = 0;
        asyncpool::lease<thing> lease, broken, kept;
        {
            config<thing> c = things(3);
            c.destructor = [&](thing &) { destroyed++; };
            pool<thing> p(std::move(c));
            lease = p.acquire();
            broken = p.acquire();
            kept = p.acquire();
        }
        CHECK_INT(destroyed, 0);
        CHECK(lease->number > 0);
        lease.release();
        CHECK_INT(destroyed, 1);
        broken.discard();
        CHECK_INT(destroyed, 2);
        kept.detach();
        CHECK_INT(destroyed, 2);
    }
    nothing_is_left();
}

TEST(a_pool_is_moved)
{
    {
        pool<thing> one(things(1));
        auto lease = one.acquire();
        pool<thing> two(std::move(one));
        CHECK(!one.native_handle() && one.is_closed());
        CHECK_STATUS(status_of([&] { one.acquire(); }), POOL_ERR_INVALID);
        auto &self = two;
        two = std::move(self);
        CHECK_INT(two.snapshot().active, 1);
        pool_t *gone = two.native_handle();
        pool_ref(gone);
        two = pool<thing>(things(2));
        CHECK(pool_is_closed(gone));
        CHECK_INT(two.snapshot().max, 2);
        pool_unref(gone);
        static_assert(std::is_nothrow_move_assignable_v<pool<thing>> && !std::is_copy_constructible_v<pool<thing>>);
    }
    nothing_is_left();
}

TEST(use_gives_back_whatever_happens)
{
    {
        pool<thing> p(things(1));
        CHECK_INT(p.use([](thing &t) { return t.number == thing::made; }), 1);
        static int elsewhere;
        CHECK_PTR(&p.use(1s, [](thing &) -> int & { return elsewhere; }), &elsewhere);
        CHECK(failure_of([&] { p.use([](thing &) { throw failure("of the user"); }); }) == "of the user");
        CHECK_COUNTS(p.native_handle(), 1, 0, 0);
        p.use(&thing::number);
        auto lease = p.acquire();
        CHECK_STATUS(status_of([&] { p.use(1ms, [](thing &) { CHECK(false); }); }), POOL_ERR_TIMEOUT);
    }
    nothing_is_left();
}

TEST(a_time_of_any_unit_is_waited_for)
{
    {
        pool<thing> p(things(1));
        p.acquire(std::chrono::hours::max());
        p.acquire(std::chrono::nanoseconds(1));
        p.acquire(std::chrono::duration<double>(0.5));
        p.acquire(std::chrono::duration<double>(1e300));
        p.acquire(0s);
        auto lease = p.acquire();
        CHECK_STATUS(status_of([&] { p.acquire(1ns); }), POOL_ERR_TIMEOUT);
        CHECK_STATUS(status_of([&] { p.acquire(1.5ms); }), POOL_ERR_TIMEOUT);
        CHECK_INT(p.stats().timeouts, 2);
        /* These do not wait. */
        CHECK_STATUS(status_of([&] { p.acquire(0s); }), POOL_ERR_TIMEOUT);
        CHECK_STATUS(status_of([&] { p.acquire(-1h); }), POOL_ERR_TIMEOUT);
        CHECK_STATUS(status_of([&] { p.acquire(std::chrono::nanoseconds::min()); }), POOL_ERR_TIMEOUT);
        CHECK_STATUS(status_of([&] { p.acquire(std::chrono::duration<double>(-1e300)); }), POOL_ERR_TIMEOUT);
        CHECK_STATUS(status_of([&] { p.acquire(std::chrono::duration<double>(std::nan(""))); }), POOL_ERR_TIMEOUT);
        CHECK_INT(p.stats().timeouts, 2);
        CHECK(!p.try_acquire());
    }
    nothing_is_left();
}

namespace
{

struct immovable {
    std::mutex mutex;
    int value;
    explicit immovable(int v) : value(v) {}
    immovable(immovable &&) = delete;
};

struct alignas(64) wide {
    char bytes[64];
};

struct handle {
    int value = 5;
};

} // namespace

TEST(any_type_is_lent)
{
    {
        config<immovable> c;
        c.factory = [] { return immovable(3); };
        pool<immovable> p(std::move(c));
        auto lease = p.acquire();
        const std::lock_guard<std::mutex> guard(lease->mutex);
        CHECK_INT(lease->value, 3);
    }
    {
        config<wide> c;
        c.factory = [] { return wide{}; };
        pool<wide> p(std::move(c));
        CHECK_INT(reinterpret_cast<std::uintptr_t>(p.acquire().get()) % 64, 0);
    }
    {
        config<void *> c; /* null is a resource as any other */
        c.factory = []() -> void * { return nullptr; };
        pool<void *> p(std::move(c));
        auto lease = p.acquire();
        CHECK(lease && *lease == nullptr);
    }
    {
        handle h;
        config<handle *> c; /* the resource is the pointer, and -> reaches what it points to */
        c.factory = [&] { return &h; };
        int ended = 0;
        c.destructor = [&](handle *&pointer) { ended += pointer == &h; };
        {
            pool<handle *> p(std::move(c));
            auto one = p.acquire(), two = p.acquire();
            CHECK_INT(one->value + (*two)->value, 10);
            CHECK_PTR(*one, *two);
            CHECK(one.get() != two.get());
        }
        CHECK_INT(ended, 2);
    }
    nothing_is_left();
}

TEST(a_pool_is_evicted_resized_drained_and_closed)
{
    {
        pool<thing> p(things(2));
        auto lease = p.acquire();
        p.acquire();
        p.evict();
        lease.release();
        CHECK_INT(p.stats().destroyed_evicted, 2);
        p.resize(0, 5);
        CHECK_INT(p.snapshot().max, 5);
        CHECK_STATUS(status_of([&] { p.resize(3, 2); }), POOL_ERR_INVALID);
        lease = p.acquire();
        CHECK(!p.drain(1ms));
        CHECK(p.is_closed());
        CHECK_STATUS(status_of([&] { p.acquire(); }), POOL_ERR_CLOSED);
        CHECK_STATUS(status_of([&] { p.try_acquire(); }), POOL_ERR_CLOSED);
        CHECK_STATUS(status_of([&] { p.evict(); }), POOL_ERR_CLOSED);
        CHECK_STATUS(status_of([&] { p.trim(0); }), POOL_ERR_CLOSED);
        CHECK_STATUS(status_of([&] { p.resize(0, 1); }), POOL_ERR_CLOSED);
        lease.release();
        CHECK(p.drain(1h));
        p.drain();
        p.close();
    }
    {
        pool<thing> p(things(2));
        auto lease = p.acquire();
        CHECK(!p.drain(0s)); /* closes at once */
        lease.release();
        CHECK(p.drain(-1s));
    }
    nothing_is_left();
}

TEST(a_pool_tells_what_it_knows)
{
    {
        config<thing> c = things(3);
        c.name = "things";
        c.timed = true;
        pool<thing> p(std::move(c));
        CHECK_INT(p.lends().size(), 0);
        asyncpool::tag("one");
        auto one = p.acquire();
        asyncpool::tag("two");
        auto two = p.acquire();
        asyncpool::tag(nullptr);
        CHECK_STR(one.info().tag, "one");
        CHECK_INT(two.info().uses, 1);
        const auto lends = p.lends();
        CHECK_INT(lends.size(), 2);
        for (const asyncpool::lend &l : lends) {
            const bool first = l.resource == &*one;
            CHECK(first || l.resource == &*two);
            CHECK_STR(l.tag, first ? "one" : "two");
            CHECK_INT(l.id, (first ? one : two).id());
            CHECK_INT(l.uses, 1);
            CHECK(l.thread != 0);
        }
        CHECK(p.describe().find("name=things, idle=0, active=2") != std::string::npos);
        CHECK_INT(p.stats().lends, 2);
        CHECK_INT(p.snapshot().active, 2);
        CHECK(asyncpool::metrics().find("asyncpool_lends_total{pool=\"things\"} 2") != std::string::npos);
    }
    nothing_is_left();
}

TEST(more_lends_and_metrics_than_a_first_guess_are_told)
{
    {
        pool<thing> p(things(500));
        std::vector<asyncpool::lease<thing>> leases;
        for (int i = 0; i < 500; i++)
            leases.push_back(p.acquire());
        CHECK_INT(p.lends().size(), 500);
        std::vector<pool<thing>> many;
        for (int i = 0; i < 50; i++)
            many.emplace_back(things(1));
        const std::string text = asyncpool::metrics();
        CHECK(text.size() > 4096 && text.substr(text.size() - 6) == "# EOF\n");
    }
    nothing_is_left();
}

TEST(c_code_sees_the_address_of_the_resource)
{
    {
        pool<thing> p(things(1));
        void *resource;
        CHECK_STATUS(pool_acquire(p.native_handle(), &resource, 1000), POOL_OK);
        CHECK_INT(static_cast<thing *>(resource)->number, thing::made.load());
        CHECK_STATUS(pool_release(p.native_handle(), resource), POOL_OK);
        CHECK_PTR(p.acquire().get(), resource);
    }
    nothing_is_left();
}
