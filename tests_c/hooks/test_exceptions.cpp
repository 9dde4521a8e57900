/*
 * C++ exceptions that leave hooks, reports and observers: they pass through the library and are
 * caught by the caller of the operation, as the same object; what was begun counts as failed and
 * nothing is lost. Each case shows R26, P11.
 */
#include "leaving.h"

#include <atomic>
#include <stdatomic.h>
#include <stdexcept>
#include <string>

/* The C header, in C++. */
#define _Noreturn [[noreturn]]
extern "C" {
#include "check.h"
}

namespace
{

struct failure : std::runtime_error {
    explicit failure(int number) : std::runtime_error("out of a hook"), number(number) {}
    int number;
};

int thrown, caught, unwound;

/* Has to be unwound between the hook and the caller. */
struct witness {
    ~witness() { unwound++; }
};

void run_and_catch(void (*body)())
{
    try {
        witness w;
        body();
    } catch (const failure &f) {
        caught++;
        CHECK_INT(f.number, thrown);
        CHECK_STR(f.what(), "out of a hook");
    }
    CHECK_INT(caught, thrown);
    CHECK_INT(unwound, thrown);
}

void throw_it() { throw failure(++thrown); }

const leaving by_exception = {run_and_catch, throw_it, false};

} // namespace

TEST(an_exception_out_of_the_factory) { leaving_factory(&by_exception); }
TEST(an_exception_out_of_the_factory_of_a_creation) { leaving_factory_of_a_creation(&by_exception); }
TEST(an_exception_out_of_before_acquire) { leaving_before_acquire(&by_exception); }
TEST(an_exception_out_of_before_release) { leaving_before_release(&by_exception); }
TEST(an_exception_out_of_the_destructor) { leaving_destructor(&by_exception); }
TEST(an_exception_out_of_a_destructor_of_close) { leaving_destructor_of_close(&by_exception); }
TEST(an_exception_out_of_report_success) { leaving_report_success(&by_exception); }
TEST(an_exception_out_of_report_failure) { leaving_report_failure(&by_exception); }
TEST(an_exception_out_of_should_recover) { leaving_should_recover(&by_exception); }
TEST(an_exception_out_of_an_observer) { leaving_observer(&by_exception); }
TEST(an_exception_out_of_an_observer_of_close) { leaving_observer_of_close(&by_exception); }
TEST(an_exception_out_of_resume) { leaving_resume(&by_exception); }
TEST(exceptions_out_of_many_hooks) { leaving_often(&by_exception); }

/* ---- A pool in C++, as one would write it ---------------------------------------------------- */

namespace
{

struct connection {
    std::string name = "a connection";
};

bool make(pool_t *, void **resource)
{
    *resource = new connection;
    return true;
}

void end(pool_t *, void *resource) { delete static_cast<connection *>(resource); }

} // namespace

TEST(a_pool_of_cxx_objects)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    void *r;
    config.factory = make;
    config.destructor = end;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    CHECK_STATUS(pool_acquire(pool, &r, 1000), POOL_OK);
    CHECK_STR(static_cast<connection *>(r)->name.c_str(), "a connection");
    CHECK_STATUS(pool_release(pool, r), POOL_OK);
    pool_unref(pool);
}
