package tests_go

import (
	"fmt"
	"slices"
	"unsafe"

	"asyncpool/pool/core"
)

// deadline is when every acquire with a timeout ends. The clock is an input: an answer that is not late
// comes before it, a late one not. Creations pause for the first time, or are put off, for less.
const (
	deadline = 1000
	pause    = 100
	leak     = 10 // ticks for which a lend may last
)

// kinds are the verbs that begin an op.
var kinds = map[string]core.Kind{
	"acquire": core.KindAcquire, "try": core.KindTry, "release": core.KindRelease,
	"close": core.KindClose, "fill": core.KindFill, "discard": core.KindDiscard, "detach": core.KindDetach,
	"resize": core.KindResize, "evict": core.KindEvict, "drain": core.KindDrain, "sweep": core.KindSweep,
	"make": core.KindBehind, "trim": core.KindTrim,
}

// answers are the verbs that answer an ask.
var answers = map[string]struct {
	asks []core.AskKind
	ok   bool
}{
	"made":      {[]core.AskKind{core.AskCreate}, true},
	"failed":    {[]core.AskKind{core.AskCreate}, false},
	"later":     {[]core.AskKind{core.AskCreate}, false},
	"yes":       {[]core.AskKind{core.AskBeforeAcquire, core.AskBeforeRelease}, true},
	"no":        {[]core.AskKind{core.AskBeforeAcquire, core.AskBeforeRelease}, false},
	"destroyed": {[]core.AskKind{core.AskDestroy}, true},
	"wake":      {[]core.AskKind{core.AskWait}, true},
	"heard":     {[]core.AskKind{core.AskLeaked}, true},
}

// actor drives one op after the other.
type actor struct {
	op      *core.Op
	ask     core.Ask
	pending bool // cancelled, and the ask that is due was not heard yet
	word    uintptr
}

func (a *actor) busy() bool {
	return a != nil && a.op != nil && (a.pending || a.ask.Kind != core.AskDone)
}

func (a *actor) waits() bool {
	return a.busy() && !a.pending && a.ask.Kind == core.AskWait
}

func (a *actor) lends() bool {
	return a.op.Kind == core.KindAcquire || a.op.Kind == core.KindTry
}

// world is a pool and those who use it: a host that does what the actions say, and keeps the books
// about the resources that it made, lent out and destroyed.
type world struct {
	setup     setup
	state     core.State
	heap      heap
	core      *core.Core
	actors    [26]*actor // 'A' to 'Z'
	made      map[uintptr]int
	destroyed map[uintptr]int
	lent      []uintptr
	puts      bool // a creation was put off
}

func newWorld(s setup) (*world, error) {
	w := &world{setup: s, made: map[uintptr]int{}, destroyed: map[uintptr]int{}}
	w.state.Asks, w.state.MinSize, w.state.MaxSize = s.asks, s.min, s.max
	w.state.MaxWaiting = s.waiting
	if s.behind {
		w.state.Behind = 1
	}
	if s.retry {
		w.state.Patience.Retry, w.state.Patience.Longest = pause, 32*pause
	}
	if s.asks&core.AsksLeaked != 0 {
		w.state.Ages.Timed, w.state.Ages.LeakAfter = 1, leak
	}
	w.state.Options, w.state.Ages.MaxUses, w.state.MinIdle = s.options, s.uses, s.idle
	w.state.Registry.Seed = [2]uint64{0x0123456789abcdef, 0xfedcba9876543210}
	machine, err := core.NewCore(&w.state, &w.heap)
	w.core = machine
	return w, err
}

// do performs an action and tells what can be seen after it. An error is a defect: of the scenario when
// the action does not fit, of the core otherwise.
func (w *world) do(act action) (outcome, error) {
	a := w.actors[act.actor-'A']
	if a == nil {
		a = &actor{}
		w.actors[act.actor-'A'] = a
	}
	err := w.act(a, act)
	if err == nil {
		err = core.Check(&w.state)
	}
	w.wake()
	if err == nil {
		err = core.Check(&w.state)
	}
	return w.outcome(a), err
}

func (w *world) act(a *actor, act action) error {
	kind, begins := kinds[act.verb]
	answer, answersAsk := answers[act.verb]
	switch {
	case begins && a.busy():
		return fmt.Errorf("%c is in the middle of something else", act.actor)
	case begins:
		*a = actor{op: &core.Op{Kind: kind, Deadline: core.Never, Resource: act.word}, word: act.word}
		if act.timeout {
			a.op.Deadline = deadline
		}
		if act.late {
			w.state.Ages.Clock += leak
		}
		if kind == core.KindTrim {
			a.op.Resource, a.op.Visits = 0, uint32(act.word)
		}
		if kind == core.KindResize {
			a.op.Resource, a.op.Visits, a.op.Pass = 0, uint32(act.word), act.most
		}
		if err := w.next(a, core.Answer{}); err != nil || !withWord[act.verb] || kind == core.KindResize || kind == core.KindTrim {
			return err
		}
		return w.givenBack(a)
	case a.op == nil:
		return fmt.Errorf("%c has not begun anything", act.actor)
	case act.verb == "cancel":
		return w.cancel(a)
	case act.verb == "next" && a.pending:
		return w.next(a, core.Answer{})
	case !answersAsk:
		return fmt.Errorf("%q makes no sense here", act)
	case a.pending || !slices.Contains(answer.asks, a.ask.Kind):
		return fmt.Errorf("%q answers something that was not asked", act)
	case act.verb == "wake" && act.late && a.ask.Until == core.Never:
		return fmt.Errorf("%c waits without a deadline", act.actor)
	case act.verb == "made":
		w.made[act.word]++
	case act.verb == "later":
		w.puts = true
		return w.next(a, core.Answer{Now: a.now(act.late), Later: pause})
	}
	return w.next(a, core.Answer{OK: answer.ok, Resource: act.word, Now: a.now(act.late)})
}

// now is the clock at an answer. Waits are tested to the nanosecond.
func (a *actor) now(late bool) int64 {
	switch waits := a.ask.Kind == core.AskWait; {
	case waits && late:
		return a.ask.Until
	case waits && a.ask.Until != core.Never:
		return a.ask.Until - 1
	case late:
		return core.Never - 1
	}
	return 1
}

// next answers the ask before and hears the next one.
func (w *world) next(a *actor, answer core.Answer) error {
	before := a.ask
	waited := a.waits()
	a.pending = false
	w.core.Next(a.op, &answer, &a.ask)
	switch {
	case a.ask.Kind == core.AskDestroy:
		return w.destroying(a.ask.Resource)
	case a.ask.Kind == core.AskDone:
		return w.done(a)
	case (a.ask.Kind == core.AskCreate || a.ask.Kind == core.AskWait) && a.ask.Resource != 0:
		return fmt.Errorf("ask %d is about resource %d", a.ask.Kind, a.ask.Resource)
	case waited && a.ask.Kind == core.AskWait && a.ask.Until != before.Until && !w.setup.retry && !w.puts:
		return fmt.Errorf("the deadline moved from %d to %d", before.Until, a.ask.Until)
	}
	return nil
}

// cancel leaves an op; a second time, and for one that is done, too.
func (w *world) cancel(a *actor) error {
	wasDone := !a.busy()
	switch status := w.core.Cancel(a.op); status {
	case core.Pending:
		a.pending = true
		return nil
	case core.OK:
		a.pending = false
		w.core.Next(a.op, &core.Answer{}, &a.ask)
		if a.ask.Kind != core.AskDone {
			return fmt.Errorf("cancel says that the op is done; the next ask is %d", a.ask.Kind)
		}
		if wasDone {
			return nil
		}
		return w.done(a)
	default:
		return fmt.Errorf("cancel answers %d", status)
	}
}

// links are the first two fields of an op, which is how a driver in C takes ops off a list.
type links struct {
	next, prev *core.Op
}

// wake lets those go on whom the core has woken, as the C driver does (bridge/change.c).
func (w *world) wake() {
	ready := &w.state.Ready
	for op := ready.Head; op != nil; op = ready.Head {
		l := (*links)(unsafe.Pointer(op))
		ready.Head = l.next
		if l.next != nil {
			(*links)(unsafe.Pointer(l.next)).prev = nil
		} else {
			ready.Tail = nil
		}
		*l = links{}
		op.List = 0
		op.Wake = 1
	}
	if op := w.state.Called; op != nil {
		w.state.Called = nil
		op.Wake = 1
	}
}

func (w *world) outcome(a *actor) outcome {
	st := &w.state
	o := outcome{
		pending: a.pending,
		idle:    st.Idle, active: st.Active, reserved: st.Reserved, waiting: st.Waiting,
		closed: st.Gate&(core.GateClosed|core.GateDraining) != 0,
	}
	for i, other := range w.actors {
		if other.waits() && other.op.Wake != 0 {
			if o.woken != "" {
				o.woken += " "
			}
			o.woken += string(rune('A' + i))
		}
	}
	if a.pending || a.op == nil {
		return o
	}
	o.kind = a.ask.Kind
	switch a.ask.Kind {
	case core.AskWait:
		o.ticket = a.ask.Ticket
	case core.AskDone:
		o.status, o.ticket, o.turn = a.ask.Status, a.ask.Ticket, a.ask.Turn
		if o.lends = a.lends() && a.ask.Status == core.OK; o.lends {
			o.word = a.ask.Resource
		}
	case core.AskBeforeAcquire, core.AskBeforeRelease, core.AskDestroy, core.AskLeaked:
		o.word = a.ask.Resource
	}
	return o
}

// busy are the actors whose op is not done.
func (w *world) busy() []byte {
	var names []byte
	for i, a := range w.actors {
		if a.busy() {
			names = append(names, 'A'+byte(i))
		}
	}
	return names
}

// onward is the action that leads an op to its end: whatever was asked is done.
func (w *world) onward(name byte) action {
	a := w.actors[name-'A']
	act := action{actor: name}
	switch {
	case a.pending:
		act.verb = "next"
	case a.ask.Kind == core.AskCreate:
		act.verb = "failed"
	case a.ask.Kind == core.AskDestroy:
		act.verb = "destroyed"
	case a.ask.Kind == core.AskWait:
		act.verb = "wake"
	case a.ask.Kind == core.AskLeaked:
		act.verb = "heard"
	default:
		act.verb = "yes"
	}
	return act
}
