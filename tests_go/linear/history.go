package linear

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// history is what the clients of one pool have seen.
type history struct {
	config
	made       numbers // up front
	operations []porcupine.Operation
}

// clientState is what is known of a client while its spans are read, in its order.
type clientState struct {
	call, before string
	blocks       bool  // it is an acquire that waits by itself
	lease        uint8 // number of the lend that it begins or ends, 0: by word
	deadline     int64 // of its acquire
}

// read calls f with each history of a recorder, until it says false.
func read(from io.Reader, settles bool, f func(*history) bool) error {
	var h *history
	var states [clients]clientState
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 0:
			if h != nil && !f(h) {
				return nil
			}
			h = nil
		case words[0] == "pool":
			h, states = begin(words[1:], settles), [clients]clientState{}
		case h == nil || !h.add(&states, words):
			return fmt.Errorf("not a span: %q", lines.Text())
		}
	}
	return lines.Err()
}

func begin(words []string, settles bool) *history {
	hooks := number(words[3])
	h := &history{config: config{
		places: uint8(number(words[0])), limit: uint8(number(words[1])),
		beforeAcquire: hooks&1 != 0, beforeRelease: hooks&2 != 0, settles: settles,
	}}
	if len(words) > 4 {
		h.waiting = uint8(number(words[4]))
	}
	h.behind = len(words) > 5 && words[5] != "0"
	for i := range number(words[2]) {
		h.made = h.made.push(uint8(i + 1))
	}
	return h
}

// number is that of a word. A recorder that broke writes others: they are no number of anything.
func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// add appends a span: CLIENT FROM TO HEARD RESOURCE SAID RESOURCE [COUNTS], HEARD with #LEASE at times, and with the
// time that an acquire has, or the places of a resize, for RESOURCE. False: it is none.
func (h *history) add(states *[clients]clientState, words []string) bool {
	if len(words) < 7 || uint64(number(words[0])) >= clients || words[5] == "counts" && len(words) != 14 {
		return false
	}
	heard, lease, byLease := strings.Cut(words[3], "#")
	in := span{client: uint8(number(words[0])), heard: heard}
	from, to, about := number(words[1]), number(words[2]), number(words[4])
	st := &states[in.client]
	switch in.heard {
	case "acquire", "step":
		*st = clientState{call: "acquire", deadline: from + about, blocks: in.heard == "acquire"}
	case "drain":
		*st = clientState{call: "drain"}
		if about > 0 {
			st.deadline = from + about
		}
	case "try", "take", "release", "discard", "detach", "resize", "evict", "make", "close":
		*st = clientState{call: in.heard}
		in.resource = uint8(about)
	default:
		in.resource = uint8(about)
	}
	if byLease {
		st.lease = uint8(number(lease))
	}
	in.call, in.before, in.lease = st.call, st.before, st.lease
	in.overdue = st.deadline != 0 && to >= st.deadline
	st.before = in.heard

	out := reply{said: words[5], resource: uint8(number(words[6]))}
	if out.said == "counts" {
		n := words[7:]
		out.counts = counts{
			idle: uint8(number(n[0])), active: uint8(number(n[1])), reserved: uint8(number(n[2])),
			waiting: uint8(number(n[3])), circuit: uint8(number(n[4])), closed: n[5] != "0", places: uint8(number(n[6])),
		}
	}
	if in.heard == "acquire" || in.heard == "destroyed" && st.blocks && h.behind {
		in.part = joining
		h.operations = append(h.operations, porcupine.Operation{
			ClientId: int(in.client) + clients, Input: in, Call: from, Output: out, Return: to})
		in.part = ending
	}
	h.operations = append(h.operations, porcupine.Operation{
		ClientId: int(in.client), Input: in, Call: from, Output: out, Return: to})
	return true
}
