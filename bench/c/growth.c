/* What one operation costs when there are many of what it works on.
 *
 *     growth WHAT SIZE SECONDS       prints {"ns": ...}
 *
 *     places   acquire and release by one thread, in a pool of SIZE idle resources
 *     join     an op enters a line of SIZE parked ops
 *     leave    an op, any one, leaves the line
 *     grant    a release hands its place to the first in line, who takes it
 *     list     leave, where the line is nothing but a doubly linked list of nodes as large as ops: what is left
 *              is what the memory needs
 *
 * Ops leave and are granted in groups, since reading the clock is not for nothing; the group joins again
 * before the next, so the line stays as long as it is. */
#include "../peers/bench.h"
#include <asyncpool/pool.h>

enum { GROUP = 16 };

static pool_t *pool;
static uintptr_t made;
static uint32_t size;
static int64_t spent[3]; /* ns */
enum { JOIN, LEAVE, GRANT };

static bool make_resource(pool_t *p, void **out)
{
    (void)p;
    *out = (void *)++made;
    return true;
}
static pool_t *new_pool(uint32_t places)
{
    pool_t *p = pool_create_internal(make_resource, NULL, NULL, NULL, NULL, places, places, 0);
    if (!p)
        DIE("pool setup failed");
    return p;
}
static void *acquire(void)
{
    void *r;
    if (pool_acquire(pool, &r, 0))
        DIE("acquire failed");
    return r;
}
static void give_back(void *r)
{
    if (pool_release(pool, r))
        DIE("release failed");
}

static double places(double seconds)
{
    int64_t begin = now_ns(), end = begin + (int64_t)(seconds * 1e9), now;
    uint64_t n = 0;
    do {
        for (int i = 0; i < 1000; i++)
            give_back(acquire());
        n += 1000;
        now = now_ns();
    } while (now < end);
    return (double)(now - begin) / (double)n;
}

static void park(pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    if (pool_op_acquire(pool, op, 0) || pool_op_next(op, NULL, &ask) != POOL_ASK_WAIT)
        DIE("an op did not park");
}
static void leave(pool_op_t *op)
{
    if (pool_op_cancel(op))
        DIE("an op did not leave");
}
static void *taken(pool_op_t *op)
{
    pool_ask_t ask = POOL_ASK_INIT;
    pool_answer_t answer = POOL_ANSWER_INIT;
    answer.ok = true;
    if (pool_op_next(op, &answer, &ask) != POOL_ASK_DONE || ask.status)
        DIE("an op was not granted the place");
    return ask.resource;
}

/* Chooses a group from anywhere; it moves to the end of the array, so all are different. */
static void **choose(void **line, uint64_t *rng)
{
    for (uint32_t i = 0; i < GROUP; i++) {
        *rng = *rng * 6364136223846793005u + 1442695040888963407u;
        uint32_t left = size - i, at = (uint32_t)((*rng >> 33) % left);
        void *chosen = line[at];
        line[at] = line[left - 1];
        line[left - 1] = chosen;
    }
    return line + size - GROUP;
}

/* Each of the group leaves; then all stand at the end of the line. */
static void leave_and_join(void **chosen)
{
    int64_t a = now_ns();
    for (int i = 0; i < GROUP; i++)
        leave(chosen[i]);
    int64_t b = now_ns();
    for (int i = 0; i < GROUP; i++)
        park(chosen[i]);
    spent[LEAVE] += b - a;
    spent[JOIN] += now_ns() - b;
}

/* The first of the line get the group's places and stand at the end of the line again. */
static void grant_and_join(pool_op_t *ops, uint32_t *first, void **lent)
{
    int64_t a = now_ns();
    for (int i = 0; i < GROUP; i++) {
        give_back(lent[i]);
        lent[i] = taken(&ops[(*first + (uint32_t)i) % size]);
    }
    spent[GRANT] += now_ns() - a;
    for (int i = 0; i < GROUP; i++)
        park(&ops[(*first + (uint32_t)i) % size]);
    *first = (*first + GROUP) % size;
}

static double in_line(int what, double seconds)
{
    void *lent[GROUP];
    for (int i = 0; i < GROUP; i++)
        lent[i] = acquire();
    pool_op_t *ops = calloc(size, sizeof *ops);
    void **line = malloc(size * sizeof *line);
    if (!ops || !line)
        DIE("out of memory");
    for (uint32_t i = 0; i < size; i++)
        park(line[i] = &ops[i]);

    uint32_t first = 0;
    uint64_t rng = 1, n = 0;
    for (int64_t end = now_ns() + (int64_t)(seconds * 1e9); now_ns() < end; n += GROUP) {
        if (what == GRANT)
            grant_and_join(ops, &first, lent);
        else
            leave_and_join(choose(line, &rng));
    }
    return (double)spent[what] / (double)n;
}

/* ---- a bare list ---- */

typedef struct node {
    struct node *prev, *next;
    char rest[sizeof(pool_op_t) - 2 * sizeof(struct node *)];
} node;

static void add(node *list, node *n)
{
    n->prev = list->prev;
    n->next = list;
    n->prev->next = n->next->prev = n;
}
static void drop(node *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
}

static double bare_list(double seconds)
{
    node list = {&list, &list, ""}, *nodes = calloc(size, sizeof *nodes);
    void **line = malloc(size * sizeof *line);
    if (!nodes || !line)
        DIE("out of memory");
    for (uint32_t i = 0; i < size; i++)
        add(&list, line[i] = &nodes[i]);

    uint64_t rng = 1, n = 0;
    for (int64_t end = now_ns() + (int64_t)(seconds * 1e9); now_ns() < end; n += GROUP) {
        void **chosen = choose(line, &rng);
        int64_t a = now_ns();
        for (int i = 0; i < GROUP; i++)
            drop(chosen[i]);
        spent[LEAVE] += now_ns() - a;
        for (int i = 0; i < GROUP; i++)
            add(&list, chosen[i]);
    }
    return (double)spent[LEAVE] / (double)n;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        DIE("usage: %s places|join|leave|grant|list SIZE SECONDS", argv[0]);
    const char *what = argv[1];
    size = (uint32_t)atoll(argv[2]);
    double seconds = atof(argv[3]), ns;
    bool is_places = !strcmp(what, "places");
    if (size < 1 || (!is_places && size < GROUP))
        DIE("SIZE is too small");
    pool = new_pool(is_places ? size : GROUP);
    if (is_places)
        ns = places(seconds);
    else if (!strcmp(what, "list"))
        ns = bare_list(seconds);
    else if (!strcmp(what, "join"))
        ns = in_line(JOIN, seconds);
    else if (!strcmp(what, "leave"))
        ns = in_line(LEAVE, seconds);
    else if (!strcmp(what, "grant"))
        ns = in_line(GRANT, seconds);
    else
        DIE("%s: what is that?", what);
    printf("{\"ns\":%.2f}\n", ns);
    return 0;
}
