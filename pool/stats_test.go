package pool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// present is what of the stats is so now.
func present(s pool.Stats) pool.Stats {
	return pool.Stats{Idle: s.Idle, Active: s.Active, Reserved: s.Reserved, Waiting: s.Waiting, Max: s.Max,
		State: s.State, Closed: s.Closed}
}

// sound tests that the counts agree with each other.
func sound(t *testing.T, s pool.Stats) {
	t.Helper()
	assert.Equal(t, s.Created, s.Destroyed+s.Detached+uint64(s.Count))
	assert.Equal(t, s.Destroyed, s.DestroyedRejected+s.DestroyedRefused+s.DestroyedDead+s.DestroyedLifetime+
		s.DestroyedIdle+s.DestroyedUses+s.DestroyedEvicted+s.DestroyedDiscarded+s.DestroyedShrunk+s.DestroyedClosed)
	assert.Equal(t, s.Idle+s.Active, s.Count+s.Making)
	assert.Equal(t, s.Waited, sum(s.WaitHistogram))
	assert.Equal(t, s.Created, sum(s.CreateHistogram))
}

func sum(histogram [32]uint64) (n uint64) {
	for _, times := range histogram {
		n += times
	}
	return n
}

// Shows P70, P71.
func TestStatsCountWhatHasHappened(t *testing.T) {
	good := true
	w := newWorld(t, 3, func(c *pool.Config[int]) {
		c.BeforeAcquire = func(context.Context, int) bool { return good }
		c.BeforeRelease = func(context.Context, int) bool { return good }
	})
	a, b, c := w.acquire(), w.acquire(), w.acquire()
	_, err := w.TryAcquire(background)
	require.ErrorIs(t, err, pool.ErrEmpty)
	require.NoError(t, a.Discard())
	require.NoError(t, b.Detach())
	require.NoError(t, c.Release())
	good = false
	d := w.acquire() // c is rejected
	require.NoError(t, d.Release())
	good = true
	w.fail(errors.New("down"))
	_, err = w.Acquire(background)
	require.ErrorIs(t, err, pool.ErrFactory)
	w.fail(nil)
	require.NoError(t, w.acquire().Release())
	require.NoError(t, w.Evict())
	e, f := w.acquire(), w.acquire()
	require.NoError(t, e.Release())
	require.NoError(t, f.Release())
	require.NoError(t, w.Resize(0, 1))
	require.NoError(t, w.Deactivate())
	_, err = w.Acquire(background)
	require.ErrorIs(t, err, pool.ErrUnavailable)
	w.Close()
	s := w.Stats()
	sound(t, s)
	assert.Equal(t, pool.Stats{Max: 1, State: pool.Inactive, Closed: true,
		Lends: 7, Unavailable: 1, Created: 7, Failed: 1, Detached: 1, Destroyed: 6, DestroyedRejected: 1,
		DestroyedRefused: 1, DestroyedEvicted: 1, DestroyedDiscarded: 1, DestroyedShrunk: 1, DestroyedClosed: 1,
		PeakActive: 3, CreateUs: s.CreateUs, CreateHistogram: s.CreateHistogram}, s)
}

// Shows P72.
func TestStatsTimeWhoWaitsAndWhatIsMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			c.Factory = func(context.Context) (int, error) {
				time.Sleep(5 * time.Millisecond)
				return 1, nil
			}
		})
		r := w.acquire()
		timed, cancel := context.WithTimeout(background, time.Millisecond)
		defer cancel()
		_, err := w.Acquire(timed)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		results := w.line(background, 2)
		time.Sleep(3 * time.Millisecond)
		require.NoError(t, r.Release()) // handed over
		first := <-results
		time.Sleep(time.Millisecond)
		require.NoError(t, w.Discard(first.resource)) // the second makes its own
		second := <-results
		require.NoError(t, second.err)
		given, giveUp := context.WithCancel(background)
		last := w.line(given, 1)
		giveUp()
		require.ErrorIs(t, (<-last).err, context.Canceled)
		require.NoError(t, second.resource.Release())
		s := w.Stats()
		sound(t, s)
		assert.Equal(t, [4]uint64{3, 2, 1, 1}, [4]uint64{s.Lends, s.Waited, s.Timeouts, s.Cancelled})
		assert.Equal(t, [2]int{1, 2}, [2]int{s.PeakActive, s.PeakWaiting})
		assert.Equal(t, [2]uint64{7000, 10_000}, [2]uint64{s.WaitUs, s.CreateUs})
		assert.Equal(t, [32]uint64{12: 2}, s.WaitHistogram, "3 and 4 ms are from 2048 microseconds to 4096")
		assert.Equal(t, [32]uint64{13: 2}, s.CreateHistogram)
		w.Close()
	})
}

// Whose creation was put off is in line a second time: it takes what comes back, or is handed it. Shows P72.
func TestStatsTimeWhoStandsInLineTwice(t *testing.T) {
	for _, handed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			goOn, made := make(chan struct{}), 0
			w := newWorld(t, 3, func(c *pool.Config[int]) {
				c.Factory = func(context.Context) (int, error) {
					made++
					switch n := made; n {
					case 3:
						<-goOn
						return n, nil
					case 4:
						return 0, pool.TryLater(time.Hour)
					default:
						return n, nil
					}
				}
			})
			defer w.Close()
			a, b := w.acquire(), w.acquire()
			slow := w.line(background, 1)
			results := w.line(background, 1)
			time.Sleep(3 * time.Millisecond)
			require.NoError(t, b.Discard())
			synctest.Wait()
			time.Sleep(2 * time.Millisecond)
			if handed { // the pause is over, and there is no place
				require.NoError(t, w.Resize(0, 2))
				close(goOn)
				require.NoError(t, (<-slow).err)
				synctest.Wait()
			}
			time.Sleep(4 * time.Millisecond)
			require.NoError(t, a.Release())
			require.NoError(t, (<-results).err)
			if !handed {
				close(goOn)
				require.NoError(t, (<-slow).err)
			}
			s := w.Stats()
			sound(t, s)
			assert.Equal(t, [2]uint64{1, 9000}, [2]uint64{s.Waited, s.WaitUs})
			assert.Equal(t, [32]uint64{14: 1}, s.WaitHistogram)
		})
	}
}

// The fast path counts nothing, and yet nothing is missed. Shows P70.
func TestStatsKnowTheLane(t *testing.T) {
	w := newWorld(t, 5, nil)
	for depth := range 5 {
		for range 100 {
			var held []*pool.Resource[int]
			for range depth + 1 {
				held = append(held, w.acquire())
			}
			for _, r := range held {
				require.NoError(t, r.Release())
			}
		}
		assert.Equal(t, depth+1, w.Stats().PeakActive)
	}
	assert.Equal(t, uint64(100*(1+2+3+4+5)), w.Stats().Lends)
	sound(t, w.Stats())
}

// Shows P70.
func TestStatsOfWhoLeavesACreation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 1, nil)
		tell := func(lends, timeouts, cancelled, created, failed uint64) pool.Stats {
			n := s.Stats()
			sound(t, n)
			assert.Equal(t, [5]uint64{lends, timeouts, cancelled, created, failed},
				[5]uint64{n.Lends, n.Timeouts, n.Cancelled, n.Created, n.Failed})
			return n
		}
		s.leaves()
		assert.Equal(t, 1, tell(0, 0, 1, 0, 0).Making)
		s.ends(works)
		assert.Equal(t, 1, tell(0, 0, 1, 1, 0).Idle, "it was lent to nobody")
		r := s.acquire()
		given, giveUp := context.WithCancel(background)
		last := s.line(given, 1)
		require.NoError(t, r.Discard()) // who waits makes its own
		synctest.Wait()
		giveUp()
		require.ErrorIs(t, (<-last).err, context.Canceled)
		s.ends(works)
		assert.Zero(t, tell(1, 0, 2, 2, 0).Waited)
		require.NoError(t, s.acquire().Discard())
		timed, cancel := context.WithTimeout(background, time.Millisecond)
		defer cancel()
		require.ErrorIs(t, (<-s.line(timed, 1)).err, context.DeadlineExceeded)
		s.ends(fails)
		tell(2, 1, 2, 2, 1)
		assert.Empty(t, s.AcquireAllIdle())
		tell(2, 1, 2, 2, 1)
	})
}

// Shows P70.
func TestWhatADrainDestroysCountsAsClosed(t *testing.T) {
	w := newWorld(t, 2, nil)
	require.NoError(t, w.Create(background))
	require.NoError(t, w.Create(background))
	require.NoError(t, w.Drain(background))
	s := w.Stats()
	sound(t, s)
	assert.Equal(t, [3]uint64{2, 2, 0}, [3]uint64{s.Created, s.DestroyedClosed, s.Lends})
}
