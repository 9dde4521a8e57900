// Command second_go is another C shared library in Go, which has nothing to do with asyncpool: the tests
// load it beside libasyncpool, because an extension of the same process may be one.
package main

import "C"

import (
	"runtime"
	"sync"
	"sync/atomic"
)

var (
	stop    atomic.Bool
	loaders sync.WaitGroup
	kept    atomic.Pointer[[]byte]
)

// second_sum makes garbage and adds up the first n numbers on a goroutine of its own.
//
//export second_sum
func second_sum(n C.long) C.long {
	result := make(chan C.long)
	go func() {
		numbers := make([]C.long, n)
		sum := C.long(0)
		for i := range numbers {
			numbers[i] = C.long(i) + 1
			sum += numbers[i]
		}
		result <- sum
	}()
	return <-result
}

// second_collect runs the garbage collector and answers how often it has run.
//
//export second_collect
func second_collect() C.long {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return C.long(stats.NumGC)
}

// second_load keeps goroutines busy in loops that have to be preempted by signals, and makes garbage.
//
//export second_load
func second_load(goroutines C.long) {
	for range goroutines {
		loaders.Go(func() {
			for !stop.Load() {
				for i, x := 0, 1; i < 1_000_000; i++ {
					x = x*31 + i
				}
				garbage := make([]byte, 64<<10)
				kept.Store(&garbage)
			}
		})
	}
}

// second_rest ends what second_load began.
//
//export second_rest
func second_rest() {
	stop.Store(true)
	loaders.Wait()
}

func main() {}
