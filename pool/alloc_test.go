//go:build !race

package pool_test

import (
	"context"
	"runtime"
	"testing"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In steady state a cycle allocates nothing but its lend, as one of an array: not on the fast path, not through the core,
// not with hooks.
func TestACycleAllocatesNothingButItsLend(t *testing.T) {
	yes := func(context.Context, int) bool { return true }
	ctx, cancel := context.WithCancel(background)
	defer cancel()
	for name, more := range map[string]func(*pool.Config[int]){
		"fast path": nil,
		"hooks":     func(c *pool.Config[int]) { c.BeforeAcquire, c.BeforeRelease = yes, yes },
		"threshold": func(c *pool.Config[int]) { c.Threshold.Failures = 1 },
	} {
		w := newWorld(t, 2, more)
		cycle := func() {
			r, err := w.Acquire(ctx)
			if err != nil || r.Release() != nil {
				t.Error("a cycle failed")
			}
		}
		cycle()
		assert.Zero(t, testing.AllocsPerRun(1000, cycle), name)
	}
}

// A cycle in which both sides wait for each other.
func TestACycleThatWaitsAllocatesNothingButItsLends(t *testing.T) {
	for name, hook := range map[string]func(context.Context, int) bool{
		"alone": nil, "hook": func(context.Context, int) bool { return true },
	} {
		w := newWorld(t, 1, func(c *pool.Config[int]) { c.BeforeAcquire = hook })
		ctx, cancel := context.WithCancel(background)
		defer cancel()
		begin, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for range begin {
				r, err := w.Acquire(ctx)
				if err != nil || r.Release() != nil {
					t.Error("a cycle failed")
				}
			}
		}()
		cycle := func() {
			r, err := w.Acquire(ctx)
			begin <- struct{}{}
			for w.Stats().Waiting == 0 {
				runtime.Gosched()
			}
			if err != nil || r.Release() != nil {
				t.Error("a cycle failed")
			}
		}
		cycle()
		assert.Zero(t, testing.AllocsPerRun(1000, cycle), name)
		close(begin)
		<-done
		require.Equal(t, 1, w.made)
	}
}
