#include "sweep_world.h"

sweep_world world;

void *word(int id) { return (void *)(intptr_t)id; }

int id_of(void *resource) { return (int)(intptr_t)resource; }

static void note(const char *what, int id)
{
    size_t size = strlen(world.log);
    snprintf(world.log + size, sizeof world.log - size, "%s%s(%d)", size ? " " : "", what, id);
}

static bool make(void **resource)
{
    world.creations++;
    if (world.failures > 0) {
        world.failures--;
        note("create", 0);
        return false;
    }
    int id = ++world.made;
    CHECK(id < MOST);
    world.alive[id] = 1;
    note("create", id);
    *resource = word(id);
    return true;
}

static void end(void *resource)
{
    int id = id_of(resource);
    CHECK_INT(world.alive[id], 1);
    world.alive[id] = 0;
    note("destroy", id);
}

static bool good(void *resource)
{
    int id = id_of(resource);
    CHECK_INT(world.alive[id], 1);
    world.checks[id]++;
    note("check", id);
    return !world.sick[id];
}

int alive(void)
{
    int n = 0;
    for (int id = 0; id < MOST; id++)
        n += world.alive[id];
    return n;
}

/* ---- Ops ----------------------------------------------------------------------------------- */

static pool_ask_kind_t first(talk *t)
{
    t->ask = (pool_ask_t)POOL_ASK_INIT;
    return pool_op_next(&t->op, NULL, &t->ask);
}

pool_ask_kind_t begin_sweep(talk *t, pool_t *pool)
{
    CHECK_STATUS(pool_op_sweep(pool, &t->op), POOL_OK);
    return first(t);
}

pool_ask_kind_t begin_acquire(talk *t, pool_t *pool, int64_t timeout_ms)
{
    CHECK_STATUS(pool_op_acquire(pool, &t->op, timeout_ms), POOL_OK);
    return first(t);
}

pool_ask_kind_t begin_release(talk *t, pool_t *pool, void *resource)
{
    CHECK_STATUS(pool_op_release(pool, &t->op, resource), POOL_OK);
    return first(t);
}

pool_ask_kind_t step(talk *t)
{
    pool_answer_t answer = POOL_ANSWER_INIT;
    switch (t->ask.kind) {
    case POOL_ASK_CREATE:
        answer.ok = make(&answer.resource);
        break;
    case POOL_ASK_HEALTHCHECK:
        answer.ok = good(t->ask.resource);
        break;
    case POOL_ASK_BEFORE_ACQUIRE:
        answer.ok = true;
        break;
    case POOL_ASK_BEFORE_RELEASE:
        answer.ok = !world.refuse_release;
        break;
    case POOL_ASK_DESTROY:
        end(t->ask.resource);
        break;
    case POOL_ASK_WAIT:
    case POOL_ASK_DONE:
        break;
    default: /* no pool here has a strategy or wants reports */
        check_fail(__FILE__, __LINE__, "ask %d", t->ask.kind);
    }
    return pool_op_next(&t->op, &answer, &t->ask);
}

pool_status_t finish(talk *t)
{
    while (t->ask.kind != POOL_ASK_DONE) {
        bool waited = t->ask.kind == POOL_ASK_WAIT;
        CHECK(step(t) != POOL_ASK_WAIT || !waited);
    }
    return t->ask.status;
}

void *finish_acquire(talk *t)
{
    CHECK_STATUS(finish(t), POOL_OK);
    return t->ask.resource;
}

pool_status_t sweep(pool_t *pool)
{
    talk t;
    begin_sweep(&t, pool);
    return finish(&t);
}

void *take(pool_t *pool)
{
    talk t;
    begin_acquire(&t, pool, 0);
    return finish_acquire(&t);
}

pool_status_t try_take(pool_t *pool)
{
    talk t;
    CHECK_STATUS(pool_op_try_acquire(pool, &t.op), POOL_OK);
    first(&t);
    return finish(&t);
}

void give(pool_t *pool, void *resource)
{
    talk t;
    begin_release(&t, pool, resource);
    CHECK_STATUS(finish(&t), POOL_OK);
}

void close_pool(pool_t *pool)
{
    talk t;
    CHECK_STATUS(pool_op_close(pool, &t.op), POOL_OK);
    first(&t);
    CHECK_STATUS(finish(&t), POOL_OK);
}

uint32_t reserved(pool_t *pool)
{
    pool_snapshot_t s = {.struct_size = sizeof s};
    CHECK_STATUS(pool_snapshot(pool, &s), POOL_OK);
    return s.reserved;
}

/* ---- Pools --------------------------------------------------------------------------------- */

static bool factory(pool_t *pool, void **resource)
{
    (void)pool;
    return make(resource);
}

static bool unwanted(pool_t *pool, void *resource)
{
    (void)pool;
    check_fail(__FILE__, __LINE__, "an op called a hook, on resource %d", id_of(resource));
}

static void unwanted_destructor(pool_t *pool, void *resource) { unwanted(pool, resource); }

pool_t *new_pool(uint32_t flags, uint32_t min, uint32_t max)
{
    pool_config_t config = POOL_CONFIG_INIT;
    config.flags = flags;
    config.min_size = min;
    config.max_size = max;
    if (flags & POOL_F_HOST_DRIVEN) {
        config.asks = POOL_ASKS_DESTROY | POOL_ASKS_HEALTHCHECK | POOL_ASKS_BEFORE_ACQUIRE | POOL_ASKS_BEFORE_RELEASE;
    } else {
        config.factory = factory;
        config.destructor = unwanted_destructor;
        config.healthcheck = config.before_acquire = config.before_release = unwanted;
    }
    memset(&world, 0, sizeof world);
    pool_t *pool = NULL;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    talk t;
    CHECK_STATUS(pool_op_fill(pool, &t.op), POOL_OK); /* a pool without handlers made none */
    first(&t);
    CHECK_STATUS(finish(&t), POOL_OK);
    world.log[0] = 0;
    world.creations = 0;
    return pool;
}

void stock(pool_t *pool, int n)
{
    for (int id = 1; id <= n; id++)
        CHECK_INT(id_of(take(pool)), id);
    for (int id = 1; id <= n; id++)
        give(pool, word(id));
    world.log[0] = 0;
    world.creations = 0;
}

void end_pool(pool_t *pool)
{
    close_pool(pool);
    CHECK_COUNTS(pool, 0, 0, 0);
    pool_unref(pool);
    CHECK_INT(alive(), 0);
    CHECK_INT(pool_debug_live(), 0);
}

bool each_kind(pool_t **pool, uint32_t min, uint32_t max)
{
    static const uint32_t flags[] = {0, POOL_F_REACTOR, POOL_F_HOST_DRIVEN};
    static size_t next;
    if (*pool)
        end_pool(*pool);
    if (next == sizeof flags / sizeof *flags)
        return false;
    *pool = new_pool(flags[next++], min, max);
    return true;
}
