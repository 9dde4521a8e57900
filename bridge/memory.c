/* Every allocation of the C side, in one place. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

void *ap__alloc(size_t alignment, size_t size)
{
    if (alignment <= _Alignof(max_align_t))
        return calloc(1, size);
    size = (size + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, size);
    return memory ? memset(memory, 0, size) : NULL;
}

void ap__dealloc(void *memory) { free(memory); }

void ap__free_spent(void *spent)
{
    while (spent) {
        void *next = *(void **)spent;
        ap__dealloc(spent);
        spent = next;
    }
}
