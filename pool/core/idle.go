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
