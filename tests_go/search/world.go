package search

import (
	"fmt"
	"slices"

	"asyncpool/pool/core"
)

// Caller is what one caller may do, whenever it does nothing else.
type Caller struct {
	Acquire bool // acquire without a deadline
	Timed   bool // acquire with one
	Late    bool // acquire with one that has passed when the caller comes
	Try     bool
	Foreign bool // release what another caller holds
	Lease   bool // what it acquires is by lease; it comes back by its lease, or by its word
}

// World is a pool and those who use it.
type World struct {
	Name     string
	Max, Min uint32
	Asks     uint32 // the optional asks of the host; AsksDestroy always goes without saying
	Limit    uint32 // probes at once
	Callers  []Caller
	Sweepers int
	Closers  int
	Fillers  int
	Resizers int
	Evictors int
	Trimmers int // they keep none idle, or one
	Drainers int
	Makers   int            // those who make behind
	Sizes    [][2]uint32    // Min and Max that resizers may give the pool
	Hand     []core.Circuit // where the breaker may be moved at any moment
	Strategy []core.Circuit // where a report may move it
	// The built-in strategy, from the beginning when Failures is not 0.
	Failures, Successes uint32
	Counts              uint32 // of what it counts: core.CountX; 0: both
	Swap                bool   // strategies come and go: none, the one of Asks, the built-in one
	Takes               bool   // what is lent may also be discarded, or detached
	Retry               bool   // creations that fail are tried again after a pause
	Puts                bool   // factories put creations off
	Behind              bool   // callers wait for what makers make
	Starve              bool   // memory runs out and comes back
	Old                 bool   // the numbers that only grow are about to wrap
	Listed              bool   // who was woken is in a list until it comes, as in host-driven pools
	LIFO                bool   // what came back last is lent first
	Lifetime            uint8  // ticks of the clock; at most 2
	Uses                uint8  // lends of one resource; at most 3
	IdleTimeout         uint8  // ticks; at most 3
	CheckAfter          uint8  // ticks; at most 3
	Timed               bool   // lends are
	LeakAfter           uint8  // ticks; at most 3
	Glances             uint32 // at how many a pass looks without a pause, 0: at all
	MinIdle             uint32 // so many are kept idle
	Blind               bool   // core.Check is not asked, to test the account
	Waiting             uint32 // how many may be in line; 0: any number
	// Look is called in each state, for what a single test wants to see there. It may change the state.
	Look func(*Board) error
	// Wrap replaces the core by something else, to test the search.
	Wrap func(machine *core.Core, state *core.State) Machine
	// WrapFast does so with a function of the fast path.
	WrapFast func(c fastCall) fastCall
}

// Machine is what a driver needs of a core.
type Machine interface {
	Next(op *core.Op, answer *core.Answer, ask *core.Ask)
	Cancel(op *core.Op) core.Status
	SetCircuit(to core.Circuit, now int64) core.Status
	SetStrategy(asks uint32) core.Status
	SetThresholdOn(counts, failures, successes uint32, openFor int64) core.Status
}

const (
	maxActors = 8
	maxWords  = 8 // resources at once
	openFor   = 10
	probeFor  = 30_000_000_000 // pool_strategy_threshold: at least 30 s for a probe
	far       = int64(1) << 60 // a deadline that has not come
	retryFor  = 7              // the first pause after a creation that failed
	retryMost = 14             // the longest
	putFor    = 9              // for so long a factory puts one off: longer than the first pause
	putMore   = 5              // and in a pause that is under way: shorter
	dawn      = 1_000_000      // when the world begins: 0 would be no time
)

// strategyAsks are the asks that come and go with a strategy.
const strategyAsks = core.AsksReports | core.AsksShouldRecover

// counts is of what the built-in strategy counts.
func (w *World) counts() uint32 {
	if w.Counts == 0 {
		return core.CountCreations | core.CountReleases
	}
	return w.Counts
}

// actors is how many there are: callers first, then sweepers, closers, those who fill, resizers, evictors,
// trimmers, who drains, and who makes.
func (w *World) actors() int {
	return len(w.Callers) + w.Sweepers + w.Closers + w.Fillers + w.Resizers + w.Evictors + w.Trimmers + w.Drainers + w.Makers
}

// kindOf tells what an actor that is no caller does.
func (w *World) kindOf(actor int) core.Kind {
	actor -= len(w.Callers)
	switch {
	case actor < w.Sweepers:
		return core.KindSweep
	case actor < w.Sweepers+w.Closers:
		return core.KindClose
	case actor < w.Sweepers+w.Closers+w.Fillers:
		return core.KindFill
	case actor < w.Sweepers+w.Closers+w.Fillers+w.Resizers:
		return core.KindResize
	case actor < w.Sweepers+w.Closers+w.Fillers+w.Resizers+w.Evictors:
		return core.KindEvict
	case actor < w.Sweepers+w.Closers+w.Fillers+w.Resizers+w.Evictors+w.Trimmers:
		return core.KindTrim
	case actor < w.actors()-len(w.Callers)-w.Makers:
		return core.KindDrain
	default:
		return core.KindBehind
	}
}

// nameOf is a letter for an actor.
func (w *World) nameOf(actor int) string {
	n := len(w.Callers)
	switch {
	case actor < n:
		return string(rune('A' + actor))
	case w.kindOf(actor) == core.KindSweep:
		return string(rune('S' + actor - n))
	case w.kindOf(actor) == core.KindClose:
		return string(rune('X' + actor - n - w.Sweepers))
	case w.kindOf(actor) == core.KindFill:
		return string(rune('F' + actor - n - w.Sweepers - w.Closers))
	case w.kindOf(actor) == core.KindBehind:
		return string(rune('K' + actor - w.actors() + w.Makers))
	case w.kindOf(actor) == core.KindDrain:
		return string(rune('M' + actor - w.actors() + w.Makers + w.Drainers))
	case w.kindOf(actor) == core.KindTrim:
		return string(rune('T' + actor - n - w.Sweepers - w.Closers - w.Fillers - w.Resizers - w.Evictors))
	case w.kindOf(actor) == core.KindEvict:
		return string(rune('V' + actor - n - w.Sweepers - w.Closers - w.Fillers - w.Resizers))
	default:
		return string(rune('R' + actor - n - w.Sweepers - w.Closers - w.Fillers))
	}
}

// alike says whether two actors are the same but for their name.
func (w *World) alike(i, j int) bool {
	n := len(w.Callers)
	if i < n && j < n {
		return w.Callers[i] == w.Callers[j]
	}
	// The sweepers' numbers are in the state: which of them has seen a resource.
	return i >= n && j >= n && w.kindOf(i) == w.kindOf(j) && w.kindOf(i) != core.KindSweep
}

// leases says whether somebody acquires by lease.
func (w *World) leases() bool {
	return slices.ContainsFunc(w.Callers, func(c Caller) bool { return c.Lease })
}

// patient says whether creations may be put off.
func (w *World) patient() bool { return w.Retry || w.Puts }

// valid says whether the search can hold this world.
func (w *World) valid() error {
	switch {
	case w.actors() > maxActors:
		return fmt.Errorf("%s: %d actors, at most %d", w.Name, w.actors(), maxActors)
	case w.Max > maxWords:
		return fmt.Errorf("%s: %d places, at most %d", w.Name, w.Max, maxWords)
	case slices.ContainsFunc(w.Sizes, func(s [2]uint32) bool { return s[1] > maxWords }):
		return fmt.Errorf("%s: a size of more than %d places", w.Name, maxWords)
	case w.Sweepers > 2 || w.Closers > 2:
		return fmt.Errorf("%s: more than two sweepers or closers", w.Name)
	}
	return nil
}
