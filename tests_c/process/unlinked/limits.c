/*
 * What the Go runtime does not start with, so that it would end the process: pool_api_load() says so before.
 *
 *     limits LIBRARY CASE
 *
 * Each case is a child of its own, with the limit or the variable, which tells what it was told and ends by itself.
 * Each case shows P41.
 */
#define _GNU_SOURCE /* pthread_setattr_default_np() */
#include "cases.h"

#include <sys/resource.h>
#include <sys/wait.h>

static const char *library_path;

/* Does the process work on, and what does it say, after this was done to it? */
typedef struct outcome {
    int status; /* of waitpid() */
    char text[1024];
} outcome;

static const char *const not_loaded = "not loaded: ";

/* Loads, and uses what it has. */
static int load(void)
{
    pool_status_t status = pool_api_load(library_path);
    if (status != POOL_OK) {
        printf("%s%s", pool_api_current() ? "registered: " : not_loaded, pool_api_error());
        return status == POOL_ERR_UNAVAILABLE ? 3 : 4;
    }
    void *r;
    pool_t *pool = POOL_NEW(plain_make, plain_end, plain_pass, plain_pass, plain_pass, 1, 2, 0);
    if (!pool || POOL_ACQUIRE(pool, &r, 0) != POOL_OK || POOL_RELEASE(pool, r) != POOL_OK)
        return 5;
    POOL_UNREF(pool);
    printf("loaded");
    return 0;
}

static outcome after(bool (*limit)(const void *), const void *arg)
{
    outcome o = {0, ""};
    int pipes[2];
    REQUIRE(pipe(pipes) == 0);
    fflush(NULL);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(PLAIN_WATCHDOG_S);
        dup2(pipes[1], 1);
        close(pipes[0]);
        close(pipes[1]);
        int code = limit(arg) ? load() : 6;
        fflush(stdout);
        _exit(code);
    }
    close(pipes[1]);
    size_t length = 0;
    for (ssize_t n;
         length < sizeof o.text - 1 && (n = read(pipes[0], o.text + length, sizeof o.text - 1 - length)) > 0;)
        length += (size_t)n;
    close(pipes[0]);
    REQUIRE(waitpid(child, &o.status, 0) == child);
    return o;
}

static void expect(outcome o, int code, const char *const *words)
{
    bool right = WIFEXITED(o.status) && WEXITSTATUS(o.status) == code;
    for (; words && *words; words++)
        right = right && strstr(o.text, *words);
    if (right)
        return;
    fprintf(stderr, "ended with status %#x, not code %d, and said: %s\n", (unsigned)o.status, code, o.text);
    _exit(1);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- limits ---- */

typedef struct limit {
    bool data;
    rlim_t bytes, stack;
} limit;

static bool set_limit(const void *arg)
{
    const limit *l = arg;
    struct rlimit stack, limits = {l->bytes, l->bytes};
    pthread_attr_t threads;
    /* The same need everywhere; the limit of stacks says nothing of it any more. */
    if (pthread_attr_init(&threads) != 0 || pthread_attr_setstacksize(&threads, 8 << 20) != 0 ||
        pthread_setattr_default_np(&threads) != 0 || getrlimit(RLIMIT_STACK, &stack) != 0)
        return false;
    stack.rlim_cur = l->stack;
    if (setrlimit(RLIMIT_STACK, &stack) != 0)
        return false;
    return (l->data ? setrlimit(RLIMIT_DATA, &limits) : setrlimit(RLIMIT_AS, &limits)) == 0;
}

static outcome limited(bool data, rlim_t mib)
{
    limit l = {data, mib << 20, 8 << 20};
    return after(set_limit, &l);
}

/* The shadow of a sanitizer, or valgrind, has no place in such limits. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(POOL_UCONTEXT_VALGRIND)
enum { LIMITS_ARE_OURS = 0 };
#else
enum { LIMITS_ARE_OURS = 1 };
#endif

static void threads_are_counted_with_the_stacks_that_they_get(void)
{
    if (!LIMITS_ARE_OURS)
        return;
    static const limit space = {false, 880 << 20, 256 << 10}, data = {true, 100 << 20, 256 << 10};
    expect(after(set_limit, &space), 3, WORDS(not_loaded, "address space", "917504 KiB"));
    expect(after(set_limit, &data), 3, WORDS(not_loaded, "data (RLIMIT_DATA", "114688 KiB"));
}

static void little_address_space_is_told(void)
{
    if (!LIMITS_ARE_OURS)
        return;
    expect(limited(false, 100), 3,
           WORDS(not_loaded, "address space (RLIMIT_AS, ulimit -v) is 102400 KiB", "917504 KiB"));
    expect(limited(false, 500), 3, WORDS(not_loaded, "address space", "512000 KiB"));
    expect(limited(false, 880), 3, WORDS(not_loaded, "address space"));
    expect(limited(false, 4096), 0, WORDS("loaded"));
}

static void little_data_is_told(void)
{
    if (!LIMITS_ARE_OURS)
        return;
    expect(limited(true, 10), 3, WORDS(not_loaded, "data (RLIMIT_DATA, ulimit -d) is 10240 KiB", "114688 KiB"));
    expect(limited(true, 50), 3, WORDS(not_loaded, "data (RLIMIT_DATA", "51200 KiB"));
    expect(limited(true, 100), 3, WORDS(not_loaded, "data (RLIMIT_DATA"));
    expect(limited(true, 1024), 0, WORDS("loaded"));
}

enum { NO_SUCH_ID = 77 };

/* Root may start as many processes as it likes. */
static bool as_nobody_with_few_processes(const void *arg)
{
    const rlim_t *processes = arg;
    struct rlimit limits = {*processes, *processes};
    if (setuid(1u << 20) != 0) /* an id that nobody else has a process of */
        _exit(NO_SUCH_ID);
    return setrlimit(RLIMIT_NPROC, &limits) == 0;
}

static void few_threads_are_told(void)
{
    if (!LIMITS_ARE_OURS || getuid() != 0)
        return; /* others have processes already */
    rlim_t enough = 64;
    outcome o = after(as_nobody_with_few_processes, &enough);
    if (WIFEXITED(o.status) && WEXITSTATUS(o.status) == NO_SUCH_ID)
        return; /* in a container that has few ids */
    for (rlim_t n = 1; n <= 8; n++)
        expect(after(as_nobody_with_few_processes, &n), 3, WORDS(not_loaded, "threads could be started", "ulimit -u"));
    expect(o, 0, WORDS("loaded"));
}

/* ---- GOMEMLIMIT ---- */

static bool set_variable(const void *arg) { return setenv("GOMEMLIMIT", arg, 1) == 0; }

/* The runtime reads it where the process was started, so a child is started for each. */
static void malformed_memory_limits_are_told(void)
{
    static const char *const wrong[] = {
        "junk",
        "-1",
        "1e9",
        "5kB",
        "5iB",
        "5MB",
        "5Mi",
        "5 MiB",
        " 5",
        "OFF",
        "B",
        "0x10",
        "9223372036854775808",
        "8388608TiB",
        "99999999999999999999999"};
    static const char *const right[] = {"",        "off",    "0",    "+500000000", "500000000",          "500000000B",
                                        "5000KiB", "500MiB", "2GiB", "8388607TiB", "9223372036854775807"};
    char command[4096], self[1024], words[64];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    REQUIRE(length > 0);
    self[length] = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        expect(after(set_variable, wrong[i]), 3, WORDS(not_loaded, "GOMEMLIMIT is", "500MiB"));
        snprintf(command, sizeof command, "GOMEMLIMIT='%s' '%s' '%s' says_why", wrong[i], self, library_path);
        FILE *child = popen(command, "r");
        REQUIRE(child != NULL);
        outcome o = {0, ""};
        REQUIRE(fread(o.text, 1, sizeof o.text - 1, child) > 0);
        o.status = pclose(child);
        snprintf(words, sizeof words, "GOMEMLIMIT is \"%s\"", wrong[i]);
        expect(o, 3, WORDS(not_loaded, words));
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(command, sizeof command, "GOMEMLIMIT='%s' '%s' '%s' says_why >&2", right[i], self, library_path);
        REQUIRE(system(command) == 0);
    }
}

/* Not what a library does that is there already: then nothing starts any more. */
static bool already_loaded(const void *arg)
{
    (void)arg;
    return load() == 0 && pool_api_register(NULL) && set_variable("junk");
}

static void what_is_loaded_already_is_taken_as_it_is(void)
{
    expect(after(already_loaded, NULL), 0, WORDS("loadedloaded"));
}

static bool without_descriptors(const void *arg)
{
    (void)arg;
    struct rlimit limits = {2, 2};
    return setrlimit(RLIMIT_NOFILE, &limits) == 0;
}

static void no_descriptor_is_told(void)
{
    if (LIMITS_ARE_OURS)
        expect(after(without_descriptors, NULL), 3, WORDS(not_loaded, "cannot be opened"));
}

static void says_why(void)
{
    int code = load();
    fflush(stdout);
    _exit(code);
}

static const unlinked_case cases[] = {
    {"little_address_space_is_told", little_address_space_is_told},
    {"little_data_is_told", little_data_is_told},
    {"threads_are_counted_with_the_stacks_that_they_get", threads_are_counted_with_the_stacks_that_they_get},
    {"few_threads_are_told", few_threads_are_told},
    {"malformed_memory_limits_are_told", malformed_memory_limits_are_told},
    {"what_is_loaded_already_is_taken_as_it_is", what_is_loaded_already_is_taken_as_it_is},
    {"no_descriptor_is_told", no_descriptor_is_told},
    {NULL, NULL},
};

int main(int argc, char **argv)
{
    library_path = argv[1];
    if (argc == 3 && strcmp(argv[2], "says_why") == 0)
        says_why();
    return cases_run(cases, argc, argv);
}
