package pool

import "time"

// Resource is one lend of a resource: from the Acquire that made it to the Release, Discard or Detach that ends it.
// After that it is of no use: whoever has the resource next has a Resource of its own, and this one cannot touch it.
type Resource[T any] struct {
	item  *item[T]
	ended bool // under the pool's lock
}

// Value is what Factory returned. It stays what it is when the lend has ended, for who has detached it.
func (r *Resource[T]) Value() T {
	return r.item.value
}

// Uses is how often the resource was lent, and CreatedAt when it was made, for who holds it; in a pool without a limit
// that needs them, and after the end of the lend, they are 0 and the zero time.
func (r *Resource[T]) Uses() int {
	_, _, uses := r.age()
	return uses
}

// CreatedAt is when the resource was made: see [Resource.Uses].
func (r *Resource[T]) CreatedAt() time.Time {
	age, _, uses := r.age()
	if uses == 0 {
		return time.Time{}
	}
	return time.Now().Add(-age)
}

// IdleFor is how long the resource had been idle when it was lent, by a coarse clock: see [Resource.Uses].
func (r *Resource[T]) IdleFor() time.Duration {
	_, idle, _ := r.age()
	return idle
}

func (r *Resource[T]) age() (age, idle time.Duration, uses int) {
	p := r.item.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	if r.ended { // the place of what is known of it may be another's
		return 0, 0, 0
	}
	p.now(0)
	a, i, n := p.st.Age(r.item.entry)
	return time.Duration(a), time.Duration(i), int(n)
}

// Release is [Pool.Release] of the pool the resource is of.
func (r *Resource[T]) Release() error {
	return r.item.pool.Release(r)
}

// Discard is [Pool.Discard] of the pool the resource is of.
func (r *Resource[T]) Discard() error {
	return r.item.pool.Discard(r)
}

// Detach is [Pool.Detach] of the pool the resource is of.
func (r *Resource[T]) Detach() error {
	return r.item.pool.Detach(r)
}

// item is what a factory has made, from its creation to its end.
type item[T any] struct {
	value T
	pool  *Pool[T]
	word  uintptr // its handle
	entry uint32  // its entry in the registry, once it was lent
	many  uint32  // of how many lends the last array was
	lends []Resource[T]
}

// mostLends is how many lends of a resource lie in one array at most.
const mostLends = 128

// lend begins a lend. Who holds the item alone calls it, so it needs no lock. A lend is never used again, since nobody
// knows who remembers it. They are made many at once, the more the more often the item is lent.
func (i *item[T]) lend() *Resource[T] {
	if len(i.lends) == 0 {
		i.many = min(max(1, 2*i.many), mostLends)
		i.lends = make([]Resource[T], i.many)
	}
	r := &i.lends[0]
	i.lends = i.lends[1:]
	r.item = i
	return r
}

// lent is the end of an acquire.
func lent[T any](i *item[T], err error) (*Resource[T], error) {
	if i == nil {
		return nil, err
	}
	return i.lend(), nil
}
