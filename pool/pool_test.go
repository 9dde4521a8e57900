package pool_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var background = context.Background()

// world is a pool of numbered resources and what became of them.
type world struct {
	*pool.Pool[int]
	t         *testing.T
	made      int
	failure   atomic.Pointer[error] // of the next factories
	destroyed []int
}

// newWorld makes a pool of at most size resources, which tests change by more of the config.
func newWorld(t *testing.T, size int, more func(*pool.Config[int])) *world {
	w := &world{t: t}
	config := pool.Config[int]{
		Factory: w.factory,
		Destroy: func(_ context.Context, n int) { w.destroyed = append(w.destroyed, n) },
		MaxSize: size,
	}
	if more != nil {
		more(&config)
	}
	var err error
	w.Pool, err = pool.New(config)
	require.NoError(t, err)
	return w
}

// factory makes the next number, unless it fails.
func (w *world) factory(context.Context) (int, error) {
	if err := w.failure.Load(); err != nil {
		return 0, *err
	}
	w.made++
	return w.made, nil
}

func (w *world) acquire() *pool.Resource[int] {
	w.t.Helper()
	r, err := w.Acquire(background)
	require.NoError(w.t, err)
	return r
}

// fail lets the factory fail from now on, or work again.
func (w *world) fail(err error) {
	if err == nil {
		w.failure.Store(nil)
	} else {
		w.failure.Store(&err)
	}
}

// result is what a call in the background returned.
type result struct {
	who      int
	resource *pool.Resource[int]
	err      error
}

// line lets n goroutines acquire, one after the other, and returns when all of them wait.
func (w *world) line(ctx context.Context, n int) <-chan result {
	results := make(chan result, n)
	for who := range n {
		go func() {
			r, err := w.Acquire(ctx)
			results <- result{who, r, err}
		}()
		synctest.Wait()
	}
	return results
}

// counts checks idle, active, reserved and waiting.
func (w *world) counts(idle, active, reserved, waiting int) {
	w.t.Helper()
	s := w.Stats()
	assert.Equal(w.t, [4]int{idle, active, reserved, waiting}, [4]int{s.Idle, s.Active, s.Reserved, s.Waiting})
}

func TestAcquireMakesAndReleaseKeeps(t *testing.T) {
	w := newWorld(t, 2, nil)
	a, b := w.acquire(), w.acquire()
	assert.Equal(t, [2]int{1, 2}, [2]int{a.Value(), b.Value()})
	w.counts(0, 2, 0, 0)
	require.NoError(t, b.Release())
	require.NoError(t, w.Release(a))
	w.counts(2, 0, 0, 0)
	assert.Equal(t, 2, w.acquire().Value(), "the one that was idle longest")
	assert.Equal(t, 1, w.acquire().Value())
	assert.Equal(t, 2, w.made)
	assert.Empty(t, w.destroyed)
}

// Shows P42.
func TestTheLastOneIsLentFirstWhereThatIsWanted(t *testing.T) {
	w := newWorld(t, 3, func(c *pool.Config[int]) { c.LIFO, c.MinSize = true, 3 })
	a, b := w.acquire(), w.acquire()
	assert.Equal(t, [2]int{3, 2}, [2]int{a.Value(), b.Value()})
	require.NoError(t, a.Release())
	require.NoError(t, b.Release())
	assert.Equal(t, 2, w.acquire().Value(), "the one that came back last")
	assert.Equal(t, 3, w.acquire().Value())
	assert.Equal(t, 1, w.acquire().Value())
}

func TestMinSizeIsMadeUpFront(t *testing.T) {
	w := newWorld(t, 3, func(c *pool.Config[int]) { c.MinSize = 2 })
	w.counts(2, 0, 0, 0)
	assert.Equal(t, pool.Stats{Idle: 2, Max: 3}, present(w.Stats()))
	assert.Equal(t, 1, w.acquire().Value())
}

func TestTryAcquireNeverWaits(t *testing.T) {
	w := newWorld(t, 1, nil)
	r, err := w.TryAcquire(background)
	require.NoError(t, err)
	none, err := w.TryAcquire(background)
	assert.ErrorIs(t, err, pool.ErrEmpty)
	assert.Nil(t, none)
	require.NoError(t, r.Release())
	again, err := w.TryAcquire(background)
	require.NoError(t, err)
	assert.Equal(t, r.Value(), again.Value())
	assert.NotSame(t, r, again, "a lend of its own")
}

func TestWaitersAreServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 20)
		w.counts(0, 1, 0, 20)
		for who := range 20 {
			require.NoError(t, r.Release())
			got := <-results
			require.NoError(t, got.err)
			assert.Equal(t, who, got.who)
			assert.Equal(t, 1, got.resource.Value())
			r = got.resource
			w.counts(0, 1, 0, 19-who)
			_, err := w.TryAcquire(background)
			assert.ErrorIs(t, err, pool.ErrEmpty, "what is handed over is nobody else's")
		}
		require.NoError(t, r.Release())
		w.counts(1, 0, 0, 0)
	})
}

// Shows P63.
func TestOneMoreThanMayWaitIsToldSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) { c.MaxWaiting = 2 })
		r := w.acquire()
		results := w.line(background, 2)
		none, err := w.Acquire(background)
		assert.ErrorIs(t, err, pool.ErrOverloaded)
		assert.Nil(t, none)
		_, err = w.TryAcquire(background)
		assert.ErrorIs(t, err, pool.ErrEmpty)
		w.counts(0, 1, 0, 2)
		for who := range 2 {
			require.NoError(t, r.Release())
			served := <-results
			require.NoError(t, served.err)
			assert.Equal(t, who, served.who)
			r = served.resource
		}
		require.NoError(t, r.Release())
	})
}

func TestAWaiterMayMakeWhatAnotherLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) { c.BeforeRelease = func(context.Context, int) bool { return false } })
		r := w.acquire()
		results := w.line(background, 2)
		require.NoError(t, r.Release())
		got := <-results
		require.NoError(t, got.err)
		assert.Equal(t, [2]int{0, 2}, [2]int{got.who, got.resource.Value()})
		assert.Equal(t, []int{1}, w.destroyed)
		w.counts(0, 1, 0, 1)
		require.NoError(t, got.resource.Release())
		require.NoError(t, (<-results).err)
	})
}

func TestRefusedAtTheDoor(t *testing.T) {
	w := newWorld(t, 3, func(c *pool.Config[int]) {
		c.MinSize = 2
		c.BeforeAcquire = func(_ context.Context, n int) bool { return n > 2 }
	})
	assert.Equal(t, 3, w.acquire().Value(), "two are refused, and a new one is lent unseen")
	assert.Equal(t, []int{1, 2}, w.destroyed)
	w.counts(0, 1, 0, 0)
}

func TestHandOverPassesBeforeAcquire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) { c.BeforeAcquire = func(_ context.Context, n int) bool { return n > 1 } })
		r := w.acquire()
		results := w.line(background, 1)
		require.NoError(t, r.Release())
		got := <-results
		require.NoError(t, got.err)
		assert.Equal(t, 2, got.resource.Value())
		assert.Equal(t, []int{1}, w.destroyed)
	})
}

func TestOnlyWhatIsLentComesBack(t *testing.T) {
	fit := true
	w := newWorld(t, 1, func(c *pool.Config[int]) { c.BeforeRelease = func(context.Context, int) bool { return fit } })
	other := newWorld(t, 1, nil)
	r := w.acquire()
	assert.ErrorIs(t, other.Release(r), pool.ErrNotOwned)
	assert.ErrorIs(t, other.Release(nil), pool.ErrNotOwned)
	require.NoError(t, r.Release())
	assert.ErrorIs(t, r.Release(), pool.ErrNotOwned)
	w.counts(1, 0, 0, 0)
	r = w.acquire()
	fit = false
	require.NoError(t, r.Release())
	next := w.acquire()
	assert.ErrorIs(t, r.Release(), pool.ErrNotOwned, "it was destroyed, and its place is another's")
	assert.Equal(t, []int{1}, w.destroyed)
	w.counts(0, 1, 0, 0)
	fit = true
	require.NoError(t, next.Release())
}

func TestOnlyWhatIsLentComesBackWithoutAHook(t *testing.T) {
	fit := true
	w := newWorld(t, 2, func(c *pool.Config[int]) { c.BeforeAcquire = func(context.Context, int) bool { return fit } })
	r := w.acquire()
	require.NoError(t, r.Release())
	assert.ErrorIs(t, r.Release(), pool.ErrNotOwned)
	w.counts(1, 0, 0, 0)
	fit = false
	next := w.acquire()
	require.Equal(t, []int{1}, w.destroyed)
	assert.ErrorIs(t, r.Release(), pool.ErrNotOwned, "what it was is another now")
	w.counts(0, 1, 0, 0)
	require.NoError(t, next.Release())
}
