package linear

import (
	"slices"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// smallHistory is one with what the model must say about it. The pool line is "MAX LIMIT MADE HOOKS WAITING BEHIND",
// of which the last two may be left out; a span is "CLIENT FROM TO HEARD RESOURCE SAID RESOURCE".
type smallHistory struct {
	name, pool, spans string
	want              porcupine.CheckResult
}

var lending = []smallHistory{
	{"the oldest idle one is lent", "2 1 2 0", `
		0 1 2 try 0 OK 1`, porcupine.Ok},
	{"not the newest", "2 1 2 0", `
		0 1 2 try 0 OK 2`, porcupine.Illegal},
	{"but either, when both are asked for at once", "2 1 2 0", `
		0 1 4 try 0 OK 2
		1 2 3 try 0 OK 1`, porcupine.Ok},
	{"nothing is lent twice", "2 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 try 0 OK 1`, porcupine.Illegal},
	{"nor given back twice", "1 1 1 0", `
		0 1 2 try 0 OK 1
		0 3 4 release 1 OK 0
		0 5 6 release 1 OK 0`, porcupine.Illegal},
	{"the second release is refused", "1 1 1 0", `
		0 1 2 try 0 OK 1
		0 3 6 release 1 OK 0
		1 3 6 release 1 ERR_NOT_OWNED 0`, porcupine.Ok},
	{"a lease that has ended ends nothing", "1 1 1 0", `
		0 1 2 try#1 0 OK 1
		0 3 4 release#1 1 OK 0
		1 5 6 try#2 0 OK 1
		0 7 8 release#1 1 ERR_NOT_OWNED 0
		1 9 10 release#2 1 OK 0`, porcupine.Ok},
	{"not the lend of the next holder", "1 1 1 0", `
		0 1 2 try#1 0 OK 1
		0 3 4 release#1 1 OK 0
		1 5 6 try#2 0 OK 1
		0 7 8 release#1 1 OK 0`, porcupine.Illegal},
	{"nor one by word", "1 1 1 0", `
		0 1 2 try#1 0 OK 1
		0 3 4 release#1 1 OK 0
		1 5 6 try 0 OK 1
		0 7 8 release#1 1 OK 0`, porcupine.Illegal},
	{"and a release by word ends the lease", "1 1 1 0", `
		0 1 2 try#1 0 OK 1
		1 3 4 release 1 OK 0
		0 5 6 release#1 1 OK 0`, porcupine.Illegal},
	{"empty is true", "1 1 1 0", `
		0 1 2 try 0 EMPTY 0`, porcupine.Illegal},
	{"and a wait has a reason", "1 1 1 0", `
		0 1 2 step 1000 wait 0`, porcupine.Illegal},
	{"a free place is used", "2 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 try 0 EMPTY 0`, porcupine.Illegal},
	{"a place is promised to the first in line", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 release 1 OK 0
		2 7 8 try 0 EMPTY 0
		1 9 10 back 0 OK 1`, porcupine.Ok},
	{"and nobody else takes it", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 release 1 OK 0
		2 7 8 try 0 OK 1`, porcupine.Illegal},
	{"the releaser neither", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		0 5 6 release 1 OK 0
		0 7 8 acquire 1000 OK 1`, porcupine.Illegal},
	{"what is idle is kept for who was promised a place", "2 1 2 0", `
		0 1 2 try 0 OK 1
		0 3 4 try 0 OK 2
		1 5 6 step 1000 wait 0
		0 7 8 release 1 OK 0
		0 9 10 release 2 OK 0
		2 11 12 try 0 OK 2
		1 13 14 back 0 OK 1`, porcupine.Ok},
	{"and nobody else is lent it", "2 1 2 0", `
		0 1 2 try 0 OK 1
		0 3 4 try 0 OK 2
		1 5 6 step 1000 wait 0
		0 7 8 release 1 OK 0
		0 9 10 release 2 OK 0
		2 11 12 try 0 OK 1`, porcupine.Illegal},
	{"first come, first served", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 step 1000 wait 0
		0 7 8 release 1 OK 0
		2 9 10 back 0 OK 1`, porcupine.Illegal},
	{"a call that blocks may have joined the line late", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 1004 acquire 1000 ERR_TIMEOUT 0
		2 5 6 step 1000 wait 0
		0 7 8 release 1 OK 0
		2 9 10 back 0 OK 1`, porcupine.Ok},
	{"but not when it was seen in line", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 12 acquire 1000 OK 1
		3 4 5 look 0 counts 0 0 1 0 1 0 0 1
		2 6 7 step 1000 wait 0
		0 8 9 release 1 OK 0
		2 10 11 back 0 OK 1
		2 12 13 release 1 OK 0`, porcupine.Illegal},
	{"one more than may wait is told so", "1 1 1 0 1", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 step 1000 ERR_OVERLOADED 0`, porcupine.Ok},
	{"but not while the line has room", "1 1 1 0 2", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 step 1000 ERR_OVERLOADED 0`, porcupine.Illegal},
	{"nor does it stand in line", "1 1 1 0 1", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 step 1000 wait 0`, porcupine.Illegal},
	{"a deadline that has come", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 1004 acquire 1000 ERR_TIMEOUT 0`, porcupine.Ok},
	{"a deadline that has not", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 1002 acquire 1000 ERR_TIMEOUT 0`, porcupine.Illegal},
	{"who leaves hands its place on", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 step 1000 wait 0
		0 7 8 release 1 OK 0
		1 9 10 cancel 0 OK 0
		2 11 12 back 0 OK 1`, porcupine.Ok},
	{"a closed pool lends nothing", "1 1 1 0", `
		0 1 2 close 0 destroy 1
		0 3 4 destroyed 1 OK 0
		1 3 6 try 0 OK 1`, porcupine.Illegal},
	{"and sends those in line away", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 close 0 OK 0
		1 7 8 back 0 wait 0`, porcupine.Illegal},
	{"nothing is idle after a close", "1 1 1 0", `
		0 1 2 close 0 OK 0`, porcupine.Illegal},
	{"a pool that is drained serves who stands in line", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 drain 0 wait 0
		3 7 8 try 0 ERR_CLOSED 0
		0 9 10 release 1 OK 0
		1 11 12 back 0 OK 1
		1 13 14 release 1 destroy 1
		1 15 16 destroyed 1 OK 0
		2 17 18 back 0 OK 0`, porcupine.Ok},
	{"and nobody else", "2 1 1 0", `
		0 1 2 try 0 OK 1
		2 3 4 drain 0 wait 0
		3 5 6 try 0 create 0`, porcupine.Illegal},
	{"it keeps nothing that nobody needs", "1 1 1 0", `
		0 1 2 try 0 OK 1
		2 3 4 drain 0 wait 0
		0 5 6 release 1 OK 0`, porcupine.Illegal},
	{"what was kept for one who leaves is destroyed, too", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000 wait 0
		2 5 6 drain 0 wait 0
		0 7 8 release 1 OK 0
		1 9 10 cancel 0 destroy 1
		2 11 12 back 0 wait 0
		1 13 14 destroyed 1 ERR_CANCELLED 0
		2 15 16 back 0 OK 0`, porcupine.Ok},
	{"a drain does not end while something is lent", "1 1 1 0", `
		0 1 2 try 0 OK 1
		2 3 4 drain 0 OK 0`, porcupine.Illegal},
	{"at its deadline it closes the pool", "1 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 step 1000000 wait 0
		2 5 6 drain 1000 wait 0
		2 7 2000 back 0 ERR_TIMEOUT 0
		1 2001 2002 back 0 ERR_CLOSED 0`, porcupine.Ok},
	{"but not before", "1 1 1 0", `
		0 1 2 try 0 OK 1
		2 5 6 drain 1000 wait 0
		2 7 8 back 0 ERR_TIMEOUT 0`, porcupine.Illegal},
	{"a drain that is cancelled undoes nothing", "1 1 1 0", `
		0 1 2 try 0 OK 1
		2 3 4 drain 0 wait 0
		2 5 6 cancel 0 OK 0
		1 7 8 try 0 EMPTY 0`, porcupine.Illegal},
	{"what is made for a pool that closed is destroyed", "1 1 0 0", `
		0 1 2 try 0 create 0
		1 3 4 close 0 OK 0
		0 5 6 created 1 OK 1`, porcupine.Illegal},
	{"a failed creation frees its place", "1 1 0 0", `
		0 1 2 try 0 create 0
		0 3 4 failed 0 ERR_FACTORY 0
		1 5 6 try 0 EMPTY 0`, porcupine.Illegal},
	{"a hook's resource is not lent", "1 1 1 2", `
		0 1 2 try 0 OK 1
		0 3 4 release 1 inspect 1
		1 5 6 release 1 inspect 1`, porcupine.Illegal},
	{"what is refused keeps its place until it is destroyed", "1 1 1 2", `
		0 1 2 try 0 OK 1
		0 3 4 release 1 inspect 1
		0 5 6 dropped 1 destroy 1
		1 7 8 try 0 create 0`, porcupine.Illegal},
	{"counts are those of an instant", "2 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 look 0 counts 0 0 1 0 0 0 0 2`, porcupine.Ok},
	{"and not of another", "2 1 1 0", `
		0 1 2 try 0 OK 1
		1 3 4 look 0 counts 0 1 0 0 0 0 0 2`, porcupine.Illegal},
	{"an open breaker lends nothing", "1 1 1 0", `
		0 1 2 deactivate 0 OK 0
		0 3 4 try 0 OK 1`, porcupine.Illegal},
	{"one that recovers lends its probes", "3 1 3 0", `
		0 1 2 recover 0 OK 0
		0 3 4 try 0 OK 1
		0 5 6 try 0 ERR_UNAVAILABLE 0
		0 7 8 release 1 OK 0
		0 9 10 try 0 OK 2`, porcupine.Ok},
	{"and no more", "3 1 3 0", `
		0 1 2 recover 0 OK 0
		0 3 4 try 0 OK 1
		0 5 6 try 0 OK 2`, porcupine.Illegal},
}

// Shows P22.
func TestTheModelKnowsRightFromWrong(t *testing.T) {
	for _, s := range slices.Concat(lending, owning, makingBehind) {
		t.Run(s.name, func(t *testing.T) {
			histories := 0
			text := strings.NewReader("pool " + s.pool + s.spans + "\n\n")
			require.NoError(t, read(text, false, func(h *history) bool {
				histories++
				result, why := h.check(t.TempDir())
				assert.Equal(t, s.want, result)
				assert.Equal(t, s.want == porcupine.Illegal, strings.HasSuffix(why, ".html"), why)
				return true
			}))
			assert.Equal(t, 1, histories)
		})
	}
}

// Shows P22.
func TestWhatIsNoHistoryIsRefused(t *testing.T) {
	for _, text := range []string{"0 1 2 try 0 OK 1\n", "pool 1 1 1 0\n0 1 2 try\n", "pool 1 1 1 0\n12 1 2 try 0 OK 1\n"} {
		assert.Error(t, read(strings.NewReader(text), false, func(*history) bool { return true }))
	}
}
