package pool_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P43.
func TestWhatWasLentSoOftenGoes(t *testing.T) {
	w := newWorld(t, 1, func(c *pool.Config[int]) { c.MaxUses = 2 })
	for n := 1; n <= 3; n++ {
		for use := 1; use <= 2; use++ {
			r := w.acquire()
			assert.Equal(t, [2]int{n, use}, [2]int{r.Value(), r.Uses()})
			require.NoError(t, r.Release())
		}
	}
	assert.Equal(t, []int{1, 2, 3}, w.destroyed)
	w.counts(0, 0, 0, 0)
	assert.Equal(t, [3]uint64{0, 0, 3}, gone(w))
}

// gone is how many were destroyed for being too old, for having been idle for too long, and for being used up.
func gone(w *world) [3]uint64 {
	s := w.Stats()
	return [3]uint64{s.DestroyedLifetime, s.DestroyedIdle, s.DestroyedUses}
}

// What is made for one who has left is lent to nobody. Shows P43.
func TestWhatIsMadeForNobodyIsNotUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made, goOn := 0, make(chan struct{})
		p, err := pool.New(pool.Config[int]{MaxSize: 1, MaxUses: 1, Factory: func(context.Context) (int, error) {
			<-goOn
			made++
			return made, nil
		}})
		require.NoError(t, err)
		defer p.Close()
		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		_, err = p.Acquire(ctx)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		close(goOn)
		synctest.Wait()
		r, err := p.Acquire(t.Context())
		require.NoError(t, err)
		assert.Equal(t, [2]int{1, 1}, [2]int{r.Value(), r.Uses()})
		require.NoError(t, r.Release())
	})
}

// Shows P43.
func TestWhatIsTooOldGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 3, func(c *pool.Config[int]) { c.MaxLifetime, c.MinSize = time.Hour, 2 })
		defer w.Close()
		r := w.acquire()
		time.Sleep(59 * time.Minute)
		assert.InDelta(t, float64(59*time.Minute), float64(time.Since(r.CreatedAt())), float64(10*time.Millisecond))
		assert.Empty(t, w.destroyed)
		w.counts(1, 1, 0, 0)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		assert.Equal(t, []int{2}, w.destroyed, "the idle one goes by itself")
		w.counts(1, 1, 0, 0)
		require.NoError(t, r.Release())
		assert.Equal(t, []int{2, 1}, w.destroyed, "and the other one when it comes back")
		time.Sleep(time.Minute)
		synctest.Wait()
		w.counts(2, 0, 0, 0)
		r = w.acquire()
		require.NoError(t, r.Release())
		time.Sleep(10 * time.Minute)
		last, other := r.Value(), w.acquire()
		assert.NotEqual(t, last, other.Value())
		again := w.acquire()
		assert.Equal(t, last, again.Value())
		assert.InDelta(t, float64(10*time.Minute), float64(again.IdleFor()), float64(31*time.Second), "one pass behind")
		require.NoError(t, again.Release())
		assert.Equal(t, []any{0, time.Duration(0), time.Time{}}, []any{again.Uses(), again.IdleFor(), again.CreatedAt()})
	})
}

// Many are looked at in several steps, between which others have the lock. Shows P43.
func TestAThousandGrowOld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1000, func(c *pool.Config[int]) { c.MaxLifetime, c.MinSize = time.Hour, 1000 })
		defer w.Close()
		time.Sleep(61 * time.Minute)
		synctest.Wait()
		w.counts(1000, 0, 0, 0)
		assert.Len(t, w.destroyed, 1000)
		assert.Equal(t, [3]uint64{1000, 0, 0}, gone(w))
		assert.Equal(t, 2000, w.made)
	})
}

// Shows P44.
func TestWhatIsIdleForLongGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 4, func(c *pool.Config[int]) { c.IdleTimeout, c.MinSize, c.LIFO = time.Hour, 1, true })
		defer w.Close()
		var held []*pool.Resource[int]
		for range 4 {
			held = append(held, w.acquire())
		}
		for _, r := range held {
			require.NoError(t, r.Release())
		}
		for range 4 * 6 { // one of them is needed now and then
			time.Sleep(10 * time.Minute)
			r := w.acquire()
			assert.Equal(t, 4, r.Value())
			require.NoError(t, r.Release())
		}
		synctest.Wait()
		assert.Equal(t, []int{1, 2, 3}, w.destroyed)
		w.counts(1, 0, 0, 0)
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		w.counts(1, 0, 0, 0)
		assert.Equal(t, [3]uint64{0, 3, 0}, gone(w))
	})
}

// What is needed again and again stays, although the clock is a pass behind. Shows P44.
func TestWhatWasNeededJustNowStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) { c.IdleTimeout, c.HealthcheckInterval = time.Minute, 10*time.Minute })
		defer w.Close()
		for range 200 {
			require.NoError(t, w.acquire().Release())
			time.Sleep(30 * time.Second)
		}
		assert.Empty(t, w.destroyed)
	})
}

// Shows P44.
func TestWhatCameBackJustNowIsNotChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := 0
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			c.CheckAfter, c.BeforeAcquire = time.Minute, func(context.Context, int) bool { seen++; return true }
		})
		require.NoError(t, w.acquire().Release())
		for range 10 {
			time.Sleep(50 * time.Second)
			r := w.acquire()
			time.Sleep(time.Hour) // what is lent is not idle
			require.NoError(t, r.Release())
		}
		assert.Zero(t, seen)
		time.Sleep(61 * time.Second)
		require.NoError(t, w.acquire().Release())
		assert.Equal(t, 1, seen)
	})
}

// Shows P43.
func TestLimitsThatMakeNoSense(t *testing.T) {
	for name, change := range map[string]func(*pool.Config[int]){
		"jitter":   func(c *pool.Config[int]) { c.MaxLifetime, c.LifetimeJitter = 1, 2 },
		"negative": func(c *pool.Config[int]) { c.MaxLifetime = -1 },
		"check":    func(c *pool.Config[int]) { c.CheckAfter = 1 },
		"uses":     func(c *pool.Config[int]) { c.MaxUses = -1 },
		"interval": func(c *pool.Config[int]) { c.MaxUses, c.HealthcheckInterval = 1, time.Second },
	} {
		config := pool.Config[int]{Factory: func(context.Context) (int, error) { return 1, nil }, MaxSize: 1}
		change(&config)
		_, err := pool.New(config)
		assert.ErrorIs(t, err, pool.ErrConfig, name)
	}
}

// Shows P45.
func TestSoManyAreKeptIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 4, func(c *pool.Config[int]) { c.MinIdle = 2 })
		defer w.Close()
		synctest.Wait()
		w.counts(2, 0, 0, 0)
		held := []*pool.Resource[int]{w.acquire()}
		synctest.Wait()
		w.counts(2, 1, 0, 0)
		held = append(held, w.acquire(), w.acquire())
		synctest.Wait()
		w.counts(1, 3, 0, 0)
		require.NoError(t, held[0].Discard())
		synctest.Wait()
		w.counts(2, 2, 0, 0)
		require.NoError(t, w.Evict())
		synctest.Wait()
		w.counts(2, 2, 0, 0)
		require.NoError(t, held[1].Release())
		require.NoError(t, held[2].Release())
		w.counts(2, 0, 0, 0)
	})
}

// Where the factory fails, the next pass tries again. Shows P45.
func TestAFactoryThatFailsIsAskedAgainByTheNextPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		p, err := pool.New(pool.Config[int]{MaxSize: 2, MinIdle: 1, Factory: func(context.Context) (int, error) {
			if n := int(calls.Add(1)); n >= 4 {
				return n, nil
			}
			return 0, errors.New("down")
		}})
		require.NoError(t, err)
		defer p.Close()
		synctest.Wait()
		assert.EqualValues(t, 1, calls.Load(), "no pass prompts another")
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		assert.EqualValues(t, 3, calls.Load())
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, 1, p.Stats().Idle)
	})
}

// Shows P45.
func TestMinIdleIsAtMostMaxSize(t *testing.T) {
	factory := func(context.Context) (int, error) { return 0, nil }
	for _, n := range []int{-1, 3} {
		_, err := pool.New(pool.Config[int]{MaxSize: 2, MinIdle: n, Factory: factory})
		assert.ErrorIs(t, err, pool.ErrConfig)
	}
}
