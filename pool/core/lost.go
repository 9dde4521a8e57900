package core

// Probes may be lost: lent, and never given back. The built-in strategy does not wait for them for ever, and needs
// nobody's coming for that: whoever is first in line looks when their time is up. One who lay down before there were
// probes, or while they had more time, is called when it is the first.

// probeTimeout is how long, at least, a probe of the built-in strategy may take.
const probeTimeout = 30_000_000_000

// giveUpProbes is the built-in strategy whenever something happens: probes that have not come back in time are not
// waited for any longer.
func (c *Core) giveUpProbes(now int64) {
	b := &c.st.Breaker
	if b.Failures == 0 || b.Circuit != Recovering || b.Probes < b.Limit || now-b.Since < b.probeTime() || c.closed() {
		return
	}
	c.newTerm()
	b.Probes, b.Since = 0, now
	c.grant()
}

// probeTime is how long a probe of the built-in strategy may take.
func (b *Breaker) probeTime() int64 {
	return max(probeTimeout, b.OpenFor)
}

// lookAgain is when who waits comes back to see whether the probes are lost: nobody else may come by then. While the
// breaker is active there is nothing to see, and nobody looks.
func (c *Core) lookAgain(now int64) int64 {
	b := &c.st.Breaker
	since := b.Since
	if now-since >= b.probeTime() { // of a time before there were probes
		since = now
	}
	if since > Never-b.probeTime() {
		return Never
	}
	return since + b.probeTime()
}

// callHead calls the first in line if it does not know when to look: it keeps its place, and hears of it.
func (c *Core) callHead() {
	b, op := &c.st.Breaker, c.st.Waiters.Head
	if op == nil || op.Flags&FlagCalled != 0 {
		return
	}
	probes := b.Failures != 0 && b.Circuit == Recovering && op.Plan != b.Plan && op.Until-b.probeTime() > b.Since
	if probes || c.awaitsCreation() && op.Until > c.st.Patience.Until { // otherwise it comes in time
		op.Flags |= FlagCalled
		c.st.Called = op
	}
}

// hear ends the call of one that comes, or leaves the line.
func (c *Core) hear(op *Op) {
	if op.Flags&FlagCalled == 0 {
		return
	}
	op.Flags &^= FlagCalled
	if c.st.Called == op {
		c.st.Called = nil
	}
}
