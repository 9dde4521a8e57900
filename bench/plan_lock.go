package main

import "strconv"

// ---- the longest wait for a lock ----

const moving = "begin an op while deadlines move on"

// timersPlan measures how long somebody else waits while a loop moves very many deadlines on.
func timersPlan(o options) plan {
	p := plan{Group: Group{
		ID: "lock-timers", Title: "The longest wait for a lock, with so many deadlines", Metric: "ns",
		Unit: "µs", Scale: 1000, Base: moving, Peers: []string{moving},
		Note: "The longest of all calls of one thread, each of which takes the locks of pool and reactor. What else " +
			"the machine does in that time counts as well.",
	}}
	for _, size := range []int{1000, 400000} {
		p.rows = append(p.rows, row{strconv.Itoa(size), map[string]command{moving: o.args("lock_timers", size)}})
	}
	return p
}
