/*
 * A process with a pool of a budget, which does what it is told, a line each, and answers with a line: the twin of
 * bridge/php/tests/budget/member.php.
 *
 *     acquire MS    how many are lent, or why there is none
 *     release       gives one back; how many are lent
 *     info          JSON: used, leases, limit, all, processes, place, graceMs, expired; idle and count of the pool
 *
 * member SOCKET LIMIT SHARE_MIN LEASE_MS. It ends with its input.
 */
#include <asyncpool/redis_budget.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4 };

static bool make(pool_t *pool, void **resource)
{
    if (!pool_budget_take((pool_budget_t *)pool->user_data, pool))
        return false;
    *resource = pool;
    return true;
}

static void unmake(pool_t *pool, void *resource)
{
    (void)resource;
    pool_budget_give((pool_budget_t *)pool->user_data);
}

static void tell(pool_budget_t *budget, pool_t *pool)
{
    pool_budget_info_t i = {.struct_size = sizeof i};
    pool_budget_info(budget, &i);
    printf("{\"used\":%u,\"leases\":%u,\"limit\":%u,\"all\":%u,\"processes\":%u,\"place\":%u,\"graceMs\":%lld,"
           "\"expired\":%s,\"idle\":%u,\"count\":%u}\n",
           i.used, i.leases, i.limit, i.all, i.processes, i.place, (long long)i.grace_ms, i.expired ? "true" : "false",
           pool_idle_count(pool), pool_count(pool));
}

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: member SOCKET LIMIT SHARE_MIN LEASE_MS\n");
        return 2;
    }
    pool_budget_config_t config = POOL_BUDGET_CONFIG_INIT;
    config.address = argv[1];
    config.key = "b";
    config.limit = (uint32_t)atoi(argv[2]);
    config.share_min = (uint32_t)atoi(argv[3]);
    config.lease_ms = (uint32_t)atoi(argv[4]);
    config.timeout_ms = config.lease_ms / 4;
    pool_budget_t *budget;
    while (pool_budget_open(&config, &budget) != POOL_OK) { /* on a busy machine Redis may not answer in time */
        if (!strstr(pool_budget_error(), "time")) {
            fprintf(stderr, "member: %s\n", pool_budget_error());
            return 1;
        }
    }
    pool_config_t of_pool = POOL_CONFIG_INIT;
    of_pool.factory = make;
    of_pool.destructor = unmake;
    of_pool.max_size = MOST;
    of_pool.user_data = budget;
    pool_t *pool;
    if (pool_create_ex(&of_pool, &pool) != POOL_OK || pool_budget_attach(budget, pool) != POOL_OK)
        return 1;
    void *lent[MOST];
    unsigned count = 0;
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        pool_status_t status = POOL_OK;
        if (strncmp(line, "info", 4) == 0) {
            tell(budget, pool);
        } else {
            if (strncmp(line, "acquire ", 8) == 0)
                status = pool_acquire(pool, &lent[count], atoi(line + 8));
            else
                status = pool_release(pool, lent[--count]);
            count += line[0] == 'a' && status == POOL_OK;
            if (status == POOL_OK)
                printf("%u\n", count);
            else
                printf("%s\n", pool_strerror(status));
        }
        fflush(stdout);
    }
    while (count > 0)
        pool_release(pool, lent[--count]);
    pool_close(pool);
    pool_unref(pool);
    pool_budget_close(budget);
    return 0;
}
