/*
 * What a thread of the library is, before and after hooks of the host have run on it. See thread.c.
 */
#ifndef ASYNCPOOL_THREAD_H
#define ASYNCPOOL_THREAD_H

#include <locale.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct ap_thread {
    sigset_t mask;
    locale_t locale;
    int policy, nice;
    struct sched_param param;
    cpu_set_t processors;
    int processors_size; /* 0: not known */
    uint16_t x87;
    uint32_t mxcsr;
    uint64_t fpcr, fpsr;
} ap_thread_t;

/* Starts a thread of the library, which nobody joins. False: none is to be had. */
bool ap__thread_start(void *(*run)(void *));
/* Begins one: its name, and no cancellation. */
void ap__thread_begin(void);
void ap__thread_remember(ap_thread_t *thread);
/* Makes it again what it was, as far as the system lets it. */
void ap__thread_put_back(const ap_thread_t *thread);

#pragma GCC visibility pop

#endif
