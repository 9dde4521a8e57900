/* Handlers of the end of a process, and destructor functions, that use the library. */
#include "exits_crowd.h"

void use(pool_t *of)
{
    void *r;
    REQUIRE(api->acquire(of, &r, PATIENCE_MS) == POOL_OK);
    REQUIRE(api->release(of, r) == POOL_OK);
    pool_t *late = api->create_internal(plain_make, plain_end, plain_pass, plain_pass, NULL, 1, 1, 1);
    REQUIRE(late != NULL);
    REQUIRE(api->acquire(late, &r, PATIENCE_MS) == POOL_OK);
    REQUIRE(api->close(late) == POOL_OK);
    REQUIRE(api->release(late, r) == POOL_OK);
    api->unref(late);
}

static bool last;

static void first_handler(void) /* registered before the library was loaded: comes last */
{
    REQUIRE(last);
    REQUIRE(api->close(sound) == POOL_OK);
    api->unref(sound);
}

static void second_handler(void)
{
    REQUIRE(api->acquire(crowded, &(void *){NULL}, 1) == POOL_ERR_TIMEOUT);
    use(sound);
    REQUIRE(api->close(crowded) == POOL_OK);
    api->unref(crowded);
    last = true;
}

int handlers_use_the_library(void)
{
    atexit(first_handler);
    fill();
    atexit(second_handler);
    return CODE;
}

int handlers_use_it_after_an_exit_in_a_healthcheck(void)
{
    atexit(first_handler);
    atexit(second_handler);
    return exit_in_a_healthcheck();
}

static void check_it_ran(void) { _exit(last ? CODE : 1); }

int quick_exit_runs_its_handlers(void)
{
    fill();
    at_quick_exit(check_it_ran);
    at_quick_exit(second_handler);
    quick_exit(1);
}

static bool in_destructors;

/* Runs after all handlers of the program. */
__attribute__((destructor)) static void at_the_very_end(void)
{
    if (in_destructors) {
        use(sound);
        _exit(CODE);
    }
}

int destructor_functions_use_the_library(void)
{
    fill();
    in_destructors = true;
    return 1;
}
