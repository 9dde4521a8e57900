/*
 * The hooks of a pool, as the C library calls them: a part of asyncpool/pool.hpp, and no API.
 */
#ifndef ASYNCPOOL_CPP_HOOKS_HPP
#define ASYNCPOOL_CPP_HOOKS_HPP

#include <asyncpool/cpp/config.hpp>

#include <vector>

/** @cond */
namespace asyncpool::detail
{

/* A strategy, as the C library calls it. */
class strategy_calls
{
  public:
    strategy_calls(const core *of, strategy s) : of_(of), strategy_(std::move(s))
    {
        if (!strategy_.success || !strategy_.failure)
            throw error(POOL_ERR_INVALID, "a strategy needs success and failure");
        calls_ = {success, failure, strategy_.should_recover ? should_recover : nullptr, this,
                  strategy_.create_failure ? create_failure : nullptr};
    }

    pool_circuit_breaker_strategy_t *calls() noexcept { return &calls_; }

  private:
    static const strategy_calls &of(const void *ctx) { return *static_cast<const strategy_calls *>(ctx); }

    template <class F> void report(F &&f) const
    {
        guarded([&] { return f(), true; }, [&](std::exception_ptr thrown) { of_->unhandled(std::move(thrown)); });
    }

    static void success(pool_t *, void *ctx)
    {
        const strategy_calls &self = of(ctx);
        self.report([&] { self.strategy_.success(); });
    }
    static void failure(pool_t *, const pool_error_t *why, void *ctx)
    {
        const strategy_calls &self = of(ctx);
        self.report([&] { self.strategy_.failure(why->code, why->message); });
    }
    static void create_failure(pool_t *, const pool_error_t *why, void *ctx)
    {
        const strategy_calls &self = of(ctx);
        std::exception_ptr thrown = self.of_->failure(why->code);
        if (const call *c = thrown ? nullptr : call::find(self.of_))
            thrown = c->failure();
        if (!thrown) /* a factory's thread has ended in it */
            thrown = std::make_exception_ptr(error(POOL_ERR_FACTORY, why->message));
        self.report([&] { self.strategy_.create_failure(std::move(thrown)); });
    }
    static bool should_recover(pool_t *pool, void *ctx)
    {
        return guarded([&] { return of(ctx).strategy_.should_recover(); },
                       [&](std::exception_ptr thrown) { core::of(pool)->thrown(pool, std::move(thrown)); });
    }

    const core *of_;
    strategy strategy_;
    pool_circuit_breaker_strategy_t calls_;
};

/* The hooks of one pool. The C library frees it with its pool: it is the data of the factory's callable. */
template <class T> class hooks final : public core
{
  public:
    explicit hooks(config<T> c)
        : core(std::move(c.unhandled), c.create_behind || c.create_retry.count() != 0),
          config_(std::move(c)), factory_{make, dispose, this}
    {
        if (!config_.factory)
            throw error(POOL_ERR_INVALID, "a pool needs a factory");
    }

    /* Makes the pool; from there on this is the C library's, also if it makes none. */
    static pool_t *create(std::unique_ptr<hooks> self)
    {
        pool_config_t c = self->c_config();
        pool_t *pool = nullptr;
        hooks *h = self.release();
        const call mark(h, purpose::acquiring);
        mark.end(pool_create_ex(&c, &pool));
        return pool;
    }

    /* All of them stay: of two that are set at once nobody can tell which one was last. */
    pool_circuit_breaker_strategy_t *keep(strategy s)
    {
        auto made = std::make_unique<strategy_calls>(this, std::move(s));
        const std::lock_guard<std::mutex> guard(mutex_);
        return strategies_.emplace_back(std::move(made))->calls();
    }

  private:
    pool_config_t c_config() const
    {
        const config<T> &c = config_;
        pool_config_t to = POOL_CONFIG_INIT;
        to.name = c.name.c_str();
        to.user_data = static_cast<core *>(const_cast<hooks *>(this));
        to.factory_fcall = const_cast<pool_fcall_t *>(&factory_);
        to.destructor = destroy;
        to.healthcheck = c.healthcheck ? ask<&config<T>::healthcheck> : nullptr;
        to.before_acquire = c.before_acquire ? ask<&config<T>::before_acquire> : nullptr;
        to.before_release = c.before_release ? ask<&config<T>::before_release> : nullptr;
        to.leaked = c.leaked ? leaked : nullptr;
        to.min_size = c.min_size;
        to.max_size = c.max_size;
        to.min_idle = c.min_idle;
        to.max_waiting = c.max_waiting;
        to.max_uses = c.max_uses;
        to.recovering_limit = c.recovering_limit;
        to.healthcheck_interval_ms = option_ms("healthcheck_interval", c.healthcheck_interval);
        to.create_retry_ms = option_ms("create_retry", c.create_retry);
        to.create_retry_max_ms = option_ms("create_retry_max", c.create_retry_max);
        to.max_lifetime_ms = option_ms("max_lifetime", c.max_lifetime);
        to.lifetime_jitter_ms = option_ms("lifetime_jitter", c.lifetime_jitter);
        to.idle_timeout_ms = option_ms("idle_timeout", c.idle_timeout);
        to.check_after_ms = option_ms("check_after", c.check_after);
        to.leak_after_ms = option_ms("leak_after", c.leak_after);
        to.flags =
            (c.lifo ? POOL_F_LIFO : 0) | (c.create_behind ? POOL_F_CREATE_BEHIND : 0) |
            (c.lazy_min ? POOL_F_LAZY_MIN : 0) | (c.timed ? POOL_F_TIMED : 0) | (c.on_reactor ? POOL_F_REACTOR : 0);
        return to;
    }

    static const hooks &of(const pool_t *pool) { return *static_cast<const hooks *>(core::of(pool)); }

    static bool make(pool_fcall_t *factory, pool_t *pool, void **resource)
    {
        auto *self = static_cast<hooks *>(factory->data);
        return guarded(
            [&] {
                *resource = new T(self->config_.factory(hook(pool)));
                return true;
            },
            [&](const std::exception_ptr &thrown) { self->failed(pool, thrown); });
    }

    static void dispose(pool_fcall_t *factory) { delete static_cast<hooks *>(factory->data); }

    static void destroy(pool_t *pool, void *resource)
    {
        const std::unique_ptr<T> gone(static_cast<T *>(resource)); /* also if the hook throws */
        const hooks &self = of(pool);
        if (self.config_.destructor)
            guarded([&] { return self.config_.destructor(hook(pool, resource), *gone), true; },
                    [&](std::exception_ptr thrown) { core::of(pool)->thrown_by_destructor(std::move(thrown)); });
    }

    template <hook_function<bool(T &)> config<T>::*question> static bool ask(pool_t *pool, void *resource)
    {
        return guarded([&] { return (of(pool).config_.*question)(hook(pool, resource), *static_cast<T *>(resource)); },
                       [&](std::exception_ptr thrown) { core::of(pool)->thrown(pool, std::move(thrown)); });
    }

    static void leaked(pool_t *pool, const pool_lend_t *l)
    {
        const hooks &self = of(pool);
        guarded([&] { return self.config_.leaked(lend_of(*l)), true; },
                [&](std::exception_ptr thrown) { self.unhandled(std::move(thrown)); });
    }

    config<T> config_;
    pool_fcall_t factory_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<strategy_calls>> strategies_;
};

} // namespace asyncpool::detail
/** @endcond */

#endif
