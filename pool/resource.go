package pool

import "time"

// Resource is one lend of a resource: from the Acquire that made it to the Release, Discard or Detach that ends it.
// After that it is of no use: whoever has the resource next has a Resource of its own, and this one cannot touch it.
type Resource[T any] struct {
	item  *item[T]
	ended bool // under the pool's lock
}

// Value is what Factory returned, also for who has detached it. Once the lend has ended otherwise it is not to be used,
// and is the zero value when the resource is destroyed.
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
	tag   string  // of the lend, if the pool notes it; under the pool's lock
}

// freshLends is where lends are made: many at once, since each is used once only, and collecting them is work for
// their number. Nobody knows who remembers one, so none comes back. It is under the pool's lock, which whoever lends has.
type freshLends[T any] struct {
	array *[lendsAtOnce]Resource[T]
	used  int
}

const lendsAtOnce = 128 // 2 KiB

// take is a lend that nobody has had; nil: there is none left.
func (f *freshLends[T]) take() *Resource[T] {
	if f.array == nil || f.used == lendsAtOnce {
		return nil
	}
	f.used++
	return &f.array[f.used-1]
}

// lend begins the lend of a resource. The lock is held on entry, and given up.
func (p *Pool[T]) lend(i *item[T]) *Resource[T] {
	r := p.fresh.take()
	p.mu.Unlock()
	return p.lent(i, r)
}

// lent ends an acquire, with a fresh lend, or nil where there was none left. New ones are made outside of the lock, as
// an allocation may have to help the collector.
func (p *Pool[T]) lent(i *item[T], r *Resource[T]) *Resource[T] {
	if r == nil {
		r = p.more()
	}
	r.item = i
	return r
}

// more makes fresh lends, unless others have done so meanwhile, and takes one.
func (p *Pool[T]) more() *Resource[T] {
	p.mu.Lock()
	r := p.fresh.take()
	p.mu.Unlock()
	if r != nil {
		return r
	}
	fresh := freshLends[T]{array: new([lendsAtOnce]Resource[T])}
	r = fresh.take()
	p.mu.Lock()
	if p.fresh.array == nil || p.fresh.used == lendsAtOnce {
		p.fresh = fresh
	}
	p.mu.Unlock()
	return r
}
