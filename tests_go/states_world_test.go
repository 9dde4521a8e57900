package tests_go

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"asyncpool/pool"
)

// allAsks makes the core ask for everything, so that no step is passed over.
const allAsks = pool.AsksDestroy | pool.AsksHealthcheck | pool.AsksBeforeAcquire |
	pool.AsksBeforeRelease | pool.AsksReports | pool.AsksShouldRecover

// statesDeadline is when an op begun by "hurry" runs out of time; "late" moves the clock past it.
const statesDeadline = 1000

// statesWorld is a pool and the ops on it, moved by short texts such as "A acquire" or "open". It is what
// docs/states.md is drawn with: every move of an op is noted as a transition.
type statesWorld struct {
	state   pool.State
	core    *pool.Core
	starved bool // there is no more memory
	now     int64
	word    uintptr // the last one made
	lent    []uintptr
	ops     map[byte]*pool.Op
	asks    map[byte]pool.AskKind
	last    transition
}

// transition is what an op did on an answer.
type transition struct {
	verb   string // acquire, release, close, fill, sweep
	step   pool.Step
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

// newStatesWorld plays a script: moves, with a comma between two. It may begin with max=N, min=N and
// asks=N; otherwise the pool has one place, no minimum, and asks for everything.
func newStatesWorld(script string) (*statesWorld, error) {
	w := &statesWorld{ops: map[byte]*pool.Op{}, asks: map[byte]pool.AskKind{}}
	w.state.MaxSize, w.state.Asks = 1, allAsks
	for _, move := range strings.Split(script, ", ") {
		name, value, isSetting := strings.Cut(move, "=")
		field := map[string]*uint32{
			"max": &w.state.MaxSize, "min": &w.state.MinSize, "asks": &w.state.Asks,
		}[name]
		if isSetting {
			if _, err := fmt.Sscan(value, field); err != nil {
				return nil, err
			}
			continue
		}
		if w.core == nil {
			core, err := pool.NewCore(&w.state, w)
			if err != nil {
				return nil, err
			}
			w.core = core
		}
		if err := w.do(move); err != nil {
			return nil, fmt.Errorf("%q in %q: %w", move, script, err)
		}
		if err := pool.Check(&w.state); err != nil {
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
		w.core.SetCircuit(pool.Active, w.now)
	case "open":
		w.core.SetCircuit(pool.Inactive, w.now)
	case "recover":
		w.core.SetCircuit(pool.Recovering, w.now)
	case "threshold":
		w.core.SetThreshold(2, 2, 100)
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
	for w.asks['Z'] != pool.AskDone {
		if w.asks['Z'] == pool.AskWait {
			return fmt.Errorf("%s would wait", verb)
		}
		if err := w.doOp('Z', answer); err != nil {
			return err
		}
	}
	return nil
}

var statesKinds = map[string]pool.Kind{
	"acquire": pool.KindAcquire, "hurry": pool.KindAcquire, "try": pool.KindTry,
	"release": pool.KindRelease, "stray": pool.KindRelease, "close": pool.KindClose,
	"fill": pool.KindFill, "sweep": pool.KindSweep,
}

var statesVerbs = map[pool.Kind]string{
	pool.KindAcquire: "acquire", pool.KindTry: "acquire", pool.KindRelease: "release",
	pool.KindClose: "close", pool.KindFill: "fill", pool.KindSweep: "sweep",
}

// doOp begins the op of a name, answers its ask, or cancels it.
func (w *statesWorld) doOp(name byte, verb string) error {
	kind, begins := statesKinds[verb]
	op := w.ops[name]
	busy := op != nil && w.asks[name] != pool.AskDone
	if begins == busy {
		return fmt.Errorf("%c is busy: %t", name, busy)
	}
	if begins {
		op = &pool.Op{Kind: kind, Deadline: pool.Never}
		w.ops[name] = op
		if verb == "hurry" {
			op.Deadline = w.now + statesDeadline
		}
		if verb == "release" {
			if len(w.lent) == 0 {
				return fmt.Errorf("nothing is lent")
			}
			op.Resource, w.lent = w.lent[0], w.lent[1:]
		}
	}
	seen := transition{verb: statesVerbs[op.Kind], step: op.Step, answer: answerName(op, verb)}
	answer := pool.Answer{OK: verb == "yes", Now: w.now}
	if op.Step == pool.StepCreate && answer.OK {
		w.word++
		answer.Resource = w.word
	}
	var ask pool.Ask
	if verb != "cancel" || w.core.Cancel(op) == pool.Pending {
		w.core.Next(op, &answer, &ask) // after a cancel it only tells what is still asked
	}
	w.asks[name] = ask.Kind
	seen.then = statesStepName(op.Step)
	if op.Step == pool.StepDone {
		seen.then = statesStatusNames[op.Status]
		if op.Kind <= pool.KindTry && op.Status == pool.OK {
			w.lent = append(w.lent, op.Resource)
		}
	}
	w.last = seen
	return nil
}

// answerName is what an answer means at the step of an op.
func answerName(op *pool.Op, verb string) string {
	yes := verb == "yes"
	name := verb
	switch op.Step {
	case pool.StepBegin:
		return ""
	case pool.StepWait:
		name = "woken"
	case pool.StepCreate:
		name = map[bool]string{true: "made", false: "failed"}[yes]
	case pool.StepReject, pool.StepDiscard, pool.StepRemove, pool.StepPurge, pool.StepBury:
		name = "destroyed"
	case pool.StepReportSuccess, pool.StepReportFailure:
		name = "told"
	}
	switch {
	case verb == "cancel":
		return "cancel"
	case op.Flags&pool.FlagCancelled != 0:
		return name + ", after a cancel"
	}
	return name
}

// statesStatusNames are the names of the header without their POOL_ and POOL_ERR_.
var statesStatusNames = map[pool.Status]string{
	pool.OK: "OK", pool.Empty: "EMPTY", pool.Closed: "CLOSED", pool.Unavail: "UNAVAILABLE",
	pool.Timeout: "TIMEOUT", pool.Factory: "FACTORY", pool.Cancelled: "CANCELLED",
	pool.NotOwned: "NOT_OWNED", pool.NoMemory: "NOMEM", pool.Internal: "INTERNAL",
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
