/* All pools of the process, from their making to their freeing. */
#ifndef ASYNCPOOL_POOLS_H
#define ASYNCPOOL_POOLS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ap_pool ap_pool_t;

/* A pool's place among them. */
typedef struct ap_member {
    ap_pool_t *next, *prev;
    uint64_t id; /* its number in the process, from 1 */
} ap_member_t;

#pragma GCC visibility push(hidden)

/* Without a lock of a pool. */
void ap__pools_add(ap_pool_t *pool);
void ap__pools_remove(ap_pool_t *pool);

/* Between these two none comes or goes. Their locks may be taken meanwhile, one after the other. The first is the
 * oldest; the others are its member.next. */
ap_pool_t *ap__pools_hold(size_t *count);
void ap__pools_let_go(void);

#pragma GCC visibility pop

#endif
