package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"asyncpool/pool/core"
)

// tryLater is for how long a Factory puts it off.
type tryLater time.Duration

// TryLater is an error for a Factory that has been told to wait: too many connections, a budget that is spent. It, or
// what wraps it, is nobody's failure, and no [Threshold] counts it: the caller waits on, first in line as before, and no
// Factory is called for so long. A [Pool.TryAcquire] is told [ErrEmpty]; [New] fails with [ErrFactory].
func TryLater(d time.Duration) error { return tryLater(d) }

func (d tryLater) Error() string {
	return fmt.Sprintf("pool: the factory asks to be called again in %v", time.Duration(d))
}

// laterOf is for how long an error of a Factory puts it off, in nanoseconds; 0: it is a failure.
func laterOf(err error) int64 {
	var d tryLater
	if !errors.As(err, &d) {
		return 0
	}
	return max(int64(d), 1)
}

// madeOrNot is the answer for a Factory that has come back.
func madeOrNot[T any](c *call[T], failure error) core.Answer {
	c.failure = failure
	if failure == nil {
		return core.Answer{OK: true}
	}
	return core.Answer{Later: laterOf(failure)}
}

// lastFailure is what the Factory said that failed last, while creations are put off.
func (p *Pool[T]) lastFailure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failed
}

// late is the error of a call whose context has ended: at its deadline it hears why nothing was made by then.
func late(ctx context.Context, why error) error {
	if why != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: %w: %w", gaveUp(ctx), ErrFactory, why)
	}
	return gaveUp(ctx)
}
