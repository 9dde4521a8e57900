/*
 * Who holds what: pool_lends(). All resources are looked at, in pieces, so that nobody waits for the lock for long:
 * a resource keeps its number, so each is looked at once, whatever happens between two pieces.
 */
#include "ages.h"
#include "lease.h"
#include "sizes.h"
#include "whose.h"

enum { PIECE = 1024 };

/* Both ends of what was measured are cut off: see ms_of() in info.c. */
static uint64_t ms_of(uint32_t ticks) { return ticks < 2 ? 0 : ((uint64_t)(ticks - 1) << AP_TICK_BITS) / 1000000; }

void ap__lend_read(const ap_state_t *st, uint32_t i, pool_lend_t *lend)
{
    const ap_entry_t *entry = ap__registry_entry(&st->registry, i);
    *lend = (pool_lend_t){.struct_size = sizeof *lend, .resource = (void *)entry->word};
    if (entry->flags & AP_ENTRY_LEASED)
        lend->lease = *ap__lease_last(&st->registry, i);
    if (!ap__has_ages(st))
        return;
    const ap_record_t *r = ap__registry_record(&st->registry, i);
    lend->uses = r->uses;
    lend->tag = ap__tag_of(r->note);
    if (st->ages.timed) {
        lend->ms = ms_of(st->ages.clock - r->since);
        lend->thread = r->older;
    }
}

/* What the caller has room for. */
typedef struct room {
    char *lends;
    size_t stride;
    uint32_t n, total;
} room;

static void tell(const ap_state_t *st, uint32_t i, room *to)
{
    pool_lend_t known;
    if (to->total < to->n) {
        char *given = to->lends + to->total * to->stride;
        ap__lend_read(st, i, &known);
        ap__size_out(given, to->stride, &known, sizeof known);
        memcpy(given, &to->stride, sizeof to->stride);
    }
    to->total++;
}

/* Looks at a piece from *at on, under the lock, and moves on; false: that was the last. */
static bool look(const ap_state_t *st, uint32_t *at, room *to)
{
    const ap_registry_t *g = &st->registry;
    uint32_t number = *at >> AP_PAGE_BITS, first = *at & (AP_PAGE_SIZE - 1);
    if (number >= g->pages) /* it has shrunk */
        return false;
    const ap_page_t *page = number == 0 ? &g->first : &g->more[number - 1];
    uint32_t end = first + PIECE, fresh = page->entries ? page->fresh : 0;
    for (uint32_t i = first; i < end && i < fresh; i++)
        if (page->entries[i].state == AP_ENTRY_LENT)
            tell(st, number << AP_PAGE_BITS | i, to);
    *at = end < fresh ? *at + PIECE : (number + 1) << AP_PAGE_BITS;
    return *at >> AP_PAGE_BITS < g->pages;
}

uint32_t pool_lends(pool_t *pool, pool_lend_t *lends, uint32_t n)
{
    const char *function = "pool_lends";
    enum { FIRST = 48 }; /* up to tag */
    ap_pool_t *p = ap__pool_for(function, pool);
    if (!p)
        return 0;
    if (!lends && n > 0) {
        ap__fail(POOL_ERR_INVALID, function, "lends is NULL, and n is not 0");
        return 0;
    }
    if (n > 0 && !ap__size_is_one(lends->struct_size, FIRST)) {
        ap__fail(POOL_ERR_INVALID, function,
                 "struct_size of the first of lends is too small or no size at all: set it to sizeof(pool_lend_t)");
        return 0;
    }
    room to = {(char *)lends, n > 0 ? lends->struct_size : 0, n, 0};
    uint32_t at = 0;
    for (bool more = true; more;) {
        int64_t now = ap__now();
        ap__lock(p);
        if (ap__has_ages(&p->state))
            ap__tick(&p->state, now);
        more = look(&p->state, &at, &to);
        ap__unlock(p);
    }
    return to.total;
}
