#define _GNU_SOURCE
#include "heap.h"
#include "fault.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>

/* The sanitizers put an allocator of their own below this one, found by RTLD_NEXT as any other. Nothing here
 * may be seen by them: it runs before they do, and a lock that they see would order the library's threads, so
 * that races between them went unnoticed. */
#define UNSEEN                                                                                     \
    __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined"), noinline))

enum { MOST = 1 << 14, EARLY = 1 << 14, LATE = 16 };

static struct {
    void *(*calloc)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void (*free)(void *);
} real;

/* Where the library lies. */
static uintptr_t from, to;

/* The library's blocks, in no order. They are few. */
static void *blocks[MOST];
static int count;
static int locked;

/* What is asked for, and what is given back, while the real functions are looked up. */
static _Alignas(max_align_t) char early[EARLY];
static size_t early_used;
static void *late[LATE];
static int late_count;

UNSEEN static void find_real(void)
{
    static bool finding;
    if (finding || real.free)
        return;
    finding = true;
    *(void **)&real.calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real.aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    void (*give_back)(void *);
    *(void **)&give_back = dlsym(RTLD_NEXT, "free");
    while (late_count > 0)
        give_back(late[--late_count]);
    real.free = give_back; /* last: whoever is in between is early */
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

UNSEEN bool heap_of_library(const void *caller)
{
    return (uintptr_t)caller >= from && (uintptr_t)caller < to;
}

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
    if (!real.free) {
        if (late_count < LATE)
            late[late_count++] = block;
        return;
    }
    forget(block);
    real.free(block);
}
