package pool_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// behind is a pool whose factory takes ten seconds, and is called by nobody who waits for it.
type behind struct {
	*world
	calls, at, most atomic.Int32
	producing       sync.Mutex
}

func newBehind(t *testing.T, size int, more func(*pool.Config[int])) *behind {
	b := &behind{}
	b.world = newWorld(t, size, func(c *pool.Config[int]) {
		produce := c.Factory
		c.CreateBehind = true
		c.Factory = func(ctx context.Context) (int, error) {
			b.calls.Add(1)
			b.most.Store(max(b.most.Load(), b.at.Add(1)))
			time.Sleep(10 * time.Second)
			b.at.Add(-1)
			b.producing.Lock()
			defer b.producing.Unlock()
			return produce(ctx)
		}
		if more != nil {
			more(c)
		}
	})
	return b
}

// end ends it, and waits for factories.
func (b *behind) end() {
	b.Close()
	time.Sleep(10 * time.Second)
	synctest.Wait()
	s := b.Stats()
	assert.Equal(b.t, uint64(len(b.destroyed)), s.Destroyed)
	assert.Equal(b.t, s.Created, s.Destroyed+uint64(s.Count))
}

// Shows P86.
func TestWhoWaitsForAFactoryTakesWhatComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 2, nil)
		r := b.acquire()
		results := b.line(background, 1)
		begin := time.Now()
		require.NoError(t, r.Release())
		got := <-results
		require.NoError(t, got.err)
		assert.Zero(t, time.Since(begin))
		assert.Equal(t, 1, got.resource.Value())
		time.Sleep(10 * time.Second)
		synctest.Wait()
		b.counts(1, 1, 0, 0)
		b.end()
	})
}

// Shows P86.
func TestAsManyCreationsRunAsCallersWaitAndAsThereArePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 3, nil)
		begin := time.Now()
		results := b.line(background, 5)
		b.counts(0, 3, 0, 5)
		assert.EqualValues(t, 3, b.calls.Load())
		for range 5 {
			got := <-results
			require.NoError(t, got.err)
			require.NoError(t, got.resource.Release())
		}
		assert.Equal(t, 10*time.Second, time.Since(begin))
		assert.EqualValues(t, 3, b.calls.Load())
		b.end()
	})
}

// Shows P45, P86.
func TestAPassMakesWhatIsKeptIdleAndOthersWhatIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 4, func(c *pool.Config[int]) { c.MinIdle = 1 })
		begin := time.Now()
		results := b.line(background, 2)
		b.counts(0, 3, 0, 2)
		var lent []*pool.Resource[int]
		for range 2 {
			got := <-results
			require.NoError(t, got.err)
			lent = append(lent, got.resource)
		}
		assert.Equal(t, 10*time.Second, time.Since(begin))
		synctest.Wait()
		b.counts(1, 2, 0, 0)
		lent = append(lent, b.acquire()) // a pass makes another, in the last place
		results = b.line(background, 1)
		b.counts(0, 4, 0, 1)
		got := <-results
		require.NoError(t, got.err)
		assert.Equal(t, 20*time.Second, time.Since(begin))
		assert.EqualValues(t, 4, b.calls.Load())
		assert.EqualValues(t, 3, b.most.Load())
		for _, r := range append(lent, got.resource) {
			require.NoError(t, r.Release())
		}
		b.end()
	})
}

// Shows P86.
func TestADeadlineIsKeptWhileTheFactoryRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 2, nil)
		ctx, stop := context.WithTimeout(background, time.Second)
		defer stop()
		_, err := b.Acquire(ctx)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.NotErrorIs(t, err, pool.ErrFactory)
		r := b.acquire() // lent what was being made
		assert.EqualValues(t, 1, b.calls.Load())
		require.NoError(t, r.Release())
		b.end()
	})
}

// Shows P86.
func TestAFailureBehindIsThatOfTheFirstInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 1, nil)
		b.fail(&downError{7})
		results := b.line(background, 2)
		for who := range 2 {
			got := <-results
			assert.Equal(t, who, got.who)
			assert.ErrorIs(t, got.err, pool.ErrFactory)
			var down *downError
			require.ErrorAs(t, got.err, &down)
			assert.Equal(t, 7, down.code)
		}
		synctest.Wait()
		b.counts(0, 0, 0, 0)
		b.end()
	})
}

// Shows P67, P86.
func TestWithPausesAFailureBehindIsNobodys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 2, func(c *pool.Config[int]) { c.CreateRetry, c.CreateRetryMax = time.Second, time.Second })
		b.fail(errDown)
		results := b.line(background, 4)
		time.Sleep(35 * time.Second)
		assert.EqualValues(t, 2, b.most.Load())
		b.most.Store(b.at.Load())
		b.fail(nil)
		for range 4 {
			got := <-results
			require.NoError(t, got.err)
			require.NoError(t, got.resource.Release())
		}
		b.end()
	})
}

// Shows P86.
func TestATryHasNothingMade(t *testing.T) {
	b := newBehind(t, 2, nil)
	_, err := b.TryAcquire(background)
	assert.ErrorIs(t, err, pool.ErrEmpty)
	assert.Empty(t, b.AcquireAllIdle())
	assert.Zero(t, b.calls.Load())
	b.Close()
}

// Shows P86.
func TestWhatWasMadeBehindIsLentUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 1, func(c *pool.Config[int]) { c.BeforeAcquire = func(context.Context, int) bool { return false } })
		require.NoError(t, b.acquire().Release())
		assert.Equal(t, 2, b.acquire().Value(), "the one that was idle is refused")
		b.end()
	})
}

// Shows P86.
func TestCloseDoesNotWaitForACreationBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 1, nil)
		results := b.line(background, 1)
		begin := time.Now()
		b.Close()
		assert.ErrorIs(t, (<-results).err, pool.ErrClosed)
		assert.Zero(t, time.Since(begin))
		time.Sleep(10 * time.Second)
		synctest.Wait()
		assert.Equal(t, []int{1}, b.destroyed)
		b.counts(0, 0, 0, 0)
	})
}

// Shows P86.
func TestAFactoryBehindThatEndsItsGoroutineFailsTheFirstInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ends atomic.Bool
		ends.Store(true)
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			produce := c.Factory
			c.CreateBehind, c.CreateRetry = true, time.Hour
			c.Factory = func(ctx context.Context) (int, error) {
				if ends.Swap(false) {
					runtime.Goexit()
				}
				return produce(ctx)
			}
		})
		_, err := w.Acquire(background)
		assert.ErrorIs(t, err, pool.ErrFactory)
		assert.NotContains(t, err.Error(), "%!", "there is no error of the factory to be told")
		assert.Equal(t, 1, w.acquire().Value())
		w.Close()
	})
}

// Shows P86.
func TestTheStatsOfWhatIsMadeBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBehind(t, 1, nil)
		results := b.line(background, 1)
		assert.Equal(t, 1, b.Stats().Making)
		got := <-results
		s := b.Stats()
		assert.Equal(t, [4]uint64{1, 1, 1, 10_000_000}, [4]uint64{s.Created, s.Lends, s.Waited, s.CreateUs})
		require.NoError(t, got.resource.Release())
		b.end()
	})
}
