/*
 * Do the tracepoints fire, each as often as it should? What a tracer has the kernel do is done here by hand: the nop of
 * each is made a breakpoint, whose signal counts. So no rights are needed, but an x86-64.
 */
#include <asyncpool/pool.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#define REQUIRE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                \
        }                                                                           \
    } while (0)

typedef enum { ACQUIRE, RELEASE, WAIT, WAKE, CREATE, DESTROY, NAMES } name_t;
static const char *const names[NAMES] = {"acquire", "release", "wait", "wake", "create", "destroy"};

static struct {
    uintptr_t at;
    name_t name;
} points[256];
static int point_count;
static volatile int fired[NAMES];

static void trapped(int signal, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] - 1;
    (void)signal, (void)info;
    for (int i = 0; i < point_count; i++)
        if (points[i].at == at) {
            fired[points[i].name]++;
            return;
        }
    abort();
}

/* ---- the notes of the library ---- */

static const char *file;

static const Elf64_Shdr *section(const char *wanted)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *all = (const Elf64_Shdr *)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++)
        if (strcmp(file + all[header->e_shstrndx].sh_offset + all[i].sh_name, wanted) == 0)
            return &all[i];
    fprintf(stderr, "the library has no %s: it was built without sys/sdt.h\n", wanted);
    exit(1);
}

static void note(const char *description, uintptr_t loaded_at, uintptr_t base)
{
    const uint64_t *addresses = (const uint64_t *)description; /* of the nop, of the base, of a semaphore */
    const char *name = description + 3 * sizeof *addresses + strlen("asyncpool") + 1;
    REQUIRE(strcmp(description + 3 * sizeof *addresses, "asyncpool") == 0);
    int number = 0;
    while (number < NAMES && strcmp(names[number], name) != 0)
        number++;
    REQUIRE(number < NAMES && point_count < 256);
    points[point_count].name = (name_t)number;
    points[point_count++].at = loaded_at + addresses[0] + (base - addresses[1]);
}

static void read_notes(void)
{
    Dl_info library;
    struct stat status;
    REQUIRE(dladdr((void *)pool_acquire, &library) != 0);
    int descriptor = open(library.dli_fname, O_RDONLY | O_CLOEXEC);
    REQUIRE(descriptor >= 0 && fstat(descriptor, &status) == 0);
    file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    REQUIRE(file != MAP_FAILED && close(descriptor) == 0);
    const Elf64_Shdr *notes = section(".note.stapsdt"), *base = section(".stapsdt.base");
    const char *at = file + notes->sh_offset, *end = at + notes->sh_size;
    while (at < end) {
        const Elf64_Nhdr *head = (const Elf64_Nhdr *)at;
        const char *description = at + sizeof *head + (head->n_namesz + 3) / 4 * 4;
        note(description, (uintptr_t)library.dli_fbase, base->sh_addr);
        at = description + (head->n_descsz + 3) / 4 * 4;
    }
}

static void arm(void)
{
    enum { NOP = 0x90, BREAKPOINT = 0xcc };
    struct sigaction action = {.sa_sigaction = trapped, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    REQUIRE(sigaction(SIGTRAP, &action, NULL) == 0);
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < point_count; i++) {
        unsigned char *code = (unsigned char *)points[i].at;
        void *begin = (void *)(points[i].at / page * page);
        REQUIRE(*code == NOP);
        REQUIRE(mprotect(begin, page, PROT_READ | PROT_WRITE | PROT_EXEC) == 0);
        *code = BREAKPOINT;
        REQUIRE(mprotect(begin, page, PROT_READ | PROT_EXEC) == 0);
    }
}

/* ---- what fires ---- */

static void expect(int line, const int want[NAMES])
{
    bool good = true;
    for (int i = 0; i < NAMES; i++) {
        if (fired[i] != want[i])
            fprintf(stderr, "line %d: %s fired %d times, expected %d\n", line, names[i], fired[i], want[i]);
        good = good && fired[i] == want[i];
        fired[i] = 0;
    }
    REQUIRE(good);
}
#define FIRED(...) expect(__LINE__, (const int[NAMES]){__VA_ARGS__})

static char words[64];
static int made;
static bool refuses;

static bool factory(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &words[made];
    made += !refuses;
    return !refuses;
}

static void destructor(pool_t *pool, void *resource) { (void)pool, (void)resource; }

static bool check(pool_t *pool, void *resource)
{
    (void)pool, (void)resource;
    return !refuses;
}

/* The same with hooks and without: then the steps of an op do what the lane does. */
static void play(bool hooks)
{
    void *one, *other;
    pool_lease_t lease;
    pool_op_t op, try;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = POOL_ANSWER_INIT;
    yes.ok = true;
    pool_t *pool = pool_create_internal(factory, destructor, NULL, hooks ? check : NULL, hooks ? check : NULL, 1, 2, 0);
    REQUIRE(pool != NULL);
    FIRED([CREATE] = 1);
    REQUIRE(pool_acquire(pool, &one, 0) == POOL_OK);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_try_acquire(pool, &other) == POOL_OK);
    FIRED([ACQUIRE] = 1, [CREATE] = 1);
    REQUIRE(pool_release(pool, one) == POOL_OK);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_release(pool, one) == POOL_ERR_NOT_OWNED);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_acquire_lease(pool, &lease, 0) == POOL_OK);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_release_lease(pool, &lease) == POOL_OK);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_release_lease(pool, &lease) == POOL_ERR_NOT_OWNED);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_try_acquire(pool, &one) == POOL_OK);
    FIRED([ACQUIRE] = 1);
    void *none;
    REQUIRE(pool_try_acquire(pool, &none) == POOL_EMPTY);
    FIRED([ACQUIRE] = 1);
    /* In line, and cancelled; before the first step it is no acquire yet. */
    REQUIRE(pool_op_acquire(pool, &op, 0) == POOL_OK && pool_op_cancel(&op) == POOL_OK);
    FIRED(0);
    REQUIRE(pool_op_acquire(pool, &op, 0) == POOL_OK && pool_op_next(&op, NULL, &ask) == POOL_ASK_WAIT);
    FIRED([WAIT] = 1);
    REQUIRE(pool_op_cancel(&op) == POOL_OK);
    FIRED([ACQUIRE] = 1);
    /* In line, and served. */
    REQUIRE(pool_op_acquire(pool, &op, 0) == POOL_OK && pool_op_next(&op, NULL, &ask) == POOL_ASK_WAIT);
    FIRED([WAIT] = 1);
    REQUIRE(pool_release(pool, one) == POOL_OK);
    FIRED([RELEASE] = 1, [WAKE] = 1);
    if (hooks) {
        REQUIRE(pool_op_next(&op, NULL, &ask) == POOL_ASK_BEFORE_ACQUIRE);
        FIRED(0);
    }
    REQUIRE(pool_op_next(&op, hooks ? &yes : NULL, &ask) == POOL_ASK_DONE && ask.status == POOL_OK);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_discard(pool, one) == POOL_OK);
    FIRED([RELEASE] = 1, [DESTROY] = 1);
    REQUIRE(pool_detach(pool, other) == POOL_OK);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_try_acquire_lease(pool, &lease) == POOL_OK && pool_discard_lease(pool, &lease) == POOL_OK);
    FIRED([ACQUIRE] = 1, [RELEASE] = 1, [CREATE] = 1, [DESTROY] = 1);
    REQUIRE(pool_acquire_lease(pool, &lease, 0) == POOL_OK && pool_detach_lease(pool, &lease) == POOL_OK);
    FIRED([ACQUIRE] = 1, [RELEASE] = 1, [CREATE] = 1);
    refuses = true;
    REQUIRE(pool_acquire(pool, &none, 0) == POOL_ERR_FACTORY);
    FIRED([ACQUIRE] = 1, [CREATE] = 1);
    refuses = false;
    if (hooks) {
        REQUIRE(pool_acquire(pool, &one, 0) == POOL_OK);
        FIRED([ACQUIRE] = 1, [CREATE] = 1);
        refuses = true;
        REQUIRE(pool_release(pool, one) == POOL_OK);
        FIRED([RELEASE] = 1, [DESTROY] = 1);
        refuses = false;
    }
    REQUIRE(pool_acquire(pool, &one, 0) == POOL_OK && pool_release(pool, one) == POOL_OK);
    FIRED([ACQUIRE] = 1, [RELEASE] = 1, [CREATE] = 1);
    REQUIRE(pool_acquire(pool, &one, 0) == POOL_OK);
    REQUIRE(pool_acquire(pool, &other, 0) == POOL_OK);
    FIRED([ACQUIRE] = 2, [CREATE] = 1);
    REQUIRE(pool_op_acquire(pool, &op, 0) == POOL_OK && pool_op_next(&op, NULL, &ask) == POOL_ASK_WAIT);
    REQUIRE(pool_release(pool, one) == POOL_OK);
    FIRED([RELEASE] = 1, [WAIT] = 1, [WAKE] = 1);
    /* Who was promised a place is gone before it comes; the resource is the next one's. */
    REQUIRE(pool_op_cancel(&op) == POOL_OK);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_op_try_acquire(pool, &try) == POOL_OK);
    REQUIRE(pool_close(pool) == POOL_OK);
    FIRED([DESTROY] = 1);
    REQUIRE(pool_op_next(&try, NULL, &ask) == POOL_ASK_DONE && ask.status == POOL_ERR_CLOSED);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_release(pool, other) == POOL_OK);
    FIRED([RELEASE] = 1, [DESTROY] = 1);
    pool_unref(pool);
    FIRED(0);
}

/* The calls without a question of a host that drives its ops. */
static void play_host(void)
{
    pool_lease_t lease;
    pool_op_t op, fill;
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t yes = POOL_ANSWER_INIT;
    yes.ok = true;
    yes.resource = &words[0];
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = POOL_F_HOST_DRIVEN;
    config.min_size = config.max_size = 1;
    REQUIRE(pool_create_ex(&config, &pool) == POOL_OK);
    REQUIRE(pool_op_fill(pool, &fill) == POOL_OK && pool_op_next(&fill, NULL, &ask) == POOL_ASK_CREATE);
    FIRED(0);
    REQUIRE(pool_op_next(&fill, &yes, &ask) == POOL_ASK_DONE);
    FIRED([CREATE] = 1);
    void *resource = pool_take(pool), *none;
    REQUIRE(resource == &words[0]);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_take(pool) == NULL);
    FIRED(0); /* an op follows */
    REQUIRE(pool_try_acquire(pool, &none) == POOL_EMPTY);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_op_join(pool, &op, 0));
    FIRED([WAIT] = 1);
    REQUIRE(pool_hand_on(pool, resource) == &op);
    FIRED([RELEASE] = 1, [WAKE] = 1);
    REQUIRE(pool_op_take(&op) == resource);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_release(pool, resource) == POOL_OK);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_release(pool, resource) == POOL_ERR_NOT_OWNED);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_try_acquire_lease(pool, &lease) == POOL_OK);
    FIRED([ACQUIRE] = 1);
    REQUIRE(pool_release_lease(pool, &lease) == POOL_OK);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_release_lease(pool, &lease) == POOL_ERR_NOT_OWNED);
    FIRED([RELEASE] = 1);
    REQUIRE(pool_op_close(pool, &op) == POOL_OK);
    for (pool_ask_kind_t kind = pool_op_next(&op, NULL, &ask); kind != POOL_ASK_DONE;)
        kind = pool_op_next(&op, &yes, &ask);
    pool_unref(pool);
}

int main(void)
{
    read_notes();
    arm();
    play(false);
    play(true);
    play_host();
    return 0;
}
