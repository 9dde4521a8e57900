/* What budgets tell, as OpenMetrics text: of redis_budget.h, and nobody else's. */
#ifndef ASYNCPOOL_REDIS_BUDGET_METRICS_H
#define ASYNCPOOL_REDIS_BUDGET_METRICS_H

#include <asyncpool/redis_budget.h>

#include <stdarg.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pool__budget_page {
    char *to;
    size_t size, length; /* room, and what there is, with all that did not fit */
} pool__budget_page_t;

static inline __attribute__((format(printf, 2, 3))) void pool__budget_print(pool__budget_page_t *page,
                                                                            const char *format, ...)
{
    va_list arguments;
    bool fits = page->length < page->size;
    va_start(arguments, format);
    int n = vsnprintf(fits ? page->to + page->length : NULL, fits ? page->size - page->length : 0, format, arguments);
    va_end(arguments);
    page->length += n > 0 ? (size_t)n : 0;
}

/* A key may be any bytes; a label is text. */
static inline void pool__budget_print_key(pool__budget_page_t *page, const char *key)
{
    for (const unsigned char *c = (const unsigned char *)key; *c; c++) {
        bool plain = *c >= ' ' && *c < 0x7f && *c != '"' && *c != '\\' && *c != '%';
        pool__budget_print(page, plain ? "%c" : "%%%02X", *c);
    }
}

enum { POOL__BUDGET_METRICS = 12 };

typedef struct pool__budget_metric {
    const char *name, *type, *help;
} pool__budget_metric_t;

static inline void pool__budget_numbers(const pool_budget_info_t *i, uint64_t numbers[POOL__BUDGET_METRICS])
{
    const uint64_t all[POOL__BUDGET_METRICS] = {
        i->limit,  i->leases,  i->used,    i->all,      i->processes,       i->place,
        i->wanted, i->granted, i->refused, i->renewals, i->renewals_failed, (uint64_t)i->left_ms};
    memcpy(numbers, all, sizeof all);
}

/* 0: fine, and so on, as they are named below. */
static inline int pool__budget_state(const pool_budget_info_t *i)
{
    return i->expired ? 3 : i->error[0] ? 2 : i->grace_ms > 0 ? 1 : 0;
}

static inline void pool__budget_put_metrics(pool__budget_page_t *page, pool_budget_t *const *budgets,
                                            const pool_budget_info_t *infos, size_t n)
{
    static const pool__budget_metric_t metrics[POOL__BUDGET_METRICS] = {
        {"limit", "gauge", "Places that there may be, for all processes."},
        {"held", "gauge", "Leases that this process holds."},
        {"used", "gauge", "Places that this process uses."},
        {"all", "gauge", "Leases of all processes."},
        {"processes", "gauge", "Processes that share the budget."},
        {"place", "gauge", "The place of this process in line; 0: it does not stand there."},
        {"wanted", "gauge", "1 while somebody in this process wants a place in vain."},
        {"granted", "counter", "Places that were taken."},
        {"refused", "counter", "Places that were not to be had."},
        {"renewals", "counter", "Messages to Redis, each of which extends the leases."},
        {"renewals_failed", "counter", "Messages to Redis that were not answered."},
        {"lease_left_seconds", "gauge", "Time until the leases end, unless they are extended."}};
    static const char *const states[4] = {"fine", "new", "away", "expired"};
    uint64_t numbers[POOL__BUDGET_METRICS];
    for (int m = 0; m < POOL__BUDGET_METRICS; m++) {
        bool seconds = m == POOL__BUDGET_METRICS - 1;
        pool__budget_print(page, "# TYPE asyncpool_budget_%s %s\n", metrics[m].name, metrics[m].type);
        pool__budget_print(page, "# HELP asyncpool_budget_%s %s\n", metrics[m].name, metrics[m].help);
        if (seconds)
            pool__budget_print(page, "# UNIT asyncpool_budget_%s seconds\n", metrics[m].name);
        for (size_t i = 0; i < n; i++) {
            pool__budget_numbers(&infos[i], numbers);
            pool__budget_print(page, "asyncpool_budget_%s%s{budget=\"", metrics[m].name,
                               metrics[m].type[0] == 'c' ? "_total" : "");
            pool__budget_print_key(page, budgets[i]->config.key);
            if (seconds)
                pool__budget_print(page, "\"} %llu.%03llu\n", (unsigned long long)numbers[m] / 1000,
                                   (unsigned long long)numbers[m] % 1000);
            else
                pool__budget_print(page, "\"} %llu\n", (unsigned long long)numbers[m]);
        }
    }
    pool__budget_print(page, "# TYPE asyncpool_budget_state gauge\n"
                             "# HELP asyncpool_budget_state 1 for how it is with the leases of this process.\n");
    for (size_t i = 0; i < n; i++) {
        for (int state = 0; state < 4; state++) {
            pool__budget_print(page, "asyncpool_budget_state{budget=\"");
            pool__budget_print_key(page, budgets[i]->config.key);
            pool__budget_print(page, "\",state=\"%s\"} %d\n", states[state], pool__budget_state(&infos[i]) == state);
        }
    }
}

#ifdef __cplusplus
}
#endif

#endif
