/*
 * All pools of the process. Lock order: the mutex here, then a pool's lock. Nothing of the host's runs with it, and it is
 * no point at which a thread is cancelled.
 */
#include "internal.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ap_pool_t *oldest, *youngest;
static size_t members;
static uint64_t last_id;

void ap__pools_add(ap_pool_t *pool)
{
    pthread_mutex_lock(&mutex);
    pool->member = (ap_member_t){.prev = youngest, .id = ++last_id};
    if (youngest)
        youngest->member.next = pool;
    else
        oldest = pool;
    youngest = pool;
    members++;
    pthread_mutex_unlock(&mutex);
}

void ap__pools_remove(ap_pool_t *pool)
{
    pthread_mutex_lock(&mutex);
    const ap_member_t *m = &pool->member;
    if (m->prev)
        m->prev->member.next = m->next;
    else
        oldest = m->next;
    if (m->next)
        m->next->member.prev = m->prev;
    else
        youngest = m->prev;
    members--;
    pthread_mutex_unlock(&mutex);
}

ap_pool_t *ap__pools_hold(size_t *count)
{
    pthread_mutex_lock(&mutex);
    *count = members;
    return oldest;
}

void ap__pools_let_go(void) { pthread_mutex_unlock(&mutex); }
