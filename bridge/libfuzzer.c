//go:build libfuzzer

/*
 * Only in the library that is fuzzed (abi/build.sh, mode fuzz). The core's counters of coverage call libFuzzer,
 * which is in the program, in a way that only works within the library. So the linker leads these calls, and
 * those of the C code, here (--wrap), and here they are passed on.
 */
#include <stdint.h>

/* A jump: libFuzzer looks at who called. */
#define PASS(name, parameters, arguments) \
    void __real_##name parameters;        \
    void __wrap_##name parameters;        \
    void __wrap_##name parameters { __attribute__((musttail)) return __real_##name arguments; }

#define PASS_COMPARISON(bits)                                               \
    PASS(__sanitizer_cov_trace_cmp##bits, (uint64_t a, uint64_t b), (a, b)) \
    PASS(__sanitizer_cov_trace_const_cmp##bits, (uint64_t a, uint64_t b), (a, b))

PASS_COMPARISON(1)
PASS_COMPARISON(2)
PASS_COMPARISON(4)
PASS_COMPARISON(8)
PASS(__sanitizer_weak_hook_strcmp, (void *pc, const char *a, const char *b, int result), (pc, a, b, result))

PASS(__sanitizer_cov_8bit_counters_init, (uint8_t * start, uint8_t *stop), (start, stop))
PASS(__sanitizer_cov_pcs_init, (const uintptr_t *start, const uintptr_t *stop), (start, stop))
