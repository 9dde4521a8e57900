/**
 * @file
 * @brief Hooks and options of a pool in C++: a part of asyncpool/pool.hpp.
 */
#ifndef ASYNCPOOL_CPP_CONFIG_HPP
#define ASYNCPOOL_CPP_CONFIG_HPP

#include <asyncpool/cpp/call.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>

namespace asyncpool
{

/**
 * @brief What a pool knows of a resource, as pool_resource_info() tells it.
 *
 * Kept where a limit needs it, or with config::timed.
 *
 * @ingroup pool_cpp
 */
struct resource_info {
    std::chrono::milliseconds age{};  /**< since it was made */
    std::chrono::milliseconds idle{}; /**< between its last return and this lend or check */
    std::uint64_t uses = 0;           /**< lends, this one included */
    const char *tag = nullptr;        /**< tag() of its last lend; null: none */
};

/**
 * @brief One lend, as pool::lends() and config::leaked tell it.
 *
 * @ingroup pool_cpp
 */
struct lend {
    const void *resource = nullptr;   /**< the address of what is lent: that of `*lease` */
    std::chrono::milliseconds held{}; /**< for so long, with config::timed or config::leak_after; else 0 */
    std::uint64_t uses = 0;           /**< lends of the resource, this one included, where they are counted */
    std::uint64_t thread = 0;         /**< who acquired it, as gettid() has it, where lends are timed; else 0 */
    const char *tag = nullptr;        /**< tag() of who acquired it; null: none */
    std::uint64_t id = 0;             /**< lease::id() */
};

/** @cond */
namespace detail
{

inline resource_info info_of(pool_t *pool, void *resource)
{
    pool_resource_info_t info{};
    info.struct_size = sizeof info;
    check(pool_resource_info(pool, resource, &info));
    return {std::chrono::milliseconds(info.age_ms), std::chrono::milliseconds(info.idle_ms), info.uses, info.tag};
}

inline lend lend_of(const pool_lend_t &l)
{
    return {l.resource, std::chrono::milliseconds(l.ms), l.uses, l.thread, l.tag, l.lease};
}

} // namespace detail
/** @endcond */

/**
 * @brief What a hook may ask about the call that it runs for. Of use inside the hook alone.
 *
 * @ingroup pool_cpp
 */
class hook
{
  public:
    /** @cond */
    explicit hook(pool_t *pool, void *resource = nullptr) noexcept : pool_(pool), resource_(resource) {}
    /** @endcond */

    /** What is left of the caller's time, 0 once it is up; none: the caller waits for ever, or there is none. */
    std::optional<std::chrono::milliseconds> time_left() const noexcept
    {
        const std::int64_t ms = pool_time_left_ms(pool_);
        return ms == std::numeric_limits<std::int64_t>::max()
                   ? std::nullopt
                   : std::make_optional(std::chrono::milliseconds(ms));
    }

    /** The age of the hook's resource; not for factories: POOL_ERR_NOT_OWNED. */
    resource_info info() const { return detail::info_of(pool_, resource_); }

    /** Says why the hook is about to answer false, for strategy::failure. */
    void refuse(int code, const std::string &why) const noexcept { pool_set_error(pool_, code, why.c_str()); }

    /** The pool, for what pool.h has more. */
    pool_t *native_handle() const noexcept { return pool_; }

  private:
    pool_t *pool_;
    void *resource_;
};

template <class Signature> class hook_function;

/**
 * @brief A hook: anything that can be called with these arguments, or with a const hook & before them.
 *
 * As std::function, which it holds, but what it is made of need not be copyable.
 *
 * @ingroup pool_cpp
 */
template <class R, class... A> class hook_function<R(A...)>
{
    template <class F> static constexpr bool plain = std::is_invocable_r_v<R, F &, A...>;
    template <class F> static constexpr bool asking = std::is_invocable_r_v<R, F &, const hook &, A...>;

  public:
    hook_function() = default;
    /** None. */
    hook_function(std::nullptr_t) noexcept {}
    /** Of a function, a lambda or the like. */
    template <class F, class D = std::decay_t<F>,
              class = std::enable_if_t<!std::is_same_v<D, hook_function> && (plain<D> || asking<D>)>>
    hook_function(F &&f)
    {
        if constexpr (std::is_pointer_v<D> || is_function<D>::value)
            if (is_none<D>(f))
                return;
        if constexpr (!std::is_copy_constructible_v<D>)
            assign(shared<D>{std::make_shared<D>(std::forward<F>(f))});
        else
            assign(std::forward<F>(f));
    }

    /** Is there one? */
    explicit operator bool() const noexcept { return static_cast<bool>(function_); }

    /** Calls it. */
    R operator()(const hook &h, A... arguments) const { return function_(h, std::forward<A>(arguments)...); }

  private:
    template <class F> struct is_function : std::false_type {
    };
    template <class S> struct is_function<std::function<S>> : std::true_type {
    };

    template <class F> static bool is_none(const F &f) noexcept { return !f; }

    template <class F> struct shared {
        std::shared_ptr<F> f;
        template <class... B> std::invoke_result_t<F &, B...> operator()(B &&...b) const
        {
            return std::invoke(*f, std::forward<B>(b)...);
        }
    };

    template <class F> void assign(F &&f)
    {
        using D = std::decay_t<F>;
        if constexpr (plain<D>)
            function_ = [g = std::forward<F>(f)](const hook &, A... a) mutable -> R {
                if constexpr (std::is_void_v<R>)
                    std::invoke(g, std::forward<A>(a)...);
                else
                    return std::invoke(g, std::forward<A>(a)...);
            };
        else
            function_ = std::forward<F>(f);
    }

    std::function<R(const hook &, A...)> function_;
};

/**
 * @brief Hooks and options of a pool of T; only the factory has to be there.
 *
 * The names are those of pool_config_t, whose text says what each does. Times are never negative, and 0 is none.
 *
 * A hook that throws has said no: what it was called for is destroyed. The exception arrives at whose call it ran for,
 * see pool. Hooks may call the pool, block, and destroy the pool object; they return on the thread where they were
 * called.
 * @ingroup pool_cpp
 */
template <class T> struct config {
    std::string name{};                     /**< for messages and metrics */
    hook_function<T()> factory{};           /**< makes a resource, or throws; try_later puts it off */
    hook_function<void(T &)> destructor{};  /**< is called before a resource is destroyed, for what ~T() does not do */
    hook_function<bool(T &)> healthcheck{}; /**< is this idle resource still good? */
    hook_function<bool(T &)> before_acquire{};  /**< may this idle resource be lent? */
    hook_function<bool(T &)> before_release{};  /**< may this returned resource be kept? */
    std::function<void(const lend &)> leaked{}; /**< hears of what is lent for longer than leak_after */
    std::function<void(std::exception_ptr)>
        unhandled{};                                  /**< hears what hooks throw that have no caller; must not throw */
    std::uint32_t min_size = 0;                       /**< made by the constructor, unless lazy_min */
    std::uint32_t max_size = 10;                      /**< places */
    std::uint32_t min_idle = 0;                       /**< so many are kept idle */
    std::uint32_t max_waiting = 0;                    /**< callers in line at most; 0: no limit */
    std::uint32_t max_uses = 0;                       /**< lends of a resource; 0: no limit */
    std::uint32_t recovering_limit = 0;               /**< probes at once; 0: 1 */
    std::chrono::milliseconds healthcheck_interval{}; /**< between two passes */
    std::chrono::milliseconds create_retry{};         /**< patient creation: the first pause */
    std::chrono::milliseconds create_retry_max{};     /**< the longest; 0: 32 times the first */
    std::chrono::milliseconds max_lifetime{};         /**< of a resource */
    std::chrono::milliseconds lifetime_jitter{};      /**< a random part of it makes each one's life shorter */
    std::chrono::milliseconds idle_timeout{};         /**< idle for longer: it goes */
    std::chrono::milliseconds check_after{};          /**< before_acquire is asked about what was idle for longer */
    std::chrono::milliseconds leak_after{};           /**< what is lent for longer is told as leaked */
    bool lifo = false;                                /**< POOL_F_LIFO: lend what came back last */
    bool create_behind = false;                       /**< POOL_F_CREATE_BEHIND: no acquire runs the factory */
    bool lazy_min = false;                            /**< POOL_F_LAZY_MIN: the constructor makes nothing */
    bool timed = false;                               /**< POOL_F_TIMED: lends are timed */
    bool on_reactor = false;                          /**< POOL_F_REACTOR: no hook runs on a thread of the library */
};

/**
 * @brief A circuit breaker's strategy: pool_circuit_breaker_strategy_t. It acts by pool::deactivate() and its kin.
 *
 * What success, failure and create_failure throw goes to config::unhandled.
 * @ingroup pool_cpp
 */
struct strategy {
    std::function<void()> success{};                              /**< before_release has passed a resource; required */
    std::function<void(int code, const char *message)> failure{}; /**< it has refused one, and this is why; required */
    std::function<bool()> should_recover{};                       /**< may this caller probe? */
    /** The factory has thrown this for an acquire. */
    std::function<void(std::exception_ptr)> create_failure{};
};

} // namespace asyncpool

#endif
