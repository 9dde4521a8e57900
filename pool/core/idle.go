package core

// Idle is the queue of the idle resources that nobody was promised, as entries, oldest first: linked through the
// entries themselves, so it needs no memory of its own and no room to be made.
type Idle struct {
	Head  uint32 `both:"first"` // the oldest, if there is one
	Taken uint32 // how many left, ever; wraps
	Tail  uint32 `both:"last"` // the youngest
	Put   uint32 // how many came
}

func (q *Idle) len() uint32 { return q.Put - q.Taken }

// take takes the oldest out; there is one.
func (q *Idle) take(g *Registry) uint32 {
	i := q.Head
	q.Head = g.entry(i).Link
	q.Taken++
	return i
}

// put makes an entry the youngest.
func (q *Idle) put(g *Registry, i uint32) {
	if q.len() == 0 {
		q.Head = i
	} else {
		g.entry(q.Tail).Link = i
	}
	q.Tail = i
	q.Put++
}

// putBack makes an entry the oldest again.
func (q *Idle) putBack(g *Registry, i uint32) {
	if q.len() == 0 {
		q.Tail = i
	} else {
		g.entry(i).Link = q.Head
	}
	q.Head = i
	q.Taken--
}

// setIdle marks an entry that is not lent as idle, and as seen by all passes that have begun: they look at what was
// idle before them.
func (st *State) setIdle(i uint32) {
	e := st.Registry.entry(i)
	e.State, e.Flags, e.Mark = EntryIdle, 0, st.Passes
	st.Idle++
}
