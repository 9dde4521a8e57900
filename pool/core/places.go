package core

// This file keeps the account of the places: who has one, who is promised one, who waits for one. What changes Idle,
// Active, Reserved and Waiting is here, but for the single steps that it is made of: a reservation (reservations.go), a
// resource that becomes idle (idle.go), a caller who joins the line (waiters.go). A close or an opening ends promises
// and line as a whole (close.go), and the fast path does several at once (fast.go).

// surplus says whether there is a place that is neither active nor promised.
func (c *Core) surplus() bool {
	return uint64(c.st.Active)+uint64(c.st.Reserved) < uint64(c.st.MaxSize)
}

// exist is how many resources there are, or are being made or destroyed.
func (c *Core) exist() uint64 { return uint64(c.st.Idle) + uint64(c.st.Active) }

// above says whether more resources stay than there are places: the pool has shrunk.
func (c *Core) above() bool { return c.exist()-uint64(c.st.Going) > uint64(c.st.MaxSize) }

// keeps says whether the op's resource is kept, if it is good.
func (c *Core) keeps(op *Op) bool {
	return !c.closed() && !c.above() && !c.st.isEvicted(op.Entry) && !c.unneeded()
}

// goes takes the op to a step in which its resource is on its way out, and its place with it.
func (c *Core) goes(op *Op, step Step, why Why) {
	c.st.Going++
	op.Step, op.Why = step, why
}

// gone ends that: the place goes to the next in line.
func (c *Core) gone(op *Op) {
	c.st.Going--
	c.forget(op)
	c.freePlace()
}

// entitled says whether the op may take a place now: it was promised one, or one is surplus and the
// breaker admits it (I2, I4). One in line may look while places are free and all probes are out; it takes none,
// since others stand before it (I3); while creations are put off the first may.
func (c *Core) entitled(op *Op) bool {
	switch {
	case op.Flags&FlagReserved != 0:
		return true
	case !c.surplus() || !c.isProbe(op) && !c.admitsMore():
		return false
	case c.st.putsOff():
		return c.st.Waiters.Head == nil || c.st.Waiters.Head == op
	}
	return op.List != listWaiters
}

// occupy turns the op's promise, or a surplus place, into an active one.
func (c *Core) occupy(op *Op) {
	op.Epoch = c.st.Breaker.Epoch
	c.unreserve(op)
	c.st.Active++
}

// vacate turns the op's active place into a promise to the same op; a closed pool promises nothing.
func (c *Core) vacate(op *Op) {
	c.st.Active--
	if !c.closed() {
		c.reserve(op)
	}
}

// freePlace gives the op's active place up and grants it to whoever is next.
func (c *Core) freePlace() {
	c.st.Active--
	c.grant()
}

// grant promises every surplus place to the waiter who is next in line (I3, I4), as far as the breaker
// admits more callers. While creations are put off it is what is idle that is granted.
func (c *Core) grant() {
	for c.st.Waiters.Head != nil && c.surplus() && c.admitsMore() && c.st.grants() {
		c.grantTo(c.st.Waiters.Head)
	}
}

// grantTo reserves a surplus place for the first in line, who is woken.
func (c *Core) grantTo(op *Op) {
	st := c.st
	st.Turns++
	op.Turn = st.Turns
	op.Epoch = st.Breaker.Epoch
	c.takeSlot(op)
	c.reserve(op)
	c.unlink(op)
	st.Ready.push(op, listReady)
}

// takeIdle makes an idle resource the op's own, active and in a hook: the one that it was promised, or the one that
// nobody was promised and that is to be lent next; for a pass the oldest that it has not seen.
func (c *Core) takeIdle(op *Op) {
	if op.Flags&FlagBound != 0 {
		c.take(op, op.Entry)
	} else {
		c.take(op, c.choose(op))
	}
}

// choose takes an idle resource out of the queue for an op that was promised none.
func (c *Core) choose(op *Op) uint32 {
	if op.Kind == KindSweep && c.st.lifo() {
		i, _ := c.st.unseen()
		c.st.takeOut(i)
		return i
	}
	return c.st.takeNext()
}

func (c *Core) take(op *Op, entry uint32) {
	st := c.st
	op.Entry = entry
	c.occupy(op)
	st.Idle--
	e := st.Registry.entry(entry)
	e.State = EntryHook
	op.Resource = e.Word
}

// putIdle makes the op's resource idle: bound to who was owed it first, or the youngest in the queue, or, after a check
// where the order is to stay, where it was. The place is surplus again, or granted.
func (c *Core) putIdle(op *Op) {
	st := c.st
	dated := st.Registry.entry(op.Entry).Flags & EntryDated
	st.setIdle(op.Entry)
	if op.Step == StepCheckUp { // it is idle for as long as before
		st.Registry.entry(op.Entry).Flags = dated
	}
	switch {
	case c.bindNext(op.Entry):
	case op.Step == StepCheckUp && st.lifo():
		st.laySeen(op.Entry)
	default:
		st.lay(op.Entry)
	}
	c.freePlace()
}

// forget drops the op's resource, which is destroyed. Its place stays active.
func (c *Core) forget(op *Op) {
	c.st.Counts.Gone[op.Why]++
	op.Why = 0
	if c.st.isEvicted(op.Entry) {
		c.st.Evicted--
	}
	c.st.Registry.remove(op.Entry, c.places(), c.mem)
	op.Resource = 0
}

// places is how many resources there are, or may be without anybody's asking for room: those that are promised
// a place have been in line, and find the room of before.
func (c *Core) places() uint64 {
	return uint64(c.st.Idle) + uint64(c.st.Active) + uint64(c.st.Reserved)
}

// room makes sure that one more resource can be registered and become idle, before it is made: so a
// creation or a release never fails for want of memory.
func (c *Core) room() bool {
	return c.st.Registry.grow(uint64(c.st.Idle)+uint64(c.st.Active)+1, c.mem)
}

// unlink takes the op out of the list it is in.
func (c *Core) unlink(op *Op) {
	c.hear(op)
	switch op.List {
	case listWaiters:
		if c.st.SentAway(op) != OK {
			c.st.Ready.remove(op) // with the whole line
			break
		}
		c.st.Waiters.remove(op)
		c.st.Waiting--
	case listReady:
		c.st.Ready.remove(op)
	case listWoken:
		c.st.Woken.remove(op)
	case listDrains:
		c.st.Drains.remove(op)
	}
}

// finish ends an op: the one way out. Whatever place or probe slot it was promised goes to the next in
// line (I8). A resource that was kept for it is destroyed first if it is evicted, or one too
// many, or if nobody needs it any more.
func (c *Core) finish(op *Op, status Status) {
	c.unlink(op)
	if op.Flags&FlagBound != 0 && !c.closed() && !c.keeps(op) {
		c.takeIdle(op)
		op.Status = status
		c.goes(op, StepRemove, c.unkept(op))
		return
	}
	if op.Flags&FlagCancelled != 0 {
		status = Cancelled
	}
	op.Step, op.Status = StepDone, status
	if op.Kind <= KindTry {
		c.st.ended(op)
	}
	if status != OK || op.Kind > KindTry {
		op.Resource = 0
	}
	c.st.Ops--
	c.withdraw(op)
	c.freeSlot(op)
	c.grant()
}
