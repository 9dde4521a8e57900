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

// Shows P65.
func TestTheThresholdCountsWhatItIsTold(t *testing.T) {
	refuses := true
	w := newWorld(t, 1, func(c *pool.Config[int]) {
		c.Threshold = pool.Threshold{Failures: 2, OpenFor: time.Hour, Counts: pool.CountCreations}
		c.BeforeRelease = func(context.Context, int) bool { return !refuses }
	})
	for range 5 {
		require.NoError(t, w.acquire().Release())
	}
	assert.Equal(t, pool.Active, w.Stats().State)
	w.fail(errDown)
	for range 2 {
		_, err := w.Acquire(background)
		assert.ErrorIs(t, err, errDown)
	}
	assert.Equal(t, pool.Inactive, w.Stats().State)
	w.fail(nil)
	require.NoError(t, w.Activate())
	refuses = false
	require.NoError(t, w.acquire().Release())
	require.NoError(t, w.Recover())
	assert.Equal(t, 7, w.acquire().Value(), "a probe makes its own")
	assert.Equal(t, pool.Active, w.Stats().State)
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6}, w.destroyed, "and room for it")
}

// Probes are lost, and nobody comes: who waits looks after 30 seconds, whatever its context is, and whether it stood in
// line before the breaker began to recover or came later.
func TestWhoWaitsLooksAfterLostProbes(t *testing.T) {
	forEver := func() (context.Context, context.CancelFunc) { return background, func() {} }
	hour := func() (context.Context, context.CancelFunc) { return context.WithTimeout(background, time.Hour) }
	for name, c := range map[string]struct {
		ctx    func() (context.Context, context.CancelFunc)
		before bool
	}{
		"for ever":                {forEver, false},
		"with a deadline":         {hour, false},
		"before, for ever":        {forEver, true},
		"before, with a deadline": {hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, 2, func(c *pool.Config[int]) {
					c.Threshold = pool.Threshold{Failures: 5, Successes: 9, OpenFor: time.Millisecond}
				})
				a, b := w.acquire(), w.acquire()
				waits, cancel := c.ctx()
				defer cancel()
				var results <-chan result
				if c.before {
					results = w.line(waits, 2)
					time.Sleep(time.Minute)
				} else {
					require.NoError(t, w.Deactivate())
				}
				require.NoError(t, w.Recover())
				begun := time.Now()
				if !c.before {
					results = w.line(waits, 2)
				}
				time.Sleep(time.Second)
				require.NoError(t, a.Release())
				probe := <-results // it never comes back
				require.NoError(t, probe.err)
				require.NoError(t, b.Release())
				w.counts(1, 1, 0, 1)
				second := <-results
				require.NoError(t, second.err)
				assert.Equal(t, 30*time.Second, time.Since(begun))
				assert.Equal(t, pool.Recovering, w.Stats().State)
			})
		})
	}
}

// One who looks in vain waits on, and leaves with its context.
func TestALookInVainIsNoEndOfTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			c.Threshold = pool.Threshold{Failures: 5, OpenFor: time.Millisecond}
		})
		w.acquire()
		require.NoError(t, w.Deactivate())
		require.NoError(t, w.Recover())
		ctx, cancel := context.WithTimeout(background, 5*time.Minute)
		defer cancel()
		begun := time.Now()
		result := <-w.line(ctx, 1)
		assert.ErrorIs(t, result.err, context.DeadlineExceeded)
		assert.Equal(t, 5*time.Minute, time.Since(begun))
		w.counts(0, 1, 0, 0)
	})
}
