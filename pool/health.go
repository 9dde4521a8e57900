package pool

import (
	"context"
	"reflect"
	"runtime"
	"slices"
	"time"
)

// healthLoop is the goroutine that runs the healthcheck passes of a pool.
type healthLoop struct {
	interval time.Duration
	pass     func(context.Context)
	ctx      context.Context // ends when the pool closes
	stop     context.CancelFunc
	ended    chan struct{}
	hurried  chan struct{} // has a token when the next pass is due at once
}

func startHealthLoop(interval time.Duration, pass func(context.Context)) *healthLoop {
	l := &healthLoop{interval: interval, pass: pass, ended: make(chan struct{}), hurried: make(chan struct{}, 1)}
	l.ctx, l.stop = context.WithCancel(context.Background())
	go run(l)
	return l
}

// run is the goroutine. The time between passes begins at the end of one. A hook that ends the goroutine
// (runtime.Goexit) ends its pass; another goroutine goes on. It is on the stack of whatever a pass calls, as
// [insideHealthcheck] needs it: so it is no part of another function.
//
//go:noinline
func run(l *healthLoop) {
	defer func() {
		if l.ctx.Err() != nil {
			close(l.ended)
		} else {
			go run(l)
		}
	}()
	timer := time.NewTimer(l.interval)
	defer timer.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-l.hurried:
		case <-timer.C:
		}
		l.pass(l.ctx)
		timer.Reset(l.interval)
	}
}

// hurry has the next pass begin at once.
func (l *healthLoop) hurry() {
	select {
	case l.hurried <- struct{}{}:
	default:
	}
}

// wait waits until a stopped loop has ended. From inside a pass, of whatever pool, it does not wait: two
// that close each other's pools would wait for ever.
func (l *healthLoop) wait() {
	if !insideHealthcheck() {
		<-l.ended
	}
}

// insideHealthcheck says whether the caller's goroutine is a health loop: only there is the code of run on the
// stack, below all the hooks. A goroutine that a hook has started has a stack of its own.
func insideHealthcheck() bool {
	begin := reflect.ValueOf(run).Pointer()
	pcs := make([]uintptr, 64)
	n := runtime.Callers(2, pcs)
	for n == len(pcs) { // there may be more
		pcs = make([]uintptr, 4*n)
		n = runtime.Callers(2, pcs)
	}
	return slices.ContainsFunc(pcs[:n], func(pc uintptr) bool {
		f := runtime.FuncForPC(pc - 1) // pc is where the call returns to, which may be behind the function
		return f != nil && f.Entry() == begin
	})
}
