package pool

// The fast path of the front: what the core does without a decision, from words to resources. The lock is held.

// take lends the oldest idle resource; nil: the core must decide.
func (p *Pool[T]) take() *Resource[T] {
	word, entry, ok := p.core.FastTake()
	if !ok {
		return nil
	}
	r := p.handles.slot(word).r
	if r.entry != entry { // a write would take the cache line from who has read it, for nothing
		r.entry = entry
	}
	return r
}

// giveBack makes a lent resource idle; false: the core must decide, also about what is not lent, or not the pool's any
// more.
func (p *Pool[T]) giveBack(r *Resource[T]) bool {
	return r.word != 0 && p.core.FastGive(r.word, r.entry)
}

// join puts a call at the end of the line; false: the core must decide.
func (p *Pool[T]) join(c *call[T]) bool {
	if !p.core.FastJoin(&c.op) {
		return false
	}
	c.yields = p.yield.next()
	return true
}

// handOver lends a resource that comes back to the first in line, who is the second result, to be woken if it
// sleeps; false: the core must decide.
func (p *Pool[T]) handOver(r *Resource[T]) (bool, *call[T]) {
	if r.word == 0 { // it is not the pool's any more, and its entry may be none
		return false, nil
	}
	op := p.core.FastHandOver(r.word, r.entry)
	if op == nil {
		return false, nil
	}
	c := callOf[T](op)
	c.resource = r
	yielded := c.yields
	slept := c.state.Swap(awake) == parked
	if yielded {
		p.yield.heard(slept)
	}
	if !slept {
		c = nil // its own goroutine's already
	}
	return true, c
}
