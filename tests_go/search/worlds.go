package search

import "asyncpool/pool/core"

const (
	hooks    = core.AsksBeforeAcquire | core.AsksBeforeRelease
	allHooks = hooks | core.AsksHealthcheck
	allAsks  = allHooks | strategyAsks
)

var (
	anywhere = []core.Circuit{core.Active, core.Inactive, core.Recovering}
	onOff    = []core.Circuit{core.Active, core.Inactive}

	full   = Caller{Acquire: true, Timed: true, Try: true, Foreign: true}
	single = Caller{Acquire: true}
	plain  = Caller{Acquire: true, Timed: true}
	late   = Caller{Acquire: true, Timed: true, Late: true, Try: true, Foreign: true}
	leased = Caller{Acquire: true, Timed: true, Try: true, Foreign: true, Lease: true}
	two    = []Caller{full, full}
	three  = []Caller{full, full, full}
	four   = []Caller{full, full, full, full}
	five   = []Caller{full, full, full, full, full}
)

// Tiny are worlds that are done at once: the suite runs them under the race detector, too.
var Tiny = []World{
	{ // one line, with five callers in it or beside it
		Name: "line",
		Max:  1, Asks: hooks, Callers: []Caller{late, late, late, late, late}, Closers: 2,
	},
	{ // two places for four
		Name: "places",
		Max:  2, Asks: hooks, Callers: []Caller{late, late, late, late}, Closers: 2,
	},
	{ // by lease and by word
		Name: "leases",
		Max:  1, Asks: hooks, Callers: []Caller{leased, leased, full}, Closers: 1,
	},
	{ // no memory for what they need
		Name: "leases-starved",
		Max:  2, Callers: []Caller{leased, full}, Starve: true, Hand: anywhere,
	},
	{ // resources made ahead, by two at once
		Name: "fill",
		Max:  2, Min: 2, Asks: hooks, Callers: two, Fillers: 2, Closers: 1,
	},
	{ // creations that fail are tried again
		Name: "patience",
		Max:  1, Callers: []Caller{late, late, late}, Closers: 1, Retry: true,
	},
	{ // beside a line that is full
		Name: "patience-full-line",
		Max:  1, Callers: []Caller{late, late, late}, Closers: 1, Retry: true, Waiting: 1,
	},
	{ // or put off
		Name: "put-off",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: []Caller{plain, plain, {Acquire: true, Try: true}}, Puts: true,
	},
	{ // memory comes and goes
		Name: "memory",
		Max:  2, Min: 2, Asks: allHooks, Callers: two, Sweepers: 1, Closers: 1, Fillers: 1, Starve: true,
	},
	{ // a pass among three callers
		Name: "sweep",
		Max:  2, Min: 2, Asks: allHooks, Callers: three, Sweepers: 1, Closers: 2,
	},
	{ // two passes at once
		Name: "two-sweeps",
		Max:  2, Min: 2, Asks: allHooks, Callers: two, Sweepers: 2, Closers: 1,
	},
	{ // what came back last is lent first, beside a pass
		Name: "lifo",
		Max:  2, Min: 2, Asks: allHooks, Callers: three, Sweepers: 1, Closers: 1, LIFO: true,
	},
	{ // and where the fast path is used, beside two passes
		Name: "lifo-fast",
		Max:  3, Min: 1, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 2, Closers: 1, LIFO: true,
	},
	{ // resources that grow old, with each hook
		Name: "ages",
		Max:  2, Min: 1, Asks: allHooks, Callers: two, Sweepers: 1, Closers: 1, Lifetime: 1,
	},
	{ // that are used up, where the fast path is used
		Name: "uses-fast",
		Max:  2, Callers: three, Closers: 1, Uses: 2,
	},
	{ // both, and nobody checks
		Name: "ages-fast",
		Max:  3, Min: 1, Callers: two, Sweepers: 1, Closers: 1, Lifetime: 1, Uses: 2, Glances: 1,
	},
	{ // what is idle for long goes, and what came back just now is not checked
		Name: "idle-timeout",
		Max:  2, Min: 1, Callers: two, Sweepers: 1, Closers: 1, IdleTimeout: 1, Glances: 1,
	},
	{
		Name: "idle-timeout-checked",
		Max:  2, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, IdleTimeout: 2,
	},
	{
		Name: "check-after",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: three, Closers: 1, CheckAfter: 1,
	},
	{
		Name: "check-after-and-idle-timeout",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Sweepers: 1, CheckAfter: 1, IdleTimeout: 2, LIFO: true,
	},
	{ // nothing but that it is known who has what
		Name: "timed",
		Max:  2, Asks: hooks, Callers: []Caller{late, late, late}, Sweepers: 1, Closers: 1, Timed: true,
	},
	{ // where the fast path is used
		Name: "timed-fast",
		Max:  2, Callers: []Caller{late, late, late}, Closers: 1, Takes: true, Timed: true, LIFO: true,
	},
	{ // what is lent for too long is told, and a pass pauses
		Name: "leaks",
		Max:  2, Asks: core.AsksLeaked, Callers: two, Sweepers: 1, Closers: 1, LeakAfter: 1, Glances: 1,
	},
	{ // beside another pass, and healthchecks
		Name: "leaks-and-checks",
		Max:  2, Asks: core.AsksLeaked | core.AsksHealthcheck, Callers: []Caller{single, single}, Sweepers: 2, LeakAfter: 1,
	},
	{ // it is only counted, beside what is discarded
		Name: "leaks-unheard",
		Max:  2, Asks: hooks, Callers: two, Sweepers: 1, Takes: true, LeakAfter: 2, Uses: 2,
	},
	{ // what is lent by lease is told, too
		Name: "leaks-and-leases",
		Max:  2, Asks: core.AsksLeaked, Callers: []Caller{leased, single}, Sweepers: 1, LeakAfter: 1,
	},
	{ // and what came back last is lent first
		Name: "ages-lifo",
		Max:  3, Min: 1, Callers: two, Sweepers: 1, Closers: 1, Lifetime: 1, Uses: 2, Glances: 1, LIFO: true,
	},
	{ // a pool whose host looks up who was woken
		Name: "listed",
		Max:  1, Asks: hooks, Callers: []Caller{late, late, late, late}, Closers: 1, Listed: true,
	},
	{ // a line that may hold two
		Name: "full-line",
		Max:  1, Asks: hooks, Callers: []Caller{late, late, late, late, late}, Closers: 1, Waiting: 2,
	},
	{ // the same where the fast path is used
		Name: "listed-fast",
		Max:  2, Callers: []Caller{late, late, late, late}, Closers: 1, Listed: true,
	},
}

// Taken are worlds in which what is lent need not come back to be lent again.
var Taken = []World{
	{
		Name: "takes",
		Max:  2, Min: 1, Asks: hooks, Callers: []Caller{late, late, late}, Closers: 2, Fillers: 1, Takes: true,
	},
	{ // where the fast path is used
		Name: "takes-fast",
		Max:  2, Callers: []Caller{late, late, late}, Sweepers: 1, Closers: 1, Takes: true,
	},
	{ // a probe's slot comes back with it
		Name: "takes-and-breaker",
		Max:  2, Asks: core.AsksBeforeRelease | strategyAsks, Callers: two, Closers: 1, Hand: anywhere, Takes: true,
	},
	{ // and the built-in strategy does not hear of it
		Name: "takes-and-threshold",
		Max:  2, Callers: two, Closers: 1, Failures: 2, Successes: 2, Takes: true,
	},
}

// sizes that are one and two places.
var sizes = [][2]uint32{{0, 1}, {0, 2}}

// Sized are worlds whose pool grows and shrinks.
var Sized = []World{
	{
		Name: "resize",
		Max:  2, Asks: hooks, Callers: []Caller{late, late, late}, Closers: 1, Resizers: 1, Sizes: sizes,
	},
	{ // where the fast path is used
		Name: "resize-fast",
		Max:  2, Callers: []Caller{late, late, late}, Closers: 1, Resizers: 2, Sizes: sizes, Takes: true,
	},
	{ // promises of places to make a resource are taken back
		Name: "resize-owed",
		Max:  3, Callers: []Caller{plain, plain, plain, plain}, Resizers: 1, Sizes: [][2]uint32{{0, 1}, {0, 2}, {0, 3}},
		Takes: true,
	},
	{ // beside a pass, and who fills
		Name: "resize-and-sweep",
		Max:  2, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Fillers: 1, Resizers: 1,
		Sizes: [][2]uint32{{0, 1}, {2, 2}, {2, 3}},
	},
	{ // beside the breaker
		Name: "resize-and-breaker",
		Max:  2, Asks: core.AsksBeforeRelease, Callers: two, Closers: 1, Resizers: 1, Sizes: sizes, Hand: anywhere,
	},
	{ // beside calls of the first in line, who looks after lost probes
		Name: "resize-and-threshold",
		Max:  2, Callers: three, Resizers: 1, Sizes: sizes, Hand: []core.Circuit{core.Recovering}, Failures: 2, Successes: 1,
	},
	{ // promises that are older than an opening are taken back, and nobody has heard of them
		Name: "resize-owed-and-breaker",
		Max:  1, Callers: []Caller{plain, plain, plain}, Resizers: 1, Sizes: [][2]uint32{{0, 1}, {0, 3}}, Listed: true,
		Hand: onOff,
	},
	{
		Name: "resize-listed",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: []Caller{late, late, late}, Resizers: 1, Sizes: sizes, Listed: true,
		Takes: true,
	},
}

// Trimming are worlds in which what is idle is trimmed.
var Trimming = []World{
	{
		Name: "trim",
		Max:  3, Asks: hooks, Callers: []Caller{late, late}, Closers: 1, Trimmers: 1,
	},
	{
		Name: "trim-fast",
		Max:  2, Callers: []Caller{late, late, late}, Trimmers: 2, Takes: true,
	},
	{ // of what passes keep
		Name: "trim-and-sweep",
		Max:  3, Min: 1, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Fillers: 1, Trimmers: 1, MinIdle: 1,
	},
	{
		Name: "trim-and-others",
		Max:  2, Callers: two, Resizers: 1, Evictors: 1, Drainers: 1, Trimmers: 1, Sizes: [][2]uint32{{0, 1}, {1, 2}},
	},
	{
		Name: "lifo-trim",
		Max:  3, Asks: core.AsksBeforeAcquire, Callers: three, Trimmers: 1, Closers: 1, LIFO: true,
	},
	{
		Name: "lifo-trim-and-sweep",
		Max:  3, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Trimmers: 1, LIFO: true,
	},
	{
		Name: "trim-and-patience",
		Max:  2, Callers: three, Trimmers: 1, Retry: true,
	},
	{
		Name: "trim-and-breaker",
		Max:  2, Callers: two, Trimmers: 1, Hand: anywhere, Failures: 1, Successes: 1,
	},
}

// Evicting are worlds in which what exists is not lent again.
var Evicting = []World{
	{
		Name: "evict",
		Max:  2, Asks: hooks, Callers: []Caller{late, late, late}, Closers: 1, Evictors: 1,
	},
	{ // where the fast path is used
		Name: "evict-fast",
		Max:  2, Min: 1, Callers: []Caller{late, late, late}, Sweepers: 1, Evictors: 2, Takes: true, Old: true,
	},
	{ // beside a pass, and who fills
		Name: "evict-and-sweep",
		Max:  2, Min: 2, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Fillers: 1, Closers: 1, Evictors: 1,
	},
	{ // beside the breaker
		Name: "evict-and-breaker",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Closers: 1, Evictors: 1, Hand: anywhere,
	},
	{ // of a pool that grows and shrinks
		Name: "evict-and-resize",
		Max:  2, Callers: []Caller{plain, plain, plain}, Resizers: 1, Evictors: 1, Sizes: sizes, Listed: true,
	},
	{ // more is idle than there are ops that destroy it, while callers stand in line
		Name: "evict-and-line",
		Max:  4, Min: 4, Callers: two, Fillers: 1, Resizers: 1, Evictors: 1,
		Sizes: [][2]uint32{{0, 2}, {0, 4}}, Takes: true,
	},
}

// Draining are worlds in which the pool comes to its end in good order.
var Draining = []World{
	{
		Name: "drain",
		Max:  1, Asks: hooks, Callers: []Caller{late, late, late}, Closers: 1, Drainers: 2,
	},
	{ // where the fast path is used
		Name: "drain-fast",
		Max:  2, Min: 1, Callers: []Caller{late, late, late}, Sweepers: 1, Fillers: 1, Drainers: 1, Takes: true,
	},
	{ // and all else
		Name: "drain-and-more",
		Max:  2, Callers: two, Closers: 1, Resizers: 1, Evictors: 1, Drainers: 1, Sizes: sizes,
	},
	{ // whose probes make their resources
		Name: "drain-creations",
		Max:  2, Callers: two, Drainers: 1, Hand: anywhere, Failures: 1, Successes: 1, Counts: core.CountCreations,
	},
	{ // whose line waits for a creation
		Name: "drain-patience",
		Max:  2, Callers: []Caller{late, late}, Closers: 1, Drainers: 1, Retry: true, Puts: true,
	},
	{ // or is lent what comes back, or was evicted meanwhile
		Name: "drain-patience-taken",
		Max:  1, Asks: core.AsksBeforeAcquire, Callers: []Caller{late, late, late}, Evictors: 1, Drainers: 1, Retry: true,
	},
	{ // beside probes that make their own
		Name: "drain-patience-probes",
		Max:  1, Callers: two, Drainers: 1, Hand: anywhere, Failures: 1, Successes: 1, Counts: core.CountCreations,
		Retry: true,
	},
	{
		Name: "drain-listed",
		Max:  2, Callers: []Caller{late, late, late}, Drainers: 2, Listed: true,
	},
}

// Aged are worlds whose resources grow old, or that lend what came back last, and whose owner changes the pool.
var Aged = []World{
	{ // of what is idle, the oldest goes, whatever is lent first
		Name: "lifo-and-resize",
		Max:  3, Asks: core.AsksBeforeAcquire, Callers: three, Resizers: 1, LIFO: true, Takes: true,
		Sizes: [][2]uint32{{0, 1}, {0, 2}, {0, 3}},
	},
	{ // beside a pass, which has seen a part of it
		Name: "lifo-sweep-and-resize",
		Max:  3, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Closers: 1, Resizers: 1, LIFO: true,
		Sizes: [][2]uint32{{0, 1}, {2, 3}},
	},
	{
		Name: "lifo-sweep-and-evict",
		Max:  3, Min: 1, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Closers: 1, Evictors: 1, LIFO: true,
	},
	{ // where the fast path is used
		Name: "lifo-evict-fast",
		Max:  2, Callers: []Caller{late, late, late}, Evictors: 2, LIFO: true, Takes: true,
	},
	{ // what is worn, and what is evicted
		Name: "ages-and-evict",
		Max:  2, Min: 1, Asks: allHooks, Callers: two, Sweepers: 1, Evictors: 1, Lifetime: 1,
	},
	{
		Name: "uses-evict-fast",
		Max:  2, Callers: []Caller{late, late, late}, Closers: 1, Evictors: 1, Uses: 2, Takes: true,
	},
	{ // what is worn, and what is one too many
		Name: "ages-and-resize",
		Max:  2, Callers: []Caller{late, late, late}, Sweepers: 1, Resizers: 1, Sizes: sizes, Uses: 2, Glances: 1,
	},
	{ // what is spare, and what is missing, by another size
		Name: "idle-timeout-and-resize",
		Max:  2, Callers: two, Sweepers: 1, Resizers: 1, Sizes: [][2]uint32{{0, 1}, {1, 2}, {2, 2}}, IdleTimeout: 1,
		Takes: true,
	},
	{ // two passes remove what is spare
		Name: "idle-timeout-two-sweeps",
		Max:  3, Min: 1, Callers: two, Sweepers: 2, IdleTimeout: 1,
	},
	{ // what is evicted, and one too many
		Name: "evict-and-resize-of-three",
		Max:  3, Callers: []Caller{plain, plain}, Resizers: 1, Evictors: 2, Sizes: [][2]uint32{{0, 1}, {0, 2}, {0, 3}},
	},
	{ // one is kept idle, by two passes at once
		Name: "min-idle",
		Max:  2, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 2, Closers: 1, MinIdle: 1,
	},
	{ // with the hooks of lending, of three
		Name: "min-idle-hooks",
		Max:  3, Asks: hooks, Callers: two, Sweepers: 1, MinIdle: 2, Takes: true,
	},
	{ // where the fast path is used, in line and beside it
		Name: "min-idle-fast",
		Max:  3, Min: 1, Callers: []Caller{late, late, late, single}, Sweepers: 1, MinIdle: 1,
	},
	{
		Name: "min-idle-memory",
		Max:  2, Callers: two, Sweepers: 1, Fillers: 1, Closers: 1, MinIdle: 2, Starve: true,
	},
	{ // while the breaker moves
		Name: "min-idle-and-breaker",
		Max:  2, Callers: three, Sweepers: 1, Hand: anywhere, MinIdle: 1,
	},
	{ // and its owner changes it
		Name: "min-idle-resize-and-evict",
		Max:  2, Callers: two, Sweepers: 1, Resizers: 1, Evictors: 1, Sizes: [][2]uint32{{0, 1}, {0, 2}, {0, 3}}, MinIdle: 2,
	},
	{ // what is spare, and what is worn
		Name: "min-idle-and-ages",
		Max:  3, Callers: two, Sweepers: 1, MinIdle: 1, IdleTimeout: 1, Uses: 2, LIFO: true,
	},
	{ // whose creations are put off, beside what is worn
		Name: "patience-and-ages",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Sweepers: 1, Lifetime: 1, Retry: true, Puts: true,
	},
	{ // and used up, where the fast path is used
		Name: "patience-and-uses",
		Max:  2, Min: 1, Callers: []Caller{late, late, late}, Sweepers: 1, Uses: 2, Retry: true, Takes: true, LIFO: true,
	},
	{ // and where some are kept idle
		Name: "patience-and-min-idle",
		Max:  2, Callers: two, Sweepers: 1, Drainers: 1, MinIdle: 1, IdleTimeout: 1, Retry: true,
	},
	{ // whose probes make their own, beside what is worn
		Name: "uses-and-creations",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Hand: anywhere, Uses: 1, Failures: 1, Successes: 1,
		Counts: core.CountCreations,
	},
	{ // what came back just now, and what is evicted
		Name: "check-after-and-evict",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Closers: 1, Evictors: 1, CheckAfter: 1,
	},
}

// Behind are worlds whose callers wait for what others make.
var Behind = []World{
	{
		Name: "behind",
		Max:  2, Asks: hooks, Callers: []Caller{late, late, late}, Closers: 1, Behind: true, Makers: 2,
	},
	{ // more callers than places and makers, where the fast path is used
		Name: "behind-line",
		Max:  1, Callers: []Caller{late, late, late, late}, Closers: 1, Behind: true, Makers: 1, Takes: true,
	},
	{ // beside a line that is full
		Name: "behind-full-line",
		Max:  2, Callers: []Caller{late, late, late}, Closers: 1, Waiting: 1, Behind: true, Makers: 2,
	},
	{ // creations that fail are tried again
		Name: "behind-patience",
		Max:  2, Callers: []Caller{late, late}, Closers: 1, Retry: true, Puts: true, Behind: true, Makers: 2,
	},
	{ // of one place, with what before_acquire refuses
		Name: "behind-patience-refused",
		Max:  1, Asks: core.AsksBeforeAcquire, Callers: []Caller{late, late, late}, Retry: true, Behind: true, Makers: 1,
	},
	{ // or put off alone
		Name: "behind-put-off",
		Max:  2, Callers: []Caller{plain, plain, plain}, Puts: true, Behind: true, Makers: 2, Takes: true,
	},
	{ // memory comes and goes
		Name: "behind-memory",
		Max:  2, Min: 1, Callers: two, Fillers: 1, Closers: 1, Starve: true, Behind: true, Makers: 2,
	},
	{ // beside a pass
		Name: "behind-and-sweep",
		Max:  2, Min: 1, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Closers: 1, Behind: true, Makers: 2,
	},
	{ // beside the breaker
		Name: "behind-and-breaker",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Closers: 1, Hand: anywhere, Behind: true, Makers: 2,
	},
	{ // and its built-in strategy
		Name: "behind-and-threshold",
		Max:  2, Callers: three, Failures: 2, Successes: 2, Behind: true, Makers: 2,
	},
	{ // whose probes are creations
		Name: "behind-creations",
		Max:  2, Min: 1, Asks: core.AsksBeforeAcquire, Callers: two, Fillers: 1, Closers: 1,
		Failures: 1, Successes: 2, Counts: core.CountCreations, Behind: true, Makers: 2,
	},
	{ // beside the hand, with more probes than one
		Name: "behind-creations-and-hand",
		Max:  2, Limit: 2, Callers: three, Hand: anywhere, Failures: 1, Successes: 2, Counts: core.CountCreations,
		Behind: true, Makers: 2,
	},
	{ // which make room
		Name: "behind-creations-resized",
		Max:  2, Callers: two, Resizers: 1, Sizes: sizes, Hand: anywhere, Failures: 1, Successes: 2,
		Counts: core.CountCreations, Behind: true, Makers: 1,
	},
	{ // and wait creations out that fail
		Name: "behind-creations-patience",
		Max:  2, Callers: two, Failures: 1, Successes: 1, Counts: core.CountCreations, Retry: true, Puts: true,
		Hand: anywhere, Behind: true, Makers: 2,
	},
	{ // of a pool that grows and shrinks
		Name: "behind-resized",
		Max:  2, Callers: []Caller{late, late, late}, Resizers: 1, Sizes: sizes, Behind: true, Makers: 2,
	},
	{ // where what exists is evicted
		Name: "behind-evicted",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Evictors: 1, Closers: 1, Behind: true, Makers: 2,
	},
	{ // and probes are creations
		Name: "behind-creations-evicted",
		Max:  2, Callers: two, Fillers: 1, Min: 2, Evictors: 1, Hand: anywhere, Failures: 1, Successes: 1,
		Counts: core.CountCreations, Behind: true, Makers: 1,
	},
	{ // which is drained
		Name: "behind-drained",
		Max:  2, Callers: []Caller{late, late, late}, Closers: 1, Drainers: 1, Behind: true, Makers: 2,
	},
	{ // while creations are tried again
		Name: "behind-drained-patience",
		Max:  1, Callers: []Caller{late, late}, Closers: 1, Drainers: 1, Retry: true, Behind: true, Makers: 1,
	},
	{ // where some are kept idle, which passes make
		Name: "behind-min-idle",
		Max:  2, Callers: two, Sweepers: 1, Closers: 1, MinIdle: 1, Behind: true, Makers: 2,
	},
	{ // of three, where the fast path is used
		Name: "behind-min-idle-fast",
		Max:  3, Min: 1, Callers: []Caller{late, late, late}, Sweepers: 1, MinIdle: 1, Behind: true, Makers: 2, Takes: true,
	},
	{ // more than callers have places for, lent last first, and memory comes and goes
		Name: "behind-min-idle-memory",
		Max:  2, Callers: two, Sweepers: 1, MinIdle: 2, LIFO: true, Starve: true, Behind: true, Makers: 1,
	},
	{ // while creations are tried again
		Name: "behind-min-idle-patience",
		Max:  2, Callers: two, Sweepers: 1, MinIdle: 1, Retry: true, Behind: true, Makers: 1,
	},
	{ // of a pool that is resized, and evicted
		Name: "behind-min-idle-resized",
		Max:  2, Callers: two, Sweepers: 1, Resizers: 1, Evictors: 1, Sizes: [][2]uint32{{0, 1}, {0, 2}}, MinIdle: 1,
		Behind: true, Makers: 1,
	},
	{ // whose probes are creations, lent last first
		Name: "behind-min-idle-creations",
		Max:  2, Callers: two, Sweepers: 1, MinIdle: 1, LIFO: true, Hand: anywhere, Failures: 1, Successes: 1,
		Counts: core.CountCreations, Behind: true, Makers: 1,
	},
	{ // which is drained
		Name: "behind-min-idle-drained",
		Max:  2, Callers: two, Sweepers: 1, Drainers: 1, MinIdle: 1, Behind: true, Makers: 2,
	},
	{ // whose resources grow old, also before who waited for one has come
		Name: "behind-ages",
		Max:  2, Min: 1, Asks: core.AsksBeforeAcquire, Callers: two, Sweepers: 1, Lifetime: 1, Behind: true, Makers: 2,
	},
	{ // or are used up, and idle for too long
		Name: "behind-uses",
		Max:  2, Callers: []Caller{late, late, late}, Sweepers: 1, Uses: 1, IdleTimeout: 1, Behind: true, Makers: 2, Takes: true,
	},
	{ // which callers need not check
		Name: "behind-check-after",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Closers: 1, CheckAfter: 1, LIFO: true, Behind: true, Makers: 2,
	},
	{ // lent by lease, while memory comes and goes
		Name: "behind-leases",
		Max:  2, Callers: []Caller{leased, full}, Starve: true, Behind: true, Makers: 2,
	},
	{ // and for too long
		Name: "behind-leaks",
		Max:  2, Asks: core.AsksLeaked, Callers: []Caller{leased, single}, Sweepers: 1, LeakAfter: 1, Behind: true, Makers: 1,
	},
	{ // whose host looks up who was woken
		Name: "behind-listed",
		Max:  2, Callers: []Caller{late, late, late}, Closers: 1, Listed: true, Behind: true, Makers: 2,
	},
}

// Old are worlds whose numbers wrap: of passes, of terms and of openings. They are as large as those of young ones.
var Old = []World{
	{
		Name: "old-sweeps",
		Max:  2, Min: 2, Asks: allHooks, Callers: two, Sweepers: 2, Closers: 1, Old: true,
	},
	{
		Name: "old-breaker",
		Max:  1, Asks: allAsks, Callers: two, Sweepers: 1, Closers: 1, Hand: anywhere, Old: true,
	},
	{
		Name: "old-threshold",
		Max:  2, Asks: hooks, Callers: two, Closers: 1, Failures: 1, Successes: 2, Old: true,
	},
	{
		Name: "old-fast",
		Max:  2, Min: 1, Callers: two, Sweepers: 2, Closers: 1, Hand: anywhere, Old: true,
	},
}

// Small are worlds that take a few seconds.
var Small = []World{
	{ // nothing is asked for: where the fast path is used
		Name: "fast",
		Max:  2, Min: 1, Callers: three, Sweepers: 1, Closers: 2, Fillers: 1, Hand: anywhere,
	},
	{ // a line for one, with the breaker
		Name: "fast-full-line",
		Max:  1, Callers: []Caller{late, late, late, late}, Closers: 1, Hand: anywhere, Waiting: 1,
	},
	{ // by lease and by word, while the breaker moves
		Name: "leases-fast",
		Max:  2, Callers: []Caller{leased, leased, full}, Closers: 1, Hand: anywhere,
	},
	{ // what is lent so is taken out, evicted, or worn
		Name: "leases-taken",
		Max:  2, Asks: core.AsksBeforeRelease, Callers: []Caller{leased, full}, Takes: true, Evictors: 1, Sweepers: 1,
		LIFO: true, Uses: 2,
	},
	{ // the fast path beside each single hook
		Name: "fast-before-acquire",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: three, Closers: 1, Hand: anywhere,
	},
	{
		Name: "fast-before-release",
		Max:  2, Asks: core.AsksBeforeRelease, Callers: three, Closers: 1, Hand: anywhere,
	},
	{
		Name: "fast-reports",
		Max:  2, Asks: core.AsksReports, Callers: three, Closers: 1, Hand: anywhere,
		Swap: true, Failures: 2, Successes: 1,
	},
	{ // what came back last is lent first, among three, while the breaker moves
		Name: "lifo-fast-and-breaker",
		Max:  3, Callers: three, Closers: 1, Hand: anywhere, LIFO: true,
	},
	{ // three resources, of which a pass leaves each where it is
		Name: "lifo-pass",
		Max:  3, Min: 2, Asks: core.AsksHealthcheck | core.AsksBeforeAcquire, Callers: two, Sweepers: 1, Closers: 1, LIFO: true,
	},
	{ // the built-in strategy alone
		Name: "threshold",
		Max:  2, Asks: hooks, Callers: three, Closers: 1, Failures: 2, Successes: 2,
	},
	{ // one that counts creations alone
		Name: "threshold-on-creations",
		Max:  2, Min: 1, Asks: hooks, Callers: two, Fillers: 1, Closers: 1,
		Failures: 1, Successes: 2, Counts: core.CountCreations,
	},
	{ // the same, beside the hand
		Name: "threshold-on-creations-and-hand",
		Max:  2, Callers: three, Hand: anywhere, Failures: 1, Successes: 1, Counts: core.CountCreations,
	},
	{ // its probes make room in a pool that has shrunk
		Name: "threshold-on-creations-resized",
		Max:  3, Callers: two, Resizers: 1, Sizes: [][2]uint32{{0, 1}, {0, 3}}, Closers: 1, Hand: anywhere,
		Failures: 1, Successes: 1, Counts: core.CountCreations,
	},
	{ // and by what is evicted
		Name: "threshold-on-creations-evicted",
		Max:  2, Limit: 2, Callers: two, Fillers: 1, Min: 2, Evictors: 1, Hand: anywhere,
		Failures: 1, Successes: 1, Counts: core.CountCreations,
	},
	{ // creations that are tried again, beside the breaker
		Name: "patience-and-hand",
		Max:  2, Callers: two, Hand: anywhere, Retry: true, Puts: true, Limit: 2,
	},
	{ // and beside a strategy that counts them, where probes make their own
		Name: "patience-and-threshold",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: two, Failures: 2, Successes: 1, Counts: core.CountCreations,
		Retry: true, Puts: true, Swap: true,
	},
	{ // in a pool that grows and shrinks
		Name: "patience-resized",
		Max:  2, Callers: three, Resizers: 1, Sizes: [][2]uint32{{0, 1}, {0, 2}}, Retry: true,
	},
	{ // where what exists is evicted
		Name: "patience-evicted",
		Max:  2, Callers: two, Evictors: 1, Closers: 1, Retry: true, Puts: true,
	},
	{ // beside passes and who fills
		Name: "patience-and-sweep",
		Max:  2, Min: 1, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Fillers: 1, Closers: 1, Retry: true,
	},
	{ // and releases alone, where the fast path is used
		Name: "threshold-on-releases",
		Max:  2, Asks: core.AsksBeforeRelease, Callers: three, Closers: 1,
		Failures: 2, Successes: 1, Counts: core.CountReleases,
	},
	{ // one place, three callers, the breaker everywhere
		Name: "breaker-one-place",
		Max:  1, Asks: allAsks, Callers: []Caller{late, late, late}, Sweepers: 1, Closers: 1, Hand: anywhere,
	},
	{ // a strategy that moves the breaker in its reports, and is asked by who finds it open
		Name: "strategy",
		Max:  2, Asks: allAsks, Callers: two, Sweepers: 1, Closers: 1, Strategy: anywhere,
	},
	{ // a pass and the breaker, where the fast path is used
		Name: "fast-and-breaker",
		Max:  2, Min: 1, Callers: three, Sweepers: 1, Closers: 1, Hand: anywhere,
	},
	{ // resources made ahead while the breaker moves
		Name: "fill-and-breaker",
		Max:  2, Min: 2, Asks: hooks, Callers: two, Sweepers: 1, Closers: 1, Fillers: 1, Hand: anywhere,
	},
}

// Medium are the worlds that take the most of the suite's time.
var Medium = []World{
	{ // a drain, and the breaker
		Name: "drain-and-breaker",
		Max:  2, Asks: core.AsksBeforeAcquire, Callers: three, Drainers: 1, Hand: anywhere,
	},
	{ // strategies that come and go; nobody closes
		Name: "strategies",
		Max:  2, Asks: allAsks, Callers: []Caller{plain, plain, plain}, Strategy: anywhere,
		Swap: true, Failures: 1, Successes: 2,
	},
	{ // the built-in strategy, and a pass
		Name: "threshold-and-sweep",
		Max:  2, Min: 1, Asks: allHooks, Callers: three, Sweepers: 1, Closers: 1, Failures: 2, Successes: 2,
	},
	{ // more places than probes
		Name: "three-places",
		Max:  3, Limit: 2, Asks: hooks, Callers: three, Closers: 1, Hand: anywhere,
	},
	{ // two probes at once
		Name: "two-probes",
		Max:  2, Limit: 2, Asks: allAsks, Callers: three, Closers: 1, Hand: anywhere,
	},
	{ // four callers
		Name: "breaker-for-four",
		Max:  2, Asks: hooks, Callers: four, Closers: 1, Hand: anywhere,
	},
	{ // the breaker moves, a pass runs
		Name: "breaker-and-pass",
		Max:  2, Asks: hooks, Callers: []Caller{single, single, single}, Sweepers: 1, Closers: 1,
		Hand: anywhere,
	},
	{ // everything at once, for two callers
		Name: "everything-for-two",
		Max:  2, Min: 1, Asks: allAsks, Callers: two, Sweepers: 1, Closers: 2, Hand: anywhere,
		Swap: true, Failures: 1, Successes: 1,
	},
}

// Large are worlds for a long evening.
var Large = []World{
	{ // the built-in strategy beside the hand
		Name: "threshold-and-hand",
		Max:  2, Limit: 2, Asks: hooks, Callers: three, Closers: 2, Hand: anywhere, Failures: 2, Successes: 2,
	},
	{ // the breaker and a pass, for three callers
		Name: "breaker-and-sweep",
		Max:  2, Min: 1, Asks: allAsks, Callers: three, Sweepers: 1, Closers: 1, Hand: anywhere,
	},
	{ // everything at once, for three
		Name: "everything",
		Max:  2, Min: 1, Asks: allAsks, Callers: three, Sweepers: 1, Closers: 2, Hand: anywhere,
		Swap: true, Failures: 1, Successes: 1,
	},
	{ // the breaker and two passes at once, for three callers
		Name: "sweeps-for-three",
		Max:  2, Min: 2, Asks: allAsks, Callers: three, Sweepers: 2, Closers: 1, Hand: anywhere,
	},
	{ // five callers
		Name: "breaker-for-five",
		Max:  2, Asks: allAsks, Callers: five, Closers: 1, Hand: anywhere,
	},
	{ // two probes among three places, for four callers
		Name: "three-places-for-four",
		Max:  3, Limit: 2, Asks: hooks, Callers: four, Closers: 1, Hand: anywhere,
	},
}
