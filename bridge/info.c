/* What a pool knows of a resource: pool_resource_info(). */
#include "ages.h"
#include "sizes.h"
#include "whose.h"

/* An entry of this word that is lent or inside a hook, and its number; NULL: there is none. What is the same word as
 * others, and not lent, is not in the index: their group stands for it. */
static const ap_entry_t *find(const ap_registry_t *g, void *resource, uint32_t *number, bool *unknown)
{
    const ap_entry_t *lent = ap__registry_lent(g, resource, number);
    *unknown = false;
    if (lent || g->count == 0)
        return lent;
    for (uint32_t n = ap__registry_bucket(g, ap__registry_home(g, (uintptr_t)resource)); n != 0;) {
        const ap_entry_t *e = ap__registry_entry(g, n - 1);
        if (e->word == (uintptr_t)resource && e->state == AP_ENTRY_HOOK) {
            *number = n - 1;
            return e;
        }
        *unknown = *unknown || (e->word == (uintptr_t)resource && e->state == AP_ENTRY_GROUP);
        n = e->chain;
    }
    return NULL;
}

/* Both ends of what was measured are cut off: what is told is never too much. */
static uint64_t ms_of(uint32_t ticks) { return ticks < 2 ? 0 : ((uint64_t)(ticks - 1) << AP_TICK_BITS) / 1000000; }

/* Under the lock. False: there is no such resource. */
static bool learn(ap_state_t *st, void *resource, pool_resource_info_t *info)
{
    uint32_t i;
    bool unknown;
    const ap_entry_t *entry = find(&st->registry, resource, &i, &unknown);
    if (!entry || !ap__has_ages(st))
        return entry || unknown;
    const ap_record_t *r = ap__registry_record(&st->registry, i);
    uint32_t idle = st->ages.clock - r->since;
    if (entry->state == AP_ENTRY_LENT)
        idle = entry->shared ? 0 : entry->link;
    info->age_ms = ms_of(st->ages.clock - r->born);
    info->idle_ms = ms_of(idle);
    info->uses = r->uses;
    info->tag = ap__tag_of(r->note);
    return true;
}

pool_status_t pool_resource_info(pool_t *pool, void *resource, pool_resource_info_t *info)
{
    const char *function = "pool_resource_info";
    enum { FIRST = 40 }; /* up to tag */
    pool_resource_info_t known = {.struct_size = sizeof known};
    AP_REFUSE_FORKED(function);
    ap_pool_t *p = ap__pool(pool);
    if (!p)
        return ap__fail(POOL_ERR_INVALID, function, "pool is NULL or no pool");
    if (!info)
        return ap__fail(POOL_ERR_INVALID, function, "info is NULL");
    if (!ap__size_is_one(info->struct_size, FIRST))
        return ap__fail(POOL_ERR_INVALID, function,
                        "info.struct_size is too small or no size at all: set it to sizeof(pool_resource_info_t)");
    int64_t now = ap__now();
    ap__lock(p);
    if (ap__has_ages(&p->state))
        ap__tick(&p->state, now);
    bool found = learn(&p->state, resource, &known);
    ap__unlock(p);
    if (!found)
        return ap__fail_op(POOL_ERR_NOT_OWNED, p->name, NULL);
    ap__size_out(info, info->struct_size, &known, sizeof known);
    return POOL_OK;
}
