package pool

import (
	"context"
	"reflect"
	"runtime"
	"time"
)

// healthLoop is the goroutine that runs the healthcheck passes of a pool.
type healthLoop struct {
	interval time.Duration
	pass     func(context.Context)
	ctx      context.Context // ends when the pool closes
	stop     context.CancelFunc
	ended    chan struct{}
}

func startHealthLoop(interval time.Duration, pass func(context.Context)) *healthLoop {
	l := &healthLoop{interval: interval, pass: pass, ended: make(chan struct{})}
	l.ctx, l.stop = context.WithCancel(context.Background())
	go run(l)
	return l
}

// run is the goroutine. The time between passes begins at the end of one. A hook that ends the goroutine
// (runtime.Goexit) ends its pass; another goroutine goes on.
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
		case <-timer.C:
		}
		l.pass(l.ctx)
		timer.Reset(l.interval)
	}
}

// wait waits until a stopped loop has ended. From inside a pass, of whatever pool, it does not wait: two
// that close each other's pools would wait for ever.
func (l *healthLoop) wait() {
	if !insideHealthcheck() {
		<-l.ended
	}
}

// insideHealthcheck says whether the caller is called, however deep, by a health loop.
func insideHealthcheck() bool {
	name := runtime.FuncForPC(reflect.ValueOf(run).Pointer()).Name()
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
