// Command record_go is what record_c is, for goroutines and the Go front: it writes the same lines.
package main

import (
	"bufio"
	"context"
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
)

// rig is a pool, and what is known of its resources. A resource is its number, from 1.
type rig struct {
	pool                         *pool.Pool[int]
	made                         atomic.Int64
	known                        [256]atomic.Pointer[pool.Resource[int]]
	fails, movesBreaker, closing bool
}

func (g *rig) factory(ctx context.Context) (int, error) {
	c, ok := ctx.Value(key{}).(*client)
	if !ok { // up front
		return int(g.made.Add(1)), nil
	}
	c.said("create", 0)
	c.pause()
	if g.fails && c.random.IntN(5) == 0 {
		c.heard("failed", 0)
		return 0, fmt.Errorf("no")
	}
	number := int(g.made.Add(1))
	c.heard("created", number)
	return number, nil
}

// hook is one that says yes or, if there is a no, that at times. It takes a moment at times, so that others come
// in between.
func (g *rig) hook(said, yes, no string) func(int) bool {
	return func(resource int) bool {
		c := current()
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

func (g *rig) acquire(c *client) *pool.Resource[int] {
	timeout := time.Duration(1+c.random.IntN(200)) * 10 * time.Microsecond
	c.heard("acquire", int(timeout))
	ctx, cancel := context.WithTimeout(c.context, timeout)
	defer cancel()
	r, err := g.pool.Acquire(ctx)
	return g.got(c, r, err)
}

func (g *rig) try(c *client) *pool.Resource[int] {
	c.heard("try", 0)
	r, err := g.pool.TryAcquire(c.context)
	return g.got(c, r, err)
}

func (g *rig) got(c *client, r *pool.Resource[int], err error) *pool.Resource[int] {
	if err != nil {
		c.answered(err)
		return nil
	}
	c.said("OK", r.Value())
	g.known[r.Value()].Store(r)
	return r
}

func (g *rig) release(c *client, r *pool.Resource[int]) {
	c.heard("release", r.Value())
	c.answered(r.Release())
}

func (g *rig) look(c *client) {
	c.heard("look", 0)
	s := g.pool.Stats()
	c.said("counts", 0)
	closed := 0
	if s.Closed {
		closed = 1
	}
	c.spans[len(c.spans)-1].counts = fmt.Sprintf(" %d %d %d %d %d %d", s.Idle, s.Active, s.Reserved, s.Waiting, s.State, closed)
}

func (g *rig) close(c *client) {
	c.heard("close", 0)
	g.pool.Close()
	c.said("OK", 0)
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
	var held []*pool.Resource[int]
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

// history records one, and writes it.
func history(random *rand.Rand, out *bufio.Writer) error {
	g := &rig{}
	hooks, habits := random.IntN(4), random.IntN(8)
	g.fails, g.movesBreaker, g.closing = habits&1 != 0, habits&2 != 0, habits&4 != 0
	config := pool.Config[int]{MaxSize: 1 + random.IntN(3), RecoveringLimit: 1 + random.IntN(2), Factory: g.factory}
	config.MinSize = random.IntN(config.MaxSize + 1)
	config.MaxWaiting = random.IntN(4)
	destroy := g.hook("destroy", "destroyed", "")
	config.Destroy = func(resource int) { destroy(resource) }
	if hooks&1 != 0 {
		config.BeforeAcquire = g.hook("check", "passed", "refused")
	}
	if hooks&2 != 0 {
		config.BeforeRelease = g.hook("inspect", "kept", "dropped")
	}
	var err error
	if g.pool, err = pool.New(config); err != nil {
		return err
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
	last := all[clients]
	last.here()
	g.look(last)
	g.close(last)
	g.look(last)

	fmt.Fprintf(out, "pool %d %d %d %d %d\n", config.MaxSize, config.RecoveringLimit, config.MinSize, hooks,
		config.MaxWaiting)
	for _, c := range all {
		c.write(out)
	}
	fmt.Fprintln(out)
	return out.Flush()
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
	for range histories {
		if err := history(random, out); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
