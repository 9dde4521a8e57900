package pool_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P53.
func TestGrowingServesWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 3)
		require.NoError(t, w.Resize(0, 3))
		for range 2 {
			require.NoError(t, (<-results).err)
		}
		synctest.Wait()
		w.counts(0, 3, 0, 1)
		require.NoError(t, r.Release())
		assert.Equal(t, r.Value(), (<-results).resource.Value())
	})
}

// Shows P54.
func TestShrinkingDestroysWhatIsIdleAndWhatComesBack(t *testing.T) {
	w := newWorld(t, 6, func(c *pool.Config[int]) { c.MinSize = 6 })
	a, b, c := w.acquire(), w.acquire(), w.acquire()
	require.NoError(t, w.Resize(0, 2))
	assert.Equal(t, []int{4, 5, 6}, w.destroyed)
	w.counts(0, 3, 0, 0)
	assert.Equal(t, 2, w.Stats().Max)
	require.NoError(t, b.Release())
	assert.Equal(t, []int{4, 5, 6, 2}, w.destroyed)
	require.NoError(t, a.Release())
	require.NoError(t, c.Release())
	w.counts(2, 0, 0, 0)
	assert.Equal(t, a.Value(), w.acquire().Value())
}

// Shows P56.
func TestSizesThatMakeNoPoolAreRefused(t *testing.T) {
	w := newWorld(t, 2, nil)
	for _, sizes := range [][2]int{{0, 0}, {2, 1}, {-1, 1}, {0, -1}, {0, 1 << 33}} {
		assert.ErrorIs(t, w.Resize(sizes[0], sizes[1]), pool.ErrConfig)
	}
	w.Close()
	assert.ErrorIs(t, w.Resize(0, 1), pool.ErrClosed)
	assert.Equal(t, 2, w.Stats().Max)
}

// Shows P53.
func TestARaisedMinSizeIsMadeAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 3, func(c *pool.Config[int]) {
			c.MinSize, c.HealthcheckInterval = 1, time.Hour
		})
		defer w.Close()
		begun := time.Now()
		require.NoError(t, w.Resize(3, 3))
		synctest.Wait()
		w.counts(3, 0, 0, 0)
		assert.Equal(t, begun, time.Now(), "nobody waited")
	})
}

// What is under way counts, and is as good as it was. Shows P54.
func TestAPoolShrinksInsideAFactory(t *testing.T) {
	var w *world
	inside := false
	w = newWorld(t, 2, func(c *pool.Config[int]) {
		factory := c.Factory
		c.Factory = func(ctx context.Context) (int, error) {
			if inside {
				require.NoError(t, w.Resize(0, 1))
			}
			return factory(ctx)
		}
	})
	a := w.acquire()
	inside = true
	b := w.acquire()
	w.counts(0, 2, 0, 0)
	require.NoError(t, a.Release())
	assert.Equal(t, []int{1}, w.destroyed)
	require.NoError(t, b.Release())
	w.counts(1, 0, 0, 0)
}
