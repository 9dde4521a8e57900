package main

// What the lane costs where it does more than lend and take back.

const (
	byWord  = "by word"
	byLease = "by lease"
)

// lanePlan compares ways to use the same pool, places enough for all.
func lanePlan(o options) plan {
	p := plan{Group: Group{
		ID: "lane", Title: "The lane, by word and by lease: places for all threads, not held", Metric: "ops_s",
		Unit: "thousand cycles a second", Scale: 1e-3, Base: byWord, Peers: []string{byWord, byLease},
		Note: "A lease finds its entry without a hash, and has an id that is never used again.",
	}}
	lanes := map[string]string{byWord: "asyncpool", byLease: "lease"}
	for _, s := range []shape{{1, 64}, {2, 64}, {16, 64}} {
		p.rows = append(p.rows, row{s.named("thread"), same(p.Peers, func(peer string) command {
			return o.args("pool_"+lanes[peer], s.threads, s.places, "0", o.seconds, 64)
		})})
	}
	return p
}
