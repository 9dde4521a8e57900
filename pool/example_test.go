package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"asyncpool/pool"
)

// At most 8 connections are open; who comes while all of them are lent waits in line.
func Example() {
	connections, err := pool.New(pool.Config[string]{
		Factory: func(context.Context) (string, error) { return "a connection", nil }, // connect here
		Destroy: func(_ context.Context, c string) { fmt.Println(c, "is closed") },
		MaxSize: 8,
	})
	if err != nil {
		panic(err)
	}
	defer connections.Close()

	c, err := connections.Acquire(context.Background()) // until its turn comes, or the context ends
	if err == nil {
		fmt.Println(c.Value(), "is lent")
		err = c.Release()
	}
	fmt.Println(connections.Stats().Idle, "is idle:", err)
	// Output:
	// a connection is lent
	// 1 is idle: <nil>
	// a connection is closed
}

// Builders are lent to whoever wants to write, one at a time.
func ExampleConfig() {
	builders, err := pool.New(pool.Config[*strings.Builder]{
		Factory: func(context.Context) (*strings.Builder, error) {
			fmt.Println("a new one")
			return new(strings.Builder), nil
		},
		Destroy:       func(context.Context, *strings.Builder) { fmt.Println("destroyed") },
		BeforeRelease: func(_ context.Context, b *strings.Builder) bool { b.Reset(); return true },
		MaxSize:       1,
	})
	if err != nil {
		panic(err)
	}
	defer builders.Close()

	write := func(text string) {
		b, err := builders.Acquire(context.Background())
		if err != nil {
			panic(err)
		}
		defer b.Release()
		fmt.Fprint(b.Value(), text)
		fmt.Println(b.Value())

		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		if _, err := builders.Acquire(ctx); errors.Is(err, context.DeadlineExceeded) {
			fmt.Println("no other is free")
		}
	}
	write("hello")
	write("again")
	// Output:
	// a new one
	// hello
	// no other is free
	// again
	// no other is free
	// destroyed
}

// What a function panics over is not lent again.
func ExamplePool_Do() {
	connections, err := pool.New(pool.Config[string]{
		Factory: func(context.Context) (string, error) { return "a connection", nil },
		Destroy: func(_ context.Context, c string) { fmt.Println(c, "is closed") },
		MaxSize: 8,
	})
	if err != nil {
		panic(err)
	}
	defer connections.Close()

	defer func() { fmt.Println("recovered:", recover()) }()
	err = connections.Do(context.Background(), func(c string) error {
		fmt.Println("hello over", c)
		return nil
	})
	fmt.Println(connections.Stats().Idle, "is idle:", err)
	connections.Do(context.Background(), func(string) error { panic("in the midst of a protocol") })
	// Output:
	// hello over a connection
	// 1 is idle: <nil>
	// a connection is closed
	// recovered: in the midst of a protocol
}

// Whatever is idle is pinged now, not when the healthchecks come to it; and one more is connected before it is needed.
func ExamplePool_AcquireAllIdle() {
	made := 0
	connections, err := pool.New(pool.Config[int]{
		Factory: func(context.Context) (int, error) { made++; return made, nil },
		MinSize: 2, MaxSize: 8,
	})
	if err != nil {
		panic(err)
	}
	defer connections.Close()

	if err := connections.Create(context.Background()); err != nil {
		panic(err)
	}
	for _, c := range connections.AcquireAllIdle() {
		if alive := c.Value() != 2; alive { // ping here
			c.Release()
		} else {
			c.Discard()
		}
	}
	fmt.Println(connections.Stats().Idle, "are idle")
	// Output: 2 are idle
}

// places is a budget within one program: as many as the channel has room for.
type places chan struct{}

func (p places) Take(context.Context) error {
	select {
	case p <- struct{}{}:
		return nil
	default:
		return pool.TryLater(10 * time.Millisecond)
	}
}

func (p places) Give() { <-p }

// Readers and writers have a pool each, and three connections together, however they are shared out.
func ExampleBudget() {
	budget := make(places, 3)
	config := pool.Config[string]{MaxSize: 3, Budget: budget,
		Factory: func(context.Context) (string, error) { return "a connection", nil }}
	readers, err := pool.New(config)
	if err != nil {
		panic(err)
	}
	writers, err := pool.New(config)
	if err != nil {
		panic(err)
	}
	a, _ := readers.Acquire(context.Background())
	readers.Acquire(context.Background())
	writers.Acquire(context.Background())
	_, err = writers.TryAcquire(context.Background())
	fmt.Println(errors.Is(err, pool.ErrEmpty), len(budget), "are open")

	a.Discard()
	_, err = writers.Acquire(context.Background())
	fmt.Println(err, len(budget), "are open")
	// Output:
	// true 3 are open
	// <nil> 3 are open
}
