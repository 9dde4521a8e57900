package bridge

import (
	"os"
	"runtime"
)

// fewest is how many threads may be inside Go at once on a small machine.
const fewest = 16

// A thread that leaves Go keeps its right to be inside (the P of Go's scheduler) until the runtime takes it back,
// a tenth of a millisecond later at best. With as many as there are processors, which is Go's default, threads
// that call one after the other wait for that most of the time. Calls take a microsecond, so nothing is gained by
// having few. Who sets GOMAXPROCS knows better.
//
// Where there are enough the call is made as well: it ends the runtime's looks at the limits of its cgroup, which would
// make them fewer, and which it reads from descriptors that the host may have closed and opened as something else.
func init() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(fewest, runtime.GOMAXPROCS(0)))
	}
}
