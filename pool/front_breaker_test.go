package pool_test

import (
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheBreakerStopsAndStarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 4, func(c *pool.Config[int]) { c.RecoveringLimit = 2 })
		a, b, _, _ := w.acquire(), w.acquire(), w.acquire(), w.acquire()
		results := w.line(background, 1)
		require.NoError(t, w.Deactivate())
		assert.ErrorIs(t, (<-results).err, pool.ErrUnavailable)
		_, err := w.TryAcquire(background)
		assert.ErrorIs(t, err, pool.ErrUnavailable)
		assert.Equal(t, pool.Inactive, w.Stats().State)
		require.NoError(t, w.Recover())
		require.NoError(t, a.Release())
		require.NoError(t, b.Release())
		probe := w.acquire()
		w.acquire()
		_, err = w.Acquire(background)
		assert.ErrorIs(t, err, pool.ErrUnavailable, "two probes are out")
		require.NoError(t, w.Activate())
		require.NoError(t, probe.Release())
		assert.Equal(t, pool.Active, w.Stats().State)
		w.acquire()
	})
}

func TestTheThreshold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, func(c *pool.Config[int]) {
			c.Threshold = pool.Threshold{Failures: 2, OpenFor: time.Second}
		})
		w.fail(errDown)
		for range 2 {
			_, err := w.Acquire(background)
			assert.ErrorIs(t, err, errDown)
		}
		_, err := w.Acquire(background)
		assert.ErrorIs(t, err, pool.ErrUnavailable)
		time.Sleep(time.Second) // of the bubble: none of ours
		w.fail(nil)
		require.NoError(t, w.acquire().Release())
		assert.Equal(t, pool.Active, w.Stats().State)
	})
}
