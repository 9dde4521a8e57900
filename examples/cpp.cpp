/*
 * Many threads move money between the accounts of an SQLite database, in C++: a connection is a class, a lease gives it
 * back, and what goes wrong is thrown. Now and then a thread leaves its transaction open, by an exception; before_release
 * rolls it back. Now and then the database cannot be opened, and whoever wanted the connection hears why. At the end the
 * accounts are checked against what the threads did.
 *
 *     cpp --threads 64 --connections 8 --transactions 20000
 */
#include <asyncpool/pool.hpp>

#include <sqlite3.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <thread>

using namespace std::chrono_literals;

namespace
{

constexpr int accounts = 100, opening_balance = 1000, mishap_every = 500;

struct sqlite_error : std::runtime_error {
    explicit sqlite_error(const std::string &text) : std::runtime_error(text) {}
};

/* What the pool lends. NOMUTEX: SQLite does not guard it against two threads; the pool does. */
class connection
{
  public:
    explicit connection(const std::string &path)
    {
        sqlite3 *opened = nullptr;
        const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
        const int error = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
        db_.reset(opened); /* also after an error */
        if (error)
            throw sqlite_error(path + ": " + sqlite3_errstr(error));
        sqlite3_busy_timeout(db_.get(), 60'000);
    }

    void run(const std::string &sql)
    {
        if (sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            throw sqlite_error(sql + ": " + sqlite3_errmsg(db_.get()));
    }

    long long number(const std::string &sql)
    {
        long long found = -1;
        const auto row = [](void *into, int, char **columns, char **) {
            *static_cast<long long *>(into) = std::atoll(columns[0]);
            return 0;
        };
        sqlite3_exec(db_.get(), sql.c_str(), row, &found, nullptr);
        return found;
    }

    bool in_transaction() const { return !sqlite3_get_autocommit(db_.get()); }

  private:
    struct close {
        void operator()(sqlite3 *db) const { sqlite3_close(db); }
    };
    std::unique_ptr<sqlite3, close> db_;
};

struct numbers {
    std::atomic<long long> next{0}, committed{0}, left_open{0}, rolled_back{0}, opened{0}, not_opened{0};
};

/* ---- the pool ---- */

asyncpool::config<connection> config_of(const std::string &path, unsigned places, numbers &n)
{
    asyncpool::config<connection> config;
    config.name = "bank";
    config.max_size = places;
    config.max_uses = 2000; /* so that some are made anew */
    config.factory = [&n, path] {
        if (++n.opened % 4 == 0) {
            n.not_opened++;
            throw sqlite_error("the disk is not there just now");
        }
        return connection(path);
    };
    /* What comes back in an open transaction is rolled back, so that the next borrower starts clean. */
    config.before_release = [&n](connection &c) {
        if (c.in_transaction()) {
            c.run("ROLLBACK");
            n.rolled_back++;
        }
        return true;
    };
    return config;
}

/* ---- the work ---- */

void transfer(connection &c, long long number, numbers &n)
{
    const auto source = number * 7919 % accounts, target = (source + 1 + number % (accounts - 1)) % accounts;
    const auto amount = std::to_string(number % 50 + 1);
    c.run("BEGIN IMMEDIATE");
    c.run("UPDATE accounts SET balance = balance - " + amount + " WHERE id = " + std::to_string(source));
    if (number % mishap_every == 1) {
        n.left_open++;
        throw std::domain_error("the thread changes its mind");
    }
    c.run("UPDATE accounts SET balance = balance + " + amount + " WHERE id = " + std::to_string(target));
    c.run("COMMIT");
    n.committed++;
}

/* The lease gives the connection back whatever is thrown in between. */
void worker(asyncpool::pool<connection> &pool, long long total, numbers &n)
{
    for (long long number; (number = n.next++) < total;) {
        try {
            auto lease = pool.acquire(60s);
            transfer(*lease, number, n);
        } catch (const sqlite_error &) { /* of the factory: try another time */
        } catch (const std::domain_error &) {
        }
    }
}

/* ---- the program ---- */

bool check(bool good, const char *what)
{
    std::printf("%-50s %s\n", what, good ? "yes" : "NO");
    return good;
}

bool demonstrate(const std::string &path, unsigned threads, unsigned places, long long total)
{
    connection bank(path);
    bank.run("PRAGMA journal_mode = WAL; CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);"
             "WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < 99)"
             "INSERT INTO accounts SELECT id, 1000 FROM n");
    numbers n;
    {
        asyncpool::pool<connection> pool(config_of(path, places, n));
        std::vector<std::thread> crew;
        for (unsigned i = 0; i < threads; i++)
            crew.emplace_back([&] { worker(pool, total, n); });
        for (std::thread &t : crew)
            t.join();
        const pool_stats_t s = pool.stats();
        std::printf("%lld transfers, %llu lends, %llu connections opened, %u at once at most\n%s\n\n",
                    n.committed.load(), static_cast<unsigned long long>(s.lends),
                    static_cast<unsigned long long>(s.created), s.peak_active, pool.describe().c_str());
        if (!pool.drain(60s))
            return check(false, "everything is back");
    }
    bool good =
        check(n.committed + n.left_open + n.not_opened == total, "each transfer was made, or its exception caught");
    good &= check(n.left_open == n.rolled_back, "each transaction that was left open was rolled back");
    good &= check(bank.number("SELECT sum(balance) FROM accounts") == accounts * opening_balance, "no money was lost");
    return good;
}

unsigned option(int argc, char **argv, const char *name, unsigned otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (!std::strcmp(argv[i], name))
            return std::max(1u, static_cast<unsigned>(std::strtoul(argv[i + 1], nullptr, 10)));
    return otherwise;
}

} // namespace

int main(int argc, char **argv)
{
    const unsigned threads = option(argc, argv, "--threads", 64), places = option(argc, argv, "--connections", 8);
    char folder[] = "/tmp/asyncpool-cpp-XXXXXX";
    if (!mkdtemp(folder))
        return 1;
    std::printf("%u threads share %u SQLite connections (SQLite %s, asyncpool %s)\n", threads, places,
                sqlite3_libversion(), pool_version());
    bool good = false;
    try {
        good = demonstrate(std::string(folder) + "/bank.db", threads, places,
                           option(argc, argv, "--transactions", 20'000));
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
    std::filesystem::remove_all(folder);
    return good ? 0 : 1;
}
