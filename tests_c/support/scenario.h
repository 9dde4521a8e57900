/*
 * The scenarios of tests_go/testdata, read into memory: the README there describes the format. How
 * they are replayed is up to the tests: test_scenarios*.c.
 */
#ifndef ASYNCPOOL_SCENARIO_H
#define ASYNCPOOL_SCENARIO_H

#include "check.h"

#ifndef SCENARIO_DIR
#define SCENARIO_DIR "tests_go/testdata" /* from the root, where the tests run */
#endif

enum { SCENARIO_ACTORS = 26, SCENARIO_LINE = 256 };

/* An action, and the two lines that must be seen after it. */
typedef struct scenario_step {
    int line;
    int actor; /* 0 for A */
    char verb[16];
    void *resource; /* the number after the verb, as a resource word; of a resize its min */
    uint32_t most;  /* of a resize its max */
    bool timeout, late;
    char ask[SCENARIO_LINE], counts[SCENARIO_LINE];
} scenario_step;

typedef struct scenario {
    char title[SCENARIO_LINE];
    uint32_t max, min, max_waiting, max_uses, min_idle;
    bool asks_acquire, asks_release, asks_destroy, asks_leaked;
    bool behind;          /* nobody in line makes a resource: others do */
    bool retries, pauses; /* failed creations are tried again; creations pause, for that or because they are put off */
    bool lifo;
    scenario_step *steps;
    int count;
} scenario;

typedef struct scenario_file {
    char path[SCENARIO_LINE];
    scenario *all;
    int count;
} scenario_file;

/* Reads tests_go/testdata/NAME; a file that is not as the README says fails the test. */
scenario_file scenario_load(const char *name);
void scenario_free(scenario_file *file);

bool scenario_is(const char *text, const char *other);
/* A status as scenarios name it: "TIMEOUT" for POOL_ERR_TIMEOUT. */
const char *scenario_status(pool_status_t status);
/* Appends to a text of SCENARIO_LINE bytes. */
void scenario_append(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "idle 0 active 1 reserved 0 waiting 0", as the pool is now. */
void scenario_counts(const pool_t *pool, char *text, pool_snapshot_t *snapshot);

#endif
