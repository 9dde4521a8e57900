package pool

// The lanes: what needs no decision, done under the lock without the core. While no bit of the gate concerns
// it, a lane does what the core would do (acquire.go, places.go, release.go), as that of the C driver does:
// takes an idle resource, makes one idle, joins the line, hands a resource to the first in line.

// take lends the oldest idle resource; nil: the core must decide.
func (p *Pool[T]) take() *Resource[T] {
	const harmless = GateReleaseHook | GateReports | GateReserved
	st := &p.st
	if st.Gate&^harmless != 0 || st.Queue.len() == 0 {
		return nil
	}
	entry := st.Queue.take(&st.Registry)
	e := st.Registry.entry(entry) // shares its word with none
	e.State, e.Mark = EntryLent, st.Term
	st.Idle--
	st.Active++
	r := p.slab.slot(e.Word).r
	r.entry = entry
	return r
}

// lent is the entry of a resource that is lent, or nil. The entry of a destroyed one may be another's.
func (p *Pool[T]) lent(r *Resource[T]) *Entry {
	e := p.st.Registry.entry(r.entry)
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
	st.setIdle(r.entry)
	if !p.core.bindNext(r.entry) {
		st.Queue.put(&st.Registry, r.entry)
	}
	st.Active--
	return true
}

// join puts a caller at the end of the line; nil: the core must decide. With nothing idle and nothing promised,
// all places being active, there is nothing else it could say.
func (p *Pool[T]) join() *call[T] {
	const harmless = GateReleaseHook | GateAcquireHook | GateReports | GateWaiters
	st := &p.st
	if st.Gate&^harmless != 0 || st.Active < st.MaxSize {
		return nil
	}
	c := p.begin(KindAcquire, nil)
	c.yields = p.habit.yields()
	st.Ops++
	p.core.park(&c.op, 0) // the breaker is active: the time does not matter
	st.Gate |= GateWaiters
	return c
}

// handOver lends a resource that comes back to the first in line, who is the second result, to be woken if it
// sleeps; false: the core must decide. While nothing is promised and somebody waits, nothing is idle: what
// comes back is the oldest there is.
func (p *Pool[T]) handOver(r *Resource[T]) (bool, *call[T]) {
	st := &p.st
	if st.Gate != GateWaiters {
		return false, nil
	}
	e := p.lent(r)
	if e == nil {
		return false, nil
	}
	e.Flags, e.Mark = 0, st.Term
	op := st.Waiters.Head
	p.core.unlink(op)
	if st.Waiting == 0 {
		st.Gate = 0
	}
	st.Turns++
	op.Turn, op.Entry = st.Turns, r.entry
	op.Step, op.Status = StepDone, OK
	st.Ops--
	c := callOf[T](op)
	c.resource = r
	yielded := c.yields
	slept := c.state.Swap(awake) == parked
	if yielded {
		p.habit.learn(slept)
	}
	if !slept {
		c = nil // its own goroutine's already
	}
	return true, c
}
