/*
 * The quarantine for the memory of pools and reactors: it is poisoned and kept for a while, so that a handle that
 * dangles is refused for some time after the end, whatever the host allocates meanwhile. Without this the memory
 * would soon be another pool's.
 *
 * The address sanitizer does the same for every block, for longer, and says who used it: there it is freed at once.
 */
#include "internal.h"

enum { POISON = 0xdb }; /* counts in the billions, and addresses that no processor takes */

void ap__poison(void *memory, size_t size) { memset(memory, POISON, size); }

void ap__quarantine(void *memory)
{
#ifndef __SANITIZE_ADDRESS__
    enum { KEPT = 64 };
    static _Atomic(void *) kept[KEPT];
    static atomic_uint next;
    memory = atomic_exchange(&kept[atomic_fetch_add(&next, 1) % KEPT], memory);
#endif
    ap__dealloc(memory);
}
