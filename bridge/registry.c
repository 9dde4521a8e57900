/* Resources that are the same word, as the fast path sees them: pool/core/equal.go. */
#include "registry.h"

void ap__registry_go_out(ap_registry_t *g, uint32_t i)
{
    ap_entry_t *e = ap__registry_entry(g, i);
    ap_entry_t *group = ap__registry_entry(g, e->chain - 1);
    uint32_t first = group->link;
    e->chain = 0;
    e->link = i + 1;
    if (first != 0) {
        ap_entry_t *f = ap__registry_entry(g, first - 1);
        e->link = f->link;
        f->link = i + 1;
        if (e->flags & AP_ENTRY_LEASED) {
            ap__registry_entry(g, e->link - 1)->chain = i + 1;
            return;
        }
        e->chain = first;
    }
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
    uint32_t *first = &ap__registry_entry(g, group)->link;
    if (*first == i + 1)
        *first = e->chain;
    else
        ap__registry_entry(g, e->link - 1)->chain = e->chain;
    if (e->chain != 0)
        ap__registry_entry(g, e->chain - 1)->link = e->link;
    else if (*first != 0) /* it was the last */
        ap__registry_entry(g, *first - 1)->link = e->link;
    e->chain = group + 1;
}
