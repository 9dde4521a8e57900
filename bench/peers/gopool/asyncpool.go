package main

import (
	"context"

	asyncpool "asyncpool/pool"
)

// asyncPool is this library's own front for Go.
type asyncPool struct{ *asyncpool.Pool[*resource] }

func (p asyncPool) loop(w *worker) {
	ctx := context.Background()
	for !stop.Load() {
		t := w.before()
		r, err := p.Acquire(ctx)
		w.after(t)
		if err != nil {
			panic(err)
		}
		r.Value().use()
		if err := r.Release(); err != nil {
			panic(err)
		}
		w.n++
	}
}

func newAsyncpool(size int) pool {
	p, err := asyncpool.New(asyncpool.Config[*resource]{
		Factory: func(context.Context) (*resource, error) { return new(resource), nil },
		MinSize: size,
		MaxSize: size,
	})
	if err != nil {
		panic(err)
	}
	return asyncPool{p}
}
