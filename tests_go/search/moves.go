package search

import (
	"fmt"

	"asyncpool/pool/core"
)

// Verb is what an actor may do.
type Verb uint8

const (
	Acquire Verb = iota
	AcquireTimed
	AcquireLate // with a deadline that has passed when it comes
	Try
	Release // what the actor holds, or what actor Arg holds
	Sweep
	Close
	Fill
	Discard // as Release, not to be lent again
	Detach  // as Release, and the resource is no longer the pool's
	Resize  // to the sizes of number Arg
	Evict
	Drain
	DrainTimed // with a deadline
	GiveLease  // as Release, by lease
	Make       // behind
	Trim       // to so many idle
	Yes        // the hook says yes, or has made or destroyed the resource; or a waiter comes back
	No         // the hook says no, or has failed
	Late       // yes, when the deadline has passed
	LateNo     // no, when the deadline has passed
	Put        // the factory puts it off
	Cancel
	Hear      // what a cancel left to be destroyed
	Circuit   // the breaker is moved to Arg
	Elapse    // time passes, until the next moment that means something to the built-in strategy
	Strategy  // the strategy of the world, or none (Arg 0)
	Threshold // the built-in strategy
	Memory    // there is none for piece Arg, or enough (Arg 0)
	verbs
)

var verbNames = [verbs]string{
	"acquire", "acquire with a deadline", "acquire too late", "try", "release", "sweep", "close", "fill",
	"discard", "detach", "resize", "evict", "drain", "drain with a deadline", "release by lease", "make behind", "trim", "yes", "no",
	"yes, late", "no, late",
	"puts it off", "cancel", "hear", "breaker", "time passes", "strategy",
	"threshold", "memory",
}

var askNames = map[core.AskKind]string{
	core.AskDone: "DONE", core.AskCreate: "CREATE", core.AskBeforeAcquire: "BEFORE_ACQUIRE",
	core.AskBeforeRelease: "BEFORE_RELEASE", core.AskDestroy: "DESTROY", core.AskWait: "WAIT",
	core.AskHealthcheck: "HEALTHCHECK", core.AskReportSuccess: "REPORT_SUCCESS",
	core.AskReportFailure: "REPORT_FAILURE", core.AskShouldRecover: "SHOULD_RECOVER",
	core.AskLeaked: "LEAKED",
}

var statusNames = map[core.Status]string{
	core.OK: "OK", core.Pending: "PENDING", core.Empty: "EMPTY", core.Invalid: "INVALID",
	core.Closed: "CLOSED", core.Unavail: "UNAVAILABLE", core.Timeout: "TIMEOUT", core.Factory: "FACTORY",
	core.Cancelled: "CANCELLED", core.NotOwned: "NOT_OWNED", core.NoMemory: "NOMEM",
	core.Overloaded: "OVERLOADED", core.Internal: "INTERNAL",
}

var kindNames = [...]string{"acquire", "try", "release", "close", "fill", "sweep", "discard", "detach", "resize", "evict", "drain", "behind", "trim"}

var circuitNames = [3]string{"ACTIVE", "INACTIVE", "RECOVERING"}

// noActor is the actor of moves that belong to nobody.
const noActor = 0xff

// Move is one thing that happens.
type Move struct {
	Actor uint8
	Verb  Verb
	Arg   uint8
}

// describe tells a move in the words of a world.
func (m Move) describe(w *World) string {
	switch {
	case m.Verb == Circuit:
		return "breaker to " + circuitNames[m.Arg]
	case m.Verb == Strategy && m.Arg == 0:
		return "no strategy"
	case m.Verb == Memory:
		return [...]string{"memory is back", "no memory for entries", "no memory for the index",
			"no memory for ids"}[m.Arg]
	case m.Verb == Resize:
		return fmt.Sprintf("%s resize to %d..%d", w.nameOf(int(m.Actor)), w.Sizes[m.Arg][0], w.Sizes[m.Arg][1])
	case m.Actor == noActor:
		return verbNames[m.Verb]
	case m.Verb == Trim:
		return fmt.Sprintf("%s trim to %d", w.nameOf(int(m.Actor)), m.Arg)
	case m.givesBack() && m.Arg != m.Actor:
		return fmt.Sprintf("%s does %s with what %s holds", w.nameOf(int(m.Actor)), verbNames[m.Verb], w.nameOf(int(m.Arg)))
	}
	return w.nameOf(int(m.Actor)) + " " + verbNames[m.Verb]
}

// givesBack says whether what somebody holds comes back.
func (m Move) givesBack() bool {
	return m.Verb == Release || m.Verb == Discard || m.Verb == Detach || m.Verb == GiveLease
}

// Moves appends all that may happen now.
func (b *Board) Moves(moves []Move) []Move {
	reporting := false
	for i := range b.world.actors() {
		p := &b.account.parties[i]
		reporting = reporting || !p.unheard &&
			(p.asked == core.AskReportSuccess || p.asked == core.AskReportFailure)
		switch {
		case p.busy:
			moves = b.answers(moves, uint8(i))
		case i < len(b.world.Callers):
			moves = b.calls(moves, uint8(i))
		default:
			moves = b.chores(moves, uint8(i))
		}
	}
	return b.events(moves, reporting)
}

// answers are the moves of an actor in the middle of an op.
func (b *Board) answers(moves []Move, i uint8) []Move {
	p := &b.account.parties[i]
	switch {
	case p.unheard:
		return append(moves, Move{i, Hear, 0})
	case p.pauses:
		return append(moves, Move{i, Yes, 0}, Move{i, Cancel, 0})
	}
	for _, verb := range ways {
		if verb == No && !mayRefuse(p.asked) {
			continue
		}
		moves = append(moves, Move{i, verb, 0})
		if p.timed && !p.late {
			moves = append(moves, Move{i, verb + Late - Yes, 0})
		}
	}
	if p.asked == core.AskCreate && b.world.Puts {
		moves = append(moves, Move{i, Put, 0})
	}
	return append(moves, Move{i, Cancel, 0})
}

// mayRefuse says whether an ask can be answered with no.
func mayRefuse(asked core.AskKind) bool {
	switch asked {
	case core.AskWait, core.AskDestroy, core.AskReportSuccess, core.AskReportFailure, core.AskLeaked:
		return false
	}
	return true
}

// calls are what a caller may begin.
func (b *Board) calls(moves []Move, i uint8) []Move {
	p := &b.account.parties[i]
	caller := &b.world.Callers[i]
	if p.held != 0 {
		return b.returns(moves, i, i)
	}
	if caller.Acquire {
		moves = append(moves, Move{i, Acquire, 0})
	}
	if caller.Timed {
		moves = append(moves, Move{i, AcquireTimed, 0})
	}
	if caller.Late {
		moves = append(moves, Move{i, AcquireLate, 0})
	}
	if caller.Try {
		moves = append(moves, Move{i, Try, 0})
	}
	if caller.Foreign {
		for j := range b.world.Callers {
			if b.account.parties[j].held != 0 {
				moves = b.returns(moves, i, uint8(j))
			}
		}
	}
	return moves
}

// returns are the ways in which i may give back what j holds.
func (b *Board) returns(moves []Move, i, j uint8) []Move {
	moves = append(moves, Move{i, Release, j})
	if b.account.parties[j].lease != 0 {
		moves = append(moves, Move{i, GiveLease, j})
	}
	if b.world.Takes {
		moves = append(moves, Move{i, Discard, j}, Move{i, Detach, j})
	}
	return moves
}

// chores are what the others may begin.
func (b *Board) chores(moves []Move, i uint8) []Move {
	switch b.world.kindOf(int(i)) {
	case core.KindSweep:
		return append(moves, Move{i, Sweep, 0})
	case core.KindFill:
		return append(moves, Move{i, Fill, 0})
	case core.KindDrain:
		return append(moves, Move{i, Drain, 0}, Move{i, DrainTimed, 0})
	case core.KindEvict:
		return append(moves, Move{i, Evict, 0})
	case core.KindTrim:
		return append(moves, Move{i, Trim, 0}, Move{i, Trim, 1})
	case core.KindBehind:
		if b.account.due() > 0 {
			moves = append(moves, Move{i, Make, 0})
			if b.world.Starve {
				moves = append(moves, Move{i, Make, 1})
			}
		}
		return moves
	case core.KindResize:
		for n, size := range b.world.Sizes {
			if a := &b.account; size != [2]uint32{a.min, a.max} || a.closed {
				moves = append(moves, Move{i, Resize, uint8(n)})
			}
		}
		return moves
	}
	return append(moves, Move{i, Close, 0})
}

// events are what happens to the pool as a whole.
func (b *Board) events(moves []Move, reporting bool) []Move {
	a, w := &b.account, b.world
	targets := w.Hand
	if reporting && len(targets) == 0 {
		targets = w.Strategy
	}
	for _, to := range targets {
		if to != a.circuit && !a.closed {
			moves = append(moves, Move{noActor, Circuit, uint8(to)})
		}
	}
	if a.nextDue() > a.now {
		moves = append(moves, Move{noActor, Elapse, 0})
	}
	if w.Swap {
		if a.builtIn || a.asks&strategyAsks != 0 {
			moves = append(moves, Move{noActor, Strategy, 0})
		}
		if w.Asks&strategyAsks != 0 && a.asks&strategyAsks != w.Asks&strategyAsks {
			moves = append(moves, Move{noActor, Strategy, 1})
		}
		if w.Failures != 0 {
			moves = append(moves, Move{noActor, Threshold, 0})
		}
	}
	if w.Starve {
		pieces := uint8(3)
		if w.leases() {
			pieces = 4
		}
		for piece := range pieces {
			if piece != b.memory.starved {
				moves = append(moves, Move{noActor, Memory, piece})
			}
		}
	}
	return moves
}

// Do performs a move and tells what is wrong after it.
func (b *Board) Do(m Move) (err error) {
	defer func() {
		if defect := recover(); defect != nil {
			err = fmt.Errorf("panic: %v", defect)
		}
	}()
	b.account.woken = queue{}
	b.told = core.Ask{}
	if err := b.perform(m); err != nil {
		return err
	}
	if b.keeps {
		b.left = *b.memory
	}
	b.account.settle()
	b.account.callDrains()
	b.account.wakesNotItself(m.Actor)
	if !b.world.Blind {
		if err := core.Check(&b.memory.state); err != nil {
			return err
		}
	}
	if err := b.wake(); err != nil {
		return err
	}
	if err := b.prompts(m); err != nil {
		return err
	}
	return b.check()
}

func (b *Board) perform(m Move) error {
	switch i := int(m.Actor); m.Verb {
	case Acquire, AcquireTimed, AcquireLate, Try, Release, Sweep, Close, Fill, Discard, Detach, Resize, Evict,
		Drain, DrainTimed, GiveLease, Make, Trim:
		return b.begin(m)
	case Yes, No, Late, LateNo, Put:
		return b.answer(m)
	case Cancel:
		return b.cancel(i)
	case Hear:
		return b.hear(i)
	}
	return b.happen(m)
}

// happen performs the moves that belong to nobody.
func (b *Board) happen(m Move) error {
	a := &b.account
	switch m.Verb {
	case Circuit:
		a.move(core.Circuit(m.Arg))
		if status := b.core.SetCircuit(core.Circuit(m.Arg), a.now); status != core.OK {
			return fmt.Errorf("the breaker answers %s", statusNames[status])
		}
	case Elapse:
		a.now = a.nextDue()
		b.memory.state.Tick(a.now)
	case Strategy:
		a.builtIn, a.streak = false, 0
		a.asks &^= strategyAsks
		if m.Arg != 0 {
			a.asks |= b.world.Asks & strategyAsks
		}
		a.settle()
		b.core.SetStrategy(a.asks)
	case Threshold:
		a.builtIn, a.streak = true, 0
		a.asks &^= strategyAsks
		a.settle()
		b.core.SetThresholdOn(b.world.counts(), b.world.Failures, b.world.Successes, openFor)
	case Memory:
		b.memory.starved = m.Arg
	default:
		return fmt.Errorf("verb %d is none", m.Verb)
	}
	return nil
}
