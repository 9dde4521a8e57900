package main

import (
	"fmt"
	"strconv"
)

// A plan is a group that is still to be measured: what to run for each of its rows.
type plan struct {
	Group
	rows []row
	once bool // the figures are the same each time: one round is enough
}

type row struct {
	name     string
	commands map[string]command // by peer
}

// options is what the user chose.
type options struct {
	out     string // the folder with the programs, where the results go
	seconds float64
	rounds  int
	quick   bool
}

// plans lists everything there is to measure, in the order of the report.
func plans(o options) []plan {
	var all []plan
	all = append(all, limitPlan(o))
	all = append(all, threadPlans(o)...)
	all = append(all, lanePlan(o))
	all = append(all, goPlan(o))
	all = append(all, phpPlans(o)...)
	all = append(all, sparsePlan(o), quietPlan(o), apachePlan(o))
	all = append(all, ownersPlans(o)...)
	all = append(all, growthPlan(o), firstPlan(o), lockPlan(o), memoryPlan(o))
	return all
}

// args makes a command of a program of the bench and its arguments.
func (o options) args(program string, arguments ...any) command {
	c := command{o.out + "/" + program}
	for _, a := range arguments {
		c = append(c, fmt.Sprint(a))
	}
	return c
}

// same gives each peer its command by one rule.
func same(peers []string, rule func(peer string) command) map[string]command {
	commands := map[string]command{}
	for _, peer := range peers {
		commands[peer] = rule(peer)
	}
	return commands
}

// ---- this machine ----

const machine = "this machine"

func limitPlan(o options) plan {
	p := plan{Group: Group{
		ID: "limits", Title: "What the machine itself needs", Metric: "ns", Unit: "ns", Scale: 1,
		Base: machine, Peers: []string{machine},
		Note: "Entering Go is pool_activate(), the cheapest call that always does: lock and clock included.",
	}}
	add := func(name string, c command) {
		p.rows = append(p.rows, row{name, map[string]command{machine: c}})
	}
	add("mutex, lock and unlock", o.args("limits", "mutex", o.seconds))
	add("futex hand-off, same core", o.args("limits", "same_core", o.seconds))
	add("futex hand-off, other core", o.args("limits", "other_core", o.seconds))
	add("a cache line to the other core", o.args("limits", "line", o.seconds))
	add("entering Go from C", o.args("limits", "enter_go", o.seconds))
	add("bare FFI call from PHP", php(o, plain, "flow.php", "noop", o.seconds))
	return p
}

// ---- growth ----

const (
	cycle      = "acquire + release, so many idle"
	joining    = "join a line of so many"
	leaving    = "leave it from the middle"
	granting   = "grant its first"
	bareList   = "leave a bare list"
	fewParked  = "100"
	manyParked = "100000"
)

func growthPlan(o options) plan {
	p := plan{Group: Group{
		ID: "growth", Title: "Growth: one operation with so many places or parked ops", Metric: "ns",
		Unit: "ns", Scale: 1, Base: cycle, Lines: true,
		Peers: []string{cycle, joining, leaving, granting, bareList},
		Note: "One thread. The line is at least 16 long, since ops leave and join in groups of so many; any of " +
			"them leaves. With 100,000, they are not in the processor's caches any more: the bare list, of " +
			"nodes as large as ops, shows what that costs by itself.",
	}}
	names := map[string]string{cycle: "places", joining: "join", leaving: "leave", granting: "grant", bareList: "list"}
	for _, size := range []int{10, 100, 1000, 10000, 100000} {
		p.rows = append(p.rows, row{strconv.Itoa(size), same(p.Peers, func(peer string) command {
			return o.args("growth", names[peer], max(size, map[bool]int{true: 1, false: 16}[peer == cycle]), o.seconds)
		})})
	}
	return p
}

// ---- first calls ----

const slowest = "the slowest call"

func firstPlan(o options) plan {
	p := plan{Group: Group{
		ID: "first", Title: "1,000 threads that call for the first time, at once", Metric: "ns", Unit: "ms",
		Scale: 1e-6, Base: slowest, Peers: []string{slowest},
		Note: "The Go runtime sets each of them up; alone it would let them fight for that, for seconds.",
	}}
	for _, what := range []struct{ name, argument string }{{"borrow from one pool", "borrow"}, {"make a pool each", "make"}} {
		p.rows = append(p.rows, row{what.name, same(p.Peers, func(string) command {
			return o.args("first", what.argument, 1000)
		})})
	}
	return p
}

// ---- memory ----

const (
	idleBytes   = "idle resource"
	lentBytes   = "lent resource"
	parkedHeap  = "parked thread, heap"
	parkedBytes = "parked thread, resident"
	parkedStack = "of that, its stack"
	opBytes     = "parked async op, the op included"
	poolBytes   = "pool of 8"
)

func memoryPlan(o options) plan {
	p := plan{once: true, Group: Group{
		ID: "memory", Title: "Memory", Metric: "bytes", Unit: "bytes", Scale: 1, Base: apr,
		Peers: []string{ours, apr, unfair, fifo},
		Note: "The resources themselves are not counted, nor the stack that a thread had used before it parked. " +
			"Of 100,000 resources, 1,000 threads, 2,000 pools.",
	}}
	for _, what := range []struct{ name, argument string }{
		{idleBytes, "idle"}, {lentBytes, "lent"}, {parkedHeap, "parked_heap"}, {parkedBytes, "parked"},
		{parkedStack, "parked_stack"}, {poolBytes, "pool"},
	} {
		p.rows = append(p.rows, row{what.name, same(p.Peers, func(peer string) command {
			return o.args("memory_"+programs[peer], what.argument)
		})})
	}
	p.rows = append(p.rows, row{opBytes, map[string]command{ours: o.args("memory_op")}})
	return p
}
