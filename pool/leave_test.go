package pool_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hookCases lists the hooks, what runs them in a pool with one idle resource, and what is left of it.
var hookCases = map[string]struct {
	set   func(c *pool.Config[int], hook func())
	run   func(w *world)
	alive bool // the resource is not concerned
}{
	"factory": {
		func(c *pool.Config[int], hook func()) {
			made := false
			c.Factory = func(context.Context) (int, error) {
				if made {
					hook()
				}
				made = true
				return 1, nil
			}
		},
		func(w *world) { w.acquire(); w.Acquire(background) }, true,
	},
	"before acquire": {
		func(c *pool.Config[int], hook func()) {
			c.BeforeAcquire = func(context.Context, int) bool { hook(); return true }
		},
		func(w *world) { w.Acquire(background) }, false,
	},
	"before release": {
		func(c *pool.Config[int], hook func()) {
			c.BeforeRelease = func(context.Context, int) bool { hook(); return true }
		},
		func(w *world) { w.acquire().Release() }, false,
	},
	"destroy": {
		func(c *pool.Config[int], hook func()) {
			c.BeforeRelease = func(context.Context, int) bool { return false }
			c.Destroy = func(context.Context, int) { hook() }
		},
		func(w *world) { w.acquire().Release() }, false,
	},
}

// leave runs a function on a goroutine of its own and tells what it panicked with.
func leave(f func()) (panicked any) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		f()
	}()
	<-done
	return panicked
}

func TestAHookThatIsLeftLosesNoPlace(t *testing.T) {
	ways := map[string]struct {
		leave func()
		found any
	}{
		"panic":  {func() { panic("left") }, "left"},
		"goexit": {runtime.Goexit, nil},
	}
	for name, c := range hookCases {
		for way, how := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				armed := true
				w := newWorld(t, 2, func(config *pool.Config[int]) {
					config.MinSize = 1
					c.set(config, func() {
						if armed {
							how.leave()
						}
					})
				})
				assert.Equal(t, how.found, leave(func() { c.run(w) }))
				armed = false
				if c.alive {
					w.counts(0, 1, 0, 0)
				} else {
					w.counts(0, 0, 0, 0)
				}
				w.acquire()
				w.Close()
			})
		}
	}
}

func TestALeftHookHandsThePlaceOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			c.BeforeRelease = func(_ context.Context, n int) bool { return n > 1 || n/(n-1) > 0 }
		})
		r := w.acquire()
		results := w.line(background, 1)
		assert.Panics(t, func() { r.Release() })
		got := <-results
		require.NoError(t, got.err)
		assert.Equal(t, 2, got.resource.Value())
		assert.Equal(t, []int{1}, w.destroyed)
		assert.ErrorIs(t, r.Release(), pool.ErrNotOwned)
	})
}

func TestCloseDestroysAllWhateverTheyDo(t *testing.T) {
	destroyed := 0
	w := newWorld(t, 9, func(c *pool.Config[int]) {
		c.MinSize = 9
		c.Destroy = func(context.Context, int) {
			destroyed++
			panic(destroyed)
		}
	})
	assert.Panics(t, w.Close)
	assert.Equal(t, 9, destroyed)
	w.counts(0, 0, 0, 0)
}

func TestAPanicInNewLeavesNothing(t *testing.T) {
	made, destroyed := 0, 0
	assert.PanicsWithValue(t, "left", func() {
		pool.New(pool.Config[int]{
			Factory: func(context.Context) (int, error) {
				if made == 2 {
					panic("left")
				}
				made++
				return made, nil
			},
			Destroy: func(context.Context, int) { destroyed++ },
			MinSize: 3, MaxSize: 3,
		})
	})
	assert.Equal(t, 2, destroyed)
}

// A context whose methods use the pool.
type nosy struct {
	context.Context
	look func()
}

func (c nosy) Err() error            { c.look(); return c.Context.Err() }
func (c nosy) Value(key any) any     { c.look(); return c.Context.Value(key) }
func (c nosy) Done() <-chan struct{} { c.look(); return c.Context.Done() }

func TestNoMethodOfAContextIsCalledUnderTheLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, err := pool.New(pool.Config[int]{
			Factory: func(context.Context) (int, error) { return 1, nil }, MaxSize: 1, Timed: true,
		})
		require.NoError(t, err)
		defer p.Close()
		calls := 0
		inner, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		look := func() { calls++; p.Stats() }
		ctx := nosy{inner, look}
		r, err := p.Acquire(ctx)
		require.NoError(t, err)
		_, err = p.TryAcquire(ctx)
		assert.ErrorIs(t, err, pool.ErrEmpty)
		_, err = p.Acquire(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NoError(t, r.Release())
		assert.Positive(t, calls)
	})
}
