#include "gauges.h"

#include "../support/process.h"
#include "actor.h"
#include "symbol.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What may be between two medians without being growth: a share of the first, and so much besides.
 * - The resident memory moves with what malloc() and Go keep for later.
 * - What malloc() has given out moves with the resources that happen to be idle (at most the sum of max_size)
 *   and with the tables of the pools that happen to be new.
 * - Go collects when its heap has doubled, and gives memory back later.
 * - A goroutine is made for each thread that enters Go; the most at a time moves with how many threads were
 *   there while others had not yet ended.
 * - The library's threads come and go with healthchecks, a few at a time. Go starts one more when it has work for
 *   one and all are busy, until there is one for each right to run: 16, see bridge/procs.go. On a busy machine that
 *   takes long.
 * - Each pool may have a descriptor or two, as it is made when a loop first asks for it.
 */
static const struct {
    const char *name;
    bool memory;
    long percent, more;
} gauges[GAUGES] = {
    [GAUGE_RSS] = {"resident memory, KB", true, 5, 4096},
    [GAUGE_C_HEAP] = {"malloc(), KB", true, 2, 128},
    [GAUGE_GO_HEAP] = {"Go's arenas in memory, KB", true, 25, 2048},
    [GAUGE_GOROUTINES] = {"goroutines, most at a time", false, 5, 4},
    [GAUGE_THREADS] = {"threads besides the actors", false, 0, 6 + 16},
    [GAUGE_FDS] = {"descriptors", false, 0, 2},
};

enum { KEPT = 65536 };
static struct {
    long values[GAUGES];
} * kept;
static size_t samples;

/* A word of the Go runtime's, by its name; 0: not to be had. */
static uintptr_t of_go(const char *name)
{
    const volatile uintptr_t *word = symbol_find((const void *)pool_version, name);
    return word ? *word : 0;
}

/*
 * The resident parts of all mappings, or of those within 4 GB of an address. Go's arenas are such: they lie
 * side by side, from an address on that the runtime draws at its start, far from everything else.
 */
static long resident_kb(uintptr_t near)
{
    FILE *f = fopen("/proc/self/smaps", "re");
    char line[512];
    bool counts = false;
    long sum = 0, kb;
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        unsigned long long from, to;
        if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
            counts = near == 0 || (from >> 32) + 1 - (near >> 32) <= 2;
        else if (counts && sscanf(line, "Rss: %ld kB", &kb) == 1)
            sum += kb;
    }
    fclose(f);
    return sum;
}

/* The table of all goroutines is in an arena. */
static long go_heap_kb(void)
{
    uintptr_t table = of_go("runtime.allgptr");
    return table ? resident_kb(table) : -1;
}

/*
 * How many goroutines there are is known to the runtime alone. It keeps each that it ever made for later use,
 * and counts them in a variable; so this never falls, and rises when more are there than ever before.
 */
static long goroutines(void)
{
    uintptr_t all = of_go("runtime.allglen");
    return all ? (long)all : -1;
}

static long c_heap_kb(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 m = mallinfo2();
    return (long)((m.uordblks + m.hblkhd) / 1024);
#else
    return -1;
#endif
}

long gauge_read(gauge g)
{
    if (gauges[g].memory && !PROCESS_MEMORY_TELLS && g != GAUGE_RSS)
        return -1;
    switch (g) {
    case GAUGE_RSS:
        return resident_kb(0);
    case GAUGE_C_HEAP:
        return c_heap_kb();
    case GAUGE_GO_HEAP:
        return go_heap_kb();
    case GAUGE_GOROUTINES:
        return goroutines();
    case GAUGE_THREADS:
        return process_threads() - 1 - (long)actors_present();
    case GAUGE_FDS:
        return process_descriptors();
    default:
        return -1;
    }
}

void gauges_sample(void)
{
    if (!kept)
        kept = calloc(KEPT, sizeof *kept); /* at once: it must not grow itself */
    if (!kept || samples == KEPT)
        return;
    for (int g = 0; g < GAUGES; g++)
        kept[samples].values[g] = gauge_read((gauge)g);
    samples++;
}

static int by_value(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

static long median(int g, size_t from, size_t n)
{
    long *values = malloc(n * sizeof *values);
    if (!values)
        return -1;
    for (size_t i = 0; i < n; i++)
        values[i] = kept[from + i].values[g];
    qsort(values, n, sizeof *values, by_value);
    long middle = values[n / 2];
    free(values);
    return middle;
}

bool gauges_report(void)
{
    size_t warm = samples / 5 > 2 ? samples / 5 : 2;
    size_t third = samples > warm ? (samples - warm) / 3 : 0;
    bool flat = true;
    if (third < 2) {
        printf("gauges: %zu epochs are too few to compare\n", samples);
        return true;
    }
    printf("%-28s %10s %10s %10s %10s\n", "gauge, median of epochs", "warming up", "first 1/3", "last 1/3", "allowed");
    for (int g = 0; g < GAUGES; g++) {
        long first = median(g, warm, third), last = median(g, samples - third, third);
        long allowed = first + first * gauges[g].percent / 100 + gauges[g].more;
        bool judged = first >= 0 && (PROCESS_MEMORY_TELLS || !gauges[g].memory);
        bool grew = judged && last > allowed;
        printf("%-28s %10ld %10ld %10ld", gauges[g].name, median(g, 0, warm), first, last);
        if (judged)
            printf(" %10ld%s\n", allowed, grew ? "  HAS GROWN" : "");
        else
            printf(" %10s\n", "-");
        flat = flat && !grew;
    }
    return flat;
}
