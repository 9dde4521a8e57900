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

// lendArray is where lends are made: many at once, since each is used once only. Nobody knows who remembers it.
type lendArray[T any] struct {
	used  int
	lends [127]Resource[T] // 2 KiB with the count
}

// lend begins a lend. Its array is the processor's, not the resource's: one resource is lent by many processors, each
// of which would take the array's cache lines away from the one before.
func (i *item[T]) lend() *Resource[T] {
	a, _ := i.pool.arrays.Get().(*lendArray[T])
	if a == nil {
		a = new(lendArray[T])
	}
	r := &a.lends[a.used]
	r.item = i
	if a.used++; a.used < len(a.lends) {
		i.pool.arrays.Put(a)
	}
	return r
}

// lent is the end of an acquire.
func lent[T any](i *item[T], err error) (*Resource[T], error) {
	if i == nil {
		return nil, err
	}
	return i.lend(), nil
}
