package pool

import "time"

// The fast path of the front: what the core does without a decision, from words to resources. The lock is held.

// take lends the idle resource that is next; nil: the core must decide.
func (p *Pool[T]) take(tag string) *item[T] {
	p.look()
	word, entry, ok := p.core.FastTake()
	if !ok {
		return nil
	}
	p.prompt()
	i := p.handles.slot(word).item
	if i.entry != entry { // a write would take the cache line from who has read it, for nothing
		i.entry = entry
	}
	if p.noted {
		i.tag = tag
	}
	return i
}

// giveBack makes a lent resource idle; false: the core must decide.
func (p *Pool[T]) giveBack(i *item[T]) bool {
	p.look()
	given := p.core.FastGive(i.word, i.entry)
	p.prompt()
	return given
}

// join puts a call at the end of the line; false: the core must decide.
func (p *Pool[T]) join(c *call[T]) bool {
	if !p.core.FastJoin(&c.op) {
		return false
	}
	p.joins(c)
	return true
}

// handOver lends a resource that comes back to the first in line, who is the second result, to be woken if it
// sleeps; false: the core must decide.
func (p *Pool[T]) handOver(i *item[T]) (bool, *call[T]) {
	op := p.core.FastHandOver(i.word, i.entry)
	if op == nil {
		return false, nil
	}
	c := callOf[T](op)
	c.resource, c.fresh = i, p.fresh.take()
	if p.noted {
		i.tag = c.tag
	}
	p.served(c)
	if c.state.Swap(awake) != parked {
		c = nil // its own goroutine's already
	}
	return true, c
}

// prompt has a pass begin at once if the core says so: fewer are idle than are to be kept so.
func (p *Pool[T]) prompt() {
	if p.st.Prompt != 0 {
		p.st.Prompt = 0
		if p.health != nil {
			p.health.hurry()
		}
	}
}

// look says what time it is, to a pool whose callers have to know it.
func (p *Pool[T]) look() {
	if p.st.Ages.CheckAfter != 0 || p.st.Ages.Timed != 0 {
		p.tick(int64(time.Since(p.born)))
	}
}

// tick says what time it is to a pool with ages; what is lent now is noted to be lent since then.
func (p *Pool[T]) tick(now int64) {
	p.st.Tick(now)
	p.st.Ages.Note = uint64(now)
}
