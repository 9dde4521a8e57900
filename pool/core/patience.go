package core

// Patient creation. After a creation that has failed, or that was put off by its factory, none begins before a pause is
// over; then one at a time does, until one has succeeded. Who would have made its own stands in line meanwhile, first as
// before, and is lent what comes back. Places are free then and somebody waits (I4): what is granted is what is idle.
//
// Nobody need come for the end of a pause: whoever is first in line comes back by then, as it does for probes that are
// lost. One who lay down for longer is called when it is the first.

// Patience is what a pool does about creations that fail.
type Patience struct {
	Retry   int64  // the first pause in ns, constant; 0: a creation that fails fails its caller
	Longest int64  // a pause at most, constant
	Pause   int64  // the last pause before its jitter; 0: the last creation has not failed
	Until   int64  // when the pause is over; 0: nothing is put off
	Random  uint64 // the generator of the jitter; 0: there is none
	Round   uint32 // pauses begun; wraps
	Making  uint32 // creations under way
	Over    uint32 // 1: the pause is over, and a creation may begin behind
	_       uint32 `c:"spare"`
}

// putsOff says whether the last creation has failed, or was put off.
func (st *State) putsOff() bool { return st.Patience.Until != 0 }

// grants says whether a free place is of use to who waits: it may make a resource there, or is lent what is idle.
func (st *State) grants() bool {
	return !st.putsOff() && st.Behind == 0 || st.queued() > 0 && !st.probing()
}

// mayCreate says whether a creation may begin now.
func (c *Core) mayCreate(now int64) bool {
	p := &c.st.Patience
	return !c.st.putsOff() || p.Making == 0 && now >= p.Until
}

// beginCreation has the op make a resource, in the place that it has.
func (c *Core) beginCreation(op *Op) {
	p := &c.st.Patience
	p.Making++
	p.Over = 0
	op.Round = p.Round
	op.Step = StepCreate
}

// endCreation hears how one has ended, from whomever it was.
func (c *Core) endCreation(op *Op, answer *Answer) {
	p := &c.st.Patience
	p.Making--
	switch {
	case c.closed(): // it matters to nobody any more
	case answer.OK:
		p.Pause, p.Until = 0, 0
	case op.Flags&FlagCancelled != 0: // nobody knows
	case answer.Later != 0:
		p.Until = max(p.Until, later(answer.Now, answer.Later))
	case p.Retry == 0:
		if answer.Now >= p.Until { // what was put off meanwhile stays so
			p.Until = 0
		}
	case op.Round == p.Round: // those that had begun before a pause count as one
		p.Pause = p.next()
		p.Until = max(p.Until, later(answer.Now, p.jittered()))
		p.Round++
	}
}

// later is a time that is one: 0 would be none.
func later(now, by int64) int64 {
	if by >= Never-now {
		return Never - 1
	}
	return max(now+by, 1)
}

// next is the pause after this one.
func (p *Patience) next() int64 {
	switch {
	case p.Pause == 0:
		return min(p.Retry, p.Longest)
	case p.Pause > p.Longest/2:
		return p.Longest
	}
	return 2 * p.Pause
}

// jittered is the pause, shorter or longer by up to a fifth.
func (p *Patience) jittered() int64 {
	if p.Random == 0 || p.Pause > Never/2 {
		return p.Pause
	}
	p.Random ^= p.Random << 13
	p.Random ^= p.Random >> 7
	p.Random ^= p.Random << 17
	fifth := p.Pause / 5
	return p.Pause - fifth + int64(p.Random%uint64(2*fifth+1))
}

// timeout is what one hears whose time is up: that creations fail, where they do.
func (c *Core) timeout() Status {
	if c.st.putsOff() {
		return Factory
	}
	return Timeout
}

// goOnWaiting has an acquire whose creation has failed, or was put off, wait on: first in line as before. If the breaker
// is open, by that failure or otherwise, it ends.
func (c *Core) goOnWaiting(op *Op, answer *Answer) {
	c.st.Active--
	if answer.Later == 0 {
		c.count(op, CountCreations, false, answer.Now)
	}
	if c.st.Breaker.Circuit == Inactive {
		c.finish(op, Factory)
		return
	}
	op.Epoch = c.st.Breaker.Epoch
	c.standAgain(op)
	c.grant()
	c.decide(op, answer.Now)
}

// putOff has an op wait that could have a place, and may not make its resource now, or not itself.
func (c *Core) putOff(op *Op, now int64) {
	switch {
	case op.Kind == KindTry:
		c.finish(op, Empty)
		return
	case op.Flags&FlagReserved != 0:
		op.Epoch = c.st.Breaker.Epoch
		c.standAgain(op)
		c.grant()
	case c.overloaded(op):
		c.finish(op, Overloaded)
		return
	}
	if c.st.Behind != 0 && c.st.putsOff() && c.mayCreate(now) {
		c.st.Patience.Over = 1
	}
	c.park(op, now)
}

// standAgain puts an op that had a place, or was promised one, and may make no resource for it now, into the line,
// before all who came later: those who have never been in line came when nobody was there. If the breaker has opened
// since it had its place, it is sent away for that; who has yet to be woken for its place is woken for that, then.
func (c *Core) standAgain(op *Op) {
	asleep := op.List != 0
	c.unlink(op)
	c.withdraw(op)
	c.freeSlot(op)
	if op.Ticket == 0 {
		c.st.Tickets++
		op.Ticket = c.st.Tickets
		op.Flags |= FlagFirst
	}
	at := c.st.Waiters.Head
	for at != nil && at.standsBefore(op) {
		at = at.next
	}
	op.Turn, op.Step = 0, StepWait
	if op.Epoch != c.st.Breaker.Epoch {
		if asleep {
			c.st.Ready.push(op, listReady)
		}
		return
	}
	if at != nil && at == c.st.Waiters.Head { // it was called as the first in line, and is so no more
		c.hear(at)
	}
	c.st.Waiters.insert(op, at, listWaiters)
	c.st.Waiting++
}

func (op *Op) standsBefore(other *Op) bool {
	if first := op.Flags & FlagFirst; first != other.Flags&FlagFirst {
		return first != 0
	}
	return op.Ticket < other.Ticket
}

// awaitsCreation says whether the first in line is to make a resource when the pause is over.
func (c *Core) awaitsCreation() bool {
	p := &c.st.Patience
	under := p.Over != 0 || c.st.Makers > 0
	return c.st.putsOff() && p.Making == 0 && !under && c.surplus() && c.admitsMore()
}
