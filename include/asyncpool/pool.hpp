/**
 * @file
 * @brief asyncpool in C++17, and C++20's coroutines: @ref pool_cpp.
 */
/**
 * @defgroup pool_cpp asyncpool in C++
 *
 * Header only, over pool.h; C++17. With C++20 coroutines wait by `co_await pool.acquire(reactor)`.
 *
 *     asyncpool::config<connection> config;
 *     config.factory = [] { return connection("db.example"); };     // throws if it cannot
 *     config.before_acquire = [](connection &c) { return c.is_open(); };
 *     config.max_size = 8;
 *     asyncpool::pool<connection> pool(std::move(config));
 *
 *     auto c = pool.acquire(5s);      // a lease, or an exception: the factory's, or asyncpool::error
 *     c->query("...");
 *                                     // its destructor gives it back
 *
 * - **What is stored.** A resource is a T in memory of its own, allocated where the factory is called; its address is
 *   the word that the C library knows it by. So equal values are different resources, T need be neither copyable nor
 *   movable, and acquiring allocates nothing. T's destructor must not throw.
 * - **Who owns what.** The pool object owns the pool: when it goes the pool is closed. Leases may outlive it; what they
 *   hold is destroyed when they end. Hooks, and what they have captured, go when the last lend has ended.
 * - **Exceptions.** What a factory throws arrives at the caller of acquire() as the same object, or at that of the
 *   constructor; see pool. Nothing is ever thrown through C.
 * - **Threads.** As in C: any thread, at any time, but for the pool object itself, which must not be moved or destroyed
 *   while others call it.
 * - **Not here:** hosts that drive ops, and schedulers of coroutines with stacks of their own: they use pool.h.
 * @{
 */
#ifndef ASYNCPOOL_POOL_HPP
#define ASYNCPOOL_POOL_HPP

#include <asyncpool/cpp/hooks.hpp>
#include <asyncpool/cpp/observation.hpp>
#include <asyncpool/cpp/reactor.hpp>

#include <algorithm>
#include <vector>

namespace asyncpool
{

/**
 * @brief A pool of T. Move-only; one that was moved from throws POOL_ERR_INVALID.
 *
 * Each function is that of pool.h with its name, whose text holds. Failures are thrown, as error.
 *
 * What hooks throw arrives so:
 *
 * | thrown by | arrives at |
 * |---|---|
 * | factory | acquire(), try_acquire(), co_await that called it; the constructor, for min_size |
 * | factory, config::create_behind | the acquire that is told of the failure: the first in line |
 * | factory, config::create_retry or try_later | nobody, if the creation succeeds later; whose time is up first, else |
 * | factory in a pass (min_size, min_idle, config::lazy_min) | nobody, and no strategy: stats() counts |
 * | before_acquire, strategy::should_recover | the acquire; what it got all the same goes back. On a loop: unhandled |
 * | before_release | lease::release(); unhandled, if it is the lease's destructor |
 * | destructor | release(), discard(), evict(), resize(), drain(), close(), the first of them; otherwise unhandled |
 * | healthcheck, leaked, observers, reports of a strategy | config::unhandled |
 *
 * Where there is no config::unhandled nobody hears of it; what the hook was called for is destroyed in any case.
 */
template <class T> class pool
{
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                  "a pool lends objects: no references, no arrays, nothing const");
    static_assert(std::is_nothrow_destructible_v<T>, "the destructor of what a pool lends must not throw");

  public:
    /** What is lent. */
    using value_type = T;
    /** One lend. */
    using lease = asyncpool::lease<T>;
    /** Hooks and options. */
    using config = asyncpool::config<T>;

    /** Makes the pool and min_size resources. Throws what the factory throws, and error. */
    explicit pool(config c) : pool_(hooks::create(std::make_unique<hooks>(std::move(c)))) {}
    /** The other can only be assigned to, or go. */
    pool(pool &&other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    /** Ends what this one is, as its destructor does. */
    pool &operator=(pool &&other) noexcept
    {
        pool moved(std::move(other));
        std::swap(pool_, moved.pool_);
        return *this;
    }
    /** Closes the pool. What hooks throw meanwhile is for config::unhandled: close() hears of it. */
    ~pool()
    {
        if (!pool_)
            return;
        const detail::call mark(detail::core::of(pool_), detail::purpose::silent);
        pool_t *gone = std::exchange(pool_, nullptr);
        pool_close(gone);
        pool_unref(gone);
    }

    /** Borrows one, and waits for ever. */
    lease acquire() { return borrow(0); }
    /** Borrows one; the status is POOL_ERR_TIMEOUT if there was none for so long. 0 or less does not wait at all. */
    template <class Rep, class Period> lease acquire(const std::chrono::duration<Rep, Period> &timeout)
    {
        if (const std::int64_t ms = detail::wait_ms(timeout))
            return borrow(ms);
        lease got = try_acquire();
        if (!got)
            throw error(POOL_ERR_TIMEOUT);
        return got;
    }
    /** Borrows one, if that needs no waiting; otherwise the lease is empty. */
    lease try_acquire() { return borrow_by(pool_try_acquire_lease); }

    /** Calls f with a resource, a T &, and gives it back whatever happens. Answers what f does. */
    template <class F> decltype(auto) use(F &&f) { return use_leased(acquire(), std::forward<F>(f)); }
    /** The same, with a time to wait. */
    template <class Rep, class Period, class F>
    decltype(auto) use(const std::chrono::duration<Rep, Period> &timeout, F &&f)
    {
        return use_leased(acquire(timeout), std::forward<F>(f));
    }

#ifdef ASYNCPOOL_COROUTINES
    /** co_await it, on a loop that dispatches the reactor: a lease. */
    acquiring<T> acquire(const reactor &loop) { return {checked(), loop.native_handle(), 0}; }
    /** The same, with a time to wait, of a millisecond at least. */
    template <class Rep, class Period>
    acquiring<T> acquire(const reactor &loop, const std::chrono::duration<Rep, Period> &timeout)
    {
        const std::int64_t ms = detail::wait_ms(timeout);
        return {checked(), loop.native_handle(), ms ? ms : 1};
    }
#endif
    /** Has the pool served by this reactor: healthchecks and creations of config::on_reactor. Before it is used. */
    void attach(const reactor &loop) { detail::check(pool_reactor_attach(loop.native_handle(), checked())); }

    /** Has nothing that exists now lent again. */
    void evict()
    {
        run([](pool_t *p) { return pool_evict(p); });
    }
    /** Changes how many there may be, and how many are kept up. */
    void resize(std::uint32_t min_size, std::uint32_t max_size)
    {
        run([=](pool_t *p) { return pool_resize(p, min_size, max_size); });
    }
    /** Destroys what is idle beyond keep_idle, and min_size, and min_idle. */
    void trim(std::uint32_t keep_idle)
    {
        run([=](pool_t *p) { return pool_trim(p, keep_idle); });
    }
    /** Stops lending: sends who waits away, and destroys what is idle. */
    void close() { run(pool_close); }
    /** Serves who stands in line, nobody else, and waits until everything is back and destroyed. */
    void drain()
    {
        run([](pool_t *p) { return pool_drain(p, 0); });
    }
    /** The same, but when the time is up it is closed. Is everything back? */
    template <class Rep, class Period> bool drain(const std::chrono::duration<Rep, Period> &timeout)
    {
        const std::int64_t ms = detail::wait_ms(timeout);
        return run([=](pool_t *p) {
                   const pool_status_t closed = ms ? POOL_OK : pool_close(p);
                   return closed < 0 ? closed : pool_drain(p, ms ? ms : 1);
               }) == POOL_OK;
    }
    /** Has it been closed, or a drain begun? So is one that was moved from. */
    bool is_closed() const noexcept { return pool_is_closed(pool_); }

    /** All counts of one instant. */
    pool_snapshot_t snapshot() const { return filled<pool_snapshot_t>(pool_snapshot); }
    /** What has happened since the pool was made. */
    pool_stats_t stats() const { return filled<pool_stats_t>(pool_stats); }
    /** Who holds what, in no order. */
    std::vector<lend> lends() const
    {
        std::vector<pool_lend_t> found(pool_lends(checked(), nullptr, 0) + 1u);
        found[0].struct_size = sizeof found[0];
        for (std::uint32_t n; (n = pool_lends(pool_, found.data(), static_cast<std::uint32_t>(found.size()))) != 0;) {
            const bool fits = n <= found.size();
            found.resize(fits ? n : n + n / 8u);
            if (fits)
                return translated(found);
        }
        return {};
    }
    /** The pool in one line, for logs. */
    std::string describe() const
    {
        char text[256];
        return {text, std::min(pool_describe(pool_, text, sizeof text), sizeof text - 1)};
    }

    /** The circuit breaker's state. */
    pool_circuit_state_t state() const noexcept { return pool_state(pool_); }
    /** Closes the breaker: lends again. */
    void activate() { run(pool_activate); }
    /** Opens it: lends nothing. */
    void deactivate() { run(pool_deactivate); }
    /** Lends a few probes. */
    void recover() { run(pool_recover); }
    /** The strategy that is built in; 0 failures: none any more. POOL_COUNT_CREATIONS, POOL_COUNT_RELEASES or both. */
    void set_threshold(std::uint32_t failures, std::chrono::milliseconds open, std::uint32_t successes = 1,
                       std::uint32_t what = POOL_COUNT_CREATIONS | POOL_COUNT_RELEASES)
    {
        const std::uint32_t ms = detail::option_ms("open", open);
        detail::check(pool_strategy_threshold_on(checked(), what, failures, ms, successes));
    }
    /** A strategy of yours, in place of the one before. What it has captured stays as long as the hooks do. */
    void set_strategy(strategy s)
    {
        auto *own = static_cast<hooks *>(detail::core::of(checked()));
        detail::check(pool_set_strategy(pool_, own->keep(std::move(s))));
    }
    /** None any more, built in or not. */
    void set_strategy(std::nullptr_t) { detail::check(pool_set_strategy(checked(), nullptr)); }

    /** Has an observer called until what this answers goes: when a place becomes free, and when the pool is closed. */
    [[nodiscard]] observation observe(std::function<void(pool_event_kind_t)> told)
    {
        return observation(checked(), std::move(told));
    }

    /** For what pool.h has more. Resources are T *. Null: it was moved from. */
    pool_t *native_handle() const noexcept { return pool_; }

  private:
    using hooks = detail::hooks<T>;

    pool_t *checked() const
    {
        if (!pool_)
            throw error(POOL_ERR_INVALID, "the pool was moved from");
        return pool_;
    }

    /* Hooks may destroy this object: from the call on it is not looked at. */
    template <class F> pool_status_t run(F &&f)
    {
        pool_t *p = checked();
        const detail::call mark(detail::core::of(p), detail::purpose::ending);
        const pool_status_t status = f(p);
        mark.end(status == POOL_ERR_TIMEOUT ? POOL_OK : status);
        return status;
    }

    lease borrow(std::int64_t timeout_ms)
    {
        return borrow_by([=](pool_t *p, pool_lease_t *of) { return pool_acquire_lease(p, of, timeout_ms); });
    }

    /* What was got although a hook has thrown goes back. */
    template <class F> static lease borrowed(pool_t *p, F &&acquire_by)
    {
        const detail::call mark(detail::core::of(p), detail::purpose::acquiring);
        pool_lease_t of;
        const pool_status_t status = acquire_by(p, &of);
        lease got;
        if (status == POOL_OK)
            got = lease(p, of);
        mark.end_acquire(status);
        return got;
    }
    template <class F> lease borrow_by(F &&acquire_by) { return borrowed(checked(), std::forward<F>(acquire_by)); }

    /* Not by the lease's destructor: what hooks throw is for the caller. */
    template <class F> static decltype(auto) use_leased(lease borrowed, F &&f)
    {
        using result = std::invoke_result_t<F, T &>;
        if constexpr (std::is_void_v<result>) {
            std::invoke(std::forward<F>(f), *borrowed);
            borrowed.release();
        } else {
            result answer = std::invoke(std::forward<F>(f), *borrowed);
            borrowed.release();
            if constexpr (std::is_reference_v<result>)
                return static_cast<result>(answer);
            else
                return answer;
        }
    }

    template <class S, class P> S filled(pool_status_t (*fill)(P *, S *)) const
    {
        S s{};
        s.struct_size = sizeof s;
        detail::check(fill(checked(), &s));
        return s;
    }

    static std::vector<lend> translated(const std::vector<pool_lend_t> &found)
    {
        std::vector<lend> all;
        all.reserve(found.size());
        for (const pool_lend_t &l : found)
            all.push_back(detail::lend_of(l));
        return all;
    }

    pool_t *pool_;
};

/** What this thread is about: the lends that it begins have this tag. A text that stays for ever, or null. */
inline void tag(const char *text) noexcept { pool_tag(text); }

/** What all pools of this process tell, as OpenMetrics text. */
inline std::string metrics()
{
    std::string text(4096, '\0');
    for (std::size_t length; (length = pool_metrics(text.data(), text.size())) != 0;) {
        const bool fits = length < text.size();
        text.resize(fits ? length : length + length / 8 + 1);
        if (fits)
            return text;
    }
    detail::check(pool_last_error(nullptr, nullptr, 0));
    return {};
}

} // namespace asyncpool

/** @} */

#endif
