/* The host of signals.c: it loads the library when it likes, and does things in several places. */
#ifndef ASYNCPOOL_SIGNALS_HOST_H
#define ASYNCPOOL_SIGNALS_HOST_H

#include "plain.h"

#include <signal.h>
#include <stdatomic.h>

extern const char *library_path, *second_path; /* the second: another Go library, loaded first; or NULL */
extern const pool_api_t *api;
extern void (*_Atomic in_hook)(void); /* called by a hook, once */
extern volatile sig_atomic_t calls;

/* From here on this thread has been in Go, and threads of the library run healthchecks. */
void load(void);
/* Borrows and gives back. */
void use(void);
/* The hook that calls in_hook. */
bool pass(pool_t *pool, void *resource);

/* A handler that counts its calls. */
void count(int number);
void handle(int number, void (*handler)(int), int flags);

void on_a_thread(void (*body)(void));
/* Runs it on this thread, inside a hook, and on a thread that has never been in Go. */
void everywhere(void (*body)(void));
/* Does it in a process of its own, which loads the library for itself; answers how that ended. */
int in_a_child(void (*body)(void));

/* ---- the cases that are in files of their own ---- */

/* signals_pipes.c */
void a_broken_pipe_kills(void);
void a_broken_pipe_is_ignored(void);
void a_broken_pipe_is_handled(void);
/* signals_faults.c */
void faults_are_handled(void);
void faults_kill(void);
void signal_stacks_are_kept(void);

#endif
