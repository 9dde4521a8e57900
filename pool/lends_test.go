package pool_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Shows P75.
func TestAPlainPoolTellsWhatIsLent(t *testing.T) {
	w := newWorld(t, 2, nil)
	defer w.Close()
	assert.Empty(t, w.Lends())
	r, err := w.Acquire(pool.WithTag(background, "tag"))
	require.NoError(t, err)
	assert.Equal(t, []pool.Lend{{Resource: 1}}, w.Lends())
	require.NoError(t, r.Release())
	assert.Empty(t, w.Lends())
}

// Shows P75, P76.
func TestATimedPoolTellsSinceWhenAndWhatFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, func(c *pool.Config[int]) { c.Timed = true })
		defer w.Close()
		ctx := pool.WithTag(background, "orders")
		a, err := w.Acquire(ctx) // by an op
		require.NoError(t, err)
		time.Sleep(time.Hour)
		assert.Equal(t, []pool.Lend{{Resource: 1, Held: time.Hour, Uses: 1, Tag: "orders"}}, w.Lends())
		require.NoError(t, a.Release())
		time.Sleep(time.Hour)
		a = w.acquire() // what is idle
		assert.Equal(t, []pool.Lend{{Resource: 1, Uses: 2}}, w.Lends())
		time.Sleep(time.Second)
		b, err := w.TryAcquire(ctx)
		require.NoError(t, err)
		lends := w.Lends()
		slices.SortFunc(lends, func(a, b pool.Lend) int { return a.Resource.(int) - b.Resource.(int) })
		assert.Equal(t, []pool.Lend{{Resource: 1, Held: time.Second, Uses: 2}, {Resource: 2, Uses: 1, Tag: "orders"}}, lends)
		require.NoError(t, b.Discard())
		require.NoError(t, a.Release())
		assert.Empty(t, w.Lends())
	})
}

// What is handed over, and what comes with an op after the line. Shows P76.
func TestWhoHasStoodInLineHasATagOfItsOwn(t *testing.T) {
	for _, asked := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, 1, func(c *pool.Config[int]) {
				c.Timed = true
				if asked {
					c.BeforeAcquire = func(context.Context, int) bool { return true }
				}
			})
			defer w.Close()
			a, err := w.Acquire(pool.WithTag(background, "first"))
			require.NoError(t, err)
			served := make(chan *pool.Resource[int])
			go func() {
				b, err := w.Acquire(pool.WithTag(background, "second"))
				assert.NoError(t, err)
				served <- b
			}()
			time.Sleep(time.Minute)
			require.NoError(t, a.Release())
			b := <-served
			time.Sleep(time.Second)
			assert.Equal(t, []pool.Lend{{Resource: 1, Held: time.Second, Uses: 2, Tag: "second"}}, w.Lends())
			require.NoError(t, b.Release())
		})
	}
}

// Shows P75.
func TestEachOfManyLendsIsToldOnce(t *testing.T) {
	const many = 3000
	w := newWorld(t, many, nil)
	defer w.Close()
	var held []*pool.Resource[int]
	for range many {
		held = append(held, w.acquire())
	}
	told := map[any]bool{}
	for _, l := range w.Lends() {
		told[l.Resource] = true
	}
	assert.Len(t, told, many)
	for _, r := range held {
		require.NoError(t, r.Release())
	}
	assert.Empty(t, w.Lends())
}

// Shows P79.
func TestHoldsAreTimed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, func(c *pool.Config[int]) { c.Timed = true })
		defer w.Close()
		for _, held := range []time.Duration{0, time.Microsecond, 100 * time.Microsecond, time.Second} {
			r := w.acquire()
			time.Sleep(held)
			require.NoError(t, r.Release())
			require.ErrorIs(t, r.Release(), pool.ErrNotOwned)
		}
		r := w.acquire()
		time.Sleep(time.Second)
		require.NoError(t, r.Discard())
		r = w.acquire()
		r2 := w.acquire()
		time.Sleep(time.Second)
		require.NoError(t, r.Detach())
		s := w.Stats()
		assert.EqualValues(t, 3_000_101, s.HoldUs)
		expected := [32]uint64{}
		expected[0], expected[1], expected[7], expected[20] = 1, 1, 1, 3
		assert.Equal(t, expected, s.HoldHistogram)
		require.NoError(t, r2.Release())
		assert.EqualValues(t, 7, sum(w.Stats().HoldHistogram))
		for _, l := range w.AcquireAllIdle() {
			assert.NotZero(t, l.CreatedAt())
			require.NoError(t, l.Release())
		}
	})
}

// Shows P79.
func TestHoldsAreNotTimedUnlessWanted(t *testing.T) {
	w := newWorld(t, 2, func(c *pool.Config[int]) { c.MaxLifetime, c.LeakAfter = time.Hour, time.Hour })
	defer w.Close()
	require.NoError(t, w.acquire().Release())
	assert.Equal(t, [2]uint64{}, [2]uint64{w.Stats().HoldUs, sum(w.Stats().HoldHistogram)})
}
