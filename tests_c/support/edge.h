/* Memory that ends where nothing may be read or written: the first byte behind it is a fault. */
#ifndef ASYNCPOOL_EDGE_H
#define ASYNCPOOL_EDGE_H

#include "check.h"

#include <sys/mman.h>

enum { EDGE_PAGE = 64 << 10 }; /* as large as pages are anywhere */

/* size bytes, rounded up to a multiple of 8. edge_free() takes them back. */
static inline void *edge_alloc(size_t size)
{
    CHECK(size <= EDGE_PAGE);
    char *pages = mmap(NULL, 2 * EDGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    CHECK_INT(mprotect(pages + EDGE_PAGE, EDGE_PAGE, PROT_NONE), 0);
    return pages + EDGE_PAGE - (size + 7) / 8 * 8;
}

static inline void edge_free(void *memory, size_t size)
{
    CHECK_INT(munmap((char *)memory + (size + 7) / 8 * 8 - EDGE_PAGE, 2 * EDGE_PAGE), 0);
}

#endif
