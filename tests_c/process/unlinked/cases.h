/* For programs of cases: each is a test of ctest, which finds it in the table. See CMakeLists.txt. */
#ifndef ASYNCPOOL_CASES_H
#define ASYNCPOOL_CASES_H

#include "plain.h"

#include <string.h>

typedef struct unlinked_case {
    const char *name;
    void (*run)(void);
} unlinked_case;

/* Runs the case that the second argument names, and answers the exit code; the first is the library. The last of the
 * table has no name. */
static inline int cases_run(const unlinked_case *c, int argc, char **argv)
{
    alarm(PLAIN_WATCHDOG_S);
    while (argc > 2 && c->name && strcmp(c->name, argv[2]) != 0)
        c++;
    if (argc <= 2 || !c->name) {
        fprintf(stderr, "usage: %s LIBRARY CASE\n", argv[0]);
        return 2;
    }
    c->run();
    return 0;
}

#endif
