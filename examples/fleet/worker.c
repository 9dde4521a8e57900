/*
 * A process of the fleet: its tasks use connections to a Redis server that allows only so many clients, of all processes
 * together. Its pool could hold a connection for each task; how many it may have just now, the budget decides.
 *
 *     fleet_worker RESOURCE BUDGET NAME LIMIT LEASE_MS
 *
 * RESOURCE and BUDGET are sockets of Redis servers. Each line of the standard input says how many tasks are busy from now
 * on, and its end is the end. examples/fleet.c starts it.
 */
#include <asyncpool/redis_budget.h>

#include <sys/socket.h>

enum { TASKS = 16, USE_MS = 20, RETRY_MS = 100 };

typedef struct worker {
    const char *resource, *name;
    pool_budget_t *budget;
    pool_t *pool;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned busy, started;
    bool over, failed;
} worker;

static void sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

/* ---- the hooks ---- */

static bool answers(redisContext *c, const char *command, const char *argument)
{
    redisReply *reply = c && !c->err ? redisCommand(c, command, argument) : NULL;
    bool good = reply && reply->type != REDIS_REPLY_ERROR;
    freeReplyObject(reply);
    return good;
}

/* A place first, then the connection. Without a place the caller waits on. */
static bool factory(pool_t *pool, void **resource)
{
    worker *w = pool->user_data;
    if (!pool_budget_take(w->budget, pool))
        return false;
    redisContext *c = redisConnectUnix(w->resource);
    if (answers(c, "CLIENT SETNAME %s", w->name)) {
        *resource = c;
        return true;
    }
    pool_set_error(pool, c ? c->err : REDIS_ERR_OOM, c && c->err ? c->errstr : "the server refused the connection");
    redisFree(c);
    pool_budget_give(w->budget);
    return false;
}

/* The server notices a moment later that a client has gone. Until it hangs up, too, the place is not free. */
static void destructor(pool_t *pool, void *resource)
{
    worker *w = pool->user_data;
    redisContext *c = resource;
    char rest[64];
    shutdown(c->fd, SHUT_WR);
    while (read(c->fd, rest, sizeof rest) > 0)
        ;
    redisFree(c);
    pool_budget_give(w->budget);
}

static bool before_release(pool_t *pool, void *resource)
{
    (void)pool;
    return ((redisContext *)resource)->err == 0;
}

/* ---- the work ---- */

static bool is_wanted(worker *w, unsigned number)
{
    pthread_mutex_lock(&w->lock);
    while (number >= w->busy && !w->over)
        pthread_cond_wait(&w->changed, &w->lock);
    bool wanted = !w->over;
    pthread_mutex_unlock(&w->lock);
    return wanted;
}

static void fail(worker *w, const char *what)
{
    char text[256];
    pool_last_error(NULL, text, sizeof text);
    fprintf(stderr, "%s: %s: %s\n", w->name, what, text);
    pthread_mutex_lock(&w->lock);
    w->failed = true;
    pthread_mutex_unlock(&w->lock);
}

static void *task(void *context)
{
    worker *w = context;
    pthread_mutex_lock(&w->lock);
    unsigned number = w->started++;
    pthread_mutex_unlock(&w->lock);
    while (is_wanted(w, number)) {
        void *connection;
        pool_status_t status = pool_acquire(w->pool, &connection, 0);
        if (status == POOL_ERR_CLOSED)
            break;
        if (status != POOL_OK) {
            fail(w, "no connection");
            sleep_ms(RETRY_MS);
            continue;
        }
        sleep_ms(USE_MS);
        if (!answers(connection, "INCR work:%s", w->name))
            fail(w, "lost a connection");
        pool_release(w->pool, connection);
    }
    return NULL;
}

/* ---- the program ---- */

static bool make_pool(worker *w)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = w->name;
    config.factory = factory;
    config.destructor = destructor;
    config.before_release = before_release;
    config.max_size = TASKS;
    config.user_data = w;
    return pool_create_ex(&config, &w->pool) == POOL_OK && pool_budget_attach(w->budget, w->pool) == POOL_OK;
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: %s RESOURCE BUDGET NAME LIMIT LEASE_MS\n", argv[0]);
        return 2;
    }
    static worker w = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pool_budget_config_t config = POOL_BUDGET_CONFIG_INIT;
    w.resource = argv[1];
    w.name = argv[3];
    config.address = argv[2];
    config.key = "fleet";
    config.limit = (uint32_t)atoi(argv[4]);
    config.lease_ms = (uint32_t)atoi(argv[5]);
    config.share_min = 1;
    signal(SIGPIPE, SIG_IGN); /* a server that hangs up is an error to handle, not the end */
    pool_status_t status;
    while ((status = pool_budget_open(&config, &w.budget)) == POOL_ERR_UNAVAILABLE)
        sleep_ms(RETRY_MS); /* Redis is away: a new process has nothing to go on with */
    if (status != POOL_OK || !make_pool(&w)) {
        fprintf(stderr, "%s: %s\n", w.name, status != POOL_OK ? pool_budget_error() : "no pool");
        return 1;
    }
    pthread_t threads[TASKS];
    char line[16];
    for (int i = 0; i < TASKS; i++)
        if (pthread_create(&threads[i], NULL, task, &w) != 0)
            return 1;
    while (fgets(line, sizeof line, stdin)) {
        pthread_mutex_lock(&w.lock);
        w.busy = (unsigned)atoi(line);
        pthread_cond_broadcast(&w.changed);
        pthread_mutex_unlock(&w.lock);
    }
    pthread_mutex_lock(&w.lock);
    w.over = true;
    pthread_cond_broadcast(&w.changed);
    pthread_mutex_unlock(&w.lock);
    pool_close(w.pool); /* who stands in line is told */
    for (int i = 0; i < TASKS; i++)
        pthread_join(threads[i], NULL);
    pool_unref(w.pool);
    pool_budget_close(w.budget);
    return w.failed ? 1 : 0;
}
