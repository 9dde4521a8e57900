#include "live.h"

#include <stdio.h>
#include <unistd.h>

static const char lent_cells[] = "########################################";
static const char idle_cells[] = "oooooooooooooooooooo", free_cells[] = "....................";
static const char *const breaker[] = {"active", "OPEN", "probing"};

/* How many of so many cells stand for a part of a whole; what is not zero always shows. */
static int cells(int most, int64_t part, int64_t whole) { return (int)((part * most + whole - 1) / whole); }

void live_draw(run_t *run, bool last)
{
    bool terminal = isatty(STDOUT_FILENO);
    int64_t now = run_now_ns(), done = atomic_load(&run->done);
    const char *happens = atomic_load(&run->happens);
    pool_snapshot_t s = {.struct_size = sizeof s};
    if ((now < run->draw_ns && happens == run->drawn && !last) || pool_snapshot(run->pool, &s) != POOL_OK)
        return;
    run->drawn = happens;
    run->draw_ns = now + (terminal ? RUN_TICK_MS : 1000) * INT64_C(1000000);

    /* What is promised to somebody in line is as good as lent; the pool still counts it as idle. */
    unsigned lent = s.active + s.reserved, idle = s.idle < s.max - lent ? s.idle : s.max - lent;
    int most = s.max < 20 ? (int)s.max : 20; /* a cell for each place as long as they fit */
    int full = cells(most, lent, s.max), half = cells(most, idle, s.max);
    if (half > most - full)
        half = most - full;
    printf("%s%6.1f s", terminal ? "\r" : "", (double)(now - run->began_ns) / 1e9);
    if (run->total)
        printf(" %3d %%", (int)(done * 100 / run->total));
    printf("  %.*s%.*s%.*s %3u lent %3u idle %4u waiting", full, lent_cells, half, idle_cells, most - full - half,
           free_cells, lent, idle, s.waiting);
    if (happens)
        printf("  %-7s  %-18s", breaker[s.state], happens);
    else
        printf(" %-10.*s", cells(10, s.waiting, run->workers), lent_cells);
    fputs(terminal && !last ? "" : "\n", stdout);
    if (fflush(stdout) != 0)
        run_fail(run, "cannot write to the standard output");
}

static int64_t next_bucket(int64_t below_ns, int i) { return i % 3 == 1 ? below_ns / 2 * 5 : below_ns * 2; }

void live_waited(run_t *run, int64_t ns)
{
    long long longest = atomic_load(&run->longest_ns);
    int i = 0;
    for (int64_t below_ns = 1000; i < RUN_BUCKETS - 1 && ns >= below_ns; i++)
        below_ns = next_bucket(below_ns, i);
    atomic_fetch_add(&run->waits[i], 1);
    while (ns > longest && !atomic_compare_exchange_weak(&run->longest_ns, &longest, ns))
        ;
}

static void put_time(int64_t ns)
{
    if (ns < 1000000)
        printf("%4.0f us", (double)ns / 1e3);
    else if (ns < 1000000000)
        printf("%4.0f ms", (double)ns / 1e6);
    else
        printf("%4.0f s ", (double)ns / 1e9);
}

void live_waits(const run_t *run)
{
    int64_t all = 0, so_far = 0, below_ns = 1000;
    for (int i = 0; i < RUN_BUCKETS; i++)
        all += run->waits[i];
    printf("\nTime until there was one, at most");
    put_time(run->longest_ns);
    puts("\n");
    for (int i = 0; i < RUN_BUCKETS && so_far < all; i++) {
        int64_t n = run->waits[i];
        so_far += n;
        if (so_far > 0) {
            printf("  below ");
            put_time(below_ns);
            printf(" %8lld %5.1f %%  %.*s\n", (long long)n, 100.0 * (double)n / (double)all, cells(40, n, all),
                   lent_cells);
        }
        below_ns = next_bucket(below_ns, i);
    }
}
