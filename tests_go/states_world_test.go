package tests_go

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"asyncpool/pool/core"
)

// allAsks makes the core ask for everything, so that no step is passed over.
const allAsks = core.AsksDestroy | core.AsksHealthcheck | core.AsksBeforeAcquire |
	core.AsksBeforeRelease | core.AsksReports | core.AsksShouldRecover

// statesDeadline is when an op begun by "hurry" runs out of time; "late" moves the clock past it.
const statesDeadline = 1000

// statesWorld is a pool and the ops on it, moved by short texts such as "A acquire" or "open". It is what
// docs/states.md is drawn with: every move of an op is noted as a transition.
type statesWorld struct {
	state   core.State
	core    *core.Core
	starved bool // there is no more memory
	now     int64
	word    uintptr // the last one made
	lent    []uintptr
	ops     map[byte]*core.Op
	asks    map[byte]core.AskKind
	last    transition
}

// transition is what an op did on an answer.
type transition struct {
	verb   string // acquire, release, discard, detach, resize, evict, trim, drain, close, fill, sweep, behind
	step   core.Step
	answer string // empty: it begins
	then   string // the name of a step, or of a status
}

func (w *statesWorld) Alloc(size uintptr) unsafe.Pointer {
	if w.starved {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))
}

func (w *statesWorld) Free(unsafe.Pointer) {}

func (w *statesWorld) IDs(n uint64) uint64 { return n }

// newStatesWorld plays a script: moves, with a comma between two. It may begin with max=N, min=N, asks=N, waiting=N,
// and life=N, uses=N, spare=N, check=N, leak=N, glances=N for how long resources live, and are lent, and how many a
// pass looks at; otherwise the pool has one place, no minimum, and asks for everything.
func newStatesWorld(script string) (*statesWorld, error) {
	w := &statesWorld{ops: map[byte]*core.Op{}, asks: map[byte]core.AskKind{}}
	w.state.MaxSize, w.state.Asks = 1, allAsks
	for _, move := range strings.Split(script, ", ") {
		name, value, isSetting := strings.Cut(move, "=")
		field := map[string]*uint32{
			"max": &w.state.MaxSize, "min": &w.state.MinSize, "asks": &w.state.Asks,
			"waiting": &w.state.MaxWaiting,
			"life":    &w.state.Ages.Lifetime, "uses": &w.state.Ages.MaxUses, "glances": &w.state.Glances,
			"spare": &w.state.Ages.IdleTimeout, "check": &w.state.Ages.CheckAfter, "leak": &w.state.Ages.LeakAfter,
		}[name]
		if isSetting {
			if _, err := fmt.Sscan(value, field); err != nil {
				return nil, err
			}
			continue
		}
		if w.core == nil {
			machine, err := core.NewCore(&w.state, w)
			if err != nil {
				return nil, err
			}
			w.core = machine
		}
		if err := w.do(move); err != nil {
			return nil, fmt.Errorf("%q in %q: %w", move, script, err)
		}
		if err := core.Check(&w.state); err != nil {
			return nil, fmt.Errorf("after %q in %q: %w", move, script, err)
		}
	}
	return w, nil
}

// do makes one move.
func (w *statesWorld) do(move string) error {
	name, verb, isOps := strings.Cut(move, " ")
	if isOps {
		return w.doOp(name[0], verb)
	}
	switch move {
	case "nothing":
	case "activate":
		w.core.SetCircuit(core.Active, w.now)
	case "open":
		w.core.SetCircuit(core.Inactive, w.now)
	case "recover":
		w.core.SetCircuit(core.Recovering, w.now)
	case "threshold":
		w.core.SetThreshold(2, 2, 100)
	case "threshold-on-creations":
		w.core.SetThresholdOn(core.CountCreations, 2, 2, 100)
	case "retry":
		w.state.Patience.Retry, w.state.Patience.Longest = 50, 100
	case "behind":
		w.state.Behind = 1
	case "late":
		w.now += 2 * statesDeadline
	case "patience":
		w.now += 30_000_000_000
	case "starve":
		w.starved = true
	case "lend": // by an op that is done afterwards
		return w.finish("acquire", true)
	case "idle":
		if err := w.finish("acquire", true); err != nil {
			return err
		}
		return w.finish("release", true)
	case "pass":
		return w.finish("release", true)
	case "refuse":
		return w.finish("release", false)
	case "fill", "close":
		return w.finish(move, true)
	default:
		return fmt.Errorf("what is that?")
	}
	return nil
}

// finish drives a whole op; every ask that has an outcome is answered alike.
func (w *statesWorld) finish(verb string, ok bool) error {
	answer := map[bool]string{true: "yes", false: "no"}[ok]
	if err := w.doOp('Z', verb); err != nil {
		return err
	}
	for w.asks['Z'] != core.AskDone {
		if w.asks['Z'] == core.AskWait {
			return fmt.Errorf("%s would wait", verb)
		}
		if err := w.doOp('Z', answer); err != nil {
			return err
		}
	}
	return nil
}

var statesKinds = map[string]core.Kind{
	"acquire": core.KindAcquire, "hurry": core.KindAcquire, "try": core.KindTry,
	"release": core.KindRelease, "stray": core.KindRelease, "close": core.KindClose,
	"fill": core.KindFill, "sweep": core.KindSweep, "discard": core.KindDiscard, "detach": core.KindDetach,
	"shrink": core.KindResize, "grow": core.KindResize, "vanish": core.KindResize, "evict": core.KindEvict, "trim": core.KindTrim,
	"drain": core.KindDrain, "hasten": core.KindDrain, "make": core.KindBehind,
}

var statesVerbs = map[core.Kind]string{
	core.KindAcquire: "acquire", core.KindTry: "acquire", core.KindRelease: "release",
	core.KindClose: "close", core.KindFill: "fill", core.KindSweep: "sweep", core.KindDiscard: "discard",
	core.KindDetach: "detach", core.KindResize: "resize", core.KindEvict: "evict", core.KindTrim: "trim",
	core.KindDrain: "drain", core.KindBehind: "behind",
}

// doOp begins the op of a name, answers its ask, or cancels it.
func (w *statesWorld) doOp(name byte, verb string) error {
	kind, begins := statesKinds[verb]
	op := w.ops[name]
	busy := op != nil && (w.asks[name] != core.AskDone || op.Step == core.StepPause)
	w.state.Tick(w.now)
	if begins == busy {
		return fmt.Errorf("%c is busy: %t", name, busy)
	}
	if begins {
		op = &core.Op{Kind: kind, Deadline: core.Never}
		w.ops[name] = op
		if verb == "hurry" || verb == "hasten" {
			op.Deadline = w.now + statesDeadline
		}
		if verb == "release" {
			if len(w.lent) == 0 {
				return fmt.Errorf("nothing is lent")
			}
			op.Resource, w.lent = w.lent[0], w.lent[1:]
		}
		if kind == core.KindResize { // to one place, to four, to none
			op.Pass = map[string]uint32{"shrink": 1, "grow": 4}[verb]
		}
		if (verb == "discard" || verb == "detach") && len(w.lent) > 0 { // else it is of nothing
			op.Resource, w.lent = w.lent[0], w.lent[1:]
		}
	}
	seen := transition{verb: statesVerbs[op.Kind], step: op.Step, answer: answerName(op, verb)}
	answer := core.Answer{OK: verb == "yes", Now: w.now}
	if op.Step == core.StepCreate && answer.OK {
		w.word++
		answer.Resource = w.word
	}
	var ask core.Ask
	if verb != "cancel" || w.core.Cancel(op) == core.Pending {
		w.core.Next(op, &answer, &ask) // after a cancel it only tells what is still asked
	}
	w.asks[name] = ask.Kind
	seen.then = statesStepName(op.Step)
	if op.Step == core.StepDone {
		seen.then = statesStatusNames[op.Status]
		if op.Kind <= core.KindTry && op.Status == core.OK {
			w.lent = append(w.lent, op.Resource)
		}
	}
	w.last = seen
	return nil
}

// answerName is what an answer means at the step of an op.
func answerName(op *core.Op, verb string) string {
	yes := verb == "yes"
	name := verb
	switch op.Step {
	case core.StepBegin:
		return ""
	case core.StepWait:
		name = "woken"
	case core.StepCreate:
		name = map[bool]string{true: "made", false: "failed"}[yes]
	case core.StepReject, core.StepUnwanted, core.StepRemove, core.StepPurge, core.StepBury:
		name = "destroyed"
	case core.StepReportSuccess, core.StepReportFailure, core.StepLeaked:
		name = "told"
	case core.StepPause:
		name = "again"
	}
	switch {
	case verb == "cancel":
		return "cancel"
	case op.Flags&core.FlagCancelled != 0:
		return name + ", after a cancel"
	}
	return name
}

// statesStatusNames are the names of the header without their POOL_ and POOL_ERR_.
var statesStatusNames = map[core.Status]string{
	core.OK: "OK", core.Empty: "EMPTY", core.Closed: "CLOSED", core.Unavail: "UNAVAILABLE",
	core.Timeout: "TIMEOUT", core.Factory: "FACTORY", core.Cancelled: "CANCELLED",
	core.Invalid: "INVALID", core.NotOwned: "NOT_OWNED", core.NoMemory: "NOMEM", core.Overloaded: "OVERLOADED",
	core.Internal: "INTERNAL",
}

// names of the ops there are, in order.
func (w *statesWorld) names() []byte {
	var names []byte
	for name := range w.ops {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
