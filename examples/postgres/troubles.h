/* What happens to the server while callers use it. */
#ifndef EXAMPLES_POSTGRES_TROUBLES_H
#define EXAMPLES_POSTGRES_TROUBLES_H

#include "account.h"
#include "server.h"

typedef struct trouble_times {
    unsigned calm_ms;  /* before and after each */
    unsigned away_ms;  /* how long the server is away */
    unsigned still_ms; /* how long it stands still */
} trouble_times;

/*
 * Restarts the server, ends its sessions, has it crash and stay away, and has it stand still. Returns early when the
 * run is stopped. The server must have been started by this thread, with which it ends.
 */
void troubles_play(const trouble_times *times, pg_server *server, account *account, run_t *run);

#endif
