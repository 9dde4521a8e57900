package pool_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
)

const interval = time.Minute

// checked is a config with healthchecks.
func checked(check func(int) bool) func(*pool.Config[int]) {
	return func(c *pool.Config[int]) {
		c.MinSize = 2
		c.Healthcheck = func(_ context.Context, n int) bool { return check(n) }
		c.HealthcheckInterval = interval
	}
}

// pass lets the time until the end of the next pass go by, in a bubble.
func pass() {
	time.Sleep(interval)
	synctest.Wait()
}

func TestTheDeadAreReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := []int{}
		w := newWorld(t, 3, checked(func(n int) bool {
			seen = append(seen, n)
			return n != 1
		}))
		defer w.Close()
		pass()
		assert.ElementsMatch(t, []int{1, 2}, seen)
		assert.Equal(t, []int{1}, w.destroyed)
		w.counts(2, 0, 0, 0)
		w.acquire()
		pass()
		assert.Len(t, seen, 3, "what is lent is left alone")
	})
}

func TestARefillIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, checked(func(n int) bool { return n > 2 }))
		defer w.Close()
		w.fail(errDown)
		pass()
		w.counts(0, 0, 0, 0)
		w.fail(nil)
		pass()
		w.counts(2, 0, 0, 0)
	})
}

func TestCloseWaitsForThePass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, end := make(chan struct{}), make(chan struct{})
		w := newWorld(t, 2, checked(func(int) bool {
			begun <- struct{}{}
			<-end
			return true
		}))
		<-begun
		closed := make(chan struct{})
		go func() { w.Close(); close(closed) }()
		synctest.Wait()
		select {
		case <-closed:
			t.Fatal("closed while a healthcheck runs")
		default:
		}
		close(end)
		<-closed
		assert.Len(t, w.destroyed, 2)
		w.counts(0, 0, 0, 0)
	})
}

// closer closes a pool in ways that a healthcheck may have.
type closer struct{ pool chan interface{ Close() } }

func (c closer) check(int) bool {
	(<-c.pool).Close()
	return true
}

func (c closer) deep(frames int) bool {
	if frames == 0 {
		return c.check(0)
	}
	return c.deep(frames-1) && frames > 0
}

func TestAHealthcheckMayClose(t *testing.T) {
	ways := map[string]func(closer) func(int) bool{
		"as a closure":      func(c closer) func(int) bool { return func(n int) bool { return c.check(n) } },
		"as a method value": func(c closer) func(int) bool { return c.check },
		"from far below":    func(c closer) func(int) bool { return func(int) bool { return c.deep(1000) } },
		"as it panics": func(c closer) func(int) bool {
			return func(int) bool {
				defer func() { recover() }()
				defer c.check(0)
				panic("of the healthcheck")
			}
		},
		"as it ends the goroutine": func(c closer) func(int) bool {
			return func(int) bool {
				defer c.check(0)
				runtime.Goexit()
				return true
			}
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := closer{make(chan interface{ Close() }, 1)}
				w := newWorld(t, 2, checked(way(c)))
				c.pool <- w
				pass()
				assert.Len(t, w.destroyed, 2)
				w.Close()
			})
		})
	}
}

func TestADestroyInAPassMayClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		self := make(chan *world, 1)
		w := newWorld(t, 2, func(c *pool.Config[int]) {
			checked(func(int) bool { return false })(c)
			c.Destroy = func(context.Context, int) {
				select {
				case w := <-self:
					w.Close()
				default:
				}
			}
		})
		self <- w
		pass()
		w.Close()
		w.counts(0, 0, 0, 0)
	})
}

func TestHealthchecksMayCloseEachOthersPools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := [2]chan *world{make(chan *world, 1), make(chan *world, 1)}
		begun := [2]chan bool{make(chan bool, 1), make(chan bool, 1)}
		for i := range 2 {
			w := newWorld(t, 1, func(c *pool.Config[int]) {
				checked(func(int) bool {
					begun[i] <- true
					<-begun[1-i]
					(<-other[i]).Close()
					return true
				})(c)
				c.MinSize = 1
			})
			defer w.Close()
			other[1-i] <- w
		}
		pass()
	})
}

// A goroutine that a healthcheck starts is none of it: no hook runs after its Close.
func TestAGoroutineOfAHealthcheckWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		self, closed, end := make(chan *world, 1), make(chan struct{}), make(chan struct{})
		w := newWorld(t, 2, checked(func(int) bool {
			go func(w *world) { w.Close(); close(closed) }(<-self)
			<-end
			return true
		}))
		self <- w
		pass()
		select {
		case <-closed:
			t.Fatal("closed while the healthcheck runs that started it")
		default:
		}
		assert.Len(t, w.destroyed, 1, "the one that is not being checked")
		close(end)
		<-closed
		assert.Len(t, w.destroyed, 2)
	})
}

func TestARefillHearsOfTheClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := 0
		w := newWorld(t, 2, func(c *pool.Config[int]) {
			checked(func(int) bool { return false })(c)
			c.Factory = func(ctx context.Context) (int, error) {
				if made++; made <= 2 {
					return made, nil
				}
				<-ctx.Done()
				return 0, ctx.Err()
			}
		})
		pass()
		w.Close()
		w.counts(0, 0, 0, 0)
	})
}

func TestTheChecksOutliveAHookThatLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		w := newWorld(t, 2, checked(func(int) bool {
			if calls++; calls == 1 {
				runtime.Goexit()
			}
			return true
		}))
		pass()
		assert.Len(t, w.destroyed, 1)
		pass()
		w.counts(2, 0, 0, 0)
		w.Close()
	})
}
