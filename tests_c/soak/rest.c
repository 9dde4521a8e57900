/* Epochs: everybody who is present either works or rests. */
#include "actor.h"

#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned present, resting;
static atomic_bool runs, over;
static atomic_uint load = 1000;

enum { ACTORS = 4096 };
static actor *everybody[ACTORS];
static unsigned known;

bool epoch_runs(void) { return atomic_load_explicit(&runs, memory_order_relaxed); }

static void set(bool running, bool ended)
{
    pthread_mutex_lock(&lock);
    atomic_store(&runs, running);
    atomic_store(&over, ended);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void epoch_begin(void) { set(true, false); }
void epoch_end(void) { set(false, false); }
void epoch_end_for_ever(void) { set(false, true); }

static bool rest_but(unsigned some)
{
    pthread_mutex_lock(&lock);
    bool all = resting + some == present;
    pthread_mutex_unlock(&lock);
    return all;
}

bool epoch_all_rest(void) { return rest_but(0); }
bool epoch_others_rest(void) { return rest_but(1); }

void epoch_set_load(uint32_t new_load) { atomic_store_explicit(&load, new_load, memory_order_relaxed); }

bool actor_awake(const actor *a) { return a->rank < atomic_load_explicit(&load, memory_order_relaxed); }

bool actor_rest(actor *a)
{
    actor_does(a, NULL, -1);
    pthread_mutex_lock(&lock);
    resting++;
    while (!atomic_load(&runs) && !atomic_load(&over) && !atomic_load(&a->leaves))
        pthread_cond_wait(&changed, &lock);
    resting--;
    bool go_on = atomic_load(&runs) && !atomic_load(&a->leaves);
    pthread_mutex_unlock(&lock);
    return go_on;
}

void actor_is_here(const actor *a)
{
    hooks_thread = a->kind;
    hooks_thread_number = a->number;
    hooks_dice = dice_of(a->dice.state);
}

void actor_does(actor *a, const char *doing, int where)
{
    atomic_store_explicit(&a->doing, doing, memory_order_relaxed);
    atomic_store_explicit(&a->where, where, memory_order_relaxed);
    atomic_store_explicit(&a->since_ns, soak_now_ns(), memory_order_relaxed);
}

void actor_register(actor *a, const char *kind, unsigned number)
{
    static const uint32_t steps = 618; /* ranks are spread evenly over any kind, by the golden section */
    if (known == ACTORS)
        soak_fail("more than %d actors", ACTORS);
    a->kind = kind;
    a->number = number;
    a->rank = number * steps % 1000;
    a->dice = dice_of(known + 1);
    everybody[known++] = a;
}

void actor_start(actor *a, void *(*body)(void *))
{
    pthread_attr_t attr;
    pthread_mutex_lock(&lock);
    present++;
    pthread_mutex_unlock(&lock);
    atomic_store(&a->gone, false);
    atomic_store(&a->leaves, false);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 256 << 10);
    int error = pthread_create(&a->thread, &attr, body, a);
    pthread_attr_destroy(&attr);
    if (error)
        soak_fail("pthread_create: %d", error);
}

void actor_gone(void *arg)
{
    actor *a = arg;
    actor_does(a, NULL, -1);
    pthread_mutex_lock(&lock);
    present--;
    pthread_mutex_unlock(&lock);
    atomic_store(&a->gone, true);
}

void actor_join(actor *a)
{
    int error = pthread_join(a->thread, NULL);
    if (error)
        soak_fail("pthread_join: %d", error);
}

unsigned actors_present(void)
{
    pthread_mutex_lock(&lock);
    unsigned n = present;
    pthread_mutex_unlock(&lock);
    return n;
}

void actors_print_busy(void)
{
    int printed = 0;
    for (unsigned i = 0; i < known; i++) {
        actor *a = everybody[i];
        const char *doing = atomic_load(&a->doing);
        int where = atomic_load(&a->where);
        if (doing && printed++ < 20)
            fprintf(stderr, "  %s %u: %s%s%s, for %.1f s\n", a->kind, a->number, doing, where < 0 ? "" : " ",
                    where < 0 ? "" : sites[where].kind->name, (double)(soak_now_ns() - a->since_ns) / 1e9);
    }
    if (printed > 20)
        fprintf(stderr, "  and %d more\n", printed - 20);
}
