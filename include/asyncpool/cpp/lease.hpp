/**
 * @file
 * @brief One lend in C++: a part of asyncpool/pool.hpp.
 */
#ifndef ASYNCPOOL_CPP_LEASE_HPP
#define ASYNCPOOL_CPP_LEASE_HPP

#include <asyncpool/cpp/config.hpp>

#include <cassert>
#include <memory>

namespace asyncpool
{

/**
 * @brief One lend: gives the resource back when it goes. Move-only.
 *
 * It may outlive its pool: the resource is destroyed then, when it comes back. Any thread may end it, one at a time.
 * One that is empty, since it was moved from or has ended, has nothing to give: its functions throw POOL_ERR_NOT_OWNED,
 * and `*` and `->` must not be used.
 * @ingroup pool_cpp
 */
template <class T> class lease
{
  public:
    /** None. */
    lease() noexcept = default;
    /** @cond */
    lease(pool_t *pool, const pool_lease_t &of) noexcept : pool_(pool), lease_(of) {}
    /** @endcond */
    /** The other is empty then. */
    lease(lease &&other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), lease_(std::exchange(other.lease_, pool_lease_t{}))
    {
    }
    /** Releases what this one has before, as its destructor does. */
    lease &operator=(lease &&other) noexcept
    {
        lease(std::move(other)).swap(*this);
        return *this;
    }
    /** Releases. What hooks throw meanwhile is for config::unhandled: release() hears of it. */
    ~lease()
    {
        if (!pool_)
            return;
        const detail::call mark(detail::core::of(pool_), detail::purpose::silent);
        finish(pool_release_lease, pool_release);
    }

    /** Swaps two of them. */
    void swap(lease &other) noexcept
    {
        std::swap(pool_, other.pool_);
        std::swap(lease_, other.lease_);
    }

    /** Is there a resource? */
    explicit operator bool() const noexcept { return pool_; }

    /** The resource; null: none. */
    T *get() const noexcept { return static_cast<T *>(lease_.resource); }
    /** The resource. */
    T &operator*() const noexcept
    {
        assert(pool_);
        return *get();
    }
    /** The resource's members; where it is a pointer, those of what it points to. */
    auto operator->() const noexcept
    {
        assert(pool_);
        if constexpr (std::is_pointer_v<T>)
            return *get();
        else
            return get();
    }

    /** Gives the resource back: before_release is asked. Throws what hooks throw; the lend has ended all the same. */
    void release() { end(pool_release_lease, pool_release); }
    /** Gives it back to be destroyed: for one that is known to be broken. */
    void discard() { end(pool_discard_lease, pool_discard); }
    /** Takes it out of the pool for good. If the move of T throws, it is lost: ~T() has run, and no hook. */
    T detach()
    {
        T *resource = get();
        end(pool_detach_lease, pool_detach);
        const std::unique_ptr<T> kept(resource);
        return std::move(*kept);
    }

    /** Its age and so on. */
    resource_info info() const
    {
        must_not_be_empty();
        return detail::info_of(pool_, lease_.resource);
    }
    /** A number that no other lend of the process has; 0: there is none. */
    std::uint64_t id() const noexcept { return lease_.id; }

  private:
    void must_not_be_empty() const
    {
        if (!pool_)
            throw error(POOL_ERR_NOT_OWNED, "the lease is empty: it has ended, or was moved from");
    }

    /* A lend whose id there was no memory for is known by its word, which is no other's. */
    pool_status_t finish(pool_status_t (*by_lease)(pool_t *, const pool_lease_t *),
                         pool_status_t (*by_word)(pool_t *, void *))
    {
        const pool_lease_t ended = std::exchange(lease_, pool_lease_t{});
        pool_t *pool = std::exchange(pool_, nullptr);
        return ended.id ? by_lease(pool, &ended) : by_word(pool, ended.resource);
    }

    void end(pool_status_t (*by_lease)(pool_t *, const pool_lease_t *), pool_status_t (*by_word)(pool_t *, void *))
    {
        must_not_be_empty();
        const detail::call mark(detail::core::of(pool_), detail::purpose::ending);
        mark.end(finish(by_lease, by_word));
    }

    pool_t *pool_ = nullptr;
    pool_lease_t lease_{};
};

} // namespace asyncpool

#endif
