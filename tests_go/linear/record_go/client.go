package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"asyncpool/pool"
)

// client is a goroutine that uses a pool, and what it has seen.
type client struct {
	number int
	random *rand.Rand
	spans  []span
}

// making is an acquire of a client; the context of its factory has it. The factory runs on a goroutine of its own, and
// while it does, the client waits for it, or has left.
type making struct {
	*client
	mutex         sync.Mutex
	begun, left   bool
	pauses, fails bool // what the factory does
}

type span struct {
	from, to                    time.Duration
	heard, said                 string
	heardResource, saidResource int
	counts                      string
}

type key struct{}

var born = time.Now()

func newClient(number int, seed uint64) *client {
	return &client{number: number, random: rand.New(rand.NewPCG(seed, 2)), spans: make([]span, 0, 256)}
}

// begins is the beginning of the factory; false: the client has left.
func (m *making) begins() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.left {
		return false
	}
	m.begun, m.pauses, m.fails = true, m.random.IntN(3) == 0, m.random.IntN(5) == 0
	m.said("create", 0)
	return true
}

// ends is its end: 0 is a failure.
func (m *making) ends(number int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	switch {
	case m.left:
	case number == 0:
		m.heard("failed", 0)
	default:
		m.heard("created", number)
	}
}

// leaves is the end of the acquire, and says whether the client has left its factory, be it in its last moment.
func (m *making) leaves(err error) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.left = true
	return m.begun && errors.Is(err, context.DeadlineExceeded)
}

func (c *client) heard(what string, resource int) {
	c.spans = append(c.spans, span{heard: what, heardResource: resource, from: time.Since(born)})
}

func (c *client) said(what string, resource int) {
	to, s := time.Since(born), &c.spans[len(c.spans)-1]
	s.to, s.said, s.saidResource = to, what, resource
}

// answered is said for a call that ended with an error or nil.
func (c *client) answered(err error) {
	to := time.Since(born)
	c.said(statusOf(err), 0)
	c.spans[len(c.spans)-1].to = to
}

func statusOf(err error) string {
	if err == nil {
		return "OK"
	}
	for status, is := range map[string]error{
		"EMPTY": pool.ErrEmpty, "ERR_CLOSED": pool.ErrClosed, "ERR_UNAVAILABLE": pool.ErrUnavailable,
		"ERR_OVERLOADED": pool.ErrOverloaded,
		"ERR_FACTORY":    pool.ErrFactory, "ERR_NOT_OWNED": pool.ErrNotOwned, "ERR_TIMEOUT": context.DeadlineExceeded,
	} {
		if errors.Is(err, is) {
			return status
		}
	}
	return err.Error()
}

func (c *client) pause() {
	if c.random.IntN(3) == 0 {
		runtime.Gosched()
	}
}

func (c *client) write(out *bufio.Writer) {
	for _, s := range c.spans {
		fmt.Fprintln(out, c.number, s.from.Nanoseconds(), s.to.Nanoseconds(), s.heard, s.heardResource,
			s.said, s.saidResource, s.counts)
	}
}

// A hook is not told who called it, so a client is found by its goroutine, whose number stands in its stack's
// first line.
var goroutines sync.Map

func goroutine() string {
	var buffer [64]byte
	stack := buffer[:runtime.Stack(buffer[:], false)]
	return string(bytes.Fields(stack)[1])
}

func (c *client) here() { goroutines.Store(goroutine(), c) }

func current() *client {
	c, _ := goroutines.Load(goroutine())
	found, _ := c.(*client)
	return found
}
