package pool

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// onProcessors runs a test on one processor, on two, and on more than there may be.
func onProcessors(t *testing.T, test func(t *testing.T)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, n := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(n)
		test(t)
	}
}

// What is read and written is no atomic: the race detector sees it if one does not happen before the other.
func TestTheLockIsOneGoroutines(t *testing.T) {
	const goroutines, times = 16, 5000
	onProcessors(t, func(t *testing.T) {
		var l lock
		var all sync.WaitGroup
		inside, count := 0, 0
		for range goroutines {
			all.Go(func() {
				for i := range times {
					l.Lock()
					inside++
					if inside != 1 {
						t.Error("two have the lock")
					}
					if i%64 == 0 {
						runtime.Gosched() // the holder does not run
					}
					count++
					inside--
					l.Unlock()
				}
			})
		}
		all.Wait()
		assert.Equal(t, goroutines*times, count)
	})
}

// asleep is how many goroutines sleep until they have the lock.
func asleep() (n int) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	for stack := range strings.SplitSeq(string(stacks), "\n\n") {
		head, frames, _ := strings.Cut(stack, "\n")
		if strings.Contains(head, "[sync.Mutex.Lock") && strings.Contains(frames, "pool.(*lock).Lock(") {
			n++
		}
	}
	return n
}

// The holder does not give the lock back before all who want it sleep, be there a processor for each of them or not.
func TestNobodyLooksForLong(t *testing.T) {
	const goroutines = 8
	onProcessors(t, func(t *testing.T) {
		var l lock
		var all sync.WaitGroup
		count := 0
		l.Lock()
		for range goroutines {
			all.Go(func() {
				l.Lock()
				defer l.Unlock()
				count++
			})
		}
		for asleep() < goroutines {
			runtime.Gosched()
		}
		assert.Zero(t, count)
		assert.True(t, l.stuck.Load(), "who comes now does not look")
		l.Unlock()
		all.Wait()
		assert.Equal(t, goroutines, count)
		assert.True(t, l.mutex.TryLock(), "it is free")
		assert.False(t, l.stuck.Load(), "who comes now looks")
	})
}

// Some have the lock nearly always, and go on until one who wants it now and then has had it.
func TestNobodyIsPassedOverForEver(t *testing.T) {
	onProcessors(t, func(t *testing.T) {
		var l lock
		var all sync.WaitGroup
		var had atomic.Bool
		for range 2 {
			all.Go(func() {
				for !had.Load() {
					l.Lock()
					for range 10 * lastPause {
					}
					l.Unlock()
				}
			})
		}
		for range 3 {
			l.Lock()
			l.Unlock()
			runtime.Gosched()
		}
		had.Store(true)
		all.Wait()
	})
}

// numbers makes a pool whose resources are there already: the factory of number is for one goroutine.
func numbers(t *testing.T, size int) *Pool[int] {
	p := number(t, size, nil)
	all := make([]*Resource[int], size)
	for i := range all {
		all[i], _ = enter(p)
	}
	for _, r := range all {
		require.NoError(t, r.Release())
	}
	return p
}

// In a bubble of synctest the clock moves on when all goroutines wait for something. One that looks at the lock, or
// sleeps in it, does not: so the time that passes is what they sleep, however often they meet in between.
func TestALockIsNoWaitInABubble(t *testing.T) {
	const goroutines, times, nap = 32, 50, time.Second
	onProcessors(t, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := numbers(t, goroutines)
			begin := time.Now()
			var all sync.WaitGroup
			for range goroutines {
				all.Go(func() {
					for range times {
						for range 20 {
							r, err := p.Acquire(context.Background())
							if err != nil || r.Release() != nil {
								t.Error("a cycle failed")
							}
						}
						time.Sleep(nap)
					}
				})
			}
			synctest.Wait()
			assert.Zero(t, p.Stats().Active, "all are asleep")
			all.Wait()
			require.Equal(t, times*nap, time.Since(begin))
		})
	})
}
