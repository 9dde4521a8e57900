/* What a member of a budget is, and says to Redis: of redis_budget.h, and nobody else's. */
#ifndef ASYNCPOOL_REDIS_BUDGET_MEMBER_H
#define ASYNCPOOL_REDIS_BUDGET_MEMBER_H

#include <asyncpool/redis_budget.h>
#include <asyncpool/redis_budget_wire.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pool_budget_s {
    pool_budget_config_t config;
    char *strings; /* of the config, which are copied */
    char id[33];
    char keys[4][128];
    pid_t pid, begins;    /* whose member it is, and who makes it its own */
    pthread_mutex_t turn; /* one message at a time; the connection is its holder's */
    pool__budget_wire_t wire;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t prompt;
    pthread_t thread;
    bool closing, hurries, trimming;
    bool again; /* the last answer did not count what is held on */
    uint64_t number;
    int64_t born; /* which ledger it was that answered last */
    int64_t used, leases;
    int64_t asked, owed;   /* to be given up; so many of them also if nothing is idle */
    int64_t due;           /* what is owed, while it is given up: nothing is taken then */
    int64_t until, wanted; /* monotonic ms: when the leases end, when somebody last wanted one in vain, or 0 */
    pool_t **pools;
    size_t attached;
    pool_budget_info_t info;
};

__attribute__((weak, visibility("hidden"))) __thread char pool__budget_text[256];

static inline struct timespec pool__budget_at(clockid_t clock, int64_t ms)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += (time_t)(ms / 1000);
    t.tv_nsec += (long)(ms % 1000) * 1000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

static inline pool_status_t pool__budget_fail(pool_status_t status, const char *text)
{
    snprintf(pool__budget_text, sizeof pool__budget_text, "%s", text);
    return status;
}

/* Of the pools that are attached, which cannot go meanwhile; to be given back by pool__budget_put(). */
static inline size_t pool__budget_pools(pool_budget_t *b, pool_t ***pools)
{
    pthread_mutex_lock(&b->lock);
    size_t n = b->attached;
    *pools = n ? (pool_t **)malloc(n * sizeof **pools) : NULL;
    n = *pools ? n : 0;
    for (size_t i = 0; i < n; i++)
        (*pools)[i] = pool_ref(b->pools[i]);
    pthread_mutex_unlock(&b->lock);
    return n;
}

/* Which of the attached pools it is, or as many as there are; with the lock. */
static inline size_t pool__budget_find(const pool_budget_t *b, const pool_t *pool)
{
    size_t i = 0;
    while (i < b->attached && b->pools[i] != pool)
        i++;
    return i;
}

static inline void pool__budget_put(pool_t **pools, size_t n)
{
    for (size_t i = 0; i < n; i++)
        pool_unref(pools[i]);
    free(pools);
}

/* What could be given up at once: the pool counts as idle also what is promised to who stands in line. */
static inline int64_t pool__budget_idle(pool_t *pool)
{
    pool_snapshot_t s;
    memset(&s, 0, sizeof s);
    s.struct_size = sizeof s;
    return pool_snapshot(pool, &s) == POOL_OK && s.idle > s.reserved ? s.idle - s.reserved : 0;
}

static inline void pool__budget_hurry(pool_budget_t *b) /* with the lock */
{
    b->hurries = true;
    pthread_cond_broadcast(&b->prompt);
}

static inline void pool__budget_failed(pool_budget_t *b, const char *why)
{
    pthread_mutex_lock(&b->lock);
    snprintf(b->info.error, sizeof b->info.error, "%s", why);
    b->info.renewals++;
    b->info.renewals_failed++;
    pthread_mutex_unlock(&b->lock);
}

/* The one message, see budget.lua. want is -1 of one that leaves. */
static inline bool pool__budget_say(pool_budget_t *b, int want, int64_t ms)
{
    pool__budget_why_t why = "";
    char number[24], have[24], wants[16], least[16], idles[24], limit[16], lease[16], leased[24], born[24];
    int64_t sent, held, named, idle = 0, until = pool__budget_now() + ms;
    struct timespec end = pool__budget_at(CLOCK_REALTIME, ms);
    pool_t **pools;
    size_t n = pool__budget_pools(b, &pools);
    for (size_t i = 0; i < n; i++)
        idle += pool__budget_idle(pools[i]);
    pool__budget_put(pools, n);
    if (pthread_mutex_timedlock(&b->turn, &end) != 0)
        return false;
    if (!pool__budget_connect(&b->wire, &b->config, until, why)) {
        pthread_mutex_unlock(&b->turn);
        pool__budget_failed(b, why);
        return false;
    }
    pthread_mutex_lock(&b->lock);
    int64_t keeps = b->used > (int64_t)b->config.share_min ? b->used : (int64_t)b->config.share_min;
    if (b->leases > keeps)
        b->leases = keeps; /* what is said not to be had is not held from here on: the answer may never come */
    sent = pool__budget_now();
    snprintf(number, sizeof number, "%llu", (unsigned long long)++b->number);
    snprintf(have, sizeof have, "%lld", (long long)b->used);
    /* Also what it may use while the message is on its way. */
    held = sent < b->until ? b->leases : 0;
    named = b->born;
    pthread_mutex_unlock(&b->lock);
    snprintf(leased, sizeof leased, "%lld", (long long)held);
    snprintf(born, sizeof born, "%lld", (long long)named);
    snprintf(wants, sizeof wants, "%d", want);
    snprintf(least, sizeof least, "%u", b->config.share_min);
    snprintf(idles, sizeof idles, "%lld", (long long)idle);
    snprintf(limit, sizeof limit, "%u", b->config.limit);
    snprintf(lease, sizeof lease, "%u", b->config.lease_ms);
    const char *words[17] = {"",   "",    "4",   b->keys[0], b->keys[1], b->keys[2], b->keys[3], b->id, number,
                             have, wants, least, idles,      limit,      lease,      leased,     born};
    redisReply *reply = pool__budget_run(&b->wire, 17, words, until, why);
    bool answered = reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 9;
    if (reply && !answered)
        snprintf(why, sizeof why,
                 "Redis answers something else than a budget's script does, or a later message was there");
    pthread_mutex_lock(&b->lock);
    snprintf(b->info.error, sizeof b->info.error, "%s", why);
    b->info.renewals++;
    b->info.renewals_failed += !answered;
    if (answered) {
        b->born = reply->element[8]->integer;
        bool again = held > 0 && b->born != named;
        /*
         * A Redis that has lost all counts what is held on when its new ledger is named: that is done at once, but not
         * where each message finds a new one.
         */
        if (again && !b->again)
            pool__budget_hurry(b);
        b->again = again;
        if (!again) {
            b->leases = reply->element[0]->integer;
            b->until = sent + (int64_t)b->config.lease_ms * 3 / 4;
        }
        if (reply->element[1]->integer > 0) {
            b->asked += reply->element[1]->integer; /* Redis asks for each once */
            b->owed += reply->element[1]->integer > idle ? reply->element[1]->integer - idle : 0;
            pool__budget_hurry(b);
        }
        b->info.grace_ms = reply->element[2]->integer;
        b->info.limit = (uint32_t)reply->element[3]->integer;
        b->info.all = (uint32_t)reply->element[4]->integer;
        b->info.place = (uint32_t)reply->element[5]->integer;
        b->info.processes = (uint32_t)reply->element[6]->integer;
        if (want >= 0 && b->used - b->leases > b->asked)
            b->asked = b->used - b->leases; /* by the next heartbeat: most of it may be lent */
    }
    pthread_mutex_unlock(&b->lock);
    if (reply)
        freeReplyObject(reply);
    pthread_mutex_unlock(&b->turn);
    return answered;
}

static inline bool pool__budget_owes(pool_budget_t *b)
{
    pthread_mutex_lock(&b->lock);
    bool owes = b->due > 0 && !b->closing;
    pthread_mutex_unlock(&b->lock);
    return owes;
}

/* Stands in line as any caller, for what comes back next, and has it destroyed: another has less than its share_min. */
static inline void pool__budget_pay(pool_budget_t *b, pool_t *pool, int64_t until)
{
    void *resource;
    int64_t left;
    while (pool__budget_owes(b) && pool_active_count(pool) > 0 && (left = until - pool__budget_now()) > 0 &&
           pool_acquire(pool, &resource, left) == POOL_OK)
        pool_discard(pool, resource);
}

/* Gives up as many idle resources as others have asked for, and what is owed. Destroying them gives their places back. */
static inline void *pool__budget_give_up(void *budget)
{
    pool_budget_t *b = (pool_budget_t *)budget;
    pool_t **pools;
    size_t n = pool__budget_pools(b, &pools);
    pthread_mutex_lock(&b->lock);
    int64_t asked = b->asked;
    b->due = b->owed;
    b->asked = b->owed = 0;
    pthread_mutex_unlock(&b->lock);
    for (size_t i = 0; i < n && asked > 0; i++) {
        int64_t idle = pool_idle_count(pools[i]);
        pool_trim(pools[i], (uint32_t)(idle > asked ? idle - asked : 0));
        int64_t left = pool_idle_count(pools[i]);
        asked -= idle > left ? idle - left : 0;
    }
    int64_t now = pool__budget_now(), beat = b->config.lease_ms / 4;
    for (size_t i = 0; i < n; i++)
        pool__budget_pay(b, pools[i], now + beat * (int64_t)(i + 1) / (int64_t)n);
    pool__budget_put(pools, n);
    pthread_mutex_lock(&b->lock);
    b->due = 0;
    b->trimming = false;
    pthread_cond_broadcast(&b->prompt);
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Starts a thread of its own with the signals blocked, which are the program's. */
static inline bool pool__budget_thread(pthread_t *thread, void *(*run)(void *), pool_budget_t *b)
{
    sigset_t all, was;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &was);
    int error = pthread_create(thread, NULL, run, b);
    pthread_sigmask(SIG_SETMASK, &was, NULL);
    return error == 0;
}

/* Has what was asked for given up. Destructors may take long: no heartbeat waits for them. */
static inline void pool__budget_trim(pool_budget_t *b)
{
    pthread_t thread;
    pthread_mutex_lock(&b->lock);
    bool begins = b->asked > 0 && !b->trimming;
    b->trimming |= begins;
    pthread_mutex_unlock(&b->lock);
    if (begins && pool__budget_thread(&thread, pool__budget_give_up, b))
        pthread_detach(thread);
    else if (begins)
        pool__budget_give_up(b);
}

/* The heartbeat. */
static inline void *pool__budget_beat(void *budget)
{
    pool_budget_t *b = (pool_budget_t *)budget;
    int64_t beat = b->config.lease_ms / 4;
    pthread_mutex_lock(&b->lock);
    while (!b->closing) {
        struct timespec next = pool__budget_at(CLOCK_MONOTONIC, beat);
        while (!b->closing && !b->hurries && pthread_cond_timedwait(&b->prompt, &b->lock, &next) == 0)
            ;
        b->hurries = false;
        if (b->closing)
            break;
        int64_t now = pool__budget_now();
        if (b->wanted && now - b->wanted >= 2 * beat)
            b->wanted = 0; /* who wanted it has not come again */
        int want = b->wanted != 0;
        pthread_mutex_unlock(&b->lock);
        pool__budget_trim(b);
        bool heard = pool__budget_say(b, want, b->config.timeout_ms);
        pthread_mutex_lock(&b->lock);
        if (!heard && b->config.flags & POOL_BUDGET_F_AWAY_MIN && pool__budget_now() >= b->until)
            b->asked = b->used > (int64_t)b->config.share_min ? b->used - b->config.share_min : 0; /* by the next one */
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* Begins as a member with nothing: in this process, by its own name. */
static inline bool pool__budget_begin(pool_budget_t *b)
{
    unsigned char random[16];
    pthread_condattr_t attributes;
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(b->id + 2 * i, 3, "%02x", random[i]);
    pthread_mutex_init(&b->turn, NULL);
    pthread_mutex_init(&b->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&b->prompt, &attributes);
    pthread_condattr_destroy(&attributes);
    b->wire.redis = NULL;
    b->closing = b->hurries = b->trimming = b->again = false;
    b->number = 0;
    b->born = b->used = b->leases = b->asked = b->owed = b->due = b->until = b->wanted = 0;
    b->attached = 0;
    memset(&b->info, 0, sizeof b->info);
    return true;
}

/* Is it this process's member? Its parent's, in a child, must be left alone. */
static inline bool pool__budget_mine(pool_budget_t *b)
{
    return __atomic_load_n(&b->pid, __ATOMIC_ACQUIRE) == getpid();
}

/* A forked child is another member: the first of its threads that calls makes it one. The parent's connection stays so. */
static inline bool pool__budget_here(pool_budget_t *b)
{
    while (!pool__budget_mine(b)) {
        pid_t pid = getpid(), was = __atomic_load_n(&b->begins, __ATOMIC_ACQUIRE);
        if (was == pid ||
            !__atomic_compare_exchange_n(&b->begins, &was, pid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            sched_yield();
            continue;
        }
        if (b->wire.redis)
            close(b->wire.redis->fd);
        bool begun = pool__budget_begin(b) && pool__budget_thread(&b->thread, pool__budget_beat, b);
        if (!begun) {
            __atomic_store_n(&b->begins, 0, __ATOMIC_RELEASE);
            return false;
        }
        __atomic_store_n(&b->pid, pid, __ATOMIC_RELEASE);
    }
    return true;
}

/*
 * A pool that was refused and has nothing idle may have what another pool of this process has: of that the ledger, which
 * asks who has more than its share, knows nothing. No lease changes hands.
 */
static inline void pool__budget_move(pool_budget_t *b, pool_t *pool)
{
    bool spare = false;
    pool_t **pools;
    if (!pool || pool__budget_idle(pool) > 0)
        return;
    size_t n = pool__budget_pools(b, &pools);
    for (size_t i = 0; i < n; i++)
        spare = spare || (pools[i] != pool && pool__budget_idle(pools[i]) > 0);
    pool__budget_put(pools, n);
    pthread_mutex_lock(&b->lock);
    if (spare && b->asked == 0 && b->used <= b->leases && pool__budget_now() < b->until) {
        b->asked = 1;
        pool__budget_hurry(b);
    }
    pthread_mutex_unlock(&b->lock);
}

static inline bool pool__budget_use(pool_budget_t *b, bool asked)
{
    int64_t now = pool__budget_now();
    pthread_mutex_lock(&b->lock);
    bool taken = b->used < b->leases && now < b->until && !b->due;
    if (taken) {
        b->used++;
        b->wanted = 0;
        b->info.granted++;
    } else if (asked) {
        b->wanted = now;
        b->info.refused++;
    }
    pthread_mutex_unlock(&b->lock);
    return taken;
}

#ifdef __cplusplus
}
#endif

#endif
