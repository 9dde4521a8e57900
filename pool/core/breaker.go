package core

// Breaker is the circuit breaker of a pool: whether the service behind it is believed to work.
//
// Recovering lends at most Limit resources at once, as probes. A slot belongs to a term, which ends with
// every change of state: what was lent in another term neither fills nor frees a slot of this one. A resource
// that is out remembers the term in which it was lent, so nobody need be told when one ends.
type Breaker struct {
	Circuit Circuit // Active, Inactive or Recovering
	Limit   uint32  // probes at once while recovering
	Probes  uint32  // slots taken in this term
	Epoch   uint32  // openings
	Opened  uint32  // the term in which it last opened; it began with it
	// The built-in strategy, while Failures is not 0: opens after Failures in a row, probes OpenFor
	// nanoseconds later, closes after Successes in a row.
	Failures  uint32
	Successes uint32
	Count     uint32 // in a row, of what the state counts
	Plan      uint32 // its number, from 1; wraps
	Counts    uint32 // CountX bits: of what it counts the failures, and the successes
	OpenFor   int64
	Since     int64 // when the state, or the term, began
}

// What a built-in strategy counts. With creations alone a creation that succeeds is a
// success, otherwise a release that is passed.
const (
	CountCreations = 1 << 0
	CountReleases  = 1 << 1
	countAll       = CountCreations | CountReleases
)

// SetCircuit moves the breaker to a state, from any state.
func (c *Core) SetCircuit(to Circuit, now int64) Status {
	switch {
	case to >= circuits:
		return Invalid
	case c.broken():
		return Internal
	case c.closed():
		return Closed
	}
	c.setCircuit(to, now)
	c.regate()
	return OK
}

// SetStrategy says which asks of a strategy outside the core are wanted; the built-in one is off then.
func (c *Core) SetStrategy(asks uint32) Status {
	if c.broken() {
		return Internal
	}
	c.setStrategy(asks)
	c.grant()
	c.regate()
	return OK
}

func (c *Core) setStrategy(asks uint32) {
	const strategy = AsksReports | AsksShouldRecover
	c.st.Asks = c.st.Asks&^strategy | asks&strategy
	b := &c.st.Breaker
	b.Failures, b.Successes, b.OpenFor, b.Count, b.Counts = 0, 0, 0, 0, 0
}

// SetThreshold turns the built-in strategy on, for all that it can count.
func (c *Core) SetThreshold(failures, successes uint32, openFor int64) Status {
	return c.SetThresholdOn(countAll, failures, successes, openFor)
}

// SetThresholdOn turns it on for some of that: CountX bits.
func (c *Core) SetThresholdOn(counts, failures, successes uint32, openFor int64) Status {
	switch {
	case counts == 0 || counts&^countAll != 0:
		return Invalid
	case c.broken():
		return Internal
	}
	c.setStrategy(0)
	b := &c.st.Breaker
	b.Failures, b.Successes, b.OpenFor, b.Counts = failures, successes, openFor, counts
	if b.Plan++; b.Plan == 0 {
		b.Plan++
	}
	c.grant() // probes of the strategy before may have had no use for what is idle
	c.regate()
	return OK
}

func (c *Core) setCircuit(to Circuit, now int64) {
	b := &c.st.Breaker
	if b.Circuit == to {
		return
	}
	b.Circuit = to
	c.newTerm()
	b.Probes, b.Count = 0, 0
	b.Since = now
	if to == Inactive {
		b.Opened = c.st.Term
		b.Epoch++
		c.dismiss()
	}
	c.grant()
}

// isStale says whether the resource of an entry was lent before the breaker last opened.
func (c *Core) isStale(e *Entry) bool {
	return e.Flags&EntryStale != 0 || before(e.Mark, c.st.Breaker.Opened)
}

// newTerm ends the term. An opening that is long gone is kept within the distance at which numbers that wrap can be
// compared.
func (c *Core) newTerm() {
	const far = 1 << 30
	b := &c.st.Breaker
	if c.st.Term++; c.st.Term-b.Opened > far {
		b.Opened++
	}
}

// before compares numbers that wrap.
func before(a, b uint32) bool {
	return int32(a-b) < 0
}

// admitsMore says whether another caller may have a place, as far as the breaker is concerned.
func (c *Core) admitsMore() bool {
	b := &c.st.Breaker
	return b.Circuit == Active || b.Circuit == Recovering && b.Probes < b.Limit
}

// admits says whether this caller may go on: it is in line and keeps its position there, it has its probe
// slot or an earlier claim, or another caller may come in.
func (c *Core) admits(op *Op, now int64) bool {
	if c.st.Breaker.Failures != 0 {
		c.probeAgain(now)
	}
	return op.List == listWaiters || c.isProbe(op) || c.claims(op) || c.admitsMore()
}

// claims says whether the op was promised its place before the breaker went from active to recovering: it
// is no probe, as what was lent by then is none. A promise does not survive an opening.
func (c *Core) claims(op *Op) bool {
	b := &c.st.Breaker
	return b.Circuit == Recovering && op.Flags&FlagReserved != 0 && op.Epoch == b.Epoch
}

// probeAgain is the built-in strategy when a caller comes: after OpenFor an open breaker recovers.
func (c *Core) probeAgain(now int64) {
	if b := &c.st.Breaker; b.Circuit == Inactive && now-b.Since >= b.OpenFor {
		c.setCircuit(Recovering, now)
	} else {
		c.giveUpProbes(now)
	}
}

// unavailable refuses a caller, unless the strategy can be asked whether it may probe. One who has waited
// is not asked: everybody in line fails when the breaker opens.
func (c *Core) unavailable(op *Op) {
	if c.st.Breaker.Circuit == Inactive && op.Step == StepBegin && c.st.Asks&AsksShouldRecover != 0 {
		op.Step = StepShouldRecover
		return
	}
	c.finish(op, Unavail)
}

// mayRecover hears the strategy. The first to hear yes moves the breaker and becomes the probe.
func (c *Core) mayRecover(op *Op, answer *Answer) {
	if answer.OK && c.st.Breaker.Circuit == Inactive && !c.closed() {
		c.setCircuit(Recovering, answer.Now)
	}
	c.decide(op, answer.Now)
}

// isProbe says whether the op has a slot of this term.
func (c *Core) isProbe(op *Op) bool {
	return op.Flags&FlagProbe != 0 && op.Term == c.st.Term
}

// takeSlot makes the op a probe, while the breaker recovers.
func (c *Core) takeSlot(op *Op) {
	b := &c.st.Breaker
	if b.Circuit == Recovering && !c.isProbe(op) && !c.claims(op) {
		b.Probes++
		op.Flags |= FlagProbe
		op.Term = c.st.Term
	}
}

// freeSlot gives the op's slot back, if it is of this term.
func (c *Core) freeSlot(op *Op) {
	if c.isProbe(op) {
		c.st.Breaker.Probes--
	}
	op.Flags &^= FlagProbe
}

// probesByCreating says whether the op, which gets a place, is a probe of a strategy that counts creations alone: what
// is idle would tell it nothing.
func (c *Core) probesByCreating(op *Op) bool {
	return c.st.probing() && op.Flags&FlagMade == 0 && (c.isProbe(op) || !c.claims(op))
}

// count is the built-in strategy: the op ended in one more success or failure of the service. What was
// lent before the breaker last opened says nothing about the service of today.
func (c *Core) count(op *Op, what uint32, success bool, now int64) {
	b := &c.st.Breaker
	stale := op.Flags&FlagStale != 0 || op.Epoch != b.Epoch
	if b.Counts&what == 0 || stale || c.closed() {
		return
	}
	switch {
	case b.Circuit == Active && success:
		b.Count = 0
	case b.Circuit == Active:
		if b.Count++; b.Count >= b.Failures {
			c.setCircuit(Inactive, now)
		}
	case b.Circuit == Recovering && success:
		if b.Count++; b.Count >= b.Successes {
			c.setCircuit(Active, now)
		}
	case b.Circuit == Recovering:
		c.setCircuit(Inactive, now)
	}
}
