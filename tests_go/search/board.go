package search

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// memory is all that the core knows, in one piece that can be copied away, copied back and compared. The
// pointers in it point into it, so it must be copied back to where it was. There it is memory of C, for the C
// code that works on it, too: see fast.go.
type memory struct {
	state   core.State
	ops     [maxActors + 1]core.Op // one for each actor; the last is for tries (nothing.go)
	entries [48]uint64             // room for 8 entries, and for their records, if there are any
	buckets [4]uint64              // and for 8 buckets
	ids     [8]uint64              // and for the ids of 8 entries
	taken   [3]bool                // which of them are given out
	starved uint8                  // 1, 2, 3: there is no memory for this one of them; 0: there is enough
	numbers uint64                 // the last one that was given out
}

// situation is a state of the world: what the core knows, and what those outside know.
type situation struct {
	memory  memory
	account account
}

// Board is a world in some state, and the driver of its actors.
type Board struct {
	memory  *memory
	account account
	world   *World
	core    Machine
	plain   *core.Core // the core itself, for its fast path
	told    core.Ask   // what was heard last, for the story
	keeps   bool       // the next move leaves behind
	left    memory     // what the core made of the memory, before anybody was woken
}

// restore goes back to a situation.
func (b *Board) restore(s *situation) { *b.memory, b.account = s.memory, s.account }

// NewBoard sets a world up, in its first state.
func NewBoard(w *World) (*Board, error) {
	if err := w.valid(); err != nil {
		return nil, err
	}
	world := *w
	world.Limit = max(world.Limit, 1) // as the core has it
	w = &world
	b := &Board{world: w, memory: (*memory)(cfast.Alloc(unsafe.Sizeof(memory{})))}
	runtime.AddCleanup(b, func(m *memory) { cfast.Free(unsafe.Pointer(m)) }, b.memory)
	b.account.open(w)
	st := &b.memory.state
	st.MaxSize, st.MinSize, st.MaxWaiting, st.Asks = w.Max, w.Min, w.Waiting, w.Asks|core.AsksDestroy
	st.Breaker.Limit = w.Limit
	if w.Retry {
		st.Patience.Retry, st.Patience.Longest = retryFor, retryMost
	}
	if w.LIFO {
		st.Options |= core.OptionLIFO
	}
	st.Ages = core.Ages{Lifetime: uint32(w.Lifetime), MaxUses: uint32(w.Uses), IdleTimeout: uint32(w.IdleTimeout),
		CheckAfter: uint32(w.CheckAfter)}
	st.Glances, st.MinIdle = w.Glances, w.MinIdle
	if st.Ages.LeakAfter = uint32(w.LeakAfter); w.Timed || w.LeakAfter != 0 {
		st.Ages.Timed = 1
	}
	st.Behind = uint32(bits(w.Behind))
	if w.Old {
		age(st)
	}
	st.Tick(b.account.now)
	st.Registry.Seed = [2]uint64{0x0123456789abcdef, 0xfedcba9876543210}
	machine, err := core.NewCore(st, b.memory)
	if err != nil {
		return nil, err
	}
	b.core, b.plain = machine, machine
	if w.Wrap != nil {
		b.core = w.Wrap(machine, st)
	}
	if w.Failures != 0 {
		b.core.SetThresholdOn(w.counts(), w.Failures, w.Successes, openFor)
	}
	b.account.lacked = b.account.lacks()
	st.Prompt = 0
	return b, b.check()
}

// age makes a pool one that has lived for so long that its next numbers are the last ones, and the first ones again.
// Tickets and turns have 64 bits.
func age(st *core.State) {
	st.Passes = math.MaxUint32 - 1
	st.Term, st.Breaker.Opened, st.Breaker.Epoch = math.MaxUint32-1, math.MaxUint32-1, math.MaxUint32
	st.Evicts, st.Label = math.MaxUint32-1, 254
	st.Queue.Taken, st.Queue.Put = math.MaxUint32-1, math.MaxUint32-1
	st.Counts.Lends -= uint64(st.Queue.Taken) // none yet
}

// Alloc gives out the pieces that a pool of so few places needs, told apart by their size.
func (m *memory) Alloc(size uintptr) unsafe.Pointer {
	for i, piece := range m.pieces() {
		if uintptr(len(piece))*8 != size {
			continue
		}
		if m.taken[i] {
			panic(fmt.Sprintf("memory: piece %d is asked for twice", i))
		}
		if int(m.starved) == i+1 {
			return nil
		}
		m.taken[i] = true
		clear(piece)
		return unsafe.Pointer(&piece[0])
	}
	panic(fmt.Sprintf("memory: %d bytes are asked for", size))
}

// Free takes a piece back.
func (m *memory) Free(p unsafe.Pointer) {
	for i, piece := range m.pieces() {
		if unsafe.Pointer(&piece[0]) == p && m.taken[i] {
			m.taken[i] = false
			return
		}
	}
	panic("memory: freed what was not given out")
}

// IDs gives out numbers.
func (m *memory) IDs(n uint64) uint64 {
	first := (m.numbers/n + 1) * n
	m.numbers = first + n - 1
	return first
}

func (m *memory) pieces() [3][]uint64 {
	entries := m.entries[:]
	if !m.state.Registry.Records {
		entries = entries[:8*unsafe.Sizeof(core.Entry{})/8]
	}
	return [3][]uint64{entries, m.buckets[:], m.ids[:]}
}

// entry is the i-th entry of the registry.
func (m *memory) entry(i uint32) *core.Entry {
	return &(*[8]core.Entry)(unsafe.Pointer(&m.entries))[i&7]
}

// record is the record of the i-th entry.
func (m *memory) record(i uint32) *core.Record {
	return &(*[8]core.Record)(unsafe.Pointer(&m.entries[8*unsafe.Sizeof(core.Entry{})/8]))[i&7]
}

// idleEntry is the entry of the i-th idle resource, oldest first.
func (m *memory) idleEntry(i uint32) *core.Entry {
	e := m.entry(m.state.Queue.Head)
	for ; i > 0; i-- {
		e = m.entry(e.Link)
	}
	return e
}

// lentEntry is the entry of a lent resource, or nil.
func (m *memory) lentEntry(word uint8) *core.Entry {
	for i := range m.state.Registry.First.Fresh {
		if e := m.entry(i); e.State == core.EntryLent && e.Word == uintptr(word) {
			return e
		}
	}
	return nil
}

// lentRecord is its record, if there are ages, or nil.
func (m *memory) lentRecord(word uint8) *core.Record {
	for i := range m.state.Registry.First.Fresh {
		if e := m.entry(i); e.State == core.EntryLent && e.Word == uintptr(word) && m.state.Gate&core.GateAges != 0 {
			return m.record(i)
		}
	}
	return nil
}

// isProbe and isStale say of a lent entry what the core will find when it comes back.
func (m *memory) isProbe(e *core.Entry) bool {
	return e.Flags&core.EntryProbe != 0 && e.Mark == m.state.Term
}

func (m *memory) isStale(e *core.Entry) bool {
	return e.Flags&core.EntryStale != 0 || int32(e.Mark-m.state.Breaker.Opened) < 0
}

// links are the first two fields of an op, which is how a driver in C takes ops off a list.
type links struct {
	next, prev *core.Op
}

func linksOf(op *core.Op) *links {
	return (*links)(unsafe.Pointer(op))
}

// op.List of one in line, and of one that was woken and that the host has not looked up.
const (
	listWaiters = 1
	listWoken   = 3
)

func pushBack(l *core.List, op *core.Op, list uint8) {
	op.List = list
	linksOf(op).prev = l.Tail
	if l.Tail != nil {
		linksOf(l.Tail).next = op
	} else {
		l.Head = op
	}
	l.Tail = op
}

// kindsBack are the kinds of ops that give back.
var kindsBack = map[Verb]core.Kind{Release: core.KindRelease, Discard: core.KindDiscard, Detach: core.KindDetach}

// opOf is the op that a move begins.
func (b *Board) opOf(m Move) core.Op {
	op := core.Op{Deadline: core.Never, Host: uintptr(m.Actor)}
	if m.Verb <= Try && b.world.Callers[m.Actor].Lease {
		op.ByLease = core.LeaseWanted
	}
	switch m.Verb {
	case AcquireTimed:
		op.Deadline = far
	case AcquireLate:
		op.Deadline = b.account.now
	case Try:
		op.Kind = core.KindTry
	case Release, Discard, Detach:
		op.Kind, op.Resource = kindsBack[m.Verb], uintptr(b.account.parties[m.Arg].held)
	case GiveLease:
		op.Kind, op.ByLease, op.Lease = core.KindRelease, 1, b.account.parties[m.Arg].lease
	case Sweep:
		op.Kind = core.KindSweep
	case Close:
		op.Kind = core.KindClose
	case Fill:
		op.Kind = core.KindFill
	case Evict:
		op.Kind = core.KindEvict
	case Trim:
		op.Kind, op.Visits = core.KindTrim, uint32(m.Arg)
	case Make:
		op.Kind, op.Flags = core.KindBehind, uint32(m.Arg)*core.FlagNoRefill // nobody is there to make it
	case DrainTimed:
		op.Kind, op.Deadline = core.KindDrain, far
	case Drain:
		op.Kind = core.KindDrain
	case Resize:
		op.Kind, op.Visits, op.Pass = core.KindResize, b.world.Sizes[m.Arg][0], b.world.Sizes[m.Arg][1]
	}
	return op
}

// begin starts an op.
func (b *Board) begin(m Move) error {
	op := b.opOf(m)
	b.memory.ops[m.Actor] = op
	p := &b.account.parties[m.Actor]
	word := uint8(op.Resource)
	if m.givesBack() {
		word = b.account.parties[m.Arg].held
	}
	b.account.begin(int(m.Actor), op.Kind, word)
	if op.Kind == core.KindResize {
		b.account.resize(op.Visits, op.Pass)
	}
	if op.Kind == core.KindTrim {
		b.account.trim(p, op.Visits)
	}
	p.lost = m.Verb == Make && m.Arg != 0
	p.timed, p.late = m.Verb == AcquireTimed || m.Verb == AcquireLate || m.Verb == DrainTimed, m.Verb == AcquireLate
	return b.next(int(m.Actor), core.Answer{})
}

// tell tells an op that its deadline has passed, if that is so.
func (b *Board) tell(m Move) {
	if m.Verb == Late || m.Verb == LateNo {
		b.memory.ops[m.Actor].Deadline = b.account.now
	}
}

// answer goes on with an op whose ask was answered.
func (b *Board) answer(m Move) error {
	p := &b.account.parties[m.Actor]
	if p.pauses {
		p.pauses = false
		return b.next(int(m.Actor), core.Answer{})
	}
	ok := m.Verb != No && m.Verb != LateNo
	b.tell(m)
	p.late = p.late || m.Verb == Late || m.Verb == LateNo
	answer := core.Answer{OK: ok}
	if m.Verb == Put {
		answer.OK, answer.Later, ok = false, b.account.putsFor(), false
		b.account.parties[m.Actor].put = true
	}
	if p.asked == core.AskCreate && ok {
		word, err := b.account.freshWord()
		if err != nil {
			return err
		}
		answer.Resource = uintptr(word)
	}
	b.account.answered(int(m.Actor), ok, uint8(answer.Resource))
	return b.next(int(m.Actor), answer)
}

// hear fetches the ask that a cancel left.
func (b *Board) hear(actor int) error {
	b.account.parties[actor].unheard = false
	return b.next(actor, core.Answer{})
}

func (b *Board) next(actor int, answer core.Answer) error {
	ask := core.Ask{}
	answer.Now = b.account.now
	op := &b.memory.ops[actor]
	b.comes(actor)
	before := b.memory.state
	b.core.Next(op, &answer, &ask)
	if op.Kind <= core.KindTry && ask.Kind != core.AskDone && tells(&before, &b.memory.state) {
		return fmt.Errorf("told: %s is asked for %s in a step that observers are told of", b.world.nameOf(actor),
			askNames[ask.Kind])
	}
	return b.heard(actor, &ask)
}

// comes says who is about to take a step, as drivers do: what is lent is that actor's, since now.
func (b *Board) comes(actor int) {
	a := &b.memory.state.Ages
	a.Thread, a.Note = uint32(actor)+1, uint64(b.account.now)
}

// tells says whether a driver tells observers between two states: that a place became free, or the pool closed.
func tells(before, after *core.State) bool {
	return freeIn(after) > freeIn(before) || after.Gate&^before.Gate&(core.GateClosed|core.GateDraining) != 0
}

// freeIn is how many places are neither active nor promised, and of use: while creations are put off, for what is idle.
func freeIn(st *core.State) int {
	free := max(0, int(st.MaxSize)-int(st.Active)-int(st.Reserved))
	if st.Behind != 0 { // something is made for each in line
		free = max(0, free-int(st.Waiting))
	}
	if st.Gate&core.GatePutsOff == 0 {
		return free
	}
	if st.Breaker.Circuit == core.Recovering && st.Breaker.Counts == core.CountCreations {
		return 0
	}
	return min(free, int(st.Queue.Put-st.Queue.Taken+st.Spare))
}

// cancel leaves an op.
func (b *Board) cancel(actor int) error {
	p := &b.account.parties[actor]
	op := &b.memory.ops[actor]
	pauses := p.pauses
	b.comes(actor)
	p.cancelled = true
	if p.pauses = false; !pauses {
		b.account.answered(actor, false, 0)
	}
	switch status := b.core.Cancel(op); status {
	case core.OK:
		ask := core.Ask{}
		b.core.Next(op, &core.Answer{}, &ask)
		if ask.Kind != core.AskDone {
			return fmt.Errorf("cancel says that the op is done, and then asks for %s", askNames[ask.Kind])
		}
		return b.heard(actor, &ask)
	case core.Pending:
		b.told = core.Ask{Status: core.Pending}
		p.unheard = true
		return b.account.pending(actor)
	default:
		return fmt.Errorf("cancel answers %d", status)
	}
}

// heard tells the account what an actor was told, and lets go of the op at its end.
func (b *Board) heard(actor int, ask *core.Ask) error {
	b.told = *ask
	if ask.Kind == core.AskDone && ask.Status == core.Pending {
		return b.account.pauses(actor, b.memory.ops[actor].Plan != 0)
	}
	if ask.Kind != core.AskDone {
		return b.account.asked(actor, ask, b.memory.ops[actor].Deadline)
	}
	b.account.numbered = b.memory.starved != 3 || b.memory.taken[2]
	if err := b.account.done(actor, ask, b.memory.starved != 0); err != nil {
		return err
	}
	op := &b.memory.ops[actor]
	if op.List != 0 || *linksOf(op) != (links{}) || op.Flags&(core.FlagReserved|core.FlagBound|core.FlagProbe) != 0 {
		return fmt.Errorf("I8: a finished op is in list %d, with flags %#x", op.List, op.Flags)
	}
	*op = core.Op{}
	return nil
}
