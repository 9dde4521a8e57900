#define _GNU_SOURCE
#include "heap.h"
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

/* Nothing here may be seen by the sanitizers: it runs before they do, and a lock that they see would order the
 * library's threads, so that races between them went unnoticed. */
#define UNSEEN __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined"), noinline))

enum { MOST = 1 << 14, EARLY = 1 << 14 };

typedef void *calloc_fn(size_t, size_t);
typedef void free_fn(void *);

static struct {
    calloc_fn *calloc, *aligned_alloc;
    free_fn *free;
} real;

/* The allocator of a sanitizer, by the names that it has for those who replace it as we do; NULL: no sanitizer.
 * It looks functions up itself before it is at work, so that looking up its own comes too late. */
__attribute__((weak)) calloc_fn __interceptor_calloc, __interceptor_aligned_alloc;
__attribute__((weak)) free_fn __interceptor_free;

/* Where the library lies. */
static uintptr_t from, to;

/* The library's blocks, in no order. They are few. */
static void *blocks[MOST];
static int count;
static int locked;

/* What is asked for while the real functions are looked up; what is given back meanwhile is lost. */
static _Alignas(max_align_t) char early[EARLY];
static size_t early_used;

UNSEEN static void find_real(void)
{
    static bool finding;
    if (finding || real.free)
        return;
    finding = true;
    real.calloc = __interceptor_calloc;
    real.aligned_alloc = __interceptor_aligned_alloc;
    if (__interceptor_free) {
        real.free = __interceptor_free;
        return;
    }
    *(void **)&real.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    *(void **)&real.free = dlsym(RTLD_NEXT, "free"); /* last: whoever is in between is early */
}

UNSEEN static int find_library(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (!strstr(info->dlpi_name, "/libasyncpool.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X)) {
            from = at;
            to = at + p->p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void begin(void) { dl_iterate_phdr(find_library, NULL); }

UNSEEN bool heap_of_library(const void *caller) { return (uintptr_t)caller >= from && (uintptr_t)caller < to; }

UNSEEN static void lock(void)
{
    while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
        sched_yield();
}

UNSEEN static void unlock(void) { __atomic_store_n(&locked, 0, __ATOMIC_RELEASE); }

UNSEEN static void *note(void *block)
{
    if (!block)
        return NULL;
    lock();
    if (count < MOST)
        blocks[count] = block;
    count++;
    unlock();
    return block;
}

UNSEEN static void forget(void *block)
{
    if (__atomic_load_n(&count, __ATOMIC_RELAXED) == 0)
        return;
    lock();
    for (int i = count < MOST ? count - 1 : MOST - 1; i >= 0; i--) {
        if (blocks[i] == block) {
            blocks[i] = blocks[--count];
            break;
        }
    }
    unlock();
}

UNSEEN int heap_blocks(void)
{
    lock();
    int n = count;
    unlock();
    if (n > MOST)
        check_fail(__FILE__, __LINE__, "more than %d blocks of the library", MOST);
    return n;
}

UNSEEN static bool fails(const void *caller)
{
    if (!heap_of_library(caller) || !fault_here(FAULT_ALLOC))
        return false;
    errno = ENOMEM;
    return true;
}

UNSEEN void *calloc(size_t n, size_t size)
{
    const void *caller = __builtin_return_address(0);
    find_real();
    if (!real.free) {
        void *block = early + early_used;
        early_used += (n * size + 15) / 16 * 16;
        return early_used <= EARLY ? block : NULL;
    }
    if (fails(caller))
        return NULL;
    void *block = real.calloc(n, size);
    return heap_of_library(caller) ? note(block) : block;
}

UNSEEN void *aligned_alloc(size_t alignment, size_t size)
{
    const void *caller = __builtin_return_address(0);
    find_real();
    if (fails(caller))
        return NULL;
    void *block = real.aligned_alloc(alignment, size);
    return heap_of_library(caller) ? note(block) : block;
}

/* Its caller tells nothing: the library's last act in a call may be a jump to here. */
UNSEEN void free(void *block)
{
    if (!block || ((char *)block >= early && (char *)block < early + EARLY))
        return;
    find_real();
    forget(block);
    if (real.free)
        real.free(block);
}
