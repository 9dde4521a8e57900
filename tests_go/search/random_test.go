package search

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

var seed = flag.Uint64("seed", 0, "run the random history of this seed only, in each kind of world")

// TestRandomHistories drives the core and the model of the documents with the same actions, in worlds that
// are too large to search, and compares what can be seen after each. In the end everything must be gone.
// Shows B45, B46, I1 to I5, I7, I8, P02.
func TestRandomHistories(t *testing.T) {
	for _, kind := range []struct {
		name      string
		histories uint64
		history
	}{
		{"many short ones", 15_000, history{actors: 7, max: 3, steps: 80, closes: 0.02}},
		{"long ones", 16, history{actors: 8, max: 3, steps: 20_000}},
		{"crowds", 12, history{actors: 40, max: 25, steps: 20_000}},
		{"plain short ones", 5_000, history{actors: 6, max: 3, steps: 60, closes: 0.02, plain: true}},
		{"plain long ones", 5, history{actors: 6, max: 3, steps: 20_000, plain: true}},
		{"plain crowds", 5, history{actors: 25, max: 60, steps: 20_000, plain: true}},
	} {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			first, last := uint64(1), kind.histories
			if slow || testing.Short() {
				last = (last + 19) / 20
			}
			if *seed != 0 {
				first, last = *seed, *seed
			}
			var seen tally
			for s := first; s <= last; s++ {
				if r, err := kind.run(s, &seen); err != nil {
					t.Fatalf("seed %d, %v\n%s", s, err, r.story.String())
				}
			}
			t.Logf("seeds %d to %d: %s", first, last, seen)
		})
	}
}

// history is what a random history may be like.
type history struct {
	actors int     // at most, and at least 2
	max    uint32  // places, at most
	steps  int     // before the end begins
	closes float64 // how likely it is that somebody closes, an op
	plain  bool    // without breaker, strategy and passes: all of it can be told as a scenario
}

// tally counts what histories were made of.
type tally struct {
	actions, fast, inLine, wakes, openings int
	circuits                               [3]int // actions in each state of the breaker
}

func (s tally) String() string {
	return fmt.Sprintf("%d actions (%d by the fast path, %d steps in the line), %d wake-ups, %d openings; "+
		"%d while active, %d inactive, %d recovering", s.actions, s.fast, s.inLine, s.wakes, s.openings, s.circuits[0], s.circuits[1], s.circuits[2])
}

// run runs one history. What failed is told with the last actions, each with what was seen after it.
func (h history) run(seed uint64, seen *tally) (*runner, error) {
	random := rand.New(rand.NewPCG(seed, 7))
	o := options{
		max: 1 + random.Uint32N(h.max), limit: 1 + random.Uint32N(3),
		asks: random.Uint32N(64),
		old:  seed%2 == 0,
		lifo: seed%3 == 0,
	}
	if random.IntN(3) == 0 { // where the gate is open
		o.asks &= core.AsksDestroy | core.AsksHealthcheck
	}
	if seed%4 == 1 && !h.plain {
		o.lifetime, o.uses = random.Uint32N(4), random.Uint32N(4)
		o.idleTimeout, o.checkAfter = random.Uint32N(4), random.Uint32N(3)
	}
	if seed%5 == 2 && !h.plain {
		o.minIdle = 1 + random.Uint32N(o.max)
	}
	if h.plain {
		o.asks &= core.AsksBeforeAcquire | core.AsksBeforeRelease | core.AsksDestroy
	}
	o.min = random.Uint32N(o.max + 1)
	if random.IntN(4) == 0 {
		o.waiting = 1 + random.Uint32N(3)
	}
	if !h.plain && random.IntN(2) == 0 {
		o.retry = 1 + random.Int64N(20)
		o.longest = o.retry * (1 + random.Int64N(9))
	}
	o.behind = !h.plain && random.IntN(3) == 0
	r := &runner{random: random, history: h, seen: seen, rig: newRig(o)}
	r.actors = 2 + random.IntN(h.actors-1)
	r.ages = r.rig.state.Registry.Records
	if h.plain {
		r.twins = random.IntN(4) == 0
	} else {
		r.lively = random.Float64() * 0.06
		r.puts = random.IntN(3) == 0
	}
	defer r.end()
	if err := r.run(); err != nil {
		from := max(0, len(r.log)-60)
		return r, fmt.Errorf("max %d, min %d, limit %d, asks %#x, lifo %t, lifetime %d, uses %d, idle timeout %d, check after %d, idle %d, after %d actions, the last of them\n%s\n%w",
			o.max, o.min, o.limit, o.asks, o.lifo, o.lifetime, o.uses, o.idleTimeout, o.checkAfter, o.minIdle, len(r.log), strings.Join(r.log[from:], "\n"), err)
	}
	seen.openings += r.model.openings
	seen.inLine += r.inC
	return r, nil
}

// runner runs one random history.
type runner struct {
	history
	*rig
	random *rand.Rand
	seen   *tally
	lively float64 // how likely it is that the breaker moves, or its strategy is replaced, an action
	puts   bool    // the factory sometimes puts a creation off
	ages   bool    // time passes, which they count
	twins  bool    // the factory sometimes answers a word that is in use
	words  uintptr
	log    []string
}

func (r *runner) chance(p float64) bool { return r.random.Float64() < p }

func (r *runner) run() error {
	for range r.steps {
		if err := r.step(); err != nil {
			return err
		}
	}
	return r.drain()
}

// step does something that fits. Those who wait and were not woken are seldom chosen.
func (r *runner) step() error {
	r.tick()
	if r.chance(r.lively) {
		return r.event()
	}
	a := r.actor(r.random.IntN(r.actors))
	for try := 0; try < 4 && a.waits() && a.op.Wake == 0; try++ {
		a = r.actor(r.random.IntN(r.actors))
	}
	switch {
	case !a.busy() && a.op != nil && !a.inFast && r.chance(0.02):
		return r.did(a, "cancels what is done", r.cancel(a))
	case !a.busy():
		return r.begin(a)
	case r.chance(0.05):
		return r.did(a, "cancels", r.cancel(a))
	case a.pending:
		return r.did(a, "hears", r.hear(a))
	}
	return r.reply(a, r.chance(0.7))
}

// tick lets time pass: mostly little, now and then so much that a probe is given up.
func (r *runner) tick() {
	switch {
	case r.chance(0.002):
		r.passes(patience + r.random.Int64N(10))
	case r.ages && r.chance(0.05):
		r.passes(tick)
	case r.chance(0.3):
		r.passes(r.random.Int64N(5))
	}
}

// event moves the breaker or replaces the strategy.
func (r *runner) event() error {
	if r.chance(0.75) {
		to := core.Circuit(r.random.Uint32N(3))
		return r.did(nil, "breaker to "+circuitNames[to], r.move(to))
	}
	if r.chance(0.3) {
		asks := r.random.Uint32N(64) & strategyAsks
		return r.did(nil, fmt.Sprintf("strategy that asks %#x", asks), r.setStrategy(asks))
	}
	failures, successes := 1+r.random.Uint32N(3), 1+r.random.Uint32N(3)
	openFor := r.random.Int64N(30)
	counts := 1 + r.random.Uint32N(3)
	return r.did(nil, fmt.Sprintf("threshold of %d, %d for %d, on %d", failures, successes, openFor, counts),
		r.setThreshold(counts, failures, successes, openFor))
}

// begin begins an op.
func (r *runner) begin(a *actor) error {
	lent := r.model.lent
	switch p := r.random.Float64(); {
	case r.model.behind && r.chance(0.4): // mostly when it is due
		if r.model.due() > 0 || r.chance(0.02) {
			return r.did(a, "makes behind", r.start(a, core.KindBehind, core.Never, 0))
		}
		return r.acquire(a, core.KindAcquire, core.Never)
	case r.chance(r.closes) && r.chance(0.4) && !r.plain:
		deadline := core.Never
		if r.chance(0.5) {
			deadline = r.model.now + r.random.Int64N(60)
		}
		return r.did(a, fmt.Sprintf("drains until %d", deadline), r.start(a, core.KindDrain, deadline, 0))
	case r.chance(r.closes):
		return r.did(a, "closes", r.start(a, core.KindClose, core.Never, 0))
	case p < 0.20:
		return r.acquire(a, core.KindAcquire, core.Never)
	case p < 0.40:
		return r.acquire(a, core.KindAcquire, r.model.now+r.random.Int64N(60))
	case p < 0.50:
		return r.acquire(a, core.KindTry, core.Never)
	case p < 0.53:
		return r.did(a, "fills", r.start(a, core.KindFill, core.Never, 0))
	case p < 0.60 && !r.plain:
		return r.did(a, "sweeps", r.start(a, core.KindSweep, core.Never, 0))
	case p < 0.605 && !r.plain:
		return r.did(a, "evicts", r.start(a, core.KindEvict, core.Never, 0))
	case p < 0.61 && !r.plain:
		keep := r.random.Uint32N(r.history.max + 1)
		return r.did(a, fmt.Sprintf("trims to %d", keep), r.trim(a, keep))
	case p < 0.618 && !r.plain:
		most := r.random.Uint32N(r.history.max + 1)
		least := r.random.Uint32N(most + 2) // now and then what makes no pool
		return r.did(a, fmt.Sprintf("resizes to %d..%d", least, most), r.resize(a, least, most))
	case p < 0.62 || len(lent) == 0:
		return r.giveBack(a, uintptr(r.random.Uint64N(uint64(r.words)+2)))
	}
	return r.giveBack(a, lent[r.random.IntN(len(lent))].word)
}

func (r *runner) acquire(a *actor, kind core.Kind, deadline int64) error {
	if r.chance(0.5) {
		if got := r.fastTake(); got != 0 {
			r.seen.fast++
			return r.did(a, "acquires by the fast path", r.byFast(a, kind, deadline, 0, got))
		}
	}
	what := "acquires"
	if kind == core.KindTry {
		what = "tries"
	} else if deadline != core.Never {
		what = fmt.Sprintf("acquires until %d", deadline)
	}
	if !r.twins && r.chance(0.5) {
		return r.did(a, what+" by lease", r.startOp(a, core.Op{Kind: kind, Deadline: deadline, ByLease: core.LeaseTold}))
	}
	return r.did(a, what, r.start(a, kind, deadline, 0))
}

func (r *runner) giveBack(a *actor, word uintptr) error {
	if stale := r.leases.stale; len(stale) > 0 && r.chance(0.1) {
		id := stale[r.random.IntN(len(stale))]
		return r.did(a, fmt.Sprintf("releases by %#x, which has ended", id), r.giveByLease(a, core.KindRelease, id, r.words+1))
	}
	if id := r.leases.of[word]; id != 0 {
		r.leases.end(word)
		if kind := kinds(r.random.IntN(8)); r.chance(0.7) {
			return r.did(a, fmt.Sprintf("%ss %d by lease", kindNames[kind], word), r.giveByLease(a, kind, id, word))
		}
	}
	switch p := r.random.Float64(); {
	case p < 0.05:
		return r.did(a, fmt.Sprintf("discards %d", word), r.start(a, core.KindDiscard, core.Never, word))
	case p < 0.1:
		return r.did(a, fmt.Sprintf("detaches %d", word), r.start(a, core.KindDetach, core.Never, word))
	}
	if r.chance(0.5) && r.fastGive(word) {
		r.seen.fast++
		return r.did(a, fmt.Sprintf("releases %d by the fast path", word), r.byFast(a, core.KindRelease, core.Never, word, 0))
	}
	return r.did(a, fmt.Sprintf("releases %d", word), r.start(a, core.KindRelease, core.Never, word))
}

// kinds are discards, detaches, and mostly releases.
func kinds(dice int) core.Kind {
	switch dice {
	case 0:
		return core.KindDiscard
	case 1:
		return core.KindDetach
	}
	return core.KindRelease
}

// reply answers the ask that is out.
func (r *runner) reply(a *actor, ok bool) error {
	word := uintptr(0)
	what := askNames[a.ask.Kind] + " yes"
	switch {
	case !ok && a.ask.Kind == core.AskCreate && r.puts && r.chance(0.5):
		return r.did(a, "puts it off", r.putOff(a, 1+r.random.Int64N(30)))
	case !ok:
		what = askNames[a.ask.Kind] + " no"
	case a.ask.Kind == core.AskCreate:
		word = r.newWord()
	}
	return r.did(a, what, r.answer(a, ok, word))
}

// newWord is a resource that was not there before; with twins it may be there now.
func (r *runner) newWord() uintptr {
	if lent := r.model.lent; r.twins && len(lent) > 0 && r.chance(0.3) {
		return lent[r.random.IntN(len(lent))].word
	}
	r.words++
	return r.words
}

// did keeps a log, for the case of an error.
func (r *runner) did(a *actor, what string, err error) error {
	who, heard := "-", ""
	if a != nil {
		who, heard = fmt.Sprint(a.number), textOf(&a.ask)
		if a.pending {
			heard = "PENDING"
		}
	}
	r.log = append(r.log, fmt.Sprintf("%d: %s %s -> %s (%s)", r.model.now, who, what, heard, r.counts()))
	r.seen.actions++
	r.seen.wakes += len(r.model.woken)
	r.seen.circuits[r.model.circuit]++
	return err
}

// drain ends the history: perhaps everybody who is busy leaves; the pool closes; those who are busy go on
// to their end; what is lent comes back.
func (r *runner) drain() error {
	if r.chance(0.5) {
		for _, a := range r.everybody {
			if a.busy() {
				if err := r.did(a, "cancels", r.cancel(a)); err != nil {
					return err
				}
			}
		}
	}
	closer := r.actor(len(r.everybody))
	if err := r.did(closer, "closes", r.start(closer, core.KindClose, core.Never, 0)); err != nil {
		return err
	}
	everybody := slices.Clone(r.everybody)
	r.random.Shuffle(len(everybody), func(i, j int) { everybody[i], everybody[j] = everybody[j], everybody[i] })
	for _, a := range everybody {
		if err := r.finish(a); err != nil {
			return err
		}
	}
	for len(r.model.lent) > 0 {
		if err := r.giveBack(closer, r.model.lent[0].word); err != nil {
			return err
		}
		if err := r.finish(closer); err != nil {
			return err
		}
	}
	for _, a := range everybody { // those who drain
		if err := r.finish(a); err != nil {
			return err
		}
	}
	return r.left()
}

// finish leads an op to its end, but for a drain that waits for others to end.
func (r *runner) finish(a *actor) error {
	for a.busy() && !(a.waits() && a.client.verb == core.KindDrain && !r.model.drained()) {
		r.tick()
		var err error
		if a.pending {
			err = r.did(a, "hears", r.hear(a))
		} else {
			err = r.reply(a, r.chance(0.5))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
