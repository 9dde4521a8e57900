/*
 * What callers and the factory saw, noted as it happens, and judged at the end beside what was done to the server: no
 * caller fails that could have waited, lost is only what was running, and who connects keeps to the pauses.
 */
#ifndef EXAMPLES_POSTGRES_ACCOUNT_H
#define EXAMPLES_POSTGRES_ACCOUNT_H

#include "connection.h"

/* The pauses of the pool: create_retry_ms, create_retry_max_ms. */
enum { RETRY_MS = 50, RETRY_MAX_MS = 500 };
/* Callers who can wait for a service to come back, and callers who cannot. */
enum { PATIENT, HURRIED, KINDS };
enum { STATUSES = 13, MOST_NOTES = 4096, MOST_TROUBLES = 8 };

/* Something that was done to the server. */
typedef struct trouble {
    const char *name;
    bool breaks;      /* does it end connections? */
    unsigned running; /* queries when it began */
    int64_t began_ns;
    int64_t broken_ns;               /* by then all connections that it ends have ended */
    int64_t back_ns;                 /* who connects is let in again */
    unsigned lost, refused, allowed; /* found at the end: queries; attempts to connect; as many of them as may be */
} trouble;

/* What began and ended: an attempt to connect that failed; a lost query, from when its connection was lent. */
typedef struct note {
    int64_t began_ns, ended_ns;
} note;

typedef struct notes {
    atomic_uint count;
    note all[MOST_NOTES];
} notes;

typedef struct account {
    int64_t deadline_ms[KINDS];          /* how long each kind waits; set by the program */
    atomic_llong ended[KINDS][STATUSES]; /* acquires, by minus their status */
    atomic_llong longest_ns[KINDS];
    atomic_uint running;             /* queries right now */
    atomic_uint given_up;            /* attempts to connect, when the time of their caller was over */
    notes lost, refused;             /* queries; attempts to connect */
    trouble troubles[MOST_TROUBLES]; /* written by one thread */
    unsigned trouble_count;
} account;

void account_acquire(account *a, unsigned kind, pool_status_t status, int64_t ns);
void account_note(notes *n, int64_t began_ns, int64_t ended_ns);

/* How many pauses of creations that fail can be over in that time: a pause is a fifth shorter at best. */
unsigned account_pauses(int64_t ns);

/* Print it, then check it, once each; stats are those of the pool once nobody uses it any more. */
void account_show(account *a, const run_t *run, const pool_stats_t *stats);
void account_check(const account *a, run_t *run, const pool_stats_t *stats);

#endif
