package pool

import (
	"context"
	"errors"
	"fmt"

	"asyncpool/pool/core"
)

// The errors of a [Pool], for errors.Is.
var (
	ErrConfig      = errors.New("pool: invalid config")
	ErrClosed      = errors.New("pool: closed")
	ErrUnavailable = errors.New("pool: service unavailable")
	ErrOverloaded  = errors.New("pool: too many callers are waiting")
	ErrEmpty       = errors.New("pool: no resource is free")
	ErrFull        = errors.New("pool: no place is free for one more resource")
	ErrNotOwned    = errors.New("pool: the resource is not lent by this pool")
	ErrFactory     = errors.New("pool: factory failed")
	ErrInternal    = errors.New("pool: defect in the pool itself")
)

// statusError turns the outcome of an op into an error. NoMemory has more resources than can be numbered.
func statusError(status core.Status, factory error) error {
	switch status {
	case core.OK:
		return nil
	case core.Closed:
		return ErrClosed
	case core.Unavail:
		return ErrUnavailable
	case core.Overloaded:
		return ErrOverloaded
	case core.Empty:
		return ErrEmpty
	case core.Factory:
		if factory == nil { // it was left by Goexit
			return ErrFactory
		}
		return fmt.Errorf("%w: %w", ErrFactory, factory)
	}
	return fmt.Errorf("%w: status %d", ErrInternal, status)
}

// ended says whether the context has ended, at no cost when it cannot.
func ended(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}

// gaveUp is the error of a call whose context has ended.
func gaveUp(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return fmt.Errorf("pool: %w", cause)
	}
	return fmt.Errorf("pool: %w: %w", err, cause)
}
