package pool

import (
	"context"
	"reflect"
	"runtime"
	"time"
)

// patrol is the goroutine that runs the healthcheck passes of a pool.
type patrol struct {
	interval time.Duration
	pass     func(context.Context)
	ctx      context.Context // ends when the pool closes
	stop     context.CancelFunc
	ended    chan struct{}
}

func startPatrol(interval time.Duration, pass func(context.Context)) *patrol {
	p := &patrol{interval: interval, pass: pass, ended: make(chan struct{})}
	p.ctx, p.stop = context.WithCancel(context.Background())
	go walk(p)
	return p
}

// walk is the goroutine. The time between passes begins at the end of one. A hook that ends the goroutine
// (runtime.Goexit) ends its pass; another goroutine goes on.
func walk(p *patrol) {
	defer func() {
		if p.ctx.Err() != nil {
			close(p.ended)
		} else {
			go walk(p)
		}
	}()
	timer := time.NewTimer(p.interval)
	defer timer.Stop()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-timer.C:
		}
		p.pass(p.ctx)
		timer.Reset(p.interval)
	}
}

// wait waits until a stopped patrol has ended. From inside a pass, of whatever pool, it does not wait: two
// that close each other's pools would wait for ever.
func (p *patrol) wait() {
	if !walking() {
		<-p.ended
	}
}

// walking says whether the caller is called, however deep, by a patrol.
func walking() bool {
	name := runtime.FuncForPC(reflect.ValueOf(walk).Pointer()).Name()
	pcs := make([]uintptr, 64)
	for skip := 1; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		frames := runtime.CallersFrames(pcs[:n])
		for more := n > 0; more; {
			var frame runtime.Frame
			if frame, more = frames.Next(); frame.Function == name {
				return true
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}
