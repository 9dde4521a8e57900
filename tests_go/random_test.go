package tests_go

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

var seed = flag.Uint64("seed", 0, "run the random history of this seed only, short and long")

// TestRandomHistories drives the core and the model with the same actions, and compares what they show
// after each; at the end everything must have drained. Shows B45, B46, I1 to I5, I7, I8.
func TestRandomHistories(t *testing.T) {
	short := history{actors: 6, max: 3, steps: 60, turnover: 0.02}
	long := history{actors: 6, max: 3, steps: 20000}
	wide := history{actors: 26, max: 60, steps: 20000}
	if *seed != 0 {
		short.run(t, *seed)
		long.run(t, *seed)
		wide.run(t, *seed)
		return
	}
	for seed := range uint64(5000) {
		short.run(t, seed+1)
	}
	for seed := range uint64(5) {
		long.run(t, seed+1)
		wide.run(t, seed+1)
	}
}

// history is what a random history may be like.
type history struct {
	actors   int     // at most, and at least 2
	max      uint32  // places, at most
	steps    int     // before the end begins
	turnover float64 // how likely it is that somebody closes, a step
}

// run runs one history. What it prints on failure is a scenario.
func (h history) run(t *testing.T, seed uint64) {
	r := &runner{random: rand.New(rand.NewPCG(seed, 0)), closes: h.turnover}
	r.setup.max = 1 + r.random.Uint32N(h.max)
	r.setup.min = r.random.Uint32N(r.setup.max + 1)
	for _, ask := range askNames {
		r.setup.asks |= ask.bit * r.random.Uint32N(2)
	}
	r.actors = 2 + r.random.IntN(h.actors-1)
	r.twins = r.random.IntN(4) == 0
	if err := r.run(h.steps); err != nil {
		t.Fatalf("-seed %d, after %d actions: %v\n%s", seed, len(r.log), err, r.story())
	}
}

// runner runs one random history.
type runner struct {
	random *rand.Rand
	setup  setup
	actors int
	closes float64
	twins  bool // the factory sometimes returns a word that is in use
	world  *world
	model  *model
	words  uintptr
	log    []action
}

func (r *runner) run(steps int) error {
	var err error
	if r.world, err = newWorld(r.setup); err != nil {
		return err
	}
	r.model = &model{setup: r.setup}
	for range steps {
		if err := r.do(r.choose()); err != nil {
			return err
		}
	}
	return r.drain()
}

// do performs an action on both and compares.
func (r *runner) do(act action) error {
	r.log = append(r.log, act)
	got, err := r.world.do(act)
	if err != nil {
		return err
	}
	if expected := r.model.do(act); got != expected {
		return fmt.Errorf("%s\nexpected\n%s\ngot\n%s", act,
			expected.lines(act.actor), got.lines(act.actor))
	}
	if !sameWords(r.world.lent, r.model.lent) {
		return fmt.Errorf("%s\nlent are %v, expected %v", act, r.world.lent, r.model.lent)
	}
	return nil
}

func sameWords(a, b []uintptr) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// choose is a random action that fits. Those who wait and were not woken are seldom chosen: they have
// little to tell.
func (r *runner) choose() action {
	name := byte('A' + r.random.IntN(r.actors))
	a := r.world.actors[name-'A']
	for try := 0; try < 4 && a.waits() && a.op.Wake == 0; try++ {
		name = byte('A' + r.random.IntN(r.actors))
		a = r.world.actors[name-'A']
	}
	act := action{actor: name}
	switch {
	case !a.busy():
		r.chooseOp(&act)
	case r.chance(0.06):
		act.verb = "cancel"
	case a.pending:
		act.verb = "next"
	default:
		act.late = r.chance(0.1)
		r.chooseAnswer(&act, a)
	}
	return act
}

func (r *runner) chooseOp(act *action) {
	switch p := r.random.Float64(); {
	case r.chance(r.closes):
		act.verb = "close"
	case r.world.actors[act.actor-'A'] != nil && r.chance(0.02):
		act.verb = "cancel" // of what is done
	case p < 0.40:
		act.verb, act.timeout = "acquire", r.chance(0.5)
	case p < 0.50:
		act.verb = "try"
	case p < 0.55:
		act.verb = "fill"
	case p < 0.57 || len(r.world.lent) == 0:
		act.verb, act.word = "release", uintptr(r.random.Uint64N(uint64(r.words)+2))
	default:
		act.verb, act.word = "release", r.world.lent[r.random.IntN(len(r.world.lent))]
	}
}

func (r *runner) chooseAnswer(act *action, a *actor) {
	switch a.ask.Kind {
	case core.AskCreate:
		if act.verb = "failed"; r.chance(0.75) {
			act.verb, act.word = "made", r.newWord()
		}
	case core.AskDestroy:
		act.verb = "destroyed"
	case core.AskWait:
		act.verb = "wake"
		act.late = act.late && a.op.Deadline != core.Never
	default:
		if act.verb = "no"; r.chance(0.65) {
			act.verb = "yes"
		}
	}
}

// newWord is a resource that was not there before; with twins it may be there now.
func (r *runner) newWord() uintptr {
	if lent := r.world.lent; r.twins && len(lent) > 0 && r.chance(0.3) {
		return lent[r.random.IntN(len(lent))]
	}
	r.words++
	return r.words
}

func (r *runner) chance(p float64) bool { return r.random.Float64() < p }

// drain ends the history: the pool closes, before or after those who are busy leave or go on to their
// end; then what is lent comes back.
func (r *runner) drain() error {
	leaving := []byte{'Z'} // who may be busy, and closes
	if r.chance(0.5) {
		leaving = r.world.busy()
	}
	for _, name := range leaving {
		if r.world.actors[name-'A'].busy() {
			if err := r.do(action{actor: name, verb: "cancel"}); err != nil {
				return err
			}
			if err := r.finish(name); err != nil {
				return err
			}
		}
	}
	if err := r.do(action{actor: 'Z', verb: "close"}); err != nil {
		return err
	}
	names := r.world.busy()
	r.random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		if err := r.finish(name); err != nil {
			return err
		}
	}
	return r.giveBack()
}

// giveBack releases what is lent, and looks for what is left.
func (r *runner) giveBack() error {
	for _, word := range slices.Clone(r.world.lent) {
		if err := r.do(action{actor: 'Z', verb: "release", word: word}); err != nil {
			return err
		}
		if err := r.finish('Z'); err != nil {
			return err
		}
	}
	return r.world.left()
}

// finish leads an op to its end.
func (r *runner) finish(name byte) error {
	for steps := 0; r.world.actors[name-'A'].busy(); steps++ {
		if steps > 1000 {
			return fmt.Errorf("%c does not come to its end", name)
		}
		if err := r.do(r.world.onward(name)); err != nil {
			return err
		}
	}
	return nil
}

// story is the history as a scenario without expectations: -update fills them in.
func (r *runner) story() string {
	lines := []string{"scenario that failed", r.setup.String()}
	from := max(0, len(r.log)-300)
	if from > 0 {
		lines = append(lines, fmt.Sprintf("# %d actions before these", from))
	}
	for _, act := range r.log[from:] {
		lines = append(lines, act.String())
	}
	return strings.Join(lines, "\n")
}
