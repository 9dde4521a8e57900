package main

import "fmt"

// The peers of the tables, by the names that readers see.
const (
	ours    = "asyncpool"
	apr     = "apr_reslist"
	unfair  = "unfair, by hand"
	fifo    = "FIFO, by hand"
	puddle  = "puddle"
	channel = "Go channel"
	chanCtx = "Go channel, cancellable"
)

// programs says what a C peer's programs are called after.
var programs = map[string]string{
	ours: "asyncpool", apr: "apr", unfair: "unfair", fifo: "fifo",
}

// A hold is how long a resource is kept.
type hold struct{ id, name, argument string }

var holds = []hold{
	{"0", "not held", "0"},
	{"2us", "held for 2 µs", "spin:2000"},
	{"20us", "held for 20 µs", "spin:20000"},
	{"200us", "held for 200 µs asleep", "sleep:200"},
}

// isShort says of which holds more is asked: 2 µs or less.
func (h hold) isShort() bool { return h.id == "0" || h.id == "2us" }

// A shape is how many threads share how many places.
type shape struct{ threads, places int }

// named says it in words; who is "thread" or "goroutine".
func (s shape) named(who string) string {
	if s.threads != 1 {
		who += "s"
	}
	return fmt.Sprintf("%s %s, %d places", english.Sprint(s.threads), who, s.places)
}

// Enough places for all, and too few.
var (
	free = []shape{{1, 64}, {2, 64}, {4, 64}, {16, 64}, {64, 64}}
	full = []shape{{16, 4}, {16, 8}, {64, 4}, {64, 8}}
)

// sample says which acquires are timed: where a cycle takes nanoseconds, reading the clock would be most of it.
func (h hold) sample() int {
	if h.id == "0" {
		return 64
	}
	return 1
}

func freeID(h hold) string { return "free-" + h.id }
func fullID(h hold) string { return "full-" + h.id }

func threadPlans(o options) (all []plan) {
	for _, h := range holds {
		if o.quick && !h.isShort() {
			continue
		}
		all = append(all, threadPlan(o, freeID(h), "Places for all threads, "+h.name, unfair, h, free))
	}
	for _, h := range holds {
		all = append(all, threadPlan(o, fullID(h), "More threads than places, "+h.name, fifo, h, full))
	}
	return append(all, sharedPlan(o))
}

// sharedPlan is about the calls that do not block: none may wait for the time slices of others.
func sharedPlan(o options) plan {
	p := plan{Group: Group{
		ID: "shared", Title: "A release to a sleeping waiter, on a processor shared with busy processes", Metric: "ns",
		Unit: "µs", Scale: 1e-3, Base: fifo, Waits: true, Peers: []string{ours, apr, unfair, fifo},
		Note: "Eight in a row, by a thread that has just slept. The mean and the p99.9 of how long the call takes; " +
			"where the one that was woken goes first, that is in it.",
	}}
	for _, busy := range []int{0, 2, 4} {
		if o.quick && busy == 0 {
			continue
		}
		p.rows = append(p.rows, row{fmt.Sprintf("%d busy processes", busy), same(p.Peers, func(peer string) command {
			return o.args("shared_"+programs[peer], busy, 4*o.seconds)
		})})
	}
	return p
}

func threadPlan(o options, id, title, base string, h hold, shapes []shape) plan {
	p := plan{Group: Group{
		ID: id, Title: title, Metric: "ops_s", Unit: "thousand cycles a second", Scale: 1e-3,
		Base: base, Waits: true, Peers: []string{ours, apr, unfair, fifo},
	}}
	for i, s := range shapes {
		if o.quick && i%2 == 1 && s.threads != 2 {
			continue
		}
		p.rows = append(p.rows, row{s.named("thread"), same(p.Peers, func(peer string) command {
			return o.args("pool_"+programs[peer], s.threads, s.places, h.argument, o.seconds, h.sample())
		})})
	}
	return p
}

// ---- Go ----

func goPlan(o options) plan {
	p := plan{Group: Group{
		ID: "go", Title: "Go: goroutines", Metric: "ops_s", Unit: "thousand cycles a second", Scale: 1e-3,
		Base: puddle, Waits: true, Peers: []string{ours, puddle, channel, chanCtx},
	}}
	implementations := map[string]string{
		ours: "go_asyncpool", puddle: "go_puddle", channel: "go_chan", chanCtx: "go_chan_ctx",
	}
	for _, s := range []shape{{1, 64}, {2, 64}, {4, 64}, {16, 64}, {64, 64}, {64, 8}, {10000, 64}} {
		if o.quick && (s.threads == 4 || s.threads == 16) {
			continue
		}
		p.rows = append(p.rows, row{s.named("goroutine"), same(p.Peers, func(peer string) command {
			return o.args("gopool", implementations[peer], s.threads, s.places, "0", o.seconds, 64)
		})})
	}
	return p
}
