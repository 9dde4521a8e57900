/*
 * Keepers: they close pools under load and make new ones, break services and mend them, move breakers by
 * hand, change strategies, and send observers in and out.
 */
#include "actor.h"

static actor keepers[KEEPERS];

static void replace(actor *a, site *s)
{
    dice *d = &a->dice;
    actor_does(a, "replaces", s->number);
    if (dice_one_in(d, 8)) { /* nothing is there for a while */
        site_clear(s);
        soak_nap_us(dice_below(d, 2000));
    } else if (dice_one_in(d, 8)) { /* a closed one is there for a while */
        world *w = site_enter(s);
        if (w) {
            world_close(w);
            soak_nap_us(dice_below(d, 2000));
            world_leave(w);
        }
    }
    site_replace(s, !dice_one_in(d, 4));
}

static void move_breaker(world *w, dice *d)
{
    uint32_t way = dice_below(d, 10);
    pool_status_t status = way < 6   ? pool_activate(w->pool)
                           : way < 8 ? pool_recover(w->pool)
                                     : pool_deactivate(w->pool);
    if (status == POOL_OK)
        TALLY(moves);
    else if (status != POOL_ERR_CLOSED)
        soak_fail("%s: a breaker move answers %s", world_text(w), pool_status_name(status));
}

static void change_service(site *s)
{
    bool down = !atomic_load(&s->down);
    atomic_store(&s->down, down);
    if (down)
        TALLY(outages);
}

static void keep(actor *a)
{
    dice *d = &a->dice;
    site *s = &sites[dice_below(d, SITES)];
    uint32_t way = dice_below(d, 100);
    if (way < 5) {
        replace(a, s);
        return;
    }
    if (way < 10 || atomic_load(&s->down)) {
        if (way < 25)
            change_service(s);
        return;
    }
    actor_does(a, "keeps", s->number);
    world *w = site_enter(s);
    if (!w) {
        site_replace(s, true);
        return;
    }
    if (way < 40)
        move_breaker(w, d);
    else if (way < 43)
        callbacks_set_strategy(w, (site_strategy)dice_below(d, 3));
    else if (way < 70)
        callbacks_watch(w, d);
    world_leave(w);
}

static void *body(void *arg)
{
    actor *a = arg;
    hooks_may_sleep = true;
    actor_is_here(a);
    do {
        while (epoch_runs()) {
            keep(a);
            soak_nap_us(200 + dice_below(&a->dice, 1500));
        }
    } while (actor_rest(a));
    actor_gone(a);
    return NULL;
}

void keepers_start(void)
{
    for (int i = 0; i < KEEPERS; i++) {
        actor_register(&keepers[i], "keeper", (unsigned)i);
        actor_start(&keepers[i], body);
    }
}

void keepers_join(void)
{
    for (int i = 0; i < KEEPERS; i++)
        actor_join(&keepers[i]);
}
