package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"asyncpool/pool/core"
)

// FuzzHistory reads bytes as a pool and what is done to it, and compares the core and the C code in its place
// with the model of the documents after each step, as random histories do. In the end everything must be gone.
//
//	go test ./tests_go/search -run Fuzz                                   the corpus
//	go test ./tests_go/search -run '^$' -fuzz FuzzHistory -fuzztime 1m    more
//
// What fails is left in testdata/fuzz/FuzzHistory, where the corpus is: it belongs to it from then on. Shows P21.
func FuzzHistory(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) {
		if r, err := playBytes(input); err != nil {
			t.Fatalf("%+v, after %d actions, the last of them\n%s\n%v\n%s",
				r.model.options, len(r.log), strings.Join(r.log[max(0, len(r.log)-60):], "\n"), err, r.story.String())
		}
	})
}

const (
	fuzzActors = 8
	fuzzSteps  = 400 // more is not looked at
	fuzzHead   = 5   // bytes that say what the pool is like
)

// An input: the bytes of the head, then two for each step: what is done, and who does it (three bits) with what.
const (
	fuzzAcquire = iota
	fuzzAcquireTimed
	fuzzTry
	fuzzRelease    // see kindBack
	fuzzReleaseAny // mostly of what is not lent
	fuzzSweep
	fuzzFill
	fuzzClose
	fuzzYes
	fuzzNo
	fuzzCancel
	fuzzTime
	fuzzBreaker
	fuzzStrategy
	fuzzThreshold
	fuzzWokenYes // who was woken first among those who wait comes
	fuzzVerbs
)

// spans of time, for deadlines and clocks: around what the pool of the input counts in.
var spans = [8]int64{0, 1, 10, 999, 1000, 5000, tick, patience}

// player plays one input.
type player struct{ *runner }

func playBytes(input []byte) (*runner, error) {
	var head [fuzzHead]byte
	input = input[copy(head[:], input):]
	r := &runner{rig: newRig(fuzzOptions(head)), seen: &tally{}}
	defer r.end()
	r.random = rand.New(rand.NewPCG(uint64(len(input)), 1)) // how the history ends
	if head[4]&1 != 0 {
		r.model.now = dawn
	}
	r.puts = head[4]&32 != 0
	p := &player{runner: r}
	for step := 0; len(input) >= 2 && step < fuzzSteps; step++ {
		if err := p.step(input[0], int(input[1]&7), int64(input[1]>>3)); err != nil {
			return r, err
		}
		input = input[2:]
	}
	return r, r.drain()
}

func fuzzOptions(head [fuzzHead]byte) options {
	o := options{max: 1 + uint32(head[0]&3), limit: 1 + uint32(head[2]&3)%3, asks: uint32(head[1]) >> 1 & 63}
	o.min = uint32(head[0]>>2&31) % (o.max + 1)
	o.old = head[4]&2 != 0
	o.waiting = uint32(head[4]) >> 2 & 3
	if head[4]&16 != 0 {
		o.retry, o.longest = 3, 12
	}
	o.lifo = head[4]&32 != 0
	o.lifetime, o.uses = uint32(head[4]>>6&3), uint32(head[2]>>6)
	o.idleTimeout, o.checkAfter = uint32(head[2]>>2&3), uint32(head[2]>>4&3)
	o.minIdle = uint32(head[1]>>7+head[3]>>6) % (o.max + 1)
	o.behind = head[0]&128 != 0
	if failures := uint32(head[3] & 3); failures != 0 {
		o.failures, o.successes, o.openFor = failures, 1+uint32(head[3]>>2&1), spans[head[3]>>3&7]
		o.counting = fuzzCounts(head[3] >> 6)
		o.asks &^= strategyAsks
	}
	return o
}

// fuzzCounts is of what a built-in strategy counts: most do both.
func fuzzCounts(bits byte) uint32 {
	if bits &= 3; bits != 0 {
		return uint32(bits)
	}
	return core.CountCreations | core.CountReleases
}

// step does what two bytes say, if it fits, or what is next to it.
func (p *player) step(verb byte, who int, what int64) error {
	fast := verb&fuzzVerbs == 0 // else the fast path is not tried
	switch verb % fuzzVerbs {
	case fuzzTime:
		p.passes(spans[what&7] * (1 + what>>3))
		return nil
	case fuzzBreaker:
		to := core.Circuit(what % 3)
		return p.did(nil, "breaker to "+circuitNames[to], p.move(to))
	case fuzzStrategy:
		asks := uint32(what) << 4 & strategyAsks
		return p.did(nil, fmt.Sprintf("strategy that asks %#x", asks), p.setStrategy(asks))
	case fuzzThreshold:
		failures, successes, openFor := 1+uint32(what&1), 1+uint32(what>>1&1), spans[what>>2&7]
		counts := fuzzCounts(byte(who))
		return p.did(nil, fmt.Sprintf("threshold of %d, %d for %d, on %d", failures, successes, openFor, counts),
			p.setThreshold(counts, failures, successes, openFor))
	case fuzzYes, fuzzNo, fuzzCancel, fuzzWokenYes:
		return p.goOn(verb%fuzzVerbs, who)
	}
	a := p.next(who, false)
	if a == nil {
		return nil
	}
	switch verb % fuzzVerbs {
	case fuzzAcquire:
		return p.come(a, core.KindAcquire, core.Never, fast)
	case fuzzAcquireTimed:
		return p.come(a, core.KindAcquire, p.model.now+spans[what&7], fast)
	case fuzzTry:
		return p.come(a, core.KindTry, core.Never, fast)
	case fuzzRelease:
		if lent := p.model.lent; len(lent) > 0 {
			return p.comeBack(a, lent[int(what)%len(lent)].word, kindBack(verb), fast)
		}
		return nil
	case fuzzReleaseAny:
		return p.comeBack(a, uintptr(what), kindBack(verb), fast)
	case fuzzSweep:
		if verb>>5&3 == 1 { // bits of the verb that say nothing else
			return p.did(a, fmt.Sprintf("trims to %d", what&3), p.trim(a, uint32(what&3)))
		}
		return p.did(a, "sweeps", p.start(a, core.KindSweep, core.Never, 0))
	case fuzzFill:
		if verb>>5&3 == 2 {
			return p.did(a, "evicts", p.start(a, core.KindEvict, core.Never, 0))
		}
		if verb>>5&3 == 3 {
			return p.did(a, "makes behind", p.start(a, core.KindBehind, core.Never, 0))
		}
		if verb>>5&3 == 1 {
			return p.did(a, fmt.Sprintf("resizes to %d..%d", what>>2, 1+what&3), p.resize(a, uint32(what>>2), uint32(1+what&3)))
		}
		return p.did(a, "fills", p.start(a, core.KindFill, core.Never, 0))
	default:
		if verb>>5&3 == 1 {
			return p.did(a, "drains", p.start(a, core.KindDrain, p.model.now+spans[what&7]<<(what>>3*4), 0))
		}
		return p.did(a, "closes", p.start(a, core.KindClose, core.Never, 0))
	}
}

// goOn goes on with an op, or ends it.
func (p *player) goOn(verb byte, who int) error {
	a := p.next(who, true)
	switch {
	case a == nil:
		return nil
	case verb == fuzzWokenYes:
		for i := range fuzzActors {
			if w := p.actor((who + i) % fuzzActors); w.waits() && w.op.Wake != 0 {
				a = w
				break
			}
		}
	case verb == fuzzCancel:
		return p.did(a, "cancels", p.cancel(a))
	}
	if a.pending {
		return p.did(a, "hears", p.hear(a))
	}
	return p.reply(a, verb != fuzzNo)
}

// next is the first actor from this one on that is busy, or is not; or nil.
func (p *player) next(who int, busy bool) *actor {
	for i := range fuzzActors {
		if a := p.actor((who + i) % fuzzActors); a.busy() == busy {
			return a
		}
	}
	return nil
}

func (p *player) come(a *actor, kind core.Kind, deadline int64, fast bool) error {
	if fast {
		if got := p.fastTake(); got != 0 {
			return p.did(a, "acquires by the fast path", p.byFast(a, kind, deadline, 0, got))
		}
	}
	return p.did(a, fmt.Sprintf("begins %s until %d", kindNames[kind], deadline), p.start(a, kind, deadline, 0))
}

// kindBack is the way in which something comes back, by bits of the verb that say nothing else.
func kindBack(verb byte) core.Kind {
	return [4]core.Kind{core.KindRelease, core.KindDiscard, core.KindDetach, core.KindRelease}[verb>>5&3]
}

func (p *player) comeBack(a *actor, word uintptr, kind core.Kind, fast bool) error {
	if fast && kind == core.KindRelease && p.fastGive(word) {
		return p.did(a, fmt.Sprintf("releases %d by the fast path", word), p.byFast(a, core.KindRelease, core.Never, word, 0))
	}
	return p.did(a, fmt.Sprintf("does %s with %d", kindNames[kind], word), p.start(a, kind, core.Never, word))
}
