package main

// ---- the longest wait for a lock ----

// lockPlan measures how long a thread waits at most for what another does under the locks, however large the pool is.
func lockPlan(o options) plan {
	p := plan{Group: Group{
		ID: "lock", Title: "The longest time that another thread waits", Metric: "ns", Unit: "µs", Scale: 1e-3,
		Base: ours, Peers: []string{ours}, Least: true,
		Note: "One thread acquires and releases, while another does something large; the longest of its cycles, less " +
			"what the other waited for a processor meanwhile. The least of the rounds counts: a pause of the machine is " +
			"in one of them, what the pool does in all. The first row is what is left of such pauses where nothing large " +
			"is done.",
	}}
	add := func(name string, c command) { p.rows = append(p.rows, row{name, map[string]command{ours: c}}) }
	add("nothing large, for comparison", o.args("longest", "nothing", 30_000_000))
	add("growth from one million resources to two", o.args("longest", "grow", 2_000_000))
	add("two million shrink to one", o.args("longest", "shrink", 2_000_000))
	add("a million idle ones are evicted", o.args("longest", "evict", 1_000_000))
	add("turns of the breaker, two million lent", o.args("longest", "turn", 2_000_000))
	add("the breaker opens, 400,000 in line", o.args("longest", "dismiss", 400_000))
	add("400,000 deadlines move on", o.args("lock_timers", 400_000))
	return p
}
