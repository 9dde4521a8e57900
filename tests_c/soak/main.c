/* Options and epochs. */
#include "actor.h"
#include "gauges.h"
#include "invariants.h"
#include "report.h"

#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

soak_options soak = {.threads = 200, .seconds = 600, .epoch = 5, .stall = 90 * CHECK_SLOWDOWN};
soak_tally tally;

/* ---- small things ---- */

int64_t soak_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void soak_nap_us(unsigned us)
{
    struct timespec t = {us / 1000000, (long)(us % 1000000) * 1000};
    nanosleep(&t, NULL);
}

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

dice dice_of(uint64_t number) { return (dice){mix(mix(soak.seed) ^ number) | 1}; }

uint32_t dice_below(dice *d, uint32_t n)
{
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return n ? (uint32_t)((d->state >> 16) % n) : 0;
}

/* ---- epochs ---- */

static bool all_rest(void *arg)
{
    (void)arg;
    bool all = epoch_all_rest();
    errands_run(); /* the steward may rest already, and somebody wait for what they hold */
    return all;
}

static void rest(void)
{
    epoch_end();
    invariants_wait(all_rest, NULL, "everybody rests");
    threads_settle();
    invariants_wait(all_rest, NULL, "the new threads rest");
    invariants_at_rest();
    gauges_sample();
}

static bool epoch_is_over(int64_t start_ns, unsigned long long start_cycles)
{
    if (soak.epoch > 0)
        return soak_now_ns() - start_ns >= (int64_t)(soak.epoch * 1e9);
    return TALLIED(cycles) - start_cycles >= soak.cycles;
}

static void epoch(dice *d)
{
    int64_t start_ns = soak_now_ns();
    unsigned long long start_cycles = TALLIED(cycles);
    epoch_set_load(1000); /* everybody at first, so that it is known what they take */
    epoch_begin();
    for (unsigned tick = 1; !epoch_is_over(start_ns, start_cycles); tick++) {
        alarm(3 * soak.stall); /* in case it is this thread that hangs */
        invariants_sample();
        if (tick % 20 == 0)
            epoch_set_load(dice_one_in(d, 3) ? 1000 : 20 + dice_below(d, 980));
        report_progress();
        soak_nap_us(10000);
    }
    rest();
    report_epochs++;
}

static bool run_is_over(void)
{
    return soak.epoch > 0 ? report_elapsed() >= soak.seconds : report_epochs >= soak.epochs;
}

static void bite(int signal)
{
    static const char text[] = "\nsoak: FAILED: the thread that watches the others hangs\n";
    (void)signal;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(125);
    _exit(124);
}

static double number(const char *text)
{
    char *rest_of_it;
    double n = strtod(text, &rest_of_it);
    if (*text == 0 || *rest_of_it || n < 0) {
        fprintf(stderr, "soak: not a number: %s\n", text);
        exit(2);
    }
    return n;
}

static void parse(int argc, char **argv)
{
    static const struct option names[] = {
        {"minutes", required_argument, NULL, 'm'},
        {"seed", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 't'},
        {"epoch", required_argument, NULL, 'e'},
        {"epochs", required_argument, NULL, 'n'},
        {"cycles", required_argument, NULL, 'c'},
        {NULL, 0, NULL, 0}};
    int option;
    if (getrandom(&soak.seed, sizeof soak.seed, 0) < 0)
        soak.seed = (uint64_t)time(NULL);
    soak.seed %= 1000000000; /* easy to type */
    while ((option = getopt_long(argc, argv, "", names, NULL)) >= 0) {
        switch (option) {
        case 'm':
            soak.seconds = number(optarg) * 60;
            break;
        case 's':
            soak.seed = strtoull(optarg, NULL, 10);
            break;
        case 't':
            soak.threads = (unsigned)number(optarg);
            break;
        case 'e':
            soak.epoch = number(optarg);
            break;
        case 'n':
            soak.epochs = (unsigned)number(optarg);
            break;
        case 'c':
            soak.cycles = (uint64_t)number(optarg), soak.epoch = 0;
            break;
        default:
            fprintf(stderr, "usage: soak [--minutes M] [--epoch SECONDS] [--seed N] [--threads N]\n"
                            "       soak --cycles N --epochs N ...: measured in cycles of each epoch\n");
            exit(2);
        }
    }
    if (soak.threads < 1 || soak.threads > 3000) {
        fprintf(stderr, "soak: --threads is 1 to 3000\n");
        exit(2);
    }
}

int main(int argc, char **argv)
{
    parse(argc, argv);
    printf("soak: --seed %" PRIu64 ": %u threads, %d loops, %d threads of coroutines, %d hosts; %d pools\n", soak.seed,
           soak.threads, LOOPS, COROUTINE_THREADS, HOSTS, SITES);
    fflush(stdout);
    struct sigaction action = {.sa_handler = bite, .sa_flags = SA_ONSTACK};
    sigaction(SIGALRM, &action, NULL);
    mallopt(M_ARENA_MAX, 4); /* fewer heaps that may each keep something */
    report_began_ns = soak_now_ns();
    hooks_dice = dice_of(0);
    dice d = dice_of(5000);

    worlds_begin();
    atomic_store(&world_calm, true); /* the first pools are made without fail */
    loops_start();
    coroutines_start();
    for (int i = 0; i < SITES; i++)
        site_replace(&sites[i], true);
    atomic_store(&world_calm, false);
    hosts_start();
    threads_start(soak.threads);
    steward_start();
    keepers_start();

    while (!run_is_over())
        epoch(&d);

    epoch_end_for_ever();
    keepers_join();
    steward_join();
    threads_join();
    hosts_join();
    loops_join();
    invariants_at_end(); /* before the schedulers go, the pools that use them */
    coroutines_join();
    if (!report_end())
        soak_fail("a gauge has grown: see the table");
    printf("soak: passed\n");
    return 0;
}
