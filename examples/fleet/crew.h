/* The processes of the fleet: started, killed and ended, told how many tasks are busy, and counted at the server. */
#ifndef EXAMPLES_FLEET_CREW_H
#define EXAMPLES_FLEET_CREW_H

#include "../redis_server.h"
#include "../run.h"

enum { CREW_MOST = 64 };

typedef struct member {
    char name[16];
    const char *program;
    pid_t process; /* 0: it does not run */
    int tell;      /* its standard input */
    unsigned busy; /* tasks that shall be busy */
    unsigned has;  /* connections, as the server saw it last */
} member;

typedef struct crew {
    run_t *run;
    redis_server *resource;
    const char *budget; /* the socket of its Redis */
    unsigned lease_ms;
    unsigned count; /* the first half of them are the left ones */
    member of[CREW_MOST];
    unsigned connected, most; /* clients of the resource, now and at most; without this program */
    unsigned long long samples;
    unsigned killed;
} crew;

/* Starts all, each with the next of the programs. */
bool crew_start(crew *c, unsigned count, char *const programs[], unsigned program_count);
/* All that still run are told to end, and waited for. True: each has ended well. */
bool crew_end(crew *c);
/* Killed, as by SIGKILL, and started again. */
void crew_replace(crew *c, unsigned i);
void crew_kill(crew *c, unsigned i);
/* So many tasks of a member shall be busy. */
void crew_tell(crew *c, unsigned i, unsigned busy);
/* Sees which connections the server has, and that nobody has ended by itself. */
void crew_look(crew *c);
/* How many the members from one number up to another have. */
unsigned crew_has(const crew *c, unsigned from, unsigned to);
/* Has each used a connection since crew_forget_work()? */
void crew_forget_work(crew *c);
bool crew_all_worked(crew *c);

#endif
