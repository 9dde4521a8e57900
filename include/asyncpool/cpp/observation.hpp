/**
 * @file
 * @brief Observers in C++: a part of asyncpool/pool.hpp.
 */
#ifndef ASYNCPOOL_CPP_OBSERVATION_HPP
#define ASYNCPOOL_CPP_OBSERVATION_HPP

#include <asyncpool/cpp/call.hpp>

#include <memory>

namespace asyncpool
{

/**
 * @brief What pool::observe() answers: the observer is called until this goes. Move-only; it may outlive the pool.
 *
 * When it has gone no call runs on another thread, and none will come. It may go inside of the observer itself. Two
 * observers must not end each other from two threads.
 * @ingroup pool_cpp
 */
class observation
{
  public:
    /** None. */
    observation() noexcept = default;
    /** @cond */
    observation(pool_t *pool, std::function<void(pool_event_kind_t)> told)
    {
        if (!told)
            throw error(POOL_ERR_INVALID, "an observer has to be a function");
        auto made = std::make_unique<observer>();
        made->base = {&observer::call, &observer::dispose, made.get()};
        made->of = detail::core::of(pool);
        made->told = std::move(told);
        detail::check(pool->event.add_callback(&pool->event, &made->base));
        pool_ = pool_ref(pool);
        observer_ = made.release();
    }
    /** @endcond */
    /** The other is none then. */
    observation(observation &&other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), observer_(std::exchange(other.observer_, nullptr))
    {
    }
    /** Ends what this one is. */
    observation &operator=(observation &&other) noexcept
    {
        observation moved(std::move(other));
        std::swap(pool_, moved.pool_);
        std::swap(observer_, moved.observer_);
        return *this;
    }
    /** Ends it. */
    ~observation()
    {
        if (!pool_)
            return;
        pool_->event.del_callback(&pool_->event, &observer_->base);
        pool_unref(pool_);
    }

  private:
    struct observer {
        pool_event_callback_t base;
        const detail::core *of;
        std::function<void(pool_event_kind_t)> told;

        static void call(pool_event_t *, pool_event_callback_t *self, pool_event_kind_t kind)
        {
            const auto *o = static_cast<const observer *>(self->data);
            detail::guarded([&] { return o->told(kind), true; },
                            [&](std::exception_ptr thrown) { o->of->unhandled(std::move(thrown)); });
        }
        static void dispose(pool_event_callback_t *self) { delete static_cast<observer *>(self->data); }
    };

    pool_t *pool_ = nullptr;
    observer *observer_ = nullptr;
};

} // namespace asyncpool

#endif
