package search

import (
	"errors"

	"asyncpool/pool/core"
)

// account is what those outside know about the pool: what they asked, were told, hold and did. All of it
// follows from the documents (who is entitled to what) and from what the core said; nothing from how the
// core keeps its books.
type account struct {
	world    *World
	closed   bool
	draining bool  // newcomers are sent away
	drains   queue // actors that wait for the pool to be empty
	min      uint32
	max      uint32
	most     int // what existed when the pool shrank, and less since
	circuit  core.Circuit
	asks     uint32 // what the host wants to be asked at present
	builtIn  bool   // the built-in strategy is on
	streak   uint8  // what it counts in a row
	now      int64
	since    int64 // when the breaker's state, or its term, began
	parties  [maxActors]party
	things   [maxWords + 1]thing // by word, from 1
	idle     queue               // words of idle resources that nobody was promised, oldest first
	doomed   queue               // words of idle resources that are evicted, and that nobody was promised, oldest first
	below    uint8               // where the last is lent first: so many of them, from the oldest on, were seen by the last pass
	latest   uint8               // the sweeper whose pass that is
	lacked   bool                // fewer were idle than there shall be, when somebody last looked
	bound    queue               // actors that were promised a place and a resource, in that order
	owed     queue               // actors that were promised a place and get what becomes idle next
	line     queue               // actors in line, first come first
	woken    queue               // actors that the last move must have woken, in order
	counts   counts
	came     queue     // actors that are or were in line, in the order in which they stand there
	numbered bool      // there is memory for ids
	stale    [8]uint64 // leases that have ended, the latest of them
	ended    uint8     // how many have
	pause    int64     // the last one, 0: the last creation did not fail
	until    int64     // none begins before; 0: nothing is put off
	over     bool      // and it was seen that the pause is over
}

// party is what one actor knows.
type party struct {
	busy      bool
	unheard   bool // it was cancelled, and has yet to hear what is to be destroyed
	pauses    bool // a pass lets others go on
	kind      core.Kind
	asked     core.AskKind // the ask that is out; AskDone at the beginning of an op
	word      uint8        // the resource that the op is about
	place     bool         // the op occupies a place
	promised  bool         // it was woken because a place is its own
	kept      uint8        // and this idle resource with it
	sentAway  core.Status  // it was woken because of this, or OK
	slot      bool         // it is a probe of the present term
	timed     bool         // it has a deadline
	late      bool         // which has passed
	opened    bool         // the breaker opened since the op got its place, or was promised it
	cancelled bool
	failed    bool // its factory failed
	created   bool // its factory was called
	queued    bool // it has stood in line
	first     bool // it had a place before that
	making    bool // its factory is at work
	put       bool // its factory has put it off
	old       bool // and began before the present pause
	makes     bool // it makes a resource behind, or room for one
	made      bool // what is kept for it was made for it
	lost      bool // it is to make something behind, and nobody is there to do it
	verdict   verdict
	why       core.Why     // its resource is destroyed, or detached
	owes      core.AskKind // the report that must come next, or AskDone
	goes      bool         // its resource is on its way out, and its place with it
	leaves    bool         // and then it ends
	mayEnd    uint16       // with one of these, by the bits of their numbers without a sign
	outdated  bool         // what it has made is evicted
	expired   bool         // it drains, and has closed the pool at its deadline
	awake     bool         // it is in line, and was woken: to look, or for what it was promised before
	keeps     uint8        // how many idle ones a trim keeps
	trims     uint8        // how many it may destroy yet
	visits    uint8        // how many resources a pass may still look at
	hunts     uint16       // the leaks that it has yet to tell, by bits of their words
	held      uint8        // word of the resource that was lent to this caller
	lease     uint64       // and the id of that lend, if it was by lease
}

// verdict is what a hook said about the op's resource.
type verdict uint8

const (
	unknown verdict = iota
	passed
	refused
)

// thing is one resource.
type thing struct {
	where where
	probe bool  // lent as a probe of the present term
	stale bool  // lent before the breaker last opened
	gone  bool  // evicted: it is not to be lent again
	seen  uint8 // the passes, by bits of their sweepers, that have looked at it
	due   uint8 // those that found it idle when they began and must look at it, unless somebody takes it
	old   uint8 // those that found it idle when they began, and it has lain there since
	born  int64 // when it was made, and how often it was lent
	uses  uint8
	since int64 // when it came back, or was made; or when a pass has first seen it idle,
	dated bool  // if one has
	told  bool  // lent, and told as leaked
	by    uint8 // lent: the actor that acquired it +1
	out   int64 // and since when
}

// to is the thing in another place.
func (t *thing) to(where where) thing {
	return thing{
		where: where, gone: t.gone, seen: t.seen, born: t.born, uses: t.uses, since: t.since, dated: t.dated,
	}
}

type where uint8

const (
	nowhere where = iota
	idle
	inOp
	lent
)

// open is the account of a new pool.
func (a *account) open(w *World) {
	a.world = w
	a.now = dawn
	a.min, a.max = w.Min, w.Max
	a.asks = w.Asks | core.AsksDestroy
	if w.Failures != 0 {
		a.builtIn = true
		a.asks &^= strategyAsks
	}
}

func (a *account) wants(ask uint32) bool { return a.asks&ask != 0 }

// active is how many places are occupied: by what is lent, and by ops.
func (a *account) active() int {
	n := 0
	for i := range a.things {
		if a.things[i].where == lent {
			n++
		}
	}
	for i := range a.parties {
		if a.parties[i].place {
			n++
		}
	}
	return n
}

// promises is how many places are promised and not taken.
func (a *account) promises() int {
	n := 0
	for i := range a.parties {
		if a.parties[i].promised {
			n++
		}
	}
	return n
}

// free is how many places are neither occupied nor promised.
func (a *account) free() int {
	return int(a.max) - a.active() - a.promises()
}

// probes is how many slots of the present term are taken.
func (a *account) probes() int {
	n := 0
	for i := range a.things {
		if a.things[i].probe {
			n++
		}
	}
	for i := range a.parties {
		if a.parties[i].slot {
			n++
		}
	}
	return n
}

// full says whether nobody more may join the line.
func (a *account) full() bool {
	return a.world.Waiting != 0 && uint32(a.line.n) >= a.world.Waiting
}

// admits says whether the breaker lets one more caller in.
func (a *account) admits() bool {
	return a.circuit == core.Active ||
		a.circuit == core.Recovering && a.probes() < int(a.world.Limit)
}

// short says whether there are too few resources, and a place for one more.
func (a *account) short() bool {
	return a.rests()+a.active() < int(a.min) && a.free() > 0
}

// live is how many resources exist.
func (a *account) live() int {
	n := 0
	for i := range a.things {
		if a.things[i].where != nowhere {
			n++
		}
	}
	return n
}

// ops is how many are under way.
func (a *account) ops() int {
	n := 0
	for i := range a.parties {
		if a.parties[i].busy {
			n++
		}
	}
	return n
}

// purges is how many closes, resizes and the like have something to destroy.
func (a *account) purges() int {
	n := 0
	for i := range a.parties {
		if p := &a.parties[i]; p.purges() && p.word != 0 {
			n++
		}
	}
	return n
}

// purges says whether it destroys what is idle.
func (p *party) purges() bool {
	return p.kind == core.KindClose || p.kind == core.KindResize || p.kind == core.KindEvict || p.kind == core.KindDrain ||
		p.kind == core.KindTrim
}

// freshWord is a word that no resource has.
func (a *account) freshWord() (uint8, error) {
	for word := uint8(1); word <= maxWords; word++ {
		if a.things[word].where == nowhere {
			return word, nil
		}
	}
	return 0, errors.New("I1: more resources than there can be")
}

// putIdle makes the op's resource the youngest idle one and lets its place go.
func (a *account) putIdle(p *party) {
	t := &a.things[p.word]
	*t = t.to(idle)
	switch {
	case a.lay(p.word):
	case p.asked == core.AskHealthcheck && a.world.LIFO: // it keeps its place
		a.idle.insert(a.below, p.word)
		a.below++
	default:
		a.idle.push(p.word)
	}
	p.word = 0
	p.place = false
	a.settle()
}

// next takes out of the idle ones what is to be lent next.
func (a *account) next() uint8 {
	if a.world.LIFO {
		return a.takeAt(a.idle.n - 1)
	}
	return a.takeAt(0)
}

func (a *account) takeAt(i uint8) uint8 {
	if i < a.below {
		a.below--
	}
	word := a.idle.items[i]
	a.idle.remove(word)
	return word
}

// takeIdle makes an idle resource the op's own: what was kept for it, or the next. What is not kept is taken from where
// it is, by a close what was promised first, else the oldest; a pass takes the oldest that it has not seen.
func (a *account) takeIdle(p *party) {
	switch {
	case p.kept != 0:
		p.word, p.kept = p.kept, 0
		a.bound.remove(a.numberOf(p))
	case p.purges() && a.closed && a.bound.n > 0:
		p.word = a.revoke()
	case p.purges() && a.doomed.n > 0:
		p.word = a.doomed.pop()
	case p.purges() && !a.superfluous():
		p.trims--
		p.word = a.takeAt(0)
	case p.purges():
		p.word = a.takeAt(0)
	case p.kind == core.KindSweep:
		p.word = a.takeAt(a.below)
	default:
		p.word = a.next()
	}
	a.takes(p)
}

// takes makes the resource the op's, which has its place.
func (a *account) takes(p *party) {
	t := &a.things[p.word]
	*t = t.to(inOp)
	p.place = true
	p.opened = false
}

// destroyed ends the op's resource.
func (a *account) destroyed(p *party) {
	a.counts.gone[p.why]++
	a.things[p.word] = thing{}
	p.word = 0
	p.goes = false
}
