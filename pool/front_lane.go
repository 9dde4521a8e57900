package pool

// The lanes: taking and giving back an idle resource without the core, under the lock, when there is nothing
// to decide. While no bit of the gate concerns it, a lane does what the core would do (acquire.go,
// release.go), as the lane of the C driver does.

// take lends the oldest idle resource; nil: the core must decide.
func (p *Pool[T]) take() *Resource[T] {
	const harmless = GateReleaseHook | GateReports
	st := &p.st
	if st.Gate&^harmless != 0 || st.Idle == 0 {
		return nil
	}
	entry := st.Ring.pop()
	e := at(st.Registry.Entries, entry)
	e.State = EntryLent
	st.Idle--
	st.Active++
	r := p.slab.byWord[e.Word]
	r.entry = entry
	return r
}

// lent is the entry of a resource that is lent, or nil.
func (p *Pool[T]) lent(r *Resource[T]) *Entry {
	if r.word == 0 {
		return nil
	}
	e := at(p.st.Registry.Entries, r.entry)
	if e.State != EntryLent || e.Word != r.word {
		return nil
	}
	return e
}

// giveBack makes a lent resource idle; false: the core must decide, also about what is not lent.
func (p *Pool[T]) giveBack(r *Resource[T]) bool {
	const harmless = GateAcquireHook | GateReserved
	st := &p.st
	if st.Gate&^harmless != 0 {
		return false
	}
	e := p.lent(r)
	if e == nil {
		return false
	}
	e.State, e.Flags = EntryIdle, 0
	st.Ring.push(r.entry)
	st.Idle++
	st.Active--
	return true
}
