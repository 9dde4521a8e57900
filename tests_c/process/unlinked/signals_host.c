#include "signals_host.h"

#include <sys/wait.h>

const char *library_path, *second_path;
const pool_api_t *api;
void (*_Atomic in_hook)(void);
volatile sig_atomic_t calls;

static pool_t *pool;

bool pass(pool_t *self, void *resource)
{
    (void)self, (void)resource;
    if (in_hook)
        atomic_exchange(&in_hook, NULL)();
    return true;
}

void use(void)
{
    void *r;
    REQUIRE(api->acquire(pool, &r, 0) == POOL_OK);
    REQUIRE(api->release(pool, r) == POOL_OK);
}

void load(void)
{
    if (second_path)
        plain_open(second_path);
    api = plain_table(plain_open(library_path));
    pool = api->create_internal(plain_make, plain_end, plain_pass, pass, pass, 2, 2, 1);
    REQUIRE(pool != NULL);
    use();
}

void count(int number)
{
    (void)number;
    calls++;
}

void handle(int number, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
    REQUIRE(sigaction(number, &action, NULL) == 0);
}

static void *on_a_thread_body(void *body)
{
    (*(void (**)(void))body)();
    return NULL;
}

void on_a_thread(void (*body)(void))
{
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, on_a_thread_body, &body) == 0);
    REQUIRE(pthread_join(thread, NULL) == 0);
}

void everywhere(void (*body)(void))
{
    body();
    in_hook = body;
    use();
    REQUIRE(in_hook == NULL);
    on_a_thread(body);
}

int in_a_child(void (*body)(void))
{
    int status;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(PLAIN_WATCHDOG_S);
        body();
        _exit(0);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}
