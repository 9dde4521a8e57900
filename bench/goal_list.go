package main

// What is taken for nothing: memory comes in pages.
const (
	noHeap      = 8    // bytes a thread: half of the smallest block that malloc() gives
	noMemory    = 64   // bytes a thread
	longestWait = 1e6  // ns
	noneAtAll   = 0.01 // allocations a cycle: a goroutine that waits for the first time may need memory once
)

// goals are the numbers to reach, row by row.
var goals = []goal{
	{
		what: "acquire + release, one thread", against: apr, wanted: "at least 2 times its throughput",
		bound: 2, figures: ratios("free-0", "1 thread,", "ops_s", ours, apr),
	},
	{
		what: "the same", against: "the better of unfair and FIFO", wanted: "at least 1.4 times its throughput",
		bound: 1.4, figures: ratios("free-0", "1 thread,", "ops_s", ours, unfair, fifo),
	},
	{
		what: "2 to 64 threads, places for all, not held", against: "the better of unfair and FIFO",
		wanted: "at least 1.3 times its throughput", bound: 1.3,
		figures: joined(ratios("free-0", "2 ", "ops_s", ours, unfair, fifo),
			ratios("free-0", "4 ", "ops_s", ours, unfair, fifo), ratios("free-0", "16 ", "ops_s", ours, unfair, fifo),
			ratios("free-0", "64 ", "ops_s", ours, unfair, fifo)),
	},
	{
		what: "more threads than places, strict order, held 2 µs or less", against: fifo,
		wanted: "at least 1.5 times its throughput", bound: 1.5,
		figures: joined(ratios("full-0", "", "ops_s", ours, fifo), ratios("full-2us", "", "ops_s", ours, fifo)),
	},
	{
		what: "the same, held longer", against: fifo, wanted: "at least its throughput", bound: 1,
		figures: joined(ratios("full-20us", "", "ops_s", ours, fifo), ratios("full-200us", "", "ops_s", ours, fifo)),
	},
	{
		what: "the same, where holders sleep", against: fifo, wanted: "at most its p99.9 wait",
		bound: 1, atMost: true, figures: ratios("full-200us", "", "p999", ours, fifo),
	},
	{
		what: "a cycle every 500 µs, " + everything, against: nothingSet, wanted: "at most 1.1 times its processor time",
		bound: 1.1, atMost: true, figures: ratios("sparse", "every 500", "cpu_ns", everything, nothingSet),
	},
	{
		what: "the same", against: nothingSet, wanted: "at most 1.1 times its switches", bound: 1.1, atMost: true,
		figures: ratios("sparse", "every 500", "switches", everything, nothingSet),
	},
	{
		what: "the same", against: nothingSet, wanted: "at most 1 µs more inside of the calls", bound: 1000, atMost: true,
		unit: "ns more", figures: differences("sparse", "every 500", "ns", everything, nothingSet),
	},
	{
		what: "Apache, mod_dbd, 25 threads on 4 connections", against: apr, wanted: "at least its requests a second",
		bound: 1, figures: ratios("apache", "", "ops_s", ours, apr),
	},
	{
		what: "Apache, mod_dbd, 25 threads on 4 connections", against: apr, wanted: "at most its processor time",
		bound: 1, atMost: true, figures: ratios("apache", "", "cpu_us", ours, apr),
	},
	{
		what: "a release to a sleeping waiter beside 2 and 4 busy processes", against: fifo,
		wanted: "at most 1.5 times its mean", bound: 1.5, atMost: true, figures: besideBusy("ns"),
	},
	{
		what: "a release to a sleeping waiter beside 2 and 4 busy processes", against: fifo,
		wanted: "at most 1.5 times its p99.9", bound: 1.5, atMost: true, figures: besideBusy("p999"),
	},
	{
		what: "the lane by lease", against: byWord, wanted: "at least its throughput", bound: 1,
		figures: ratios("lane", "", "ops_s", byLease, byWord),
	},
	{
		what: "Go front, 1 to 64 goroutines, and 10,000", against: puddle,
		wanted: "at least 2 times its throughput", bound: 2, figures: ratios("go", "", "ops_s", ours, puddle),
	},
	{
		what: "Go front, 1 to 64 goroutines on 64 places", against: chanCtx, wanted: "at least its throughput", bound: 1,
		figures: joined(ratios("go", "1 ", "ops_s", ours, chanCtx), ratios("go", "2 ", "ops_s", ours, chanCtx),
			ratios("go", "4 ", "ops_s", ours, chanCtx), ratios("go", "16 ", "ops_s", ours, chanCtx),
			ratios("go", "64 goroutines, 64", "ops_s", ours, chanCtx)),
	},
	{
		what: "Go front", against: "nothing", wanted: "0 allocations a cycle", bound: noneAtAll, atMost: true,
		unit: "allocations", figures: values("go", "", "allocs", ours),
	},
	{
		what: "PHP acquire + release, nothing to wait for", against: noops, wanted: "at most 3 times their time",
		bound: 3, atMost: true, figures: ratios("php", "", "ns", phpPool, noops),
	},
	{
		what: "the same, with the extension", against: methods, wanted: "at most 1.5 times their time",
		bound: 1.5, atMost: true, figures: ratios("php", "", "ns", phpExt, methods),
	},
	{
		what: "PHP, 100 and 1,000 fibers over 20 resources, with the extension", against: "SplQueue pool by hand",
		wanted: "at most 2 times its time a cycle", bound: 2, atMost: true,
		figures: joined(ratios("php-fibers", "100 fibers", "ns", phpExt, queue),
			ratios("php-fibers", "1000 fibers", "ns", phpExt, queue)),
	},
	{
		what: "the same over FFI", against: "SplQueue pool by hand", wanted: "at most 4 times its time a cycle",
		bound: 4, atMost: true,
		figures: joined(ratios("php-fibers", "100 fibers", "ns", phpPool, queue),
			ratios("php-fibers", "1000 fibers", "ns", phpPool, queue)),
	},
	{
		what: "a coroutine of PHP that waits in line, with the extension", against: "1 KB", bound: 1024, atMost: true,
		wanted: "at most 1,024 bytes beside its fiber", unit: "bytes",
		figures: values("php-waiting", "", "bytes", phpExt),
	},
	{
		what: "100,000 parked ops: join, leave from the middle, grant", against: bareList,
		wanted: "at most 1.5 times its growth", bound: 1.5, atMost: true,
		figures: growth(bareList, joining, leaving, granting),
	},
	{
		what: "the longest wait for a lock, two million resources, 400,000 deadlines", against: "nothing",
		wanted: "at most 1 ms", bound: longestWait, atMost: true, unit: "ns", figures: values("lock", "", "ns", ours),
	},
	{
		what: "acquire + release, " + withAges, against: nothingSet, wanted: "at most 1.25 times its time", bound: 1.25,
		atMost: true, figures: joined(ratios("owners", oneCycle, "ns", withAges, nothingSet),
			ratios("owners", oneCycle, "ns", withLIFO, nothingSet)),
	},
	{
		what: "memory: an idle resource, with all of it on", against: "56 bytes", wanted: "at most 56 bytes", bound: 56,
		atMost: true, unit: "bytes", figures: joined(values("owners-memory", oneIdle, "bytes", withLIFO),
			values("owners-memory", oneIdle, "bytes", withAll)),
	},
	{
		what: "64 callers, a factory of a second, created behind: after what comes back", against: "nothing",
		wanted: "at most 10 ms", bound: 10, atMost: true, unit: "ms", figures: values("behind", cameBack, "late_ms", madeAfter),
	},
	{
		what: "a service away for ten seconds: creations begun", against: "the pauses", wanted: "no more than they allow",
		bound: 0, atMost: true, unit: "more", figures: values("outage", wentAway, "above", ours),
	},
	{
		what: "a service away for ten seconds: acquires with a later deadline that failed", against: "nothing",
		wanted: "none", bound: 0, atMost: true, unit: "failed", figures: values("outage", wentAway, "failed", ours),
	},
	{
		what: "memory: heap of a parked thread", against: "nothing", wanted: "none", bound: noHeap, atMost: true,
		unit: "bytes", figures: values("memory", parkedHeap, "bytes", ours),
	},
	{
		what: "memory: an idle resource", against: "32 bytes", wanted: "at most 32 bytes", bound: 32, atMost: true,
		unit: "bytes", figures: values("memory", idleBytes, "bytes", ours),
	},
	{
		what: "memory: what 1,000 parked threads cost Go", against: "nothing", wanted: "nothing (at most 64 bytes each)",
		bound: noMemory, atMost: true, unit: "bytes", figures: parkedInGo,
	},
}

func besideBusy(metric string) func(*Results) []figure {
	return joined(ratios("shared", "2 busy", metric, ours, fifo), ratios("shared", "4 busy", metric, ours, fifo))
}
