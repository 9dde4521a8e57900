package pool_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// conn is a resource that notices a second user.
type conn struct {
	users     int32
	destroyed atomic.Bool
}

// storm is a pool in which everything goes wrong now and then, and its count of what is alive.
type storm struct {
	*pool.Pool[*conn]
	alive, most atomic.Int32
}

func newStorm(t *testing.T) *storm { return newStormWithin(t, nil) }

func newStormWithin(t *testing.T, budget pool.Budget) *storm {
	s := new(storm)
	mostly := func(_ context.Context, c *conn) bool {
		if c.destroyed.Load() {
			t.Error("a hook got a destroyed resource")
		}
		return rand.IntN(20) > 0
	}
	var err error
	s.Pool, err = pool.New(pool.Config[*conn]{
		Factory: func(context.Context) (*conn, error) {
			if rand.IntN(5) == 0 {
				return nil, errDown
			}
			if s.alive.Add(1) > 4 {
				t.Error("more resources than places")
			}
			return new(conn), nil
		},
		Destroy: func(_ context.Context, c *conn) {
			s.alive.Add(-1)
			if c.destroyed.Swap(true) {
				t.Error("destroyed twice")
			}
		},
		Healthcheck: mostly, BeforeAcquire: mostly, BeforeRelease: mostly,
		MaxSize: 4, HealthcheckInterval: 50 * time.Microsecond, Budget: budget,
	})
	require.NoError(t, err)
	return s
}

// rest waits for factories whose callers have left.
func (s *storm) rest() {
	for s.Stats().Active > 0 {
		runtime.Gosched()
	}
}

// cycle is one acquire and release with some impatience; it says what came of it.
func (s *storm) cycle(t *testing.T) error {
	ctx, cancel := background, func() {}
	if rand.IntN(4) == 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(rand.IntN(100))*time.Microsecond)
	}
	defer cancel()
	r, err := s.Acquire(ctx)
	if err != nil {
		return err
	}
	c := r.Value()
	c.users++ // the race detector sees a second user
	if c.users != 1 || c.destroyed.Load() {
		t.Error("lent twice, or destroyed while it was lent")
	}
	c.users--
	if err := r.Release(); err != nil {
		t.Error(err)
	}
	return nil
}

func TestStorm(t *testing.T) {
	s := newStorm(t)
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			for range 200 {
				err := s.cycle(t)
				known := errors.Is(err, errDown) || errors.Is(err, pool.ErrUnavailable) ||
					errors.Is(err, context.DeadlineExceeded)
				if err != nil && !known {
					t.Error(err)
				}
			}
		})
	}
	all.Go(func() {
		for range 100 {
			moves := []func() error{s.Deactivate, s.Recover, s.Activate}
			if err := moves[rand.IntN(len(moves))](); err != nil {
				t.Error(err)
			}
			s.Activate()
		}
	})
	all.Wait()
	s.Close()
	s.rest()
	stats := s.Stats()
	assert.Zero(t, s.alive.Load())
	assert.Equal(t, pool.Stats{Max: 4, Closed: true}, present(stats))
	sound(t, stats)
}

func TestAStormThatIsClosed(t *testing.T) {
	for range 8 {
		s := newStorm(t)
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				for !errors.Is(s.cycle(t), pool.ErrClosed) {
				}
			})
		}
		all.Go(s.Close)
		all.Wait()
		s.Close()
		s.rest()
		assert.Zero(t, s.alive.Load())
		assert.Equal(t, pool.Stats{Max: 4, Closed: true}, present(s.Stats()))
	}
}
