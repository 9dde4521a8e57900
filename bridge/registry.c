/* Resources that are the same word, as the fast path sees them: pool/core/equal.go. */
#include "registry.h"

void ap__registry_go_out(ap_registry_t *g, uint32_t i)
{
    ap_entry_t *e = ap__registry_entry(g, i);
    ap_entry_t *group = ap__registry_entry(g, e->chain - 1);
    e->chain = group->link;
    e->link = 0;
    if (e->chain != 0)
        ap__registry_entry(g, e->chain - 1)->link = i + 1;
    group->link = i + 1;
}

/* Registry.twin, of a word that has a group. */
static uint32_t group_of(const ap_registry_t *g, uintptr_t word)
{
    uint32_t n = ap__registry_bucket(g, ap__registry_home(g, word));
    for (;;) {
        const ap_entry_t *e = ap__registry_entry(g, n - 1);
        if (e->word == word && e->state == AP_ENTRY_GROUP)
            return n - 1;
        n = e->chain;
    }
}

void ap__registry_come_in(ap_registry_t *g, uint32_t i)
{
    ap_entry_t *e = ap__registry_entry(g, i);
    uint32_t group = group_of(g, e->word);
    if (e->chain != 0)
        ap__registry_entry(g, e->chain - 1)->link = e->link;
    if (e->link != 0)
        ap__registry_entry(g, e->link - 1)->chain = e->chain;
    else
        ap__registry_entry(g, group)->link = e->chain;
    e->chain = group + 1;
}
