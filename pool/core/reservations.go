package core

// What is promised. A promise is of a place, and of a resource as soon as one is idle: then it is bound, out of the
// ring, and nobody else sees it. Who is promised a place while nothing is idle is owed the next resource that becomes
// so, before anybody else. So nothing is in the queue while somebody is owed, newcomers and passes look at nothing
// but the queue, and whoever was promised first gets what was idle first.
//
// Who is owed one may make it, so there is room for as many as are owed one. What is evicted takes room, so that is bound
// where nothing else is idle: its caller has it destroyed, and makes one in its place. While somebody is owed, nothing
// evicted is idle either.
//
// A bound resource is idle, and counted so; it is in no hook, and a close destroys it like any other.

// Reservations is a queue of ops that were promised a place, in the order of their promises. Its links are not those of
// [List]: such an op may be in one of those lists, too, until it has come.
type Reservations struct {
	Head, Tail *Op
}

func (l *Reservations) push(op *Op) {
	op.earlier, op.later = l.Tail, nil
	if l.Tail != nil {
		l.Tail.later = op
	} else {
		l.Head = op
	}
	l.Tail = op
}

func (l *Reservations) remove(op *Op) {
	if op.earlier != nil {
		op.earlier.later = op.later
	} else {
		l.Head = op.later
	}
	if op.later != nil {
		op.later.earlier = op.earlier
	} else {
		l.Tail = op.earlier
	}
	op.earlier, op.later = nil, nil
}

// reserve promises a place to the op, and the resource that is to be lent next, or the next one that becomes idle. Who
// has just destroyed one has made room.
func (c *Core) reserve(op *Op) {
	st := c.st
	st.Reserved++
	op.Flags |= FlagReserved
	switch {
	case st.queued() > 0:
		c.bind(op, st.takeNext())
	case st.Doomed.len() > 0 && op.Step != StepReject:
		c.bind(op, st.Doomed.take(&st.Registry))
	default:
		st.Owed.push(op)
	}
}

// bind makes the promise one of this resource, which is idle and not in the queue.
func (c *Core) bind(op *Op, entry uint32) {
	op.Entry = entry
	op.Flags |= FlagBound
	c.st.Bound.push(op)
}

// unreserve ends the promise to the op, if it has one. What was bound to it is whose the caller says.
func (c *Core) unreserve(op *Op) {
	switch {
	case op.Flags&FlagReserved == 0:
		return
	case op.Flags&FlagBound != 0:
		c.st.Bound.remove(op)
	default:
		c.st.Owed.remove(op)
	}
	if !c.closed() { // a close has ended all of them
		c.st.Reserved--
	}
	op.Flags &^= FlagReserved | FlagBound | FlagMade
}

// withdraw ends the promise of an op that does not take its place. A bound resource goes to who is owed one, or is to be
// lent next: it was promised before all that is in the queue.
func (c *Core) withdraw(op *Op) {
	bound := op.Flags&FlagBound != 0
	c.unreserve(op)
	if bound && !c.bindNext(op.Entry) {
		c.st.layNext(op.Entry)
	}
}

// bindNext binds an idle resource to the one who was owed it first; false: nobody is.
func (c *Core) bindNext(entry uint32) bool {
	op := c.st.Owed.Head
	if op == nil {
		return false
	}
	c.st.Owed.remove(op)
	c.bind(op, entry)
	return true
}

// revoke ends the promise of who was promised a resource first, and takes it: the pool is closed. False: there is none.
func (c *Core) revoke() (entry uint32, found bool) {
	op := c.st.Bound.Head
	if op == nil {
		return 0, false
	}
	c.unreserve(op)
	return op.Entry, true
}
