package pool

import (
	"sync"
	"sync/atomic"
)

// lock is what the state of a pool is under: a sync.Mutex whose callers look again for a few microseconds before they
// sleep. It is held for some ten nanoseconds and never while a goroutine waits for something, so whoever finds it taken
// has it soon, unless its holder has lost the processor. A sync.Mutex alone looks again only while its processor has no
// other goroutine to run. With more goroutines than processors it has, and each collision costs a sleep and a wake-up, a
// hundred times what the lock is held for.
//
// Who has looked in vain sleeps in the mutex, and whoever comes before the lock is taken again sleeps at once: while its
// holder does not run, thousands that look one after the other would look for long. Who is passed over is handed the
// mutex after a millisecond. What the race detector, the profile of contention and a bubble of synctest make of a
// sync.Mutex holds for this one.
//
// Who has the lock first is no matter of order: a caller has its place in line by what it does under it.
type lock struct {
	mutex sync.Mutex
	stuck atomic.Bool // somebody has looked in vain since it was last taken: all others sleep at once
}

// How long one pauses before the second look and before the last one, in rounds of an empty loop: as long as some ten
// cycles take that nobody disturbs, and as long as a goroutine needs to sleep and wake up, with what it costs others.
const (
	firstPause = 1 << 10
	lastPause  = 1 << 13
)

// Lock takes the lock. A look takes the cache line of the lock away from its holder, with what the holder is changing.
// So there is nothing but a pause between two of them, each twice as long as the one before: whoever has the line
// goes through many cycles meanwhile and waits for nothing. With shorter pauses it travels for nearly each cycle.
func (l *lock) Lock() {
	for pause := firstPause; !l.mutex.TryLock(); pause *= 2 {
		if pause > lastPause {
			l.stuck.Store(true)
		}
		if l.stuck.Load() {
			l.mutex.Lock()
			break
		}
		for range pause {
		}
	}
	if l.stuck.Load() {
		l.stuck.Store(false)
	}
}

// Unlock gives it back.
func (l *lock) Unlock() {
	l.mutex.Unlock()
}
