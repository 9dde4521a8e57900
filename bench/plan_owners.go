package main

// ---- what the controls of a pool's owner cost ----

// What a pool has in the cells of the owners' groups.
const (
	withAges = "lifetime, uses, idle timeout"
	withLIFO = "the same, last in, first out"
	withAll  = "the same, timed, lent by lease"
	oneCycle = "acquire + release, one thread"
	oneIdle  = "an idle resource"
	wentAway = "64 threads on 8 places"
	cameBack = "64 threads on 8 places, a factory of 1 s"
)

// Who makes what callers wait for.
const (
	byCallers = "by callers"
	madeAfter = "created behind"
)

func ownersPlans(o options) []plan {
	peers := []string{nothingSet, withAges, withLIFO}
	all := append(peers[:3:3], withAll)
	with := map[string]string{nothingSet: "nothing", withAges: "ages", withLIFO: "lifo", withAll: "all"}
	cycles := plan{Group: Group{
		ID: "owners", Title: "What limits of age and use cost", Metric: "ns", Unit: "ns", Scale: 1, Base: nothingSet,
		Peers: peers, Note: "64 places. Limits are far away; statistics are always on.",
	}}
	cycles.rows = []row{{oneCycle, same(peers, func(peer string) command {
		return o.args("owners", "cycle", with[peer], o.seconds)
	})}}
	memory := plan{once: true, Group: Group{
		ID: "owners-memory", Title: "What limits of age and use cost in memory", Metric: "bytes", Unit: "bytes", Scale: 1,
		Base: nothingSet, Peers: all, Note: "Of 100,000 resources, which are not counted themselves.",
	}}
	memory.rows = []row{{oneIdle, same(all, func(peer string) command { return o.args("owners", "idle", with[peer]) })}}
	return []plan{cycles, memory, outagePlan(o), behindPlan(o)}
}

// behindPlan is about who could have what comes back, and waits for a factory.
func behindPlan(o options) plan {
	peers := []string{byCallers, madeAfter}
	return plan{
		once: true,
		Group: Group{
			ID: "behind", Title: "A resource that comes back while factories block", Metric: "late_ms", Unit: "ms", Scale: 1,
			Base: byCallers, Peers: peers,
			Note: "From its return, a tenth of a second after all have asked, until the caller that came first is lent something.",
		},
		rows: []row{{cameBack, map[string]command{
			byCallers: o.args("behind", "callers"), madeAfter: o.args("behind", "behind"),
		}}},
	}
}

func outagePlan(o options) plan {
	seconds := 10.0
	if o.quick {
		seconds = 1
	}
	return plan{
		once: true,
		Group: Group{
			ID: "outage", Title: "A service that is away for ten seconds, with patient creation", Metric: "begun",
			Unit: "creations begun", Scale: 1, Base: ours, Peers: []string{ours},
			Note: "Pauses from 50 ms to 1.6 s; callers would wait for half a minute longer than that. With QUICK=1 it is " +
				"away for one second.",
		},
		rows: []row{{wentAway, map[string]command{ours: o.args("outage", seconds)}}},
	}
}
