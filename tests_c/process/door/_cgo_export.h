/* The functions of the core, as test_door.c has them in place of Go. */
#ifndef ASYNCPOOL_TEST_CGO_EXPORT_H
#define ASYNCPOOL_TEST_CGO_EXPORT_H

#include "internal.h"

void apgoEnter(void);
void *apgoNew(ap_state_t *state);
void apgoFree(void *core);
int apgoNext(void *core, ap_op_t *op, void *answer, void *ask);
int apgoCancel(void *core, ap_op_t *op);
int apgoSetCircuit(void *core, uint32_t to, int64_t now);
int apgoSetStrategy(void *core, uint32_t asks);
int apgoSetThreshold(void *core, uint32_t failures, uint32_t successes, int64_t open_for);

#endif
