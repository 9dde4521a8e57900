package core

// decide is the order of decisions of an acquire, asked again after every wait and every refusal: sent
// away, closed, cancelled, breaker open, out of time, not entitled, overloaded, idle, capacity.
func (c *Core) decide(op *Op, now int64) {
	switch why := c.st.SentAway(op); {
	case why != OK:
		c.finish(op, why)
	case c.closed() || op.Step == StepBegin && c.shut():
		c.finish(op, Closed)
	case op.Flags&FlagCancelled != 0:
		c.finish(op, Cancelled)
	case !c.admits(op, now):
		c.unavailable(op)
	case now >= op.Deadline && op.Deadline != Never && op.Step != StepBegin: // nothing has passed before the first wait
		c.finish(op, c.timeout())
	case !c.entitled(op) && op.Kind == KindTry:
		c.finish(op, Empty)
	case !c.entitled(op) && c.overloaded(op):
		c.finish(op, Overloaded)
	case !c.entitled(op):
		c.park(op, now)
	case c.spoilt(op):
		c.unlink(op)
		c.takeSlot(op)
		c.takeIdle(op)
		op.Step, op.Why = StepReject, c.unkept(op)
	case c.lacksLease(op):
		c.finish(op, NoMemory)
	case c.makesOwn(op) && (c.st.Behind != 0 || !c.mayCreate(now)):
		c.putOff(op, now)
	case c.makesOwn(op) && c.makesRoom(op):
		c.unlink(op)
		c.takeSlot(op)
		op.Step, op.Why = StepReject, c.takeForRoom(op)
	case !c.makesOwn(op):
		made := op.Flags&FlagMade != 0
		c.unlink(op)
		c.takeSlot(op)
		c.takeIdle(op)
		op.Step = StepCheckOut
		switch {
		case made:
			c.lend(op)
		case c.st.worn(op.Entry):
			op.Step, op.Why = StepReject, c.st.wear(op.Entry)
		case c.st.Asks&AsksBeforeAcquire != 0 && c.st.unchecked(op.Entry):
			c.lend(op)
		}
	case !c.room():
		c.finish(op, NoMemory)
	default:
		c.unlink(op)
		c.takeSlot(op)
		c.withdraw(op) // what was bound to it is for others
		c.create(op)
	}
}

// makesOwn says whether the op, which gets a place, is to make its resource.
func (c *Core) makesOwn(op *Op) bool {
	return c.probesByCreating(op) || op.Flags&FlagBound == 0 && c.st.queued() == 0
}

// spoilt says whether what was bound to the op is to be destroyed: it is evicted, or one too many, or one that nobody
// needs, for one that makes its own.
func (c *Core) spoilt(op *Op) bool {
	own := c.probesByCreating(op) && op.Step != StepReject
	return op.Flags&FlagBound != 0 && (c.st.isEvicted(op.Entry) || own && !c.keeps(op))
}

// makesRoom says whether one that makes its own has to destroy something that is idle before, since as many exist as
// may. Who has destroyed one has made room.
func (c *Core) makesRoom(op *Op) bool {
	idle := op.Flags&FlagBound != 0 || c.st.queued() > 0 || c.st.Doomed.len() > 0
	return op.Step != StepReject && c.exist() >= uint64(c.st.MaxSize) && idle
}

// takeForRoom takes what is to make room: what is evicted, else what the op would have been lent, which has to go
// although it is good. It says why that goes.
func (c *Core) takeForRoom(op *Op) Why {
	if c.st.Doomed.len() == 0 {
		c.takeIdle(op)
		return c.unkept(op)
	}
	c.withdraw(op) // what was bound to it is for others
	c.take(op, c.st.Doomed.take(&c.st.Registry))
	return WhyEvicted
}

// create takes a place to make a resource.
func (c *Core) create(op *Op) {
	c.occupy(op)
	op.Evicts = c.st.Evicts
	if isAhead(op) {
		c.st.Ahead++
	}
	c.beginCreation(op)
}

// lend ends an acquire well. A probe's slot goes with the resource.
func (c *Core) lend(op *Op) {
	if !c.beginLease(op) {
		return
	}
	var flags uint8
	if op.Lease != 0 {
		flags |= EntryLeased
	}
	if c.isProbe(op) {
		flags |= EntryProbe
		op.Flags &^= FlagProbe
	}
	if op.Epoch != c.st.Breaker.Epoch {
		flags |= EntryStale
	}
	c.st.Registry.lend(op.Entry, c.st.Term, flags)
	if op.Flags&FlagLeft == 0 {
		c.st.isLent(op.Entry)
		c.st.Counts.Lends++
		if op.Ticket != 0 {
			c.st.Counts.Waited++
		}
	}
	c.finish(op, OK)
}

// checkedOut hears before_acquire. One that began before a close and passes is lent all the same: the
// resource was good, and its release will destroy it. One that was evicted meanwhile is not lent any more.
func (c *Core) checkedOut(op *Op, ok bool) {
	switch {
	case !ok:
		op.Step, op.Why = StepReject, WhyRejected
	case c.st.isEvicted(op.Entry):
		op.Step, op.Why = StepReject, WhyEvicted
	default:
		c.lend(op)
	}
}

// isOff says whether an acquire whose driver has not heard its ask yet is overtaken by events: the pool
// closed, or the breaker opened, since it took its place.
func (c *Core) isOff(op *Op) bool {
	switch op.Step {
	case StepCreate, StepCheckOut:
		return c.closed() || op.Epoch != c.st.Breaker.Epoch
	case StepShouldRecover:
		return c.closed()
	}
	return false
}

// callOff ends it: nothing has been made, and nobody has touched the resource, which is idle again, or goes
// as the pool goes.
func (c *Core) callOff(op *Op) {
	status := Closed
	if !c.closed() {
		status = Unavail
	}
	switch {
	case op.Step == StepCreate:
		c.st.Patience.Making--
		if op.Kind == KindBehind {
			c.st.Makers--
		}
		c.freePlace()
	case op.Step == StepCheckOut && c.closed():
		op.Step, op.Why = StepReject, WhyClosed
		return
	case op.Step == StepCheckOut && !c.keeps(op):
		op.Status = status
		c.goes(op, StepRemove, c.unkept(op))
		return
	case op.Step == StepCheckOut:
		c.putIdle(op)
	}
	c.finish(op, status)
}

// rejected goes on after a resource is destroyed that was refused, or worn. The op keeps the place and tries the next
// idle one, or the factory: nobody may take it in between.
func (c *Core) rejected(op *Op, now int64) {
	if op.Kind == KindBehind {
		c.madeRoom(op, now)
		return
	}
	c.forget(op)
	c.vacate(op)
	c.decide(op, now)
}

// created hears the factory, of an acquire, a fill or a sweep. A place whose creation failed goes to the
// next in line at once.
func (c *Core) created(op *Op, answer *Answer) {
	c.endCreation(op, answer)
	if isAhead(op) {
		c.st.Ahead--
	}
	if !answer.OK {
		c.notCreated(op, answer)
		return
	}
	c.st.Counts.Created++
	op.Resource = answer.Resource
	op.Entry = c.st.Registry.add(op.Resource, c.places())
	c.setLabel(op)
	c.st.isBorn(op.Entry)
	if op.Kind == KindBehind {
		c.st.Makers--
		c.countMade(op, answer.Now)
	}
	switch {
	case c.closed():
		op.Step, op.Why = StepUnwanted, WhyClosed
	case op.Kind > KindTry && !c.keeps(op):
		c.goes(op, StepBury, c.unkept(op))
		c.grant() // if creations were put off
	case op.Kind == KindFill:
		c.putIdle(op)
		op.Resource = 0
		c.fill(op, answer.Now)
	case op.Kind == KindSweep:
		c.putIdle(op)
		op.Resource = 0
		c.sweepOn(op, answer.Now)
	case op.Kind == KindBehind:
		c.madeBehind(op)
	default:
		c.countMade(op, answer.Now)
		c.lend(op)
	}
}

// countMade tells the built-in strategy of a success of the factory.
func (c *Core) countMade(op *Op, now int64) {
	if c.st.Breaker.Counts == CountCreations {
		c.count(op, CountCreations, true, now)
	}
}

// notCreated ends what a failed creation was for. A sweep goes on checking and makes no more.
func (c *Core) notCreated(op *Op, answer *Answer) {
	put := answer.Later != 0
	if !put {
		c.st.Counts.Failed++
	}
	if op.Kind == KindAcquire && (put || c.st.Patience.Retry != 0) && !c.closed() && op.Flags&FlagCancelled == 0 {
		c.goOnWaiting(op, answer)
		return
	}
	if op.Kind == KindBehind {
		c.notMadeBehind(op, answer)
		return
	}
	c.freePlace()
	if op.Kind == KindSweep {
		op.Flags |= FlagNoRefill
		c.sweepOn(op, answer.Now)
		return
	}
	if op.Kind != KindFill && op.Flags&FlagCancelled == 0 && !put {
		c.count(op, CountCreations, false, answer.Now)
	}
	if op.Kind == KindTry && put {
		c.finish(op, Empty)
		return
	}
	c.finish(op, Factory)
}

// unmade ends a creation that outlived the pool.
func (c *Core) unmade(op *Op) {
	c.forget(op)
	c.freePlace()
	c.finish(op, Closed)
}
