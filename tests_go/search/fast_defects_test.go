package search

import (
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// The comparison with the fast path is tested with functions of it that are broken on purpose, in both languages.

// fastDefect is one way to be wrong: something happens before one of the functions or after it.
type fastDefect struct {
	name, of string // of which function
	world    World
	expected string
	before   func(*fastMoment)
	after    func(*fastMoment)
}

// fastMoment is one call of the function.
type fastMoment struct {
	st    *core.State
	op    *core.Op
	f     *fast
	was   core.State
	wasOp core.Op
	done  bool // afterwards: it did it
}

// hidden is a bit of the gate that the function does not see.
func hidden(bit uint32) (before, after func(*fastMoment)) {
	return func(m *fastMoment) { m.st.Gate &^= bit }, func(m *fastMoment) { m.st.Gate |= m.was.Gate & bit }
}

// wrong does something where the function has done what it does.
func wrong(what func(*fastMoment)) func(*fastMoment) {
	return func(m *fastMoment) {
		if m.done {
			what(m)
		}
	}
}

var (
	onePlace  = World{Max: 1, Callers: three, Closers: 1}
	twoPlaces = World{Max: 2, Callers: four}
	lastTaken = World{Max: 2, Callers: three, LIFO: true}
	growOld   = World{Max: 1, Callers: two, Lifetime: 1, Uses: 2}
	timed     = World{Max: 2, Callers: two, Timed: true}
	seldom    = World{Max: 1, Asks: core.AsksBeforeAcquire, Callers: two, CheckAfter: 1}
	withHand  = World{Max: 1, Callers: two, Hand: anywhere}
	withEvict = World{Max: 2, Callers: two, Evictors: 1}
	shrinking = World{Max: 2, Callers: two, Resizers: 1, Sizes: sizes}
	filled    = World{Max: 2, Min: 2, Callers: three, Fillers: 1}
	leases    = World{Max: 2, Callers: []Caller{leased, leased}}
	withHooks = World{Max: 1, Asks: hooks, Callers: three, Hand: anywhere}
)

var fastDefects = func() []fastDefect {
	hideBreaker, showBreaker := hidden(core.GateBreaker)
	hideLine, showLine := hidden(core.GateWaiters)
	hideEvicted, showEvicted := hidden(core.GateEvicted)
	hideAbove, showAbove := hidden(core.GateAbove)
	return []fastDefect{
		{
			name: "keeps what is evicted", of: "C give", world: withEvict, expected: "C give",
			before: hideEvicted, after: showEvicted,
		},
		{
			name: "keeps what is evicted", of: "C step", world: withEvict, expected: "C keep",
			before: hideEvicted, after: showEvicted,
		},
		{
			name: "keeps what is too many", of: "C give short", world: shrinking, expected: "C give short",
			before: hideAbove, after: showAbove,
		},
		{
			name: "keeps what is too many", of: "Go give", world: shrinking, expected: "Go give",
			before: hideAbove, after: showAbove,
		},
		{
			name: "lends while the breaker is open", of: "C take", world: withHand, expected: "C take",
			before: hideBreaker, after: showBreaker,
		},
		{
			name: "touches what it leaves to the core", of: "C take", world: onePlace,
			expected: "C take leaves a move to the core, and has changed something",
			after: func(m *fastMoment) {
				if !m.done && m.st.Active == 1 {
					m.st.Turns++
				}
			},
		},
		{
			name: "lends the newest", of: "C take short", world: twoPlaces, expected: "C take short says",
			before: func(m *fastMoment) {
				if q := &m.st.Queue; queued(m.st) == 2 {
					q.Head, q.Tail = q.Tail, q.Head
					entry(m.st, q.Head).Link = q.Tail
				}
			},
			after: func(m *fastMoment) {
				if !m.done {
					m.st.Queue = m.was.Queue
				}
			},
		},
		{
			name: "lends the oldest where the last comes first", of: "C take", world: lastTaken, expected: "C take says",
			before: func(m *fastMoment) {
				if q := &m.st.Queue; queued(m.st) == 2 {
					q.Head, q.Tail = q.Tail, q.Head
					entry(m.st, q.Head).Link = q.Tail
					record(m.st, q.Head).Older, record(m.st, q.Tail).Older = 0, q.Head+1
				}
			},
		},
		{
			name: "lends what is worn", of: "C take", world: growOld, expected: "C take says",
			before: func(m *fastMoment) { m.st.Ages.Lifetime++ }, after: func(m *fastMoment) { m.st.Ages.Lifetime-- },
		},
		{
			name: "tells another number", of: "C take lease", world: leases, expected: "C take lease says",
			after: wrong(func(m *fastMoment) { m.f.lease++ }),
		},
		{
			name: "does not keep the number", of: "C step", world: leases, expected: "C lend says",
			after: wrong(func(m *fastMoment) { m.f.lease = 0 }),
		},
		{
			name: "does not mark it", of: "C take lease short", world: leases, expected: "C take lease short does something else",
			after: wrong(func(m *fastMoment) { entry(m.st, m.was.Queue.Head).Flags = 0 }),
		},
		{
			name: "leaves it marked", of: "C give lease", world: leases, expected: "C give lease does something else",
			after: wrong(func(m *fastMoment) { entry(m.st, m.st.Queue.Tail).Flags = core.EntryLeased }),
		},
		{
			name: "does nothing, and says otherwise", of: "C give lease short", world: World{Max: 1, Callers: []Caller{leased, leased}}, expected: "C give lease short",
			after: func(m *fastMoment) { m.done = true },
		},
		{
			name: "does not have checked what is idle for long", of: "C take", world: seldom, expected: "C take says",
			before: func(m *fastMoment) { m.st.Ages.CheckAfter++ }, after: func(m *fastMoment) { m.st.Ages.CheckAfter-- },
		},
		{
			name: "keeps what is worn", of: "C give", world: growOld, expected: "C give says",
			before: func(m *fastMoment) { m.st.Ages.MaxUses++ }, after: func(m *fastMoment) { m.st.Ages.MaxUses-- },
		},
		{
			name: "keeps what is worn", of: "C give short", world: growOld, expected: "C give short says",
			before: func(m *fastMoment) { m.st.Ages.MaxUses++ }, after: func(m *fastMoment) { m.st.Ages.MaxUses-- },
		},
		{
			name: "lends what is worn", of: "C take short", world: growOld, expected: "C take short says",
			before: func(m *fastMoment) { m.st.Ages.Lifetime++ }, after: func(m *fastMoment) { m.st.Ages.Lifetime-- },
		},
		{
			name: "does not say who has it", of: "C take short", world: timed, expected: "C take short does something else",
			before: func(m *fastMoment) { m.st.Ages.Thread += 7 }, after: func(m *fastMoment) { m.st.Ages.Thread -= 7 },
		},
		{
			name: "does not say since when it is idle", of: "C give short", world: growOld,
			expected: "C give short does something else", after: wrong(func(m *fastMoment) { record(m.st, m.st.Queue.Tail).Since++ }),
		},
		{
			name: "does not say who has it", of: "C take", world: timed, expected: "C take does something else",
			before: func(m *fastMoment) { m.st.Ages.Thread += 7 }, after: func(m *fastMoment) { m.st.Ages.Thread -= 7 },
		},
		{
			name: "does not say who has it", of: "Go take", world: timed, expected: "Go take does something else",
			before: func(m *fastMoment) { m.st.Ages.Note += 7 }, after: func(m *fastMoment) { m.st.Ages.Note -= 7 },
		},
		{
			name: "does not count the lends", of: "Go take", world: growOld, expected: "Go take does something else",
			after: wrong(func(m *fastMoment) { record(m.st, 0).Uses-- }),
		},
		{
			name: "does not say since when it is lent", of: "Go hand over", world: growOld,
			expected: "Go hand over does something else", after: wrong(func(m *fastMoment) { record(m.st, 0).Since-- }),
		},
		{
			name: "does not say what is older", of: "C give", world: lastTaken, expected: "C give does something else",
			after: wrong(func(m *fastMoment) { record(m.st, m.st.Queue.Tail).Older++ }),
		},
		{
			name: "puts what was kept below the others", of: "C cancel", world: World{Max: 3, Callers: []Caller{single, single, single, single, single}, LIFO: true},
			expected: "C cancel promised does something else",
			after: wrong(func(m *fastMoment) {
				if q := &m.st.Queue; queued(m.st) == 2 && m.wasOp.Flags&core.FlagBound != 0 {
					q.Head, q.Tail = q.Tail, q.Head
					entry(m.st, q.Head).Link = q.Tail
					record(m.st, q.Head).Older, record(m.st, q.Tail).Older = 0, q.Head+1
				}
			}),
		},
		{
			name: "counts an idle one twice", of: "C give", world: onePlace, expected: "C give does something else",
			after: wrong(func(m *fastMoment) { m.st.Idle++ }),
		},
		{
			name: "does not say in which pass it became idle", of: "C give short", world: onePlace,
			expected: "C give short does something else",
			after:    wrong(func(m *fastMoment) { entry(m.st, m.st.Queue.Tail).Mark++ }),
		},
		{
			name: "leaves who is in line where it is", of: "C give short", world: onePlace,
			expected: "C give short does something else", before: hideLine, after: showLine,
		},
		{
			name: "promises the place to the last in line", of: "C give", world: onePlace,
			expected: "C give promised does something else",
			after: func(m *fastMoment) {
				if m.st.Ready.Head != nil && m.st.Waiting > 0 {
					last := m.st.Waiters.Tail
					ungrant(m.st)
					grant(m.st, last)
				}
			},
		},
		{
			name: "keeps nothing for who is owed one", of: "C give", world: twoPlaces,
			expected: "C give does something else",
			before:   func(m *fastMoment) { m.st.Owed = core.Reservations{} },
			after: func(m *fastMoment) {
				if m.st.Owed = m.was.Owed; m.done && m.was.Owed.Head != nil {
					m.f.way = CGive
				}
			},
		},
		{
			name: "draws no ticket", of: "C step", world: onePlace, expected: "C join does something else",
			after: wrong(func(m *fastMoment) {
				if m.op.List == listWaiters {
					m.op.Ticket--
				}
			}),
		},
		{
			name: "makes a line longer than it may be", of: "C step", world: fullLine,
			expected: "C join says WAIT, and the core DONE OVERLOADED",
			before:   func(m *fastMoment) { m.st.MaxWaiting++ },
			after:    func(m *fastMoment) { m.st.MaxWaiting-- },
		},
		{
			name: "sends who comes back too early to the end of the line", of: "C step", world: onePlace,
			expected: "C early does something else",
			after: wrong(func(m *fastMoment) {
				if m.op.List == listWaiters && m.was.Waiting == 2 && m.op == m.was.Waiters.Head {
					unlink(&m.st.Waiters, m.op)
					pushBack(&m.st.Waiters, m.op, listWaiters)
				}
			}),
		},
		{
			name: "does not look at the deadline", of: "C step", world: onePlace, expected: "C early",
			before: func(m *fastMoment) {
				if m.op.Step == core.StepWait && m.op.Deadline != core.Never {
					m.op.Deadline += far
				}
			},
			after: func(m *fastMoment) {
				if m.wasOp.Step == core.StepWait && m.op.Step == core.StepWait {
					m.op.Deadline, m.op.Until = m.wasOp.Deadline, m.wasOp.Deadline
				}
			},
		},
		{
			name: "takes a promised place and leaves it promised", of: "C step", world: onePlace,
			expected: "C promised does something else",
			after: wrong(func(m *fastMoment) {
				if m.st.Reserved < m.was.Reserved && m.f.way == CPromised {
					m.st.Reserved++
				}
			}),
		},
		{
			name: "takes a no for a yes", of: "C step", world: withHooks, expected: "C keep says DONE OK",
			before: func(m *fastMoment) { m.f.ok = true },
		},
		{
			name: "lends what outlives an opening", of: "C step", world: withHooks, expected: "C passed",
			before: func(m *fastMoment) {
				if m.op.Step == core.StepCheckOut {
					m.st.Gate &^= core.GateBreaker
					m.op.Epoch = m.st.Breaker.Epoch
				}
			},
			after: func(m *fastMoment) {
				showBreaker(m)
				if !m.done {
					m.op.Epoch = m.wasOp.Epoch
				}
			},
		},
		{
			name: "counts no success", of: "C step", world: builtIn, expected: "C keep does something else",
			after: wrong(func(m *fastMoment) { m.st.Breaker.Count = m.was.Breaker.Count }),
		},
		{
			name: "counts a success that does not count", of: "C step", world: onCreations,
			expected: "C keep does something else",
			before:   func(m *fastMoment) { m.st.Breaker.Counts |= core.CountReleases },
			after:    func(m *fastMoment) { m.st.Breaker.Counts = m.was.Breaker.Counts },
		},
		{
			name: "lets a place go with one whose time is up", of: "C step", world: withHooks,
			expected: "C late does something else",
			after: wrong(func(m *fastMoment) {
				if m.f.way == CLate && m.was.Reserved > 0 {
					m.st.Turns--
				}
			}),
		},
		{
			name: "gives what was promised to nobody", of: "C cancel", world: withHooks,
			expected: "C cancel promised does something else",
			after: wrong(func(m *fastMoment) {
				if m.f.way == CCancelPromised && m.st.Ready.Head != nil {
					ungrant(m.st)
				}
			}),
		},
		{
			name: "leaves the gate as it was", of: "C cancel", world: onePlace,
			expected: "C cancel does something else",
			after:    wrong(func(m *fastMoment) { m.st.Gate = m.was.Gate }),
		},
		{
			name: "takes no note of a peak", of: "C take", world: filled, expected: "C take does something else",
			after: wrong(func(m *fastMoment) { m.st.PeakActive = m.was.PeakActive }),
		},
		{
			name: "does not count who has waited", of: "C step", world: onePlace, expected: "C promised does something else",
			after: wrong(func(m *fastMoment) {
				if m.wasOp.Step == core.StepWait {
					m.st.Counts.Waited = m.was.Counts.Waited
				}
			}),
		},
		{
			name: "counts no lend", of: "Go hand over", world: onePlace, expected: "Go hand over does something else",
			after: wrong(func(m *fastMoment) { m.st.Counts.Lends-- }),
		},
		{
			name: "goes beyond a peak", of: "Go take", world: filled, expected: "Go take does something else",
			before: func(m *fastMoment) { m.st.Queue.Put += m.st.Spare; m.st.Spare = 0 },
			after: func(m *fastMoment) {
				if !m.done {
					m.st.Queue, m.st.Spare = m.was.Queue, m.was.Spare
				}
			},
		},
		{
			name: "lends while the breaker is open", of: "Go take", world: withHand, expected: "Go take",
			before: hideBreaker, after: showBreaker,
		},
		{
			name: "marks no term", of: "Go take", world: withHand, expected: "Go take does something else",
			after: wrong(func(m *fastMoment) { entry(m.st, m.was.Queue.Head).Mark-- }),
		},
		{
			name: "leaves who is in line where it is", of: "Go give", world: onePlace,
			expected: "Go give does something else", before: hideLine, after: showLine,
		},
		{
			name: "keeps nothing for who is owed one", of: "Go give", world: twoPlaces,
			expected: "Go give does something else",
			before:   func(m *fastMoment) { m.st.Owed = core.Reservations{} },
			after:    func(m *fastMoment) { m.st.Owed = m.was.Owed },
		},
		{
			name: "counts no op", of: "Go join", world: onePlace, expected: "Go join does something else",
			after: wrong(func(m *fastMoment) { m.st.Ops-- }),
		},
		{
			name: "makes a line longer than it may be", of: "Go join", world: fullLine,
			expected: "Go join says WAIT, and the core DONE OVERLOADED",
			before:   func(m *fastMoment) { m.st.MaxWaiting++ },
			after:    func(m *fastMoment) { m.st.MaxWaiting-- },
		},
		{
			name: "stands in line while a place is free", of: "Go join", world: twoPlaces,
			expected: "Go join says WAIT, and the core",
			before:   func(m *fastMoment) { m.st.Active = m.st.MaxSize },
			after:    func(m *fastMoment) { m.st.Active = m.was.Active },
		},
		{
			name: "serves the last in line", of: "Go hand over", world: onePlace,
			expected: "Go hand over serves somebody else than the core",
			before: func(m *fastMoment) {
				if m.st.Waiting == 2 {
					last := m.st.Waiters.Tail
					unlink(&m.st.Waiters, last)
					pushFront(&m.st.Waiters, last)
				}
			},
			after: func(m *fastMoment) {
				if !m.done && m.st.Waiting == 2 {
					last := m.st.Waiters.Head
					unlink(&m.st.Waiters, last)
					pushBack(&m.st.Waiters, last, listWaiters)
				}
			},
		},
		{
			name: "says nobody's turn", of: "Go hand over", world: onePlace, expected: "Go hand over does something else",
			after: wrong(func(m *fastMoment) { m.f.served.Turn = 0 }),
		},
		{
			name: "leaves the op of who is served alive", of: "Go hand over", world: onePlace,
			expected: "Go hand over does something else", after: wrong(func(m *fastMoment) { m.st.Ops++ }),
		},
	}
}()

// wrap breaks one function.
func (d *fastDefect) wrap(c fastCall) fastCall {
	if c.name != d.of {
		return c
	}
	return fastCall{c.name, func(b *Board, op *core.Op, f *fast) bool {
		m := &fastMoment{st: &b.memory.state, op: op, f: f, was: b.memory.state, wasOp: *op}
		if d.before != nil {
			d.before(m)
		}
		m.done = c.do(b, op, f)
		if d.after != nil {
			d.after(m)
		}
		return m.done
	}}
}

func TestTheSearchFindsBrokenFastPaths(t *testing.T) {
	broken := map[string]bool{}
	for _, d := range fastDefects {
		broken[d.of] = true
		t.Run(d.of+" "+d.name, func(t *testing.T) {
			t.Parallel()
			w := d.world
			w.Name, w.WrapFast = d.name, d.wrap
			report, violation, err := w.Search(1_000_000)
			switch {
			case err != nil:
				t.Fatal(err)
			case violation == nil:
				t.Fatalf("not found in %d states", report.States)
			case !strings.HasPrefix(violation.Err.Error(), "fast: "+d.expected):
				t.Fatalf("expected %q\n%s", d.expected, violation)
			}
			t.Logf("%s", violation)
		})
	}
	for _, calls := range [][]fastCall{fastComes, fastGives, fastCancels, fastBacks} {
		for _, c := range calls {
			if !broken[c.name] {
				t.Errorf("%s is broken by none of them", c.name)
			}
		}
	}
}

// TestTheWorldsOfTheFastDefectsAreGood: it is the defect that is found, and nothing else.
func TestTheWorldsOfTheFastDefectsAreGood(t *testing.T) {
	for _, w := range []World{onePlace, twoPlaces, withHand, lastTaken, growOld, timed, seldom} {
		report, violation, err := w.Search(1_000_000)
		if err != nil || violation != nil {
			t.Fatal(err, violation)
		}
		t.Log(report)
	}
}
