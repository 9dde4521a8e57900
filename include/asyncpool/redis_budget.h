/**
 * @file
 * @brief One budget for a fleet: @ref pool_budget.
 */
/**
 * @defgroup pool_budget One budget for a fleet, kept in Redis
 *
 * A pool limits one process; what is limited in reality is the server behind. A budget is shared by the pools of many
 * processes, on many machines: so many resources at most, for all of them together. Header only; needs hiredis, and of
 * the system what -std=gnu11, or _DEFAULT_SOURCE, has.
 *
 *     pool_budget_config_t config = POOL_BUDGET_CONFIG_INIT;
 *     config.address = "redis.example:6379";
 *     config.key = "orders-db";
 *     config.limit = 100;
 *     if (pool_budget_open(&config, &budget) != POOL_OK)
 *         fprintf(stderr, "%s\n", pool_budget_error());
 *
 *     static bool connect_one(pool_t *pool, void **resource)
 *     {
 *         if (!pool_budget_take(budget, pool))
 *             return false;
 *         if ((*resource = db_connect()))
 *             return true;
 *         pool_budget_give(budget);
 *         return false;
 *     }
 *
 *     static void disconnect(pool_t *pool, void *resource)
 *     {
 *         db_disconnect(resource);
 *         pool_budget_give(budget);
 *     }
 *
 * What holds, of processes that use the same key, in C, Go (`pool/redisbudget`) or both:
 *
 * - Places are held by leases, which end by Redis's clock unless they are extended. There are never more leases than
 *   the limit; of several limits the smallest holds. A leap of that clock costs nobody its leases.
 * - One heartbeat a process, each quarter of lease_ms, from a thread of its own, extends them. Who dies gives back what it
 *   had when its leases end, after lease_ms at most.
 * - Who wants a place stands in line, and is granted one in the order of asking; but who has less than share_min comes
 *   before all others. Who waits says so by asking again: after lease_ms of silence its place in line is lost.
 * - While others wait, holders of more than share_min are asked to give up what is idle: by the next heartbeat of theirs,
 *   and the place is there by the next of who waits. Where one has less than its share_min, and nothing is idle, they give
 *   up what comes back next.
 * - While Redis is away nobody hangs, and nothing new is granted. A process keeps what it has; with
 *   POOL_BUDGET_F_AWAY_MIN it gives up what is idle beyond share_min once its leases have ended, since others may have
 *   them by then, if it is the process that is cut off.
 * - A Redis that has lost all, or was never used with this key, grants nothing for lease_ms: nobody can tell the one from
 *   the other. Meanwhile processes hold on what they had.
 *
 * Functions may be called by any thread. In a forked child a budget is a new member with nothing, from its first call on.
 * @{
 */
#ifndef ASYNCPOOL_REDIS_BUDGET_H
#define ASYNCPOOL_REDIS_BUDGET_H

#include <asyncpool/pool.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @brief A process's part of a budget. */
typedef struct pool_budget_s pool_budget_t;

/** While Redis is away, only share_min are kept of what is idle. */
#define POOL_BUDGET_F_AWAY_MIN 1u

/** @brief Which budget it is, and what this process may have of it. Begin with POOL_BUDGET_CONFIG_INIT. */
typedef struct pool_budget_config {
    size_t struct_size;   /**< sizeof(pool_budget_config_t) */
    const char *address;  /**< host, host:port, [IPv6]:port, or the path of a socket, which begins with a slash */
    const char *user;     /**< for Redis; NULL: the default one */
    const char *password; /**< for Redis; NULL: none */
    const char *key;      /**< the budget's name; four keys of Redis are made of it */
    uint32_t limit;       /**< how many there may be, for all processes together; at least 1 */
    uint32_t share_min;   /**< how many this process may always have, at most limit; all processes' together as well */
    uint32_t lease_ms;    /**< at least 100; 0: 10,000. The same in all processes */
    uint32_t timeout_ms;  /**< for one message to Redis, at most a quarter of lease_ms; 0: an eighth of it */
    uint32_t flags;       /**< POOL_BUDGET_F_... */
} pool_budget_config_t;

/** A configuration with nothing set. */
#define POOL_BUDGET_CONFIG_INIT                                             \
    {                                                                       \
        sizeof(pool_budget_config_t), NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0 \
    }

/** @brief How things stand, as far as this process knows. */
typedef struct pool_budget_info {
    size_t struct_size;       /**< in: sizeof(pool_budget_info_t) */
    uint32_t used;            /**< places that this process uses */
    uint32_t leases;          /**< leases that it holds */
    uint32_t limit;           /**< the smallest of all processes' */
    uint32_t all;             /**< leases of all processes */
    uint32_t processes;       /**< how many there are */
    uint32_t place;           /**< its place in line; 0: it does not stand there */
    int64_t grace_ms;         /**< for so long nothing is granted yet: Redis is new, or has lost all */
    bool expired;             /**< its leases have ended, since Redis could not be reached: it takes nothing new */
    char error[128];          /**< why the last message failed; empty: it did not */
    uint32_t wanted;          /**< 1 while somebody in this process wants a place in vain */
    uint64_t granted;         /**< places that were taken */
    uint64_t refused;         /**< places that were not to be had */
    uint64_t renewals;        /**< messages to Redis, each of which extends the leases */
    uint64_t renewals_failed; /**< those that were not answered */
    int64_t left_ms;          /**< until the leases end, unless they are extended; 0: they have */
} pool_budget_info_t;

/** @cond */
#include <asyncpool/redis_budget_member.h>
#include <asyncpool/redis_budget_metrics.h>
/** @endcond */

/**
 * @brief Why pool_budget_open() failed.
 *
 * @return A text of this thread's last failure; empty: there was none.
 * @since 1.0
 */
static inline const char *pool_budget_error(void) { return pool__budget_text; }

/**
 * @brief Leave a budget.
 *
 * Close the pools before: what they still have is no longer counted. Its leases end at once, if Redis can be reached,
 * else by themselves. Not to be called beside any other call about this budget, nor by a destructor.
 *
 * @param budget  the budget; NULL: nothing happens.
 * @par Blocking
 * For timeout_ms at most, twice.
 * @since 1.0
 */
static inline void pool_budget_close(pool_budget_t *budget)
{
    if (!budget)
        return;
    if (pool__budget_mine(budget)) {
        pthread_mutex_lock(&budget->lock);
        budget->closing = true;
        pthread_cond_broadcast(&budget->prompt);
        pthread_mutex_unlock(&budget->lock);
        pthread_join(budget->thread, NULL);
        pthread_mutex_lock(&budget->lock);
        while (budget->trimming)
            pthread_cond_wait(&budget->prompt, &budget->lock);
        pthread_mutex_unlock(&budget->lock);
        pool__budget_say(budget, -1, budget->config.timeout_ms);
        pool__budget_disconnect(&budget->wire);
        for (size_t i = 0; i < budget->attached; i++)
            pool_unref(budget->pools[i]);
    } else if (budget->wire.redis) {
        close(budget->wire.redis->fd); /* the parent's, which keeps its own */
    }
    free(budget->pools);
    free(budget->strings);
    free(budget);
}

/**
 * @brief Join a budget.
 *
 * @param      config  which; its strings are copied.
 * @param[out] budget  the budget; NULL on failure.
 * @return POOL_OK; POOL_ERR_INVALID: config is NULL or says what makes no sense, or the key is one of another kind in
 *         Redis; POOL_ERR_UNAVAILABLE: Redis cannot be reached, or refuses; POOL_ERR_NOMEM. pool_budget_error() says why.
 * @par Blocking
 * For timeout_ms at most.
 * @since 1.0
 */
static inline pool_status_t pool_budget_open(const pool_budget_config_t *config, pool_budget_t **budget)
{
    if (budget)
        *budget = NULL;
    if (!config || !budget || config->struct_size < sizeof *config)
        return pool__budget_fail(POOL_ERR_INVALID, "config or budget is NULL, or struct_size is not set");
    pool_budget_config_t c = *config;
    c.lease_ms = c.lease_ms ? c.lease_ms : 10000;
    c.timeout_ms = c.timeout_ms ? c.timeout_ms : c.lease_ms / 8;
    char host[256];
    int port;
    if (!c.address || !*c.address || !c.key || !*c.key)
        return pool__budget_fail(POOL_ERR_INVALID, "address and key are required");
    if (c.address[0] != '/' && !pool__budget_host(c.address, host, sizeof host, &port))
        return pool__budget_fail(
            POOL_ERR_INVALID, "address must be host, host:port, [IPv6]:port, or the path of a socket");
    if (strlen(c.key) > 100)
        return pool__budget_fail(POOL_ERR_INVALID, "key is longer than 100 bytes");
    if (c.limit < 1 || c.share_min > c.limit)
        return pool__budget_fail(POOL_ERR_INVALID, "limit must be at least 1, and share_min at most limit");
    if (c.lease_ms < 100 || c.timeout_ms > c.lease_ms / 4)
        return pool__budget_fail(
            POOL_ERR_INVALID, "lease_ms must be at least 100, and timeout_ms at most a quarter of it");
    const char *given[4] = {c.address, c.user, c.password, c.key};
    const char **kept[4];
    kept[0] = &c.address, kept[1] = &c.user, kept[2] = &c.password, kept[3] = &c.key;
    size_t size = 0;
    for (int i = 0; i < 4; i++)
        size += given[i] ? strlen(given[i]) + 1 : 0;
    pool_budget_t *b = (pool_budget_t *)calloc(1, sizeof *b);
    char *strings = (char *)malloc(size);
    if (!b || !strings || !pool__budget_begin(b)) {
        free(b);
        free(strings);
        return pool__budget_fail(POOL_ERR_NOMEM, "no memory");
    }
    b->strings = strings;
    for (int i = 0; i < 4; i++) {
        if (given[i]) {
            *kept[i] = strcpy(strings, given[i]);
            strings += strlen(strings) + 1;
        }
    }
    b->config = c;
    b->pid = b->begins = getpid();
    const char *ends[4] = {"", ":line", ":ends", ":limits"};
    for (int i = 0; i < 4; i++)
        snprintf(b->keys[i], sizeof b->keys[i], "{%s}%s", c.key, ends[i]);
    pool_status_t status = POOL_OK;
    if (!pool__budget_say(b, 0, c.timeout_ms)) {
        bool other = strncmp(b->info.error, "WRONGTYPE", 9) == 0;
        status = pool__budget_fail(other ? POOL_ERR_INVALID : POOL_ERR_UNAVAILABLE, b->info.error);
    } else if (!pool__budget_thread(&b->thread, pool__budget_beat, b)) {
        status = pool__budget_fail(POOL_ERR_NOMEM, "no thread");
    }
    if (status != POOL_OK) {
        pool__budget_disconnect(&b->wire);
        free(b->strings);
        free(b);
        return status;
    }
    *budget = b;
    return POOL_OK;
}

/**
 * @brief Have a budget ask a pool to destroy what is idle when others need it.
 *
 * That is pool_trim(), on a thread of the budget's, and for one that has less than its share_min also pool_acquire() and
 * pool_discard(): destructors and before_acquire must not mind. The budget has a reference of its own, until
 * pool_budget_detach(), or it is closed: so close the pool by pool_close() or pool_drain(). A pool is attached once, however
 * often this is called.
 *
 * @param budget  the budget.
 * @param pool    the pool; not one that is host-driven.
 * @return POOL_OK; POOL_ERR_INVALID; POOL_ERR_NOMEM.
 * @since 1.0
 */
static inline pool_status_t pool_budget_attach(pool_budget_t *budget, pool_t *pool)
{
    if (!budget || !pool__budget_here(budget) || !pool_ref(pool))
        return POOL_ERR_INVALID;
    pthread_mutex_lock(&budget->lock);
    bool there = pool__budget_find(budget, pool) < budget->attached;
    pool_t **more = there ? NULL : (pool_t **)realloc(budget->pools, (budget->attached + 1) * sizeof *more);
    if (more) {
        budget->pools = more;
        more[budget->attached++] = pool;
    }
    pthread_mutex_unlock(&budget->lock);
    if (!more)
        pool_unref(pool);
    return more || there ? POOL_OK : POOL_ERR_NOMEM;
}

/**
 * @brief Have a budget forget a pool, which goes before the budget does.
 *
 * Its reference is given up, at once, or after the heartbeat or the trim that concerns the pool just now. What the pool still
 * has keeps its places, until its destructor gives them back.
 *
 * @param budget  the budget.
 * @param pool    the pool.
 * @return POOL_OK; POOL_ERR_INVALID: an argument is NULL, or the pool is not attached.
 * @since 1.0
 */
static inline pool_status_t pool_budget_detach(pool_budget_t *budget, pool_t *pool)
{
    if (!budget || !pool || !pool__budget_here(budget))
        return POOL_ERR_INVALID;
    pthread_mutex_lock(&budget->lock);
    size_t i = pool__budget_find(budget, pool);
    bool there = i < budget->attached;
    if (there)
        budget->pools[i] = budget->pools[--budget->attached];
    pthread_mutex_unlock(&budget->lock);
    if (there)
        pool_unref(pool); /* which may destroy what it has, and that gives places back */
    return there ? POOL_OK : POOL_ERR_INVALID;
}

/**
 * @brief Take a place: in a factory, before it connects.
 *
 * Mostly it asks Redis, once; not when a lease is held that nothing uses.
 *
 * @param budget  the budget.
 * @param pool    the factory's pool.
 * @return true; false: there is none, or Redis is away, and pool_try_later() has been said, so that the caller waits on:
 *         return false as well.
 * @par Blocking
 * For timeout_ms at most, and for no longer than pool_time_left_ms().
 * @since 1.0
 */
static inline bool pool_budget_take(pool_budget_t *budget, pool_t *pool)
{
    if (budget && pool__budget_here(budget) && !pool__budget_owes(budget)) {
        if (pool__budget_use(budget, false))
            return true;
        int64_t left = pool_time_left_ms(pool), most = budget->config.timeout_ms;
        left = left < most ? left : most;
        if (left > 0)
            pool__budget_say(budget, 1, left);
        if (pool__budget_use(budget, true))
            return true;
        pool__budget_move(budget, pool);
    }
    pool_try_later(pool, budget ? budget->config.lease_ms / 16 : 1000);
    return false;
}

/**
 * @brief Give a place back: in a destructor, after the connection is closed, and when a factory that took one has failed.
 *
 * It asks nobody: Redis hears of it by the next heartbeat, which comes at once where others may wait.
 *
 * @param budget  the budget.
 * @since 1.0
 */
static inline void pool_budget_give(pool_budget_t *budget)
{
    if (!budget || !pool__budget_mine(budget))
        return; /* what a child inherits is its parent's */
    pthread_mutex_lock(&budget->lock);
    budget->used -= budget->used > 0;
    if (budget->due > 0) { /* it goes to another, and its lease with it */
        budget->due--;
        budget->leases -= budget->leases > 0;
    }
    if (budget->info.all >= budget->info.limit || budget->trimming)
        pool__budget_hurry(budget);
    pthread_mutex_unlock(&budget->lock);
}

/**
 * @brief How things stand.
 *
 * @param         budget  the budget.
 * @param[in,out] info    struct_size is read; the rest is set.
 * @return POOL_OK; POOL_ERR_INVALID.
 * @since 1.0
 */
static inline pool_status_t pool_budget_info(pool_budget_t *budget, pool_budget_info_t *info)
{
    if (!budget || !info || info->struct_size < sizeof *info || !pool__budget_here(budget))
        return POOL_ERR_INVALID;
    size_t size = info->struct_size;
    pthread_mutex_lock(&budget->lock);
    *info = budget->info;
    int64_t left = budget->until - pool__budget_now();
    info->used = (uint32_t)budget->used;
    info->leases = (uint32_t)budget->leases;
    info->expired = left <= 0;
    info->left_ms = left > 0 ? left : 0;
    info->wanted = budget->wanted != 0;
    pthread_mutex_unlock(&budget->lock);
    info->struct_size = size;
    return POOL_OK;
}

/**
 * @brief What budgets tell, as OpenMetrics text for a scraper.
 *
 * The gauges and counters are those of pool_budget_info(), each with the label `budget`, its key, where what is no letter
 * of ASCII is `%XX`: `asyncpool_budget_limit`, `_held` and `_used`; `_all`, `_processes` and `_place`; `_wanted`,
 * `_granted_total` and `_refused_total`; `_renewals_total`, `_renewals_failed_total` and `_lease_left_seconds`.
 * `asyncpool_budget_state` is 1 for the `state` that it is in: `fine`; `new`, while the ledger in Redis grants nothing yet;
 * `away`, when the last message was not answered; `expired`, when the leases have ended because of that. It has no
 * `# EOF`: put it before the text of pool_metrics(), which has. As there, what does not fit is left out.
 *
 * @param      budgets  the budgets, of one key each.
 * @param      n        how many there are.
 * @param[out] buffer   the text, ended by a zero byte; NULL if size is 0.
 * @param      size     room in buffer, the zero byte included.
 * @return The length of the whole text, without the zero byte; 0, and an empty text, where an argument or a budget is NULL,
 *         or there is no memory.
 * @since 1.0
 */
static inline size_t pool_budget_metrics(pool_budget_t *const *budgets, size_t n, char *buffer, size_t size)
{
    pool__budget_page_t page = {buffer, size, 0};
    pool_budget_info_t *infos = (pool_budget_info_t *)calloc(n + 1, sizeof *infos);
    bool fine = infos && (budgets || n == 0) && (buffer || size == 0);
    if (buffer && size > 0)
        *buffer = 0;
    for (size_t i = 0; fine && i < n; i++) {
        infos[i].struct_size = sizeof *infos;
        fine = pool_budget_info(budgets[i], &infos[i]) == POOL_OK;
    }
    if (fine && n > 0)
        pool__budget_put_metrics(&page, budgets, infos, n);
    free(infos);
    return page.length;
}

#ifdef __cplusplus
}
#endif

/** @} */

#endif
