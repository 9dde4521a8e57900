/*
 * Static tracepoints, for bpftrace, perf and SystemTap: at each a nop, and a note in the library's file that says where
 * it is and where its arguments are by then. Which there are, and what they tell, is in docs/embedding.md, "Watching it
 * run"; a test compares that with the notes. Where the build finds no sys/sdt.h (abi/build.sh) nothing is left of them.
 *
 * Who places one gives it what is in a register or in memory anyhow, and does so where the code is by itself: nothing is
 * asked, counted or kept for them. An acquire that ends passes one acquire, a lend that ends one release. What the fast
 * path does is told where it does it; of the core's steps ap__trace_after() tells, once it is back from Go.
 */
#ifndef ASYNCPOOL_TRACE_H
#define ASYNCPOOL_TRACE_H

#include "state.h"

#ifdef AP_TRACE
#include <sys/sdt.h>
/* The same as there, but inline: gcc takes each line of an asm for an instruction, the note's, too, and would inline no
 * function any more that has a tracepoint. */
#if defined __GNUC__ && __GNUC__ >= 9 && !defined __clang__ && defined _SDT_ASM_BODY
#undef _SDT_PROBE
#define _SDT_PROBE(provider, name, n, arglist)                                                 \
    do {                                                                                       \
        __asm__ __volatile__ __inline__(                                                       \
            _SDT_ASM_BODY(provider, name, _SDT_ASM_ARGS, (n))::_SDT_ASM_OPERANDS_##n arglist); \
        __asm__ __volatile__ __inline__(_SDT_ASM_BASE);                                        \
    } while (0)
#endif
#define AP_TRACE2(name, a, b) STAP_PROBE2(asyncpool, name, a, b)
#define AP_TRACE3(name, a, b, c) STAP_PROBE3(asyncpool, name, a, b, c)
#else
#define AP_TRACE2(name, a, b) ((void)(a), (void)(b))
#define AP_TRACE3(name, a, b, c) ((void)(a), (void)(b), (void)(c))
#endif

#define AP_TRACE_ACQUIRE(pool, resource, status) AP_TRACE3(acquire, pool, resource, status)
#define AP_TRACE_RELEASE(pool, resource, status) AP_TRACE3(release, pool, resource, status)
#define AP_TRACE_CREATE(pool, resource, status) AP_TRACE3(create, pool, resource, status)
#define AP_TRACE_DESTROY(pool, resource) AP_TRACE2(destroy, pool, resource)
#define AP_TRACE_WAIT(pool, op) AP_TRACE2(wait, pool, op)
#define AP_TRACE_WAKE(pool, op) AP_TRACE2(wake, pool, op)

/* An op before a step of the core. */
typedef struct ap_traced {
    uint8_t step;
    bool unheard; /* nobody has heard of the ask of this step: nothing was made or destroyed for it */
    uintptr_t resource;
} ap_traced_t;

#pragma GCC visibility push(hidden)

#ifdef AP_TRACE
static inline ap_traced_t ap__trace_before(const ap_op_t *op)
{
    return (ap_traced_t){op->step, (op->flags & AP_FLAG_UNASKED) != 0, op->resource};
}
/* The core has made the step, and heard this answer; NULL: it has cancelled the op. */
void ap__trace_after(const ap_op_t *op, ap_traced_t before, const pool_answer_t *answer);
#else
static inline ap_traced_t ap__trace_before(const ap_op_t *op)
{
    (void)op;
    return (ap_traced_t){0};
}
static inline void ap__trace_after(const ap_op_t *op, ap_traced_t before, const pool_answer_t *answer)
{
    (void)op, (void)before, (void)answer;
}
#endif

#pragma GCC visibility pop

#endif
