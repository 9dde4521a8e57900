package core

// Creation behind. No acquire has its resource made: who finds nothing idle stands in line, and ops of KindBehind make
// resources, which become idle and are granted to who is first, as what comes back is. So a caller takes what comes
// first, and its deadline is kept whatever a factory does. Places are free then and somebody waits (I4): what is granted
// is what is idle, and nobody is owed a resource between two steps.
//
// [State.Due] says how many such ops shall begin, and the driver looks at it after whatever has changed. Nothing is kept
// for an op that has yet to begin: one that comes too late finds nothing to do, and one that is lost is due again. What
// is made belongs to nobody: who has waited for it may have left, or been lent what came back; then it is for the next,
// or idle, or destroyed, as anything that becomes idle. Who is first in line when it is there is lent it unseen
// ([FlagMade]), as who has made its own is: with a before_acquire that refuses everything, others would be made for ever.
//
// A failure is that of the first in line, who is denied: it leaves the line with that. While creations that fail are
// waited out it is nobody's, and the first in line says when the pause is over: it comes back by then, and stays. An op
// whose driver is lost in the factory denies the first in line in any case, or the next would be lost there, too.
//
// While the breaker recovers such an op is a probe, and its slot is that of who is lent what it has made. Probes of a
// strategy that counts creations alone have no use for what is idle, but for what was made for them; one that is idle is
// destroyed for it where there is no other room.

// probing says whether those who are served are probes of a strategy that counts creations alone.
func (st *State) probing() bool {
	return st.Breaker.Circuit == Recovering && st.Breaker.Counts == CountCreations
}

// Due is how many ops of KindBehind shall begin now: as many as there are callers in line for whom nothing is being
// made, and places to make it in.
func (st *State) Due() uint32 {
	if st.Behind == 0 || st.Waiting <= st.Makers {
		return 0
	}
	taken := uint64(st.Active) + uint64(max(st.Idle, st.Reserved))
	if st.probing() { // what is idle makes room
		taken = uint64(st.Active) + uint64(st.Reserved)
	}
	if taken >= uint64(st.MaxSize) {
		return 0
	}
	n := min(st.Waiting-st.Makers, uint32(uint64(st.MaxSize)-taken))
	if b := &st.Breaker; b.Circuit == Recovering {
		n = min(n, b.Limit-b.Probes)
	}
	if st.putsOff() {
		n = min(n, st.Patience.Over)
	}
	return n
}

// Free is how many places are free for who comes, as observers hear of it: beside one for each caller in line, where
// what they wait for is made behind, and while creations are put off those for what is idle.
func (st *State) Free() uint32 {
	taken := uint64(st.Active) + uint64(st.Reserved)
	if st.Behind != 0 {
		taken += uint64(st.Waiting)
	}
	if taken >= uint64(st.MaxSize) {
		return 0
	}
	free := uint32(uint64(st.MaxSize) - taken)
	switch {
	case !st.putsOff():
		return free
	case st.probing():
		return 0
	}
	return min(free, st.queued())
}

// makeBehind begins a creation behind, if one is due.
func (c *Core) makeBehind(op *Op) {
	st := c.st
	switch {
	case c.closed():
		c.finish(op, Closed)
	case st.Due() == 0:
		c.finish(op, Empty)
	case op.Flags&FlagNoRefill == 0 && c.exist() >= uint64(st.MaxSize):
		c.beMaker(op)
		c.takeForRoom(op)
		op.Step, op.Why = StepReject, c.unkept(op)
	case op.Flags&FlagNoRefill != 0 || !c.room():
		c.deny(NoMemory)
		c.finish(op, NoMemory)
	default:
		c.beMaker(op)
		c.create(op)
	}
}

// beMaker has the op make a resource, or room for one. It has its place from the same step on.
func (c *Core) beMaker(op *Op) {
	c.takeSlot(op)
	c.st.Makers++
	c.st.Patience.Over = 0
}

// madeRoom goes on when what was idle is destroyed: others may have begun a creation meanwhile, or left.
func (c *Core) madeRoom(op *Op, now int64) {
	c.forget(op)
	switch {
	case c.closed():
		c.endMaker(op, Closed)
	case !c.stillDue(op, now):
		c.endMaker(op, Empty)
	case !c.room():
		c.deny(NoMemory)
		c.endMaker(op, NoMemory)
	default:
		c.takeSlot(op)
		op.Epoch, op.Evicts = c.st.Breaker.Epoch, c.st.Evicts
		c.beginCreation(op)
	}
}

// stillDue says whether the op is to make a resource in the room that it has made.
func (c *Core) stillDue(op *Op, now int64) bool {
	st := c.st
	lost := op.Flags&FlagCancelled != 0
	probes := c.isProbe(op) || c.admitsMore()
	return !lost && probes && st.Waiting >= st.Makers && c.mayCreate(now) && c.exist() <= uint64(st.MaxSize)
}

// endMaker ends an op that has made nothing.
func (c *Core) endMaker(op *Op, status Status) {
	c.st.Makers--
	c.freeSlot(op)
	c.freePlace()
	c.finish(op, status)
}

// madeBehind hands on what was made: to the first in line, or it is idle. What was made for another term of the breaker
// is no use to its probes.
func (c *Core) madeBehind(op *Op) {
	st := c.st
	first := st.Waiters.Head
	useful := !st.probing() || c.isProbe(op)
	fits := uint64(st.Active)+uint64(st.Reserved) <= uint64(st.MaxSize)
	c.freeSlot(op)
	if first != nil && useful && fits && c.admitsMore() {
		st.setIdle(op.Entry)
		st.layNext(op.Entry)
		st.Active--
		c.grantTo(first)
		first.Flags |= FlagMade
	} else {
		c.putIdle(op)
	}
	c.finish(op, OK)
}

// notMadeBehind ends one that was not made. The first in line is denied before the failure is counted, which may send
// away the others.
func (c *Core) notMadeBehind(op *Op, answer *Answer) {
	lost, put := op.Flags&FlagCancelled != 0, answer.Later != 0
	if lost || !put && c.st.Patience.Retry == 0 {
		c.deny(Factory)
	}
	c.st.Makers--
	c.st.Active--
	if !lost && !put {
		c.count(op, CountCreations, false, answer.Now)
	}
	c.freeSlot(op)
	c.grant()
	c.finish(op, Factory)
}

// deny sends the first in line away, if there is one.
func (c *Core) deny(status Status) {
	op := c.st.Waiters.Head
	if op == nil {
		return
	}
	c.unlink(op)
	op.Flags |= FlagDenied
	op.Status = status
	c.st.Ready.push(op, listReady)
}
