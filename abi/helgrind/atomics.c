/*
 * Tells helgrind what the atomic operations of C order.
 *
 * Helgrind knows the order that pthread functions make. An atomic operation is an ordinary instruction to it, so
 * everything that is handed over by one looks like a race. But the compiler can name them: with
 * -fsanitize=thread it makes a call of each atomic operation, with its memory order, and of each other access.
 * For helgrind, code is compiled so and linked with these functions instead of ThreadSanitizer's. So neither the
 * library nor the tests carry an annotation of their own. This file itself is compiled without the flag.
 *
 * A store that releases happens before a load that acquires from the same word. The word itself is no longer
 * looked at: who may touch it without an atomic operation is for ThreadSanitizer to find.
 */
#include <stddef.h>
#include <stdint.h>
#include <valgrind/helgrind.h>

static int releases(int order) { return order >= __ATOMIC_RELEASE; }
static int acquires(int order)
{
    return order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order >= __ATOMIC_ACQ_REL;
}

static void before(volatile const void *word, size_t size, int order)
{
    VALGRIND_HG_DISABLE_CHECKING(word, size);
    if (releases(order))
        ANNOTATE_HAPPENS_BEFORE(word);
}

static void after(volatile const void *word, int order)
{
    if (acquires(order))
        ANNOTATE_HAPPENS_AFTER(word);
}

#define FETCH(type, bits, name)                                                         \
    type __tsan_atomic##bits##_fetch_##name(volatile type *word, type value, int order) \
    {                                                                                   \
        before(word, sizeof *word, order);                                              \
        type was = __atomic_fetch_##name(word, value, __ATOMIC_SEQ_CST);                \
        after(word, order);                                                             \
        return was;                                                                     \
    }

#define EXCHANGE_IF(type, bits, strength)                                                                     \
    int __tsan_atomic##bits##_compare_exchange_##strength(                                                    \
        volatile type *word, type *expected, type value, int order, int failed_order)                         \
    {                                                                                                         \
        before(word, sizeof *word, order);                                                                    \
        int done = __atomic_compare_exchange_n(word, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        after(word, done ? order : failed_order);                                                             \
        return done;                                                                                          \
    }

#define OPERATIONS(type, bits)                                                      \
    type __tsan_atomic##bits##_load(volatile const type *word, int order)           \
    {                                                                               \
        before(word, sizeof *word, __ATOMIC_RELAXED);                               \
        type value = __atomic_load_n(word, __ATOMIC_SEQ_CST);                       \
        after(word, order);                                                         \
        return value;                                                               \
    }                                                                               \
    void __tsan_atomic##bits##_store(volatile type *word, type value, int order)    \
    {                                                                               \
        before(word, sizeof *word, order);                                          \
        __atomic_store_n(word, value, __ATOMIC_SEQ_CST);                            \
    }                                                                               \
    type __tsan_atomic##bits##_exchange(volatile type *word, type value, int order) \
    {                                                                               \
        before(word, sizeof *word, order);                                          \
        type was = __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);              \
        after(word, order);                                                         \
        return was;                                                                 \
    }                                                                               \
    FETCH(type, bits, add)                                                          \
    FETCH(type, bits, sub)                                                          \
    FETCH(type, bits, and)                                                          \
    FETCH(type, bits, or)                                                           \
    FETCH(type, bits, xor)                                                          \
    EXCHANGE_IF(type, bits, strong)                                                 \
    EXCHANGE_IF(type, bits, weak)

OPERATIONS(uint8_t, 8)
OPERATIONS(uint16_t, 16)
OPERATIONS(uint32_t, 32)
OPERATIONS(uint64_t, 64)

/* All other accesses helgrind sees by itself. */
#define IGNORED(name) \
    void __tsan_##name(void *address) { (void)address; }

/* clang-format off */
IGNORED(read1) IGNORED(read2) IGNORED(read4) IGNORED(read8) IGNORED(read16)
IGNORED(write1) IGNORED(write2) IGNORED(write4) IGNORED(write8) IGNORED(write16)
IGNORED(unaligned_read2) IGNORED(unaligned_read4) IGNORED(unaligned_read8) IGNORED(unaligned_read16)
IGNORED(unaligned_write2) IGNORED(unaligned_write4) IGNORED(unaligned_write8) IGNORED(unaligned_write16)
IGNORED(vptr_read) IGNORED(func_entry)
/* What cgo says of calls between C and Go: they order nothing by themselves. */
IGNORED(acquire) IGNORED(release)
    /* clang-format on */

    void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

void __tsan_init(void) {}
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void *place, void *value) { (void)place, (void)value; }
void __tsan_read_range(void *address, size_t size) { (void)address, (void)size; }
void __tsan_write_range(void *address, size_t size) { (void)address, (void)size; }
