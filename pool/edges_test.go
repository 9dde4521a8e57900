package pool

import (
	"context"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatIsNotLentIsRefusedAlsoWhileOthersWait(t *testing.T) {
	p, err := New(Config[int]{MaxSize: 1, Factory: func(context.Context) (int, error) { return 1, nil }})
	require.NoError(t, err)
	defer p.Close()
	r, err := p.Acquire(t.Context())
	require.NoError(t, err)
	served := make(chan error)
	go func() {
		r, err := p.Acquire(t.Context())
		if err == nil {
			err = r.Release()
		}
		served <- err
	}()
	for p.Stats().Waiting == 0 {
		runtime.Gosched()
	}
	assert.ErrorIs(t, p.Release(new(Resource[int])), ErrNotOwned)
	assert.Equal(t, 1, p.Stats().Waiting)
	assert.NoError(t, r.Release())
	assert.NoError(t, <-served)
}

// The pool lets others have the lock while it tells a long line, and tells everybody.
func TestEverybodyInALongLineIsTold(t *testing.T) {
	const callers = 1000
	p := number(t, 1, nil)
	_, err := p.Acquire(context.Background())
	require.NoError(t, err)
	var told sync.WaitGroup
	for range callers {
		told.Go(func() {
			_, err := p.Acquire(context.Background())
			assert.ErrorIs(t, err, ErrClosed)
		})
	}
	for p.Stats().Waiting < callers {
		runtime.Gosched()
	}
	p.Close()
	told.Wait()
}
