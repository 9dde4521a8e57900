/*
 * The hooks of a world: they keep the account, fail at random, and take their time at random. Each resource
 * has a state that only one can have changed, so one that is lent twice, or is in two hooks, is seen at once.
 */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

enum { FREE = 1, LENT, HOOKED, DEAD };
static const uint64_t MAGIC = 0x7265736f75726365;

typedef struct resource {
    world *world;
    char pad[16]; /* what free() overwrites comes before the magic */
    uint64_t magic;
    const char *holder; /* and its number: who has it */
    unsigned holder_number;
    atomic_int state;
} resource;

_Thread_local void (*hooks_pause)(void);
_Thread_local bool hooks_may_sleep;
_Thread_local dice hooks_dice;
_Thread_local const char *hooks_thread = "thread";
_Thread_local unsigned hooks_thread_number;
static atomic_uint unknown_threads;

dice *hooks_own_dice(void)
{
    if (hooks_dice.state == 0) /* a thread of the library */
        hooks_dice = dice_of(1000000 + atomic_fetch_add(&unknown_threads, 1));
    return &hooks_dice;
}

static void change(world *w, void *word, int from, int to, const char *what)
{
    static const char *const names[] = {"?", "free", "lent", "in a hook", "destroyed"};
    resource *r = word;
    int was = from;
    if (r->magic != MAGIC || r->world != w)
        soak_fail("%s: %s of %p, which is no resource of this pool", world_text(w), what, word);
    if (!atomic_compare_exchange_strong(&r->state, &was, to))
        soak_fail("%s: %s of a resource that is %s", world_text(w), what, names[was >= FREE && was <= DEAD ? was : 0]);
}

void hooks_lent(world *w, void *word)
{
    resource *r = word;
    change(w, word, FREE, LENT, "lending");
    r->holder = hooks_thread;
    r->holder_number = hooks_thread_number;
    for (int i = 0; i < MOST_PLACES; i++) {
        void *none = NULL;
        if (atomic_compare_exchange_strong(&w->out[i], &none, word))
            return;
    }
    soak_fail("%s: more than %d are lent", world_text(w), MOST_PLACES);
}

void hooks_returned(world *w, void *word)
{
    for (int i = 0; i < MOST_PLACES; i++) {
        void *expected = word;
        if (atomic_compare_exchange_strong(&w->out[i], &expected, NULL))
            break;
    }
    change(w, word, LENT, FREE, "release");
}

void hooks_print_holders(world *w)
{
    for (int i = 0; i < MOST_PLACES; i++) {
        resource *r = atomic_load(&w->out[i]);
        if (r)
            fprintf(stderr, "    one was lent to %s %u\n", r->holder, r->holder_number);
    }
}

/*
 * Most hooks are quick. The thread may be cancelled here, but not inside the sleep: the thread sanitizer
 * would take it to be there still, and see none of what synchronises it while it is unwound.
 */
static void take_time(void)
{
    dice *d = hooks_own_dice();
    if (atomic_load(&world_calm) || !dice_one_in(d, 24))
        return;
    if (hooks_pause) {
        hooks_pause();
    } else if (hooks_may_sleep) {
        int before;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
        soak_nap_us(dice_below(d, 2000));
        pthread_setcancelstate(before, &before);
        world_unmark_stack();
        pthread_testcancel();
    }
}

static bool fails(world *w, pool_t *pool, uint32_t one_in)
{
    if (atomic_load(&world_calm))
        return false;
    bool down = atomic_load(&w->site->down);
    if (!(down ? !dice_one_in(hooks_own_dice(), 10) : dice_one_in(hooks_own_dice(), one_in)))
        return false;
    TALLY(failures);
    if (dice_one_in(hooks_own_dice(), 2))
        pool_set_error(pool, down ? 503 : 500, down ? "the service is down" : "bad luck");
    return true;
}

static void uncount(void *w) { atomic_fetch_sub(&((world *)w)->live, 1); }

bool hooks_factory(pool_t *pool, void **out)
{
    world *w = pool->user_data;
    int live = atomic_fetch_add(&w->live, 1) + 1;
    if (live > (int)w->site->kind->max)
        soak_fail("%s: %d resources at once", world_text(w), live);
    pthread_cleanup_push(uncount, w);
    take_time();
    pthread_cleanup_pop(0);
    resource *r = fails(w, pool, 40) ? NULL : calloc(1, sizeof *r);
    if (!r) {
        uncount(w);
        return false;
    }
    r->world = w;
    r->magic = MAGIC;
    atomic_store(&r->state, FREE);
    atomic_fetch_add(&w->created, 1);
    TALLY(created);
    *out = r;
    return true;
}

void hooks_destructor(pool_t *pool, void *word)
{
    world *w = pool->user_data;
    resource *r = word;
    change(w, word, FREE, DEAD, "destruction");
    r->magic = 0;
    free(r);
    atomic_fetch_add(&w->destroyed, 1);
    TALLY(destroyed);
    uncount(w); /* the last: from here on the place may be taken */
}

static bool end(pool_fcall_t *fcall, pool_t *pool, void **word)
{
    (void)fcall;
    hooks_destructor(pool, *word);
    return true;
}

static void freed(pool_fcall_t *fcall) { world_done_with(fcall->data); }

static void unhook(void *word) { atomic_store(&((resource *)word)->state, FREE); }

static bool asked(pool_t *pool, void *word, const char *what, uint32_t one_in)
{
    world *w = pool->user_data;
    change(w, word, FREE, HOOKED, what);
    pthread_cleanup_push(unhook, word);
    take_time();
    pthread_cleanup_pop(0);
    bool failed = fails(w, pool, one_in);
    change(w, word, HOOKED, FREE, what);
    return !failed;
}

bool hooks_healthcheck(pool_t *pool, void *word)
{
    TALLY(healthchecks);
    return asked(pool, word, "healthcheck", 20);
}

bool hooks_before_acquire(pool_t *pool, void *word) { return asked(pool, word, "before_acquire", 50); }

bool hooks_before_release(pool_t *pool, void *word) { return asked(pool, word, "before_release", 50); }

pool_config_t hooks_config(world *w)
{
    const site_kind *k = w->site->kind;
    pool_config_t c = POOL_CONFIG_INIT;
    w->ender = (pool_fcall_t){.invoke = end, .dispose = freed, .data = w};
    w->strategy = callbacks_strategy(w);
    c.name = k->name;
    c.min_size = k->min;
    c.max_size = k->max;
    c.flags = k->flags;
    c.recovering_limit = k->probes;
    c.scheduler = w->site->scheduler;
    c.user_data = w;
    if (k->home == HOME_HOST) {
        c.asks = POOL_ASKS_DESTROY;
        if (k->hooks)
            c.asks |= POOL_ASKS_HEALTHCHECK | POOL_ASKS_BEFORE_ACQUIRE | POOL_ASKS_BEFORE_RELEASE | POOL_ASKS_REPORTS |
                      POOL_ASKS_SHOULD_RECOVER;
        return c;
    }
    c.factory = hooks_factory;
    c.destructor_fcall = &w->ender;
    if (k->hooks) {
        c.before_acquire = hooks_before_acquire;
        c.before_release = hooks_before_release;
    }
    if (k->interval_ms) {
        c.healthcheck = hooks_healthcheck;
        c.healthcheck_interval_ms = k->interval_ms;
    }
    return c;
}
