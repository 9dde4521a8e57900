package search

import (
	"fmt"
	"unsafe"

	"asyncpool/pool/core"
)

// The fast path does without a step of the core what needs no decision: that of the C driver (bridge/fast.h, see
// fast_c.go), and that of the driver for goroutines (pool/core/fast.go, see fast_go.go). In each state each move is
// first shown to both. What they leave to the core they must not touch; what they do must leave the memory as the core
// leaves it, word by word: who is to be woken, in which order, with which ticket and turn.

// FastWay is a way through the fast path of one of the two languages.
type FastWay uint8

// The ways.
const (
	CTake           FastWay = iota // an idle resource, without an op
	CTakeShort                     // the same, the short way
	CLend                          // the same for an op
	CEmpty                         // a try that finds no place
	COverloaded                    // one more than may wait
	CCheckOut                      // an idle resource, which before_acquire sees first
	CPassed                        // it says yes
	CGive                          // back to the idle ones
	CGiveShort                     // the same, the short way
	CGiveOwed                      // or to who is owed it
	CGivePromised                  // and its place is promised to the first in line
	CJoin                          // the line
	CEarly                         // back too early
	CPromised                      // back to a promised place
	CLate                          // back too late
	CCancel                        // away from the line
	CCancelPromised                // away from a promised place
	CCheckIn                       // back to before_release
	CReport                        // it says yes, which is told
	CKeep                          // an op gives back to the idle ones
	CHear                          // an ask that a loop has left for later, see fast_unheard.go
	CCancelUnheard                 // away before it was heard
	CTakeLease                     // an idle resource by lease, without an op
	CTakeLeaseShort
	CGiveLease // and back
	CGiveLeaseShort
	GoTake // as those of C
	GoGive
	GoGiveOwed
	GoJoin
	GoHandOver // the resource is lent to the first in line
	fastWays
)

var fastNames = [fastWays]string{
	"C take", "C take short", "C lend", "C empty", "C overloaded", "C check out", "C passed", "C give", "C give short", "C give owed",
	"C give promised", "C join", "C early", "C promised", "C late", "C cancel", "C cancel promised", "C check in",
	"C report", "C keep", "C hear", "C cancel unheard", "C take lease", "C take lease short", "C give lease",
	"C give lease short", "Go take", "Go give", "Go give owed", "Go join", "Go hand over",
}

// fast is what the fast path made of a move.
type fast struct {
	way      FastWay
	resource uintptr
	lease    uint64
	ok       bool // the answer to the ask before
	kind     core.AskKind
	status   core.Status
	served   *core.Op // who was lent what came back
	memory   memory
}

// fastCall is one function of the fast path, as its driver calls it for an op that is at this move. False: the core
// must decide.
type fastCall struct {
	name string
	do   func(b *Board, op *core.Op, f *fast) bool
}

// What fits a move: of who comes, of who gives back, of who cancels, of who comes back.
var (
	fastComes = []fastCall{
		{"C take", (*Board).cTake}, {"C take short", (*Board).cTakeShort}, {"C step", (*Board).cStep},
		{"Go take", (*Board).goTake}, {"Go join", (*Board).goJoin},
	}
	fastGives = []fastCall{
		{"C give", (*Board).cGive}, {"C give short", (*Board).cGiveShort}, {"C step", (*Board).cStep},
		{"Go give", (*Board).goGive}, {"Go hand over", (*Board).goHandOver},
	}
	fastComesByLease = []fastCall{
		{"C take lease", (*Board).cTakeLease}, {"C take lease short", (*Board).cTakeLeaseShort}, {"C step", (*Board).cStep},
	}
	fastGivesByLease = []fastCall{
		{"C give lease", (*Board).cGiveLease}, {"C give lease short", (*Board).cGiveLeaseShort}, {"C step", (*Board).cStep},
	}
	fastCancels = []fastCall{{"C cancel", (*Board).cCancel}}
	fastBacks   = []fastCall{{"C step", (*Board).cStep}}
)

// fastCalls are those that fit a move.
func (b *Board) fastCalls(m Move) []fastCall {
	switch m.Verb {
	case Acquire, AcquireTimed, AcquireLate, Try:
		if b.world.Callers[m.Actor].Lease {
			return fastComesByLease
		}
		return fastComes
	case GiveLease:
		return fastGivesByLease
	case Release:
		return fastGives
	case Cancel:
		return fastCancels
	case Yes, No, Late, LateNo:
		return fastBacks
	}
	return nil
}

// tryFast shows a move to the fast path, in each way that fits it.
func (s *searcher) tryFast(m Move) error {
	s.tried = 0
	s.board.keeps = false
	for _, c := range s.board.fastCalls(m) {
		if wrap := s.board.world.WrapFast; wrap != nil {
			c = wrap(c)
		}
		if err := s.tryFastCall(m, c); err != nil {
			return err
		}
	}
	return nil
}

// tryFastCall goes one way, and back.
func (s *searcher) tryFastCall(m Move, c fastCall) error {
	b, f, here := s.board, &s.fast[s.tried], &s.path[len(s.path)-1].memory
	*f = fast{ok: m.Verb == Yes || m.Verb == Late}
	op := &b.memory.ops[m.Actor]
	if m.Verb < Yes {
		*op = b.opOf(m)
	} else {
		b.tell(m)
	}
	before, ages := *op, &b.memory.state.Ages
	b.comes(int(m.Actor))
	if c.do(b, op, f) {
		f.memory = *b.memory
		*b.memory = *here
		s.tried++
		b.keeps = true
		return nil
	}
	ages.Thread, ages.Note = here.state.Ages.Thread, here.state.Ages.Note
	untouched := *op == before
	*op = here.ops[m.Actor]
	if !untouched || *b.memory != *here {
		return fmt.Errorf("fast: %s leaves a move to the core, and has changed something", c.name)
	}
	return nil
}

// compareFast compares what the fast path made of a move with what the core has made of it.
func (s *searcher) compareFast() error {
	b := s.board
	for i := range s.tried {
		f := &s.fast[i]
		s.report.Fast[f.way]++
		if b.told.Kind != f.kind || b.told.Status != f.status || b.told.Resource != f.resource || b.told.Lease != f.lease {
			return fmt.Errorf("fast: %s says %s, and the core %s", fastNames[f.way],
				textOf(&core.Ask{Kind: f.kind, Status: f.status, Resource: f.resource}), textOf(&b.told))
		}
		expected := &b.left
		if f.served != nil {
			if b.left.state.Ready.Head != f.served {
				return fmt.Errorf("fast: %s serves somebody else than the core", fastNames[f.way])
			}
			expected = s.leftAfterServing(f)
		}
		if f.memory != *expected {
			return fmt.Errorf("fast: %s does something else than the core: %s", fastNames[f.way],
				difference(&f.memory, expected))
		}
	}
	return nil
}

// leftAfterServing is what the core makes of a release, of the grant of its place and of the next step of who is served,
// together. Between them the resource is in the queue of the idle, which leaves traces there: they mean nothing while
// the queue is empty, as it was and is.
func (s *searcher) leftAfterServing(f *fast) *memory {
	b := s.board
	now := *b.memory
	*b.memory = b.left
	st, op := &b.memory.state, f.served
	st.Ready.Pop()
	b.core.Next(op, &core.Answer{Now: b.account.now}, &core.Ask{})
	if st.Queue.Put == st.Queue.Taken && f.memory.state.Queue.Put == f.memory.state.Queue.Taken {
		st.Counts.Lends += uint64(st.Queue.Taken) - uint64(f.memory.state.Queue.Taken) // counted there
		st.Queue = f.memory.state.Queue
		b.memory.entry(op.Entry).Link = f.memory.entry(op.Entry).Link
		if st.Registry.Records {
			b.memory.record(op.Entry).Older = f.memory.record(op.Entry).Older
		}
	}
	s.served, *b.memory = *b.memory, now
	return &s.served
}

// difference tells where two memories differ first.
func difference(got, expected *memory) string {
	size, ops := unsafe.Sizeof(core.Op{}), unsafe.Offsetof(got.ops)
	for at := uintptr(0); at < unsafe.Sizeof(*got); at += 8 {
		a, b := *got.word(at), *expected.word(at)
		switch {
		case a == b:
		case at < ops:
			return fmt.Sprintf("%#x, not %#x, at %d of the state", a, b, at)
		case at < unsafe.Offsetof(got.entries):
			return fmt.Sprintf("%#x, not %#x, at %d of op %d", a, b, (at-ops)%size, (at-ops)/size)
		default:
			return fmt.Sprintf("%#x, not %#x, at %d of the memory", a, b, at)
		}
	}
	return "nothing"
}

func (m *memory) word(at uintptr) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(m), at)) }
