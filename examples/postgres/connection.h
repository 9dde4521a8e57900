/*
 * A connection to the server, of libpq. Whatever waits for the server here waits no longer than it was told to: libpq's
 * own waits end when the server likes.
 */
#ifndef EXAMPLES_POSTGRES_CONNECTION_H
#define EXAMPLES_POSTGRES_CONNECTION_H

#include "../run.h"

#include <libpq-fe.h>

typedef struct connection {
    PGconn *pg;
    int64_t lent_ns; /* when it was made, or when it was last looked at to be lent */
} connection;

/* Connects to the server whose socket is in that folder. NULL: not within that time, or not at all, for that reason. */
connection *connection_open(const char *folder, int64_t limit_ms, char reason[128]);
void connection_close(connection *c);

/*
 * Has the server said nothing? To a connection that is idle and listens to no channel it says that it ends it, or it
 * just does. It takes no round trip; a server that stands still is quiet, too.
 */
bool connection_is_quiet(const connection *c);
/* Does the server answer within that time? */
bool connection_answers(const connection *c, int64_t limit_ms);

/*
 * Does its connection survive this result, which is none? It does if the server says what is wrong with the query. It
 * is broken if libpq says so of its own, or the server's word is good-bye; PQstatus() may not know it yet.
 */
bool connection_survives(const PGresult *result);

#endif
