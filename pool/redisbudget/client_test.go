package redisbudget

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"asyncpool/pool"

	"github.com/redis/go-redis/v9"
)

const lease = 400 * time.Millisecond

// until waits until something is so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: that did not come", what)
		}
	}
}

func open(t testing.TB, client redis.UniversalClient, change func(*Config)) *Budget {
	t.Helper()
	config := Config{Client: client, Key: "b", Limit: 2, Lease: lease}
	if change != nil {
		change(&config)
	}
	b, err := Open(context.Background(), config)
	for errors.Is(err, context.DeadlineExceeded) { // the machine is busy
		b, err = Open(context.Background(), config)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// poolOf is a pool of up to four numbers, each of which takes a place.
func poolOf(t *testing.T, b *Budget) *pool.Pool[int] {
	t.Helper()
	p, err := pool.New(pool.Config[int]{MaxSize: 4,
		Factory: func(context.Context) (int, error) { return 1, nil },
		Budget:  b})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func lent(t *testing.T, p *pool.Pool[int]) *pool.Resource[int] {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	r, err := p.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Two processes are two budgets of one key here.
func TestWhatIsIdleGoesToWhoNeedsIt(t *testing.T) {
	client := server(t)
	a, b := open(t, client, nil), open(t, client, nil)
	p, q := poolOf(t, a), poolOf(t, b)
	r, s := lent(t, p), lent(t, p)
	if used := a.Info().Used; used != 2 {
		t.Fatalf("%d places are used", used)
	}
	got := make(chan *pool.Resource[int])
	go func() { got <- lent(t, q) }()
	until(t, "the other stands in line", func() bool { return b.Info().Place == 1 })
	if err := r.Release(); err != nil {
		t.Fatal(err)
	}
	other := <-got // the idle one was given up for it
	if n := a.Info().Used; n != 1 {
		t.Errorf("%d places are used beside the other's", n)
	}
	if n := p.Stats().Count; n != 1 {
		t.Errorf("%d are left", n)
	}
	for _, r := range []*pool.Resource[int]{s, other} {
		if err := r.Release(); err != nil {
			t.Error(err)
		}
	}
}

// A pool may go before its budget, and is attached once, however often that is said.
func TestAPoolIsForgottenAtItsEnd(t *testing.T) {
	b := open(t, server(t), nil)
	p := poolOf(t, b)
	detach, again := b.Attach(p), b.Attach(p)
	if n := len(b.attached()); n != 1 {
		t.Errorf("it is attached %d times", n)
	}
	_ = lent(t, p).Release()
	if n := b.idle(); n != 1 {
		t.Errorf("%d are idle", n)
	}
	detach()
	again()
	if n := len(b.attached()); n != 0 {
		t.Errorf("%d are left", n)
	}
	b.Attach(p)
	p.Close()
	if n := len(b.attached()); n != 0 {
		t.Errorf("%d are left after its end", n)
	}
	if used := b.Info().Used; used != 0 {
		t.Errorf("%d places are used by nobody", used)
	}
}

// Three callers leave nothing idle in a pool that has two.
func TestWhoHasLessThanItsLeastGetsWhatComesBackNext(t *testing.T) {
	client := server(t)
	a := open(t, client, func(c *Config) { c.Limit = 2 })
	p := poolOf(t, a)
	ctx, enough := context.WithCancel(context.Background())
	var callers sync.WaitGroup
	for range 3 {
		callers.Go(func() {
			for {
				r, err := p.Acquire(ctx)
				if err != nil {
					return
				}
				runtime.Gosched()
				_ = p.Release(r)
			}
		})
	}
	until(t, "all are used", func() bool { return a.Info().Used == 2 })
	b := open(t, client, func(c *Config) { c.Limit, c.Least = 2, 1 })
	until(t, "it has one", func() bool { return b.Take(context.Background()) == nil })
	b.Give()
	enough()
	callers.Wait()
}

func TestWhoDiesGivesItsShareBack(t *testing.T) {
	client := server(t)
	dead := open(t, client, func(c *Config) { c.Limit = 1 })
	until(t, "the dead one has the place", func() bool { return dead.Take(context.Background()) == nil })
	dead.end() // its heartbeat stops
	<-dead.ended
	b := open(t, client, func(c *Config) { c.Limit = 1 })
	until(t, "its place goes to another", func() bool { return b.Take(context.Background()) == nil })
	if !dead.Info().Expired {
		t.Error("it believes in its lease, which another has")
	}
	b.Give()
}

// Nothing is granted by a Redis that has lost all before all have said what they have.
func TestARedisThatHasLostAllGrantsNothingForALease(t *testing.T) {
	client := server(t)
	a, b := open(t, client, nil), open(t, client, nil)
	for range 2 {
		until(t, "it has both", func() bool { return a.Take(context.Background()) == nil })
	}
	for range 5 {
		if err := client.FlushAll(context.Background()).Err(); err != nil {
			t.Fatal(err)
		}
		until(t, "the ledger is past its beginning", func() bool {
			if b.Take(context.Background()) == nil {
				t.Fatal("a third place is granted")
			}
			return b.Info().Grace == 0 && b.Info().All == 2
		})
	}
	a.Give()
	until(t, "the one that came back", func() bool { return b.Take(context.Background()) == nil })
	a.Give()
	b.Give()
}

func TestWhoHasLessThanItMayAlwaysHaveComesFirst(t *testing.T) {
	client := server(t)
	greedy := open(t, client, nil)
	p := poolOf(t, greedy)
	r, s := lent(t, p), lent(t, p)
	_ = r.Release()
	_ = s.Release()
	b := open(t, client, func(c *Config) { c.Least = 1 })
	until(t, "its least", func() bool { return b.Info().Leases == 1 })
	if err := b.Take(context.Background()); err != nil {
		t.Error(err)
	}
	b.Give()
}

func TestTheSmallestLimitHolds(t *testing.T) {
	client := server(t)
	a := open(t, client, func(c *Config) { c.Limit = 3 })
	b := open(t, client, func(c *Config) { c.Limit = 1 })
	until(t, "the first hears of it", func() bool { return a.Info().Limit == 1 })
	until(t, "one", func() bool { return a.Take(context.Background()) == nil })
	if b.Take(context.Background()) == nil {
		t.Error("a second one")
	}
	b.Close()
	until(t, "a second one, by its own limit", func() bool { return a.Take(context.Background()) == nil })
	a.Give()
	a.Give()
}

func TestWithoutRedisNobodyHangsAndNothingNewIsTaken(t *testing.T) {
	client := server(t)
	b := open(t, client, func(c *Config) { c.AwayLeast = true })
	p := poolOf(t, b)
	_ = lent(t, p).Release()
	if err := client.Shutdown(context.Background()).Err(); err != nil {
		t.Log(err)
	}
	until(t, "it says so", func() bool { i := b.Info(); return i.Err != nil && i.Expired })
	if err := b.Take(context.Background()); err == nil {
		t.Error("something new is taken")
	}
	until(t, "what is idle is given up", func() bool { return p.Stats().Count == 0 })
}

func TestOfTwoPoolsOfAProcessOneHasWhatIsIdleInTheOther(t *testing.T) {
	b := open(t, server(t), func(c *Config) { c.Least = 2 }) // all that there is: nobody else is asked for anything
	p, q := poolOf(t, b), poolOf(t, b)
	for i, r := range []*pool.Resource[int]{lent(t, p), lent(t, p)} {
		if err := r.Release(); err != nil {
			t.Fatal(err)
		}
		defer lent(t, q).Release()
		if n := p.Stats().Count; n != 1-i { // what is lent stays
			t.Errorf("the first has %d", n)
		}
	}
	if n := b.Info().Used; n != 2 {
		t.Errorf("%d places are used", n)
	}
}
