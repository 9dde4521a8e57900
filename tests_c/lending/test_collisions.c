/*
 * The set of what is lent, against words that were chosen to collide in it. Looks behind the header: the seed of a
 * pool's hash, the home of a word, and how many entries a look-up meets. No look-up does without the seed what is
 * done here with it. Each case shows P07.
 */
#include "check.h"
#include "process.h"

#include "../../bridge/registry.h"

enum { WORDS = 1024, POOLS = 64 };

static uintptr_t words[WORDS];
static int made;

static bool make(pool_t *pool, void **resource)
{
    (void)pool;
    *resource = (void *)words[made++ % WORDS];
    return true;
}

static const ap_registry_t *registry_of(pool_t *pool) { return &((ap_pool_t *)pool)->state.registry; }

/* A pool that lends all words; the index has half as many buckets again. */
static pool_t *lend_all(void)
{
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, WORDS, WORDS, 0);
    CHECK(pool != NULL);
    for (int i = 0; i < WORDS; i++) {
        void *r;
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    }
    CHECK_INT(registry_of(pool)->count, WORDS + WORDS / 2);
    return pool;
}

static void give_all_back(pool_t *pool)
{
    for (int i = 0; i < WORDS; i++)
        CHECK_STATUS(pool_release(pool, (void *)words[i]), POOL_OK);
    pool_unref(pool);
}

typedef struct probes {
    double mean;
    int longest;
} probes;

/* Entries that a look-up of each word meets, the last included. */
static probes probe_all(pool_t *pool)
{
    const ap_registry_t *g = registry_of(pool);
    probes all = {0, 0};
    for (int i = 0; i < WORDS; i++) {
        int n = 1;
        uint32_t at = ap__registry_bucket(g, ap__registry_home(g, words[i]));
        for (;; at = ap__registry_entry(g, at - 1)->chain, n++) {
            CHECK(at != 0 && n <= WORDS);
            if (ap__registry_entry(g, at - 1)->word == words[i])
                break;
        }
        all.mean += (double)n / WORDS;
        all.longest = n > all.longest ? n : all.longest;
    }
    return all;
}

/* ---- Seeds ------------------------------------------------------------------------------------ */

static void print_seed(pool_t *pool, char *text, size_t size)
{
    const uint64_t *seed = registry_of(pool)->seed;
    snprintf(text, size, "%016" PRIx64 " %016" PRIx64, seed[0], seed[1]);
}

/* Two halves of the bits of a random number are never as unlike as these bounds in the life of a universe. */
TEST(every_pool_has_a_seed_of_its_own_and_every_bit_of_it_varies)
{
    enum { MANY = 1000 };
    static uint64_t seeds[MANY][2];
    int ones[128] = {0};
    for (int i = 0; i < MANY; i++) {
        pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
        memcpy(seeds[i], registry_of(pool)->seed, sizeof seeds[i]);
        pool_unref(pool);
        for (int j = 0; j < i; j++)
            CHECK(seeds[i][0] != seeds[j][0] && seeds[i][1] != seeds[j][1]);
        for (int bit = 0; bit < 128; bit++)
            ones[bit] += (int)(seeds[i][bit / 64] >> bit % 64 & 1);
    }
    for (int bit = 0; bit < 128; bit++)
        CHECK(ones[bit] > MANY / 4 && ones[bit] < MANY * 3 / 4);
}

#define CHILD "COLLISIONS_CHILD" /* set in the environment of a process that only says its seed */

TEST(every_process_has_a_seed_of_its_own)
{
    char own[64], others[3][64];
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, 1, 0);
    print_seed(pool, own, sizeof own);
    pool_unref(pool);
    if (getenv(CHILD)) {
        puts(own);
        return;
    }
    for (int i = 0; i < 3; i++) {
        FILE *child = process_again(CHILD, "every_process_has_a_seed_of_its_own");
        CHECK(fscanf(child, "%63[0-9a-f ]", others[i]) == 1);
        CHECK_INT(pclose(child), 0);
        CHECK_INT(strlen(others[i]), strlen(own));
        CHECK(strcmp(others[i], own) != 0);
        for (int j = 0; j < i; j++)
            CHECK(strcmp(others[i], others[j]) != 0);
    }
}

/* ---- Words ------------------------------------------------------------------------------------ */

/* In every pool a look-up of them meets as many entries as one of random words does: 1.3 on average. */
static void stay_apart(const char *what)
{
    probes worst = {0, 0};
    for (int i = 0; i < POOLS; i++) {
        made = 0;
        pool_t *pool = lend_all();
        probes p = probe_all(pool);
        worst.mean = p.mean > worst.mean ? p.mean : worst.mean;
        worst.longest = p.longest > worst.longest ? p.longest : worst.longest;
        give_all_back(pool);
    }
    printf("%s: %.2f entries on average in the worst of %d pools, %d at most\n", what, worst.mean, POOLS,
           worst.longest);
    CHECK(worst.mean < 2);
    CHECK(worst.longest < WORDS / 8);
}

TEST(words_at_any_distance_from_each_other_stay_apart)
{
    for (int shift = 0; shift + 10 < 64; shift += 6) { /* also those that are equal in their lower bits */
        char what[64];
        for (uintptr_t i = 0; i < WORDS; i++)
            words[i] = i << shift;
        snprintf(what, sizeof what, "multiples of 2^%d", shift);
        stay_apart(what);
    }
    static const uintptr_t distances[] = {3, 48, 100, 4096 + 64, 0x9e3779b97f4a7c15, UINTPTR_MAX / WORDS, UINTPTR_MAX};
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        char what[64];
        for (uintptr_t i = 0; i < WORDS; i++)
            words[i] = 0x7f5500001000 + i * distances[d];
        snprintf(what, sizeof what, "multiples of %#jx", (uintmax_t)distances[d]);
        stay_apart(what);
    }
}

TEST(words_of_few_bits_stay_apart)
{
    int n = 0;
    for (int a = 0; a < 64; a++)
        for (int b = 0; b <= a && n < WORDS; b++)
            words[n++] = (uintptr_t)1 << a | (uintptr_t)1 << b;
    stay_apart("one bit or two");
}

/* Chooses words whose home is one bucket in this pool, whatever it lends besides. */
static void choose_colliding(pool_t *pool)
{
    ap_registry_t g = *registry_of(pool); /* as it is when it lends all */
    g.mask = 4 * WORDS - 1;
    g.count = 4 * WORDS;
    uintptr_t word = 1 << 20; /* beyond the numbers of a sequence */
    uint32_t home = ap__registry_home(&g, word);
    for (int n = 0; n < WORDS; word += 16)
        if (ap__registry_home(&g, word) == home)
            words[n++] = word;
}

static void fill_with_sequence(void)
{
    for (uintptr_t i = 0; i < WORDS; i++)
        words[i] = i;
    made = 0;
}

TEST(words_that_collide_in_one_pool_stay_apart_in_all_others)
{
    fill_with_sequence();
    pool_t *pool = lend_all();
    give_all_back(pool_ref(pool)); /* the reference is given back, the pool stays */
    choose_colliding(pool);
    pool_unref(pool);
    stay_apart("chosen for another pool");
}

/* They are lent right all the same, by the pool that they were chosen for, whose look-ups become long. */
TEST(words_that_collide_are_lent_and_given_back_as_others)
{
    fill_with_sequence();
    pool_config_t config = POOL_CONFIG_INIT;
    pool_t *pool;
    config.factory = make;
    config.max_size = 2 * WORDS;
    config.min_size = WORDS / 2 + 1;
    CHECK_STATUS(pool_create_ex(&config, &pool), POOL_OK);
    choose_colliding(pool);
    made = 0;
    for (int i = 0; i < WORDS / 2 + 1; i++) {
        void *r;
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK); /* the numbers of before */
    }
    int lent = 0;
    for (; lent < WORDS / 2 - 1; lent++) {
        void *r;
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_PTR(r, (void *)words[lent]);
    }
    CHECK_INT(lent, WORDS / 2 - 1);
    for (int i = lent - 1; i >= 0; i--) {
        CHECK_STATUS(pool_release(pool, (void *)words[i]), POOL_OK);
        CHECK_STATUS(pool_release(pool, (void *)words[i]), POOL_ERR_NOT_OWNED);
    }
    CHECK_INT(pool_active_count(pool), WORDS / 2 + 1);
    for (uintptr_t i = 0; i < WORDS / 2 + 1; i++)
        CHECK_STATUS(pool_release(pool, (void *)i), POOL_OK);
    pool_unref(pool);
}

/* ---- One word many times ---------------------------------------------------------------------- */

/* How many entries stand in the bucket of a word. */
static int in_bucket(pool_t *pool, uintptr_t word)
{
    const ap_registry_t *g = registry_of(pool);
    int n = 0;
    for (uint32_t at = ap__registry_bucket(g, ap__registry_home(g, word)); at != 0; n++)
        at = ap__registry_entry(g, at - 1)->chain;
    return n;
}

/* All of them share a home, whatever the seed, and are one in the index: neither they nor others in the same bucket
 * pay for how many they are. */
TEST(one_word_lent_many_times_is_one_in_the_index)
{
    enum { MANY = 8000 };
    pool_t *pool = pool_create_internal(make, NULL, NULL, NULL, NULL, 0, MANY + WORDS, 0);
    void *r;
    memset(words, 0, sizeof words);
    for (int i = 0; i < MANY; i++)
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_INT(registry_of(pool)->words, 1);
    for (uintptr_t i = 0; i < WORDS; i++)
        words[i] = i + 1;
    made = 0;
    for (int i = 0; i < WORDS; i++)
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
    CHECK_INT(registry_of(pool)->words, WORDS + 1);
    for (uintptr_t i = 0; i <= WORDS; i++)
        CHECK(in_bucket(pool, i) < 16);
    for (int i = 0; i < WORDS; i++)
        CHECK_STATUS(pool_release(pool, (void *)words[i]), POOL_OK);
    uint64_t crossings = pool_debug_crossings();
    for (int i = 0; i < MANY; i++)
        CHECK_STATUS(pool_release(pool, NULL), POOL_OK);
    CHECK(pool_debug_crossings() == crossings); /* by the fast path, as others are */
    CHECK_STATUS(pool_release(pool, NULL), POOL_ERR_NOT_OWNED);
    CHECK_COUNTS(pool, MANY + WORDS, 0, 0);
    for (int i = 0; i < 2 * (MANY + WORDS); i++) {
        CHECK_STATUS(pool_acquire(pool, &r, 0), POOL_OK);
        CHECK_STATUS(pool_release(pool, r), POOL_OK);
    }
    pool_unref(pool);
}
