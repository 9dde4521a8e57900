/* What the tests of pool.hpp lend, and what all of them need. */
#ifndef ASYNCPOOL_TESTS_THINGS_HPP
#define ASYNCPOOL_TESTS_THINGS_HPP

#include <asyncpool/pool.hpp>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

#include "check.h"

using namespace std::chrono_literals;

/* Counts those that there are. */
struct thing {
    static inline std::atomic<int> alive{0}, made{0};

    int number;
    bool is_broken = false;

    thing() : number(++made) { alive++; }
    thing(thing &&other) noexcept : number(other.number) { alive++; }
    thing &operator=(thing &&) = delete;
    ~thing() { alive--; }
};

/* What hooks throw: the object that arrives is the one that was thrown, as its address says. */
struct failure : std::runtime_error {
    explicit failure(const std::string &text) : std::runtime_error(text) {}
};

inline asyncpool::config<thing> things(std::uint32_t max_size)
{
    asyncpool::config<thing> config;
    config.factory = [] { return thing(); };
    config.max_size = max_size;
    return config;
}

/* The status of the error that f throws; POOL_OK: it throws none. */
template <class F> pool_status_t status_of(F &&f)
{
    try {
        f();
    } catch (const asyncpool::error &e) {
        return e.status();
    }
    return POOL_OK;
}

/* The text of the failure that f throws; "": it throws none. */
template <class F> std::string failure_of(F &&f)
{
    try {
        f();
    } catch (const failure &e) {
        return e.what();
    }
    return "";
}

/* The end of a test: nothing is left. */
inline void nothing_is_left()
{
    CHECK_INT(thing::alive.load(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

#endif
