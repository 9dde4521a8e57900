package pool_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slow is a pool whose factory waits to be told what comes of it, and takes no notice of its context.
type slow struct {
	*world
	tell chan func() error // what the next factory does
}

func newSlow(t *testing.T, size int, more func(*pool.Config[int])) *slow {
	s := &slow{tell: make(chan func() error)}
	s.world = newWorld(t, size, func(c *pool.Config[int]) {
		quick := c.Factory
		c.Factory = func(ctx context.Context) (int, error) {
			if err := (<-s.tell)(); err != nil {
				return 0, err
			}
			return quick(ctx)
		}
		if more != nil {
			more(c)
		}
	})
	return s
}

func works() error { return nil }
func fails() error { return errDown }

// leaves has one caller begin a creation and leave it.
func (s *slow) leaves() {
	s.t.Helper()
	ctx, cancel := context.WithCancelCause(background)
	results := s.line(ctx, 1)
	s.counts(0, 1, 0, 0)
	cancel(errDown)
	got := <-results
	assert.Nil(s.t, got.resource)
	assert.ErrorIs(s.t, got.err, context.Canceled)
	assert.ErrorIs(s.t, got.err, errDown)
	s.counts(0, 1, 0, 0)
}

// ends has the factory end.
func (s *slow) ends(how func() error) {
	s.tell <- how
	synctest.Wait()
}

// Shows P80.
func TestWhoLeavesACreationLeavesWhatItMakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		s := newSlow(t, 1, func(c *pool.Config[int]) {
			c.BeforeRelease = func(context.Context, int) bool { asked++; return false }
		})
		s.leaves()
		s.ends(works)
		s.counts(1, 0, 0, 0)
		assert.Equal(t, 1, s.acquire().Value())
		assert.Zero(t, asked, "nobody has had it")
	})
}

// Shows P80.
func TestWhatIsMadeForNobodyGoesToTheNextInLine(t *testing.T) {
	for name, hook := range map[string]func(context.Context, int) bool{
		"nothing asked": nil,
		"asked":         func(context.Context, int) bool { return true },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSlow(t, 1, func(c *pool.Config[int]) { c.BeforeAcquire = hook })
				s.leaves()
				results := s.line(background, 2)
				s.counts(0, 1, 0, 2)
				s.ends(works)
				first := <-results
				require.NoError(t, first.err)
				assert.Equal(t, [2]int{0, 1}, [2]int{first.who, first.resource.Value()})
				s.counts(0, 1, 0, 1)
				require.NoError(t, first.resource.Release())
				require.NoError(t, (<-results).err)
				assert.Equal(t, 1, s.made)
			})
		})
	}
}

// Shows P80.
func TestWhatFailsForNobodyHandsThePlaceOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 1, nil)
		s.leaves()
		results := s.line(background, 1)
		s.ends(fails)
		s.counts(0, 1, 0, 0)
		s.ends(works)
		got := <-results
		require.NoError(t, got.err)
		assert.Equal(t, 1, got.resource.Value())
	})
}

func TestWhatFailsForNobodyIsAFailureOfTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 1, func(c *pool.Config[int]) {
			c.Threshold = pool.Threshold{Failures: 2, OpenFor: time.Second}
		})
		for range 2 {
			s.leaves()
			s.ends(fails)
		}
		assert.Equal(t, pool.Inactive, s.Stats().State)
	})
}

// Whoever has closed the pool, or replaced or taken away what it has, does not wait, and what is made is destroyed. Shows
// P80.
func TestWhatIsMadeForNobodyIsDestroyedIfItIsNotKept(t *testing.T) {
	for name, c := range map[string]struct {
		move func(*slow) error
		left int
	}{
		"closed":  {func(s *slow) error { s.Close(); return nil }, 0},
		"evicted": {func(s *slow) error { return s.Evict() }, 0},
		"shrunk":  {func(s *slow) error { return s.Resize(0, 1) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSlow(t, 2, nil)
				if c.left == 1 { // one is there, so the other is one too many
					results := s.line(background, 1)
					s.ends(works)
					require.NoError(t, (<-results).err)
				}
				ctx, cancel := context.WithCancel(background)
				results := s.line(ctx, 1)
				cancel()
				require.ErrorIs(t, (<-results).err, context.Canceled)
				require.NoError(t, c.move(s))
				s.ends(works)
				assert.Equal(t, []int{c.left + 1}, s.destroyed)
				s.counts(0, c.left, 0, 0)
			})
		})
	}
}

// The context ends and the factory at once, many times: whoever wins, nothing is lost.
func TestCancelAndCreationAtOnce(t *testing.T) {
	for _, way := range []func(*slow, context.Context) (*pool.Resource[int], error){
		func(s *slow, ctx context.Context) (*pool.Resource[int], error) { return s.Acquire(ctx) },
		func(s *slow, ctx context.Context) (*pool.Resource[int], error) { return s.TryAcquire(ctx) },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newSlow(t, 1, nil)
			for n := range 200 {
				ctx, cancel := context.WithCancel(background)
				done := make(chan struct{})
				go func() {
					defer close(done)
					r, err := way(s, ctx)
					if err == nil {
						err = r.Release()
					}
					if err != nil {
						assert.ErrorIs(t, err, context.Canceled)
					}
				}()
				synctest.Wait()
				go cancel()
				s.ends(works)
				<-done
				s.counts(1, 0, 0, 0)
				r := s.acquire()
				assert.Equal(t, n+1, r.Value())
				require.NoError(t, r.Discard())
			}
		})
	}
}

// Shows P81.
func TestAFactoryHasDeadlineAndValuesOfItsCaller(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		var got context.Context
		w := newWorld(t, 2, func(c *pool.Config[int]) {
			c.Factory = func(ctx context.Context) (int, error) {
				got = ctx
				<-ctx.Done()
				return 0, ctx.Err()
			}
		})
		ctx, cancel := context.WithTimeout(context.WithValue(background, key{}, 7), time.Hour)
		results := w.line(ctx, 1)
		assert.Equal(t, 7, got.Value(key{}))
		assert.Nil(t, got.Value("another"))
		deadline, _ := ctx.Deadline()
		its, ok := got.Deadline()
		assert.True(t, ok)
		assert.Equal(t, deadline, its)
		inner, stop := context.WithCancel(got)
		defer stop()
		cancel()
		require.ErrorIs(t, (<-results).err, context.Canceled)
		synctest.Wait()
		assert.NoError(t, got.Err(), "its caller's leaving does not concern it")
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.ErrorIs(t, got.Err(), context.DeadlineExceeded)
		assert.ErrorIs(t, inner.Err(), context.DeadlineExceeded)
		w.counts(0, 0, 0, 0)
	})
}

// Shows P81.
func TestAFactoryHearsOfTheClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 2, func(c *pool.Config[int]) {
			c.Factory = func(ctx context.Context) (int, error) {
				<-ctx.Done()
				assert.ErrorIs(t, context.Cause(ctx), pool.ErrClosed)
				return 0, ctx.Err()
			}
		})
		ctx, cancel := context.WithTimeout(background, time.Hour)
		defer cancel()
		first, second := w.line(background, 1), w.line(ctx, 1)
		w.Close()
		for _, results := range []<-chan result{first, second} {
			err := (<-results).err
			assert.ErrorIs(t, err, pool.ErrClosed)
			assert.NotErrorIs(t, err, pool.ErrFactory)
		}
		w.counts(0, 0, 0, 0)
	})
}

// A caller who is there goes as its factory goes, and the place is handed on.
func TestAFactoryOfItsOwnGoroutineThatIsLeft(t *testing.T) {
	for name, how := range map[string]struct {
		leave func()
		found any
	}{
		"panic":  {func() { panic(errDown) }, errDown},
		"goexit": {runtime.Goexit, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newSlow(t, 1, nil)
				ctx, cancel := context.WithCancel(background)
				defer cancel()
				gone := make(chan any)
				go func() {
					gone <- leave(func() {
						s.Acquire(ctx)
						t.Error("it came back")
					})
				}()
				synctest.Wait()
				results := s.line(ctx, 1)
				s.ends(func() error { how.leave(); return nil })
				assert.Equal(t, how.found, <-gone)
				s.ends(works)
				require.NoError(t, (<-results).err)
				s.counts(0, 1, 0, 0)
			})
		})
	}
}

// Nobody is there any more: the goroutine ends, and the place is handed on.
func TestAFactoryThatIsLeftByAllHandsThePlaceOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, 1, nil)
		s.leaves()
		results := s.line(background, 1)
		s.ends(func() error { runtime.Goexit(); return nil })
		s.ends(works)
		require.NoError(t, (<-results).err)
		s.counts(0, 1, 0, 0)
	})
}

// A creation that its caller waits for is one goroutine, and without a context that can end none.
func TestACreationIsOneGoroutineAtMost(t *testing.T) {
	ctx, cancel := context.WithTimeout(background, time.Hour)
	defer cancel()
	for most, ctx := range []context.Context{background, ctx} {
		before := runtime.NumGoroutine()
		inside := 0
		w := newWorld(t, 1, func(c *pool.Config[int]) {
			c.Factory = func(ctx context.Context) (int, error) {
				derived, stop := context.WithCancel(ctx) // which needs no goroutine either
				defer stop()
				inside = runtime.NumGoroutine()
				return 1, derived.Err()
			}
		})
		r, err := w.Acquire(ctx)
		require.NoError(t, err)
		assert.LessOrEqual(t, inside, before+most)
		require.NoError(t, r.Release())
	}
}

func TestADestroyHasAContextThatDoesNotEnd(t *testing.T) {
	type key struct{}
	ctx, cancel := context.WithCancel(context.WithValue(background, key{}, 7))
	w := newWorld(t, 1, func(c *pool.Config[int]) {
		c.BeforeAcquire = func(context.Context, int) bool { cancel(); return false }
		c.Destroy = func(ctx context.Context, _ int) {
			assert.NoError(t, ctx.Err())
			assert.Equal(t, 7, ctx.Value(key{}))
		}
		c.MinSize = 1
	})
	_, err := w.Acquire(ctx)
	assert.True(t, err == nil || errors.Is(err, context.Canceled), "a new one may be made in time")
}
