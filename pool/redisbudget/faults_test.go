package redisbudget

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"asyncpool/pool"

	"github.com/redis/go-redis/v9"
)

// stopped is a budget without a heartbeat: the test says what is said.
func stopped(t *testing.T, client redis.UniversalClient, change func(*Config)) *Budget {
	t.Helper()
	b := open(t, client, change)
	b.end()
	<-b.ended
	select {
	case <-b.prompt:
	default:
	}
	return b
}

func said(t *testing.T, b *Budget) {
	t.Helper()
	until(t, "a message", func() bool { return b.say(context.Background(), 0) == nil })
}

func (b *Budget) messages() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.number
}

// A client that waits for ever, as one without ContextTimeoutEnabled may, holds nobody up.
func TestARedisThatDoesNotAnswerHoldsNobodyUp(t *testing.T) {
	admin := server(t)
	options := *admin.Options()
	options.ReadTimeout, options.MaxRetries = -1, -1
	client := redis.NewClient(&options)
	b := open(t, client, nil)
	ctx := context.Background()
	if err := admin.Do(ctx, "client", "pause", "600000", "write").Err(); err != nil {
		t.Fatal(err)
	}
	if b.Take(ctx) == nil {
		t.Error("something new is taken")
	}
	until(t, "it says so", func() bool { i := b.Info(); return i.Err != nil && i.Expired })
	if err := admin.Do(ctx, "client", "unpause").Err(); err != nil {
		t.Fatal(err)
	}
	until(t, "it goes on", func() bool { return b.Take(ctx) == nil })
	b.Give()
	if err := admin.Do(ctx, "client", "pause", "600000", "write").Err(); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if err := admin.Do(ctx, "client", "unpause").Err(); err != nil {
		t.Fatal(err)
	}
	_ = client.Close()
}

func TestADestroyThatTakesLongHoldsUpNoHeartbeat(t *testing.T) {
	client := server(t)
	a, b := open(t, client, nil), open(t, client, nil)
	begun, on := make(chan struct{}, 4), make(chan struct{})
	p, err := pool.New(pool.Config[int]{MaxSize: 4,
		Factory: func(ctx context.Context) (int, error) { return 1, a.Take(ctx) },
		Destroy: func(context.Context, int) { begun <- struct{}{}; <-on; a.Give() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	a.Attach(p)
	r, s := lent(t, p), lent(t, p)
	_, _ = r.Release(), s.Release()
	q := poolOf(t, b)
	got := make(chan *pool.Resource[int])
	go func() { got <- lent(t, q) }()
	<-begun
	n := a.messages()
	until(t, "heartbeats go on", func() bool { return a.messages() > n+4 })
	if a.Info().Leases == 0 {
		t.Error("the leases of a process that lives have ended")
	}
	close(on)
	_ = (<-got).Release()
}

// What is lent beyond the leases cannot be given up: the heartbeat comes when it would, and no sooner.
func TestTooManyLentIsNoHurry(t *testing.T) {
	client := server(t)
	a := stopped(t, client, nil)
	a.used = 3
	said(t, a)
	if len(a.prompt) != 0 || a.asked == 0 {
		t.Errorf("%d heartbeats are to come at once, %d are asked for", len(a.prompt), a.asked)
	}
}

func TestWhatIsAskedForIsNotForgotten(t *testing.T) {
	client := server(t)
	a, b := open(t, client, nil), open(t, client, nil)
	p := poolOf(t, a)
	r, s := lent(t, p), lent(t, p)
	a.end() // it is asked, and does nothing yet
	<-a.ended
	_, _ = r.Release(), s.Release()
	for a.asked == 0 {
		said(t, a)
		_ = b.Take(context.Background())
	}
	said(t, a)
	if a.asked == 0 {
		t.Error("one that was asked for is not given up, since there was another message")
	}
}

func TestWhoHasLeftSaysNothingMore(t *testing.T) {
	client := server(t)
	a := open(t, client, nil)
	a.Close()
	if err := a.say(context.Background(), 1); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	a.Give()
	if used := a.Info().Used; used != 0 {
		t.Errorf("%d places are used", used)
	}
}

// hook sees what is said.
type hook func(args []any)

func (h hook) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return next(ctx, network, address)
	}
}
func (h hook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}
func (h hook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error { h(cmd.Args()); return next(ctx, cmd) }
}

// While a message is on its way, leases that were held on may be used: they are claimed of a Redis that has lost all.
func TestLeasesThatAreHeldOnAreClaimed(t *testing.T) {
	admin := server(t)
	client := redis.NewClient(admin.Options())
	t.Cleanup(func() { _ = client.Close() })
	var leased atomic.Int64
	client.AddHook(hook(func(args []any) {
		if n := len(args); n > 10 {
			leased.Store(int64(args[n-2].(int)))
		}
	}))
	a := stopped(t, client, func(c *Config) { c.Least = 2 })
	for a.leases < 2 {
		said(t, a)
	}
	leased.Store(0)
	for i := 0; leased.Load() == 0 && i < 20; i++ { // on a slow machine its leases may end in between
		said(t, a)
	}
	if n := leased.Load(); n != 2 {
		t.Errorf("%d are claimed", n)
	}
}

// A message that was given up, and arrives after Redis has lost all, is of a time that is over: its process has given
// back what it says, and another has it.
func TestAMessageFromBeforeALossClaimsNothing(t *testing.T) {
	admin := server(t)
	client := redis.NewClient(admin.Options())
	t.Cleanup(func() { _ = client.Close() })
	var late []any
	client.AddHook(hook(func(args []any) {
		if len(args) > 10 && slices.Contains(args, any(1)) {
			late = slices.Clone(args)
		}
	}))
	ctx := context.Background()
	one := func(c *Config) { c.Limit = 1 }
	a, b := stopped(t, client, one), stopped(t, admin, one)
	until(t, "the place", func() bool { return a.Take(ctx) == nil })
	said(t, a) // this one is late
	message := slices.Clone(late)
	a.Give()
	said(t, a)
	until(t, "another has it", func() bool { return b.Take(ctx) == nil })
	if err := admin.FlushAll(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	message[0], message[1] = "eval", script
	if err := admin.Do(ctx, message...).Err(); err != nil {
		t.Fatal(err)
	}
	if all := admin.HGet(ctx, "{b}", "sum").Val(); all != "0" {
		t.Errorf("%s places are claimed by a message that nobody stands for any more", all)
	}
	until(t, "who has it says so to the new ledger", func() bool { said(t, b); return b.Info().Leases == 1 })
}

// A Redis that keeps nothing, as one without memory may, is not asked again and again.
func TestARedisThatKeepsNothingIsNoHurry(t *testing.T) {
	client := server(t)
	b := stopped(t, client, func(c *Config) { c.Lease, c.Timeout = 10*time.Minute, 2*time.Minute })
	client.HSet(context.Background(), "{b}", "grace", 0)
	if err := b.Take(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		client.FlushAll(context.Background())
		said(t, b)
		if hurries := len(b.prompt); hurries != 1-min(i, 1) || b.leases != 1 {
			t.Errorf("message %d: %d are to come at once, %d is held", i, hurries, b.leases)
		}
		select {
		case <-b.prompt:
		default:
		}
	}
	said(t, b)
	if i := b.Info(); i.All != 1 || i.Leases != 1 {
		t.Errorf("a Redis that keeps what it hears: %+v", i)
	}
}
