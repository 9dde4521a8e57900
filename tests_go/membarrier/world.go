package membarrier

import "slices"

// Mode is who pays for the order of an unlock's store and look.
type Mode uint8

const (
	SleepersPay    Mode = iota // by membarrier(2)
	UnlockersPay               // by a locked operation in every unlock: membarrier(2) was refused from the beginning
	RefusedAtTimes             // as SleepersPay, but membarrier(2) begins and ends to be refused
)

// World is a few threads and their locks.
type World struct {
	Name    string
	Threads [][]uint8 // which locks each of them takes, one at a time
	Mode    Mode
	Early   bool // a processor may look early, as arm64's do: from when it tries the lock
	Late    bool // and a store that frees a lock may stay behind while its thread takes another one, as C11 allows
	Defect  Defect
}

// Defect is one way to be wrong.
type Defect string

const (
	NoBarrier     Defect = "who is about to sleep pays nothing"
	BarrierFirst  Defect = "the barrier comes before it is said that somebody sleeps"
	BarrierForOne Defect = "the barrier leaves a thread out"
	LookFirst     Defect = "an unlock looks before it stores"
	NoSecondTry   Defect = "no try between the barrier and the sleep"
	BlindSleep    Defect = "the futex does not look at the word before it sleeps"
	TakenQuietly  Defect = "who has slept and takes the lock does not say that others may still sleep"
	ClaimedLate   Defect = "an unlock takes back that somebody sleeps after it has woken one"
	NoFence       Defect = "an unlock pays nothing where sleepers do not"
	Untimed       Defect = "a sleep without limit where membarrier is refused at times"
	TimedOnce     Defect = "only the first sleep has a limit where membarrier is refused at times"
	PlainTake     Defect = "the lock is taken by a load and a store"
	EarlyKept     Defect = "what was seen early is still believed after the barrier"
)

// pc is what a thread does next.
type pc uint8

const (
	idle    pc = iota // tries for a lock, or stops
	stopped           // for good
	try               // compares and exchanges the word
	grab              // PlainTake: has seen it free, and stores
	tell              // says that somebody sleeps
	ask               // calls membarrier(2)
	barrier           // is inside of it
	again             // tries again
	sleep             // calls the futex
	asleep            // until somebody wakes it
	awake             // tries once more
	mark              // has taken the lock after a sleep, and says that others may still sleep
	held              // has the lock, and gives it back
	store             // LookFirst: has looked, and stores that the lock is free
	look              // looks whether somebody sleeps
	fence             // pays for its order itself
	claim             // takes back that somebody sleeps
	wake              // wakes one
	pcs
)

// names are what a thread does that leaves one.
var names = [pcs]string{"goes on", "", "tries", "grabs the lock", "says that it sleeps", "calls membarrier", "has passed the barrier",
	"tries again", "goes to sleep", "wakes up without cause", "tries after its sleep", "says that others may sleep",
	"frees the lock", "frees the lock", "looks", "pays", "takes back that one sleeps", "wakes nobody"}

const (
	most    = 4 // threads
	nothing = 2 // no store is in the buffer
)

// thread is one of them. Its store buffer has room for the only store that can be in flight, the one that frees a
// lock: all others are locked operations, and empty it.
type thread struct {
	pc     pc
	lock   uint8
	buffer uint8 // the lock that the store frees, or nothing
	behind uint8 // whom the barrier has yet to see pass, a bit for each
	seen   bool  // an unlock has seen that somebody may sleep
	timed  bool  // its sleeps end by themselves
	early  bool  // its processor has looked before it is there
}

// state is all there is. The locks share one word to look at.
type state struct {
	held    [2]bool // as far as the memory knows
	sleeps  bool    // the word: somebody may sleep
	refused bool    // membarrier(2)
	threads [most]thread
}

// key is the same number for states that differ in the names of threads alone.
func (w *World) key(s *state) uint64 {
	var order [most]int
	threads := len(w.Threads)
	for i := range threads { // sorts those that take the same locks
		order[i] = i
		for j := i; j > 0 && w.alike(j) && s.threads[order[j]].plain() < s.threads[order[j-1]].plain(); j-- {
			order[j], order[j-1] = order[j-1], order[j]
		}
	}
	var key uint64
	for _, i := range order[:threads] {
		t := &s.threads[i]
		var behind uint64
		for at, other := range order[:threads] {
			behind |= uint64(t.behind>>other&1) << at
		}
		key = key<<15 | behind<<11 | t.plain()
	}
	for _, bit := range [...]bool{s.held[0], s.held[1], s.sleeps, s.refused} {
		key = key<<1 | number(bit)
	}
	return key
}

// alike says that a thread and the one before it take the same locks.
func (w *World) alike(i int) bool { return slices.Equal(w.Threads[i], w.Threads[i-1]) }

// plain is a thread in eleven bits, but for what names others.
func (t *thread) plain() uint64 {
	return uint64(t.pc)<<6 | uint64(t.lock)<<5 | uint64(t.buffer)<<3 | number(t.seen)<<2 | number(t.timed)<<1 |
		number(t.early)
}

func number(bit bool) uint64 {
	if bit {
		return 1
	}
	return 0
}
