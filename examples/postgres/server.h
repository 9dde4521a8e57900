/*
 * The PostgreSQL server of the example: made in a temporary folder, where its socket is, too, started, and troubled.
 * What goes wrong is printed, with what to do.
 */
#ifndef EXAMPLES_POSTGRES_SERVER_H
#define EXAMPLES_POSTGRES_SERVER_H

#include "connection.h"

#include <sys/types.h>

enum { SERVER_PROCESSES = 64 };

typedef struct pg_server {
    char folder[64]; /* empty: none was made */
    char data[80], log[80];
    char programs[256]; /* the folder of initdb and postgres */
    uid_t user;         /* who runs it, if this program is root's: PostgreSQL refuses to be */
    gid_t group;
    pid_t process;                   /* 0: not running */
    pid_t stopped[SERVER_PROCESSES]; /* its other processes that were stopped with it */
    unsigned stopped_count;
} pg_server;

/*
 * Makes the server's files, starts it, and makes a table with a row for each worker and a function that counts in it:
 * work(worker). False when that failed, or a signal came; then as well as after success pg_server_stop() puts
 * everything away.
 */
bool pg_server_start(pg_server *server, run_t *run);
void pg_server_stop(pg_server *server);

/* Starts the server again, and waits until it lets in who connects. */
bool pg_server_up(pg_server *server, run_t *run);
/* Ends the server, and waits for its end: SIGINT ends its sessions, SIGQUIT is a crash. */
bool pg_server_down(pg_server *server, run_t *run, int signal);
/* Ends the sessions of the pool, from another one. */
bool pg_server_kill_sessions(pg_server *server, run_t *run);
/* Has all processes of the server stand still, or go on. */
bool pg_server_freeze(pg_server *server, run_t *run);
void pg_server_thaw(pg_server *server);

/* What a query of one number answers; -1 when it fails, which stops the run. */
int64_t pg_server_number(pg_server *server, run_t *run, const char *query);

#endif
