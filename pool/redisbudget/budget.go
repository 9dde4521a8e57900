// Package redisbudget is a budget that pools of many processes share, on many machines: so many resources at most, for all
// of them. It is kept in Redis, in four keys and one script. A pool takes a place before its Factory connects, and gives
// it back after Destroy:
//
//	budget, err := redisbudget.Open(ctx, redisbudget.Config{Client: client, Key: "db", Limit: 100})
//	p, err := pool.New(pool.Config[*Conn]{MaxSize: 20, Budget: budget, Factory: connect, Destroy: disconnect})
//
// Another pool than asyncpool's takes and gives by itself, by Take and Give, and tells of its idle ones by Attach.
//
// When it is opened for the first time nothing is granted for one lease, as after a loss of all data: nobody can tell the
// one from the other. What is detached keeps its place until its owner calls Give.
//
// There is one message. A process says what it has and what it wants, and is answered how many leases it holds from now
// on. It says so when it wants one more, and as a heartbeat, each quarter of a lease. The rules:
//
//   - Never more leases than the limit, of all whose leases have not ended. They end by Redis's clock, which the script
//     lets go no further between two messages than a quarter of a lease, and never back.
//   - A process believes in its leases for less long than Redis does: from when it asked, by a clock of its own, and a
//     quarter less. What it does not use it ceases to hold before it says so, not when it is answered.
//   - A message that comes after a later one of the same process counts for nothing.
//   - What is held on counts in a message that names the ledger which hears it. So it was sent after that began: what was
//     on its way when Redis lost all claims nothing, however late it comes. A process learns the name by each answer, and
//     one that is answered another name than it has said has its leases as before, and says them again.
//   - A Redis that has lost all, or was never used, grants nothing for one lease. Meanwhile processes tell what they
//     hold under leases that have not ended, and hold it on; what else they have has to wait. What they may use while they
//     tell is told, too.
//   - Who has something without a lease, since it was cut off or the limit is smaller now, is leased it as soon as there
//     is room, before all others: it has it in any case.
//   - Leases are granted in the order of asking, but that who has less than it may always have comes first. Whom the
//     ledger has forgotten, after a lease of silence, has lost its place.
//   - Whoever holds more than it may always have, and some of it idle, is asked to give up as much as is lacking. Each
//     lacking lease is asked of one process, and of another after a quarter of a lease.
//   - Of several limits the smallest holds.
//
// The tests try every order of what can happen to three processes (fleet_test.go says what that is), find each of the
// rules missing when it is left out, and play random messages to the script in a real Redis and to their model.
package redisbudget

import _ "embed"

// script is the message.
//
//go:embed budget.lua
var script string
