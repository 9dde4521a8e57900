package pool

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"asyncpool/pool/core"
)

// New makes a pool and its first MinSize resources. When one of those cannot be made, the others are
// destroyed and the error is [ErrFactory]; a config that makes no pool is [ErrConfig].
func New[T any](config Config[T]) (*Pool[T], error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	p := &Pool[T]{config: config, born: time.Now()}
	p.calls.New = func() any { return &call[T]{wake: make(chan struct{}, 1)} }
	p.st = core.State{Asks: config.asks(), MinSize: uint32(config.MinSize), MaxSize: uint32(config.MaxSize),
		Options: config.options(), Ages: config.ages(), MinIdle: uint32(config.MinIdle)}
	p.st.Breaker.Limit, p.st.MaxWaiting = uint32(config.RecoveringLimit), uint32(config.MaxWaiting)
	if p.st.Patience.Retry = int64(config.CreateRetry); config.CreateRetry > 0 {
		p.st.Patience.Longest = int64(cmp.Or(config.CreateRetryMax, min(config.CreateRetry, math.MaxInt64/32)*32))
		p.st.Patience.Random = rand.Uint64() | 1
	}
	if config.CreateBehind {
		p.st.Behind = 1
	}
	machine, err := core.NewCore(&p.st, &heap{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	p.core, p.noted = machine, p.st.Gate&core.GateAges != 0
	p.life, p.end = context.WithCancelCause(context.Background())
	if t := config.Threshold; t.Failures > 0 {
		machine.SetThresholdOn(t.Counts.all(), uint32(t.Failures), uint32(max(t.Successes, 1)), int64(t.OpenFor))
	}
	if !config.LazyMin {
		if err := p.fill(); err != nil {
			return nil, err
		}
	}
	p.attach()
	if interval := config.interval(); interval > 0 {
		p.mu.Lock() // its first pass may be one of now
		p.health = startHealthLoop(interval, p.sweep)
		p.mu.Unlock()
		if config.MinIdle > 0 || config.LazyMin {
			p.health.hurry()
		}
	}
	return p, nil
}

// fill makes the first resources, or none, also if a factory panics: nobody else has the pool then.
func (p *Pool[T]) fill() (err error) {
	done := false
	defer func() {
		if !done || err != nil {
			p.Close()
		}
	}()
	p.mu.Lock()
	_, err = p.drive(context.Background(), core.KindFill, nil)
	done = true
	return err
}

// sweep is one pass of the healthchecks. A factory that fails is asked again by the next pass.
func (p *Pool[T]) sweep(ctx context.Context) {
	p.mu.Lock()
	p.drive(ctx, core.KindSweep, nil)
}
