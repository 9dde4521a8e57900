package core

// The queue of the idle where what came back last is lent first. It is in the order in which they came back, as
// everywhere, and lends from its other end: so the oldest are those that have not been needed for longest. Records link
// it the other way round.
//
// A pass goes through it from the oldest on, and must not change the order, or it would be lent what the pass has just
// looked at, and nothing would ever be left alone for long. So what it has seen lies down where it was: above all that
// it has seen before, below the others. State.Seen is the border between the two. If another pass begins, the border
// begins anew with that one, and the one before may find that all it meets was seen by itself: it leaves the rest to
// the new one. What it was just looking at lies down at the new border.

// takeYoungest takes the youngest out, as a lend that is counted so; there is one.
func (st *State) takeYoungest() uint32 {
	q := &st.Queue
	i := q.Tail
	older := st.Registry.record(i).Older
	q.Tail = older - 1
	q.Taken++
	if st.Seen == i+1 {
		st.Seen = older
	}
	return i
}

// linkBack links an entry that becomes the youngest, perhaps as the only one, to what is below.
func (st *State) linkBack(i uint32, alone bool) {
	r := st.Registry.record(i)
	r.Older = 0
	if !alone {
		r.Older = st.Queue.Tail + 1
	}
}

// takeOut takes an entry out of the queue, wherever it is, as what is no lend, or counted as one later.
func (st *State) takeOut(i uint32) {
	st.uncounted()
	q, g := &st.Queue, &st.Registry
	younger, older := g.entry(i).Link, g.record(i).Older
	if st.Seen == i+1 {
		st.Seen = older
	}
	if i == q.Tail {
		q.Tail = older - 1
	} else {
		g.record(younger).Older = older
	}
	if older == 0 {
		q.Head = younger
	} else {
		g.entry(older - 1).Link = younger
	}
	q.Taken++
}

// unseen is the oldest that the present pass has not seen; false: there is none.
func (st *State) unseen() (i uint32, found bool) {
	switch q := &st.Queue; {
	case st.queued() == 0 || st.Seen == q.Tail+1:
		return 0, false
	case st.Seen == 0:
		return q.Head, true
	}
	return st.Registry.entry(st.Seen - 1).Link, true
}

// laySeen puts an entry that a pass has seen at the border.
func (st *State) laySeen(i uint32) {
	younger, found := st.unseen()
	older := st.Seen
	st.Seen = i + 1
	if !found {
		st.lay(i)
		return
	}
	q, g := &st.Queue, &st.Registry
	g.entry(i).Link, g.record(i).Older = younger, older
	g.record(younger).Older = i + 1
	if older == 0 {
		q.Head = i
	} else {
		g.entry(older - 1).Link = i
	}
	q.Put++
}
