package main

import (
	"strings"
	"testing"
)

// Every goal held against a run that was made up: what is expected of each.
func TestGoalsAreJudgedByTheWorstCell(t *testing.T) {
	r, err := load("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	wanted := []struct{ what, reached, measured string }{
		// 3, 2.4 and 1.525 in the rounds: the median of the ratios, not the ratio of the medians.
		{"acquire + release, one thread", "reached", "2.40 (free-0: 1 thread, 64 places)"},
		{"the same", "not reached", "1.20 (free-0: 1 thread, 64 places)"},
		{"2 to 64 threads, places for all, not held", "not reached", "0.80 (free-0: 2 threads, 64 places)"},
		{"more threads than places, strict order, held 2 µs or less", "reached", "1.50 (full-0: 16 threads, 4 places)"},
		{"the same, held longer", "not measured", "-"},
		{"the same, where holders sleep", "not measured", "-"},
		{"a cycle every 500 µs, both hooks, an observer, the built-in strategy", "not measured", "-"},
		{"the same", "not measured", "-"},
		{"the same", "not measured", "-"},
		{"Apache, mod_dbd, 25 threads on 4 connections", "not measured", "-"},
		{"Apache, mod_dbd, 25 threads on 4 connections", "not measured", "-"},
		{"a release to a sleeping waiter beside 2 and 4 busy processes", "not measured", "-"},
		{"a release to a sleeping waiter beside 2 and 4 busy processes", "not measured", "-"},
		{"the lane by lease", "not measured", "-"},
		{"Go front, 1 to 64 goroutines, and 10,000", "not measured", "-"},
		{"Go front, 1 to 64 goroutines on 64 places", "not measured", "-"},
		{"Go front", "not measured", "-"},
		{"PHP acquire + release, nothing to wait for", "reached", "3.00 (php: no JIT)"},
		{"the same, with the extension", "not measured", "-"},
		{"PHP, 100 and 1,000 fibers over 20 resources, with the extension", "not measured", "-"},
		{"the same over FFI", "not measured", "-"},
		{"a coroutine of PHP that waits in line, with the extension", "not measured", "-"},
		{"100,000 parked ops: join, leave from the middle, grant", "not reached", "2.00 (grant its first); in 2 of 3 cells"},
		{"the longest wait for a lock, two million resources, 400,000 deadlines", "not measured", "-"},
		{"acquire + release, lifetime, uses, idle timeout", "not measured", "-"},
		{"memory: an idle resource, with all of it on", "not measured", "-"},
		{"64 callers, a factory of a second, created behind: after what comes back", "not measured", "-"},
		{"a service away for ten seconds: creations begun", "not measured", "-"},
		{"a service away for ten seconds: acquires with a later deadline that failed", "not measured", "-"},
		{"memory: heap of a parked thread", "reached", "0 bytes (memory: parked thread, heap)"},
		{"memory: an idle resource", "not reached", "33.0 bytes (memory: idle resource)"},
		{"memory: what 1,000 parked threads cost Go", "reached", "64.0 bytes (memory: parked thread, resident, less its stack)"},
	}
	verdicts := judge(r)
	if len(verdicts) != len(wanted) {
		t.Fatalf("%d goals, %d expected", len(verdicts), len(wanted))
	}
	for i, v := range verdicts {
		if v.what != wanted[i].what || v.Reached() != wanted[i].reached || v.Measured() != wanted[i].measured {
			t.Errorf("%q: %s, %s\nexpected: %v", v.what, v.Reached(), v.Measured(), wanted[i])
		}
	}
}

func TestAGoalWithoutAMeasurementIsNotReached(t *testing.T) {
	for _, v := range judge(new(Results)) {
		if v.Reached() != "not measured" {
			t.Errorf("%q: %s", v.what, v.Reached())
		}
	}
}

// What the goals and the colours refer to by name must be in the plan.
func TestEveryGoalFindsItsCellsInTheFullPlan(t *testing.T) {
	r := new(Results)
	for _, p := range plans(options{out: "build", seconds: 1, rounds: 1}) {
		g := p.Group
		for _, row := range p.rows {
			c := Cell{Name: row.name, Rounds: map[string][]Metrics{}}
			for peer := range row.commands {
				c.Rounds[peer] = []Metrics{{"ops_s": 1, "ns": 1, "bytes": 1, "p999": 1, "maxw": 1, "allocs": 0, "cpu_us": 1, "cpu_ns": 1, "switches": 1, "above": 0, "failed": 0, "late_ms": 1}}
			}
			g.Cells = append(g.Cells, c)
		}
		for _, peer := range g.Peers {
			if _, has := colourOf[peer]; !has {
				t.Errorf("%s: %s has no colour", g.ID, peer)
			}
		}
		r.Groups = append(r.Groups, g)
	}
	for _, v := range judge(r) {
		if v.cells == 0 {
			t.Errorf("%q, %s: no cell is measured for it", v.what, v.wanted)
		}
	}
}

func TestThePageHasTheGoalsAndAPictureOfEachGroup(t *testing.T) {
	r, err := load("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := r.document(folder); err != nil {
		t.Fatal(err)
	}
	page := read(t, folder+"/results.md")
	for _, part := range []string{
		"Made by `make bench QUICK=1` on 2026-01-02.",
		"| 1 thread, 64 places      | 60,000 (1.50) |",
		"| not reached",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
	for _, g := range r.Groups {
		if !strings.Contains(page, "]("+g.ID+".svg)") {
			t.Errorf("the page does not show %s.svg", g.ID)
		}
		if picture := read(t, folder+"/"+g.ID+".svg"); !strings.Contains(picture, g.Title) {
			t.Errorf("%s.svg has no title", g.ID)
		}
	}
}
