package pool_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P77.
func TestWhatIsLentForTooLongIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lock sync.Mutex
		var told []pool.Lend
		tell := func(l pool.Lend) {
			lock.Lock()
			defer lock.Unlock()
			told = append(told, l)
		}
		w := newWorld(t, 2, func(c *pool.Config[int]) {
			c.LeakAfter, c.OnLeak = time.Hour, tell
		})
		defer w.Close()
		a, err := w.Acquire(pool.WithTag(background, "orders"))
		require.NoError(t, err)
		b := w.acquire()
		time.Sleep(59 * time.Minute)
		require.NoError(t, b.Release())
		synctest.Wait()
		lock.Lock()
		assert.Empty(t, told)
		lock.Unlock()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		lock.Lock()
		require.Len(t, told, 1, "a pass comes each 30 s")
		assert.Equal(t, []any{1, 1, "orders"}, []any{told[0].Resource, told[0].Uses, told[0].Tag})
		assert.InDelta(t, float64(time.Hour), float64(told[0].Held), float64(31*time.Second))
		lock.Unlock()
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		lock.Lock()
		assert.Len(t, told, 1, "once")
		lock.Unlock()
		assert.EqualValues(t, 1, w.Stats().Leaked)
		require.NoError(t, a.Release())
		a = w.acquire()
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		lock.Lock()
		assert.Len(t, told, 2, "and again for the next lend")
		lock.Unlock()
		require.NoError(t, a.Release())
		assert.EqualValues(t, 2, w.Stats().Leaked)
	})
}

// Shows P77.
func TestLeaksAreCountedWhereNobodyHears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2000, func(c *pool.Config[int]) { c.LeakAfter = time.Second })
		defer w.Close()
		defer w.Close()
		for range 2000 {
			w.acquire()
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.EqualValues(t, 2000, w.Stats().Leaked)
	})
}

// Who hears of a leak may use the pool. Shows P77.
func TestOnLeakMayUseThePool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w *world
		var a *pool.Resource[int]
		ready := make(chan struct{})
		w = newWorld(t, 1, func(c *pool.Config[int]) {
			c.LeakAfter, c.OnLeak = time.Second, func(pool.Lend) {
				<-ready
				assert.Len(t, w.Lends(), 1)
				assert.NoError(t, a.Release())
				assert.NoError(t, w.Do(background, func(int) error { return nil }))
				w.Close()
			}
		})
		a = w.acquire()
		close(ready)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		_, err := w.Acquire(context.Background())
		assert.ErrorIs(t, err, pool.ErrClosed)
		assert.Equal(t, []int{1}, w.destroyed)
	})
}

// Shows P77.
func TestOnLeakNeedsLeakAfter(t *testing.T) {
	_, err := pool.New(pool.Config[int]{
		Factory: func(context.Context) (int, error) { return 1, nil }, MaxSize: 1, OnLeak: func(pool.Lend) {},
	})
	assert.ErrorIs(t, err, pool.ErrConfig)
	_, err = pool.New(pool.Config[int]{
		Factory: func(context.Context) (int, error) { return 1, nil }, MaxSize: 1, LeakAfter: -1,
	})
	assert.ErrorIs(t, err, pool.ErrConfig)
}
