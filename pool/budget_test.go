package pool_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ledger is a budget that counts.
type ledger struct {
	mu                sync.Mutex
	limit, used, most int
	later             time.Duration // as its refusals say
	refusal           error         // says so in place of that
	panics            bool
	pools             map[pool.Trimmer]int
}

func newLedger(limit int) *ledger {
	return &ledger{limit: limit, later: time.Second, pools: map[pool.Trimmer]int{}}
}

func (l *ledger) Take(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.panics:
		panic("of the budget")
	case l.used < l.limit && l.refusal == nil:
		l.used++
		l.most = max(l.most, l.used)
		return nil
	case l.refusal != nil:
		return l.refusal
	}
	return pool.TryLater(l.later)
}

func (l *ledger) Give() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used--
}

func (l *ledger) Attach(p pool.Trimmer) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pools[p]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.pools[p]--; l.pools[p] == 0 {
			delete(l.pools, p)
		}
	}
}

func (l *ledger) taken() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used
}

func never(context.Context, int) bool { return false }

// left runs a function that leaves by a panic or Goexit, on a goroutine of its own.
func left(f func()) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer func() { _ = recover() }()
		f()
	}()
	<-ended
}

// Whatever comes of a resource, its place is given back, once.
func TestEachResourceHasOnePlaceOfTheBudget(t *testing.T) {
	acquires := func(w *world) { _, _ = w.Acquire(background) }
	comesBack := func(w *world) { _ = w.acquire().Release() }
	for _, c := range []struct {
		name    string
		config  func(*pool.Config[int])
		happens func(*world)
		left    int // places that are taken then
	}{
		{"released", nil, comesBack, 1},
		{"discarded", nil, func(w *world) { _ = w.acquire().Discard() }, 0},
		{"evicted, idle", nil, func(w *world) { comesBack(w); _ = w.Evict() }, 0},
		{"evicted, lent", nil, func(w *world) { r := w.acquire(); _ = w.Evict(); _ = r.Release() }, 0},
		{"trimmed", nil, func(w *world) { comesBack(w); _ = w.Trim(0) }, 0},
		{"shrunk", nil, func(w *world) { a, b := w.acquire(), w.acquire(); _ = a.Release(); _ = w.Resize(0, 1); _ = b.Release() }, 1},
		{"made by hand", nil, func(w *world) { _ = w.Create(background) }, 1},
		{"closed, idle", nil, func(w *world) { comesBack(w); w.Close(); w.Close() }, 0},
		{"closed, lent", nil, func(w *world) { r := w.acquire(); w.Close(); _ = r.Release() }, 0},
		{"drained", nil, func(w *world) { comesBack(w); _ = w.Drain(background) }, 0},
		{"a function panics", nil, func(w *world) {
			left(func() { _ = w.Do(background, func(int) error { panic("in Do") }) })
		}, 0},
		{"refused before", func(c *pool.Config[int]) { c.BeforeAcquire = never },
			func(w *world) { comesBack(w); w.acquire() }, 1},
		{"refused after", func(c *pool.Config[int]) { c.BeforeRelease = never }, comesBack, 0},
		{"worn", func(c *pool.Config[int]) { c.MaxUses = 1 }, comesBack, 0},
		{"idle for long", func(c *pool.Config[int]) { c.IdleTimeout = time.Second },
			func(w *world) { comesBack(w); time.Sleep(time.Minute) }, 0},
		{"dead", func(c *pool.Config[int]) { c.Healthcheck, c.HealthcheckInterval = never, time.Second },
			func(w *world) { comesBack(w); time.Sleep(90 * time.Second) }, 0},
		{"made by passes", func(c *pool.Config[int]) { c.MinIdle = 2 }, func(*world) { synctest.Wait() }, 2},
		{"made behind", func(c *pool.Config[int]) { c.CreateBehind = true }, comesBack, 1},
		{"the factory fails", nil, func(w *world) { w.fail(errDown); acquires(w) }, 0},
		{"the factory panics", func(c *pool.Config[int]) {
			c.Factory = func(context.Context) (int, error) { panic("in a factory") }
		}, func(w *world) { left(func() { acquires(w) }) }, 0},
		{"the factory ends its goroutine", func(c *pool.Config[int]) {
			c.Factory = func(context.Context) (int, error) { runtime.Goexit(); return 0, nil }
		}, func(w *world) { left(func() { acquires(w) }) }, 0},
		{"Destroy panics", func(c *pool.Config[int]) { c.Destroy = func(context.Context, int) { panic("in Destroy") } },
			func(w *world) { r := w.acquire(); left(func() { _ = r.Discard() }) }, 0},
		{"Destroy ends its goroutine", func(c *pool.Config[int]) {
			c.Destroy = func(context.Context, int) { runtime.Goexit() }
		}, func(w *world) { r := w.acquire(); left(func() { _ = r.Discard() }) }, 0},
		{"no Destroy", func(c *pool.Config[int]) { c.Destroy = nil }, func(w *world) { _ = w.acquire().Discard() }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				budget := newLedger(4)
				w := newWorld(t, 4, func(config *pool.Config[int]) {
					config.Budget = budget
					if c.config != nil {
						c.config(config)
					}
				})
				c.happens(w)
				assert.Equal(t, c.left, budget.taken())
				assert.NotZero(t, budget.most)
				for _, r := range w.AcquireAllIdle() { // so that no destruction of Close panics
					left(func() { _ = r.Discard() })
				}
				w.Close()
				synctest.Wait()
				assert.Equal(t, w.Stats().Active, budget.taken(), "lent, and never released")
				assert.Empty(t, budget.pools)
			})
		})
	}
}

// Whoever leaves a creation leaves its place to what that makes.
func TestACreationThatIsLeftHasItsPlace(t *testing.T) {
	for name, ends := range map[string]func() error{"made": works, "failed": fails} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				budget := newLedger(1)
				s := newSlow(t, 2, func(c *pool.Config[int]) { c.Budget = budget })
				s.leaves()
				assert.Equal(t, 1, budget.taken())
				s.ends(ends)
				assert.Equal(t, s.Stats().Count, budget.taken())
				s.leavesNothing(budget)
			})
		})
	}
	t.Run("closed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			budget := newLedger(1)
			s := newSlow(t, 2, func(c *pool.Config[int]) { c.Budget = budget })
			s.leaves()
			s.Close()
			s.ends(works)
			s.leavesNothing(budget)
		})
	})
}

func (s *slow) leavesNothing(budget *ledger) {
	s.t.Helper()
	s.Close()
	assert.Zero(s.t, budget.taken())
}

// What is detached is closed by its owner, who gives its place back then.
func TestWhatIsDetachedKeepsItsPlace(t *testing.T) {
	budget := newLedger(1)
	w := newWorld(t, 2, func(c *pool.Config[int]) { c.Budget = budget })
	require.NoError(t, w.acquire().Detach())
	assert.Equal(t, 1, budget.taken())
	_, err := w.TryAcquire(background)
	assert.ErrorIs(t, err, pool.ErrEmpty, "the budget is spent")
	budget.Give()
	w.acquire()
	w.Close()
}

func TestWithoutAPlaceCallersWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		budget := newLedger(1)
		with := func(c *pool.Config[int]) { c.Budget, c.Threshold = budget, pool.Threshold{Failures: 1} }
		w, other := newWorld(t, 4, with), newWorld(t, 4, with)
		held := other.acquire()
		_, err := w.TryAcquire(background)
		assert.ErrorIs(t, err, pool.ErrEmpty)
		results := w.line(background, 2)
		w.counts(0, 0, 0, 2)
		require.NoError(t, held.Discard())
		first := <-results
		require.NoError(t, first.err)
		assert.Zero(t, first.who, "in the order of asking")
		require.NoError(t, first.resource.Release())
		require.NoError(t, (<-results).resource.Release())
		assert.Equal(t, pool.Active, w.Stats().State, "that is nobody's failure")
		assert.Equal(t, 1, budget.most)
		w.Close()
		other.Close()
		assert.Zero(t, budget.taken())
	})
}

func TestNewFailsWholeWithoutAPlace(t *testing.T) {
	budget := newLedger(1)
	destroyed := 0
	p, err := pool.New(pool.Config[int]{MinSize: 2, MaxSize: 2, Budget: budget,
		Factory: func(context.Context) (int, error) { return 1, nil },
		Destroy: func(context.Context, int) { destroyed++ }})
	assert.Nil(t, p)
	assert.ErrorIs(t, err, pool.ErrFactory)
	assert.Equal(t, 1, destroyed)
	assert.Zero(t, budget.taken())
	assert.Empty(t, budget.pools)
}

func TestWhyTheBudgetRefusesIsTheCallersError(t *testing.T) {
	budget := newLedger(1)
	w := newWorld(t, 1, func(c *pool.Config[int]) { c.Budget = budget })
	budget.refusal = errDown
	_, err := w.Acquire(background)
	assert.ErrorIs(t, err, pool.ErrFactory)
	assert.ErrorIs(t, err, errDown)
	budget.refusal, budget.panics = nil, true
	left(func() { _, _ = w.Acquire(background); t.Error("the panic is gone") })
	budget.panics = false
	w.acquire()
	assert.Equal(t, 1, w.made, "no factory was asked without a place")
	assert.Equal(t, 1, budget.taken())
	w.Close()
}

// plain is a budget that has the two methods alone.
type plain struct{ inner *ledger }

func (b plain) Take(ctx context.Context) error { return b.inner.Take(ctx) }
func (b plain) Give()                          { b.inner.Give() }

func TestTheBudgetKnowsThePoolUntilItsEnd(t *testing.T) {
	budget := newLedger(2)
	within := func(c *pool.Config[int]) { c.Budget = budget }
	p, q := newWorld(t, 1, within), newWorld(t, 1, within)
	assert.Equal(t, map[pool.Trimmer]int{p.Pool: 1, q.Pool: 1}, budget.pools)
	require.NoError(t, p.acquire().Release())
	for known := range budget.pools {
		require.NoError(t, known.Trim(0))
	}
	assert.Zero(t, budget.taken())
	p.Close()
	assert.Equal(t, map[pool.Trimmer]int{q.Pool: 1}, budget.pools)
	require.NoError(t, q.Drain(background))
	assert.Empty(t, budget.pools)

	w := newWorld(t, 1, func(c *pool.Config[int]) { c.Budget = plain{budget} })
	assert.Empty(t, budget.pools)
	w.acquire()
	assert.Equal(t, 1, budget.taken())
	w.Close()
}

// Two pools have fewer places together than each could use.
func TestAStormWithinABudget(t *testing.T) {
	budget := newLedger(3)
	budget.later = 50 * time.Microsecond
	storms := []*storm{newStormWithin(t, budget), newStormWithin(t, budget)}
	var all sync.WaitGroup
	for i := range 16 {
		s := storms[i%2]
		all.Go(func() {
			for range 200 {
				_ = s.cycle(t)
			}
		})
	}
	all.Go(func() {
		for i := range 100 {
			_ = storms[i%2].Trim(0)
		}
	})
	all.Wait()
	for _, s := range storms {
		s.Close()
		s.rest()
	}
	assert.Zero(t, budget.taken())
	assert.LessOrEqual(t, budget.most, 3)
	assert.Empty(t, budget.pools)
}
