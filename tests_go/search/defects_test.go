package search

import (
	"unsafe"

	"asyncpool/pool/core"
)

// The worlds that are enough to find the defects.
var (
	twoCallers     = World{Max: 1, Asks: allAsks, Callers: two, Closers: 1}
	threeCallers   = World{Max: 1, Asks: allAsks, Callers: three, Closers: 1}
	withBreaker    = World{Max: 2, Asks: allAsks, Callers: two, Closers: 1, Hand: anywhere}
	withLine       = World{Max: 1, Asks: hooks, Callers: two, Closers: 1, Hand: anywhere}
	withSweep      = World{Max: 2, Min: 2, Asks: allAsks, Callers: three, Sweepers: 1, Closers: 1}
	owing          = World{Max: 2, Asks: hooks, Callers: four, Closers: 1}
	fullLine       = World{Max: 1, Asks: hooks, Callers: three, Closers: 1, Waiting: 1}
	patientWorld   = World{Max: 1, Callers: []Caller{late, late, late}, Closers: 1, Retry: true}
	openGate       = World{Max: 1, Callers: two, Closers: 1}
	taken          = World{Max: 1, Asks: allAsks, Callers: two, Closers: 1, Hand: anywhere, Takes: true}
	sized          = World{Max: 3, Callers: three, Resizers: 1, Sizes: [][2]uint32{{0, 1}, {0, 2}, {0, 3}}, Takes: true}
	evicting       = World{Max: 2, Asks: hooks, Callers: two, Evictors: 1}
	onCreations    = World{Max: 2, Asks: hooks, Callers: two, Hand: anywhere, Failures: 2, Successes: 1, Counts: core.CountCreations}
	trimming       = World{Max: 3, Min: 1, Callers: three, Fillers: 1, Trimmers: 1}
	draining       = World{Max: 1, Callers: three, Drainers: 1}
	lastFirst      = World{Max: 2, Min: 2, Asks: allHooks, Callers: two, Sweepers: 1, LIFO: true}
	builtIn        = World{Max: 1, Asks: hooks, Callers: two, Closers: 1, Failures: 2, Successes: 1}
	aging          = World{Max: 2, Min: 1, Asks: allHooks, Callers: two, Sweepers: 1, Lifetime: 1}
	usedUp         = World{Max: 1, Asks: hooks, Callers: two, Uses: 1}
	unchecked      = World{Max: 2, Callers: two, Sweepers: 1, Lifetime: 1, Uses: 3, Glances: 1}
	idling         = World{Max: 2, Min: 1, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, IdleTimeout: 1}
	leaking        = World{Max: 2, Asks: core.AsksLeaked, Callers: two, Sweepers: 1, LeakAfter: 2}
	checkedLate    = World{Max: 1, Asks: hooks, Callers: two, CheckAfter: 2}
	sizedByHand    = World{Max: 1, Callers: []Caller{plain, plain}, Resizers: 1, Sizes: sizes, Hand: onOff, Listed: true}
	lastFirstSized = World{Max: 2, Asks: core.AsksHealthcheck, Callers: two, Sweepers: 1, Resizers: 1, Evictors: 1, Sizes: sizes, LIFO: true}
	leasing        = World{Max: 1, Asks: hooks, Callers: []Caller{leased, full}, Hand: anywhere}
	keeping        = World{Max: 2, Callers: two, Sweepers: 2, MinIdle: 1}
)

// last is the id that the lend of an entry had.
func last(st *core.State, i uint32) *uint64 {
	return &unsafe.Slice(st.Registry.Leases.First, 8)[i]
}

// leases says whether the call has ended an op of this kind, where the fast path has no part in it.
func (c *call) leases(kind core.Kind) bool {
	return c.ended() && c.op.Kind == kind && c.op.Status == core.OK && c.st.Registry.Leases.First != nil &&
		c.st.Gate&core.GateBreaker != 0
}

var defects = []defect{
	{
		name: "a lend by word leaves the lease of before", world: leasing, expected: "which is no lease",
		after: func(c *call) {
			if c.leases(core.KindAcquire) && c.op.ByLease == 0 {
				entry(c.st, c.op.Entry).Flags |= core.EntryLeased
			}
		},
	},
	{
		name: "a number comes twice", world: leasing, expected: "is given twice",
		after: func(c *call) {
			if c.leases(core.KindAcquire) && c.op.ByLease != 0 {
				first := c.st.Registry.Leases.Base + uint64(c.op.Entry)
				*last(c.st, c.op.Entry), c.ask.Lease = first, first
			}
		},
	},
	{
		name: "what is lent by lease is not marked", world: leasing, expected: "ends with NOT_OWNED",
		after: func(c *call) {
			if c.leases(core.KindAcquire) && c.op.ByLease != 0 {
				entry(c.st, c.op.Entry).Flags &^= core.EntryLeased
			}
		},
	},
	{
		name: "a release ends another lease", world: World{Max: 2, Callers: []Caller{leased, leased}, Hand: anywhere},
		expected: "I5: idle resource 0 is",
		before: func(c *call) {
			other := uint32(c.op.Lease&1) ^ 1
			if c.op.Step != core.StepBegin || c.st.Gate&core.GateBreaker == 0 {
				return
			}
			if _, lent := c.st.Registry.Leased(c.op.Lease); !lent {
				return
			}
			if e := entry(c.st, other); e.State == core.EntryLent && e.Flags&core.EntryLeased != 0 {
				c.op.Lease = *last(c.st, other)
			}
		},
	},
	{
		name: "a grant is lost", world: twoCallers,
		expected: "I4: B was not woken",
		after: func(c *call) {
			if op := c.st.Ready.Head; op != nil && op.Flags&core.FlagReserved != 0 {
				unlink(&c.st.Ready, op)
			}
		},
	},
	{
		name: "one who leaves with a place does not wake the next", world: threeCallers,
		expected: "I4: A was not woken",
		after: func(c *call) {
			if c.was.Flags&core.FlagReserved != 0 && c.was.Step == core.StepWait && c.ended() {
				ungrant(c.st)
			}
		},
	},
	{
		name: "a promised place is free while its resource is made", world: twoCallers,
		expected: "is asked for CREATE in a step that observers are told of",
		after: func(c *call) {
			if c.was.Flags&core.FlagReserved != 0 && c.op.Step == core.StepCreate {
				c.st.Active--
			}
		},
	},
	{
		name: "a lent resource is not marked", world: twoCallers,
		expected: "I5: whether resource 1 is lent",
		after: func(c *call) {
			if c.ended() && c.op.Kind == core.KindAcquire && c.op.Status == core.OK {
				entry(c.st, c.op.Entry).State = core.EntryHook
			}
		},
	},
	{
		name: "the youngest in line is woken", world: threeCallers,
		expected: "I3: C was woken, it is the turn of B",
		after: func(c *call) {
			if granted := c.st.Ready.Head; granted != nil && c.st.Waiting > 0 && !c.closed() {
				youngest := c.st.Waiters.Tail
				ungrant(c.st)
				grant(c.st, youngest)
			}
		},
	},
	{
		name: "who comes goes to the head of the line", world: threeCallers,
		expected: "I3: the line is not as",
		after: func(c *call) {
			if op := c.op; c.was.List == 0 && op.List == listWaiters && c.st.Waiting == 2 {
				first := c.st.Waiters.Head
				op.Ticket, first.Ticket = first.Ticket, op.Ticket
				unlink(&c.st.Waiters, op)
				pushFront(&c.st.Waiters, op)
			}
		},
	},
	{
		name: "the slot of a probe is not freed", world: withBreaker,
		expected: "I8: probes: the core says 1",
		after: func(c *call) {
			if c.ended() && c.st.Breaker.Probes < c.wasAll.Breaker.Probes && c.st.Breaker.Circuit == core.Recovering {
				c.st.Breaker.Probes++
			}
		},
	},
	{
		name: "an old probe frees a slot of today", world: withBreaker,
		expected: "probes: the core says 0",
		after: func(c *call) {
			b := &c.st.Breaker
			if c.ended() && c.was.Flags&core.FlagProbe != 0 && c.was.Term != c.st.Term && b.Probes > 0 {
				b.Probes--
			}
		},
	},
	{
		name: "a term does not end for what is lent", world: withBreaker,
		expected: "account says probe",
		move: func(b *broken, to core.Circuit, now int64) core.Status {
			term := b.st.Term
			status := b.Core.SetCircuit(to, now)
			for i := range b.st.Registry.First.Fresh {
				if e := entry(b.st, i); e.State == core.EntryLent && e.Mark == term {
					e.Mark = b.st.Term
				}
			}
			return status
		},
	},
	{
		name: "the breaker opens and leaves the line alone", world: withLine,
		expected: "I4: B was not woken",
		move: func(b *broken, to core.Circuit, now int64) core.Status {
			waiting := b.st.Waiting
			if to != core.Inactive || waiting == 0 {
				return b.Core.SetCircuit(to, now)
			}
			line := b.st.Waiters
			b.st.Waiters, b.st.Waiting = core.List{}, 0
			status := b.Core.SetCircuit(to, now)
			b.st.Waiters, b.st.Waiting = line, waiting
			return status
		},
	},
	{
		name: "a refused resource is destroyed twice", world: twoCallers,
		expected: "I5: an op destroys what it does not",
		instead:  func(c *call) bool { return c.again(core.StepRemove, core.AskDestroy) },
	},
	{
		name: "the place of a failed factory is kept", world: twoCallers,
		expected: "I1: active: the core says 1",
		after: func(c *call) {
			if c.was.Step == core.StepCreate && !c.answer.OK {
				c.st.Active++
			}
		},
	},
	{
		name: "a closed pool makes resources", world: twoCallers,
		expected: "I7: a caller is served on a closed pool",
		instead: func(c *call) bool {
			begins := c.ask != nil && c.op.Step == core.StepBegin && c.op.Kind == core.KindAcquire && c.closed()
			if begins {
				c.openly()
			}
			return begins
		},
	},
	{
		name: "what was made for a closed pool is lent", world: twoCallers,
		expected: "I7: a resource that was made",
		instead: func(c *call) bool {
			late := c.ask != nil && c.op.Step == core.StepCreate && c.answer.OK && c.closed()
			if late {
				c.openly()
			}
			return late
		},
	},
	{
		name: "who comes back too early is told TIMEOUT", world: twoCallers,
		expected: "truth: a caller is told TIMEOUT",
		before: func(c *call) {
			if c.op.Step == core.StepWait && c.op.Deadline != core.Never {
				c.answer.Now = c.op.Deadline
			}
		},
	},
	{
		name: "a deadline starts anew when its waiter is woken", world: twoCallers,
		expected: "a caller waits until",
		after: func(c *call) {
			if c.ask != nil && c.was.Step == core.StepWait && c.ask.Kind == core.AskWait {
				c.ask.Until--
			}
		},
	},
	{
		name: "a failure is not reported", world: twoCallers,
		expected: "reports: REPORT_FAILURE is owed",
		after: func(c *call) {
			if c.ask != nil && c.ask.Kind == core.AskReportFailure {
				c.core.Next(c.op, &core.Answer{OK: true}, c.ask)
			}
		},
	},
	{
		name: "a success is reported twice", world: twoCallers,
		expected: "reports: REPORT_SUCCESS is not due",
		instead:  func(c *call) bool { return c.again(core.StepReportSuccess, core.AskReportSuccess) },
	},
	{
		name: "the oldest idle resource is lent last", world: withSweep,
		expected: "I5: BEFORE_ACQUIRE is about resource",
		before: func(c *call) {
			if c.ask != nil && c.op.Step == core.StepBegin && c.op.Kind == core.KindAcquire && queued(c.st) == 2 {
				q := &c.st.Queue
				q.Head, q.Tail = q.Tail, q.Head
				entry(c.st, q.Head).Link = q.Tail
			}
		},
	},
	{
		name: "a pass takes what a waiter is owed", world: World{Max: 2, Asks: allHooks, Callers: three,
			Sweepers: 1}, expected: "I2: a pass takes one",
		instead: func(c *call) bool {
			sweeps := c.ask != nil && c.op.Kind == core.KindSweep && c.op.Step == core.StepBegin &&
				c.st.Bound.Head != nil && queued(c.st) == 0
			if sweeps {
				c.expose()
				c.core.Next(c.op, &c.answer, c.ask)
			}
			return sweeps
		},
	},
	{
		name: "a pass looks at a resource again and again", world: withSweep,
		expected: "a pass looks at",
		after: func(c *call) {
			if c.op.Kind == core.KindSweep && c.was.Step == core.StepCheckUp && c.op.Step == core.StepDone &&
				c.op.Status == core.OK && c.st.Idle == 1 {
				c.op.Step, c.op.Visits, c.op.Pass = core.StepBury, 1, c.op.Pass+1
				c.st.Ops++
				c.ask.Kind = core.AskHealthcheck
			}
		},
	},
	{
		name: "what was lent before the breaker opened counts", world: World{Max: 1, Asks: hooks, Callers: two,
			Hand: anywhere, Failures: 1, Successes: 1}, expected: "breaker: the core says 1",
		before: func(c *call) {
			if c.op.Step == core.StepCheckIn {
				c.op.Flags &^= core.FlagStale
				c.op.Epoch = c.st.Breaker.Epoch
			}
		},
	},
	{
		name: "a success does not end a row of failures", world: builtIn,
		expected: "streak: the core says 1",
		after: func(c *call) {
			if b := &c.st.Breaker; c.wasAll.Breaker.Count == 1 && b.Count == 0 && b.Circuit == core.Active &&
				c.st.Term == c.wasAll.Term {
				b.Count = 1
			}
		},
	},
	{
		name: "the gate forgets the promised places", world: openGate,
		expected: "fast: ",
		after:    func(c *call) { c.st.Gate &^= core.GateReserved },
		move: func(b *broken, to core.Circuit, now int64) core.Status {
			defer func() { b.st.Gate &^= core.GateReserved }()
			return b.Core.SetCircuit(to, now)
		},
	},
	{
		name: "a release of nothing frees a place", world: twoCallers,
		expected: "nothing: a call that was refused",
		after: func(c *call) {
			if c.ended() && c.op.Status == core.NotOwned && c.st.Active > 0 {
				c.st.Active--
			}
		},
	},
	{
		name: "a cancel keeps the promise", world: twoCallers,
		expected: "I2: reserved: the core says 1",
		after: func(c *call) {
			if c.ask == nil && c.was.Flags&core.FlagReserved != 0 && c.was.Step == core.StepWait && !c.closed() {
				c.st.Reserved++
			}
		},
	},
	{
		name: "a verdict is forgotten", world: twoCallers,
		expected: "was not sent away with CLOSED",
		after: func(c *call) {
			for op := c.st.Ready.Head; op != nil; op = linksOf(op).next {
				if c.st.SentAway(op) == core.Closed {
					op.Epoch--
				}
			}
		},
	},
	{
		name: "one more than may wait joins the line", world: fullLine,
		expected: "a caller joins a line of 1, which is full",
		before:   func(c *call) { c.st.MaxWaiting++ },
		after:    func(c *call) { c.st.MaxWaiting-- },
	},
	{
		name: "one is refused while the line has room", world: fullLine,
		expected: "truth: a caller is told OVERLOADED",
		after: func(c *call) {
			if c.was.Step == core.StepBegin && c.op.List == listWaiters {
				unlink(&c.st.Waiters, c.op)
				c.st.Waiting, c.st.Ops, c.st.Gate = c.wasAll.Waiting, c.wasAll.Ops, c.wasAll.Gate
				c.op.Step, c.op.Status = core.StepDone, core.Overloaded
				*c.ask = core.Ask{Status: core.Overloaded}
			}
		},
	},
	{
		name: "a creation begins in a pause", world: patientWorld,
		expected: "patience: a resource is made too early",
		before: func(c *call) {
			if c.op.Step == core.StepWait && c.st.Patience.Until > 1 {
				c.st.Patience.Until = 1
			}
		},
		after: func(c *call) {
			if c.st.Patience.Until == 1 {
				c.st.Patience.Until = c.wasAll.Patience.Until
			}
		},
	},
	{
		name: "whose creation has failed is the last in line", world: patientWorld,
		expected: "I3: ",
		after: func(c *call) {
			if c.was.Step == core.StepCreate && c.op.List == listWaiters && c.st.Waiting > 1 {
				unlink(&c.st.Waiters, c.op)
				pushBack(&c.st.Waiters, c.op, listWaiters)
			}
		},
	},
	{
		name: "a pause does not end with a success", world: patientWorld,
		expected: "patience: ",
		after: func(c *call) {
			if c.was.Step == core.StepCreate && c.st.Patience.Until == 0 {
				c.st.Patience = c.wasAll.Patience
				c.st.Patience.Making--
			}
		},
	},
	{
		name: "one who runs out of time in a pause hears nothing of the factory", world: patientWorld,
		expected: "truth: a caller is told TIMEOUT",
		after: func(c *call) {
			if c.op.Step == core.StepDone && c.was.Step == core.StepWait && c.op.Status == core.Factory {
				c.op.Status, c.ask.Status = core.Timeout, core.Timeout
			}
		},
	},
	{
		name: "a probe of creations takes what is idle", world: onCreations,
		expected: "probes: a probe of creations takes what is idle",
		before: func(c *call) {
			if c.st.Breaker.Circuit == core.Recovering && c.newcomer() {
				c.st.Breaker.Counts |= core.CountReleases
			}
		},
		after: func(c *call) { c.st.Breaker.Counts = core.CountCreations },
	},
	{
		name: "a probe of creations makes no room", world: onCreations,
		expected: "I1: a probe makes a resource, and there is no room for it",
		before: func(c *call) {
			if c.st.Breaker.Circuit == core.Recovering && c.newcomer() && c.st.Idle+c.st.Active == 2 {
				c.st.MaxSize = 3
			}
		},
		after: func(c *call) { c.st.MaxSize = 2 },
	},
	{
		name: "a release counts that does not", world: onCreations,
		expected: "streak: the core says 1",
		before: func(c *call) {
			if c.op.Kind == core.KindRelease {
				c.st.Breaker.Counts |= core.CountReleases
			}
		},
		after: func(c *call) { c.st.Breaker.Counts = core.CountCreations },
	},
	{
		name: "a step panics", world: twoCallers,
		expected: "panic: ",
		before: func(c *call) {
			if c.op.Step == core.StepReject {
				panic("nothing to reject")
			}
		},
	},
	{
		name: "a newcomer takes what was promised to another", world: owing,
		expected: "I5: BEFORE_ACQUIRE is about resource",
		before: func(c *call) {
			if c.newcomer() && c.st.Bound.Head != nil && c.st.Active+c.st.Reserved < c.st.MaxSize {
				holder, bound := c.st.Bound.Head, c.st.Bound.Head.Entry
				if queued(c.st) != 0 {
					holder.Entry = takeQueued(c.st)
					putQueuedBack(c.st, bound)
				}
			}
		},
	},
	{
		name: "what becomes idle is kept for nobody", world: owing,
		expected: "is kept for",
		after: func(c *call) {
			if op := c.st.Bound.Tail; c.wasAll.Owed.Head != nil && op == c.wasAll.Owed.Head && op.Flags&core.FlagBound != 0 {
				unreserve(c.st, op)
				op.Flags |= core.FlagReserved
				c.st.Owed = core.Reservations{Head: op, Tail: op}
			}
		},
	},
	{
		name: "who leaves keeps what was kept for it", world: owing,
		expected: "I1: idle: the core says",
		after: func(c *call) {
			if c.ask == nil && c.was.Flags&core.FlagBound != 0 && c.ended() && queued(c.st) != 0 {
				takeQueued(c.st)
				c.st.Idle--
			}
		},
	},
	{
		name: "what was kept for who left is the youngest", world: owing,
		expected: "I5: idle resource 0 is",
		after: func(c *call) {
			if c.ask == nil && c.was.Flags&core.FlagBound != 0 && c.ended() && queued(c.st) > 1 {
				q := &c.st.Queue
				i := takeQueued(c.st)
				entry(c.st, q.Tail).Link, q.Tail = i, i
				q.Put++
			}
		},
	},
	{
		name: "who was promised a resource makes another", world: owing,
		expected: "a resource is made while",
		before: func(c *call) {
			if c.ask != nil && c.op.Step == core.StepWait && c.op.Flags&core.FlagBound != 0 &&
				c.op == c.st.Bound.Tail && !c.closed() && queued(c.st) == 0 {
				unreserve(c.st, c.op)
				c.op.Flags |= core.FlagReserved
				c.st.Owed = core.Reservations{Head: c.op, Tail: c.op}
				takeQueued(c.st)
			}
		},
	},
	{
		name: "a close forgets what was promised", world: owing,
		expected: "I7: a close ends with OK and leaves 1 idle",
		instead: func(c *call) bool {
			closes := c.ask != nil && c.op.Kind == core.KindClose && c.st.Bound.Head != nil &&
				queued(c.st) == 0 && c.op.Step == core.StepBegin
			if closes {
				idle := c.st.Idle
				c.st.Idle = 0
				c.core.Next(c.op, &c.answer, c.ask)
				c.st.Idle = idle
			}
			return closes
		},
	},
	{
		name: "before_release is asked about what is discarded", world: taken,
		expected: "before_release is not due",
		after: func(c *call) {
			if c.ask != nil && c.op.Kind == core.KindDiscard && c.op.Step == core.StepRemove {
				c.op.Step, c.ask.Kind = core.StepCheckIn, core.AskBeforeRelease
			}
		},
	},
	{
		name: "what is discarded is lent again", world: taken,
		expected: "I5: a release ends",
		instead: func(c *call) bool {
			entry, lent := c.st.Registry.Lent(c.op.Resource)
			discards := lent && c.ask != nil && c.op.Kind == core.KindDiscard && c.op.Step == core.StepBegin && !c.closed()
			if discards {
				c.op.Step, c.op.Entry = core.StepReportSuccess, entry
				c.st.Ops++
				c.core.Next(c.op, &core.Answer{OK: true}, c.ask)
			}
			return discards
		},
	},
	{
		name: "what is detached keeps its place", world: taken,
		expected: "I1: active: the core says 1",
		after: func(c *call) {
			if c.op.Kind == core.KindDetach && c.ended() && c.op.Status == core.OK {
				c.st.Active++
			}
		},
	},
	{
		name: "a detach keeps the slot of a probe", world: taken,
		expected: "I8: probes: the core says 1",
		after: func(c *call) {
			if c.op.Kind == core.KindDetach && c.ended() && c.st.Breaker.Probes < c.wasAll.Breaker.Probes {
				c.st.Breaker.Probes++
			}
		},
	},
	{
		name: "who waits is not served by a pool that grows", world: sized,
		expected: "was not woken",
		after: func(c *call) {
			if c.op.Kind == core.KindResize && c.st.Ready.Head != nil {
				ungrant(c.st)
			}
		},
	},
	{
		name: "what comes back to a pool that has shrunk is kept", world: sized,
		expected: "I5: a release ends",
		instead:  func(c *call) bool { return c.op.Kind == core.KindRelease && c.roomily() },
	},
	{
		name: "what was kept for one who leaves a pool that has shrunk is kept on", world: sized,
		expected: "and nobody destroys what is too many",
		instead: func(c *call) bool {
			return c.ask == nil && c.op.Flags&core.FlagBound != 0 && c.roomily()
		},
	},
	{
		name: "a pool that has shrunk makes what it has promised", world: sized,
		expected: "I2: reserved: the core says",
		instead: func(c *call) bool {
			resizes := c.ask != nil && c.op.Kind == core.KindResize && c.op.Step == core.StepBegin && c.st.Owed.Head != nil
			if resizes {
				owed := c.st.Owed
				c.st.Owed = core.Reservations{}
				c.core.Next(c.op, &c.answer, c.ask)
				c.st.Owed = owed
			}
			return resizes
		},
	},
	{
		name: "who loses its promise after an opening is not told", world: sizedByHand,
		expected: "was not woken",
		after: func(c *call) {
			if op := c.st.Ready.Head; c.op.Kind == core.KindResize && op != nil && c.st.SentAway(op) == core.Unavail {
				unlink(&c.st.Ready, op)
			}
		},
	},
	{
		name: "a trim destroys one more", world: trimming,
		expected: "I5: an op destroys what it does not have",
		before: func(c *call) {
			if c.op.Kind == core.KindTrim && c.op.Step == core.StepPurge && c.op.Visits > 0 {
				c.op.Visits--
				c.op.Pass = 2
			}
		},
	},
	{
		name: "a trim keeps one more", world: trimming,
		expected: "truth: it is told OK",
		before: func(c *call) {
			if c.op.Kind == core.KindTrim && c.op.Step == core.StepBegin {
				c.op.Visits++
			}
		},
	},
	{
		name: "a trim goes below the least", world: trimming,
		expected: "I5: an op destroys what it does not have",
		before: func(c *call) {
			if c.op.Kind == core.KindTrim {
				c.st.MinSize--
			}
		},
		after: func(c *call) {
			if c.op.Kind == core.KindTrim {
				c.st.MinSize++
			}
		},
	},
	{
		name: "a trim goes on with what comes back meanwhile", world: trimming,
		expected: "I5: an op destroys what it does not have",
		before: func(c *call) {
			if c.op.Kind == core.KindTrim && c.op.Step == core.StepPurge {
				c.op.Pass++
			}
		},
	},
	{
		name: "a resize destroys one more", world: sized,
		expected: "I5: an op destroys what it does not have",
		before: func(c *call) {
			if c.op.Kind == core.KindResize && c.op.Step == core.StepPurge {
				c.st.MaxSize--
			}
		},
		after: func(c *call) {
			if c.op.Kind == core.KindResize && c.was.Step == core.StepPurge {
				c.st.MaxSize++
				if c.st.Idle+c.st.Active <= c.st.MaxSize {
					c.st.Gate &^= core.GateAbove
				}
			}
		},
	},
	{
		name: "what is evicted comes back and is kept", world: evicting,
		expected: "I5: a release ends",
		before: func(c *call) {
			if c.op.Kind == core.KindRelease && c.op.Step == core.StepCheckIn && c.st.Evicted > 0 {
				c.relabel()
			}
		},
	},
	{
		name: "what is evicted is lent again after its check", world: evicting,
		expected: "a refused resource is lent",
		before: func(c *call) {
			if c.ask != nil && c.op.Step == core.StepCheckOut && c.answer.OK && c.st.Evicted > 0 {
				c.relabel()
			}
		},
	},
	{
		name: "an evict forgets what is being made", world: evicting,
		expected: "I9: evicted: the core says 0",
		before: func(c *call) {
			if c.ask != nil && c.op.Step == core.StepCreate {
				c.op.Evicts = c.st.Evicts
			}
		},
	},
	{
		name: "an evict leaves alone what is idle", world: evicting,
		expected: "truth: it is told OK",
		instead: func(c *call) bool {
			evicts := c.ask != nil && c.op.Kind == core.KindEvict && c.op.Step == core.StepBegin && queued(c.st) > 0
			if evicts {
				*c.ask = core.Ask{}
				c.op.Step = core.StepDone
			}
			return evicts
		},
	},
	{
		name: "a drain sends the line away", world: draining,
		expected: "was woken for nothing",
		after: func(c *call) {
			if c.op.Kind == core.KindDrain && c.was.Step == core.StepBegin && c.op.Step == core.StepWait && c.st.Waiting == 1 {
				op := c.st.Waiters.Head
				unlink(&c.st.Waiters, op)
				c.st.Waiting--
				op.List = listReady
				c.st.Ready = core.List{Head: op, Tail: op}
			}
		},
	},
	{
		name: "who drains is not told that nothing is left", world: draining,
		expected: "was not woken",
		after: func(c *call) {
			if op := c.st.Ready.Head; op != nil && op.Kind == core.KindDrain {
				unlink(&c.st.Ready, op)
			}
		},
	},
	{
		name: "a newcomer is served by a pool that is drained", world: draining,
		expected: "I7: a caller",
		instead: func(c *call) bool {
			comes := c.newcomer() && c.st.Gate&core.GateDraining != 0 && !c.closed()
			if comes {
				c.st.Gate &^= core.GateDraining
				c.core.Next(c.op, &c.answer, c.ask)
				c.st.Gate |= core.GateDraining
			}
			return comes
		},
	},
	{
		name: "a lend of what was kept for who waited is not counted", world: owing,
		expected: "counts: lends: the core says",
		after: func(c *call) {
			if c.was.Step == core.StepCheckOut && c.ended() && c.op.Ticket != 0 && c.op.Status == core.OK {
				c.st.Counts.Lends--
			}
		},
	},
	{
		name: "who has waited is taken for one who has not", world: owing,
		expected: "counts: lends after a wait: the core says 0",
		after: func(c *call) {
			if c.ended() && c.op.Ticket != 0 && c.op.Status == core.OK {
				c.st.Counts.Waited--
			}
		},
	},
	{
		name: "what leaves the queue for a check is counted as lent", world: withSweep,
		expected: "counts: lends: the core says",
		after: func(c *call) {
			if c.op.Step == core.StepCheckUp && c.was.Step != core.StepCheckUp {
				c.st.Counts.Lends++
			}
		},
	},
	{
		name: "a creation is counted when it begins", world: twoCallers,
		expected: "counts: created: the core says 1",
		after: func(c *call) {
			if c.op.Step == core.StepCreate {
				c.st.Counts.Created++
			}
		},
	},
	{
		name: "a creation whose caller left is not counted", world: twoCallers,
		expected: "counts: failed: the core says 0",
		after: func(c *call) {
			if c.ask == nil && c.was.Step == core.StepCreate {
				c.st.Counts.Failed--
			}
		},
	},
	{
		name: "what before_acquire rejects counts as closed", world: twoCallers,
		expected: "counts: gone for reason 0: the core says 0",
		before: func(c *call) {
			if c.op.Step == core.StepReject {
				c.op.Why = core.WhyClosed
			}
		},
	},
	{
		name: "what is evicted counts as rejected", world: evicting,
		expected: "counts: gone for reason",
		before: func(c *call) {
			if c.op.Step == core.StepReject && c.op.Why == core.WhyEvicted {
				c.op.Why = core.WhyRejected
			}
		},
	},
	{
		name: "what a shrinking destroys counts as closed", world: sized,
		expected: "counts: gone for reason 8: the core says 0",
		before: func(c *call) {
			if c.op.Why == core.WhyShrunk {
				c.op.Why = core.WhyClosed
			}
		},
	},
	{
		name: "what a drain destroys counts as shrunk", world: draining,
		expected: "counts: gone for reason 8: the core says 1",
		before: func(c *call) {
			if c.st.Gate&core.GateDraining != 0 && !c.closed() && c.op.Why == core.WhyClosed {
				c.op.Why = core.WhyShrunk
			}
		},
	},
	{
		name: "what makes room for a probe counts as rejected", world: onCreations,
		expected: "counts: gone for reason 0: the core says 1",
		before: func(c *call) {
			if c.op.Step == core.StepReject && c.op.Why == core.WhyShrunk {
				c.op.Why = core.WhyRejected
			}
		},
	},
	{
		name: "what is detached counts as destroyed", world: taken,
		expected: "counts: gone for reason 7: the core says 1",
		after: func(c *call) {
			if c.op.Kind == core.KindDetach && c.ended() && c.op.Status == core.OK {
				c.st.Counts.Gone[core.WhyDetached]--
				c.st.Counts.Gone[core.WhyDiscarded]++
			}
		},
	},
	{
		name: "an acquire that is cancelled counts twice", world: threeCallers,
		expected: "counts: cancelled: the core says 2",
		after: func(c *call) {
			if c.ended() && c.was.Step != core.StepBegin && c.op.Status == core.Cancelled {
				c.st.Counts.Cancelled++
			}
		},
	},
	{
		name: "a peak is not taken note of", world: filled,
		expected: "counts: most active: the core says 0",
		after: func(c *call) {
			if c.st.PeakActive > c.wasAll.PeakActive {
				c.st.PeakActive--
			}
		},
	},
	{
		name: "the peak of those who wait is forgotten", world: threeCallers,
		expected: "counts: most waiting: the core says",
		after: func(c *call) {
			if c.st.Waiting < c.wasAll.Waiting {
				c.st.PeakWaiting = c.st.Waiting
			}
		},
	},
	{
		name: "what came back last is lent last", world: lastFirst,
		expected: "I5: BEFORE_ACQUIRE is about resource",
		before: func(c *call) {
			if q := &c.st.Queue; c.newcomer() && queued(c.st) == 2 {
				q.Head, q.Tail = q.Tail, q.Head
				entry(c.st, q.Head).Link = q.Tail
				record(c.st, q.Head).Older, record(c.st, q.Tail).Older = 0, q.Head+1
			}
		},
	},
	{
		name: "what a pass has seen goes up", world: lastFirst,
		expected: "a pass has seen 0 of the idle ones",
		after: func(c *call) {
			if c.was.Step == core.StepCheckUp && queued(c.st) == 1 {
				c.st.Seen = 0
			}
		},
	},
	{
		name: "a pass forgets what it has seen when that is lent", world: lastFirst,
		expected: "a pass has seen ",
		after: func(c *call) {
			if c.op.Kind <= core.KindTry && c.wasAll.Seen != c.st.Seen {
				c.st.Seen = c.wasAll.Seen
			}
		},
	},
	{
		name: "what is too old is lent", world: aging,
		expected: "before_acquire is asked about resource 1, which is worn",
		before: func(c *call) {
			if c.newcomer() {
				c.st.Ages.Lifetime++
			}
		},
		after: func(c *call) { c.st.Ages.Lifetime = c.wasAll.Ages.Lifetime },
	},
	{
		name: "what is used up is kept", world: usedUp,
		expected: "I5: a release ends, and resource 1 is neither",
		before: func(c *call) {
			if c.op.Kind == core.KindRelease {
				c.st.Ages.MaxUses++
			}
		},
		after: func(c *call) { c.st.Ages.MaxUses = c.wasAll.Ages.MaxUses },
	},
	{
		name: "a pass destroys what is not worn", world: unchecked,
		expected: "a pass destroys something, and has nothing",
		before: func(c *call) {
			if c.op.Kind == core.KindSweep {
				c.st.Ages.Clock++
			}
		},
		after: func(c *call) { c.st.Ages.Clock = c.wasAll.Ages.Clock },
	},
	{
		name: "a pass looks at the first only", world: unchecked,
		expected: "truth: an op of kind 5 is told OK",
		after: func(c *call) {
			if c.op.Step == core.StepPause {
				c.op.Visits = 0
				c.core.Next(c.op, &core.Answer{}, c.ask)
			}
		},
	},
	{
		name: "a pass pauses for ever", world: unchecked,
		expected: "a pass pauses, and has looked at little",
		instead: func(c *call) bool {
			again := c.ask != nil && c.op.Step == core.StepPause
			if again {
				*c.ask = core.Ask{Kind: core.AskDone, Status: core.Pending}
			}
			return again
		},
	},
	{
		name: "a pass leaves less than the minimum", world: idling,
		expected: "resource 1 is destroyed, and is not worn",
		before: func(c *call) {
			if c.op.Kind == core.KindSweep && c.st.Idle > 0 {
				c.st.MinSize = 0
			}
		},
		after: func(c *call) { c.st.MinSize = c.wasAll.MinSize },
	},
	{
		name: "what is idle for long stays", world: idling,
		expected: "healthcheck is asked about resource",
		before: func(c *call) {
			if c.op.Kind == core.KindSweep {
				c.st.Ages.IdleTimeout++
			}
		},
		after: func(c *call) { c.st.Ages.IdleTimeout = c.wasAll.Ages.IdleTimeout },
	},
	{
		name: "a check makes what it checks young", world: idling,
		expected: "healthcheck is asked about resource",
		after: func(c *call) {
			if c.was.Step == core.StepCheckUp && c.op.Step == core.StepDone {
				for i := range c.st.Registry.First.Fresh {
					if e := entry(c.st, i); e.State == core.EntryIdle {
						e.Flags = 0
					}
				}
			}
		},
	},
	{
		name: "a leak is told twice", world: leaking, expected: "resource 1 is told as leaked, and it is not so",
		before: func(c *call) {
			if c.ask != nil && c.op.Kind == core.KindSweep && c.op.Step == core.StepBegin {
				for i := range c.st.Registry.First.Fresh {
					if e := entry(c.st, i); e.State == core.EntryLent {
						e.Flags &^= core.EntryTold
					}
				}
			}
		},
	},
	{
		name: "a leak is told too early", world: leaking, expected: "resource 1 is told as leaked, and it is not so",
		before: func(c *call) {
			if c.op.Kind == core.KindSweep {
				c.st.Ages.LeakAfter--
			}
		},
		after: func(c *call) { c.st.Ages.LeakAfter = c.wasAll.Ages.LeakAfter },
	},
	{
		name: "a pass overlooks the last leak", world: leaking, expected: "leaks: a pass has overlooked some",
		after: func(c *call) {
			if c.op.Kind == core.KindSweep && c.op.Step == core.StepLeaked {
				c.op.Plan = 0
			}
		},
	},
	{
		name: "a leak is not counted", world: leaking, expected: "counts: leaked",
		after: func(c *call) { c.st.Counts.Leaked = 0 },
	},
	{
		name: "a lend is said to be another's", world: timed, expected: "is lent to",
		before: func(c *call) {
			if c.newcomer() {
				c.st.Ages.Thread++
			}
		},
	},
	{
		name: "what came back just now is checked", world: checkedLate,
		expected: "before_acquire is asked about resource 1, which came back just now",
		before: func(c *call) {
			if c.newcomer() {
				c.st.Ages.CheckAfter--
			}
		},
		after: func(c *call) { c.st.Ages.CheckAfter = c.wasAll.Ages.CheckAfter },
	},
	{
		name: "what came back long ago is not checked", world: checkedLate,
		expected: "I5: resource 1 is lent, it should be 0",
		before: func(c *call) {
			if c.newcomer() {
				c.st.Ages.CheckAfter++
			}
		},
		after: func(c *call) { c.st.Ages.CheckAfter = c.wasAll.Ages.CheckAfter },
	},
	{
		name: "a pool that shrinks destroys what came back last", world: lastFirstSized,
		expected: "I5: DESTROY is about resource",
		before: func(c *call) {
			if q := &c.st.Queue; c.ask != nil && c.op.Kind == core.KindResize && c.op.Step == core.StepBegin && queued(c.st) == 2 {
				q.Head, q.Tail = q.Tail, q.Head
				entry(c.st, q.Head).Link = q.Tail
				record(c.st, q.Head).Older, record(c.st, q.Tail).Older = 0, q.Head+1
			}
		},
	},
	{
		name: "an evict leaves what a pass has seen", world: lastFirstSized,
		expected: "a pass has seen ",
		after: func(c *call) {
			if c.op.Kind == core.KindEvict && c.was.Step == core.StepBegin {
				c.st.Seen = c.wasAll.Seen
			}
		},
	},
	{
		name: "what is too old counts as rejected", world: aging,
		expected: "counts: gone for reason 0: the core says 1",
		before: func(c *call) {
			if c.op.Why == core.WhyLifetime {
				c.op.Why = core.WhyRejected
			}
		},
	},
	{
		name: "what is used up counts as too old", world: usedUp,
		expected: "counts: gone for reason 3: the core says 1",
		before: func(c *call) {
			if c.op.Why == core.WhyUses {
				c.op.Why = core.WhyLifetime
			}
		},
	},
	{
		name: "what was idle for long counts as dead", world: idling,
		expected: "counts: gone for reason 2: the core says 1",
		before: func(c *call) {
			if c.op.Why == core.WhyIdle {
				c.op.Why = core.WhyDead
			}
		},
	},
	{
		name: "what a pass leaves where it is counts as lent", world: unchecked,
		expected: "counts: lends: the core says",
		after: func(c *call) {
			if c.op.Kind == core.KindSweep && c.op.Visits < c.was.Visits {
				c.st.Counts.Lends++
			}
		},
	},
	{
		name: "a pass leaves fewer idle than there shall be", world: keeping,
		expected: "truth: an op of kind 5 is told OK",
		before: func(c *call) {
			if c.op.Kind == core.KindSweep {
				c.st.Gate &^= core.GateMinIdle
			}
		},
	},
	{
		name: "nobody has a pass begin when fewer are idle", world: keeping,
		expected: "truth: a pass is to begin: the core says false",
		after:    func(c *call) { c.st.Prompt = 0 },
	},
	{
		name: "a pass that fails has another begin", world: keeping,
		expected: "truth: a pass is to begin: the core says true",
		after: func(c *call) {
			if c.op.Kind == core.KindSweep && c.was.Step == core.StepCreate && c.st.Gate&core.GateLacks != 0 {
				c.st.Prompt = 1
			}
		},
	},
	{
		name: "two passes make one each where one is missing", world: keeping,
		expected: "what passes make or check: the core says 0",
		after: func(c *call) {
			if c.op.Step == core.StepCreate {
				c.st.Ahead = 0
			}
		},
	},
}
