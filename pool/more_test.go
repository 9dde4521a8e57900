package pool_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func values(all []*pool.Resource[int]) (values []int) {
	for _, r := range all {
		values = append(values, r.Value())
	}
	return values
}

// Shows P83.
func TestAllThatIsIdleIsLent(t *testing.T) {
	for name, hook := range map[string]func(context.Context, int) bool{
		"nothing asked": nil,
		"asked":         func(context.Context, int) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 6, func(c *pool.Config[int]) { c.MinSize, c.BeforeAcquire = 4, hook })
			r := w.acquire()
			all := w.AcquireAllIdle()
			assert.Equal(t, []int{2, 3, 4}, values(all))
			w.counts(0, 4, 0, 0)
			assert.Empty(t, w.AcquireAllIdle())
			w.counts(0, 4, 0, 0)
			assert.Equal(t, 4, w.made)
			for _, r := range append(all, r) {
				require.NoError(t, r.Release())
			}
			w.counts(4, 0, 0, 0)
		})
	}
}

// What is refused is destroyed, and nothing is made in its place. Shows P83.
func TestAllThatIsIdleMakesNothing(t *testing.T) {
	w := newWorld(t, 4, func(c *pool.Config[int]) {
		c.MinSize, c.BeforeAcquire = 3, func(_ context.Context, n int) bool { return n != 3 }
	})
	assert.Equal(t, []int{1, 2}, values(w.AcquireAllIdle()))
	assert.Equal(t, []int{3}, w.destroyed)
	assert.Equal(t, 3, w.made)
	w.counts(0, 2, 0, 0)
}

func TestNothingIsLentThatMayNotBe(t *testing.T) {
	w := newWorld(t, 2, func(c *pool.Config[int]) { c.MinSize = 2 })
	require.NoError(t, w.Deactivate())
	assert.Empty(t, w.AcquireAllIdle())
	require.NoError(t, w.Recover())
	assert.Len(t, w.AcquireAllIdle(), 1, "one probe")
	w.Close()
	assert.Empty(t, w.AcquireAllIdle())
}

func TestWhatIsLentGoesBackIfAHookIsLeft(t *testing.T) {
	w := newWorld(t, 3, func(c *pool.Config[int]) {
		c.MinSize = 3
		c.BeforeAcquire = func(_ context.Context, n int) bool { return 1/(3-n) >= 0 }
	})
	assert.Panics(t, func() { w.AcquireAllIdle() })
	assert.Equal(t, []int{3}, w.destroyed)
	w.counts(2, 0, 0, 0)
}

// Shows P84.
func TestOneMoreIsMade(t *testing.T) {
	w := newWorld(t, 3, func(c *pool.Config[int]) { c.MinSize = 1 })
	require.NoError(t, w.Create(background))
	w.counts(2, 0, 0, 0)
	require.NoError(t, w.Create(background))
	w.counts(3, 0, 0, 0)
	assert.ErrorIs(t, w.Create(background), pool.ErrFull)
	require.NoError(t, w.acquire().Discard())
	w.fail(errDown)
	err := w.Create(background)
	assert.ErrorIs(t, err, pool.ErrFactory)
	assert.ErrorIs(t, err, errDown)
	ctx, cancel := context.WithCancel(background)
	cancel()
	assert.ErrorIs(t, w.Create(ctx), context.Canceled)
	w.counts(2, 0, 0, 0)
	w.Close()
	assert.ErrorIs(t, w.Create(background), pool.ErrClosed)
}

// It is one whatever is missing to MinSize. Shows P84.
func TestOneMoreIsOne(t *testing.T) {
	w := newWorld(t, 4, func(c *pool.Config[int]) { c.MinSize = 3 })
	for range 3 {
		require.NoError(t, w.acquire().Discard())
	}
	w.counts(0, 0, 0, 0)
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	require.NoError(t, w.Create(ctx))
	w.counts(1, 0, 0, 0)
	require.NoError(t, w.Resize(3, 3), "the sizes are as they were")
}

// Shows P80, P84.
func TestWhoLeavesACreateLeavesWhatItMakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 2, nil)
		ctx, cancel := context.WithCancel(background)
		result := make(chan error)
		go func() { result <- s.Create(ctx) }()
		synctest.Wait()
		cancel()
		assert.ErrorIs(t, <-result, context.Canceled)
		s.counts(0, 1, 0, 0)
		s.ends(works)
		s.counts(1, 0, 0, 0)
	})
}

// Shows P84.
func TestOneMoreIsNoConcernOfTheBreaker(t *testing.T) {
	w := newWorld(t, 2, func(c *pool.Config[int]) { c.Threshold = pool.Threshold{Failures: 1, OpenFor: time.Hour} })
	w.fail(errDown)
	assert.ErrorIs(t, w.Create(background), errDown)
	assert.Equal(t, pool.Active, w.Stats().State)
	w.fail(nil)
	require.NoError(t, w.Deactivate())
	require.NoError(t, w.Create(background))
	w.counts(1, 0, 0, 0)
}

// Shows P85.
func TestAFunctionHasALend(t *testing.T) {
	w := newWorld(t, 1, nil)
	require.NoError(t, w.Do(background, func(n int) error {
		assert.Equal(t, 1, n)
		w.counts(0, 1, 0, 0)
		return nil
	}))
	assert.Equal(t, errDown, w.Do(background, func(int) error { return errDown }))
	w.counts(1, 0, 0, 0)
	assert.Empty(t, w.destroyed)
	for n, leaves := range []func(){func() { panic(errDown) }, runtime.Goexit} {
		leave(func() {
			w.Do(background, func(int) error { leaves(); return nil })
			t.Error("it came back")
		})
		assert.Len(t, w.destroyed, n+1)
		w.counts(0, 0, 0, 0)
	}
	w.Close()
	assert.ErrorIs(t, w.Do(background, func(int) error { t.Error("nothing is lent"); return nil }), pool.ErrClosed)
}
