package pool_test

import (
	"testing"
	"testing/synctest"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P57.
func TestWhatIsEvictedIsNotLentAgain(t *testing.T) {
	w := newWorld(t, 4, func(c *pool.Config[int]) { c.MinSize = 3 })
	a := w.acquire()
	require.NoError(t, w.Evict())
	assert.Equal(t, []int{2, 3}, w.destroyed)
	b := w.acquire()
	assert.Equal(t, 4, b.Value())
	require.NoError(t, b.Release())
	require.NoError(t, a.Release())
	assert.Equal(t, []int{2, 3, 1}, w.destroyed)
	assert.Equal(t, 4, w.acquire().Value())
	w.Close()
	assert.ErrorIs(t, w.Evict(), pool.ErrClosed)
}

// Shows P58.
func TestAnEvictLeavesTheLineAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 2)
		require.NoError(t, w.Evict())
		w.counts(0, 1, 0, 2)
		require.NoError(t, r.Release())
		for who := range 2 {
			got := <-results
			require.NoError(t, got.err)
			assert.Equal(t, [2]int{who, 2}, [2]int{got.who, got.resource.Value()})
			require.NoError(t, got.resource.Release())
		}
		w.counts(1, 0, 0, 0)
	})
}

// What outlives very many evicts, in whatever page of the registry, is known as evicted all the same. Shows P57, P59.
func TestLabelsComeAgain(t *testing.T) {
	const many = 3*4096 + 7
	w := newWorld(t, many+1, nil)
	var old []*pool.Resource[int]
	for range many {
		old = append(old, w.acquire())
	}
	for range 600 {
		require.NoError(t, w.Evict())
	}
	fresh := w.acquire()
	for _, r := range old {
		require.NoError(t, r.Release())
	}
	require.NoError(t, fresh.Release())
	w.counts(1, 0, 0, 0)
	assert.Len(t, w.destroyed, many)
}
