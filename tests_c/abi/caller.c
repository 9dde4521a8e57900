/*
 * A caller that was compiled against another version of the headers than the library: an older one (first/), whose
 * structs are shorter than the library's, or one in which they have grown (GROWN), with a library that has not.
 *
 *     caller LIBRARY shorter|equal|longer
 *
 * says what the caller's structs are to those of the library. Each struct lies in memory that is its own to the last
 * byte.
 */
#include <asyncpool/pool_api.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            char said[256];                                                                                            \
            pool_api_last_error(NULL, said, sizeof said);                                                              \
            fprintf(stderr, "%s:%d: not true: %s (%s; %s)\n", __FILE__, __LINE__, #condition, said, pool_api_error()); \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A struct and what lies behind it, which nobody may touch. AddressSanitizer watches the end itself. */
#ifdef __SANITIZE_ADDRESS__
enum { BEHIND = 0 };
#else
enum { BEHIND = 64 };
#endif

static void *exactly(size_t size, const void *begins)
{
    unsigned char *memory = malloc(size + BEHIND);
    REQUIRE(memory != NULL);
    memcpy(memory, begins, size);
    memset(memory + size, 0x5a, BEHIND);
    return memory;
}

static void untouched(const void *memory, size_t size)
{
    for (int i = 0; i < BEHIND; i++)
        REQUIRE(((const unsigned char *)memory)[size + (size_t)i] == 0x5a);
}

#define EXACTLY(type, ...) ((type *)exactly(sizeof(type), &(const type)__VA_ARGS__))
#define DROP(p) (untouched((p), sizeof *(p)), free(p))

static enum { SHORTER, EQUAL, LONGER } caller;

/* What the field that has grown holds after the library has written. */
#ifdef GROWN
#define TOLD(p) REQUIRE((p)->grown == (caller == LONGER ? 0 : 77))
#else
#define TOLD(p) (void)(p)
#endif

static int word;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = &word;
    return true;
}

static void configure(void)
{
    pool_config_t *config = EXACTLY(pool_config_t, POOL_CONFIG_INIT);
    pool_t *pool;
    config->factory = make;
    config->max_size = 3;
    REQUIRE(pool_api_create_ex(config, &pool) == POOL_OK);
    REQUIRE(pool->max_size == 3);
    pool_api_unref(pool);
#ifdef GROWN
    config->grown = 13; /* unknown to the one library, refused by the other */
    REQUIRE(pool_api_create_ex(config, &pool) == POOL_ERR_INVALID && !pool);
    config->grown = 1;
    REQUIRE(pool_api_create_ex(config, &pool) == (caller == LONGER ? POOL_ERR_INVALID : POOL_OK));
    pool_api_unref(pool);
#endif
    DROP(config);
}

static pool_t *host_driven(void)
{
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.flags = POOL_F_HOST_DRIVEN;
    REQUIRE(pool_api_create_ex(&config, &pool) == POOL_OK);
    return pool;
}

/* Asks, answers and counts, as a host that drives ops sees them. */
static void drive(void)
{
    pool_t *pool = host_driven();
    pool_op_t op;
    pool_ask_t *ask = EXACTLY(pool_ask_t, POOL_ASK_INIT);
    pool_answer_t *answer = EXACTLY(pool_answer_t, POOL_ANSWER_INIT);
    pool_snapshot_t *counts = EXACTLY(pool_snapshot_t, {.struct_size = sizeof(pool_snapshot_t)});
    memset((char *)ask + sizeof ask->struct_size, 0x5a, sizeof *ask - sizeof ask->struct_size);
    REQUIRE(pool_api_op_acquire(pool, &op, 1000) == POOL_OK);
    REQUIRE(pool_api_op_next(&op, NULL, ask) == POOL_ASK_CREATE && ask->kind == POOL_ASK_CREATE);
    REQUIRE(ask->struct_size == sizeof *ask);
    answer->ok = true;
    answer->resource = &word;
#ifdef GROWN
    answer->grown = 1; /* what a library does not know it takes for a failure */
    if (caller == LONGER) {
        REQUIRE(pool_api_op_next(&op, answer, ask) == POOL_ASK_DONE && ask->status == POOL_ERR_FACTORY);
        answer->grown = 0;
        REQUIRE(pool_api_op_acquire(pool, &op, 1000) == POOL_OK);
        REQUIRE(pool_api_op_next(&op, NULL, ask) == POOL_ASK_CREATE);
    }
#endif
    REQUIRE(pool_api_op_next(&op, answer, ask) == POOL_ASK_DONE);
    REQUIRE(ask->status == POOL_OK && ask->resource == &word && ask->struct_size == sizeof *ask);
    REQUIRE(pool_api_op_acquire(pool, &op, 1000) == POOL_OK);
    REQUIRE(pool_api_op_cancel(&op) == POOL_OK);
    REQUIRE(pool_api_op_next(&op, NULL, ask) == POOL_ASK_DONE && ask->status == POOL_ERR_CANCELLED);
    TOLD(ask);
    REQUIRE(pool_api_snapshot(pool, counts) == POOL_OK);
    REQUIRE(counts->active == 1 && counts->max == 10 && counts->struct_size == sizeof *counts);
    TOLD(counts);
#ifdef GROWN /* the first version had none */
    pool_stats_t *stats = EXACTLY(pool_stats_t, {.struct_size = sizeof(pool_stats_t)});
    REQUIRE(pool_api_stats(pool, stats) == POOL_OK);
    REQUIRE(stats->created == 1 && stats->lends == 1 && stats->struct_size == sizeof *stats);
    TOLD(stats);
    DROP(stats);
#endif
    REQUIRE(pool_api_release(pool, &word) == POOL_OK);
    REQUIRE(pool_api_op_close(pool, &op) == POOL_OK);
    REQUIRE(pool_api_op_next(&op, NULL, ask) == POOL_ASK_DONE);
    DROP(counts);
    DROP(answer);
    DROP(ask);
    pool_api_unref(pool);
}

static void look_at_the_table(void)
{
    const pool_api_t *api = pool_api_current();
    size_t there = api->struct_size, here = sizeof *api;
    REQUIRE(caller == SHORTER ? there > here : caller == EQUAL ? there == here : there < here);
#ifdef GROWN
    REQUIRE(!POOL_API_HAS(api, grown) == (caller == LONGER));
    REQUIRE(caller == LONGER || api->grown() == 77);
#endif
}

int main(int argc, char **argv)
{
    REQUIRE(argc == 3);
    caller = argv[2][0] == 's' ? SHORTER : argv[2][0] == 'e' ? EQUAL : LONGER;
    REQUIRE(pool_api_load(argv[1]) == POOL_OK);
    look_at_the_table();
    configure();
    drive();
    REQUIRE(pool_api_debug_live() == 0);
    return 0;
}
