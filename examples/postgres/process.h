/* The programs of the server as processes: found, started as somebody who may, and looked after. */
#ifndef EXAMPLES_POSTGRES_PROCESS_H
#define EXAMPLES_POSTGRES_PROCESS_H

#include "server.h"

/* Looks where initdb and postgres are, the newest if there are several. False: nowhere; says what to install. */
bool process_find(pg_server *server);
/* The temporary folder becomes that of who runs the server: of an unprivileged user if this program is root's. */
bool process_give_folder(pg_server *server);

/*
 * Starts one of them, with its output in the log. It ends when the thread does that has started it, so that a program
 * that is killed leaves no server behind.
 */
bool process_start(const pg_server *server, char *const arguments[], pid_t *process);
/* Has it ended? Then *process is 0 and *code, unless code is NULL, its exit code, or -1. */
bool process_has_ended(pid_t *process, int *code);
/* Its children, as many as there is room for: how many. */
unsigned process_children(pid_t process, pid_t *children, unsigned room);

#endif
