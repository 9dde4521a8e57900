package pool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"asyncpool/pool"
)

// Builders are lent to whoever wants to write, one at a time.
func Example() {
	builders, err := pool.New(pool.Config[*strings.Builder]{
		Factory: func(context.Context) (*strings.Builder, error) {
			fmt.Println("a new one")
			return new(strings.Builder), nil
		},
		Destroy:       func(*strings.Builder) { fmt.Println("destroyed") },
		BeforeRelease: func(b *strings.Builder) bool { b.Reset(); return true },
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
