package membarrier

import (
	"testing"
	"time"
)

// worlds are what must be right.
var worlds = []World{
	{Name: "three threads", Threads: [][]uint8{{0}, {0}, {0}}},
	{Name: "three threads, unlocks pay", Threads: [][]uint8{{0}, {0}, {0}}, Mode: UnlockersPay},
	{Name: "three threads, refused at times", Threads: [][]uint8{{0}, {0}, {0}}, Mode: RefusedAtTimes},
	{Name: "three threads, early looks", Threads: [][]uint8{{0}, {0}, {0}}, Early: true},
	{Name: "three threads, early looks, unlocks pay", Threads: [][]uint8{{0}, {0}, {0}}, Mode: UnlockersPay, Early: true},
	{Name: "three threads, early looks, refused at times", Threads: [][]uint8{{0}, {0}, {0}}, Mode: RefusedAtTimes, Early: true},
	{Name: "four threads", Threads: [][]uint8{{0}, {0}, {0}, {0}}},
	{Name: "four threads, two locks", Threads: [][]uint8{{0}, {0}, {1}, {1}}},
	{Name: "two locks look at one word", Threads: [][]uint8{{0, 1}, {0}, {1}}},
	{Name: "two locks, early looks", Threads: [][]uint8{{0, 1}, {0}, {1}}, Early: true},
	{Name: "two locks, early looks, unlocks pay", Threads: [][]uint8{{0, 1}, {0}, {1}}, Mode: UnlockersPay, Early: true},
	{Name: "two locks, early looks, refused at times", Threads: [][]uint8{{0, 1}, {0}, {1}}, Mode: RefusedAtTimes, Early: true},
	{Name: "two locks, late stores", Threads: [][]uint8{{0, 1}, {0, 1}, {0}}, Early: true, Late: true},
	{Name: "two locks, late stores, refused at times", Threads: [][]uint8{{0, 1}, {0}, {1}}, Mode: RefusedAtTimes, Early: true, Late: true},
	{Name: "two locks, unlocks pay", Threads: [][]uint8{{0, 1}, {0}, {1}}, Mode: UnlockersPay},
	{Name: "two locks, refused at times", Threads: [][]uint8{{0, 1}, {0}, {1}}, Mode: RefusedAtTimes},
}

func TestTheLockIsRight(t *testing.T) {
	for _, w := range worlds {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			report, violation := w.Search()
			if violation != nil {
				t.Fatal(violation)
			}
			t.Logf("%d states, %d transitions, %d ends, %.2f s", report.States, report.Transitions, report.Ends,
				time.Since(start).Seconds())
		})
	}
}

func TestDefectsAreFound(t *testing.T) {
	for _, d := range []struct {
		Defect
		mode     Mode
		expected error
	}{
		{NoBarrier, SleepersPay, errLost},
		{BarrierFirst, SleepersPay, errLost},
		{BarrierForOne, SleepersPay, errLost},
		{LookFirst, SleepersPay, errLost},
		{LookFirst, UnlockersPay, errLost},
		{NoSecondTry, SleepersPay, errLost},
		{BlindSleep, SleepersPay, errLost},
		{TakenQuietly, SleepersPay, errLost},
		{ClaimedLate, SleepersPay, errLost},
		{NoFence, UnlockersPay, errLost},
		{Untimed, RefusedAtTimes, errLost},
		{TimedOnce, RefusedAtTimes, errLost},
		{PlainTake, SleepersPay, errTwo},
		{EarlyKept, SleepersPay, errLost},
	} {
		t.Run(string(d.Defect), func(t *testing.T) {
			t.Parallel()
			w := World{Threads: [][]uint8{{0}, {0}, {0}}, Mode: d.mode, Early: d.Defect == EarlyKept, Defect: d.Defect}
			report, violation := w.Search()
			if violation == nil {
				t.Fatalf("not found in %d states", report.States)
			}
			if violation.Err != d.expected {
				t.Errorf("expected: %v", d.expected)
			}
			t.Log(violation)
		})
	}
}
