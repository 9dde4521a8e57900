package core

// Idle is the queue of the idle resources that nobody was promised, as entries, oldest first: linked through the
// entries themselves, so it needs no memory of its own and no room to be made.
type Idle struct {
	Head  uint32 `both:"first"` // the oldest, if there is one
	Taken uint32 // how many left; in State.Queue since it was 0, see stats.go
	Tail  uint32 `both:"last"` // the youngest
	Put   uint32 // how many came; in State.Queue less State.Spare
}

func (q *Idle) len() uint32 { return q.Put - q.Taken }

// take takes the oldest out; there is one.
func (q *Idle) take(g *Registry) uint32 {
	i := q.Head
	q.Head = g.entry(i).Link
	q.Taken++
	return i
}

// setIdle marks an entry that is not lent as idle, and as seen by all passes that have begun: they look at what was
// idle before them.
func (st *State) setIdle(i uint32) {
	e := st.Registry.entry(i)
	e.State, e.Flags, e.Mark = EntryIdle, 0, st.Passes
	st.Idle++
}

// lifo says whether what came back last is lent first.
func (st *State) lifo() bool { return st.Options&OptionLIFO != 0 }

// next is what is to be lent next; there is something.
func (st *State) next() uint32 {
	if st.lifo() {
		return st.Queue.Tail
	}
	return st.Queue.Head
}

// lendNext takes out of the queue what is to be lent next, as a lend that is counted so; there is something.
func (st *State) lendNext() uint32 {
	if st.lifo() {
		return st.takeYoungest()
	}
	return st.Queue.take(&st.Registry)
}

// takeNext takes it out as what is no lend, or counted as one later.
func (st *State) takeNext() uint32 {
	st.uncounted()
	return st.lendNext()
}

// takeOldest takes the oldest out of the queue, in the same way; there is one.
func (st *State) takeOldest() uint32 {
	i := st.Queue.Head
	if st.lifo() {
		st.takeOut(i)
		return i
	}
	st.uncounted()
	return st.Queue.take(&st.Registry)
}

// lay makes an entry the youngest of the queue.
func (st *State) lay(i uint32) {
	q := &st.Queue
	alone := st.queued() == 0
	if st.lifo() {
		st.linkBack(i, alone)
	}
	if alone {
		q.Head = i
	} else {
		st.Registry.entry(q.Tail).Link = i
	}
	q.Tail = i
	q.Put++
}

// layBack makes an entry the oldest of the queue again.
func (st *State) layBack(i uint32) {
	q := &st.Queue
	if st.queued() == 0 {
		q.Tail = i
	} else {
		st.Registry.entry(i).Link = q.Head
	}
	q.Head = i
	q.Put++
}

// layNext makes an entry what is to be lent next. Where that is the youngest, passes that have begun need not look at
// it: they look at what lies below.
func (st *State) layNext(i uint32) {
	if st.lifo() {
		st.Registry.entry(i).Mark = st.Passes
		st.lay(i)
	} else {
		st.layBack(i)
	}
}

// nextUnseen is the oldest that the present pass has not seen; there is one.
func (st *State) nextUnseen() uint32 {
	if st.lifo() {
		i, _ := st.unseen()
		return i
	}
	return st.Queue.Head
}

// passOver leaves what a pass looks at idle: it has seen it.
func (st *State) passOver(i uint32) {
	st.Registry.entry(i).Mark = st.Passes
	if st.lifo() {
		st.Seen = i + 1
		return
	}
	st.lay(st.takeOldest())
}
