package pool_test

import (
	"context"
	"testing"
	"testing/synctest"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCloseSendsEverybodyAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 3, func(c *pool.Config[int]) { c.MinSize = 3 })
		a, b, c := w.acquire(), w.acquire(), w.acquire()
		results := w.line(background, 3)
		w.Close()
		for range 3 {
			got := <-results
			assert.ErrorIs(t, got.err, pool.ErrClosed)
			assert.Nil(t, got.resource)
		}
		w.counts(0, 3, 0, 0)
		assert.True(t, w.Stats().Closed)
		for _, r := range []*pool.Resource[int]{a, b, c} {
			require.NoError(t, r.Release())
		}
		assert.Equal(t, []int{1, 2, 3}, w.destroyed)
		w.counts(0, 0, 0, 0)
	})
}

func TestCloseDestroysWhatIsIdle(t *testing.T) {
	w := newWorld(t, 9, func(c *pool.Config[int]) { c.MinSize = 9 })
	w.Close()
	w.Close()
	assert.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, w.destroyed)
	_, err := w.Acquire(background)
	assert.ErrorIs(t, err, pool.ErrClosed)
	_, err = w.TryAcquire(background)
	assert.ErrorIs(t, err, pool.ErrClosed)
	assert.ErrorIs(t, w.Activate(), pool.ErrClosed)
}

func TestWhatIsMadeForAClosedPoolIsDestroyed(t *testing.T) {
	var w *world
	w = newWorld(t, 1, func(c *pool.Config[int]) {
		c.Factory = func(context.Context) (int, error) {
			w.Close()
			return 1, nil
		}
	})
	_, err := w.Acquire(background)
	assert.ErrorIs(t, err, pool.ErrClosed)
	assert.Equal(t, []int{1}, w.destroyed)
	w.counts(0, 0, 0, 0)
}

func TestAnEndedContextAcquiresNothing(t *testing.T) {
	w := newWorld(t, 1, nil)
	ctx, cancel := context.WithCancel(background)
	cancel()
	_, err := w.Acquire(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	_, err = w.TryAcquire(ctx)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, w.made)
}

func TestAWaiterLeavesTheMiddleOfTheLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		r := w.acquire()
		first := w.line(background, 1)
		ctx, cancel := context.WithCancelCause(background)
		second := w.line(ctx, 1)
		third := w.line(background, 1)
		w.counts(0, 1, 0, 3)
		cancel(errDown)
		err := (<-second).err
		assert.ErrorIs(t, err, context.Canceled)
		assert.ErrorIs(t, err, errDown)
		w.counts(0, 1, 0, 2)
		require.NoError(t, r.Release())
		next := <-first
		require.NoError(t, next.err)
		require.NoError(t, next.resource.Release())
		require.NoError(t, (<-third).err)
	})
}

func TestADeadlineEndsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, nil)
		w.acquire()
		ctx, cancel := context.WithTimeout(background, 1e9)
		defer cancel()
		_, err := w.Acquire(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		w.counts(0, 1, 0, 0)
	})
}

// A turn and the end of the context come together, many times: whoever wins, nothing is lost.
func TestCancelAndTurnAtOnce(t *testing.T) {
	for _, hook := range []func(context.Context, int) bool{nil, func(context.Context, int) bool { return true }} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, 1, func(c *pool.Config[int]) { c.BeforeAcquire = hook })
			for range 200 {
				r := w.acquire()
				ctx, cancel := context.WithCancel(background)
				results := w.line(ctx, 2)
				go cancel()
				require.NoError(t, r.Release())
				for range 2 {
					got := <-results
					if got.err == nil {
						require.NoError(t, got.resource.Release())
					} else {
						require.ErrorIs(t, got.err, context.Canceled)
					}
				}
				w.counts(1, 0, 0, 0)
			}
			assert.Equal(t, 1, w.made)
		})
	}
}

func TestACheckThatRunsIsNotInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	w := newWorld(t, 1, func(c *pool.Config[int]) {
		c.BeforeAcquire = func(hears context.Context, _ int) bool {
			cancel()
			return hears.Err() != nil
		}
	})
	require.NoError(t, w.acquire().Release())
	r, err := w.Acquire(ctx)
	require.NoError(t, err)
	assert.Equal(t, 1, r.Value())
}
