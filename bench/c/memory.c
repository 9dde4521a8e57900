/* What a pool of bench/peers costs in memory, the resources themselves not counted.
 *
 *     memory WHAT                    prints {"bytes": ...}
 *
 *     idle          resident memory for each of 100,000 resources, all idle
 *     lent          the same when all are lent
 *     pool          resident memory of a pool of 8 resources, over 2,000 pools
 *     parked_heap   heap that each of 1,000 threads takes by parking in an acquire
 *     parked        resident memory that each takes by it
 *     parked_stack  how much of that is its stack
 *
 * The pool is compiled in, as in ../peers/poolbench.c. Heap is what malloc() has given out; Go's memory is
 * not in it, but is resident. */
#include "../peers/bench.h"
#include <dirent.h>
#include <malloc.h>
#include <stdbool.h>
#include <sys/mman.h>

typedef struct {
    _Alignas(64) int busy;
    uint64_t uses;
} resource;
#include POOL_HEADER

enum { RESOURCES = 100000, POOLS = 2000, PLACES = 8, THREADS = 1000, THREAD_STACK = 128 << 10 };
#define STACKS_SIZE ((size_t)THREADS * THREAD_STACK)

static char *stacks; /* of all threads */

static double heap(void)
{
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}
static double resident(void) { return (double)proc_status_kb("VmRSS") * 1024; }
static double stacks_resident(void)
{
    size_t pages = STACKS_SIZE / 4096, n = 0;
    unsigned char *in = malloc(pages);
    if (!in || mincore(stacks, STACKS_SIZE, in))
        DIE("mincore failed");
    for (size_t i = 0; i < pages; i++)
        n += in[i] & 1;
    free(in);
    return (double)n * 4096;
}
static resource *resources(size_t n)
{
    resource *r = aligned_alloc(64, n * sizeof *r);
    if (!r)
        DIE("out of memory");
    memset(r, 0, n * sizeof *r);
    return r;
}

static double of_resources(bool lent)
{
    resource *r = resources(RESOURCES);
    bench_pool *first = bench_new(1, resources(1)); /* what a process needs once is not of interest */
    bench_release(first, bench_acquire(first));
    double before = resident();
    bench_pool *p = bench_new(RESOURCES, r);
    for (int i = 0; lent && i < RESOURCES; i++)
        bench_acquire(p);
    return (resident() - before) / RESOURCES;
}

static double of_pools(void)
{
    resource *r = resources((size_t)POOLS * PLACES + PLACES);
    bench_new(PLACES, r + (size_t)POOLS * PLACES);
    double before = resident();
    for (int i = 0; i < POOLS; i++)
        bench_new(PLACES, r + (size_t)i * PLACES);
    return (resident() - before) / POOLS;
}

/* ---- parked threads ---- */

static bench_pool *busy_pool;
static atomic_int alive, going, gone_in;

static void *parker(void *arg)
{
    (void)arg;
    for (size_t size = 16; size <= 1024; size += 16) { /* glibc keeps up to 7 freed blocks of a size for a thread */
        void *volatile block[7];                       /* and counts them as given out: have them before */
        for (int i = 0; i < 7; i++)
            block[i] = malloc(size);
        for (int i = 0; i < 7; i++)
            free(block[i]);
    }
    atomic_fetch_add(&alive, 1);
    while (!atomic_load(&going))
        futex_wait(&going, 0);
    atomic_fetch_add(&gone_in, 1);
    bench_acquire(busy_pool);
    DIE("a thread got what was not there");
}

/* Do all threads but this one sleep? */
static bool all_asleep(void)
{
    DIR *d = opendir("/proc/self/task");
    int awake = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[300], state = 0;
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", e->d_name);
        FILE *f = e->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!f)
            continue;
        if (fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && state != 'S')
            awake++;
        fclose(f);
    }
    if (d)
        closedir(d);
    return awake <= 1;
}
/* Until they have slept for a while: one that waits for a lock on its way sleeps too, but not for long. */
static void settle(atomic_int *count)
{
    for (int quiet = 0; quiet < 5; usleep(20000))
        quiet = atomic_load(count) == THREADS && all_asleep() ? quiet + 1 : 0;
}

static double of_parked(double (*measured)(void))
{
    busy_pool = bench_new(1, resources(1));
    bench_acquire(busy_pool);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    stacks = mmap(NULL, STACKS_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED)
        DIE("no memory for the stacks");
    madvise(stacks, STACKS_SIZE, MADV_NOHUGEPAGE);
    for (int i = 0; i < THREADS; i++) {
        pthread_t t;
        pthread_attr_setstack(&attr, stacks + (size_t)i * THREAD_STACK, THREAD_STACK);
        if (pthread_create(&t, &attr, parker, NULL))
            DIE("cannot create thread %d", i);
    }
    settle(&alive);
    double before = measured();
    atomic_store(&going, 1);
    futex_wake(&going, THREADS);
    settle(&gone_in);
    return (measured() - before) / THREADS;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        DIE("usage: %s idle|lent|pool|parked_heap|parked|parked_stack", argv[0]);
    double bytes;
    if (!strcmp(argv[1], "idle"))
        bytes = of_resources(false);
    else if (!strcmp(argv[1], "lent"))
        bytes = of_resources(true);
    else if (!strcmp(argv[1], "pool"))
        bytes = of_pools();
    else if (!strcmp(argv[1], "parked_heap"))
        bytes = of_parked(heap);
    else if (!strcmp(argv[1], "parked"))
        bytes = of_parked(resident);
    else if (!strcmp(argv[1], "parked_stack"))
        bytes = of_parked(stacks_resident);
    else
        DIE("%s: what is that?", argv[1]);
    printf("{\"impl\":\"%s\",\"bytes\":%.1f}\n", bench_name, bytes);
    fflush(stdout);
    _exit(0); /* the parked stay parked */
}
