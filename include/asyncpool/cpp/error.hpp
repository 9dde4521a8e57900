/**
 * @file
 * @brief Errors of asyncpool in C++: a part of asyncpool/pool.hpp.
 */
#ifndef ASYNCPOOL_CPP_ERROR_HPP
#define ASYNCPOOL_CPP_ERROR_HPP

#include <asyncpool/pool.h>

#include <chrono>
#include <string>
#include <system_error>

namespace asyncpool
{

/** @cond */
namespace detail
{

class status_category final : public std::error_category
{
  public:
    const char *name() const noexcept override { return "asyncpool"; }

    std::string message(int status) const override { return pool_strerror(static_cast<pool_status_t>(status)); }

    std::error_condition default_error_condition(int status) const noexcept override
    {
        switch (status) {
        case POOL_EMPTY:
        case POOL_ERR_OVERLOADED:
            return std::errc::resource_unavailable_try_again;
        case POOL_ERR_INVALID:
            return std::errc::invalid_argument;
        case POOL_ERR_TIMEOUT:
            return std::errc::timed_out;
        case POOL_ERR_CANCELLED:
            return std::errc::operation_canceled;
        case POOL_ERR_NOMEM:
            return std::errc::not_enough_memory;
        case POOL_ERR_DEADLOCK:
            return std::errc::resource_deadlock_would_occur;
        default:
            return std::error_condition(status, *this);
        }
    }
};

} // namespace detail
/** @endcond */

/** The category of std::error_code for pool_status_t: its name is "asyncpool", its texts are those of C. */
inline const std::error_category &category() noexcept
{
    static const detail::status_category instance;
    return instance;
}

/**
 * @brief What a pool throws, if it is not what a hook of yours has thrown.
 *
 * `e.code() == POOL_ERR_TIMEOUT` says which status it was; `e.code() == std::errc::timed_out` is true then as well.
 * @ingroup pool_cpp
 */
class error : public std::system_error
{
  public:
    /** Of a status, with what pool_last_error() or somebody else has said of it. */
    explicit error(pool_status_t status, const std::string &text = {})
        : std::system_error(made(std::error_code(status, category()), text))
    {
    }

    /** The status. */
    pool_status_t status() const noexcept { return static_cast<pool_status_t>(code().value()); }

  private:
    /* what() ends with the text of the status by itself. */
    static std::system_error made(const std::error_code &code, const std::string &text)
    {
        const std::string end = code.message();
        if (text.size() < end.size() || text.compare(text.size() - end.size(), end.size(), end) != 0)
            return text.empty() ? std::system_error(code) : std::system_error(code, text);
        std::string rest = text.substr(0, text.size() - end.size());
        while (!rest.empty() && (rest.back() == ' ' || rest.back() == ':'))
            rest.pop_back();
        return rest.empty() ? std::system_error(code) : std::system_error(code, rest);
    }
};

/**
 * @brief A factory throws it: it shall be asked again, later. See pool_try_later().
 *
 * For a server that says "too many connections". It is nobody's failure: the caller waits on, and sees this exception
 * only if its deadline passes meanwhile. A constructor that makes the first resources fails with it.
 * @ingroup pool_cpp
 */
class try_later : public error
{
  public:
    /** None is made for so long; not above 49 days. The text is for who runs out of time meanwhile. */
    explicit try_later(std::chrono::milliseconds pause, const std::string &text = "put off by the factory")
        : error(POOL_ERR_FACTORY, text), pause_(pause)
    {
    }

    /** For how long. */
    std::chrono::milliseconds pause() const noexcept { return pause_; }

  private:
    std::chrono::milliseconds pause_;
};

} // namespace asyncpool

/** A status is an error code: std::error_code(POOL_ERR_CLOSED). In this namespace, where the type is. */
inline std::error_code make_error_code(pool_status_t status) noexcept { return {status, asyncpool::category()}; }

/** @cond */
template <> struct std::is_error_code_enum<pool_status_t> : std::true_type {
};
/** @endcond */

#endif
