/**
 * @file
 * @brief Event loops and C++20's coroutines: a part of asyncpool/pool.hpp.
 */
#ifndef ASYNCPOOL_CPP_REACTOR_HPP
#define ASYNCPOOL_CPP_REACTOR_HPP

#include <asyncpool/cpp/lease.hpp>

#if __cplusplus >= 202002L && defined(__cpp_impl_coroutine)
#include <coroutine>
/** co_await pool.acquire(reactor) is there. */
#define ASYNCPOOL_COROUTINES 1
#endif

namespace asyncpool
{

/**
 * @brief A reactor: what a loop watches for its pools. Move-only; see @ref pool_loops.
 *
 * A libuv loop watches it by pool_uv_init_reactor(), an epoll loop by asyncpool/epoll.h, any other by fd() and
 * dispatch(). It stays while anything waits on it.
 * @ingroup pool_cpp
 */
class reactor
{
  public:
    /** Makes one; throws POOL_ERR_NOMEM. */
    reactor() : reactor_(pool_reactor_create())
    {
        if (!reactor_)
            detail::check(pool_last_error(nullptr, nullptr, 0));
    }
    /** The other can only be assigned to, or go. */
    reactor(reactor &&other) noexcept : reactor_(std::exchange(other.reactor_, nullptr)) {}
    /** Gives back what this one is. */
    reactor &operator=(reactor &&other) noexcept
    {
        reactor moved(std::move(other));
        std::swap(reactor_, moved.reactor_);
        return *this;
    }
    /** Gives it back. */
    ~reactor() { pool_reactor_unref(reactor_); }

    /** Readable while dispatch() has work; throws if there is none to be had. */
    int fd() const
    {
        if (!reactor_)
            throw error(POOL_ERR_INVALID, "the reactor was moved from");
        const int descriptor = pool_reactor_fd(reactor_);
        if (descriptor < 0)
            throw error(POOL_ERR_NOMEM, "the reactor has no descriptor");
        return descriptor;
    }
    /** For how long the loop may sleep; none: until fd() is readable. */
    std::optional<std::chrono::milliseconds> next_timeout() const noexcept
    {
        const std::int64_t ms = pool_reactor_next_timeout(reactor_);
        return ms < 0 ? std::nullopt : std::make_optional(std::chrono::milliseconds(ms));
    }
    /** Hooks and coroutines run here. What hooks throw that does not end an acquire goes to config::unhandled. */
    void dispatch() const { detail::check(pool_reactor_dispatch(reactor_)); }
    /** For pool_uv_init_reactor() and so on. */
    pool_reactor_t *native_handle() const noexcept { return reactor_; }

  private:
    pool_reactor_t *reactor_;
};

#ifdef ASYNCPOOL_COROUTINES

/**
 * @brief What co_await pool.acquire(reactor) waits for. Its result is a lease.
 *
 * A coroutine goes on inside dispatch(), unless something idle can be had at once: then it does not stop. If it is
 * destroyed while it waits, the acquire is cancelled, and its place goes to the next; that is for the loop's thread. An
 * exception that the coroutine's promise lets out of it ends the program, as it has nowhere to go.
 * @ingroup pool_cpp
 */
template <class T> class [[nodiscard]] acquiring
{
  public:
    /** @cond */
    acquiring(pool_t *pool, pool_reactor_t *reactor, std::int64_t timeout_ms) noexcept
        : pool_(pool), reactor_(reactor), timeout_ms_(timeout_ms)
    {
    }
    acquiring(const acquiring &) = delete;
    acquiring &operator=(const acquiring &) = delete;
    ~acquiring()
    {
        if (!waiting_)
            return;
        waiting_->who = nullptr;
        pool_op_cancel(&waiting_->op); /* its callback follows, and frees it */
    }

    bool await_ready() noexcept
    {
        void *resource = pool_take(pool_);
        if (resource)
            got_ = lease<T>(pool_, {resource, 0});
        return resource;
    }

    bool await_suspend(std::coroutine_handle<> coroutine)
    {
        auto waiting = std::make_unique<wait>(wait{{}, this});
        wait *w = waiting_ = waiting.get();
        coroutine_ = coroutine;
        const pool_status_t status = pool_reactor_acquire(reactor_, pool_, &w->op, timeout_ms_, told, w);
        if (status == POOL_PENDING) { /* another thread may have resumed the coroutine: this object may be gone */
            static_cast<void>(waiting.release());
            return true;
        }
        waiting_ = nullptr;
        status_ = status;
        return false;
    }

    lease<T> await_resume()
    {
        detail::tell(detail::core::of(pool_), status_);
        return std::move(got_);
    }
    /** @endcond */

  private:
    /* Has to stay where it is until its callback, whatever becomes of the coroutine. */
    struct wait {
        pool_op_t op;
        acquiring *who; /* null: nobody waits any more */
    };

    static void told(pool_op_t *op, pool_status_t status, void *resource, void *data)
    {
        const std::unique_ptr<wait> waiting(static_cast<wait *>(data));
        acquiring *who = waiting->who;
        if (!who)
            return;
        pool_ask_t ask = POOL_ASK_INIT;
        pool_op_next(op, nullptr, &ask);
        who->waiting_ = nullptr;
        who->status_ = status;
        if (status == POOL_OK)
            who->got_ = lease<T>(who->pool_, {resource, ask.lease});
        resume(who->coroutine_);
    }

    static void resume(std::coroutine_handle<> coroutine) noexcept { coroutine.resume(); }

    pool_t *pool_;
    pool_reactor_t *reactor_;
    std::int64_t timeout_ms_;
    std::coroutine_handle<> coroutine_;
    wait *waiting_ = nullptr;
    pool_status_t status_ = POOL_OK;
    lease<T> got_;
};

#endif

} // namespace asyncpool

#endif
