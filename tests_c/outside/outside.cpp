/* The same in C++. */
#include <asyncpool/pool.hpp>
#include <cstdio>

int main()
{
    asyncpool::config<int> config;
    config.factory = [] { return 42; };
    asyncpool::pool<int> pool(std::move(config));
    auto lease = pool.acquire(std::chrono::seconds(1));
    std::printf("borrowed %d in C++\n", *lease);
    return *lease == 42 ? 0 : 1;
}
