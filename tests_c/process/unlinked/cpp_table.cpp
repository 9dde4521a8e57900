/*
 * pool.hpp through the table: a program in C++ that does not link the library, and loads it at its first use.
 *
 *     cpp_table LIBRARY
 */
#define POOL_API_NAMES
#include <asyncpool/pool_api.h>

#include <asyncpool/pool.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;

static void require(bool good, const char *what)
{
    if (good)
        return;
    std::fprintf(stderr, "not true: %s (%s)\n", what, pool_api_error());
    std::exit(1);
}

static asyncpool::config<std::string> words()
{
    asyncpool::config<std::string> config;
    config.factory = [] { return std::string("word"); };
    config.max_size = 1;
    return config;
}

static void before_it_is_loaded()
{
    try {
        asyncpool::pool<std::string> pool(words());
        require(false, "without a library there is no pool");
    } catch (const asyncpool::error &e) {
        require(e.code() == POOL_ERR_UNAVAILABLE, "the error says that there is none");
        require(std::string(e.what()).find("not loaded") != std::string::npos, "and what to do");
    }
}

static void lend()
{
    asyncpool::pool<std::string> pool(words());
    auto lease = pool.acquire(1s);
    require(*lease == "word", "what the factory has made is lent");
    require(!pool.try_acquire(), "there is one");
    try {
        pool.acquire(1ms);
        require(false, "nobody gives it back");
    } catch (const asyncpool::error &e) {
        require(e.code() == POOL_ERR_TIMEOUT, "who waits for too long is told so");
    }
    lease.release();
    require(pool.use([](std::string &word) { return word.size(); }) == 4, "it is lent again");
}

static void throw_through_it()
{
    auto config = words();
    config.factory = []() -> std::string { throw std::runtime_error("no word"); };
    asyncpool::pool<std::string> pool(std::move(config));
    try {
        pool.acquire(1s);
        require(false, "the factory has thrown");
    } catch (const std::runtime_error &e) {
        require(std::string(e.what()) == "no word", "what it has thrown arrives");
    }
}

int main(int argc, char **argv)
{
    require(argc == 2, "usage: cpp_table LIBRARY");
    before_it_is_loaded();
    require(pool_api_load(argv[1]) == POOL_OK, "the library is loaded");
    lend();
    throw_through_it();
    require(pool_debug_live() == 0, "nothing is left");
}
