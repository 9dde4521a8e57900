package pool_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// patient is a pool that waits out what its factory does.
func patient(t *testing.T, size int) *world {
	return newWorld(t, size, func(c *pool.Config[int]) { c.CreateRetry, c.CreateRetryMax = time.Second, 4*time.Second })
}

// Shows P67.
func TestWhoCallsWhileTheServiceIsDownIsServedOnceItIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := patient(t, 3)
		w.fail(errDown)
		results := w.line(background, 5)
		w.counts(0, 0, 0, 5)
		_, err := w.TryAcquire(background)
		assert.ErrorIs(t, err, pool.ErrEmpty)
		time.Sleep(time.Minute) // of the bubble
		synctest.Wait()
		w.counts(0, 0, 0, 5)
		w.fail(nil)
		begun := time.Now()
		for range 5 {
			got := <-results
			require.NoError(t, got.err)
			require.NoError(t, got.resource.Release())
		}
		assert.LessOrEqual(t, time.Since(begun), 5*time.Second)
	})
}

// One after the other, at the head of the line in which the others stand. Shows P67.
func TestWhoseFactoryFailsIsFirstInLineAsBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := patient(t, 1)
		w.fail(errDown)
		results := w.line(background, 3)
		time.Sleep(10 * time.Second)
		w.fail(nil)
		for who := range 3 {
			got := <-results
			require.NoError(t, got.err)
			assert.Equal(t, who, got.who)
			require.NoError(t, got.resource.Release())
		}
	})
}

// Shows P67.
func TestWhoRunsOutOfTimeMeanwhileIsToldWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := patient(t, 1)
		w.fail(errDown)
		ctx, cancel := context.WithTimeout(background, 10*time.Second)
		defer cancel()
		for range 2 { // one of whom calls the factory
			w.line(ctx, 1)
		}
		_, err := w.Acquire(ctx)
		assert.ErrorIs(t, err, pool.ErrFactory)
		assert.ErrorIs(t, err, errDown)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		synctest.Wait()
		w.counts(0, 0, 0, 0)
	})
}

// Shows P68.
func TestAFactoryMayPutItOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, func(c *pool.Config[int]) { c.Threshold = pool.Threshold{Failures: 1, OpenFor: time.Hour} })
		w.fail(fmt.Errorf("too many connections: %w", pool.TryLater(time.Minute)))
		_, err := w.TryAcquire(background)
		assert.ErrorIs(t, err, pool.ErrEmpty)
		begun := time.Now()
		results := w.line(background, 2)
		w.fail(nil)
		require.NoError(t, (<-results).err)
		assert.Equal(t, time.Minute, time.Since(begun))
		require.NoError(t, (<-results).err)
		assert.Equal(t, pool.Active, w.Stats().State, "that was no failure")
		_, err = pool.New(pool.Config[int]{MinSize: 1, MaxSize: 1,
			Factory: func(context.Context) (int, error) { return 0, pool.TryLater(time.Second) }})
		assert.ErrorIs(t, err, pool.ErrFactory)
		assert.False(t, errors.Is(err, errDown))
	})
}

// Shows P67.
func TestWhoWaitsForACreationTakesWhatComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := patient(t, 2)
		r := w.acquire()
		w.fail(errDown)
		results := w.line(background, 1)
		require.NoError(t, r.Release())
		got := <-results
		require.NoError(t, got.err)
		assert.Equal(t, r.Value(), got.resource.Value())
	})
}

// A creation that fails for one who has left is a failure all the same, and nobody waits on for it. Shows P67.
func TestWhoHasLeftDoesNotWaitForACreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 2, func(c *pool.Config[int]) { c.CreateRetry = time.Second })
		s.leaves()
		s.ends(fails)
		s.counts(0, 0, 0, 0)
		assert.ErrorIs(t, s.Create(background), errDown, "creations are put off")
		results := s.line(background, 1)
		s.counts(0, 0, 0, 1)
		s.ends(works)
		require.NoError(t, (<-results).err)
	})
}

// Shows P67.
func TestWhoseTimeIsUpInAFactoryIsToldWhatTheLastOneSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 1, func(c *pool.Config[int]) { c.CreateRetry = time.Second })
		ctx, cancel := context.WithTimeout(background, 10*time.Second)
		defer cancel()
		results := s.line(ctx, 1)
		s.ends(fails)
		err := (<-results).err
		assert.ErrorIs(t, err, pool.ErrFactory)
		assert.ErrorIs(t, err, errDown)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		s.ends(works) // and it is idle
		s.counts(1, 0, 0, 0)
	})
}

// A line that waits for a creation keeps a drain waiting, until it ends. Shows P67.
func TestADrainServesWhoWaitsForACreation(t *testing.T) {
	for name, last := range map[string]error{"the service is back": nil, "it is not": errDown} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := patient(t, 2)
				w.fail(errDown)
				ctx, cancel := context.WithTimeout(background, time.Minute)
				defer cancel()
				results := w.line(ctx, 2)
				drained := make(chan error)
				go func() { drained <- w.Drain(background) }()
				synctest.Wait()
				_, err := w.Acquire(background)
				assert.ErrorIs(t, err, pool.ErrClosed)
				w.counts(0, 0, 0, 2)
				w.fail(last)
				for range 2 {
					got := <-results
					assert.ErrorIs(t, got.err, last)
					if last == nil {
						require.NoError(t, got.resource.Release())
					}
				}
				assert.NoError(t, <-drained)
				w.counts(0, 0, 0, 0)
			})
		})
	}
}
