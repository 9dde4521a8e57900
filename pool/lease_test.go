package pool_test

import (
	"testing"
	"testing/synctest"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ended checks that a lend that has ended can do nothing.
func ended(t *testing.T, r *pool.Resource[int]) {
	t.Helper()
	for name, end := range map[string]func() error{"release": r.Release, "discard": r.Discard, "detach": r.Detach} {
		assert.ErrorIs(t, end(), pool.ErrNotOwned, name)
	}
}

// Shows P82.
func TestALendThatHasEndedNeverTouchesTheNext(t *testing.T) {
	w := newWorld(t, 1, nil)
	for range 300 { // through the arrays of lends
		r := w.acquire()
		require.NoError(t, r.Release())
		next := w.acquire()
		assert.Equal(t, 1, next.Value())
		ended(t, r)
		w.counts(0, 1, 0, 0)
		require.NoError(t, next.Release())
		ended(t, next)
		w.counts(1, 0, 0, 0)
	}
	assert.Empty(t, w.destroyed)
}

// Shows P82.
func TestALendThatWasHandedOverIsTheNextOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 2)
		require.NoError(t, r.Release())
		first := <-results
		ended(t, r)
		w.counts(0, 1, 0, 1)
		require.NoError(t, first.resource.Release())
		ended(t, r)
		ended(t, first.resource)
		second := <-results
		w.counts(0, 1, 0, 0)
		require.NoError(t, second.resource.Release())
	})
}

func TestALendKeepsItsValue(t *testing.T) {
	w := newWorld(t, 1, nil)
	r := w.acquire()
	require.NoError(t, r.Detach())
	assert.Equal(t, 2, w.acquire().Value())
	assert.Equal(t, 1, r.Value())
}

func TestWhatIsNoLendIsRefused(t *testing.T) {
	w, other := newWorld(t, 1, nil), newWorld(t, 1, nil)
	r := w.acquire()
	for _, wrong := range []*pool.Resource[int]{nil, new(pool.Resource[int]), r} {
		assert.ErrorIs(t, other.Release(wrong), pool.ErrNotOwned)
		assert.ErrorIs(t, other.Discard(wrong), pool.ErrNotOwned)
		assert.ErrorIs(t, other.Detach(wrong), pool.ErrNotOwned)
	}
	require.NoError(t, r.Release())
}
