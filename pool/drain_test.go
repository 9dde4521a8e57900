package pool_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P60.
func TestADrainServesWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 2)
		ended := make(chan error, 1)
		go func() { ended <- w.Drain(background) }()
		synctest.Wait()
		_, err := w.Acquire(background)
		assert.ErrorIs(t, err, pool.ErrClosed)
		assert.True(t, w.Stats().Closed)
		require.NoError(t, r.Release())
		for range 2 {
			got := <-results
			require.NoError(t, got.err)
			require.NoError(t, got.resource.Release())
		}
		require.NoError(t, <-ended)
		assert.Equal(t, []int{1}, w.destroyed)
		require.NoError(t, w.Drain(background))
	})
}

// Shows P61.
func TestADrainEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 1)
		ctx, cancel := context.WithCancel(background)
		ended := make(chan error, 1)
		go func() { ended <- w.Drain(ctx) }()
		synctest.Wait()
		cancel()
		assert.ErrorIs(t, <-ended, context.Canceled)
		assert.ErrorIs(t, (<-results).err, pool.ErrClosed)
		require.NoError(t, r.Release())
		w.counts(0, 0, 0, 0)
	})
}

// Shows P60, P81.
func TestADrainEndsWhatFactoriesWereGiven(t *testing.T) {
	var life context.Context
	w := newWorld(t, 1, func(c *pool.Config[int]) {
		make := c.Factory
		c.Factory = func(ctx context.Context) (int, error) {
			life = ctx
			return make(ctx)
		}
	})
	require.NoError(t, w.acquire().Release())
	require.NoError(t, life.Err())
	require.NoError(t, w.Drain(background))
	assert.ErrorIs(t, context.Cause(life), pool.ErrClosed)
}

// Shows P60.
func TestAPoolThatIsDrainedMakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		ended := make(chan error, 1)
		go func() { ended <- w.Drain(background) }()
		synctest.Wait()
		assert.ErrorIs(t, w.Create(background), pool.ErrClosed, "full or not")
		require.NoError(t, r.Release())
		require.NoError(t, <-ended)
	})
}

// Shows P62.
func TestDrainsAndACloseAllEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		results := w.line(background, 1)
		ended := make(chan error, 2)
		for range 2 {
			go func() { ended <- w.Drain(background) }()
		}
		synctest.Wait()
		w.Close()
		assert.ErrorIs(t, (<-results).err, pool.ErrClosed)
		synctest.Wait()
		assert.Empty(t, ended)
		require.NoError(t, r.Release())
		require.NoError(t, <-ended)
		require.NoError(t, <-ended)
		w.counts(0, 0, 0, 0)
	})
}

// A context that has ended says when: what is not drained by then is closed. Shows P61.
func TestADrainOfNoTimeCloses(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	w := newWorld(t, 2, nil)
	r := w.acquire()
	require.NoError(t, w.acquire().Release())
	assert.ErrorIs(t, w.Drain(ctx), context.Canceled)
	assert.Equal(t, []int{2}, w.destroyed)
	require.NoError(t, r.Release())
	require.NoError(t, w.Drain(ctx), "nothing is left")
	w.counts(0, 0, 0, 0)
}

// Shows P61.
func TestADrainInsideEveryHook(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	var w *world
	drains := 0
	drain := func() {
		drains++
		assert.ErrorIs(t, w.Drain(ctx), context.Canceled, "what the hook is called for is not back")
	}
	says := func(context.Context, int) bool { drain(); return true }
	for name, hook := range map[string]func(*pool.Config[int]){
		"Factory":       func(c *pool.Config[int]) { c.Factory = func(context.Context) (int, error) { drain(); return 7, nil } },
		"BeforeAcquire": func(c *pool.Config[int]) { c.BeforeAcquire = says },
		"BeforeRelease": func(c *pool.Config[int]) { c.BeforeRelease = says },
		"Destroy":       func(c *pool.Config[int]) { c.Destroy = func(context.Context, int) { drain() } },
	} {
		t.Run(name, func(t *testing.T) {
			drains = 0
			w = newWorld(t, 2, hook)
			if r, err := w.Acquire(background); err == nil {
				require.NoError(t, r.Release())
			}
			if r, err := w.Acquire(background); err == nil {
				require.NoError(t, r.Release())
			}
			require.NoError(t, w.Drain(background))
			assert.NotZero(t, drains)
			w.counts(0, 0, 0, 0)
		})
	}
}

// Shows P60.
func TestADrainWaitsForAPassAndNoneBegins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		checks, gate := 0, make(chan bool)
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			c.MinSize = 1
			c.HealthcheckInterval = time.Second
			c.Healthcheck = func(context.Context, int) bool { checks++; return <-gate }
		})
		time.Sleep(time.Second)
		synctest.Wait() // the pass is at the gate
		ended := make(chan error, 1)
		go func() { ended <- w.Drain(background) }()
		synctest.Wait()
		assert.Empty(t, ended)
		gate <- true
		require.NoError(t, <-ended)
		time.Sleep(time.Hour)
		assert.Equal(t, 1, checks)
		assert.Equal(t, []int{1}, w.destroyed)
		assert.Equal(t, 1, w.made)
	})
}

// Shows P20, P62.
func TestStormThatIsDrained(t *testing.T) {
	for round := range 20 {
		s := newStorm(t)
		var done sync.WaitGroup
		for range 8 {
			done.Go(func() {
				for {
					switch r, err := s.Acquire(background); {
					case errors.Is(err, pool.ErrClosed):
						return
					case err == nil:
						_ = r.Release()
					}
				}
			})
		}
		for range 2 {
			done.Go(func() { assert.NoError(t, s.Drain(background)) })
		}
		if round%3 == 2 {
			s.Close()
		}
		done.Wait()
		assert.Zero(t, s.alive.Load())
	}
}
