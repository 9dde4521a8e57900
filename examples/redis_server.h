/*
 * The Redis server of the programs that need one: started on a socket in a temporary folder, filled
 * with keys, asked at the end what it did, and stopped. What goes wrong is printed.
 */
#ifndef EXAMPLES_REDIS_SERVER_H
#define EXAMPLES_REDIS_SERVER_H

#include "run.h"

#include <hiredis.h>
#include <sys/types.h>

typedef struct redis_server {
    char folder[64]; /* empty: none was made */
    char socket[96];
    char log[96];
    unsigned most_clients; /* its maxclients; 0: as many as Redis allows by itself */
    pid_t process;         /* 0: not running */
    redisContext *admin;   /* the program's own connection, beside the pool */
} redis_server;

/*
 * Starts a server in which key:0 is value:0 and so on, one for each worker. False when that failed, or a signal came;
 * then as well as after success redis_server_stop() puts everything away.
 */
bool redis_server_start(redis_server *server, run_t *run);
void redis_server_stop(redis_server *server);
/* Kills it, and starts it again with nothing in it: a Redis that keeps nothing on disk. */
void redis_server_kill(redis_server *server);
bool redis_server_up(redis_server *server);
/* A number from the server's INFO: what follows on "field:"; -1: it is not there. */
int64_t redis_server_says(redis_server *server, const char *section, const char *field);
/* Checks that the server answered as many GETs as were done, and that nobody is connected any more. */
void redis_server_check(redis_server *server, run_t *run);

/* A GET of a key was answered: stops the run when that is not its value. */
void redis_check_reply(run_t *run, const redisReply *reply, unsigned key);
/* Cuts a connection as a network would: neither hiredis nor the pool is told. */
void redis_cut(int fd, atomic_uint *count);
/* As hiredis does: NULL when memory is short, otherwise the context's err tells. */
redisContext *redis_connect(const char *path);
bool redis_is_alive(redisContext *c);

#endif
