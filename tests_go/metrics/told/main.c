/* Makes some pools, whose past is known, and prints what pool_metrics() says of them; with an argument, of none. */
#include <asyncpool/pool.h>

#include <stdio.h>
#include <stdlib.h>

static int words[2];

/* A step, answered so at this time; the resource that there is then. */
static void *step(pool_op_t *op, void *made, int64_t now_us)
{
    pool_ask_t ask = POOL_ASK_INIT;
    const pool_answer_t answer = {
        .struct_size = sizeof answer, .ok = made != NULL, .resource = made, .now_ns = now_us * 1000};
    pool_op_next(op, &answer, &ask);
    return ask.resource;
}

static pool_t *make_with(const char *name, uint32_t flags)
{
    pool_t *pool;
    pool_config_t config = POOL_CONFIG_INIT;
    config.name = name;
    config.max_size = 3;
    config.flags = POOL_F_HOST_DRIVEN | flags;
    config.asks = POOL_ASKS_DESTROY;
    if (pool_create_ex(&config, &pool) != POOL_OK)
        abort();
    return pool;
}

static pool_t *make(const char *name) { return make_with(name, 0); }

/* Two lends, one of which has ended. */
static void use_timed(pool_t *pool)
{
    pool_op_t op;
    for (int i = 0; i < 2; i++) {
        pool_op_acquire(pool, &op, 0);
        step(&op, NULL, 0);
        step(&op, &words[i], 0);
    }
    pool_op_release(pool, &op, &words[0]);
    step(&op, NULL, 0);
}

/* Three lends, one after a wait of 40 milliseconds, two creations of 3 microseconds and 2 seconds, one destruction. */
static void use(pool_t *pool)
{
    pool_op_t op, waits;
    pool_op_resize(pool, &op, 0, 1);
    step(&op, NULL, 0);
    pool_op_acquire(pool, &op, 0);
    step(&op, NULL, 100);
    void *r = step(&op, &words[0], 103);
    pool_op_acquire(pool, &waits, 0);
    step(&waits, NULL, 1000);
    pool_op_release(pool, &op, r);
    step(&op, NULL, 0);
    r = step(&waits, NULL, 41000);
    pool_op_discard(pool, &op, r);
    step(&op, NULL, 0);
    step(&op, NULL, 0);
    pool_op_acquire(pool, &op, 0);
    step(&op, NULL, 50000);
    step(&op, &words[1], 2050000);
    pool_op_resize(pool, &op, 0, 3);
    step(&op, NULL, 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    /* Too long by one byte, the second of two. */
    static const char long_name[] = "0123456789012345678901234567890123456789012345678901234567890.\xc3\xa4";
    if (argc == 1) {
        use(make("used"));
        make("twin");
        make("twin");
        make(NULL);
        make("\"quoted\"\\\nand the next line");
        make("w\xc3\xbcrfel \xf0\x9f\x8e\xb2 \xe2\x82");
        make(long_name);
        use_timed(make_with("timed", POOL_F_TIMED));
    }
    size_t length = pool_metrics(NULL, 0);
    char *text = malloc(length + 1);
    if (!text || pool_metrics(text, length + 1) != length)
        abort();
    return fwrite(text, 1, length, stdout) != length;
}
