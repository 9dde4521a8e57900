package pool

import (
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"asyncpool/pool/core"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// number makes a pool of numbers.
func number(t *testing.T, size int, hook func(int) bool) *Pool[int] {
	made := 0
	config := Config[int]{
		Factory: func(context.Context) (int, error) { made++; return made, nil },
		MaxSize: size,
	}
	if hook != nil {
		config.BeforeAcquire = func(_ context.Context, n int) bool { return hook(n) }
	}
	p, err := New(config)
	require.NoError(t, err)
	return p
}

// enter is Acquire up to the wait: a resource, or a call in line.
func enter(p *Pool[int]) (*Resource[int], *call[int]) {
	p.mu.Lock()
	if i := p.take(""); i != nil {
		return p.lend(i), nil
	}
	c := p.begin(core.KindAcquire, nil)
	if p.join(c) {
		p.mu.Unlock()
		return nil, c
	}
	ask := p.nextLocked(c, core.Answer{})
	for ask == core.AskCreate {
		c.made, _, _ = p.create(context.Background(), c)
		ask = p.next(c, core.Answer{OK: true})
	}
	if ask == core.AskDone {
		return p.lent(c.resource, c.fresh), nil
	}
	return nil, c
}

// giveUp ends the wait of a call, whose context has ended.
func giveUp(p *Pool[int], c *call[int]) core.AskKind {
	c.state.CompareAndSwap(waiting, parked)
	return p.goOn(context.Background(), c, endOfContext)
}

// books is what must be the same with and without the fast path.
func books(p *Pool[int]) [9]uint64 {
	st := &p.st
	return [9]uint64{uint64(st.Gate &^ core.GateObserved), uint64(st.Idle), uint64(st.Active), uint64(st.Reserved),
		uint64(st.Waiting), uint64(st.Ops), st.Tickets, st.Turns, uint64(st.Registry.Live)}
}

// Limits are rounded up to ticks of the core, which are 4.2 ms, and what makes them shorter is rounded down. Shows P43.
func TestLimitsAreRoundedSoThatNoneComesEarly(t *testing.T) {
	c := Config[int]{MaxLifetime: 42*time.Millisecond + 1, LifetimeJitter: 4*time.Millisecond + 999_999}
	assert.Equal(t, core.Ages{Lifetime: 12}, c.ages())
	c.LifetimeJitter = 9 * time.Millisecond
	assert.Equal(t, core.Ages{Lifetime: 12, Jitter: 2}, c.ages())
}

// A gate bit that is not the front's shuts the fast path, and everything goes through the core.
func TestTheFastPathDoesWhatTheCoreDoes(t *testing.T) {
	for range 50 {
		pools := [2]*Pool[int]{number(t, 3, nil), number(t, 3, nil)}
		pools[1].st.Gate |= core.GateObserved
		var lent [2][]*Resource[int]
		var line [2][]*call[int]
		for range 200 {
			move, which := rand.IntN(5), rand.IntN(8)
			for i, p := range pools {
				switch {
				case move < 2:
					if r, c := enter(p); c == nil {
						lent[i] = append(lent[i], r)
					} else {
						line[i] = append(line[i], c)
					}
				case move == 2 && which < len(line[i]):
					require.Equal(t, core.AskDone, giveUp(p, line[i][which]))
					line[i] = append(line[i][:which:which], line[i][which+1:]...)
				case which < len(lent[i]):
					r := lent[i][which]
					lent[i] = append(lent[i][:which:which], lent[i][which+1:]...)
					require.NoError(t, p.Release(r))
					if len(line[i]) > 0 {
						require.Equal(t, awake, line[i][0].state.Load())
						lent[i] = append(lent[i], p.lent(line[i][0].resource, line[i][0].fresh))
						line[i] = line[i][1:]
					}
				}
				require.NoError(t, core.Check(&p.st))
			}
			require.Equal(t, books(pools[1]), books(pools[0]))
			require.Equal(t, len(lent[1]), len(lent[0]))
			for k, r := range lent[0] {
				require.Equal(t, lent[1][k].Value(), r.Value())
			}
		}
	}
}

func TestAResourceHandedOverAsTheContextEndsIsLent(t *testing.T) {
	p := number(t, 1, nil)
	r, _ := enter(p)
	_, c := enter(p)
	c.state.Store(parked)
	require.NoError(t, r.Release())
	assert.Equal(t, core.AskDone, giveUp(p, c))
	assert.Same(t, r.item, c.resource)
	assert.Empty(t, c.wake, "the token is taken")
}

// It looks in the moment in which its turn comes: the turn is taken, with a hook to run or without.
func TestALookAsTheTurnComesTakesIt(t *testing.T) {
	for _, hook := range []func(int) bool{nil, func(int) bool { return true }} {
		p := number(t, 1, hook)
		r, _ := enter(p)
		_, c := enter(p)
		c.state.Store(parked)
		require.NoError(t, r.Release())
		ask := p.goOn(context.Background(), c, endOfPatience)
		if hook != nil {
			require.Equal(t, core.AskBeforeAcquire, ask)
			ask = p.next(c, core.Answer{OK: true})
		}
		assert.Equal(t, core.AskDone, ask)
		assert.Same(t, r.item, c.resource)
		assert.Empty(t, c.wake, "the token is taken")
		assert.NoError(t, core.Check(&p.st))
	}
}

// One that is called to look, asleep or not yet, goes on waiting and knows until when; unless its turn comes before it
// has looked: that is heard then.
func TestACallIsHeardOnce(t *testing.T) {
	for _, sleeps := range []bool{false, true} {
		for _, granted := range []bool{false, true} {
			for _, end := range []wakening{wokenUp, endOfPatience} {
				p := number(t, 1, nil)
				p.core.SetThreshold(1, 9, 1)
				r, _ := enter(p)
				_, c := enter(p)
				if sleeps {
					c.state.Store(parked)
				}
				require.NoError(t, p.Recover())
				require.Equal(t, called, c.state.Load())
				require.Equal(t, sleeps, len(c.wake) == 1)
				if granted {
					require.NoError(t, r.Release())
				}
				var ask core.AskKind
				switch {
				case !sleeps:
					ask = p.goOn(context.Background(), c, wokenUp)
				case end == wokenUp:
					<-c.wake
					fallthrough
				default:
					ask = p.goOn(context.Background(), c, end)
				}
				assert.Empty(t, c.wake, "the token is taken")
				assert.NoError(t, core.Check(&p.st))
				if granted {
					assert.Equal(t, core.AskDone, ask)
					assert.Same(t, r.item, c.resource)
					continue
				}
				assert.Equal(t, core.AskWait, ask)
				assert.Equal(t, waiting, c.state.Load())
				assert.NotEqual(t, core.Never, c.until)
				assert.Zero(t, c.op.Flags)
			}
		}
	}
}

// The hook is due, and the context ends before it runs: nobody has touched the resource.
func TestATurnThatIsNotTakenGoesOn(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, leave := range map[string]func(*Pool[int], *call[int]) core.AskKind{
		"asleep": giveUp,
		"awake":  func(p *Pool[int], c *call[int]) core.AskKind { <-c.wake; return p.wait(ended, c) },
	} {
		p := number(t, 1, func(int) bool { return true })
		r, _ := enter(p)
		_, first := enter(p)
		_, second := enter(p)
		first.state.Store(parked)
		require.NoError(t, r.Release(), name)
		assert.Equal(t, core.AskDone, leave(p, first), name)
		assert.Equal(t, core.Cancelled, first.op.Status, name)
		assert.Equal(t, awake, second.state.Load(), name)
		assert.Equal(t, core.AskBeforeAcquire, p.next(second, core.Answer{}), name)
		assert.Equal(t, core.AskDone, p.next(second, core.Answer{OK: true}), name)
		assert.Same(t, r.item, second.resource, name)
		assert.NoError(t, core.Check(&p.st), name)
	}
}

func TestTheHandlesForgetWhatIsDestroyed(t *testing.T) {
	p := number(t, 2, func(int) bool { return false })
	for range 100 {
		r, err := p.Acquire(context.Background())
		require.NoError(t, err)
		require.NoError(t, r.Release())
	}
	assert.LessOrEqual(t, p.handles.last, uintptr(2))
}

func TestTheHandlesGoThroughPagesAndBack(t *testing.T) {
	const n = 2*pageSize + 3
	p := number(t, n, nil)
	var all []*Resource[int]
	for range n {
		r, err := p.Acquire(context.Background())
		require.NoError(t, err)
		all = append(all, r)
	}
	for i, r := range all {
		require.Equal(t, uintptr(i+1), r.item.word)
		require.Same(t, r.item, p.handles.at(r.item.word))
	}
	p.Close()
	for _, r := range all {
		require.NoError(t, r.Release())
	}
	assert.Zero(t, len(p.handles.pages))
	assert.LessOrEqual(t, p.st.Registry.Cap, uint32(2*pageSize))
	assert.NoError(t, core.Check(&p.st))
}

func TestADefectOfTheCoreHangsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := number(t, 1, nil)
		r, _ := enter(p)
		failed := make(chan error)
		go func() {
			_, err := p.Acquire(context.Background())
			failed <- err
		}()
		synctest.Wait()
		p.mu.Lock()
		assert.Panics(t, func() { p.drive(context.Background(), core.Kind(99), nil) })
		assert.ErrorIs(t, <-failed, ErrInternal)
		assert.ErrorIs(t, r.Release(), ErrInternal)
		_, err := p.TryAcquire(context.Background())
		assert.ErrorIs(t, err, ErrInternal)
	})
}
