package pool_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P50.
func TestADiscardDestroysAndAsksNobody(t *testing.T) {
	asked := 0
	w := newWorld(t, 1, func(c *pool.Config[int]) {
		c.BeforeRelease = func(context.Context, int) bool { asked++; return true }
		c.Threshold = pool.Threshold{Failures: 1}
	})
	r := w.acquire()
	require.NoError(t, r.Discard())
	assert.Equal(t, []int{1}, w.destroyed)
	assert.Zero(t, asked)
	assert.Equal(t, pool.Active, w.Stats().State)
	w.counts(0, 0, 0, 0)
	assert.Equal(t, 2, w.acquire().Value())
	assert.ErrorIs(t, r.Discard(), pool.ErrNotOwned)
}

// Shows P51, P52.
func TestADetachedResourceIsItsHolders(t *testing.T) {
	w := newWorld(t, 2, nil)
	other := newWorld(t, 1, nil)
	r := w.acquire()
	assert.ErrorIs(t, other.Detach(r), pool.ErrNotOwned)
	assert.ErrorIs(t, other.Discard(nil), pool.ErrNotOwned)
	require.NoError(t, r.Detach())
	w.counts(0, 0, 0, 0)
	assert.Equal(t, 1, r.Value())
	for _, again := range []error{r.Detach(), r.Discard(), r.Release()} {
		assert.ErrorIs(t, again, pool.ErrNotOwned)
	}
	assert.Equal(t, 2, w.acquire().Value())
	assert.ErrorIs(t, r.Release(), pool.ErrNotOwned, "its word is another's now")
	w.Close()
	assert.Empty(t, w.destroyed)
}

// Shows P50, P51.
func TestThePlaceOfWhatIsTakenOutGoesToTheFirstInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 2)
		require.NoError(t, w.Discard(r))
		first := <-results
		require.NoError(t, first.err)
		assert.Equal(t, [2]int{0, 2}, [2]int{first.who, first.resource.Value()})
		require.NoError(t, w.Detach(first.resource))
		second := <-results
		require.NoError(t, second.err)
		assert.Equal(t, [2]int{1, 3}, [2]int{second.who, second.resource.Value()})
		assert.Equal(t, []int{1}, w.destroyed)
	})
}

// The entries of very many lie in pages that are given back; a resource that is no more is known as such all the same.
// Shows P52.
func TestWhatWasTakenOutOfManyIsNotLent(t *testing.T) {
	const many = 3 * 4096
	w := newWorld(t, many, nil)
	var all []*pool.Resource[int]
	for range many {
		all = append(all, w.acquire())
	}
	for _, r := range all {
		require.NoError(t, r.Detach())
	}
	for _, r := range all {
		assert.ErrorIs(t, r.Release(), pool.ErrNotOwned)
	}
	w.counts(0, 0, 0, 0)
}

// Shows P50, P51.
func TestAClosedPoolDestroysWhatIsDiscardedAlone(t *testing.T) {
	w := newWorld(t, 2, nil)
	a, b := w.acquire(), w.acquire()
	w.Close()
	require.NoError(t, a.Discard())
	require.NoError(t, b.Detach())
	assert.Equal(t, []int{1}, w.destroyed)
	w.counts(0, 0, 0, 0)
}

func TestWhatIsDetachedIsCollectedWhenItsHolderForgetsIt(t *testing.T) {
	p, err := pool.New(pool.Config[*[64]int]{
		Factory: func(context.Context) (*[64]int, error) { return new([64]int), nil }, MaxSize: 2,
	})
	require.NoError(t, err)
	defer p.Close()
	detached := func() weak.Pointer[[64]int] {
		r, err := p.Acquire(context.Background())
		require.NoError(t, err)
		require.NoError(t, r.Detach())
		return weak.Make(r.Value())
	}()
	runtime.GC()
	runtime.GC() // what a sync.Pool has is collected in the second one
	assert.Nil(t, detached.Value())
}
