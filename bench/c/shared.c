/* How long does it take to give resources back, on a processor that is shared with busy processes?
 *
 *     shared_POOL BUSY SECONDS      prints {"ns": mean, "p999": ..., "maxw": longest} of a release to a sleeping waiter
 *
 * All on one processor: so many busy processes, and this one. Its threads borrow one of 8 places, keep it for 2 ms and
 * pause for 1 ms; the measuring one takes all 8, waits until 8 others sleep in line, and gives them back in a row. */
#include "../peers/bench.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

typedef struct {
    _Alignas(64) int busy;
    uint64_t uses;
} resource;
#include POOL_HEADER

enum { PLACES = 8, WORKERS = 3 * PLACES, MOST_BUSY = 64 };

static bench_pool *the_pool;
static atomic_int asking; /* workers that are inside of an acquire */

static void *work(void *arg)
{
    for (;;) {
        asking++;
        resource *r = bench_acquire(the_pool);
        asking--;
        usleep(2000);
        bench_release(the_pool, r);
        usleep(1000);
    }
    return arg;
}

static pid_t be_busy(void)
{
    pid_t pid = fork();
    if (pid < 0)
        DIE("cannot fork");
    if (pid > 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;)
        spin_iters(1000);
}

/* One row of releases; each is added to the histogram. */
static double give_back_in_a_row(hist *h)
{
    resource *held[PLACES];
    double sum = 0;
    for (int i = 0; i < PLACES; i++)
        held[i] = bench_acquire(the_pool);
    while (asking < PLACES)
        usleep(500);
    usleep(500); /* the last of them falls asleep */
    for (int i = 0; i < PLACES; i++) {
        int64_t begin = now_ns();
        bench_release(the_pool, held[i]);
        int64_t took = now_ns() - begin;
        hist_add(h, took);
        sum += (double)took;
    }
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 3 || atoi(argv[1]) < 0 || atoi(argv[1]) > MOST_BUSY)
        DIE("usage: %s BUSY SECONDS", argv[0]);
    int busy = atoi(argv[1]);
    double seconds = atof(argv[2]), sum = 0;
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed))
        DIE("no affinity");
    int cpu = CPU_SETSIZE - 1; /* the last one: the first has more to do */
    while (!CPU_ISSET(cpu, &allowed))
        cpu--;
    pin_to(cpu);
    pid_t processes[MOST_BUSY];
    for (int i = 0; i < busy; i++)
        processes[i] = be_busy(); /* before the library is entered */
    static resource res[PLACES];
    the_pool = bench_new(PLACES, res);
    for (int i = 0; i < WORKERS; i++) {
        pthread_t t;
        if (pthread_create(&t, NULL, work, NULL))
            DIE("cannot create a thread");
    }
    hist *h = calloc(1, sizeof *h);
    int64_t end = now_ns() + (int64_t)(seconds * 1e9);
    do
        sum += give_back_in_a_row(h);
    while (now_ns() < end);
    printf("{\"impl\":\"%s\",\"busy\":%d,\"ns\":%.1f,\"p999\":%llu,\"maxw\":%lld,\"samples\":%llu}\n", bench_name, busy,
           sum / (double)h->n, (unsigned long long)hist_quantile(h, .999), (long long)h->max, (unsigned long long)h->n);
    fflush(stdout);
    for (int i = 0; i < busy; i++) {
        kill(processes[i], SIGKILL);
        waitpid(processes[i], NULL, 0);
    }
    _exit(0); /* the workers go on for ever */
}
