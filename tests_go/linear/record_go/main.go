// Command record_go is what record_c is, for goroutines and the Go front: it writes the same lines.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"asyncpool/pool"
)

const (
	clients = 6
	calls   = 14
	holds   = 3
	places  = 3
)

// rig is a pool, and what is known of its resources. A resource is its number, from 1.
type rig struct {
	pool                         *pool.Pool[int]
	made                         atomic.Int64
	known                        [256]atomic.Pointer[lend]
	fails, movesBreaker, closing bool
	resizes, evicts, takesOut    bool
	left                         atomic.Bool // a caller has left its factory, which is no caller's then
	wrong                        atomic.Bool // a lend ended twice, or not at all
}

// lend is one lend of a resource, and how often somebody wanted to end it, and could.
type lend struct {
	*pool.Resource[int]
	number        int
	wanted, ended atomic.Int32
}

// factory is called for a client, on whatever goroutine, which may have left by now, or leave while it runs.
func (g *rig) factory(ctx context.Context) (int, error) {
	m, ok := ctx.Value(key{}).(*making)
	if !ok { // up front
		return int(g.made.Add(1)), nil
	}
	if !m.begins() {
		g.left.Store(true)
		return 0, fmt.Errorf("left")
	}
	if m.pauses {
		runtime.Gosched()
	}
	number := 0
	if !g.fails || !m.fails {
		number = int(g.made.Add(1))
	}
	m.ends(number)
	if number == 0 {
		return 0, fmt.Errorf("no")
	}
	return number, nil
}

// hook is one that says yes or, if there is a no, that at times. It takes a moment at times, so that others come
// in between.
func (g *rig) hook(said, yes, no string) func(context.Context, int) bool {
	return func(_ context.Context, resource int) bool {
		c := current()
		if c == nil { // the goroutine of a factory whose caller has left
			return true
		}
		c.said(said, resource)
		c.pause()
		if no != "" && c.random.IntN(6) == 0 {
			c.heard(no, resource)
			return false
		}
		c.heard(yes, resource)
		return true
	}
}

func (g *rig) acquire(c *client) *lend {
	timeout := time.Duration(1+c.random.IntN(200)) * 10 * time.Microsecond
	c.heard("acquire", int(timeout))
	m := &making{client: c}
	ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), key{}, m), timeout)
	defer cancel()
	r, err := g.pool.Acquire(ctx)
	return g.got(m, r, err)
}

func (g *rig) try(c *client) *lend {
	c.heard("try", 0)
	m := &making{client: c}
	r, err := g.pool.TryAcquire(context.WithValue(context.Background(), key{}, m))
	return g.got(m, r, err)
}

func (g *rig) got(m *making, r *pool.Resource[int], err error) *lend {
	if m.leaves(err) {
		g.left.Store(true)
	}
	if err != nil {
		m.answered(err)
		return nil
	}
	m.said("OK", r.Value())
	l := &lend{Resource: r, number: r.Value()}
	g.known[r.Value()].Store(l)
	return l
}

// release ends a lend, one way or another. The history knows resources only: one whose lend has ended is none that is
// lent.
func (g *rig) release(c *client, l *lend) {
	name, end := "release", l.Release
	if g.takesOut && c.random.IntN(4) == 0 {
		name, end = "discard", l.Discard
		if c.random.IntN(2) == 0 {
			name, end = "detach", l.Detach
		}
	}
	c.heard(name, l.number)
	first := l.wanted.Add(1) == 1
	err := end()
	c.answered(err)
	if err == nil && l.ended.Add(1) > 1 || err != nil && first && l.wanted.Load() == 1 {
		g.wrong.Store(true)
	}
	if errors.Is(err, pool.ErrNotOwned) {
		c.spans[len(c.spans)-1].heardResource = 0
	}
}

func (g *rig) look(c *client) {
	c.heard("look", 0)
	s := g.pool.Stats()
	c.said("counts", 0)
	closed := 0
	if s.Closed {
		closed = 1
	}
	c.spans[len(c.spans)-1].counts = fmt.Sprintf(" %d %d %d %d %d %d %d",
		s.Idle, s.Active, s.Reserved, s.Waiting, s.State, closed, s.Max)
}

func (g *rig) close(c *client) {
	c.heard("close", 0)
	g.pool.Close()
	c.said("OK", 0)
}

func (g *rig) resize(c *client) {
	maxSize := 1 + c.random.IntN(places)
	minSize := c.random.IntN(maxSize + 1)
	c.heard("resize", maxSize)
	c.answered(g.pool.Resize(minSize, maxSize))
}

func (g *rig) evict(c *client) {
	c.heard("evict", 0)
	c.answered(g.pool.Evict())
}

func (g *rig) move(c *client) {
	names := []string{"activate", "deactivate", "recover"}
	moves := []func() error{g.pool.Activate, g.pool.Deactivate, g.pool.Recover}
	i := c.random.IntN(3)
	c.heard(names[i], 0)
	c.answered(moves[i]())
}

// use is what a client does in one history.
func (g *rig) use(c *client) {
	var held []*lend
	for i := range calls {
		dice := c.random.IntN(100)
		switch {
		case dice < 12:
			g.look(c)
		case dice < 16: // any that was lent once: others may hold it
			if r := g.known[c.random.IntN(int(g.made.Load())+1)].Load(); r != nil {
				g.release(c, r)
			}
		case dice < 24 && g.movesBreaker:
			g.move(c)
		case dice < 26 && g.closing && i > calls/2:
			g.close(c)
		case dice >= 30 && dice < 37 && g.resizes:
			g.resize(c)
		case dice >= 37 && dice < 41 && g.evicts:
			g.evict(c)
		case len(held) < holds && (len(held) == 0 || c.random.IntN(4) == 0):
			way := g.acquire
			if c.random.IntN(4) == 0 {
				way = g.try
			}
			if r := way(c); r != nil {
				held = append(held, r)
			}
		case len(held) > 0:
			c.pause()
			r := held[len(held)-1]
			held = held[:len(held)-1]
			g.release(c, r)
			if c.random.IntN(12) == 0 {
				g.release(c, r) // twice
			}
		}
	}
	for _, r := range held {
		g.release(c, r)
	}
}

// history records one, and writes it, unless a caller has left its factory: the model knows calls only, and what such a
// factory makes is no call's.
func history(random *rand.Rand, out *bufio.Writer) (whole bool, err error) {
	g := &rig{}
	hooks, habits := random.IntN(4), random.IntN(64)
	g.fails, g.movesBreaker, g.closing = habits&1 != 0, habits&2 != 0, habits&4 != 0
	g.resizes, g.evicts, g.takesOut = habits&8 != 0, habits&16 != 0, habits&32 != 0
	config := pool.Config[int]{MaxSize: 1 + random.IntN(places), RecoveringLimit: 1 + random.IntN(2), Factory: g.factory}
	config.MinSize = random.IntN(config.MaxSize + 1)
	config.MaxWaiting = random.IntN(4)
	destroy := g.hook("destroy", "destroyed", "")
	config.Destroy = func(ctx context.Context, resource int) { destroy(ctx, resource) }
	if hooks&1 != 0 {
		config.BeforeAcquire = g.hook("check", "passed", "refused")
	}
	if hooks&2 != 0 {
		config.BeforeRelease = g.hook("inspect", "kept", "dropped")
	}
	if g.pool, err = pool.New(config); err != nil {
		return false, err
	}
	var all [clients + 1]*client
	for i := range all {
		all[i] = newClient(i, random.Uint64())
	}
	var done sync.WaitGroup
	begin := make(chan struct{})
	for _, c := range all[:clients] {
		done.Go(func() {
			c.here()
			<-begin
			g.use(c)
		})
	}
	close(begin)
	done.Wait()
	// A factory may still run whose caller has left. Where a place was lost nothing does: then the history shows it.
	for watchdog := time.Now().Add(10 * time.Second); g.pool.Stats().Active > 0 && time.Now().Before(watchdog); {
		runtime.Gosched()
	}
	last := all[clients]
	last.here()
	g.look(last)
	g.close(last)
	g.look(last)

	if g.wrong.Load() {
		return false, fmt.Errorf("a lend has ended twice, or could not end")
	}
	if g.left.Load() {
		return false, nil
	}
	fmt.Fprintf(out, "pool %d %d %d %d %d\n", config.MaxSize, config.RecoveringLimit, config.MinSize, hooks,
		config.MaxWaiting)
	for _, c := range all {
		c.write(out)
	}
	fmt.Fprintln(out)
	return true, out.Flush()
}

func main() {
	runtime.GOMAXPROCS(max(4, runtime.NumCPU()))
	histories, err := strconv.Atoi(os.Args[1])
	seed, err2 := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil || err2 != nil {
		os.Exit(2)
	}
	random := rand.New(rand.NewPCG(seed, 1))
	out := bufio.NewWriter(os.Stdout)
	for histories > 0 {
		whole, err := history(random, out)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if whole {
			histories--
		}
	}
}
