/*
 * How exceptions of hooks reach their callers: a part of asyncpool/pool.hpp, and no API.
 *
 * Nothing is thrown through the C library, although it would allow that: a hook that throws answers false, and what it
 * has thrown is kept until the call that it ran for is back. So each call that may run hooks leaves a mark on its
 * thread, and a hook finds the innermost one of its pool. What a hook throws on a thread where its pool was not called,
 * one of the library or that of a loop, has no caller; and neither has what is thrown while something ends by itself.
 *
 * What factories throw may be told to others than the one who has called them: with patient creation, with creations
 * behind, on loops. The C library carries the number of a hook's error from the factory to who is told, so that finds
 * the exception.
 */
#ifndef ASYNCPOOL_CPP_CALL_HPP
#define ASYNCPOOL_CPP_CALL_HPP

#include <asyncpool/cpp/error.hpp>

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

/** @cond */
namespace asyncpool::detail
{

/* The last exceptions of factories, by the numbers that pool_set_error() was given. */
class failures
{
  public:
    int add(std::exception_ptr thrown) noexcept
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        last_ = last_ == std::numeric_limits<int>::max() ? 1 : last_ + 1;
        failure &oldest = kept_[static_cast<std::size_t>(last_) % kept_.size()];
        oldest.number = last_;
        std::swap(oldest.thrown, thrown); /* what goes may run code of the host's: not under the lock */
        return last_;
    }

    /* In a crowd the exact one may be gone; the last that was thrown is as good then. */
    std::exception_ptr find(int number) const noexcept
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (number <= 0 || last_ == 0)
            return nullptr;
        const failure &exact = kept_[static_cast<std::size_t>(number) % kept_.size()];
        return exact.number == number ? exact.thrown : kept_[static_cast<std::size_t>(last_) % kept_.size()].thrown;
    }

  private:
    struct failure {
        int number = 0;
        std::exception_ptr thrown;
    };
    mutable std::mutex mutex_;
    std::array<failure, 16> kept_;
    int last_ = 0;
};

/* Throws what pool_last_error() says, unless it went well. */
inline void check(pool_status_t status)
{
    char text[256] = "";
    if (status < 0)
        throw error(status, pool_last_error(nullptr, text, sizeof text) == status ? text : "");
}

/* What a pool has besides its hooks. It lives as long as the C library's pool, whose user_data it is. */
class core
{
  public:
    static core *of(const pool_t *pool) noexcept { return pool ? static_cast<core *>(pool->user_data) : nullptr; }

    /* A hook has thrown, and its resource is treated as after a no. */
    inline void thrown(pool_t *pool, std::exception_ptr exception) noexcept;
    /* The destructor hook has: that is nothing to somebody who only wants another resource. */
    inline void thrown_by_destructor(std::exception_ptr exception) noexcept;
    /* The factory has. */
    inline void failed(pool_t *pool, const std::exception_ptr &exception);
    /* What a factory has thrown of which pool_last_error() tells this code. */
    std::exception_ptr failure(int code) const noexcept { return failures_.find(code); }

    /* Nobody else hears of it. */
    void unhandled(std::exception_ptr exception) const noexcept
    {
        if (unhandled_)
            unhandled_(std::move(exception));
    }

  protected:
    core(std::function<void(std::exception_ptr)> unhandled, bool told_to_others)
        : unhandled_(std::move(unhandled)), told_to_others_(told_to_others)
    {
    }
    ~core() = default;
    core(const core &) = delete;
    core &operator=(const core &) = delete;

  private:
    std::function<void(std::exception_ptr)> unhandled_;
    bool told_to_others_; /* what a factory throws may be told to others than its caller */
    failures failures_;
};

/* Throws what a failed acquire is told, unless it went well. */
inline void tell(const core *of, pool_status_t status)
{
    int code = 0;
    if (status == POOL_ERR_FACTORY && pool_last_error(&code, nullptr, 0) == status)
        if (const std::exception_ptr thrown = of->failure(code))
            std::rethrow_exception(thrown);
    check(status);
}

enum class purpose {
    acquiring, /* gets what hooks throw, but for the destructor */
    ending,    /* gets all that hooks throw */
    silent     /* gets nothing: it is a destructor itself */
};

/* The mark of a call, on the stack of who makes it. Hooks come back in any order, on the thread where they began. */
class call
{
  public:
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdangling-pointer" /* the destructor takes it out */
#endif
    call(const core *of, purpose why) noexcept : of_(of), why_(why), outer_(innermost())
    {
        if (outer_)
            outer_->inner_ = this;
        innermost() = this;
    }
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#pragma GCC diagnostic pop
#endif

    call(const call &) = delete;
    call &operator=(const call &) = delete;

    ~call()
    {
        if (outer_)
            outer_->inner_ = inner_;
        if (inner_)
            inner_->outer_ = outer_;
        else
            innermost() = outer_;
    }

    /* The innermost call of this pool on this thread. */
    static call *find(const core *of) noexcept
    {
        call *c = innermost();
        while (c && c->of_ != of)
            c = c->outer_;
        return c;
    }

    bool is_clean() const noexcept { return !thrown_; }

    /* Throws what a hook has thrown, or what a status says; comes back if all went well. The pool may be gone. */
    void end(pool_status_t status) const
    {
        if (thrown_)
            std::rethrow_exception(thrown_);
        if (status == POOL_ERR_FACTORY && failure_)
            std::rethrow_exception(failure_);
        check(status);
    }

    /* The same of an acquire, which may be told what a factory has thrown for another; the pool is there then. */
    void end_acquire(pool_status_t status) const
    {
        if (!thrown_ && !failure_)
            tell(of_, status);
        end(status);
    }

    /* Takes an exception for its caller. */
    bool take(std::exception_ptr &exception) noexcept
    {
        if (why_ == purpose::silent || thrown_)
            return false;
        thrown_ = std::move(exception);
        return true;
    }
    void take_failure(const std::exception_ptr &exception) noexcept { failure_ = exception; }
    std::exception_ptr failure() const noexcept { return failure_; }
    purpose why() const noexcept { return why_; }

  private:
    static call *&innermost() noexcept
    {
        static thread_local call *innermost = nullptr;
        return innermost;
    }

    const core *of_;
    purpose why_;
    call *outer_, *inner_ = nullptr;
    std::exception_ptr thrown_;  /* by a hook: the caller hears of it in any case */
    std::exception_ptr failure_; /* by the factory: the caller hears of it if it gets nothing */
};

/* Says to the C library why a hook answers false: a strategy may want to know, and pool_last_error(). */
inline void say(pool_t *pool, int code, const std::exception_ptr &exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception &e) {
        pool_set_error(pool, code, e.what());
    } catch (...) {
        pool_set_error(pool, code, "an exception that is no std::exception");
    }
}

inline void core::thrown(pool_t *pool, std::exception_ptr exception) noexcept
{
    say(pool, 0, exception);
    call *c = call::find(this);
    if (!c || !c->take(exception))
        unhandled(std::move(exception));
}

inline void core::thrown_by_destructor(std::exception_ptr exception) noexcept
{
    call *c = call::find(this);
    if (!c || c->why() != purpose::ending || !c->take(exception))
        unhandled(std::move(exception));
}

inline void core::failed(pool_t *pool, const std::exception_ptr &exception)
{
    call *c = call::find(this);
    if (c)
        c->take_failure(exception);
    std::uint32_t later_ms = 0;
    bool later = false;
    try {
        std::rethrow_exception(exception);
    } catch (const try_later &e) {
        later = true;
        const std::int64_t ms = e.pause().count();
        constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
        later_ms = static_cast<std::uint32_t>(ms < 0 ? 0 : ms < most ? ms : most);
    } catch (...) {
    }
    say(pool, c && !told_to_others_ && !later ? 0 : failures_.add(exception), exception);
    if (later)
        pool_try_later(pool, later_ms);
}

/* Milliseconds for a config: what does not fit is refused. */
inline std::uint32_t option_ms(const char *name, std::chrono::milliseconds value)
{
    if (value.count() < 0 || value.count() > std::numeric_limits<std::uint32_t>::max())
        throw error(POOL_ERR_INVALID, std::string(name) + " has to be from 0 to 4294967295 ms");
    return static_cast<std::uint32_t>(value.count());
}

/* Milliseconds for a wait, rounded up; 0: the time is up. What is very long is for ever. */
template <class Rep, class Period> std::int64_t wait_ms(const std::chrono::duration<Rep, Period> &time)
{
    using namespace std::chrono;
    constexpr duration<double> longest = hours(24 * 365 * 100'000LL);
    if (!(time > time.zero()))
        return 0;
    if (duration<double>(time) >= longest)
        return std::numeric_limits<std::int64_t>::max();
    return ceil<milliseconds>(time).count();
}

/* Runs a hook. What it throws stays here: hear() gets it, and the answer is false. The end of a thread, which runs
 * through here as if it were an exception, goes on. */
template <class Hook, class Hear> bool guarded(Hook &&hook, Hear &&hear)
{
    std::exception_ptr thrown;
    try {
        return hook();
    } catch (...) {
        thrown = std::current_exception();
        if (!thrown)
            throw;
    }
    hear(std::move(thrown));
    return false;
}

} // namespace asyncpool::detail
/** @endcond */

#endif
