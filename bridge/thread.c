/*
 * The library's own threads run hooks of many pools, one pass after the other, and start each other. So what a hook
 * leaves changed of its thread is put back after the pass: the next pool's hooks do not find it, and a thread that is
 * started later does not inherit it. Cancellation is put back after each hook already, see visit.c.
 */
#include "thread.h"

#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

bool ap__thread_start(void *(*run)(void *))
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool ok = pthread_create(&thread, &attr, run, NULL) == 0;
    pthread_attr_destroy(&attr);
    return ok;
}

static void set_name(void) { pthread_setname_np(pthread_self(), "asyncpool"); }

void ap__thread_begin(void)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    set_name();
}

/* Rounding, which exceptions are signals, and which have occurred. fegetenv() would need another library. */
static void remember_floats(ap_thread_t *t)
{
#if defined(__x86_64__)
    __asm__ volatile("fnstcw %0\n\tstmxcsr %1" : "=m"(t->x87), "=m"(t->mxcsr));
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(t->fpcr), "=r"(t->fpsr));
#else
    (void)t;
#endif
}

static void put_floats_back(const ap_thread_t *t)
{
#if defined(__x86_64__)
    __asm__ volatile("fnclex\n\tfldcw %0\n\tldmxcsr %1" : : "m"(t->x87), "m"(t->mxcsr));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(t->fpcr), "r"(t->fpsr));
#else
    (void)t;
#endif
}

/* By number: glibc has its own idea of what a thread's priority is. */
static int processors(cpu_set_t *set)
{
    long size = syscall(SYS_sched_getaffinity, 0, sizeof *set, set);
    return size > 0 ? (int)size : 0;
}

void ap__thread_remember(ap_thread_t *t)
{
    pthread_sigmask(SIG_SETMASK, NULL, &t->mask);
    t->locale = uselocale((locale_t)0);
    t->policy = sched_getscheduler(0);
    sched_getparam(0, &t->param);
    t->nice = getpriority(PRIO_PROCESS, 0); /* a thread's own, on Linux */
    t->processors_size = processors(&t->processors);
    remember_floats(t);
}

void ap__thread_put_back(const ap_thread_t *t)
{
    ap_thread_t now;
    ap__thread_remember(&now);
    put_floats_back(t);
    uselocale(t->locale);
    pthread_sigmask(SIG_SETMASK, &t->mask, NULL);
    if (now.policy != t->policy || now.param.sched_priority != t->param.sched_priority)
        sched_setscheduler(0, t->policy, &t->param);
    if (now.nice != t->nice)
        setpriority(PRIO_PROCESS, 0, t->nice);
    if (now.processors_size != t->processors_size ||
        memcmp(&now.processors, &t->processors, (size_t)t->processors_size) != 0)
        syscall(SYS_sched_setaffinity, 0, t->processors_size, &t->processors);
    set_name();
}
