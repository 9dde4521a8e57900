package main

// ---- a real server ----

// apachePlan measures Apache, whose modules for databases keep their connections in an apr_reslist: with libaprutil's,
// and with the one of examples/apr in front of it.
func apachePlan(o options) plan {
	p := plan{Group: Group{
		ID: "apache", Title: "Apache: a request asks a database who the user is", Metric: "ops_s",
		Unit: "requests a second", Scale: 1, Base: apr, Peers: []string{ours, apr},
		Note: "mpm_event, mod_dbd and mod_authn_dbd over SQLite; ab on the loopback. This pool is there by " +
			"LD_PRELOAD of examples/apr, which asks before_release each time, and before_acquire where connections " +
			"can be too old. The processor time of the worker is among the goals.",
	}}
	add := func(name string, expiry int) {
		p.rows = append(p.rows, row{name, same(p.Peers, func(peer string) command {
			c := o.args("apache", "-threads", 25, "-connections", 4, "-expiry", expiry, "-seconds", 4*o.seconds)
			if peer == ours {
				c = append(c, "-shim", o.out+"/libasyncpool-apr.so", "-library", "../build/lib/libasyncpool.so.1")
			}
			return c
		})})
	}
	add("25 threads, 4 connections", 300)
	if !o.quick {
		add("25 threads, 4 connections that never are too old", 0)
	}
	return p
}
