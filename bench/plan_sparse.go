package main

// ---- now and then ----

// What a pool has in the cells of the sparse group, and a process that does nothing at all.
const (
	acquireHook = "before_acquire"
	releaseHook = "before_release"
	bothHooks   = "both hooks"
	nothingSet  = "nothing set"
	everything  = "both hooks, an observer, the built-in strategy"
	standsBy    = "one lent, an interval of 30 s, nothing done"
)

func sparsePlan(o options) plan {
	p := plan{Group: Group{
		ID: "sparse", Title: "A cycle now and then: inside of the two calls", Metric: "ns", Unit: "µs", Scale: 1e-3,
		Base: nothingSet, Peers: []string{nothingSet, acquireHook, releaseHook, bothHooks, everything},
		Note: "One thread that sleeps in between. Processor time and context switches of the whole process are among " +
			"the goals: a Go runtime that is entered now and then wakes its monitor and an idle thread.",
	}}
	with := map[string]string{nothingSet: "nothing", acquireHook: "acquire", releaseHook: "release", bothHooks: "hooks",
		everything: "everything"}
	add := func(name string, pause int) {
		p.rows = append(p.rows, row{name, same(p.Peers, func(peer string) command {
			return o.args("sparse", with[peer], pause, 2*o.seconds)
		})})
	}
	add("every 500 µs", 500)
	if !o.quick {
		add("every 50 µs", 50)
		add("every 5,000 µs", 5000)
	}
	return p
}

func quietPlan(o options) plan {
	seconds := 60.0
	if o.quick {
		seconds = 5
	}
	return plan{
		Group: Group{
			ID: "quiet", Title: "A quiet minute: context switches of the whole process", Metric: "switches",
			Unit: "switches a minute", Scale: 1, Base: ours, Peers: []string{ours},
			Note: "One pass of the healthcheck falls into every half of it; its own switches count.",
		},
		rows: []row{{standsBy, map[string]command{ours: o.args("sparse", "quiet", seconds)}}},
		once: true,
	}
}
