#include "story_parts.h"

enum { MOST_HELD = 64, MOST_NUMBERS = 128 };

static fx_resource *held[MOST_HELD], *numbered[MOST_NUMBERS];
static int held_count;

void books_open(void)
{
    held_count = 0;
    memset(numbered, 0, sizeof numbered);
}

int books_lent(void) { return held_count; }

bool books_gives(const char *verb) { return is(verb, "release") || is(verb, "discard") || is(verb, "detach"); }

static bool lends(const replay_actor *a) { return is(a->verb, "acquire") || is(a->verb, "try"); }

/* Takes it from the books, before it is given back. */
static fx_resource *let_go(fx_resource *r)
{
    for (int i = 0; i < held_count; i++) {
        if (held[i] == r) {
            held[i] = held[--held_count];
            atomic_store(&r->owned, 0);
            for (int n = 0; n < MOST_NUMBERS; n++)
                if (numbered[n] == r)
                    numbered[n] = NULL;
            return r;
        }
    }
    return NULL;
}

void *books_meant_by(int number)
{
    static char foreign;
    bool known = false;
    for (int i = 0; i < story.playing->count; i++)
        known |= is(story.playing->steps[i].verb, "made") && (int)(uintptr_t)story.playing->steps[i].resource == number;
    if (number < MOST_NUMBERS && numbered[number])
        return let_go(numbered[number]);
    return known && held_count ? let_go(held[held_count - 1]) : (void *)&foreign;
}

static bool allowed(const replay_actor *a)
{
    const char *verb = a->verb;
    bool creates = lends(a) || is(verb, "fill");
    switch ((int)a->status) {
    case POOL_OK:
        return true;
    case POOL_EMPTY:
        return is(verb, "try");
    case POOL_ERR_CLOSED:
        return (creates || is(verb, "evict") || is(verb, "resize") || is(verb, "trim")) && pool_is_closed(story_pool);
    case POOL_ERR_UNAVAILABLE:
        return lends(a) && story_full;
    case POOL_ERR_TIMEOUT:
        return (is(verb, "acquire") || is(verb, "drain")) && a->timeout_ms > 0;
    case POOL_ERR_FACTORY:
        return creates && story.refused > 0;
    case POOL_ERR_CANCELLED:
        return story.more[a->index].cancelled;
    case POOL_ERR_NOT_OWNED:
        return books_gives(verb);
    case POOL_ERR_NOMEM:
        return creates && fault_injected(FAULT_ALLOC) > 0;
    }
    return false;
}

void books_note(replay_actor *a)
{
    a->busy = false;
    if (!allowed(a))
        check_fail(__FILE__, __LINE__, "%c's %s answers %s", (char)('A' + a->index), a->verb,
                   pool_status_name(a->status));
    fx_resource *r = lends(a) ? a->resource : NULL;
    CHECK(!lends(a) || (a->status == POOL_OK) == (r != NULL));
    if (books_gives(a->verb)) /* what was lent is taken back, whatever fails */
        CHECK((a->status == POOL_ERR_NOT_OWNED) == !a->made);
    if (is(a->verb, "detach") && a->status == POOL_OK)
        story_hook("destroy", &a->made); /* by whose it is now */
    if (!r)
        return;
    CHECK(held_count < MOST_HELD);
    CHECK_INT(atomic_exchange(&r->owned, 1), 0);
    held[held_count++] = r;
    int number = story.more[a->index].number;
    if (number > 0 && number < MOST_NUMBERS)
        numbered[number] = r;
}

static void give_back(fx_resource *r)
{
    void *nothing;
    CHECK_STATUS(story_ask("release", let_go(r), &nothing), POOL_OK);
}

void books_give_back(void)
{
    while (held_count > 0)
        give_back(held[0]);
}

void books_check_rest(void)
{
    pool_t *pool = story_pool;
    uint32_t max = story.playing->max < MOST_HELD ? story.playing->max : MOST_HELD / 2;
    void *got;
    if (story_full)
        CHECK_STATUS(pool_activate(pool), POOL_OK);
    CHECK_COUNTS(pool, fx_live(), 0, 0);
    for (uint32_t i = 0; i < max; i++) {
        CHECK_STATUS(story_ask("try", NULL, &got), POOL_OK);
        held[held_count++] = got;
        CHECK_INT(atomic_exchange(&held[i]->owned, 1), 0);
    }
    if (max == story.playing->max)
        CHECK_STATUS(story_ask("try", NULL, &got), POOL_EMPTY);
    CHECK_INT(fx_live(), max);
    books_give_back();
    if (story_full && story.world->call)
        CHECK_STATUS(story_ask("sweep", NULL, &got), POOL_OK);
    CHECK_COUNTS(pool, story.playing->max_uses ? (uint32_t)fx_live() : max, 0, 0); /* some are used up */
}
