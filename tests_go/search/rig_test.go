package search

import (
	"fmt"
	"slices"
	"unsafe"

	"asyncpool/pool/core"
	"asyncpool/tests_go/search/cfast"
)

// rig drives a core and the model side by side, and compares what can be seen of them. Unlike a Board it has
// room for everybody.
type rig struct {
	lacked    bool // fewer were idle than there shall be, when somebody last looked
	state     *core.State
	blocks    map[unsafe.Pointer]bool // all memory of C that is in use
	ids       uint64                  // the last one given out
	calls     int                     // of the core, or of the C code in its place
	inC       int                     // steps made by the C code
	fasts     int                     // calls of the fast path of C or Go
	core      *core.Core
	model     *model
	everybody []*actor
	made      map[uintptr]int
	destroyed map[uintptr]int
	story     story
	leases    leaseBook
}

// actor drives one op after the other.
type actor struct {
	number  int
	op      *core.Op
	client  *client
	ask     core.Ask
	pending bool // cancelled, and the ask that is due was not heard yet
	inFast  bool // its last op was one of the fast path, and op is an older one
}

func (a *actor) busy() bool {
	return a.op != nil && (a.pending || a.ask.Kind != core.AskDone)
}

func (a *actor) waits() bool {
	return a.busy() && !a.pending && a.ask.Kind == core.AskWait
}

func newRig(o options) *rig {
	r := &rig{blocks: map[unsafe.Pointer]bool{}, made: map[uintptr]int{}, destroyed: map[uintptr]int{}, story: story{options: o}}
	r.state = (*core.State)(r.Alloc(unsafe.Sizeof(core.State{})))
	r.state.Asks, r.state.MinSize, r.state.MaxSize = o.asks, o.min, o.max
	r.state.Breaker.Limit, r.state.MaxWaiting = o.limit, o.waiting
	r.state.Patience.Retry, r.state.Patience.Longest = o.retry, o.longest
	if o.lifo {
		r.state.Options |= core.OptionLIFO
	}
	r.state.Ages = core.Ages{Lifetime: o.lifetime, MaxUses: o.uses, IdleTimeout: o.idleTimeout, CheckAfter: o.checkAfter}
	r.state.Glances, r.state.MinIdle = o.max%3, o.minIdle
	r.state.Behind = uint32(bits(o.behind))
	if o.old {
		age(r.state)
	}
	r.state.Registry.Seed = [2]uint64{0x0123456789abcdef, 0xfedcba9876543210}
	machine, err := core.NewCore(r.state, r)
	if err != nil {
		panic(err)
	}
	r.core = machine
	if o.failures != 0 {
		machine.SetThresholdOn(o.counting, o.failures, o.successes, o.openFor)
	}
	r.model = &model{options: o, slots: map[*slot]bool{}}
	r.lacked, r.state.Prompt = r.model.lacks(), 0
	return r
}

// Alloc gives out memory of C, on which the core and the C code both work.
func (r *rig) Alloc(size uintptr) unsafe.Pointer {
	p := cfast.Alloc(size)
	r.blocks[p] = true
	return p
}

// Free takes it back.
func (r *rig) Free(p unsafe.Pointer) {
	if !r.blocks[p] {
		panic("freed what was never allocated")
	}
	delete(r.blocks, p)
	cfast.Free(p)
}

// IDs gives out numbers that nobody was given.
func (r *rig) IDs(n uint64) uint64 {
	first := (r.ids/n + 1) * n
	r.ids = first + n - 1
	return first
}

// end takes all of it back.
func (r *rig) end() {
	for p := range r.blocks {
		r.Free(p)
	}
}

// actor is the one with this number; the first time it is new.
func (r *rig) actor(number int) *actor {
	for len(r.everybody) <= number {
		r.everybody = append(r.everybody, &actor{number: len(r.everybody)})
	}
	return r.everybody[number]
}

// start begins an op on both sides.
func (r *rig) start(a *actor, kind core.Kind, deadline int64, word uintptr) error {
	return r.startOp(a, core.Op{Kind: kind, Deadline: deadline, Resource: word})
}

// resize begins one on both sides.
func (r *rig) resize(a *actor, least, most uint32) error {
	return r.startOp(a, core.Op{Kind: core.KindResize, Deadline: core.Never, Visits: least, Pass: most})
}

// trim begins one on both sides.
func (r *rig) trim(a *actor, keep uint32) error {
	return r.startOp(a, core.Op{Kind: core.KindTrim, Deadline: core.Never, Visits: keep})
}

func (r *rig) startOp(a *actor, op core.Op) error {
	kind, deadline, word := op.Kind, op.Deadline, op.Resource
	op.Host = uintptr(a.number)
	if a.op == nil {
		a.op = (*core.Op)(r.Alloc(unsafe.Sizeof(core.Op{})))
	}
	if op.ByLease != 0 && kind > core.KindTry { // it is known by its lease alone
		op.Resource = 0
	}
	*a.op = op
	a.inFast = false
	a.client = &client{verb: kind, deadline: deadline, word: word, min: op.Visits, max: op.Pass}
	r.story.begins(a, kind, deadline, word)
	r.model.start(a.client)
	return r.next(a, core.Answer{})
}

// fastTake takes what is idle by the fast path, of C and of Go in turn; 0: the core must decide.
func (r *rig) fastTake() uintptr {
	r.fasts++
	switch r.fasts % 3 {
	case 0:
		return cfast.Take(r.state)
	case 1:
		return cfast.TakeShort(r.state)
	}
	word, _, _ := r.core.FastTake()
	return word
}

// fastGive gives back in the same way; false: the core must decide.
func (r *rig) fastGive(word uintptr) bool {
	r.fasts++
	switch r.fasts % 3 {
	case 0:
		return cfast.Give(r.state, word)
	case 1:
		return cfast.GiveShort(r.state, word)
	}
	entry, found := r.state.Registry.Lent(word)
	return found && r.core.FastGive(word, entry)
}

// byFast is an op of the model whose part the fast path has done already, in the core's memory. got is what it
// has acquired.
func (r *rig) byFast(a *actor, kind core.Kind, deadline int64, word, got uintptr) error {
	a.inFast = true
	a.client = &client{verb: kind, deadline: deadline, word: word}
	r.story.begins(a, kind, deadline, word)
	r.model.start(a.client)
	a.ask = core.Ask{Resource: got}
	return r.compare(a)
}

// passes is what it means that time passes.
func (r *rig) passes(ns int64) {
	r.model.now += ns
	r.state.Tick(r.model.now)
}

// answer answers the ask that is out.
func (r *rig) answer(a *actor, ok bool, word uintptr) error {
	r.story.answers(a, ok, word, r.model.now)
	if a.ask.Kind == core.AskCreate && ok {
		r.made[word]++
	}
	r.model.answer(a.client, reply{ok: ok, word: word})
	return r.next(a, core.Answer{OK: ok, Resource: word})
}

// putOff answers for a factory that puts a creation off.
func (r *rig) putOff(a *actor, later int64) error {
	r.story.moves("%c puts it off", 'A'+a.number)
	r.model.answer(a.client, reply{later: later})
	return r.next(a, core.Answer{Later: later})
}

// hear fetches the ask that a cancel left.
func (r *rig) hear(a *actor) error {
	r.story.does(a, "next")
	r.model.woken = nil
	a.client.pending = false
	return r.next(a, core.Answer{})
}

func (r *rig) next(a *actor, answer core.Answer) error {
	answer.Now = r.model.now
	a.pending = false
	if r.calls++; r.calls%2 == 0 && cfast.Step(r.state, a.op, answer.OK, answer.Now) {
		r.inC++
		a.ask = asks(a.op)
	} else {
		r.core.Next(a.op, &answer, &a.ask)
	}
	r.goOn(a)
	if gone, word := r.gone(a); gone {
		if r.destroyed[word]++; r.destroyed[word] > r.made[word] {
			return fmt.Errorf("I5: resource %d was made %d times and is destroyed once more", word, r.made[word])
		}
	}
	return r.compare(a)
}

// goOn goes on with an op that has paused for others to have the lock, which nobody else has here.
func (r *rig) goOn(a *actor) {
	for a.ask.Status == core.Pending {
		r.core.Next(a.op, &core.Answer{Now: r.model.now}, &a.ask)
	}
}

// gone says whether a resource is not the pool's any more, and which.
func (r *rig) gone(a *actor) (bool, uintptr) {
	if a.ask.Kind == core.AskDestroy {
		return true, a.ask.Resource
	}
	return a.client.verb == core.KindDetach && a.ask.Kind == core.AskDone && a.ask.Status == core.OK, a.client.word
}

// asks is what the fast path leaves an op at.
func asks(op *core.Op) core.Ask {
	ask := core.Ask{Kind: askOf(op), Resource: op.Resource, Until: op.Deadline, Ticket: op.Ticket, Turn: op.Turn}
	switch ask.Kind {
	case core.AskDone:
		ask.Status = op.Status
		if op.Status == core.OK && op.Kind <= core.KindTry {
			ask.Lease = op.Lease
		}
	case core.AskWait:
		ask.Until = op.Until
	}
	return ask
}

func (r *rig) cancel(a *actor) error {
	r.story.does(a, "cancel")
	r.model.cancel(a.client)
	if r.calls++; r.calls%2 == 0 && cfast.Cancel(r.state, a.op) {
		r.inC++
		a.pending, a.ask = false, asks(a.op)
		return r.compare(a)
	}
	switch status := r.core.Cancel(a.op); status {
	case core.OK:
		a.pending = false
		r.core.Next(a.op, &core.Answer{Now: r.model.now}, &a.ask)
	case core.Pending:
		if a.pending = r.state.Asks&core.AsksDestroy != 0; !a.pending {
			r.core.Next(a.op, &core.Answer{Now: r.model.now}, &a.ask)
			r.goOn(a)
		}
	default:
		return fmt.Errorf("cancel answers %d", status)
	}
	return r.compare(a)
}

// move moves the breaker on both sides.
func (r *rig) move(to core.Circuit) error {
	r.story.moves("breaker to %s", circuitNames[to])
	expected := r.model.by(to)
	if status := r.core.SetCircuit(to, r.model.now); status != expected {
		return fmt.Errorf("the breaker answers %s, expected %s", statusNames[status], statusNames[expected])
	}
	return r.compare(nil)
}

func (r *rig) setStrategy(asks uint32) error {
	r.story.moves("strategy that asks %#x", asks)
	r.model.strategy(asks, 0, 0, 0, 0)
	r.core.SetStrategy(asks)
	return r.compare(nil)
}

func (r *rig) setThreshold(counts, failures, successes uint32, openFor int64) error {
	r.story.moves("threshold of %d, %d for %d, on %d", failures, successes, openFor, counts)
	r.model.strategy(0, counts, failures, successes, openFor)
	r.core.SetThresholdOn(counts, failures, successes, openFor)
	return r.compare(nil)
}

// compare compares what can be seen after an action of a, or of nobody.
func (r *rig) compare(a *actor) error {
	if err := core.Check(r.state); err != nil {
		return err
	}
	if a != nil {
		if err := r.compareActor(a); err != nil {
			return err
		}
	}
	if woken, expected := r.wake(), r.expectedToWake(a); !slices.Equal(woken, expected) {
		return fmt.Errorf("%v are woken, expected %v", woken, expected)
	}
	if err := r.comparePrompt(a != nil && a.client.verb == core.KindSweep); err != nil {
		return err
	}
	if got, expected := r.counts(), r.model.counts(); got != expected {
		return fmt.Errorf("counts\n%s, expected\n%s", got, expected)
	}
	return nil
}

// comparePrompt compares whether a pass is to begin.
func (r *rig) comparePrompt(passes bool) error {
	lacks := r.model.lacks()
	due := lacks && !r.lacked && !passes
	r.lacked = lacks
	if due != (r.state.Prompt != 0) {
		return fmt.Errorf("a pass is to begin: %t, expected %t", !due, due)
	}
	r.state.Prompt = 0
	return nil
}

func (r *rig) compareActor(a *actor) error {
	c := a.client
	switch {
	case a.pending != c.pending || a.busy() == c.done:
		return fmt.Errorf("pending %t, busy %t; expected %t, %t", a.pending, a.busy(), c.pending, !c.done)
	case a.pending:
		return nil
	case !c.done && (a.ask.Kind != c.question.kind || a.ask.Resource != c.question.word):
		return fmt.Errorf("%s %d, expected %s %d", askNames[a.ask.Kind], a.ask.Resource,
			askNames[c.question.kind], c.question.word)
	case !c.done && a.ask.Kind == core.AskWait && a.ask.Until != r.model.looks(c):
		return fmt.Errorf("waits until %d, expected %d", a.ask.Until, r.model.looks(c))
	case a.ask.Ticket != c.ticket || a.ask.Turn != c.turn:
		return fmt.Errorf("ticket %d, turn %d; expected %d, %d", a.ask.Ticket, a.ask.Turn, c.ticket, c.turn)
	case c.done && (a.ask.Status != c.status || a.ask.Resource != c.got):
		return fmt.Errorf("DONE %s %d, expected %s %d", statusNames[a.ask.Status], a.ask.Resource,
			statusNames[c.status], c.got)
	case c.done:
		return r.leases.note(a)
	}
	return nil
}

// wake lets those go on whom the core has woken, and tells who they are.
func (r *rig) wake() []int {
	var woken []int
	ready := &r.state.Ready
	for op := ready.Head; op != nil; op = ready.Head {
		unlink(ready, op)
		op.Wake = 1
		woken = append(woken, int(op.Host))
	}
	return woken
}

// expectedToWake are those whom the model has woken. Who acts goes on without.
func (r *rig) expectedToWake(acting *actor) []int {
	var numbers []int
	for _, c := range r.model.woken {
		i := slices.IndexFunc(r.everybody, func(a *actor) bool { return a.client == c })
		if acting == nil || r.everybody[i] != acting || acting.waits() {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// counts is what can be seen of the pool.
func (r *rig) counts() string {
	st := r.state
	return countsText(int(st.Idle), int(st.Active), int(st.Reserved), int(st.Waiting), int(st.Ops),
		int(st.Breaker.Probes), int(st.Breaker.Count), int(st.Going), int(st.MaxSize), int(st.Due()), st.Breaker.Circuit,
		st.Gate&core.GateClosed != 0)
}

func (m *model) counts() string {
	return countsText(m.rests(), m.active(), m.reserved(), len(m.line), m.ops, len(m.slots), int(m.row),
		m.going, int(m.max), m.due(), m.circuit, m.closed)
}

func countsText(idle, active, reserved, waiting, ops, probes, row, going, most, due int, circuit core.Circuit,
	closed bool) string {
	return fmt.Sprintf("idle %d active %d reserved %d waiting %d ops %d probes %d row %d going %d of %d due %d %s closed %t",
		idle, active, reserved, waiting, ops, probes, row, going, most, due, circuitNames[circuit], closed)
}

// left tells what is left of a pool that was closed, whose ops are done and whose resources are back.
func (r *rig) left() error {
	st := r.state
	if st.Idle+st.Active+st.Reserved+st.Waiting+st.Ops+st.Breaker.Probes+st.Registry.Live != 0 ||
		st.Waiters != (core.List{}) || st.Ready != (core.List{}) ||
		st.Bound != (core.Reservations{}) || st.Owed != (core.Reservations{}) {
		return fmt.Errorf("left: %s, live %d", r.counts(), st.Registry.Live)
	}
	for word, made := range r.made {
		if st.Asks&core.AsksDestroy != 0 && r.destroyed[word] != made {
			return fmt.Errorf("I5: resource %d was made %d times and destroyed %d times", word, made, r.destroyed[word])
		}
	}
	own := 1 // the state, and the ops
	for _, a := range r.everybody {
		if a.op != nil {
			own++
		}
	}
	if len(r.blocks) > own+3 { // entries, index, ids
		return fmt.Errorf("left: %d blocks of memory", len(r.blocks)-own)
	}
	return nil
}
