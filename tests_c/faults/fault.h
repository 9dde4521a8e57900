/*
 * Fault loops: a story runs once while its allocations and hook calls are counted, then once for each of
 * them with that one failing, once more with it and all of its kind that follow failing, and some times with
 * any of any kind failing by chance: fewer times on a busy machine.
 *
 * A story makes its pools and lets them go again. It ends well, whatever failed: after each run no pool, no
 * resource and no block of the library is left.
 */
#ifndef ASYNCPOOL_FAULT_H
#define ASYNCPOOL_FAULT_H

#include "fixture.h"

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_ALLOC,      /* an allocation of the library: NULL */
    FAULT_ADAPTER,    /* an allocation or system call of an adapter's header */
    FAULT_DESCRIPTOR, /* no descriptor is left for a reactor */
    FAULT_THREAD,     /* a thread of the library cannot be started */
    FAULT_FACTORY,    /* these answer false, and say why */
    FAULT_BEFORE_ACQUIRE,
    FAULT_BEFORE_RELEASE,
    FAULT_HEALTHCHECK,
    FAULT_REPORT,         /* a report of the strategy does the opposite of what it would */
    FAULT_SHOULD_RECOVER, /* answers false */
    FAULT_KINDS,
    FAULT_ANY = FAULT_KINDS /* for the loop: of all kinds, by chance */
} fault_kind;

typedef void (*fault_story)(const void *what);

/* Called where a fault may happen; true: it does. */
bool fault_here(fault_kind kind);
/* Ends the faults of this run: what follows must succeed. */
void fault_off(void);
/* How many of a kind happened in this run. */
int fault_injected(fault_kind kind);

/* The loop; name is for what is printed when a check fails. */
void fault_loop(const char *name, fault_story story, const void *what);
/* One run of it, with the n-th fault of a kind, and all after it. Answers how many there were. */
int fault_once(const char *name, fault_story story, const void *what, fault_kind kind, int n, bool from_then_on);
/* Prints what was done by all loops of this case, and fails if it was nothing. */
void fault_report(void);

/* Called by a hook: true: it succeeds. Otherwise it fails, and has said why. */
bool fault_hook(fault_kind kind, pool_t *pool);
/* The hooks of fixture.h fail at the faults' will, and do nothing else. */
void fault_hooks(void);

/* Fails the test unless the status is POOL_OK, or one that the faults of this run explain: NOMEM after a failed
 * allocation, FACTORY after a failed factory. Answers it. */
#define FAULT_EXPLAINS(status) fault_explains(__FILE__, __LINE__, #status, (status))
pool_status_t fault_explains(const char *file, int line, const char *text, pool_status_t status);

/* For a pool that is open and at rest: nobody waits, nothing is lent, and exactly max can be borrowed. */
void fault_check_rest(pool_t *pool);

#endif
