/*
 * The state that C and Go both see, and the numbers that both use: ap_state_t is core.State, AP_GATE_X is core.GateX.
 *
 * Generated from pool/core by bridge/gen, comments included: change it there and run "go generate ./bridge". At the
 * end each member is compared with Go's. What drivers keep in an op for themselves is in own.h.
 */
#ifndef ASYNCPOOL_STATE_H
#define ASYNCPOOL_STATE_H

#include "../include/asyncpool/pool.h"
#include "own.h"

#include <stdatomic.h>

typedef struct ap_pool ap_pool_t;

/* Gate bits. While the gate is zero a driver may take and give back idle resources by itself. */
enum {
    AP_GATE_CLOSED = 1 << 0,       /* the pool is closed */
    AP_GATE_WAITERS = 1 << 1,      /* somebody waits without a grant */
    AP_GATE_RESERVED = 1 << 2,     /* a granted waiter has not taken its place yet */
    AP_GATE_ACQUIRE_HOOK = 1 << 3, /* before_acquire is asked for */
    AP_GATE_RELEASE_HOOK = 1 << 4, /* before_release is asked for */
    AP_GATE_BROKEN = 1 << 5,       /* the core met a defect in itself and answers POOL_ERR_INTERNAL from then on */
    AP_GATE_BREAKER = 1 << 6,      /* the circuit breaker is not active */
    AP_GATE_REPORTS = 1 << 7,      /* a release is reported to a strategy */
    AP_GATE_OBSERVED = 1 << 8,     /* the driver tells observers about free places; its own bit */
    AP_GATE_ABOVE = 1 << 9,        /* more exists than max_size: the pool has shrunk */
    AP_GATE_EVICTED = 1 << 10,     /* something exists that is not to be lent again */
    AP_GATE_DRAINING = 1 << 11,    /* newcomers are sent away, and who waits is still served */
    AP_GATE_PUTS_OFF = 1 << 12,    /* creations are put off: places may be free while somebody waits */
    AP_GATE_LIFO = 1 << 13,        /* what came back last is lent first */
    AP_GATE_AGES = 1 << 14,        /* resources have ages, which may be up */
    AP_GATE_MIN_IDLE = 1 << 15,    /* so many are kept idle */
    AP_GATE_LACKS = 1 << 16        /* fewer are, and one more may be made */
};

/* Options of a pool: a number space of their own. */
enum { AP_OPTION_LIFO = 1 << 0 };

/* The states of an entry. */
enum {
    AP_ENTRY_FREE = 0,
    AP_ENTRY_IDLE = 1, /* in the queue of the idle, or bound to who was promised it */
    AP_ENTRY_LENT = 2, /* held by a caller */
    AP_ENTRY_HOOK = 3, /* in an op: a hook runs on it, or it is being destroyed */
    AP_ENTRY_GROUP = 4 /* no resource: it stands for those that are one word, see equal.go */
};

/* Flags of a lent entry, and of an idle one. */
enum {
    AP_ENTRY_PROBE = 1 << 0,  /* lent as a probe of the breaker's term of that time */
    AP_ENTRY_STALE = 1 << 1,  /* its place was taken before the breaker last opened */
    AP_ENTRY_DATED = 1 << 2,  /* idle: a pass has seen it, and has noted since when it is idle */
    AP_ENTRY_LEASED = 1 << 3, /* lent by lease, see lease.go */
    AP_ENTRY_TOLD = 1 << 4    /* lent for too long, as has been told */
};

/* The kinds of ops. */
enum {
    AP_KIND_ACQUIRE = 0,
    AP_KIND_TRY = 1,
    AP_KIND_RELEASE = 2,
    AP_KIND_CLOSE = 3,
    AP_KIND_FILL = 4,
    AP_KIND_SWEEP = 5,
    AP_KIND_DISCARD = 6,
    AP_KIND_DETACH = 7,
    AP_KIND_RESIZE = 8,
    AP_KIND_EVICT = 9,
    AP_KIND_DRAIN = 10,
    AP_KIND_BEHIND = 11,
    AP_KIND_TRIM = 12
};

/* The steps of an op. */
enum {
    AP_STEP_BEGIN = 0,          /* nothing asked yet */
    AP_STEP_SHOULD_RECOVER = 1, /* the breaker is open: may this caller be a probe? */
    AP_STEP_WAIT = 2,           /* in line, or granted and not yet back; a drain: until the pool is empty */
    AP_STEP_CREATE = 3,         /* a resource is being made; its place is active */
    AP_STEP_CHECK_OUT = 4,      /* before_acquire runs on an idle resource, which is active for it */
    /* it was refused, or has to make room, and is being destroyed; the op keeps the place */
    AP_STEP_REJECT = 5,
    AP_STEP_UNWANTED = 6,       /* it was made for a pool that closed meanwhile and is being destroyed */
    AP_STEP_CHECK_IN = 7,       /* before_release runs on a returned resource */
    AP_STEP_REPORT_SUCCESS = 8, /* it passed, and the strategy hears of it */
    AP_STEP_REPORT_FAILURE = 9, /* it did not */
    AP_STEP_REMOVE = 10,        /* it is not kept and is being destroyed */
    AP_STEP_PURGE = 11,         /* an idle resource that is not kept is being destroyed */
    AP_STEP_CHECK_UP = 12,      /* a sweep checks an idle resource, which is active for it */
    AP_STEP_BURY = 13,          /* it was found dead and is being destroyed */
    AP_STEP_LEAKED = 14,        /* a sweep tells of a lend that lasts for too long */
    /* a sweep has looked at many, and lets others have the lock: not done, and nothing is asked */
    AP_STEP_PAUSE = 15,
    AP_STEP_DONE = 16           /* finished: status says how */
};

/* Flags of an op: a number space of their own, of 32 bits. */
enum {
    AP_FLAG_RESERVED = 1 << 0,  /* holds a reservation */
    AP_FLAG_CANCELLED = 1 << 1, /* its driver leaves; only destructions are still asked for */
    AP_FLAG_UNASKED = 1 << 2,   /* the ask of step has not been told to the driver yet */
    AP_FLAG_PROBE = 1 << 3,     /* has a probe slot of the breaker's present term */
    AP_FLAG_GOES_ON = 1 << 4,   /* a sweep that goes on with a pass: pass and visits are set */
    /* a sweep that makes no more: its factory failed, or creations are put off; behind: nobody is there to make it */
    AP_FLAG_NO_REFILL = 1 << 5,
    AP_FLAG_STALE = 1 << 6,     /* a release of what was lent before the breaker last opened */
    AP_FLAG_BOUND = 1 << 7,     /* was promised the resource of entry, too */
    AP_FLAG_CALLED = 1 << 8,    /* is first in line, and shall look when to come back; it has not yet */
    AP_FLAG_LATE = 1 << 9,      /* its driver cancels it because its time is up: it counts so */
    AP_FLAG_LEFT = 1 << 10,     /* its caller has left, and is counted: it is no lend */
    AP_FLAG_FIRST = 1 << 11,    /* had a place before it stood in line for the first time */
    AP_FLAG_DENIED = 1 << 12,   /* in line no more, since what was to be made for it failed: status says how */
    AP_FLAG_MADE = 1 << 13      /* what it was promised has just been made, and is lent unseen */
};

/* The reasons. */
enum {
    AP_WHY_REJECTED = 0,  /* by before_acquire */
    AP_WHY_REFUSED = 1,   /* by before_release */
    AP_WHY_DEAD = 2,      /* by the healthcheck */
    AP_WHY_LIFETIME = 3,  /* it was too old */
    AP_WHY_IDLE = 4,      /* it was idle for too long */
    AP_WHY_USES = 5,      /* it was used up */
    AP_WHY_EVICTED = 6,   /* it existed when an evict began */
    AP_WHY_DISCARDED = 7, /* by who held it */
    AP_WHY_SHRUNK = 8,    /* there was no place for it any more, or for what a probe has to make */
    AP_WHY_CLOSED = 9,    /* the pool was closed, or drained */
    AP_WHY_DETACHED = 10  /* it was not destroyed, and is its holder's */
};

/* Which list an op is in: at most one. */
enum {
    AP_LIST_NONE = 0,
    AP_LIST_WAITERS = 1,
    AP_LIST_READY = 2,
    AP_LIST_WOKEN = 3,
    AP_LIST_DRAINS = 4
};

/* AP_PAGE_BITS are the bits of a number that say where in its page something is. */
enum { AP_PAGE_BITS = 12 };

enum { AP_PAGE_SIZE = 4096 };

/*
 * AP_TICK_BITS are the bits of a time in nanoseconds that are less than a tick, which is 4.2 ms. A clock of 32 bits
 * goes round in 208 days, several times the longest limit.
 */
enum { AP_TICK_BITS = 22 };

/* AP_LEASES_OF_ENTRY is how many leases of one entry a block is for. */
enum { AP_LEASES_OF_ENTRY = 1 << 16 };

/* What an acquire wants of leases. */
enum {
    AP_LEASE_TOLD = 1,  /* its lend has an id, if there is memory for it; else it is by word */
    AP_LEASE_WANTED = 2 /* its lend has an id */
};

/* AP_NEVER is the deadline of an op that waits for ever. */
#define AP_NEVER INT64_MAX

/*
 * ap_idle_t is the queue of the idle resources that nobody was promised, as entries, oldest first: linked through the
 * entries themselves, so it needs no memory of its own and no room to be made.
 */
typedef struct ap_idle {
    union {
        struct {
            uint32_t head;  /* the oldest, if there is one */
            uint32_t taken; /* how many left; in ap_state_t.queue since it was 0, see stats.go */
        };
        uint64_t first;     /* all of that at once, see ap__pair() */
    };
    union {
        struct {
            uint32_t tail;  /* the youngest */
            uint32_t put;   /* how many came; in ap_state_t.queue less ap_state_t.spare */
        };
        uint64_t last;      /* all of that at once, see ap__pair() */
    };
} ap_idle_t;

/*
 * ap_entry_t is one live resource, from its creation to its destruction. What a field means depends on the state, so
 * that a resource costs 24 bytes. "+1" is a number whose 0 means none.
 */
typedef struct ap_entry {
    uintptr_t word;
    /* the next of its bucket +1; one that shares its word: its group +1, while lent the next lent one +1 */
    uint32_t chain;
    /*
     * free: next free one +1; idle: next younger; lent and sharing: lent one before +1, of the first the last, and
     * otherwise, where there are ages, the ticks for which it had been idle; group: first lent +1
     */
    uint32_t link;
    union {
        struct {
            /* idle: passes begun when it became so; lent: the breaker's term at that time; group: members */
            uint32_t mark;
            uint8_t state; /* AP_ENTRY_X */
            /* lent: AP_ENTRY_PROBE, AP_ENTRY_STALE, AP_ENTRY_LEASED, AP_ENTRY_TOLD; idle: AP_ENTRY_DATED */
            uint8_t flags;
            bool shared;   /* it is one of several that are the same word */
            uint8_t label; /* it is evicted unless this is ap_state_t.label */
        };
        uint64_t standing; /* all of that at once, see ap__pair() */
    };
} ap_entry_t;

/* ap_page_t is what is known of a page of entries; without entries it is a hole. */
typedef struct ap_page {
    ap_entry_t *entries;
    uint32_t cap;   /* entries there is room for */
    uint32_t fresh; /* those below it have been used */
    uint32_t free;  /* first free one of them +1, as numbered in the registry */
    uint32_t used;
    uint32_t next;  /* the next page with room +1; of a hole: the next hole +1 */
    uint32_t prev;  /* the one before +1 */
} ap_page_t;

/* ap_leases_t is what a pool knows of the ids that it gives. */
typedef struct ap_leases {
    uint64_t *first;   /* the last id of each entry of the first page; nil: nothing there was lent by lease */
    uint64_t **more;   /* the same of the pages after the first */
    uint32_t more_cap; /* places in more */
    /* a power of two, more than the numbers of entries that are in the block; 0: there was none yet */
    uint64_t step;
    uint64_t base;     /* the first id of the block, a multiple of step */
    /* an id that is less than so much beyond base has a next one in the block; 0: there is no block */
    uint64_t room;
} ap_leases_t;

/*
 * ap_registry_t knows every live resource: pages of entries (pages.go), and an index from the word of a resource to its
 * entry (index.go). One word may have several entries: a factory may return the same word twice.
 *
 * Nothing in it is ever done in proportion to how much it holds: entries stay where they are and the index grows by a
 * bucket or two for each word that comes. So a step takes as long with two million entries as with two thousand, and
 * nobody who waits for the lock meets a growth.
 */
typedef struct ap_registry {
    ap_page_t first;           /* entries 0 to AP_PAGE_SIZE-1; fewer in a small pool */
    uint32_t *buckets;         /* the same of the index: first entry of each bucket +1 */
    uint64_t seed[2];
    uint32_t mask;             /* the smallest 2^n-1 that is no bucket less than the last */
    uint32_t count;            /* buckets in use */
    ap_page_t *more;           /* the pages after the first */
    uint32_t **more_buckets;   /* and of the index */
    uint32_t more_cap;         /* places in more */
    uint32_t more_buckets_cap; /* places in more_buckets */
    uint32_t pages;            /* pages that there are, or have been: numbers below it are a page or a hole */
    uint32_t hole;             /* first number without a page +1 */
    uint32_t roomy;            /* first page with room +1 */
    uint32_t cap;              /* entries there is room for */
    uint32_t used;             /* of them, groups included */
    uint32_t live;             /* resources */
    /* in the chains of the index: words, but for a few that have more than one entry there */
    uint32_t words;
    uint32_t room;             /* buckets there is room for */
    bool records;              /* each entry has a record, constant */
    ap_leases_t leases;
} ap_registry_t;

/* ap_op_t is one operation: the driver's memory, at one address until AP_STEP_DONE. */
typedef struct ap_op {
    struct ap_op *next;    /* links of the list it is in */
    struct ap_op *prev;
    ap_pool_t *pool;       /* the driver's, nothing to the core */
    int64_t deadline;      /* monotonic ns, or AP_NEVER */
    uintptr_t resource;    /* what it is about, or got */
    uint64_t ticket;       /* its number in line, 0 while it never waited */
    uint64_t turn;         /* the number of its grant, 0 without one */
    uint32_t entry;        /* registry entry of resource, while it has one, or of what it was promised */
    _Atomic uint32_t wake; /* the driver's: 0 when the op joins the line, set by whoever wakes it */
    int32_t status;        /* of AP_STEP_DONE: how it ended */
    uint8_t kind;          /* AP_KIND_X */
    uint8_t step;          /* AP_STEP_X */
    uint8_t list;          /* AP_LIST_X: which list it is in */
    uint8_t why;           /* while its resource is destroyed: why */
    uint32_t magic;        /* the driver's, nothing to the core */
    uint32_t term;         /* the breaker's term in which it got its probe slot */
    uint32_t epoch;        /* openings of the breaker when it took its place */
    /* sweep: idle resources still to look at; resize: the new MinSize; trim: how many are kept idle */
    uint32_t visits;
    uint32_t pass;         /* sweep: its number; resize: the new MaxSize; trim: how many it may destroy yet */
    uint32_t flags;        /* AP_FLAG_X bits */
    struct ap_op *later;   /* links of ap_state_t.bound or ap_state_t.owed */
    struct ap_op *earlier;
    int64_t until;         /* while it waits: when it comes back by itself, at its deadline or before */
    /* while it waits: the plan of the built-in strategy after which it looks, 0: none; sweep: see leaks.go */
    uint32_t plan;
    uint32_t evicts;       /* while it has something made: the evicts begun before */
    uint32_t round;        /* while it has something made: the pauses begun before */
    uint32_t by_lease;     /* AP_LEASE_X; not 0, of who gives back: what lease says comes back, whatever resource is */
    ap_op_own_t own;       /* the driver's, nothing to the core */
    uint64_t lease;        /* with by_lease: the id of the lend that it got, or gives back */
    uint64_t room[3];      /* for what ops will need */
    void *data;            /* the host's */
} __attribute__((may_alias)) ap_op_t;

/*
 * ap_list_t is a queue of ops linked through themselves: joining, leaving from the middle and popping cost the same
 * however long it is, and allocate nothing.
 */
typedef struct ap_list {
    ap_op_t *head;
    ap_op_t *tail;
} ap_list_t;

/*
 * ap_reservations_t is a queue of ops that were promised a place, in the order of their promises. Its links are not
 * those of ap_list_t: such an op may be in one of those lists, too, until it has come.
 */
typedef struct ap_reservations {
    ap_op_t *head;
    ap_op_t *tail;
} ap_reservations_t;

/*
 * ap_breaker_t is the circuit breaker of a pool: whether the service behind it is believed to work.
 *
 * POOL_CIRCUIT_RECOVERING lends at most limit resources at once, as probes. A slot belongs to a term, which ends with
 * every change of state: what was lent in another term neither fills nor frees a slot of this one. A resource that is
 * out remembers the term in which it was lent, so nobody need be told when one ends.
 */
typedef struct ap_breaker {
    uint32_t circuit; /* POOL_CIRCUIT_ACTIVE, POOL_CIRCUIT_INACTIVE or POOL_CIRCUIT_RECOVERING */
    uint32_t limit;   /* probes at once while recovering */
    uint32_t probes;  /* slots taken in this term */
    uint32_t epoch;   /* openings */
    uint32_t opened;  /* the term in which it last opened; it began with it */
    /*
     * The built-in strategy, while failures is not 0: opens after failures in a row, probes open_for nanoseconds later,
     * closes after successes in a row.
     */
    uint32_t failures;
    uint32_t successes;
    uint32_t count;   /* in a row, of what the state counts */
    uint32_t plan;    /* its number, from 1; wraps */
    uint32_t counts;  /* POOL_COUNT_X bits: of what it counts the failures, and the successes */
    int64_t open_for;
    int64_t since;    /* when the state, or the term, began */
} ap_breaker_t;

/* ap_patience_t is what a pool does about creations that fail. */
typedef struct ap_patience {
    int64_t retry;   /* the first pause in ns, constant; 0: a creation that fails fails its caller */
    int64_t longest; /* a pause at most, constant */
    int64_t pause;   /* the last pause before its jitter; 0: the last creation has not failed */
    int64_t until;   /* when the pause is over; 0: nothing is put off */
    uint64_t random; /* the generator of the jitter; 0: there is none */
    uint32_t round;  /* pauses begun; wraps */
    uint32_t making; /* creations under way */
    uint32_t over;   /* 1: the pause is over, and a creation may begin behind */
    uint32_t spare;
} ap_patience_t;

/* ap_counts_t is what has happened in a pool. */
typedef struct ap_counts {
    uint64_t lends;    /* resources handed out, but for those that the queue has counted */
    uint64_t waited;   /* lends to callers who had stood in line */
    uint64_t timeouts; /* acquires that ended so */
    uint64_t unavailable;
    uint64_t overloaded;
    uint64_t cancelled;
    uint64_t created;  /* creations that succeeded */
    uint64_t failed;   /* creations that did not */
    uint64_t leaked;   /* lends that lasted for too long */
    uint64_t gone[11]; /* resources that the pool has no more, by AP_WHY_X */
} ap_counts_t;

/* ap_ages_t is how long the resources of a pool may live, and what time it is. */
typedef struct ap_ages {
    uint32_t clock;        /* ticks; wraps */
    uint32_t lifetime;     /* ticks after which a resource is not lent again */
    uint32_t jitter;       /* each one's own lifetime is shorter by a part of this */
    uint32_t max_uses;     /* lends after which it is not lent again */
    /* idle ticks after which it goes, while there are more than MinSize, and more than MinIdle are idle */
    uint32_t idle_timeout;
    uint32_t check_after;  /* before_acquire is asked about what was idle for so many ticks */
    uint32_t timed;        /* 1: it is known since when a resource is lent, and who has it */
    uint32_t leak_after;   /* ticks after which a lend is told as leaked; lends are timed then */
    /* who is lent something now, and what more is to be known of that lend: the driver says both before */
    uint32_t thread;
    uint64_t note;         /* each step, and finds them in the record; they mean nothing to the core */
} ap_ages_t;

/*
 * ap_state_t is the hot state of one pool, seen by Go and C.
 *
 * What an acquire and a release touch comes first: with the driver's lock before it, it fills one cache line.
 */
typedef struct ap_state {
    uint32_t gate;           /* AP_GATE_X bits, kept by regate */
    uint32_t max_size;       /* places; while AP_GATE_ABOVE is set more are in use */
    union {
        struct {
            uint32_t idle;   /* resources in the queue, and those that are bound */
            uint32_t active; /* lent, being made, in a hook, or being destroyed */
        };
        uint64_t resources;  /* all of that at once, see ap__pair() */
    };
    uint32_t reserved;       /* places promised and not yet taken */
    uint32_t waiting;        /* ops in waiters */
    ap_idle_t queue;
    uint32_t passes;         /* sweeps begun; wraps */
    uint32_t term;           /* changes of the breaker's state, and of its probes; wraps */
    ap_registry_t registry;
    ap_list_t ready;         /* ops that the driver has yet to wake */
    ap_list_t waiters;       /* ops without a grant, oldest first */
    ap_list_t drains;        /* ops that wait for the pool to be empty */
    ap_list_t woken;         /* ops of a host that asks which ones can go on; filled by the driver */
    ap_reservations_t bound; /* ops that were promised a place and a resource */
    ap_reservations_t owed;  /* ops that were promised a place while nothing was idle */
    uint64_t tickets;        /* given to ops that had to wait */
    uint64_t turns;          /* given to ops that were granted a place */
    uint32_t asks;           /* POOL_ASKS_X bits; the driver changes those of the strategy */
    uint32_t min_size;       /* resources made up front, and by passes */
    uint32_t ops;            /* ops begun and not done */
    uint32_t purges;         /* idle resources that are being destroyed by closes, resizes and evicts */
    ap_breaker_t breaker;
    void *spent;             /* the driver's: memory to be freed after its lock */
    ap_patience_t patience;
    ap_op_t *called;         /* the first in line, if the driver has yet to have it look: it stays in line */
    uint32_t going;          /* of active, resources that are being destroyed, and give their place up */
    uint32_t evicted;        /* resources that are not to be lent again */
    ap_idle_t doomed;        /* of them, those that are idle and that nobody was promised */
    uint32_t evicts;         /* evicts begun; wraps */
    uint32_t label;          /* of what was made since the last one; of everything, before the first */
    uint32_t scanned;        /* the page that the next evict begins to relabel with */
    uint32_t max_waiting;    /* ops in waiters at most, constant; 0: any number */
    /* of the queue, what was never in use beside all that is; not in Queue.Put, see stats.go */
    uint32_t spare;
    uint32_t peak_active;    /* the most of active, ever */
    uint32_t peak_waiting;   /* the most of waiting */
    ap_counts_t counts;
    uint32_t options;        /* AP_OPTION_X bits, constant */
    /* with AP_OPTION_LIFO: the youngest idle one that the present pass has seen +1, see lifo.go */
    uint32_t seen;
    ap_ages_t ages;
    uint32_t glances;        /* at how many idle ones a pass looks without a pause, 0: as many as are good; constant */
    uint32_t min_idle;       /* resources that passes keep idle, constant; 0: none */
    uint32_t ahead;          /* resources that fills and passes are making or checking, and that will be idle */
    uint32_t prompt;         /* 1: a pass shall begin at once; the driver takes it back */
    uint32_t behind;         /* constant; 1: acquires have nothing made, ops of AP_KIND_BEHIND do */
    uint32_t makers;         /* of those, ops that make a resource, or room for one */
} ap_state_t;

/* ap_record_t is what some pools keep of a resource beside its entry: see pages.go. Times are ticks, see ages.go. */
typedef struct ap_record {
    uint64_t note;  /* when it was lent: ap_ages_t.note of that moment */
    uint32_t born;  /* when it was made */
    uint32_t uses;  /* lends, and stays at the largest number there is */
    uint32_t since; /* when it was lent, or came back */
    uint32_t older; /* idle, with AP_OPTION_LIFO: the next older one +1; lent: ap_ages_t.thread of that moment */
} ap_record_t;

/* Where a member is in Go, and how large. */
#define AP_IS_AT(type, member, offset, size)                                                                           \
    _Static_assert(offsetof(type, member) == (offset) && sizeof(((type *)0)->member) == (size),                        \
                   #type "." #member " is not where Go has it, or not as large")

_Static_assert(sizeof(ap_idle_t) == 16, "it is not as large as core.Idle");
AP_IS_AT(ap_idle_t, head, 0, 4);
AP_IS_AT(ap_idle_t, taken, 4, 4);
AP_IS_AT(ap_idle_t, tail, 8, 4);
AP_IS_AT(ap_idle_t, put, 12, 4);

_Static_assert(sizeof(ap_entry_t) == 24, "it is not as large as core.Entry");
AP_IS_AT(ap_entry_t, word, 0, 8);
AP_IS_AT(ap_entry_t, chain, 8, 4);
AP_IS_AT(ap_entry_t, link, 12, 4);
AP_IS_AT(ap_entry_t, mark, 16, 4);
AP_IS_AT(ap_entry_t, state, 20, 1);
AP_IS_AT(ap_entry_t, flags, 21, 1);
AP_IS_AT(ap_entry_t, shared, 22, 1);
AP_IS_AT(ap_entry_t, label, 23, 1);

_Static_assert(sizeof(ap_page_t) == 32, "it is not as large as core.Page");
AP_IS_AT(ap_page_t, entries, 0, 8);
AP_IS_AT(ap_page_t, cap, 8, 4);
AP_IS_AT(ap_page_t, fresh, 12, 4);
AP_IS_AT(ap_page_t, free, 16, 4);
AP_IS_AT(ap_page_t, used, 20, 4);
AP_IS_AT(ap_page_t, next, 24, 4);
AP_IS_AT(ap_page_t, prev, 28, 4);

_Static_assert(sizeof(ap_leases_t) == 48, "it is not as large as core.Leases");
AP_IS_AT(ap_leases_t, first, 0, 8);
AP_IS_AT(ap_leases_t, more, 8, 8);
AP_IS_AT(ap_leases_t, more_cap, 16, 4);
AP_IS_AT(ap_leases_t, step, 24, 8);
AP_IS_AT(ap_leases_t, base, 32, 8);
AP_IS_AT(ap_leases_t, room, 40, 8);

_Static_assert(sizeof(ap_registry_t) == 176, "it is not as large as core.Registry");
AP_IS_AT(ap_registry_t, first, 0, 32);
AP_IS_AT(ap_registry_t, buckets, 32, 8);
AP_IS_AT(ap_registry_t, seed, 40, 16);
AP_IS_AT(ap_registry_t, mask, 56, 4);
AP_IS_AT(ap_registry_t, count, 60, 4);
AP_IS_AT(ap_registry_t, more, 64, 8);
AP_IS_AT(ap_registry_t, more_buckets, 72, 8);
AP_IS_AT(ap_registry_t, more_cap, 80, 4);
AP_IS_AT(ap_registry_t, more_buckets_cap, 84, 4);
AP_IS_AT(ap_registry_t, pages, 88, 4);
AP_IS_AT(ap_registry_t, hole, 92, 4);
AP_IS_AT(ap_registry_t, roomy, 96, 4);
AP_IS_AT(ap_registry_t, cap, 100, 4);
AP_IS_AT(ap_registry_t, used, 104, 4);
AP_IS_AT(ap_registry_t, live, 108, 4);
AP_IS_AT(ap_registry_t, words, 112, 4);
AP_IS_AT(ap_registry_t, room, 116, 4);
AP_IS_AT(ap_registry_t, records, 120, 1);
AP_IS_AT(ap_registry_t, leases, 128, 48);

_Static_assert(sizeof(ap_op_t) == 256, "it is not as large as core.Op");
AP_IS_AT(ap_op_t, next, 0, 8);
AP_IS_AT(ap_op_t, prev, 8, 8);
AP_IS_AT(ap_op_t, pool, 16, 8);
AP_IS_AT(ap_op_t, deadline, 24, 8);
AP_IS_AT(ap_op_t, resource, 32, 8);
AP_IS_AT(ap_op_t, ticket, 40, 8);
AP_IS_AT(ap_op_t, turn, 48, 8);
AP_IS_AT(ap_op_t, entry, 56, 4);
AP_IS_AT(ap_op_t, wake, 60, 4);
AP_IS_AT(ap_op_t, status, 64, 4);
AP_IS_AT(ap_op_t, kind, 68, 1);
AP_IS_AT(ap_op_t, step, 69, 1);
AP_IS_AT(ap_op_t, list, 70, 1);
AP_IS_AT(ap_op_t, why, 71, 1);
AP_IS_AT(ap_op_t, magic, 72, 4);
AP_IS_AT(ap_op_t, term, 76, 4);
AP_IS_AT(ap_op_t, epoch, 80, 4);
AP_IS_AT(ap_op_t, visits, 84, 4);
AP_IS_AT(ap_op_t, pass, 88, 4);
AP_IS_AT(ap_op_t, flags, 92, 4);
AP_IS_AT(ap_op_t, later, 96, 8);
AP_IS_AT(ap_op_t, earlier, 104, 8);
AP_IS_AT(ap_op_t, until, 112, 8);
AP_IS_AT(ap_op_t, plan, 120, 4);
AP_IS_AT(ap_op_t, evicts, 124, 4);
AP_IS_AT(ap_op_t, round, 128, 4);
AP_IS_AT(ap_op_t, by_lease, 132, 4);
AP_IS_AT(ap_op_t, own, 136, 80);
AP_IS_AT(ap_op_t, lease, 216, 8);
AP_IS_AT(ap_op_t, room, 224, 24);
AP_IS_AT(ap_op_t, data, 248, 8);

_Static_assert(sizeof(ap_list_t) == 16, "it is not as large as core.List");
AP_IS_AT(ap_list_t, head, 0, 8);
AP_IS_AT(ap_list_t, tail, 8, 8);

_Static_assert(sizeof(ap_reservations_t) == 16, "it is not as large as core.Reservations");
AP_IS_AT(ap_reservations_t, head, 0, 8);
AP_IS_AT(ap_reservations_t, tail, 8, 8);

_Static_assert(sizeof(ap_breaker_t) == 56, "it is not as large as core.Breaker");
AP_IS_AT(ap_breaker_t, circuit, 0, 4);
AP_IS_AT(ap_breaker_t, limit, 4, 4);
AP_IS_AT(ap_breaker_t, probes, 8, 4);
AP_IS_AT(ap_breaker_t, epoch, 12, 4);
AP_IS_AT(ap_breaker_t, opened, 16, 4);
AP_IS_AT(ap_breaker_t, failures, 20, 4);
AP_IS_AT(ap_breaker_t, successes, 24, 4);
AP_IS_AT(ap_breaker_t, count, 28, 4);
AP_IS_AT(ap_breaker_t, plan, 32, 4);
AP_IS_AT(ap_breaker_t, counts, 36, 4);
AP_IS_AT(ap_breaker_t, open_for, 40, 8);
AP_IS_AT(ap_breaker_t, since, 48, 8);

_Static_assert(sizeof(ap_patience_t) == 56, "it is not as large as core.Patience");
AP_IS_AT(ap_patience_t, retry, 0, 8);
AP_IS_AT(ap_patience_t, longest, 8, 8);
AP_IS_AT(ap_patience_t, pause, 16, 8);
AP_IS_AT(ap_patience_t, until, 24, 8);
AP_IS_AT(ap_patience_t, random, 32, 8);
AP_IS_AT(ap_patience_t, round, 40, 4);
AP_IS_AT(ap_patience_t, making, 44, 4);
AP_IS_AT(ap_patience_t, over, 48, 4);
AP_IS_AT(ap_patience_t, spare, 52, 4);

_Static_assert(sizeof(ap_counts_t) == 160, "it is not as large as core.Counts");
AP_IS_AT(ap_counts_t, lends, 0, 8);
AP_IS_AT(ap_counts_t, waited, 8, 8);
AP_IS_AT(ap_counts_t, timeouts, 16, 8);
AP_IS_AT(ap_counts_t, unavailable, 24, 8);
AP_IS_AT(ap_counts_t, overloaded, 32, 8);
AP_IS_AT(ap_counts_t, cancelled, 40, 8);
AP_IS_AT(ap_counts_t, created, 48, 8);
AP_IS_AT(ap_counts_t, failed, 56, 8);
AP_IS_AT(ap_counts_t, leaked, 64, 8);
AP_IS_AT(ap_counts_t, gone, 72, 88);

_Static_assert(sizeof(ap_ages_t) == 48, "it is not as large as core.Ages");
AP_IS_AT(ap_ages_t, clock, 0, 4);
AP_IS_AT(ap_ages_t, lifetime, 4, 4);
AP_IS_AT(ap_ages_t, jitter, 8, 4);
AP_IS_AT(ap_ages_t, max_uses, 12, 4);
AP_IS_AT(ap_ages_t, idle_timeout, 16, 4);
AP_IS_AT(ap_ages_t, check_after, 20, 4);
AP_IS_AT(ap_ages_t, timed, 24, 4);
AP_IS_AT(ap_ages_t, leak_after, 28, 4);
AP_IS_AT(ap_ages_t, thread, 32, 4);
AP_IS_AT(ap_ages_t, note, 40, 8);

_Static_assert(sizeof(ap_state_t) == 776, "it is not as large as core.State");
AP_IS_AT(ap_state_t, gate, 0, 4);
AP_IS_AT(ap_state_t, max_size, 4, 4);
AP_IS_AT(ap_state_t, idle, 8, 4);
AP_IS_AT(ap_state_t, active, 12, 4);
AP_IS_AT(ap_state_t, reserved, 16, 4);
AP_IS_AT(ap_state_t, waiting, 20, 4);
AP_IS_AT(ap_state_t, queue, 24, 16);
AP_IS_AT(ap_state_t, passes, 40, 4);
AP_IS_AT(ap_state_t, term, 44, 4);
AP_IS_AT(ap_state_t, registry, 48, 176);
AP_IS_AT(ap_state_t, ready, 224, 16);
AP_IS_AT(ap_state_t, waiters, 240, 16);
AP_IS_AT(ap_state_t, drains, 256, 16);
AP_IS_AT(ap_state_t, woken, 272, 16);
AP_IS_AT(ap_state_t, bound, 288, 16);
AP_IS_AT(ap_state_t, owed, 304, 16);
AP_IS_AT(ap_state_t, tickets, 320, 8);
AP_IS_AT(ap_state_t, turns, 328, 8);
AP_IS_AT(ap_state_t, asks, 336, 4);
AP_IS_AT(ap_state_t, min_size, 340, 4);
AP_IS_AT(ap_state_t, ops, 344, 4);
AP_IS_AT(ap_state_t, purges, 348, 4);
AP_IS_AT(ap_state_t, breaker, 352, 56);
AP_IS_AT(ap_state_t, spent, 408, 8);
AP_IS_AT(ap_state_t, patience, 416, 56);
AP_IS_AT(ap_state_t, called, 472, 8);
AP_IS_AT(ap_state_t, going, 480, 4);
AP_IS_AT(ap_state_t, evicted, 484, 4);
AP_IS_AT(ap_state_t, doomed, 488, 16);
AP_IS_AT(ap_state_t, evicts, 504, 4);
AP_IS_AT(ap_state_t, label, 508, 4);
AP_IS_AT(ap_state_t, scanned, 512, 4);
AP_IS_AT(ap_state_t, max_waiting, 516, 4);
AP_IS_AT(ap_state_t, spare, 520, 4);
AP_IS_AT(ap_state_t, peak_active, 524, 4);
AP_IS_AT(ap_state_t, peak_waiting, 528, 4);
AP_IS_AT(ap_state_t, counts, 536, 160);
AP_IS_AT(ap_state_t, options, 696, 4);
AP_IS_AT(ap_state_t, seen, 700, 4);
AP_IS_AT(ap_state_t, ages, 704, 48);
AP_IS_AT(ap_state_t, glances, 752, 4);
AP_IS_AT(ap_state_t, min_idle, 756, 4);
AP_IS_AT(ap_state_t, ahead, 760, 4);
AP_IS_AT(ap_state_t, prompt, 764, 4);
AP_IS_AT(ap_state_t, behind, 768, 4);
AP_IS_AT(ap_state_t, makers, 772, 4);

_Static_assert(sizeof(ap_record_t) == 24, "it is not as large as core.Record");
AP_IS_AT(ap_record_t, note, 0, 8);
AP_IS_AT(ap_record_t, born, 8, 4);
AP_IS_AT(ap_record_t, uses, 12, 4);
AP_IS_AT(ap_record_t, since, 16, 4);
AP_IS_AT(ap_record_t, older, 20, 4);

_Static_assert(sizeof(pool_ask_t) >= 64, "it is smaller than core.Ask");
AP_IS_AT(pool_ask_t, struct_size, 0, 8);
AP_IS_AT(pool_ask_t, kind, 8, 4);
AP_IS_AT(pool_ask_t, status, 12, 4);
AP_IS_AT(pool_ask_t, resource, 16, 8);
AP_IS_AT(pool_ask_t, until_ns, 24, 8);
AP_IS_AT(pool_ask_t, ticket, 32, 8);
AP_IS_AT(pool_ask_t, turn, 40, 8);
AP_IS_AT(pool_ask_t, lease, 48, 8);
AP_IS_AT(pool_ask_t, lend, 56, 8);

_Static_assert(sizeof(pool_answer_t) >= 40, "it is smaller than core.Answer");
AP_IS_AT(pool_answer_t, struct_size, 0, 8);
AP_IS_AT(pool_answer_t, ok, 8, 1);
AP_IS_AT(pool_answer_t, resource, 16, 8);
AP_IS_AT(pool_answer_t, now_ns, 24, 8);
AP_IS_AT(pool_answer_t, later_ns, 32, 8);

#undef AP_IS_AT

/* Numbers of pool.h that the core uses, too. */
_Static_assert(POOL_ASKS_DESTROY == 1 << 0, "it is not core.AsksDestroy");
_Static_assert(POOL_ASKS_HEALTHCHECK == 1 << 1, "it is not core.AsksHealthcheck");
_Static_assert(POOL_ASKS_BEFORE_ACQUIRE == 1 << 2, "it is not core.AsksBeforeAcquire");
_Static_assert(POOL_ASKS_BEFORE_RELEASE == 1 << 3, "it is not core.AsksBeforeRelease");
_Static_assert(POOL_ASKS_REPORTS == 1 << 4, "it is not core.AsksReports");
_Static_assert(POOL_ASKS_SHOULD_RECOVER == 1 << 5, "it is not core.AsksShouldRecover");
_Static_assert(POOL_ASKS_LEAKED == 1 << 6, "it is not core.AsksLeaked");
_Static_assert(POOL_COUNT_CREATIONS == 1 << 0, "it is not core.CountCreations");
_Static_assert(POOL_COUNT_RELEASES == 1 << 1, "it is not core.CountReleases");
_Static_assert(POOL_ASK_DONE == 0, "it is not core.AskDone");
_Static_assert(POOL_ASK_CREATE == 1, "it is not core.AskCreate");
_Static_assert(POOL_ASK_BEFORE_ACQUIRE == 2, "it is not core.AskBeforeAcquire");
_Static_assert(POOL_ASK_BEFORE_RELEASE == 3, "it is not core.AskBeforeRelease");
_Static_assert(POOL_ASK_DESTROY == 4, "it is not core.AskDestroy");
_Static_assert(POOL_ASK_WAIT == 5, "it is not core.AskWait");
_Static_assert(POOL_ASK_HEALTHCHECK == 6, "it is not core.AskHealthcheck");
_Static_assert(POOL_ASK_REPORT_SUCCESS == 7, "it is not core.AskReportSuccess");
_Static_assert(POOL_ASK_REPORT_FAILURE == 8, "it is not core.AskReportFailure");
_Static_assert(POOL_ASK_SHOULD_RECOVER == 9, "it is not core.AskShouldRecover");
_Static_assert(POOL_ASK_LEAKED == 10, "it is not core.AskLeaked");
_Static_assert(POOL_CIRCUIT_ACTIVE == 0, "it is not core.Active");
_Static_assert(POOL_CIRCUIT_INACTIVE == 1, "it is not core.Inactive");
_Static_assert(POOL_CIRCUIT_RECOVERING == 2, "it is not core.Recovering");
_Static_assert(POOL_OK == 0, "it is not core.OK");
_Static_assert(POOL_PENDING == 1, "it is not core.Pending");
_Static_assert(POOL_EMPTY == 2, "it is not core.Empty");
_Static_assert(POOL_ERR_INVALID == -1, "it is not core.Invalid");
_Static_assert(POOL_ERR_CLOSED == -2, "it is not core.Closed");
_Static_assert(POOL_ERR_UNAVAILABLE == -3, "it is not core.Unavail");
_Static_assert(POOL_ERR_TIMEOUT == -4, "it is not core.Timeout");
_Static_assert(POOL_ERR_FACTORY == -5, "it is not core.Factory");
_Static_assert(POOL_ERR_CANCELLED == -6, "it is not core.Cancelled");
_Static_assert(POOL_ERR_NOT_OWNED == -7, "it is not core.NotOwned");
_Static_assert(POOL_ERR_NOMEM == -8, "it is not core.NoMemory");
_Static_assert(POOL_ERR_OVERLOADED == -10, "it is not core.Overloaded");
_Static_assert(POOL_ERR_INTERNAL == -12, "it is not core.Internal");

#endif
