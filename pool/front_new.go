package pool

import (
	"context"
	"fmt"
	"math"
	"time"
)

// New makes a pool and its first MinSize resources. When one of those cannot be made, the others are
// destroyed and the error is [ErrFactory]; a config that makes no pool is [ErrConfig].
func New[T any](config Config[T]) (*Pool[T], error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	p := &Pool[T]{config: config, born: time.Now()}
	p.calls.New = func() any { return &call[T]{wake: make(chan struct{}, 1)} }
	p.st = State{Asks: config.asks(), MinSize: uint32(config.MinSize), MaxSize: uint32(config.MaxSize)}
	p.st.Breaker.Limit = uint32(config.RecoveringLimit)
	core, err := NewCore(&p.st, &heap{})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	p.core = core
	if t := config.Threshold; t.Failures > 0 {
		core.SetThreshold(uint32(t.Failures), uint32(max(t.Successes, 1)), int64(t.OpenFor))
	}
	if err := p.furnish(); err != nil {
		return nil, err
	}
	if config.HealthcheckInterval > 0 {
		p.patrol = startPatrol(config.HealthcheckInterval, p.sweep)
	}
	return p, nil
}

// check says what is wrong with a config.
func (c *Config[T]) check() error {
	sizes := []int{c.MinSize, c.MaxSize, c.Threshold.Failures, c.Threshold.Successes, c.RecoveringLimit}
	for _, size := range sizes {
		if size < 0 || size > math.MaxUint32 {
			return fmt.Errorf("%w: a number is negative or too large", ErrConfig)
		}
	}
	switch {
	case c.Factory == nil:
		return fmt.Errorf("%w: no Factory", ErrConfig)
	case c.MaxSize == 0 || c.MinSize > c.MaxSize:
		return fmt.Errorf("%w: %w", ErrConfig, ErrSize)
	case c.HealthcheckInterval < 0 || c.Threshold.OpenFor < 0:
		return fmt.Errorf("%w: a duration is negative", ErrConfig)
	case c.HealthcheckInterval > 0 && c.Healthcheck == nil && c.MinSize == 0:
		return fmt.Errorf("%w: a HealthcheckInterval, but neither Healthcheck nor MinSize to look after", ErrConfig)
	case c.Healthcheck != nil && c.HealthcheckInterval == 0:
		return fmt.Errorf("%w: a Healthcheck, but no HealthcheckInterval: it is never called", ErrConfig)
	}
	return nil
}

// asks tells the core which hooks there are. Destructions are always asked for: the slab hears of them.
func (c *Config[T]) asks() uint32 {
	asks := uint32(AsksDestroy)
	if c.Healthcheck != nil {
		asks |= AsksHealthcheck
	}
	if c.BeforeAcquire != nil {
		asks |= AsksBeforeAcquire
	}
	if c.BeforeRelease != nil {
		asks |= AsksBeforeRelease
	}
	return asks
}

// furnish makes the first resources, or none, also if a factory panics: nobody else has the pool then.
func (p *Pool[T]) furnish() (err error) {
	done := false
	defer func() {
		if !done || err != nil {
			p.Close()
		}
	}()
	p.mu.Lock()
	_, err = p.drive(context.Background(), KindFill, nil)
	done = true
	return err
}

// sweep is one pass of the healthchecks. A factory that fails is asked again by the next pass.
func (p *Pool[T]) sweep(ctx context.Context) {
	p.mu.Lock()
	p.drive(ctx, KindSweep, nil)
}
