#include "account.h"

#include <stdio.h>

#define MS INT64_C(1000000)

void account_acquire(account *a, unsigned kind, pool_status_t status, int64_t ns)
{
    long long longest = atomic_load(&a->longest_ns[kind]);
    atomic_fetch_add(&a->ended[kind][-status], 1);
    while (ns > longest && !atomic_compare_exchange_weak(&a->longest_ns[kind], &longest, ns))
        ;
}

void account_note(notes *n, int64_t began_ns, int64_t ended_ns)
{
    unsigned i = atomic_fetch_add(&n->count, 1);
    if (i < MOST_NOTES)
        n->all[i] = (note){began_ns, ended_ns};
}

unsigned account_pauses(int64_t ns)
{
    unsigned n = 0;
    for (int64_t pause_ms = RETRY_MS; (ns -= pause_ms * MS * 4 / 5) >= 0; n++)
        pause_ms = 2 * pause_ms < RETRY_MAX_MS ? 2 * pause_ms : RETRY_MAX_MS;
    return n;
}

/* ---- what callers saw ---- */

static void put_row(const char *name, long long patient, long long hurried)
{
    printf("  %-28s %16lld %16lld\n", name, patient, hurried);
}

static void put_acquires(const account *a)
{
    printf("\nWhat callers saw               waits %6.2f s   waits %6.2f s\n\n", (double)a->deadline_ms[PATIENT] / 1e3,
           (double)a->deadline_ms[HURRIED] / 1e3);
    for (int i = 0; i < STATUSES; i++)
        if (a->ended[PATIENT][i] + a->ended[HURRIED][i] > 0)
            put_row(i ? pool_status_name((pool_status_t)-i) : "lent a connection", a->ended[PATIENT][i],
                    a->ended[HURRIED][i]);
    put_row("longest wait, ms", a->longest_ns[PATIENT] / MS, a->longest_ns[HURRIED] / MS);
}

/* Closed is what a caller is told when the program is stopped. */
static long long failures(const account *a, unsigned kind)
{
    long long n = 0;
    for (int i = 1; i < STATUSES; i++)
        n += i == -POOL_ERR_CLOSED ? 0 : a->ended[kind][i];
    return n;
}

static void check_acquires(const account *a, run_t *run, int64_t outage_ns)
{
    for (unsigned kind = 0; kind < KINDS; kind++)
        if (a->deadline_ms[kind] * MS > outage_ns)
            run_check(run, failures(a, kind) == 0,
                      "%lld acquires failed with a deadline of %.2f s, longer than any outage", failures(a, kind),
                      (double)a->deadline_ms[kind] / 1e3);
}

/* ---- what was lost, and tried ---- */

static bool overlaps(const note *n, int64_t from_ns, int64_t to_ns)
{
    return n->began_ns <= to_ns && n->ended_ns >= from_ns;
}

/* How many fall into that time; they are taken out, so that what is left was in none. */
static unsigned take(notes *n, int64_t from_ns, int64_t to_ns)
{
    unsigned found = 0;
    for (unsigned i = 0; i < n->count && i < MOST_NOTES; i++)
        if (n->all[i].ended_ns && overlaps(&n->all[i], from_ns, to_ns)) {
            n->all[i].ended_ns = 0;
            found++;
        }
    return found;
}

static void judge(account *a, const run_t *run)
{
    for (unsigned i = 0; i < a->trouble_count; i++) {
        trouble *t = &a->troubles[i];
        t->lost = t->breaks ? take(&a->lost, t->began_ns, t->broken_ns) : 0;
        t->refused = take(&a->refused, t->began_ns, t->back_ns);
        /* Those that have begun before the first pause are as many as there are places, at most. */
        t->allowed = run->places + account_pauses(t->back_ns - t->began_ns);
    }
}

static void put_troubles(const account *a)
{
    puts("\nWhat happened           outage     queries    queries    attempts to     the pauses\n"
         "                                   running       lost   connect refused        allow\n");
    for (unsigned i = 0; i < a->trouble_count; i++) {
        const trouble *t = &a->troubles[i];
        printf("  %-18s %8.3f s %11u %10u %17u %12u\n", t->name, (double)(t->back_ns - t->began_ns) / 1e9, t->running,
               t->lost, t->refused, t->allowed);
    }
}

static void check_troubles(const account *a, run_t *run)
{
    unsigned lost = 0, refused = 0;
    bool lost_right = true, refused_right = true;
    for (unsigned i = 0; i < a->trouble_count; i++) {
        const trouble *t = &a->troubles[i];
        lost += t->lost;
        refused += t->refused;
        lost_right = lost_right && t->lost <= run->places;
        refused_right = refused_right && t->refused <= t->allowed;
    }
    run_check(run, lost_right && lost == a->lost.count,
              "%u queries lost, %u because their connection was ended under them", a->lost.count, lost);
    run_check(run, refused_right && refused == a->refused.count,
              "%u attempts to connect refused, %u of them in an outage, %s than the pauses allow", a->refused.count,
              refused, refused_right ? "no more" : "more");
}

static void check_stats(const account *a, run_t *run, const pool_stats_t *s)
{
    long long lends = a->ended[PATIENT][0] + a->ended[HURRIED][0];
    run_check(run, (long long)s->lends == lends && lends == run->done + a->lost.count,
              "%llu lends, %lld queries answered and %u lost", (unsigned long long)s->lends, (long long)run->done,
              a->lost.count);
    run_check(run, s->failed == a->refused.count && s->destroyed_discarded == a->lost.count,
              "%llu creations failed and %llu connections discarded, as often as seen here",
              (unsigned long long)s->failed, (unsigned long long)s->destroyed_discarded);
    run_check(run, s->created == s->destroyed + s->detached + s->count, "%llu created, %llu destroyed, %u left",
              (unsigned long long)s->created, (unsigned long long)s->destroyed, s->count);
}

static void put_stats(const account *a, const pool_stats_t *s)
{
    typedef unsigned long long number;
    double waited_ms = s->waited ? (double)s->wait_us / 1e3 / (double)s->waited : 0;
    double made_ms = s->created ? (double)s->create_us / 1e3 / (double)s->created : 0;
    puts("\nWhat the pool counted\n");
    printf("  lends      %llu, %llu after a wait, of %.1f ms on average; at most %u in line\n", (number)s->lends,
           (number)s->waited, waited_ms, s->peak_waiting);
    printf("  not lent   %llu for the deadline, %llu by the open breaker\n", (number)s->timeouts,
           (number)s->unavailable);
    printf("  created    %llu, in %.1f ms on average; %llu failed, and %u were given up with their caller\n",
           (number)s->created, made_ms, (number)s->failed, a->given_up);
    printf("  destroyed  %llu discarded, %llu found dead when lent, %llu by a healthcheck, %llu too old\n",
           (number)s->destroyed_discarded, (number)s->destroyed_rejected, (number)s->destroyed_dead,
           (number)s->destroyed_lifetime);
}

void account_show(account *a, const run_t *run, const pool_stats_t *stats)
{
    judge(a, run);
    put_troubles(a);
    put_acquires(a);
    put_stats(a, stats);
}

void account_check(const account *a, run_t *run, const pool_stats_t *stats)
{
    int64_t outage_ns = 0;
    for (unsigned i = 0; i < a->trouble_count; i++)
        if (a->troubles[i].back_ns - a->troubles[i].began_ns > outage_ns)
            outage_ns = a->troubles[i].back_ns - a->troubles[i].began_ns;
    check_acquires(a, run, outage_ns);
    check_troubles(a, run);
    check_stats(a, run, stats);
}
